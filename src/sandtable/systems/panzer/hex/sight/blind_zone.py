"""Blind zones behind an obstacle that is lower than one vehicle and higher than the other (4.1.4.2.4, 4.1.4.2.4.1).

The pack's tables hold the divisors; this works out a zone from them. The zone is measured from the higher vehicle,
so it is the same whichever of the two is spotting.
"""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table

__all__ = ["BlindZones"]

_LEAST_DIVISOR = 2


class BlindZones:
    """Blind zones by the tables of a book (4.1.4.2.4)"""

    def __init__(self, tables: Mapping[str, Table]) -> None:
        self._zones = tables["blind_zone"]
        self._adjustments = tables["blind_zone_divisor_adjustment"]
        self._known: dict[tuple[int, int], tuple[int | None, int]] = {}

    @rule("4.1.4.2.4")
    def zone(self, below: int, lower: int, range_hexes: int) -> int:
        """Hexes hidden behind an obstacle ``below`` Heights under the higher vehicle, at that range (4.1.4.2.4)"""
        hexes, divisor = self._known.get((below, lower)) or self._row(below, lower)
        return max(1, range_hexes // divisor) if hexes is None else hexes

    @rule("4.1.4.2.4")
    def least_range(self, below: int, lower: int, hidden: int) -> int | None:
        """The least range at which such an obstacle hides so many hexes; None if it never does (4.1.4.2.4)"""
        hexes, divisor = self._known.get((below, lower)) or self._row(below, lower)
        if hidden <= (1 if hexes is None else hexes):
            return 0
        return hidden * divisor if hexes is None else None

    def _row(self, below: int, lower: int) -> tuple[int | None, int]:
        """A fixed number of hexes, or the divisor."""
        hexes = self._zones.lookup(below, "hexes")
        row = (hexes, 1) if isinstance(hexes, int) else (None, self.divisor(below, lower))
        self._known[below, lower] = row
        return row

    @rule("4.1.4.2.4.1")
    def divisor(self, below: int, lower: int) -> int:
        """The divisor, adjusted by the Height of the lower vehicle (4.1.4.2.4.1)"""
        return max(_LEAST_DIVISOR, self._zones.number(below, "divisor") + self._adjustments.number(lower))
