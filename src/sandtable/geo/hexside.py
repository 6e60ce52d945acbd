"""Hexsides: one identity for the side that two hexes share.

A hexside is the hex on its south or west, with direction 0, 1 or 2; asked for by either of its hexes it is
the same value, so it can be the key of a dict.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from sandtable.geo.hex import NEIGHBOURS, Hex, direction_to

__all__ = ["SIDES", "Hexside", "hexes_of", "hexside", "hexsides", "side_between", "translate_side"]


class Hexside(NamedTuple):
    """A hexside in its canonical form: ``dir`` is 0, 1 or 2. Make one with :func:`hexside`."""

    hex: Hex
    dir: int


class _Sides(dict[Hex, tuple[Hexside, ...]]):
    """The six sides of every hex asked for so far: a pure function, remembered."""

    def __missing__(self, hex: Hex) -> tuple[Hexside, ...]:
        around = NEIGHBOURS[hex]
        six = (
            Hexside(hex, 0),
            Hexside(hex, 1),
            Hexside(hex, 2),
            Hexside(around[3], 0),
            Hexside(around[4], 1),
            Hexside(around[5], 2),
        )
        self[hex] = six
        return six


SIDES: Final = _Sides()
"""``SIDES[hex][direction]``: the quickest way to a hexside in a tight loop."""


def hexside(hex: Hex, direction: int) -> Hexside:
    """The side of ``hex`` in ``direction``."""
    return SIDES[hex][direction]


def hexsides(hex: Hex) -> tuple[Hexside, ...]:
    """The six sides of ``hex``, clockwise from north."""
    return SIDES[hex]


def hexes_of(side: Hexside) -> tuple[Hex, Hex]:
    """The two hexes that share the side, that of its identity first."""
    hex, direction = side
    return hex, NEIGHBOURS[hex][direction]


def side_between(a: Hex, b: Hex) -> Hexside | None:
    """The side that two hexes share; ``None`` if they are not adjacent."""
    direction = direction_to(a, b)
    return None if direction is None else SIDES[a][direction]


def translate_side(side: Hexside, by: Hex) -> Hexside:
    """The side moved with its hexes."""
    (q, r), direction = side
    return Hexside(Hex(q + by[0], r + by[1]), direction)
