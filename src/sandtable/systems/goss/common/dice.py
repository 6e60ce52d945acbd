"""1.5.0 The ten-sided die: its faces are 0 to 9, and its zero is none."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from sandtable.core.content.rule import rule
from sandtable.core.dice import DiceSpec, Kinds
from sandtable.systems.goss.common.handler import Play

__all__ = ["roll_d10", "roll_percent"]

_D10 = DiceSpec(1, 10)
_D100 = DiceSpec(1, 100)


@rule("26.0")
def roll_d10(play: Play, why: str, told_apart: Callable[[int], Hashable] | None = None) -> int:
    """A die, 0 to 9; ``told_apart`` says which results come to the same."""
    cuts = None if told_apart is None else Kinds(lambda face: told_apart(face - 1))
    return play.dice.roll(_D10, why, cuts).total - 1


@rule("26.0")
def roll_percent(play: Play, why: str, told_apart: Callable[[int], Hashable]) -> int:
    """Two dice read as tens and ones, 0 to 99 (1.5.0)."""
    return play.dice.roll(_D100, why, Kinds(lambda face: told_apart(face - 1))).total - 1
