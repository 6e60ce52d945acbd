"""3.2 Reading the Dice."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.dice import DiceSpec

__all__ = ["D10", "D100", "read_percentile"]

D100 = DiceSpec(1, 100)
"""Roll (100): two ten-sided dice read as 1 to 100."""
D10 = DiceSpec(1, 10)
"""Roll (10): one ten-sided die, its 0 read as 10."""


@rule("3.2")
def read_percentile(tens: int, units: int) -> int:
    """Two ten-sided dice as one number: 2 and 7 are 27, 0 and 1 are 1, 0 and 0 are 100 (3.2)."""
    return 10 * (tens % 10) + units % 10 or 100
