"""9.1.1 A move is executed inch by inch: the opponent sees what was driven, and may fire on the vehicle on its way.

A vehicle that drew fire or was damaged goes on as its owner then says. If it has to stop upon another unit, it stops at
the last place of its way where it stood upon nobody (9.9, a ruling).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed, Opened
from sandtable.core.modifier import Breakdown
from sandtable.geo.plane.points import Point
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.frames import Movement
from sandtable.systems.panzer.mini import events as ev
from sandtable.systems.panzer.mini.actions import Action, Decline, Enter, Move, MoveOn
from sandtable.systems.panzer.mini.combat.overwatch import watch_mover
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.handler import Handler, Play
from sandtable.systems.panzer.mini.losses import lose
from sandtable.systems.panzer.mini.movement.buildings import break_through
from sandtable.systems.panzer.mini.movement.drive import DrivePath, driver
from sandtable.systems.panzer.mini.movement.entry import EnterPut
from sandtable.systems.panzer.mini.moves import InchStep, Moving
from sandtable.systems.panzer.mini.scenario.bound import base_of, holds_base
from sandtable.systems.panzer.mini.spotting.spotting import spot_in_force
from sandtable.systems.panzer.mini.state import State, Unit
from sandtable.systems.panzer.unit import MOVING_COMMANDS, Spot, Status

if TYPE_CHECKING:
    from random import Random

__all__ = ["MovementHandler", "MovingHandler", "waiting_to_move"]

BOOK = ("panzer-mini",)
_IDLE = 0.05
"""How often random play lets nobody else move."""


_MOVE = (Status.IN_PLAY, Status.RESERVE)
"""Who may move: those held off the table come onto it (9.8)."""


@rule("9.1", "6.3", "6.4", "4.4.2", "9.8", editions=BOOK)
def waiting_to_move(state: State, player: str) -> list[Unit]:
    """The vehicles of a player that have a MOVE or the move half of a SHORT HALT left to execute (9.1, 4.4.2)."""
    return [
        unit
        for _, unit in sorted(state.units.items())
        if unit.side == player and unit.status in _MOVE and unit.command in MOVING_COMMANDS and not unit.moved
    ]


class _Moves(Node[Action]):
    """A vehicle and its way, or nobody else; whoever draws one answer has the ways of one vehicle made."""

    def __init__(self, context: Context, state: State, player: str) -> None:
        self._context, self._state = context, state
        self._waiting = waiting_to_move(state, player)

    def branches(self) -> Iterator[Branch[Action]]:
        """Every vehicle that has still to move, then nobody."""
        yield from map(self._way, self._waiting)
        yield Branch("done", "pass", "nobody else moves", Leaf(Decline()))

    def _way(self, unit: Unit) -> Branch[Action]:
        return Branch(unit.id, "unit", self._context.name(unit), self._drawn(unit), unit.id)

    def _drawn(self, unit: Unit) -> DrivePath | EnterPut:
        drawn = DrivePath if unit.in_play else EnterPut
        return drawn(self._context, self._state, unit)

    def branch(self, key: str) -> Branch[Action] | None:
        """One vehicle."""
        found = next((unit for unit in self._waiting if unit.id == key), None)
        return super().branch(key) if found is None else self._way(found)

    def sample(self, rng: Random) -> Action:
        """A move of one of them, seldom none."""
        if rng.random() < _IDLE:
            return Decline()
        unit = self._waiting[int(rng.random() * len(self._waiting))]
        return self._drawn(unit).sample(rng)


class MovementHandler(Handler[Movement]):
    """9.1: a player's Movement Step."""

    frame = Movement
    answers = (Move, Enter, Decline)

    def question(self, state: State, frame: Movement) -> Asking:
        """The player of the step."""
        return Asking("9.1", "Move a vehicle", (frame.player,))

    def options(self, state: State, frame: Movement, seat: Seat) -> Node[Action]:
        """A vehicle and its way, or nobody else (9.1)."""
        return _Moves(self.context, state, frame.player)

    @rule("9.1.4", "3.5", editions=BOOK)
    def refusal(self, state: State, frame: Movement, seat: Seat, action: Action) -> Refusal | None:
        """A vehicle that may not move, or not like this; none has to (3.5, 9.1.4)."""
        if isinstance(action, Decline):
            return None
        assert isinstance(action, Move | Enter)  # noqa: S101 - the only other answers
        unit = state.units.get(action.unit)
        if unit is None or unit not in waiting_to_move(state, frame.player):
            reason = f"{action.unit!r} has no MOVE or SHORT HALT of {frame.player} left to execute"
            return Refusal("9.1", reason, "name one that has")
        if isinstance(action, Enter):
            if unit.in_play:
                return Refusal("9.8", f"{unit.id} is on the table already", "a way from where it stands")
            return EnterPut(self.context, state, unit).judge(action.strokes).refusal
        if not unit.in_play:
            return Refusal("9.8", f"{unit.id} is held off the table", "a place on its edge first")
        return DrivePath(self.context, state, unit).judge(action.strokes).refusal

    @rule("3.5", "6.5", "8.1.2.2", "9.1.4", editions=BOOK)
    def apply(self, play: Play, frame: Movement, seat: Seat, action: Action) -> None:
        """It sets off, and is marked as it moves, so that overwatch may spot it; or nobody else moves (3.5, 6.5).

        One that stays where it is counts as moving too, and overwatch may fire on it once (9.1.4).
        """
        if isinstance(action, Decline):
            play.emit(Changed(replace(frame, done=True)))
            return
        assert isinstance(action, Move | Enter)  # noqa: S101 - the only other answers
        unit = play.state.units[action.unit]
        if not unit.known:
            play.emit(shared.CommandRevealed(unit.id, unit.command))
        if spot_in_force(unit, live=True) is Spot.NONE:
            play.emit(shared.SpotMarked(unit.id, Spot.MOVE))
        if isinstance(action, Enter):
            play.emit(ev.UnitEntered(unit.id, *EnterPut(self.context, play.state, unit).stands(action.strokes)))
        unit = play.state.units[unit.id]
        path = DrivePath(self.context, play.state, unit)
        steps = () if isinstance(action, Enter) else path.walk(action.strokes).steps
        moving = Moving(unit.id, steps, path.progress, (Point(*path.start), unit.heading), damaged=unit.damaged)
        if isinstance(action, Enter):
            moving = replace(moving, interrupted=True)
        elif not steps:
            moving = replace(moving, watched=False)
        play.emit(Opened(moving))

    @rule("3.5", "9.9.2", editions=BOOK)
    def advance(self, play: Play, frame: Movement) -> bool:
        """The Second Player moves first, then the First (3.5)."""
        if not frame.done and waiting_to_move(play.state, frame.player):
            return False
        other = self.context.other(frame.player)
        play.emit(Closed() if frame.first else Changed(Movement(other, first=True)))
        return True


