"""What a handler of a frame is in this system; each stands in the room of its rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from sandtable.core.decision import Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import FrameHandler
from sandtable.core.ruleset import Resolution
from sandtable.systems.panzer.events import Event
from sandtable.systems.panzer.hex.actions import Action
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.state import State

__all__ = ["Handler", "Play"]

F = TypeVar("F")
Play = Resolution[State, Event]


class Handler(FrameHandler[Context, State, Action, Event, F]):
    """All about one question of a game on hexes."""

    def why_not(
        self,
        state: State,  # noqa: ARG002
        frame: F,  # noqa: ARG002
        seat: Seat,  # noqa: ARG002
        keys: Sequence[str],  # noqa: ARG002
        ref: str,  # noqa: ARG002
        *,
        is_hex: bool,  # noqa: ARG002
    ) -> Refusal | None:
        """Why ``ref`` cannot be picked below ``keys``, where the rules have more to say than a plain no."""
        return None
