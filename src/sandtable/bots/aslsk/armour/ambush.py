"""First Fire at vehicles: take the shot, or hold for a flank, a nearer target, a stop (3.3.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from sandtable.bots.aslsk.armour.antitank import ordnance_at_vehicle
from sandtable.bots.aslsk.armour.brawl import attack_worth
from sandtable.bots.aslsk.armour.evading import evasion_ideas
from sandtable.bots.aslsk.armour.gunnery import Gunnery, barrels_ready, shots_at
from sandtable.bots.aslsk.armour.salvoes import salvo_ideas
from sandtable.bots.aslsk.sketch import Sketch
from sandtable.bots.aslsk.unmasking import unmasking
from sandtable.bots.aslsk.volleys import volleys
from sandtable.bots.doctrine import Idea
from sandtable.bots.explain import Reason
from sandtable.systems.aslsk.common.actions import HoldFire, ReactionFire
from sandtable.systems.aslsk.fire.crews import crews_under_fire
from sandtable.systems.aslsk.fire.firers import Fireground, FireMode
from sandtable.systems.aslsk.phases.reaction_fire import reaction_branches
from sandtable.systems.aslsk.pieces.state import FirstFire, UnderWay, VehicleMoving

__all__ = ["ambush_ideas", "barrels_at_movers"]

PATIENCE = 0.5
"""How much of what a better shot would bring is waited for while the vehicle can still go on."""
LEAST = 0.03
SPENT = 0.1
"""Points that small arms give up which fire at a crew, and not at men."""
SHOWN = 6


def ambush_ideas(sketch: Sketch, frame: FirstFire) -> list[Idea]:
    """Fire at a vehicle that has just spent MP, or wait."""
    moving = sketch.state.stack[-2]
    assert isinstance(moving, VehicleMoving)  # noqa: S101 - it is asked inside a vehicle's move
    ground = Fireground(sketch.context, sketch.state, FireMode.FIRST, sketch.seat, frame.hex, moving=moving)
    left = max(0.0, 1 - moving.spent / max(1, moving.allowance))
    found = [*_barrels(sketch, ground, moving, left), *ordnance_at_vehicle(sketch, ground, left)]
    found += salvo_ideas(sketch, ground, frame.attacked, None)
    found += _small_arms(sketch, ground, frame, moving)
    found += _reactions(sketch, ground, frame)
    found += evasion_ideas(sketch, frame, moving)
    found = [idea for idea in found if idea.worth > LEAST]
    found.sort(key=lambda idea: -idea.worth)
    return [*found[:SHOWN], Idea(HoldFire(), 0.0, lambda: (Reason("waits for a better shot", 0.0),))]


def _small_arms(sketch: Sketch, ground: Fireground, frame: FirstFire, moving: VehicleMoving) -> Iterator[Idea]:
    """Fire on the IFT at a crew with its heads out (7.12)."""
    if crews_under_fire(sketch.state, sketch.seat, frame.hex, moving):
        for volley in volleys(sketch, ground, frame.attacked, moving):
            what = f"fire at the crew of {moving.vehicle}"
            shown = unmasking(sketch, [sketch.state.units[unit_id] for unit_id in volley.units])
            yield Idea(volley.action, volley.harm - SPENT - shown, partial(_one, what, volley.harm))


def _reactions(sketch: Sketch, ground: Fireground, frame: FirstFire) -> Iterator[Idea]:
    """Close combat with a vehicle that comes into the hex (3.3.4)."""
    vehicle = sketch.state.vehicles[frame.vehicle]
    for branch in reaction_branches(ground, frame):
        for action in branch.then:
            if isinstance(action, ReactionFire):
                worth = attack_worth(sketch, [sketch.state.units[unit_id] for unit_id in action.units], vehicle)
                yield Idea(action, worth, partial(_one, f"close combat with {vehicle.id}", worth))


def _one(what: str, points: float) -> Sequence[Reason]:
    return (Reason(what, round(points, 2)),)


def _barrels(sketch: Sketch, ground: Fireground, moving: UnderWay, left: float) -> Iterator[Idea]:
    for barrel in barrels_ready(sketch, FireMode.FIRST):
        for shot in shots_at(sketch, ground, barrel, moving):
            # What keeps its ROF gives up less by firing.
            wait = PATIENCE * left * max(0.0, shot.better - shot.harm) * (1 - barrel.main.rof / 6)
            worth = shot.harm * sketch.weights.firing - shot.cost - wait
            yield Idea(shot.action, worth, partial(_told, shot, wait))


def barrels_at_movers(sketch: Sketch, ground: Fireground, moving: UnderWay) -> Iterator[Idea]:
    """Guns and MA at Infantry that has just spent MF."""
    for barrel in barrels_ready(sketch, FireMode.FIRST):
        for shot in shots_at(sketch, ground, barrel, moving):
            yield Idea(shot.action, shot.harm * sketch.weights.firing - shot.cost, partial(_told, shot, 0.0))


def _told(shot: Gunnery, wait: float) -> Sequence[Reason]:
    told = [Reason(shot.what, round(shot.harm, 2)), Reason("what it costs to fire", -round(shot.cost, 2))]
    return [*told, Reason("what waiting could bring", -round(wait, 2))] if wait else told
