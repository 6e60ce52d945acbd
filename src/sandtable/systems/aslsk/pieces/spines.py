"""3.2.4 Hexspines: what Guns, hulls and turrets point at.

A hexspine is named 0 to 5 clockwise: number ``n`` joins the neighbours in the directions ``n`` and ``n + 1``, so 0 lies
between north and north-east and is written ``N/NE``.
"""

from __future__ import annotations

from sandtable.geo.hex import DIRECTION_NAMES, NEIGHBOURS, Hex

__all__ = ["SPINES", "SPINE_NAMES", "spine_between", "spine_name", "spine_named", "spines_apart"]

SPINES = range(6)
"""All hexspines of a hex."""
_NAMES = tuple(f"{DIRECTION_NAMES[spine]}/{DIRECTION_NAMES[(spine + 1) % 6]}" for spine in SPINES)
SPINE_NAMES = f"one of {', '.join(_NAMES)}"
"""All of them in words."""


def spine_name(spine: int) -> str:
    """A hexspine by the directions that it lies between."""
    return _NAMES[spine]


def spine_named(name: str) -> int | None:
    """The hexspine of a name; None if there is none such."""
    return _NAMES.index(name) if name in _NAMES else None


def spine_between(hex: Hex, a: Hex, b: Hex) -> int | None:
    """The hexspine of a hex that joins two of its neighbours; None if none does (3.2.4)."""
    around = NEIGHBOURS[hex]
    for spine in SPINES:
        if {around[spine], around[(spine + 1) % 6]} == {a, b}:
            return spine
    return None


def spines_apart(a: int, b: int) -> int:
    """How many hexspines lie between two, the shorter way (3.2.4)."""
    apart = abs(a - b) % 6
    return min(apart, 6 - apart)
