"""4.5 Movement Phase: vehicles move one at a time, thing by thing, and the opponent may fire on them on the way.

A move is announced as a whole path and executed turn by turn and hex by hex, with a chance of overwatch fire after
each (4.5, 4.5.1.1.4). The opponent sees what was executed only. A vehicle that draws fire and survives is asked anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Node, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking
from sandtable.systems.panzer.combat.wreck_smoke import smoke_takes_effect
from sandtable.systems.panzer.frames import Movement, Overwatch
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.actions import Action, Continue, Move
from sandtable.systems.panzer.hex.combat.overwatch import face_down, may_be_fired_on
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.handler import Handler, Play
from sandtable.systems.panzer.hex.movement.move_path import MovePath
from sandtable.systems.panzer.hex.movement.movement import refuse_move
from sandtable.systems.panzer.hex.movement.movement_told import explain_step, explain_turn
from sandtable.systems.panzer.hex.movement.mover import Mover
from sandtable.systems.panzer.hex.movement.out_of_reach import out_of_reach
from sandtable.systems.panzer.hex.progress import MoveProgress, Rate, damaged_on_the_way, rates, spent_at
from sandtable.systems.panzer.hex.state import LegKind, Moving, State, Unit
from sandtable.systems.panzer.unit import MOVING_COMMANDS, Spot, Status

if TYPE_CHECKING:
    from random import Random

__all__ = ["MovementHandler", "MovingHandler", "has_moved", "waiting_to_move"]


_MAY_MOVE = (Status.IN_PLAY, Status.RESERVE)


@rule("4.5")
def waiting_to_move(state: State, player: str) -> list[Unit]:
    """The vehicles that must still execute a MOVE or SHORT HALT (4.5)."""
    waiting = list(_waiting(state, player))
    waiting.sort(key=attrgetter("id"))
    return waiting


def _waiting(state: State, player: str) -> Iterator[Unit]:
    for unit in state.units.values():
        if not unit.moved and unit.side == player and unit.command in MOVING_COMMANDS and unit.status in _MAY_MOVE:
            yield unit


@rule("4.5.1.1")
def _refuse_move(context: Context, state: State, frame: Movement, action: Move) -> Refusal | None:
    """Why the vehicle may not make this move (4.5.1.1)."""
    unit = state.units.get(action.unit)
    if unit is None or unit.side != frame.player:
        return Refusal("3.1", f"{action.unit!r} is no vehicle of {frame.player}")
    if unit not in waiting_to_move(state, frame.player):
        return Refusal("4.5", f"{unit.id} has no MOVE or SHORT HALT left to execute")
    return refuse_move(context, state, unit.id, action.legs, enter=action.enter, facing=action.facing)


@rule("4.5.1", "4.5.1.1.8")
def _start_move(context: Context, play: Play, action: Move) -> None:
    """Turn the command over, mark SPOT/MOVE and set off; no legs is a no move move (4.5.1, 4.5.1.1.8)."""
    unit = play.state.units[action.unit]
    if not unit.known:
        play.emit(ev.CommandRevealed(unit.id, unit.command))
    mover = Mover(context, play.state, play.state.units[unit.id])
    if unit.hex is None and action.enter is None:
        play.emit(ev.MoveEnded(unit.id))
        return
    progress = mover.start() if action.enter is None else _enter(play, mover, action)
    play.emit(ev.SpotMarked(unit.id, Spot.MOVE))
    watched = bool(action.legs) and action.enter is None
    play.emit(ev.Opened(Moving(unit.id, action.legs, progress, unit.damaged, watched)))


def _enter(play: Play, mover: Mover, action: Move) -> MoveProgress:
    assert action.enter is not None  # noqa: S101 - the caller saw to it
    facing = action.facing if action.facing is not None else mover.unit.facing
    progress = mover.enter(action.enter, facing)
    assert progress is not None  # noqa: S101 - the move was checked
    cost = explain_step(mover, None, progress, _open_rate(progress))
    play.emit(ev.UnitEntered(action.unit, action.enter, facing, cost))
    return progress


def _open_rate(progress: MoveProgress) -> Rate:
    """The best rate that the move so far may still have: what is left of the plan does not show in it (4.5.1.1.5)."""
    return progress.route_rate if progress.on_route and progress.entered else Rate.CROSS_COUNTRY


def _end_move(play: Play, frame: Moving) -> None:
    progress = frame.progress
    rate = next(iter(rates(progress)), Rate.CROSS_COUNTRY)
    play.emit(ev.MoveEnded(frame.unit, rate.value, spent_at(progress, rate), progress.allowance(rate)))
    play.emit(ev.Closed())


@rule("4.5.1.1", "4.5.1.1.10")
def _advance_moving(context: Context, play: Play, frame: Moving) -> bool:
    """What the vehicle does, thing by thing, until somebody may fire on it or its owner decides anew (4.5.1.1)."""
    unit = play.state.units[frame.unit]
    if unit.in_play and unit.damaged and not frame.damaged:
        frame = replace(frame, progress=damaged_on_the_way(frame.progress), damaged=True, interrupted=True)
        play.emit(ev.Changed(frame))
    opponent = context.other(unit.side)
    mover = Mover(context, play.state, unit)
    # While it moves nobody else changes, so those who may fire on it are listed once.
    watchers = face_down(play.state, opponent)
    while play.state.units[unit.id].in_play:
        if not frame.watched and may_be_fired_on(context, play.state, watchers, play.state.units[unit.id]):
            play.emit(ev.Changed(replace(frame, watched=True)))
            play.emit(ev.Opened(Overwatch(opponent, (unit.id,))))
            return False
        if frame.interrupted:
            if next(mover.legs(frame.progress), None) is not None:
                return False
            break
        if not frame.plan:
            break
        frame = _execute(context, play, mover, frame)
    _end_move(play, frame)
    return True


def _execute(context: Context, play: Play, mover: Mover, frame: Moving) -> Moving:
    """Turn, or leave the hex: the first thing of the next leg; the frame after it, which is told when it is asked."""
    unit = mover.unit
    leg, rest = frame.plan[0], frame.plan[1:]
    before = frame.progress
    if leg.turn:
        after = mover.turn(before, leg.turn)
        assert after is not None  # noqa: S101 - the plan was checked
        cost = explain_turn(mover, before, leg.turn, _open_rate(after))
        play.emit(ev.UnitTurned(unit.id, after.facing, cost))
        plan = rest if leg.step is LegKind.STAY else (replace(leg, turn=0), *rest)
        return replace(frame, plan=plan, progress=after, watched=False)
    after = mover.step(before, reverse=leg.step is LegKind.REVERSE)
    assert after is not None  # noqa: S101
    cost = explain_step(mover, before, after, _open_rate(after))
    if after.exited:
        play.emit(ev.UnitExited(unit.id, after.hex, after.way, cost, _exit_taken(context, unit, after)))
    else:
        play.emit(ev.UnitMoved(unit.id, after.hex, cost))
    return replace(frame, plan=rest, progress=after, watched=False)


@rule("4.5.1.1.9")
def _exit_taken(context: Context, unit: Unit, after: MoveProgress) -> str:
    """Number of the scenario's exit that the vehicle has taken, "" if none (4.5.1.1.9)."""
    ways = zip(context.scenario.draft.victory.exits, context.scenario.exits, strict=True)
    for index, (way, hexes) in enumerate(ways):
        if way.side == unit.side and after.hex in hexes:
            return str(index)
    return ""


