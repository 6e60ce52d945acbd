"""6.6.3, 6.6.4.1 Into buildings, out of them, and up and down in them, as legs of a move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.hex.progress import MoveProgress
from sandtable.systems.panzer.hex.state import LegKind
from sandtable.systems.panzer.markers import Floor
from sandtable.systems.panzer.movement.speed import Gait
from sandtable.systems.panzer.terrain import Traction

if TYPE_CHECKING:
    from sandtable.systems.panzer.hex.movement.stepping import Stepper

__all__ = ["INDOORS", "shifted"]

INDOORS = frozenset({LegKind.UP, LegKind.DOWN, LegKind.IN, LegKind.OUT, LegKind.INTO})


def shifted(mover: Stepper, now: MoveProgress, how: LegKind) -> MoveProgress | None:
    """The move after going into a building, out of it, or up and down in it; None where that cannot be."""
    facts = mover.facts
    if facts is None or mover.is_stuck or now.exited:
        return None
    if facts.unit_class.is_leg:
        return _on_stairs(mover, now, how)
    return _through_wall(mover, now, how) if facts.unit_class is UnitClass.VEHICLE else None


@rule("6.6.4.1", "6.6.4.3", "6.1.4.3.1", editions=("panzer-na",))
def _on_stairs(mover: Stepper, now: MoveProgress, how: LegKind) -> MoveProgress | None:
    """Up to the top floor of 2 storeys or more, or to the roof of a Desert Building, or down, for 1 (6.6.4.1)"""
    if how not in (LegKind.UP, LegKind.DOWN) or now.gait is not Gait.MARCH:
        return None
    storeys = mover.ground.places[now.hex].storeys
    high = storeys >= (1 if mover.ground.conditions.desert_buildings else 2)
    if not high or (how is LegKind.UP) != (now.floor is Floor.GROUND):
        return None
    cost = mover.rules.tables["foot_movement"].number("floor_cost", "value")
    floor = Floor.UP if how is LegKind.UP else Floor.GROUND
    after = replace(now, spent=now.spent + cost, on_route=False, paid=True, floor=floor)
    return after if mover.is_afoot(after) else None


@rule("6.6.3", "6.1.4.3.1", editions=("panzer-na",))
def _through_wall(mover: Stepper, now: MoveProgress, how: LegKind) -> MoveProgress | None:
    """A tracked vehicle with a roof and without passengers, into a building or out of it (6.6.3)"""
    facts, hex = mover.facts, now.hex
    assert facts is not None  # noqa: S101 - the caller saw to it
    if how is LegKind.OUT:
        alley = max((mover.table.entry_cost(row) for row in mover.ground.places[hex].footing), default=0)
        return _breaking(mover, now, alley, Floor.GROUND) if now.floor is Floor.INSIDE else None
    if facts.mode is not Traction.TRACKED or facts.card.open_topped or facts.markers.passengers:
        return None
    if how is LegKind.IN:
        cost = mover.table.building_cost(hex)
        return _breaking(mover, now, cost, Floor.INSIDE) if cost and now.floor is Floor.GROUND else None
    if how is not LegKind.INTO or now.floor is not Floor.GROUND:
        return None
    step = mover.table.explained(hex, now.facing)
    if isinstance(step, Refusal) or step.to is None or step.to in mover.closed or step.whole:
        return None
    cost = mover.table.building_cost(step.to)
    if not cost:
        return None
    total = cost + sum(term.value for term in step.adders) + (mover.table.smoke if step.to in mover.smoke else 0)
    after = replace(
        now,
        hex=step.to,
        spent=now.spent + total,
        on_route=False,
        entered=now.entered + 1,
        turned=0,
        way=now.facing,
        backing=False,
        floor=Floor.INSIDE,
        loaded=False,
    )
    return after if mover.is_afoot(after) else None


def _breaking(mover: Stepper, now: MoveProgress, cost: int, floor: Floor) -> MoveProgress | None:
    """Through a wall within the hex: like a hex entered, which may always be the whole move (6.6.3)."""
    after = replace(now, spent=now.spent + cost, on_route=False, entered=now.entered + 1, floor=floor)
    return after if mover.is_afoot(after) else None
