"""A game that goes another way from here."""

from __future__ import annotations

from typing import TypeVar

from sandtable.core.dice import Dice
from sandtable.core.game import Game

S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")


def fork(game: Game[S, A, E], dice: Dice) -> Game[S, A, E]:
    """A game of its own that has come as far and goes on with ``dice``."""
    other = Game(game.ruleset, game.header, dice)
    other.lines += game.lines
    for state in game.states:
        other.states.append(state)
    return other