def has_moved(state: State, side: str) -> bool:
    """Whether the Movement step of a side is over: the First Player's is the last (4.5)."""
    bottom = state.stack[0] if state.stack else None
    return isinstance(bottom, Movement) and bottom.first and side != state.first


class _Moves(Node[Action]):
    """A vehicle that must still move, and its path; whoever draws one move has that of one vehicle made."""

    __slots__ = ("_context", "_player", "_state")

    def __init__(self, context: Context, state: State, player: Seat) -> None:
        self._context = context
        self._state = state
        self._player = player

    def branches(self) -> Iterator[Branch[Action]]:
        """Every vehicle."""
        for unit in waiting_to_move(self._state, self._player):
            yield self._way(unit)

    def branch(self, key: str) -> Branch[Action] | None:
        """One vehicle."""
        found = next((unit for unit in _waiting(self._state, self._player) if unit.id == key), None)
        return None if found is None else self._way(found)

    def _way(self, unit: Unit) -> Branch[Action]:
        label = f"{self._context.cards[unit.card].name} {unit.id}"
        return Branch(unit.id, "unit", label, MovePath(self._context, self._state, unit.id), unit.id)

    def sample(self, rng: Random) -> Action:
        """A fair choice among the vehicles, then a move of it."""
        waiting = waiting_to_move(self._state, self._player)
        unit = waiting[int(rng.random() * len(waiting))]
        return MovePath(self._context, self._state, unit.id).sample(rng)


