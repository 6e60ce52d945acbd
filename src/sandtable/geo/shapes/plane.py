"""The plane without a grid, for miniatures: points, headings and arcs in whole numbers.

A point is in the smallest unit of measure of the game (say a hundredth of an inch), x to the right and y
down. Distances are compared by their squares and rounded from integer square roots; a heading is a
whole-number vector; arcs compare squares of cosines. So two machines never disagree about what is in range.
"""

from __future__ import annotations

from enum import IntEnum
from math import isqrt
from typing import Final, NamedTuple

__all__ = [
    "HEADINGS",
    "Arc",
    "Heading",
    "Point",
    "compare_distance",
    "distance_squared",
    "is_within",
    "units_between",
    "vector_in_arc",
]


class Point(NamedTuple):
    """A place on the table."""

    x: int
    y: int


class Heading(NamedTuple):
    """A direction on the table; only the direction of the vector counts, not its length."""

    dx: int
    dy: int

    def opposite(self) -> Heading:
        """The heading the other way."""
        return Heading(-self.dx, -self.dy)

    def quarter_right(self) -> Heading:
        """The heading 90 degrees clockwise."""
        return Heading(-self.dy, self.dx)


# One quarter in steps of 15 degrees, as millionths; the rest follows by exact quarter turns.
_QUARTER: Final = (
    Heading(0, -1_000_000),
    Heading(258_819, -965_926),
    Heading(500_000, -866_025),
    Heading(707_107, -707_107),
    Heading(866_025, -500_000),
    Heading(965_926, -258_819),
)


def _all_headings() -> tuple[Heading, ...]:
    found = list(_QUARTER)
    while len(found) < 24:
        found.append(found[-6].quarter_right())
    return tuple(found)


HEADINGS: Final = _all_headings()
"""The 24 headings in steps of 15 degrees, clockwise from north."""


class Arc(IntEnum):
    """Half angles, in degrees, whose squared cosine is a simple fraction, so that edges are exact."""

    D30 = 30
    D45 = 45
    D60 = 60
    D90 = 90
    D120 = 120
    D135 = 135
    D150 = 150


# Squared cosine in quarters, with the sign of the cosine.
_COSINE: Final = {
    Arc.D30: 3,
    Arc.D45: 2,
    Arc.D60: 1,
    Arc.D90: 0,
    Arc.D120: -1,
    Arc.D135: -2,
    Arc.D150: -3,
}


def distance_squared(a: Point, b: Point) -> int:
    """Square of the distance between two points."""
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def is_within(a: Point, b: Point, reach: int) -> bool:
    """Whether two points are at most ``reach`` apart."""
    return reach >= 0 and distance_squared(a, b) <= reach * reach


def compare_distance(a: Point, b: Point, c: Point, d: Point) -> int:
    """Negative, zero or positive as ``a`` and ``b`` are closer, as close or farther apart than ``c`` and ``d``."""
    return distance_squared(a, b) - distance_squared(c, d)


def units_between(a: Point, b: Point, unit: int) -> int:
    """Distance in whole ``unit``, a part of one counting as one."""
    squared = distance_squared(a, b)
    units = isqrt(squared) // unit
    return units if squared <= (units * unit) ** 2 else units + 1


def vector_in_arc(heading: Heading, origin: Point, target: Point, half_angle: Arc) -> bool:
    """Whether ``target`` lies within ``half_angle`` of the heading, edges included; the origin itself always does."""
    dx, dy = target[0] - origin[0], target[1] - origin[1]
    dot = heading[0] * dx + heading[1] * dy
    lengths = (heading[0] ** 2 + heading[1] ** 2) * (dx * dx + dy * dy)
    square = 4 * dot * dot if dot >= 0 else -4 * dot * dot
    return square >= _COSINE[half_angle] * lengths