class MovingHandler(Handler[Moving]):
    """9.1.1: a vehicle on its way."""

    frame = Moving
    answers = (MoveOn,)

    def question(self, state: State, frame: Moving) -> Asking:
        """Its owner, after it was interrupted."""
        return Asking("9.1.1", f"How does {frame.unit} go on?", (state.units[frame.unit].side,))

    def options(self, state: State, frame: Moving, seat: Seat) -> Node[Action]:
        """What is left of its move."""
        return DrivePath(self.context, state, state.units[frame.unit], frame)

    def refusal(self, state: State, frame: Moving, seat: Seat, action: Action) -> Refusal | None:
        """Another vehicle, or a way that is against the rules."""
        assert isinstance(action, MoveOn)  # noqa: S101 - the only answer
        if action.unit != frame.unit:
            return Refusal("9.1.1", f"{frame.unit} must complete its move first", f"go on with {frame.unit}")
        return DrivePath(self.context, state, state.units[frame.unit], frame).judge(action.strokes).refusal

    def apply(self, play: Play, frame: Moving, seat: Seat, action: Action) -> None:
        """It goes on, or stops."""
        assert isinstance(action, MoveOn)  # noqa: S101 - the only answer
        path = DrivePath(self.context, play.state, play.state.units[frame.unit], frame)
        play.emit(Changed(replace(frame, plan=path.walk(action.strokes).steps, interrupted=False)))

    def conceal(self, frame: Moving, seat: Seat | None) -> Moving:
        """Only its owner knows where it is bound for."""
        return replace(frame, plan=()) if frame.plan and self._owner(frame) != seat else frame

    def may_hide(self, frame: Moving, holder: Seat) -> bool:
        """Its owner may have more in mind."""
        return self._owner(frame) == holder

    def _owner(self, frame: Moving) -> Seat:
        return self.context.scenario.units[frame.unit].side

    @rule("9.1.1", "8.4.5.3", editions=BOOK)
    def advance(self, play: Play, frame: Moving) -> bool:
        """The next inch; it ends when there is none, or when the vehicle is lost or has a Track hit."""
        unit = play.state.units[frame.unit]
        if not unit.in_play:
            play.emit(Closed())
        elif unit.markers.track:
            self._end(play, frame, unit)
        elif unit.damaged != frame.damaged:
            play.emit(Changed(_hurt(frame)))
        elif not frame.watched:
            play.emit(Changed(replace(frame, watched=True)))
            watch_mover(self.context, play, unit, last=not frame.plan)
        elif frame.interrupted:
            return False
        elif not frame.plan:
            self._end(play, frame, unit)
        else:
            self._step(play, frame, unit)
        return True

    def _step(self, play: Play, frame: Moving, unit: Unit) -> None:
        step, rest = frame.plan[0], frame.plan[1:]
        for wall in step.walls:
            defense = self.context.card_of(unit).gp_defense
            harmed = break_through(play, self.context.tables["building_entry"], unit.id, wall, defense)
            if harmed == "track":
                play.emit(shared.VehiclePartHit(unit.id, "track"))
                return
            if harmed and self._damage(play, frame, step):
                return
            if harmed:
                frame = _hurt(frame)
        if step.edge:
            self._leave(play, frame, step)
            return
        play.emit(ev.UnitMoved(unit.id, step.at, step.heading, step.cost))
        holds = holds_base(self.context.table, base_of(self.context.card_of(unit), step.at, step.heading))
        free = (step.at, step.heading) if holds and not step.upon else frame.free
        after = replace(step.after, hurt_at=frame.progress.hurt_at)
        play.emit(Changed(replace(frame, plan=rest, progress=after, free=free, watched=False)))

    @rule("9.7.4", "9.3.5", editions=BOOK)
    def _damage(self, play: Play, frame: Moving, step: InchStep) -> bool:
        """A building has damaged it (9.7.4): whether it must stop for want of movement; a second time it is lost.

        The inch that is always allowed is still allowed (9.3.5).
        """
        unit = play.state.units[frame.unit]
        if unit.damaged:
            lose(self.context, play, unit)
            return True
        play.emit(shared.VehicleDamaged(unit.id))
        hurt = play.state.units[unit.id]
        return not DrivePath(self.context, play.state, hurt, _hurt(frame)).affords(step)

    @rule("9.8", editions=BOOK)
    def _leave(self, play: Play, frame: Moving, step: InchStep) -> None:
        """It is out of the game, but not eliminated (9.8)."""
        unit = play.state.units[frame.unit]
        exits = self.context.scenario.draft.victory.exits
        way = next((str(i) for i, one in enumerate(exits) if one.side == unit.side and one.edge.value == step.edge), "")
        play.emit(ev.UnitExited(unit.id, step.edge, step.cost, way))

    @rule("9.1", "9.1.4", "9.8", "9.9", "3.5", editions=BOOK)
    def _end(self, play: Play, frame: Moving, unit: Unit) -> None:
        """The move is over: SPOT (MOVE), whether it went anywhere or not (9.1, 9.1.4).

        One that has not come wholly onto the table is still held off it (9.8).
        """
        at, heading = frame.free
        if (unit.at, unit.heading) != (at, heading) and not DrivePath(self.context, play.state, unit).may_stop:
            back = Breakdown("Movement cost", "9.9", (), 0, "back to where it may stand")
            play.emit(ev.UnitMoved(unit.id, at, heading, back))
        play.emit(Closed())
        moved = frame.progress
        rate = "across country" if moved.rate is None else f"by {moved.rate.value}"
        allowance = driver(self.context, unit, moved).allowance(moved.rate)
        play.emit(shared.MoveEnded(unit.id, rate, moved.spent, allowance))
        base = self.context.base(play.state.units[unit.id])
        if base is not None and holds_base(self.context.table, base):
            play.emit(shared.SpotMarked(unit.id, Spot.MOVE))
        else:
            play.emit(ev.UnitTurnedBack(unit.id))


@rule("8.4.7.4", editions=BOOK)
def _hurt(frame: Moving) -> Moving:
    """It was damaged on its way: what is left of its allowance is halved, and its owner decides anew (8.4.7.4)."""
    return replace(
        frame, damaged=True, interrupted=True, progress=replace(frame.progress, hurt_at=frame.progress.spent)
    )
