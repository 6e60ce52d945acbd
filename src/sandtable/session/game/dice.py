"""Live dice: each roll comes from the operating system's generator at the moment it is made.

There is no seed, so neither a player who saw thousands of rolls nor one who reads the server's memory
learns anything about dice to come.
"""

from __future__ import annotations

from secrets import randbelow

from sandtable.core.dice import Cuts, DiceSpec, Roll

__all__ = ["SystemDice"]


class SystemDice:
    """Dice for play on a server."""

    def roll(self, dice: DiceSpec, why: str, cuts: Cuts = None) -> Roll:  # noqa: ARG002
        """Roll."""
        return Roll(dice, tuple(1 + randbelow(dice.sides) for _ in range(dice.number)), why)
