"""Machine guns and IFE of vehicles: all that bears on a target together, turned if that is worth it (7.8)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from sandtable.bots.aslsk.eye import DIM, likelihood
from sandtable.bots.aslsk.sketch import Sketch
from sandtable.bots.aslsk.volleys import crew_harm, harm_of
from sandtable.bots.doctrine import Idea
from sandtable.bots.explain import Reason
from sandtable.systems.aslsk.common.vehicle_actions import FireVehicle
from sandtable.systems.aslsk.fire.firers import Fireground
from sandtable.systems.aslsk.pieces.state import Attacked, Vehicle
from sandtable.systems.aslsk.vehicles.vehicle_fire import plan_salvo
from sandtable.systems.aslsk.vehicles.vehicle_fire_choices import salvos, vehicle_firers

__all__ = ["salvo_ideas"]

WORN, TURNED = 0.02, 0.05
"""Points for what may break, and for a turn of turret or hull."""


def salvo_ideas(
    sketch: Sketch,
    ground: Fireground,
    attacked: Sequence[Attacked],
    gain_of: Callable[[Vehicle], float] | None,
    *,
    alone: str = "",
) -> Iterator[Idea]:
    """Fire of vehicles, or of one ``alone``, at one hex; ``gain_of`` is what a vehicle gains by moving instead."""
    if not ground.state.vehicles:
        return
    for vehicle in vehicle_firers(ground, attacked, in_sight=True):
        assert vehicle.hex is not None  # noqa: S101 - it fires
        if alone and vehicle.id != alone:
            continue
        likely = likelihood(sketch.context, vehicle.hex, ground.target)
        if likely < DIM:
            continue
        tried: dict[tuple[int, bool], FireVehicle] = {}
        for action in salvos(ground, attacked, vehicle):
            # The first of each turn is all that bears.
            tried.setdefault((action.facing, action.turn_hull), action)
        for action in tried.values():
            attack = plan_salvo(ground, action).attack
            if attack.column < 0:
                continue
            harm = harm_of(sketch, attack, moving=ground.moving is not None)
            harm = (harm + crew_harm(sketch, attack, ground.moving)) * likely
            cost = WORN + (TURNED if action.facing >= 0 else 0.0)
            cost += gain_of(vehicle) if gain_of is not None else 0.0
            what = f"{sketch.book.harms.ift.fp(attack.column)} FP of {vehicle.id} with {attack.drm.total:+d}"
            yield Idea(action, harm * sketch.weights.firing - cost, partial(_told, what, harm, cost))


def _told(what: str, harm: float, cost: float) -> Sequence[Reason]:
    return [Reason(what, round(harm, 2)), Reason("what it costs to fire", -round(cost, 2))]
