"""What frames, actions, events and handlers are in this system; each stands in the room of its rule."""

from __future__ import annotations

from typing import ClassVar, TypeVar

import msgspec

from sandtable.core.decision import Seat
from sandtable.core.frames import FrameHandler
from sandtable.core.modifier import Breakdown
from sandtable.core.ruleset import Resolution
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.turn.segments import Step

__all__ = ["Action", "Fact", "Frame", "Handler", "Play", "SegmentHandler", "nearest"]


class Frame(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """An open question."""


class Action(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """What a player says."""

    def phrase(self, context: Context) -> str:
        """It in a phrase, as a log or a button has it."""
        raise NotImplementedError

    def is_secret(self) -> bool:
        """Whether the other side does not hear it."""
        return False

    def spends(self) -> bool:
        """Whether it uses something up: it is asked for though it is the only answer."""
        return False

    def is_plain(self) -> bool:
        """Whether its words say all that comes of it: no way, no dice of its own."""
        return True


class Fact(msgspec.Struct, frozen=True, gc=False, tag=True, omit_defaults=True):
    """Something that happened."""

    def sentence(self, context: Context) -> str:  # noqa: ARG002
        """It in a sentence; ``""`` for bookkeeping."""
        return ""

    def breakdowns(self) -> tuple[Breakdown, ...]:
        """The numbers that it rests on."""
        return ()

    def known_to(self, seat: Seat | None) -> Fact | None:  # noqa: ARG002
        """It as a seat, or a watcher, may know it; None if he learns nothing."""
        return self

    def reveals(self) -> bool:
        """Whether it shows somebody what was hidden from him, or dice: undo stops there."""
        return False


Play = Resolution[State, object]
F = TypeVar("F")


def nearest(state: State, kind: type[F]) -> F:
    """Of the frames of a kind the one nearest to the top of the stack."""
    return next(frame for frame in reversed(state.stack) if isinstance(frame, kind))


class Handler(FrameHandler[Context, State, Action, object, F]):
    """All about one question."""

    is_before_dice: ClassVar[bool] = False
    """Whether it belongs to an assault whose dice have not fallen yet, or begins one: an answer has a sheet."""


class SegmentHandler(Handler[F]):
    """A question that the Sequence of Play has by itself."""

    step: Step
    """The segment that it is asked in."""

    def begin(self, play: Play, player: Seat) -> None:
        """How the segment begins for the active side (``""`` in joint phases): it opens its question, or nothing."""
        raise NotImplementedError
