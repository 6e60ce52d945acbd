"""What a handler of a frame is in this system; each stands in the room of its rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from sandtable.core.decision import Seat
from sandtable.core.frames import Closed, FrameHandler
from sandtable.core.odds import Supposition
from sandtable.systems.aslsk.common.actions import Action
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.events import Event
from sandtable.systems.aslsk.pieces.state import RallyStep, State

__all__ = ["Handler", "PhaseHandler"]

F = TypeVar("F")


class Handler(FrameHandler[Context, State, Action, Event, F]):
    """All about one question of the game."""

    def suppositions(self, state: State, frame: F, action: Action) -> Sequence[Supposition]:  # noqa: ARG002
        """What the odds of an answer leave out."""
        return ()


class PhaseHandler(Handler[F]):
    """A question that the Sequence of Play has by itself: a side's part of a phase."""

    def begin(self, play: Play) -> None:
        """How the phase begins: what comes before its first question, and the question."""
        raise NotImplementedError

    def part(self, play: Play, player: Seat, step: RallyStep) -> F:
        """The question that a situation begins with, in a player's part and a step of the phase where it has such."""
        raise NotImplementedError

    def end(self, play: Play) -> None:
        """What happens at the end of the phase, before the markers go that last no longer."""

    def has_choice(self, state: State, frame: F) -> bool:
        """Whether the side that is asked can do anything at all."""
        raise NotImplementedError

    def finish(self, play: Play, frame: F) -> None:  # noqa: ARG002
        """The side has no more to do in its part: the other side's, the next step, or the end of the phase."""
        play.emit(Closed())

    def advance(self, play: Play, frame: F) -> bool:
        """Who can do nothing is not asked."""
        if self.has_choice(play.state, frame):
            return False
        self.finish(play, frame)
        return True
