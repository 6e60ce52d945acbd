"""Range factors and the rows of a Data Card that go by them (3.5.2, 4.4.3.2.1)."""

from __future__ import annotations

from enum import StrEnum

import msgspec

__all__ = ["RangeFactor", "Row"]


class RangeFactor(StrEnum):
    """Pointblank, Short, Medium, Long, Extreme (4.4.3.2.1)."""

    P = "P"
    S = "S"
    M = "M"
    L = "L"
    E = "E"


_P, _S, _M, _L, _E = RangeFactor
"""Names are looked up quicker than members of enums."""


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Five values of a card, one a range factor."""

    P: int
    S: int
    M: int
    L: int
    E: int

    def of(self, factor: RangeFactor) -> int:
        """The value under ``factor``."""
        value: int = getattr(self, factor.value)
        return value

    def reached(self, distance: int) -> RangeFactor | None:
        """First column whose value reaches a distance; none beyond E (3.5.2, 4.4.3.2.1)"""
        # Asked at every shot, mostly of the first columns.
        if distance <= self.P:
            return _P
        if distance <= self.S:
            return _S
        if distance <= self.M:
            return _M
        if distance <= self.L:
            return _L
        return _E if distance <= self.E else None
