"""3.5 Rest game turns: each side rests one game turn a day; the Axis chooses his in secret.

Whether all of a side rests together, or each army, corps or formation by itself, is agreed on before (3.5.2).
"""

from __future__ import annotations

from types import MappingProxyType

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Assign, Branch, Leaf, Node, Pick, Seat, Slot
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Closed, Opened
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.handler import Action, Fact, Frame, Play, SegmentHandler
from sandtable.systems.goss.common.rest import rests_of, title_of_rest
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.turn.segments import Part, Step

__all__ = ["ChooseRest", "ChooseRests", "RestChosen", "Resting", "RestingHandler"]


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


class ChooseRests(Action, frozen=True):
    """The rest game turns of the day, where parts of a side rest each by themselves."""

    parts: tuple[tuple[str, Part], ...]
    """By the formation that designates it."""

    def phrase(self, context: Context) -> str:
        """It in a phrase."""
        return f"rest: {'; '.join(f'{title_of_rest(context, name)}: {part}' for name, part in self.parts)}"

    def is_secret(self) -> bool:
        """The opponent is not told (3.5.2)."""
        return True


class RestChosen(Fact, frozen=True):
    """A side has chosen its rest game turn; the part is ``None`` to whoever may not know (3.5.2)."""

    player: Seat
    part: Part | None
    name: str = ""
    """The formation that designates it; ``""``: the side."""

    def sentence(self, context: Context) -> str:
        """Which, if it is known."""
        who = title_of_rest(context, self.name or self.player)
        return f"{who} rests in the {self.part} game turn." if self.part else ""

    def known_to(self, seat: Seat | None) -> Fact | None:
        """The owner knows it."""
        return self if seat == self.player else None


def _chosen(state: State, event: RestChosen) -> State:
    if event.part is None:
        return state
    name = event.name or event.player
    shown = tuple(one for one in state.rests_shown if one != name)
    return replace(state, rests=state.rests | {name: event.part}, rests_shown=shown)


class RestingHandler(SegmentHandler[Resting]):
    """3.5.1, 3.5.2: the Allies rest at night; the Axis writes its rest game turns down."""

    frame, answers, step = Resting, (ChooseRest, ChooseRests), Step.REST
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

    def _parts(self, state: State) -> list[Part]:
        """The game turns of the day that are still to come, the night first."""
        calendar, turn = self.context.calendar, state.at.turn
        parts = []
        while True:
            parts.append(calendar.part(turn))
            turn += 1
            if calendar.part(turn) is Part.AM or turn >= calendar.turns:
                break
        return sorted(parts, key=lambda part: part is not Part.NIGHT)

    @rule("3.5.2")
    def options(self, state: State, frame: Resting, seat: Seat) -> Node[Action]:  # noqa: ARG002
        """One game turn for the side, or one for each part of it that designates its own (3.5.2)."""
        parts, names = self._parts(state), rests_of(self.context, seat)
        if names == (seat,):
            return Pick(lambda: (Branch(part, "choice", f"{part}", Leaf(ChooseRest(part))) for part in parts))
        slots = [Slot(name, "formation", title_of_rest(self.context, name), tuple(parts)) for name in names]
        return Assign(
            slots, lambda values: ChooseRests(tuple(zip(names, [Part(value) for value in values], strict=True)))
        )

    def refusal(self, state: State, frame: Resting, seat: Seat, action: Action) -> Refusal | None:  # noqa: ARG002
        """A game turn of this day, for each part of the side that has its own."""
        names = rests_of(self.context, seat)
        chosen: tuple[tuple[str, Part], ...] = ((seat, action.part),) if isinstance(action, ChooseRest) else ()
        if isinstance(action, ChooseRests) and names != (seat,):
            chosen = action.parts
        if tuple(name for name, _ in chosen) != names:
            return Refusal("3.5.2", "others designate their rest game turns", "one for each that does, in their order")
        if {part for _, part in chosen} <= set(self._parts(state)):
            return None
        return Refusal("3.5.2", "that game turn does not come any more today", "one that is still to come")

    def apply(self, play: Play, frame: Resting, seat: Seat, action: Action) -> None:  # noqa: ARG002
        """Write it down."""
        if isinstance(action, ChooseRest):
            play.emit(RestChosen(frame.player, action.part))
        elif isinstance(action, ChooseRests):
            for name, part in action.parts:
                play.emit(RestChosen(frame.player, part, name))
        play.emit(Closed())
