"""6.6.3 Vehicles through the walls of buildings: a roll for damage before they are in or out."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.combat.gp_effects import turret_on
from sandtable.systems.panzer.combat.hazards import building_number, track_number
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.handler import Play
from sandtable.systems.panzer.hex.movement.movement_costs import StepCost
from sandtable.systems.panzer.hex.movement.movement_told import explain_step
from sandtable.systems.panzer.hex.movement.mover import Mover
from sandtable.systems.panzer.hex.progress import MoveProgress, Rate, damaged_on_the_way
from sandtable.systems.panzer.hex.state import Leg, LegKind, Moving
from sandtable.systems.panzer.markers import Floor
from sandtable.systems.panzer.percentile import D10, D100

__all__ = ["breaks_wall", "through_wall"]

_WALLS = {"wood_building": "wood", "brick_building": "brick", "stone_building": "stone"}


def breaks_wall(before: MoveProgress, after: MoveProgress) -> bool:
    """Whether a vehicle goes into a building or out of it."""
    return (before.floor is Floor.INSIDE) != (after.floor is Floor.INSIDE)


@rule("6.6.3", editions=("panzer-na",))
def through_wall(context: Context, play: Play, mover: Mover, frame: Moving, leg: Leg) -> Moving:
    """The move after the roll for the wall; it has no plan any more where it ends before the wall (6.6.3)

    A vehicle that is damaged goes through if it still has the allowance; its owner decides anew how to go on.
    """
    unit, facts = mover.unit, mover.facts
    after = mover.leg(frame.progress, leg)
    assert facts is not None  # noqa: S101 - of the Advanced Game only
    assert after is not None  # noqa: S101 - the plan was checked
    house = after.hex if after.floor is Floor.INSIDE else frame.progress.hex
    tables = context.tables["building_entry"]
    wall = max(
        (_WALLS[kind] for kind in context.ground_at(play.state).places[house].terrain if kind in _WALLS),
        key=lambda one: tables.number(one, "hit"),
    )
    defense = facts.card.gp_defense if isinstance(facts.card.gp_defense, int) else 0
    number = building_number(tables, wall, defense)
    roll = play.dice.roll(D100, f"{unit.id} through a wall", (number.total,)).total
    play.emit(shared.WallStruck(unit.id, number, roll))
    if roll > number.total:
        return frame
    if play.dice.roll(D100, f"harm to {unit.id}").total <= track_number(tables, wall):
        stopped = _at_the_wall(play, mover, frame, leg)
        play.emit(shared.VehiclePartHit(unit.id, "track"))
        return stopped
    turret = play.dice.roll(D10, f"damage of {unit.id}").total <= turret_on(is_armed=context.cards[unit.card].armed)
    if facts.markers.is_damaged:
        stopped = _at_the_wall(play, mover, frame, leg)
        play.emit(ev.VehicleKnockedOut(unit.id, stopped.progress.hex))
        return stopped
    play.emit(shared.VehiclePartHit(unit.id, "turret" if turret else "hull"))
    if turret:
        return frame
    slower = damaged_on_the_way(frame.progress)
    then = mover.leg(slower, leg)
    frame = replace(frame, progress=slower, harm=frame.harm + 1, interrupted=True)
    if then is not None and mover.is_paid_for(then):
        return replace(frame, plan=frame.plan[:1])
    return _at_the_wall(play, mover, frame, leg)


@rule("6.6.3", "6.6.10", editions=("panzer-na",))
def _at_the_wall(play: Play, mover: Mover, frame: Moving, leg: Leg) -> Moving:
    """The move of a vehicle that does not get through: from the next hex it has come as far as the Alley (6.6.3)

    An Overrun that fails so leaves the vehicle where it came from (6.6.10.1).
    """
    now = frame.progress
    if leg.step is not LegKind.INTO or frame.overrun:
        return replace(frame, plan=())
    step = mover.table.explained(now.hex, now.facing)
    assert isinstance(step, StepCost)  # noqa: S101 - the plan was checked
    assert step.to is not None  # noqa: S101
    alley = replace(
        now, hex=step.to, spent=now.spent + step.base, on_route=False, entered=now.entered + 1, turned=0, way=now.facing
    )
    play.emit(ev.UnitMoved(mover.unit.id, alley.hex, explain_step(mover, now, alley, Rate.CROSS_COUNTRY)))
    return replace(frame, plan=(), progress=alley)
