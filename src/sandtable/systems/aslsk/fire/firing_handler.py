"""3.2 A question that is answered by fire: what the odds of fire need to know of it."""

from __future__ import annotations

from typing import TypeVar

from sandtable.systems.aslsk.common.handler import Handler
from sandtable.systems.aslsk.fire.firers import FireMode, mode_of
from sandtable.systems.aslsk.pieces.state import State, UnderWay

__all__ = ["FiringHandler"]

F = TypeVar("F")


class FiringHandler(Handler[F]):
    """A question that Fire and FireOrdnance may answer: odds of fire are told wherever one is asked."""

    def moving(self, state: State) -> UnderWay | None:  # noqa: ARG002
        """The move that the fire interrupts; none in a fire phase."""
        return None

    def mode(self, state: State) -> FireMode:
        """The kind of fire."""
        return mode_of(state.phase)
