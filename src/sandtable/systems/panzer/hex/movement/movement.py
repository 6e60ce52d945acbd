"""The Movement Procedure (4.5.1.1): whether a move is legal, why not, and what each leg of it costs.

A move is validated as a whole and then executed leg by leg, because overwatch fire may stop it anywhere; what is left
of it after that is judged again from its :class:`MoveProgress`. ``mover`` does the arithmetic for both,
``movement_told`` finds the words. When the same legs could be made at several rates, the one that leaves most of the
allowance is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal, Refused
from sandtable.core.modifier import Breakdown
from sandtable.geo.hex import DIRECTION_NAMES, Hex
from sandtable.systems.panzer.hex.movement.move_path import MovePath, entry_facings
from sandtable.systems.panzer.hex.movement.movement_told import (
    explain_step,
    explain_turn,
    refuse_end,
    refuse_entry,
    refuse_leg,
)
from sandtable.systems.panzer.hex.movement.mover import Mover
from sandtable.systems.panzer.hex.movement.shared_ends import mover_among_sharers
from sandtable.systems.panzer.hex.movement.stepping import FLOOR_LEGS, LEGS, MovementRules
from sandtable.systems.panzer.hex.progress import MoveProgress, Rate, damaged_on_the_way, rates, spent_at
from sandtable.systems.panzer.hex.state import Leg, LegKind, State, Unit
from sandtable.systems.panzer.movement.march import refuse_gait
from sandtable.systems.panzer.movement.speed import Gait
from sandtable.systems.panzer.unit import MOVING_COMMANDS, Status, UnitId

__all__ = [
    "LegResult",
    "MovePath",
    "MoveProgress",
    "Rate",
    "damaged_on_the_way",
    "entry_facings",
    "refuse_move",
    "walk",
]

_LEGAL_LEGS = frozenset((leg.turn, leg.step) for leg in (*LEGS, *FLOOR_LEGS))


class LegResult(NamedTuple):
    """What one leg of a legal move does; the first of a reserve's is its entry."""

    leg: Leg | None
    """None for a reserve's entry."""
    hex: Hex
    facing: int
    spent: int
    """After the leg, at the rate of the whole move."""
    rate: Rate
    turn: Breakdown | None
    """Cost of the turn, if there is one."""
    step: Breakdown | None
    """Cost of the step, if there is one."""
    exited: bool
    turned: MoveProgress
    """The move between the turn and the step."""
    progress: MoveProgress
    """The move after the leg."""


def refuse_move(
    rules: MovementRules,
    state: State,
    unit_id: UnitId,
    legs: Sequence[Leg],
    *,
    progress: MoveProgress | None = None,
    enter: Hex | None = None,
    facing: int | None = None,
    gait: Gait = Gait.MARCH,
) -> Refusal | None:
    """Why a vehicle may not make this move, or go on so from ``progress`` (4.5.1.1)"""
    traced = _trace(rules, state, unit_id, legs, progress=progress, enter=enter, facing=facing, gait=gait)
    return traced if isinstance(traced, Refusal) else None


def walk(
    rules: MovementRules,
    state: State,
    unit_id: UnitId,
    legs: Sequence[Leg],
    *,
    progress: MoveProgress | None = None,
    enter: Hex | None = None,
    facing: int | None = None,
    gait: Gait = Gait.MARCH,
) -> list[LegResult]:
    """Every leg of a legal move with its costs; :class:`Refused` if the move is not legal."""
    traced = _trace(rules, state, unit_id, legs, progress=progress, enter=enter, facing=facing, gait=gait)
    if isinstance(traced, Refusal):
        raise Refused(traced)
    mover, strides = traced
    if not strides:
        return []
    rate = rates(strides[-1].after)[0]
    return [_result(mover, stride, rate) for stride in strides]


class _Stride(NamedTuple):
    """A leg with the move before it, between its turn and its step, and after it."""

    leg: Leg | None
    before: MoveProgress | None
    turned: MoveProgress
    after: MoveProgress


def _trace(
    rules: MovementRules,
    state: State,
    unit_id: UnitId,
    legs: Sequence[Leg],
    *,
    progress: MoveProgress | None,
    enter: Hex | None,
    facing: int | None,
    gait: Gait,
) -> tuple[Mover, list[_Stride]] | Refusal:
    """The whole move stride by stride, or why it is not legal."""
    unit = state.units[unit_id]
    mover = mover_among_sharers(rules, state, unit, gait if progress is None else progress.gait, progress)
    strides: list[_Stride] = []
    now = progress
    if now is None:
        refusal = (
            _refuse_unit(state, unit) or _refuse_gait(mover, gait) or _refuse_entry(mover, state, legs, enter, facing)
        )
        if refusal is not None:
            return refusal
        if unit.hex is None and enter is None:
            return mover, strides
        begun = mover.start() if enter is None else _enter(mover, enter, facing)
        if isinstance(begun, Refusal):
            return begun
        now = begun
        if enter is not None:
            strides.append(_Stride(None, None, now, now))
    if not legs and not strides:
        stops = mover.may_stop(now, going_on=progress is not None)
        return (mover, strides) if stops else refuse_end(mover, now)
    for index, leg in enumerate(legs):
        stride = _stride(mover, now, leg, last=index == len(legs) - 1)
        if isinstance(stride, Refusal):
            return stride
        strides.append(stride)
        now = stride.after
    return (mover, strides) if mover.may_end(now) else refuse_end(mover, now)