class MovementHandler(Handler[Movement]):
    """4.5: a player's Movement step."""

    frame = Movement
    answers = (Move,)

    def question(self, state: State, frame: Movement) -> Asking:
        """The player of the step."""
        return Asking("4.5.1.1", "Move a vehicle", (frame.player,))

    def options(self, state: State, frame: Movement, seat: Seat) -> Node[Action]:
        """A vehicle and its path (4.5.1.1)."""
        return _Moves(self.context, state, frame.player)

    def why_not(
        self, state: State, frame: Movement, seat: Seat, keys: Sequence[str], ref: str, *, is_hex: bool
    ) -> Refusal | None:
        """A hex that the vehicle picked before does not get to."""
        return out_of_reach(self.context, state, keys[0], ref, is_hex=is_hex) if keys else None

    def refusal(self, state: State, frame: Movement, seat: Seat, action: Action) -> Refusal | None:
        """A vehicle that may not move, or not like this."""
        assert isinstance(action, Move)  # noqa: S101 - the only answer
        return _refuse_move(self.context, state, frame, action)

    def apply(self, play: Play, frame: Movement, seat: Seat, action: Action) -> None:
        """The vehicle sets off."""
        assert isinstance(action, Move)  # noqa: S101 - the only answer
        _start_move(self.context, play, action)

    @rule("4.5", "4.5.1")
    def advance(self, play: Play, frame: Movement) -> bool:
        """The Second Player moves all his vehicles, then the First Player (4.5)."""
        if next(_waiting(play.state, frame.player), None) is not None:
            return False
        smoke_takes_effect(play)
        if frame.first:
            play.emit(ev.Closed())
        else:
            play.emit(ev.Changed(Movement(self.context.other(frame.player), first=True)))
        return True


class MovingHandler(Handler[Moving]):
    """4.5.1.1: a vehicle on its way. What it has still to go is known to its owner alone."""

    frame = Moving
    answers = (Continue,)

    def question(self, state: State, frame: Moving) -> Asking:
        """The owner, after drawing fire."""
        return Asking("4.5.1.1", "Go on with the move", (state.units[frame.unit].side,))

    def options(self, state: State, frame: Moving, seat: Seat) -> Node[Action]:
        """How to go on (4.5.1.1)."""
        return MovePath(self.context, state, frame.unit, frame.progress)

    def why_not(
        self, state: State, frame: Moving, seat: Seat, keys: Sequence[str], ref: str, *, is_hex: bool
    ) -> Refusal | None:
        """A hex that it does not get to."""
        return out_of_reach(self.context, state, frame.unit, ref, is_hex=is_hex)

    def refusal(self, state: State, frame: Moving, seat: Seat, action: Action) -> Refusal | None:
        """Why the vehicle may not go on like this (4.5.1.1)."""
        assert isinstance(action, Continue)  # noqa: S101 - the only answer
        return refuse_move(self.context, state, frame.unit, action.legs, progress=frame.progress)

    def apply(self, play: Play, frame: Moving, seat: Seat, action: Action) -> None:
        """Go on after drawing fire, or end the move here (4.5.1.1)."""
        assert isinstance(action, Continue)  # noqa: S101 - the only answer
        play.emit(ev.Changed(replace(frame, plan=action.legs, interrupted=False)))

    def advance(self, play: Play, frame: Moving) -> bool:
        """The next thing that the vehicle does, or the opponent's chance to fire."""
        return _advance_moving(self.context, play, frame)

    def conceal(self, frame: Moving, seat: Seat | None) -> Moving:
        """The way ahead is the owner's secret."""
        if not frame.plan or self._owner(frame) == seat:
            return frame
        return replace(frame, plan=())

    def may_hide(self, frame: Moving, holder: Seat) -> bool:
        """A vehicle on its way may be going on."""
        return self._owner(frame) == holder

    def _owner(self, frame: Moving) -> Seat:
        """Vehicles never change sides."""
        return self.context.scenario.units[frame.unit].side
