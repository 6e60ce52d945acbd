"""3.3.1 A stack on its way: the groups into which it has parted, and how far each has come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from sandtable.systems.aslsk.common.actions import Move
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.movement.mover import Mover
from sandtable.systems.aslsk.movement.stepping import MoveProgress
from sandtable.systems.aslsk.pieces.state import MoveGroup, Moving, State, Unit, UnitId

__all__ = ["MOST_SUBSETS", "doublers", "group_of", "mover_of", "parts_of", "present", "progress_of"]

MOST_SUBSETS = 5
"""Units of a hex up to which every part of them is offered to move together."""


def doublers(action: Move) -> tuple[UnitId, ...]:
    """Those of a stack that Double Time."""
    return tuple([unit_id for unit_id in action.units if unit_id not in action.resting]) if action.double_time else ()


def group_of(frame: Moving, units: Iterable[UnitId]) -> MoveGroup | None:
    """The group of a stack that these units belong to, with what is true of its location."""
    named = set(units)
    if named <= set(frame.movers):
        return present(frame)
    return next((group for group in frame.waiting if named <= set(group.units)), None)


def present(frame: Moving) -> MoveGroup:
    """Those that move now, as a group."""
    return MoveGroup(
        units=frame.movers,
        here=frame.here,
        via=frame.via,
        open_road=frame.open_road,
        road=frame.road,
        shots=frame.shots,
        residual_drm=frame.residual_drm,
        hexes=frame.hexes,
        trail=frame.trail,
    )


def mover_of(context: Context, state: State, frame: Moving, units: tuple[Unit, ...]) -> Mover:
    """Units of a stack as they stand on their way; a weapon dropped gives no MF back (4.0)."""
    doubling: list[UnitId] = []
    for unit in units:
        if unit.cx:
            doubling.append(unit.id)  # noqa: PERF401 - a loop is quicker than a comprehension over so few
    mover = Mover(context, state, units, assault=frame.assault, double_time=doubling)
    for unit in units:
        mover.budget = min(mover.budget, frame.allowance[unit.id])
    return mover


def progress_of(state: State, frame: Moving, group: MoveGroup | None = None) -> MoveProgress:
    """How far a group has come; those that move now, if none is named."""
    if group is None:
        spent = max([frame.spent.get(unit_id, 0) for unit_id in frame.movers])
        return MoveProgress(state.units[frame.movers[0]].hex, spent, frame.road, frame.hexes)
    unit = state.units[group.units[0]]
    spent = max([frame.spent.get(unit_id, 0) for unit_id in group.units])
    return MoveProgress(unit.hex, spent, group.road, group.hexes)


def parts_of(context: Context, stack: Sequence[Unit]) -> Iterator[tuple[Unit, ...]]:
    """Those of a hex who may move together: every part of a small stack; of a large one singles, pairs led, and all."""
    if len(stack) <= MOST_SUBSETS:
        for size in range(1, len(stack) + 1):
            yield from combinations(stack, size)
        return
    yield from ((unit,) for unit in stack)
    leaders = [unit for unit in stack if context.card(unit).is_leader]
    for leader in leaders:
        yield from ((leader, unit) for unit in stack if unit not in leaders)
    yield tuple(stack)
