"""How the questions of an assault are asked: only where there is a choice, each above the frame that it serves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, ClassVar, TypeVar

from msgspec.structs import replace

from sandtable.core.decision import Node, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed, Opened
from sandtable.systems.goss.assault.deeds import not_among, subset
from sandtable.systems.goss.assault.frames import Assault, assault_of
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.handler import Action, Handler, Play
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.pieces.unit import UnitId

__all__ = ["StepHandler", "UnitsHandler", "change_assault"]

F = TypeVar("F")


def change_assault(play: Play, **changes: Any) -> None:
    """The assault on top of the stack as it is now."""
    play.emit(Changed(replace(assault_of(play.state), **changes)))


class StepHandler(Handler[F]):
    """A question that is asked only where there is a choice."""

    number: ClassVar[str]
    title: ClassVar[str]

    @classmethod
    def ask(cls, context: Context, play: Play, frame: Any) -> None:
        """Open the question; a single answer is taken by itself, and without an answer nothing is asked."""
        handler = cls(context)
        ways = list(islice(handler.options(play.state, frame, frame.player), 2))
        if len(ways) == 1:
            handler.take(play, frame, ways[0])
        elif ways:
            play.emit(Opened(frame))

    def question(self, state: State, frame: Any) -> Asking:  # noqa: ARG002
        """The owner of the choice."""
        return Asking(self.number, self.title, (frame.player,))

    def refusal(self, state: State, frame: F, seat: Seat, action: Action) -> Refusal | None:
        """What is not offered is not allowed."""
        if action in list(self.options(state, frame, seat)):
            return None
        return Refusal(self.number, "that is not open to you now", self.title.lower())

    def apply(self, play: Play, frame: F, seat: Seat, action: Action) -> None:  # noqa: ARG002
        """The question is settled, and the answer goes to the frame below."""
        play.emit(Closed())
        self.take(play, frame, action)

    def take(self, play: Play, frame: Any, action: Any) -> None:
        """What comes of an answer; the frame below is on top of the stack."""
        raise NotImplementedError


class UnitsHandler(StepHandler[F]):
    """Some units of the asked side, or none of them."""

    is_before_dice = True

    def candidates(self, state: State, assault: Assault, seat: Seat) -> Sequence[UnitId]:
        """The units that are asked about, in a fixed order."""
        raise NotImplementedError

    def judge(self, state: State, assault: Assault, seat: Seat, units: Sequence[UnitId]) -> Refusal | None:  # noqa: ARG002
        """Why these units together are no answer."""
        return None

    def plain(self, state: State, assault: Assault, seat: Seat) -> frozenset[UnitId]:  # noqa: ARG002
        """Those whom a staff would name."""
        return frozenset()

    def action(self, units: tuple[UnitId, ...]) -> Action:
        """The answer that names units."""
        raise NotImplementedError

    def options(self, state: State, frame: F, seat: Seat) -> Node[Action]:  # noqa: ARG002
        """Yes or no for each unit."""
        assault = assault_of(state)
        return subset(
            self.context,
            self.candidates(state, assault, seat),
            self.action,
            lambda units: self.judge(state, assault, seat, units),
            plain=self.plain(state, assault, seat),
        )

    def refusal(self, state: State, frame: F, seat: Seat, action: Action) -> Refusal | None:  # noqa: ARG002
        """Units that are asked about, and what the judge says of them."""
        assault = assault_of(state)
        units: tuple[UnitId, ...] = action.units  # type: ignore[attr-defined]
        wrong = not_among(self.candidates(state, assault, seat), units, self.number)
        return wrong or self.judge(state, assault, seat, units)
