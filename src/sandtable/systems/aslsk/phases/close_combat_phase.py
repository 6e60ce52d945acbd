"""3.8 Close Combat Phase: which hex comes next; and in a hex, who fights with whom and who attacks whom."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core.decision import Node, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking
from sandtable.core.odds import Supposition
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import (
    Action,
    ArrangeLeaders,
    ChooseCombat,
    CloseAttack,
    DeclareCloseCombat,
    Done,
)
from sandtable.systems.aslsk.common.context import Play
from sandtable.systems.aslsk.common.handler import Handler, PhaseHandler
from sandtable.systems.aslsk.phases.close_combat import (
    advance_close_combat,
    arrange,
    combat_hexes,
    declare,
    open_combat,
)
from sandtable.systems.aslsk.phases.close_combat_answers import combat_suppositions
from sandtable.systems.aslsk.phases.close_combat_choices import (
    arrange_options,
    combat_options,
    declare_options,
    refuse_arrange,
    refuse_combat,
    refuse_declare,
)
from sandtable.systems.aslsk.phases.vehicle_combat import advance_in_turn, attack_in_turn, attack_no_more
from sandtable.systems.aslsk.phases.vehicle_combat_choices import attack_options, refuse_attack
from sandtable.systems.aslsk.pieces.state import CcStage, CloseCombat, CloseCombats, RallyStep, State

__all__ = ["CloseCombatHandler", "CloseCombatsHandler"]

_TITLES = {
    CcStage.ARRANGE: "With whom do the leaders fight",
    CcStage.DECLARE: "Declare close combat",
    CcStage.ALTERNATE: "Make a close combat attack",
}
_ANSWERS: dict[CcStage, tuple[type[Action], ...]] = {
    CcStage.ARRANGE: (ArrangeLeaders,),
    CcStage.DECLARE: (DeclareCloseCombat,),
    CcStage.ALTERNATE: (CloseAttack, Done),
}


class CloseCombatsHandler(PhaseHandler[CloseCombats]):
    """3.8: the ATTACKER says in which hex close combat is resolved next."""

    frame = CloseCombats
    answers = (ChooseCombat,)

    def begin(self, play: Play) -> None:
        """The ATTACKER orders the hexes."""
        play.emit(ev.Opened(CloseCombats(play.state.attacker)))

    def part(self, play: Play, player: Seat, step: RallyStep) -> CloseCombats:
        """The ATTACKER's."""
        return CloseCombats(play.state.attacker)

    def question(self, state: State, frame: CloseCombats) -> Asking:
        """Which hex."""
        return Asking("3.8", "Which close combat is resolved next?", (frame.player,))

    def options(self, state: State, frame: CloseCombats, seat: Seat) -> Node[Action]:
        """The hexes that are left."""
        return combat_options(self.context, state, frame)

    def refusal(self, state: State, frame: CloseCombats, seat: Seat, action: Action) -> Refusal | None:
        """A hex without close combat."""
        assert isinstance(action, ChooseCombat)  # noqa: S101 - the only answer
        return refuse_combat(self.context, state, frame, action.hex)

    def apply(self, play: Play, frame: CloseCombats, seat: Seat, action: Action) -> None:
        """That hex is taken up."""
        assert isinstance(action, ChooseCombat)  # noqa: S101 - the only answer
        open_combat(self.context, play, frame, action.hex)

    def advance(self, play: Play, frame: CloseCombats) -> bool:
        """Of one hex nobody is asked which."""
        hexes = combat_hexes(self.context, play.state, frame)
        if len(hexes) > 1:
            return False
        if hexes:
            open_combat(self.context, play, frame, hexes[0])
        else:
            self.finish(play, frame)
        return True


class CloseCombatHandler(Handler[CloseCombat]):
    """3.8: close combat in one hex: leaders are arranged, then attacks declared, or made in turn beside a vehicle."""

    frame = CloseCombat
    answers = (ArrangeLeaders, DeclareCloseCombat, CloseAttack, Done)

    def question(self, state: State, frame: CloseCombat) -> Asking:
        """With whom leaders fight, or who attacks whom."""
        place = self.context.label(frame.hex)
        what = _TITLES[frame.stage]
        return Asking("3.8", f"{what} in {place}", (frame.asked,))

    def options(self, state: State, frame: CloseCombat, seat: Seat) -> Node[Action]:
        """By the stage."""
        if frame.stage is CcStage.ARRANGE:
            return arrange_options(self.context, state, frame)
        if frame.stage is CcStage.ALTERNATE:
            return attack_options(self.context, state, frame)
        return declare_options(self.context, state, frame)

    def is_answer(self, frame: CloseCombat, action: Action) -> bool:
        """Each stage has its own."""
        return isinstance(action, _ANSWERS[frame.stage])

    def refusal(self, state: State, frame: CloseCombat, seat: Seat, action: Action) -> Refusal | None:
        """What is against the rules of the stage."""
        if isinstance(action, ArrangeLeaders):
            return refuse_arrange(self.context, state, frame, action)
        if isinstance(action, CloseAttack | Done):
            return refuse_attack(self.context, state, frame, action)
        assert isinstance(action, DeclareCloseCombat)  # noqa: S101 - the only other answer
        return refuse_declare(self.context, state, frame, action)

    def apply(self, play: Play, frame: CloseCombat, seat: Seat, action: Action) -> None:
        """The side has arranged or declared."""
        if isinstance(action, ArrangeLeaders):
            arrange(self.context, play, frame, action.pairs)
        elif isinstance(action, DeclareCloseCombat):
            declare(self.context, play, frame, action.attacks)
        elif isinstance(action, CloseAttack):
            attack_in_turn(self.context, play, frame, action)
        elif isinstance(action, Done):
            attack_no_more(play, frame)

    def advance(self, play: Play, frame: CloseCombat) -> bool:
        """Who has no leader to arrange, or nobody to attack with, is not asked."""
        if frame.stage is CcStage.ALTERNATE:
            return advance_in_turn(self.context, play, frame)
        return advance_close_combat(self.context, play, frame)

    def suppositions(self, state: State, frame: CloseCombat, action: Action) -> Sequence[Supposition]:
        """The other side may answer, or strike back."""
        if not isinstance(action, DeclareCloseCombat):
            return ()
        return [*combat_suppositions(self.context, state, frame, action)]
