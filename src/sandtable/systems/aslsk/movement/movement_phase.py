"""3.3 Movement Phase: who moves next, and how those on their way go on."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Node, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Action, Continue, Done, DropWeapon, Move
from sandtable.systems.aslsk.common.context import Play
from sandtable.systems.aslsk.common.handler import Handler, PhaseHandler
from sandtable.systems.aslsk.common.possession import drop, refuse_drop
from sandtable.systems.aslsk.common.vehicle_actions import ChangeCrew, MoveVehicle
from sandtable.systems.aslsk.movement.move_choices import can_move, continue_options, move_options
from sandtable.systems.aslsk.movement.moving import (
    advance_moving,
    continue_move,
    refuse_continue,
    refuse_start,
    start_move,
)
from sandtable.systems.aslsk.pieces.state import Crowded, MovementPhase, Moving, RallyStep, State
from sandtable.systems.aslsk.vehicles.crowding import crowded_hexes
from sandtable.systems.aslsk.vehicles.driving import refuse_driving, start_driving
from sandtable.systems.aslsk.vehicles.vehicle_moving import (
    change_crew,
    drivable,
    refuse_change_crew,
    refuse_standing_by,
)

__all__ = ["MovementPhaseHandler", "MovingHandler"]


class MovementPhaseHandler(PhaseHandler[MovementPhase]):
    """3.3: this player's MPh."""

    frame = MovementPhase
    answers = (Done, Move, DropWeapon, MoveVehicle, ChangeCrew)

    @rule("3.3", "3.3.1")
    def begin(self, play: Play) -> None:
        """CX counters of the ATTACKER go, then his units move (3.3, 3.3.1)."""
        attacker = play.state.attacker
        tired = tuple(unit.id for unit in play.state.units.values() if unit.side == attacker and unit.cx)
        if tired:
            play.emit(ev.CounterExhausted(tired, cx=False))
        play.emit(ev.Opened(MovementPhase(attacker)))

    def part(self, play: Play, player: Seat, step: RallyStep) -> MovementPhase:
        """The ATTACKER's."""
        return MovementPhase(play.state.attacker)

    def question(self, state: State, frame: MovementPhase) -> Asking:
        """Who moves next."""
        return Asking("3.3", "Move a unit or stack", (frame.player,))

    def options(self, state: State, frame: MovementPhase, seat: Seat) -> Node[Action]:
        """A unit or stack and its move, a weapon to drop, or the end of the phase."""
        return move_options(self.context, state, frame)

    def refusal(self, state: State, frame: MovementPhase, seat: Seat, action: Action) -> Refusal | None:
        """A move or a drop that is against the rules."""
        if isinstance(action, Move):
            return refuse_start(self.context, state, frame, action)
        if isinstance(action, DropWeapon):
            return refuse_drop(state, frame.player, action.weapon)
        if isinstance(action, MoveVehicle):
            return refuse_driving(self.context, state, frame.player, action)
        if isinstance(action, ChangeCrew):
            return refuse_change_crew(self.context, state, frame.player, action)
        return refuse_standing_by(self.context, state, frame.player) if state.vehicles else None

    def apply(self, play: Play, frame: MovementPhase, seat: Seat, action: Action) -> None:
        """Somebody sets off, or drops a weapon, or nobody moves any more."""
        if isinstance(action, Move):
            start_move(self.context, play, frame, action)
        elif isinstance(action, DropWeapon):
            drop(play, action.weapon)
        elif isinstance(action, MoveVehicle):
            start_driving(self.context, play, action)
        elif isinstance(action, ChangeCrew):
            change_crew(play, action)
        else:
            self.finish(play, frame)

    @rule("3.3.2")
    def finish(self, play: Play, frame: MovementPhase) -> None:
        """Nobody moves any more; of two vehicles in a hex one is turned over (3.3.2)."""
        super().finish(play, frame)
        for hex in crowded_hexes(play.state, frame.player) if play.state.vehicles else ():
            play.emit(ev.Opened(Crowded(frame.player, hex)))

    def has_choice(self, state: State, frame: MovementPhase) -> bool:
        """Somebody who may spend MF or MP."""
        if state.vehicles and next(drivable(self.context, state, frame.player), None) is not None:
            return True
        return can_move(self.context, state, frame.player)


class MovingHandler(Handler[Moving]):
    """3.3.1: a unit or stack on its way; its next steps are known to its owner alone."""

    frame = Moving
    answers = (Continue,)

    def question(self, state: State, frame: Moving) -> Asking:
        """The owner."""
        return Asking("3.3.1", "Go on with the move", (state.units[frame.stack[0]].side,))

    def options(self, state: State, frame: Moving, seat: Seat) -> Node[Action]:
        """Who of the stack goes on, and how."""
        return continue_options(self.context, state, frame)

    def refusal(self, state: State, frame: Moving, seat: Seat, action: Action) -> Refusal | None:
        """Steps that may not be taken."""
        assert isinstance(action, Continue)  # noqa: S101 - the only answer
        return refuse_continue(self.context, state, frame, action)

    def apply(self, play: Play, frame: Moving, seat: Seat, action: Action) -> None:
        """Another plan."""
        assert isinstance(action, Continue)  # noqa: S101 - the only answer
        continue_move(self.context, play, frame, action)

    def advance(self, play: Play, frame: Moving) -> bool:
        """Step by step."""
        return advance_moving(self.context, play, frame)

    def conceal(self, frame: Moving, seat: Seat | None) -> Moving:
        """The plan is its owner's."""
        return replace(frame, plan=()) if frame.plan and self.context.side_of(frame.stack[0]) != seat else frame

    def may_hide(self, frame: Moving, holder: Seat) -> bool:
        """Who is on his way may be going on."""
        return self.context.side_of(frame.stack[0]) == holder
