"""1.4 Dice: a dice roll (DR) of a coloured and a white die, a die roll (dr) of one, and random selection.

The faces of a DR are (coloured, white). Where a rule looks at the total only, ``cuts`` tells exact odds so.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core.content.rule import rule
from sandtable.core.dice import DiceSpec, Roll
from sandtable.systems.aslsk.common.context import Play

__all__ = ["BOXCARS", "DR", "SINGLE", "SNAKE_EYES", "one_of", "roll_dr", "roll_single"]

DR = DiceSpec(2, 6)
SINGLE = DiceSpec(1, 6)
SNAKE_EYES, BOXCARS = 2, 12
"""The least and the highest original DR."""


@rule("1.4")
def roll_dr(play: Play, why: str, cuts: Sequence[int] | None = None) -> Roll:
    """A DR; without cuts the coloured die matters (1.4)."""
    return play.dice.roll(DR, why, cuts)


def roll_single(play: Play, why: str, cuts: Sequence[int] | None = None) -> int:
    """A dr (1.4)."""
    return play.dice.roll(SINGLE, why, cuts).total


def one_of(play: Play, number: int, why: str) -> int:
    """Index of one of so many things, each as likely as the others; nothing is rolled for one alone (3.2.3)."""
    return 0 if number == 1 else play.dice.roll(DiceSpec(1, number), why).total - 1
