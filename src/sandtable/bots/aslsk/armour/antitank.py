"""Support weapons and panzerfausts at vehicles: who has a shot that pierces, and what it is worth (4.1, 4.2, 4.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from sandtable.bots.aslsk.arms.cannons import Stand
from sandtable.bots.aslsk.barrage import STANDING
from sandtable.bots.aslsk.sketch import Sketch
from sandtable.bots.aslsk.unmasking import unmasking
from sandtable.bots.doctrine import Idea
from sandtable.bots.explain import Reason
from sandtable.systems.aslsk.common.actions import FireOrdnance
from sandtable.systems.aslsk.common.experience import leadership
from sandtable.systems.aslsk.fire.firers import Fireground
from sandtable.systems.aslsk.pieces.cards import WeaponKind
from sandtable.systems.aslsk.pieces.state import Unit, VehicleId
from sandtable.systems.aslsk.support_weapons.ordnance_choices import ordnance_branches

__all__ = ["ordnance_at_vehicle"]

LED = 0.08
"""What a leadership DRM of one adds to a shot, as a share of it."""
BLAST = 0.15
"""Points that a backblast costs, about."""
HOLD = 0.4
"""How much of a shot is kept back for a nearer or a flank one, while the vehicle can still go on."""
FLAMES = 0.25
"""Share of a vehicle's worth that a flamethrower costs it, about."""


def ordnance_at_vehicle(
    sketch: Sketch, ground: Fireground, left: float = 0.0, gain_of: Callable[[Unit], float] | None = None
) -> Iterator[Idea]:
    """Shots of support weapons at vehicles in a hex; ``left`` is the part of its MP that a mover still has."""
    state = sketch.state
    if not state.vehicles:
        return
    for branch in ordnance_branches(ground):
        for action in branch.then:
            if not isinstance(action, FireOrdnance) or VehicleId(action.victim) not in state.vehicles:
                continue
            weapon = state.weapons.get(action.weapon)
            owner = state.units[weapon.owner] if weapon is not None else state.units[action.unit]
            if owner.hex is None or not ground.sees(owner.hex):
                continue
            harm = _harm(sketch, action, owner)
            cost = (BLAST if action.backblast else 0.0) + HOLD * left * harm + unmasking(sketch, (owner,))
            cost += gain_of(owner) if gain_of is not None else 0.0
            yield Idea(action, harm * sketch.weights.firing - cost, partial(_told, action, harm, cost))


def _harm(sketch: Sketch, action: FireOrdnance, owner: Unit) -> float:
    vehicle = sketch.state.vehicles[VehicleId(action.victim)]
    assert vehicle.hex is not None  # noqa: S101 - it is on the map
    cannons = sketch.cannons(sketch.seat, STANDING)
    cannon = cannons.by_name.get(action.weapon or f"PF {owner.id}")
    stand = Stand(vehicle.hex, vehicle.vca, vehicle.tca, vehicle.is_moving_target)
    if cannon is not None:
        share = cannons.share(cannon, sketch.context.vehicle_card(vehicle), stand)
    else:
        weapon = sketch.state.weapons.get(action.weapon)
        flames = weapon is not None and sketch.context.weapon_card(weapon).kind is WeaponKind.FT
        share = FLAMES if flames else 0.0
    if action.leader:
        share *= 1 - LED * leadership(sketch.context, sketch.state.units[action.leader])
    return min(1.0, share) * sketch.price_of(vehicle)


def _told(action: FireOrdnance, harm: float, cost: float) -> Sequence[Reason]:
    name = action.weapon or f"panzerfaust of {action.unit}"
    return [Reason(f"{name} at {action.victim}", round(harm, 2)), Reason("what it costs to fire", -round(cost, 2))]