def _stride(mover: Mover, now: MoveProgress, leg: Leg, *, last: bool) -> _Stride | Refusal:
    """One leg of a move, or why it cannot be made."""
    if (leg.turn, leg.step) not in _LEGAL_LEGS:
        if not leg.turn:
            return Refusal("4.5.1.1.8", "a leg that neither turns nor moves says nothing", "leave it out")
        return Refusal("4.5.1.1.4", f"a turn of {leg.turn} hexsides", "-2 to 3, clockwise")
    if leg.step is LegKind.STAY and not last:
        return Refusal("4.5.1.1", "the vehicle stays in the hex, and so its move is over", "turn and move in one leg")
    if now.exited:
        return refuse_leg(mover, now, leg)
    turned = mover.turn(now, leg.turn) if leg.turn else now
    after = turned
    if turned is not None and leg.step is not LegKind.STAY:
        after = mover.leg(turned, Leg(0, leg.step))
    return refuse_leg(mover, now, leg) if turned is None or after is None else _Stride(leg, now, turned, after)


def _result(mover: Mover, stride: _Stride, rate: Rate) -> LegResult:
    leg, before, turned, after = stride
    turn = None if leg is None or before is None or not leg.turn else explain_turn(mover, before, leg.turn, rate)
    moves = leg is None or leg.step is not LegKind.STAY
    step = explain_step(mover, None if leg is None else turned, after, rate) if moves else None
    spent = spent_at(after, rate)
    return LegResult(leg, after.hex, after.facing, spent, rate, turn, step, after.exited, turned, after)


# --- who may move, and who may enter --------------------------------------------------------------------


@rule("4.5", "4.5.1.1.9")
def _refuse_unit(state: State, unit: Unit) -> Refusal | None:
    """Only vehicles in play or in reserve with a MOVE or SHORT HALT command move, once a turn (4.5)"""
    if unit.status is Status.EXITED:
        return Refusal("4.5.1.1.9", f"{unit.id} has left the mapboard and may not return", "move another unit")
    if unit.status not in (Status.IN_PLAY, Status.RESERVE):
        return Refusal("4.5", f"{unit.id} is out of action", "move another unit")
    if unit.command not in MOVING_COMMANDS:
        reason = f"{unit.id} has no MOVE or SHORT HALT command but {unit.command}"
        return Refusal("4.5", reason, "give it MOVE or SHORT HALT next turn")
    if unit.moved:
        return Refusal("4.5.1.1", f"{unit.id} has completed its move in turn {state.turn}", "wait for the next turn")
    return None


@rule("6.6.4.2", "6.6.4.3", editions=("panzer-na",))
def _refuse_gait(mover: Mover, gait: Gait) -> Refusal | None:
    """Why a unit may not quickmarch or crawl (6.6.4.2, 6.6.4.3)"""
    if gait is Gait.MARCH:
        return None
    if mover.facts is None:
        return Refusal("6.6.4", f"{mover.unit.id} is a vehicle of the Basic Game", "move")
    return refuse_gait(mover.facts, gait)


@rule("4.5.1.1.9")
def _refuse_entry(
    mover: Mover, state: State, legs: Sequence[Leg], enter: Hex | None, facing: int | None
) -> Refusal | None:
    """A reserve enters through one of its entry hexes, from its turn on, facing inwards (4.5.1.1.9)"""
    unit = mover.unit
    if unit.hex is not None:
        if enter is None and facing is None:
            return None
        return Refusal("4.5.1.1.9", f"{unit.id} is on the mapboard already", "name no hex or facing to enter with")
    if enter is None:
        if not legs and facing is None:
            return None
        return Refusal("4.5.1.1.9", f"{unit.id} is held off the mapboard", "name an entry hex")
    if state.turn < unit.enters_turn:
        return Refusal(
            "4.5.1.1.9", f"{unit.id} may not enter before turn {unit.enters_turn}", f"wait for turn {unit.enters_turn}"
        )
    if enter not in unit.entry:
        hexes = ", ".join(mover.label(hex) for hex in unit.entry)
        return Refusal("4.5.1.1.9", f"{unit.id} may not enter there", f"it enters through {hexes}")
    ways = entry_facings(mover.rules, enter)
    if (unit.facing if facing is None else facing) not in ways:
        names = " or ".join(DIRECTION_NAMES[way] for way in ways)
        return Refusal("4.5.1.1.9", f"a vehicle enters {mover.label(enter)} facing inwards", f"face {names}")
    return None


def _enter(mover: Mover, hex: Hex, facing: int | None) -> MoveProgress | Refusal:
    """The move of a reserve that enters, with its own facing if no other is named."""
    way = mover.unit.facing if facing is None else facing
    return mover.enter(hex, way) or refuse_entry(mover, hex, way)
