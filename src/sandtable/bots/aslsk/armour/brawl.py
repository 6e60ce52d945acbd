"""Close combat with vehicles: whom to attack next, and whether to go for a tank at all (3.7, 3.8)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import islice

from sandtable.bots.aslsk.arms.plating import chance_of
from sandtable.bots.aslsk.harm import DR_CHANCES
from sandtable.bots.aslsk.melee import strike_value
from sandtable.bots.aslsk.sketch import Sketch
from sandtable.bots.doctrine import Idea
from sandtable.bots.explain import Reason
from sandtable.core.decision import Node
from sandtable.systems.aslsk.common.actions import Action, CloseAttack, Done
from sandtable.systems.aslsk.phases.paatc import paatc_number
from sandtable.systems.aslsk.phases.vehicle_assault import assault_drm, assault_value, combat_guns
from sandtable.systems.aslsk.phases.vehicle_combat import vehicle_odds
from sandtable.systems.aslsk.pieces.state import CcAttack, CloseCombat, Unit, Vehicle

__all__ = ["alternate_ideas", "assault_worth", "attack_worth"]

MOST, SHOWN = 200, 5
IMMOBILIZED = 0.4
"""Share of its price that a vehicle loses which is immobilized."""
REDUCED = 0.5 / 36
"""Share of their worth that an original 12 costs those who attack."""
DEFENCE = 0.1
"""Points for a close defence weapon."""
PINNED = 0.1
STRUCK = 0.08
"""Share of their worth that FP of one in close combat costs those who go in."""


def _against_vehicle(sketch: Sketch, by: Sequence[Unit], vehicle: Vehicle, ambusher: str = "") -> float:
    """Points that an attack on a vehicle brings on average."""
    value = assault_value(sketch.context, sketch.state, by).total
    drm = assault_drm(sketch.context, by, vehicle, ambusher).total
    kills, stops = chance_of(value - drm - 1), DR_CHANCES.get(value - drm, 0.0)
    return sketch.price_of(vehicle) * (kills + IMMOBILIZED * stops) - REDUCED * sum(map(sketch.price, by))


def attack_worth(sketch: Sketch, units: Sequence[Unit], vehicle: Vehicle) -> float:
    """Points that an attack on a vehicle brings, if those who make it dare (3.7)."""
    dares = 1.0
    for unit in units:
        if sketch.context.card(unit).is_mmc:
            dares *= chance_of(paatc_number(sketch.context, sketch.state, unit).total)
    return dares * _against_vehicle(sketch, units, vehicle)


def alternate_ideas(sketch: Sketch, frame: CloseCombat, root: Node[Action]) -> list[Idea]:
    """The next attack in a hex with a vehicle: what it does on average, the most first."""
    state = sketch.state
    found = [Idea(Done(), 0.0, lambda: (Reason("no more attacks", 0.0),))]
    for action in islice(root, MOST):
        if not isinstance(action, CloseAttack):
            continue
        if action.at:
            by = [state.units[unit_id] for unit_id in action.by]
            worth = _against_vehicle(sketch, by, state.vehicles[action.at], frame.ambusher)
            what = f"on {action.at}"
        elif action.vehicle:
            worth, what = _of_vehicle(sketch, frame, action), f"of {action.vehicle}"
        else:
            attack = CcAttack(action.by, action.against)
            worth, what = strike_value(sketch, frame, attack), f"on {', '.join(action.against)}"
        found.append(Idea(action, worth, partial(_told, what, worth)))
    found.sort(key=lambda idea: -idea.worth)
    return found[:SHOWN]


def _told(what: str, worth: float) -> Sequence[Reason]:
    return (Reason(f"an attack {what}", round(worth, 2)),)


def _of_vehicle(sketch: Sketch, frame: CloseCombat, action: CloseAttack) -> float:
    """A vehicle's own attack: its weapons on those it names, or the close defence weapon."""
    if not action.guns:
        return DEFENCE
    odds, drm = vehicle_odds(sketch.context, sketch.state, frame, sketch.state.vehicles[action.vehicle], action)
    number = odds.kill.total - drm.total
    prices = [sketch.price(sketch.state.units[unit_id]) for unit_id in action.against]
    return chance_of(number - 1) * sum(prices) + 0.5 * DR_CHANCES.get(number, 0.0) * sum(prices) / len(prices)


def assault_worth(sketch: Sketch, units: Sequence[Unit], vehicles: Sequence[Vehicle]) -> tuple[float, Reason]:
    """What it is worth to advance into the hex of vehicles: the attack, if they dare, and what they face there."""
    context, state = sketch.context, sketch.state
    troops = [unit for unit in units if context.card(unit).is_mmc]
    names = ", ".join(vehicle.id for vehicle in vehicles)
    if not troops:
        return -1.0, Reason(f"close combat with {names}", -1.0)
    worth = 0.0
    for unit in troops:
        dares = chance_of(paatc_number(context, state, unit).total)
        best = max(_against_vehicle(sketch, (unit,), vehicle) for vehicle in vehicles)
        worth += dares * best - (1 - dares) * PINNED * sketch.price(unit)
    fp = sum(sum(combat_guns(context, vehicle).values()) for vehicle in vehicles if not vehicle.is_shocked)
    worth -= min(0.6, STRUCK * fp) * sum(sketch.price(unit) for unit in units) / len(units) * sketch.style.care
    return worth, Reason(f"close combat with {names}", round(worth, 2))
