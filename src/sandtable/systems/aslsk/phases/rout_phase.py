"""3.6 Rout Phase: which broken unit routs next, and how one that was interdicted goes on."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.core.decision import Node, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Action, Continue, Done, Rout
from sandtable.systems.aslsk.common.context import Play
from sandtable.systems.aslsk.common.handler import Handler, PhaseHandler
from sandtable.systems.aslsk.phases.rout import (
    advance_routing,
    begin_rout_phase,
    continue_options,
    continue_rout,
    fail_to_rout,
    has_rout,
    refuse_continue_rout,
    refuse_rout,
    refuse_rout_done,
    rout_options,
    start_rout,
)
from sandtable.systems.aslsk.pieces.state import RallyStep, Routing, RoutPhase, State

__all__ = ["RoutPhaseHandler", "RoutingHandler"]


class RoutPhaseHandler(PhaseHandler[RoutPhase]):
    """3.6: this side's units rout, one at a time."""

    frame = RoutPhase
    answers = (Done, Rout)

    def begin(self, play: Play) -> None:
        """Who must rout comes under DM; the ATTACKER routs first."""
        play.emit(ev.Opened(self.part(play, play.state.attacker, RallyStep.RECOVERY)))

    def part(self, play: Play, player: Seat, step: RallyStep) -> RoutPhase:
        """Either side's."""
        begin_rout_phase(self.context, play)
        return RoutPhase(player)

    def question(self, state: State, frame: RoutPhase) -> Asking:
        """Who routs next."""
        return Asking("3.6", "Rout broken units", (frame.player,))

    def options(self, state: State, frame: RoutPhase, seat: Seat) -> Node[Action]:
        """A unit and its path, or the end where nobody must rout."""
        return rout_options(self.context, state, frame)

    def refusal(self, state: State, frame: RoutPhase, seat: Seat, action: Action) -> Refusal | None:
        """A rout that may not be, or an end that comes too early."""
        if isinstance(action, Rout):
            return refuse_rout(self.context, state, frame, action)
        return refuse_rout_done(self.context, state, frame)

    def apply(self, play: Play, frame: RoutPhase, seat: Seat, action: Action) -> None:
        """A unit sets off, or no more do."""
        if isinstance(action, Rout):
            start_rout(self.context, play, action)
        else:
            self.finish(play, frame)

    def has_choice(self, state: State, frame: RoutPhase) -> bool:
        """Somebody with a legal rout."""
        return has_rout(self.context, state, frame)

    def finish(self, play: Play, frame: RoutPhase) -> None:
        """Who had to rout and has not is eliminated; the DEFENDER's part follows the ATTACKER's."""
        fail_to_rout(self.context, play, frame.player)
        if frame.player == play.state.attacker:
            play.emit(ev.Changed(RoutPhase(self.context.other(frame.player))))
        else:
            play.emit(ev.Closed())


class RoutingHandler(Handler[Routing]):
    """3.6: a broken unit on its way; the rest of it is known to its owner alone."""

    frame = Routing
    answers = (Continue,)

    def question(self, state: State, frame: Routing) -> Asking:
        """The owner."""
        return Asking("3.6", "Go on with the rout", (state.units[frame.unit].side,))

    def options(self, state: State, frame: Routing, seat: Seat) -> Node[Action]:
        """The paths from here."""
        return continue_options(self.context, state, frame)

    def refusal(self, state: State, frame: Routing, seat: Seat, action: Action) -> Refusal | None:
        """A path that may not be taken."""
        assert isinstance(action, Continue)  # noqa: S101 - the only answer
        return refuse_continue_rout(self.context, state, frame, action)

    def apply(self, play: Play, frame: Routing, seat: Seat, action: Action) -> None:
        """Another path."""
        assert isinstance(action, Continue)  # noqa: S101 - the only answer
        continue_rout(play, frame, action)

    def advance(self, play: Play, frame: Routing) -> bool:
        """Hex by hex."""
        return advance_routing(self.context, play, frame)

    def conceal(self, frame: Routing, seat: Seat | None) -> Routing:
        """The rest of the path is its owner's."""
        return replace(frame, plan=()) if frame.plan and self.context.side_of(frame.unit) != seat else frame

    def may_hide(self, frame: Routing, holder: Seat) -> bool:
        """Who is on his way may be going on."""
        return self.context.side_of(frame.unit) == holder
