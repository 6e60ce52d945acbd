"""1.5.0 The Rounding Rule: up unless a rule says otherwise, to the nearest with halves up where one asks for it."""

from __future__ import annotations

from fractions import Fraction

from sandtable.core.content.rule import rule

__all__ = ["nearest", "rounded_up"]


@rule("1.5.0")
def rounded_up(number: Fraction | int) -> int:
    """The next whole number (1.5.0)."""
    return -(-number // 1)


def nearest(number: Fraction | int) -> int:
    """The nearest whole number, a half going up; only where a rule asks for it (1.5.0)."""
    return (number + Fraction(1, 2)) // 1
