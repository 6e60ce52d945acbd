"""What a game is about, as data: what counts, who holds it, how each side stands, and when it ends.

A system builds it from the concealed state, so it tells a seat nothing that the seat may not know. A client shows it
without knowing a rule.
"""

from __future__ import annotations

import msgspec

__all__ = ["Aim", "Holding", "Stakes", "Tally"]


class Holding(msgspec.Struct, frozen=True):
    """A place that the victory conditions count."""

    id: str
    title: str
    hexes: tuple[str, ...]
    holder: str
    """The side that holds it, ``""`` for nobody."""
    rule: str
    points: dict[str, int] = {}
    """What it is worth to each side that may hold it, where it is worth points."""
    note: str = ""
    """How it stands beside that: who is about to take it."""


class Tally(msgspec.Struct, frozen=True):
    """Something that is counted towards an aim."""

    title: str
    have: int
    need: int


class Aim(msgspec.Struct, frozen=True):
    """One way to win, or to score."""

    side: str
    """Whose it is, ``""`` for everybody."""
    text: str
    rule: str
    when: str = ""
    """When it is looked at."""
    tallies: tuple[Tally, ...] = ()
    """What is counted; nothing where points decide."""
    met: bool = False
    """Whether it would be met if it were looked at now."""


class Stakes(msgspec.Struct, frozen=True):
    """What a game is about: the aims of both sides, the places that count and how long it lasts."""

    turn: int = 0
    turns: int = 0
    """The last turn; 0 where the game does not count them."""
    end: str = ""
    """When the game ends, in a sentence."""
    rule: str = ""
    """The rule that ends it."""
    aims: tuple[Aim, ...] = ()
    holdings: tuple[Holding, ...] = ()
