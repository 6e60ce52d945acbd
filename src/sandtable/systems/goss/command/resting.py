"""3.5 Rest game turns: each side rests one game turn a day; the Axis chooses his in secret."""

from __future__ import annotations

from types import MappingProxyType

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Closed, Opened
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.handler import Action, Fact, Frame, Play, SegmentHandler
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.turn.segments import Part, Step

__all__ = ["ChooseRest", "RestChosen", "Resting", "RestingHandler"]


class Resting(Frame, frozen=True):
    """Which game turn of the day a side rests."""

    player: Seat


class ChooseRest(Action, frozen=True):
    """The rest game turn of the day."""

    part: Part

    def phrase(self, context: Context) -> str:  # noqa: ARG002
        """It in a phrase."""
        return f"rest in the {self.part} game turn"

    def is_secret(self) -> bool:
        """The opponent is not told (3.5.2)."""
        return True


class RestChosen(Fact, frozen=True):
    """A side has chosen its rest game turn; the part is ``None`` to whoever may not know (3.5.2)."""

    player: Seat
    part: Part | None

    def sentence(self, context: Context) -> str:  # noqa: ARG002
        """Which, if it is known."""
        return f"{self.player} rests in the {self.part} game turn." if self.part else ""

    def known_to(self, seat: Seat | None) -> Fact | None:
        """The owner knows it."""
        return self if seat == self.player else None


def _chosen(state: State, event: RestChosen) -> State:
    return state if event.part is None else replace(state, rests=state.rests | {event.player: event.part})


class RestingHandler(SegmentHandler[Resting]):
    """3.5.1, 3.5.2: the Allies rest at night; the Axis writes its rest game turn down."""

    frame, answers, step = Resting, (ChooseRest,), Step.REST
    folds = MappingProxyType({RestChosen: _chosen})

    @rule("3.5.0", "3.5.1")
    def begin(self, play: Play, player: Seat) -> None:  # noqa: ARG002
        """Who has no choice is not asked (3.5.1)."""
        for seat in self.context.seats:
            given = self.context.scenario.side(seat).rest
            if given is not None:
                play.emit(RestChosen(seat, given))
            else:
                play.emit(Opened(Resting(seat)))

    @rule("3.5.2")
    def question(self, state: State, frame: Resting) -> Asking:  # noqa: ARG002
        """Asked in secret (3.5.2)."""
        return Asking("3.5.2", "Choose the rest game turn of the day", (frame.player,), secret=True)

    def options(self, state: State, frame: Resting, seat: Seat) -> Node[Action]:  # noqa: ARG002
        """The game turns of the day that are still to come, the night first."""
        calendar, turn = self.context.calendar, state.at.turn
        parts = []
        while True:
            parts.append(calendar.part(turn))
            turn += 1
            if calendar.part(turn) is Part.AM or turn >= calendar.turns:
                break
        ordered = sorted(parts, key=lambda part: part is not Part.NIGHT)
        return Pick(lambda: (Branch(part, "choice", f"{part}", Leaf(ChooseRest(part))) for part in ordered))

    def refusal(self, state: State, frame: Resting, seat: Seat, action: Action) -> Refusal | None:
        """A game turn of this day."""
        if action in list(self.options(state, frame, seat)):
            return None
        return Refusal("3.5.2", "that game turn does not come any more today", "one that is still to come")

    def apply(self, play: Play, frame: Resting, seat: Seat, action: Action) -> None:  # noqa: ARG002
        """Write it down."""
        assert isinstance(action, ChooseRest)  # noqa: S101 - `answers` says so
        play.emit(RestChosen(frame.player, action.part))
        play.emit(Closed())
