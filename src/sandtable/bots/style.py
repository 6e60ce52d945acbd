"""How a bot plays: characters differ in what they weigh, levels in how far and how wide they look.

A character never changes what a bot may know and a level never changes what it wants, so that the two can be chosen
apart: ``captain:3:cautious`` thinks hard and takes care.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

__all__ = ["CHARACTERS", "LEVELS", "Character", "Level", "Style"]


class Character(StrEnum):
    """How a computer player leads: what it risks and what it shuns."""

    CAUTIOUS = "cautious"
    STEADY = "steady"
    BOLD = "bold"


class Style(NamedTuple):
    """What a character weighs."""

    care: float
    """Weight of the losses that he expects to take, 1 for an even exchange."""
    drive: float
    """Weight of ground: objectives, and the way there."""
    patience: float
    """Weight of waiting in a good place, on the watch."""
    plans: bool = True
    """Whether the force is led as one, or each looks to itself."""
    level: int = 2
    """How well he knows his trade: a doctrine may spare a beginner some of its finer points."""


CHARACTERS: dict[Character, Style] = {
    Character.CAUTIOUS: Style(care=1.35, drive=0.85, patience=1.3),
    Character.STEADY: Style(care=1.0, drive=1.0, patience=1.0),
    Character.BOLD: Style(care=0.7, drive=1.2, patience=0.75),
}


class Level(NamedTuple):
    """How much a captain thinks. Counted in looks ahead, not in seconds, so that a game can be played again."""

    breadth: int
    """Answers that are compared by looking ahead."""
    worlds: int
    """Imagined worlds in which the last few of them are tried."""
    looks: int
    """Looks ahead in all, for a question that settles a whole turn: an assignment."""
    answer_looks: int
    """Looks ahead for any other."""
    steps: int = 1500
    """Answers played in imagined worlds for one question, those of all looks together: a large force takes more to a
    look, and so has fewer looks."""
    horizons: int = 1
    """How far a look goes, counted in what the doctrine takes for far enough."""
    slips: float = 0.0
    """How far first sight is led astray, in units of the doctrine's doubt: what makes a beginner."""


LEVELS: dict[int, Level] = {
    1: Level(breadth=4, worlds=6, looks=36, answer_looks=0, slips=0.4),
    2: Level(breadth=8, worlds=12, looks=100, answer_looks=28),
    3: Level(breadth=14, worlds=24, looks=280, answer_looks=72, steps=2000),
}
