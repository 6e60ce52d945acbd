"""3.7 Advance Phase: who advances, transfers or drops next."""

from __future__ import annotations

from sandtable.core.decision import Node, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Action, Advance, Done, DropWeapon, Exit, TransferWeapon
from sandtable.systems.aslsk.common.context import Play
from sandtable.systems.aslsk.common.handler import PhaseHandler
from sandtable.systems.aslsk.common.vehicle_actions import ChangeCrew
from sandtable.systems.aslsk.phases.advance import (
    apply_advance_phase,
    end_advance_phase,
    refuse_advance_phase,
)
from sandtable.systems.aslsk.phases.advance_choices import advance_options, has_advance
from sandtable.systems.aslsk.pieces.state import Advances, RallyStep, State

__all__ = ["AdvancesHandler"]


class AdvancesHandler(PhaseHandler[Advances]):
    """3.7: this player's APh."""

    frame = Advances
    answers = (Done, Advance, Exit, TransferWeapon, DropWeapon, ChangeCrew)

    def begin(self, play: Play) -> None:
        """The ATTACKER advances."""
        play.emit(ev.Opened(Advances(play.state.attacker)))

    def part(self, play: Play, player: Seat, step: RallyStep) -> Advances:
        """The ATTACKER's."""
        return Advances(play.state.attacker)

    def end(self, play: Play) -> None:
        """Who was due and has not entered is lost."""
        end_advance_phase(self.context, play, play.state.attacker)

    def question(self, state: State, frame: Advances) -> Asking:
        """Who advances."""
        return Asking("3.7", "Advance units", (frame.player,))

    def options(self, state: State, frame: Advances, seat: Seat) -> Node[Action]:
        """Units and hexes, transfers, or the end of the phase."""
        return advance_options(self.context, state, frame)

    def is_answer(self, frame: Advances, action: Action) -> bool:
        """Whoever does something else is told what the APh is for."""
        return True

    def refusal(self, state: State, frame: Advances, seat: Seat, action: Action) -> Refusal | None:
        """What is against the rules of the APh."""
        return refuse_advance_phase(self.context, state, frame, action)

    def apply(self, play: Play, frame: Advances, seat: Seat, action: Action) -> None:
        """Units advance, a weapon changes hands, or nobody advances any more."""
        if isinstance(action, Done):
            self.finish(play, frame)
        else:
            apply_advance_phase(self.context, play, frame, action)

    def has_choice(self, state: State, frame: Advances) -> bool:
        """Somebody who may advance, or a weapon to hand over."""
        return has_advance(self.context, state, frame)
