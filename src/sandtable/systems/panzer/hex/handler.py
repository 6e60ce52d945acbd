"""What a handler of a frame is in this system; each stands in the room of its rule."""

from __future__ import annotations

from typing import TypeVar

from sandtable.core.frames import FrameHandler
from sandtable.core.ruleset import Resolution
from sandtable.systems.panzer.hex.actions import Action
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.events import Event
from sandtable.systems.panzer.hex.state import State

__all__ = ["Handler", "Play"]

F = TypeVar("F")
Play = Resolution[State, Event]


class Handler(FrameHandler[Context, State, Action, Event, F]):
    """All about one question of a game on hexes."""
