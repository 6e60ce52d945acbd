"""What a handler of a frame is on a table; each stands in the room of its rule."""

from __future__ import annotations

from typing import TypeVar

from sandtable.core.frames import FrameHandler
from sandtable.core.ruleset import Resolution
from sandtable.systems.panzer.events import Event
from sandtable.systems.panzer.mini.actions import Action
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.state import State

__all__ = ["Handler", "Play"]

F = TypeVar("F")
Play = Resolution[State, Event]


class Handler(FrameHandler[Context, State, Action, Event, F]):
    """All about one question of a game on a table."""
