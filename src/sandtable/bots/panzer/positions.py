"""What tells positions of the Basic Game apart: looks ahead come by the same ones again and again.

Less than a whole state, so that more of them are alike: of most commands it matters only what may still come of them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from itertools import count
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.systems.panzer.frames import Frame
from sandtable.systems.panzer.hex.movement.movement_step import has_moved
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.unit import Command, UnitId

__all__ = ["MAY_MOVE", "MoveResult", "Positions", "result_of", "still_open"]

MAY_MOVE = (Command.MOVE, Command.SHORT_HALT, Command.HIDDEN)
_FIRE = Command.FIRE
KEPT_UNITS = 20_000
"""Vehicles whose numbers are known before all of them are forgotten."""


class _Numbers(dict[int, tuple[int, Unit]]):
    """Numbers for vehicles, the same for those that are alike in what counts: a key of numbers is small and quick.

    By the identity of a vehicle, which is held on to: of a state few are new in the next one.
    """

    def __init__(self, what_counts: Callable[[Unit], Hashable]) -> None:
        super().__init__()
        self._what_counts = what_counts
        self._fresh = count()
        self._numbers: dict[Hashable, int] = {}

    def of(self, state: State) -> tuple[int, ...]:
        """The numbers of all vehicles."""
        return tuple([self[id(unit)][0] if id(unit) in self else self._number(unit) for unit in state.units.values()])

    def _number(self, unit: Unit) -> int:
        if len(self) >= KEPT_UNITS:
            self.clear()
            self._numbers.clear()
        what = self._what_counts(unit)
        number = self._numbers.get(what)
        if number is None:
            number = self._numbers[what] = next(self._fresh)
        self[id(unit)] = number, unit
        return number


class Positions:
    """Keys for the positions of one game."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        self._seats = seats
        self._standing = _Numbers(_standing)
        self._firing = {seat: _Numbers(partial(_firing, seat)) for seat in seats}

    def standing(self, state: State, seat: Seat) -> Hashable:
        """All that the worth of places to a seat follows from."""
        ground = tuple(state.objectives.values()), state.wrecks, tuple(state.exits.items())
        return seat, self._step(state), ground, self._standing.of(state)

    def _step(self, state: State) -> Hashable:
        moved = tuple([has_moved(state, seat) for seat in self._seats])
        return state.turn, state.phase, state.ended, state.first, moved

    def firing(self, state: State, seat: Seat) -> Hashable:
        """All that the fire of a seat in its Direct Fire step follows from."""
        spotted = state.sightings or tuple(state.spotted.items())
        return seat, state.turn, state.wrecks, spotted, state.stack[-1], self._firing[seat].of(state)


def _standing(unit: Unit) -> Hashable:
    may_move = not unit.moved and unit.command in MAY_MOVE
    return unit.status, unit.hex, unit.facing, unit.damaged, unit.new_spot or unit.spot, may_move


def _firing(seat: Seat, unit: Unit) -> Hashable:
    command = unit.command if unit.known or unit.side == seat else None
    return unit.status, unit.hex, unit.facing, unit.damaged, unit.fired, unit.known, command


def still_open(state: State) -> Hashable:
    """What a move leads to follows from this too: who may still fire at it, and whose fire is left over."""
    return tuple([unit.fired or (unit.known, unit.command is _FIRE) for unit in state.units.values()])


class MoveResult(NamedTuple):
    """What comes of a move, up to the next question of the same turn: all else stays as it is."""

    unit: Unit
    stack: tuple[Frame, ...]

    def after(self, state: State) -> State:
        """The state after the move."""
        return replace(state, units={**state.units, self.unit.id: self.unit}, stack=self.stack)


def result_of(before: State, mover: UnitId, after: State) -> MoveResult | State | None:
    """What came of a move, for positions alike: a whole state where a new turn begins, None if it came to more."""
    if after.turn != before.turn:
        # All commands are off again: nothing is left of what positions alike differ in.
        return after
    result = MoveResult(after.units[mover], after.stack)
    return result if result.after(before) == after else None
