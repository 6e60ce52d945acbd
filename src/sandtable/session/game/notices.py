"""What a table tells its listeners: that something changed. What exactly each may know, they ask for themselves."""

from __future__ import annotations

from typing import Protocol

import msgspec

from sandtable.session.presenting.wire import ChatLine

__all__ = [
    "BooksOpened",
    "ChatHeard",
    "ClocksTurned",
    "LineAdded",
    "Listener",
    "Notice",
    "PresenceTurned",
    "SignedOut",
    "TableClosed",
    "UndoTurned",
]


class LineAdded(msgspec.Struct, frozen=True):
    """The log has one more line; ``v`` is their number."""

    v: int


class PresenceTurned(msgspec.Struct, frozen=True):
    """Somebody came, left or took a seat."""


class ClocksTurned(msgspec.Struct, frozen=True):
    """The game was ended by a clock or a resignation, or the clocks began to run."""


class UndoTurned(msgspec.Struct, frozen=True):
    """Somebody asks to take back, or an answer was given."""


class ChatHeard(msgspec.Struct, frozen=True):
    """Somebody said something."""

    line: ChatLine


class BooksOpened(msgspec.Struct, frozen=True):
    """The game is over, and lines that were secret are for all to read and to count."""


class SignedOut(msgspec.Struct, frozen=True):
    """Somebody's sessions have ended."""

    person: str


class TableClosed(msgspec.Struct, frozen=True):
    """The table goes away; whoever is interested comes back to it anew."""


Notice = LineAdded | PresenceTurned | ClocksTurned | UndoTurned | ChatHeard | BooksOpened | SignedOut | TableClosed


class Listener(Protocol):
    """Somebody connected to a table."""

    person: str
    """Id of the person."""
    viewpoint: str
    """The seat that he looks from, ``""`` for a watcher."""

    def hear(self, notice: Notice) -> None:
        """Take note; must not wait."""
        ...
