"""Dice for imagined worlds: a roll depends on what it is for, not on how many were rolled before.

When two answers are compared in the same world, a shot that is fired in both hits or misses in both; dice from a plain
stream would fall differently after the first roll that only one of them makes, and drown the difference in luck. And
over the worlds of one question the rolls for one purpose are spread evenly: of ten worlds, a shot that hits six times
in ten hits in about six. Each purpose steps through its range by an irrational step of its own.
"""

from __future__ import annotations

from hashlib import blake2b

from sandtable.core.dice import Cuts, DiceSpec, Roll

__all__ = ["CommonDice"]

_STEPS = tuple(prime**0.5 % 1 for prime in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53))


class CommonDice:
    """The rolls of one imagined world."""

    def __init__(self, question: int, world: int) -> None:
        self._salt = question.to_bytes(8, "big")
        self._world = world
        self._rolled: dict[str, int] = {}

    def roll(self, dice: DiceSpec, why: str, cuts: Cuts = None) -> Roll:  # noqa: ARG002
        """The roll that is fated for this purpose, the n-th time that it comes up."""
        number = self._rolled.get(why, 0)
        self._rolled[why] = number + 1
        faces = []
        for die in range(dice.number):
            seed = blake2b(f"{why}/{number}/{die}".encode(), digest_size=8, key=self._salt).digest()
            start = int.from_bytes(seed[1:], "big") / 2**56
            place = (start + self._world * _STEPS[seed[0] % len(_STEPS)]) % 1
            faces.append(1 + int(place * dice.sides))
        return Roll(dice, tuple(faces), why)
