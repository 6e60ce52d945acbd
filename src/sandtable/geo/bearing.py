"""Bearings: which way things lie as seen from a centre, and the arcs that hexes and hexsides fill, in whole numbers.

A bearing is a number that grows clockwise from north, the same for all points that lie the same way. A line from the
centre of one hex to that of another passes through a third that is nearer exactly if its bearing is within the third's
arc. So what an obstacle hides from a hex is one run of the others, put in the order of their bearings.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from sandtable.geo.hex import DIRECTIONS, Hex, distance
from sandtable.geo.vertex import VERTEX_OFFSETS

__all__ = ["HALF_TURN", "RAYS", "Arc", "SideArc", "bearing", "hex_arc", "side_arc"]

HALF_TURN: Final = 1 << 28
"""What is added to a bearing between north and south to get the one that points the other way."""
_QUARTER: Final = HALF_TURN // 2
"""Bearings that differ at all differ by 4 or more as long as no line is 1,000 hexes long."""
_ORIGIN: Final = Hex(0, 0)


class Arc(NamedTuple):
    """The bearings between two others, neither included; ``first`` is the greater if north is among them."""

    first: int
    last: int

    def __contains__(self, bearing: object) -> bool:
        if not isinstance(bearing, int):
            return False
        if self.first < self.last:
            return self.first < bearing < self.last
        return bearing > self.first or bearing < self.last


class SideArc(NamedTuple):
    """The lines that meet a hexside of a hex."""

    arc: Arc | None
    """The bearings of those that cross it; None if it lies along a line."""
    leaves: bool
    """Whether they leave the hex there; else they enter it."""
    rays: tuple[int, ...]
    """Those of :data:`RAYS` that meet it: they run along it, or begin or end to run along others in its vertex."""
    near: int
    """Distance of the nearer of the hexes that share it ..."""
    far: int
    """... and of the other."""
    behind: Hex
    """The hex that the lines across it enter."""


def bearing(x: int, y: int) -> int:
    """The bearing of a point of the lattice from its origin."""
    if x >= 0:
        return y * _QUARTER // (x + abs(y))
    around = abs(y) - x
    return (2 * around - y) * _QUARTER // around


RAYS: Final = frozenset(bearing(x, y) for x, y in VERTEX_OFFSETS)
"""Bearings of the vertices of the hex at the origin: the lines that run along hexsides."""


_UTMOST: Final = tuple(tuple(VERTEX_OFFSETS[(sixth + turn) % 6] for turn in (5, 0, 2, 3)) for sixth in range(6))
"""Vertices of a hex of which either may be the utmost, two to the left and two to the right."""


def _step(one: int, other: int) -> tuple[int, int]:
    (ax, ay), (bx, by) = VERTEX_OFFSETS[one % 6], VERTEX_OFFSETS[other % 6]
    return bx - ax, by - ay


_AROUND: Final = tuple(
    (_step(way, way - 1), VERTEX_OFFSETS[way], VERTEX_OFFSETS[(way + 1) % 6], _step(way + 1, way + 2))
    for way in range(6)
)
"""The vertices of each hexside of a hex, and on either side of them the way to the next vertex."""


def hex_arc(q: int, r: int) -> Arc:
    """The bearings of lines from the origin that pass through a hex or run along one of its hexsides."""
    x, y = 3 * q, 2 * r + q
    # By the sixth of the circle in which it lies, either of two vertices is the utmost on each side.
    one, other, three, four = _UTMOST[_sixth(q, r)]
    ax, ay, bx, by = x + one[0], y + one[1], x + other[0], y + other[1]
    first = bearing(ax, ay) if ax * by >= ay * bx else bearing(bx, by)
    ax, ay, bx, by = x + three[0], y + three[1], x + four[0], y + four[1]
    last = bearing(bx, by) if ax * by >= ay * bx else bearing(ax, ay)
    return Arc(first - (first in RAYS), last + (last in RAYS))


def side_arc(q: int, r: int, direction: int) -> SideArc:
    """The lines from the origin that meet the hexside of a hex in a direction.

    A line that passes from the one hex into the other exactly through a vertex crosses the side between them.
    """
    x, y = 3 * q, 2 * r + q
    before, (ax, ay), (bx, by), after = _AROUND[direction]
    one, other = (x + ax, y + ay), (x + bx, y + by)
    first, last = bearing(*one), bearing(*other)
    rays = tuple(ray for ray in (first, last) if ray in RAYS)
    dq, dr = DIRECTIONS[direction]
    here, there = Hex(q, r), Hex(q + dq, r + dr)
    ranges = distance(_ORIGIN, here), distance(_ORIGIN, there)
    turn = one[0] * other[1] - one[1] * other[0]
    if turn == 0:
        return SideArc(None, False, rays[:1], min(ranges), max(ranges), there)
    opens, closes = _grazes(one, before, (ax, ay)), _grazes(other, after, (bx, by))
    if turn > 0:
        return SideArc(Arc(first - opens, last + closes), True, rays, min(ranges), max(ranges), there)
    return SideArc(Arc(last - closes, first + opens), False, rays, min(ranges), max(ranges), here)


def _grazes(vertex: tuple[int, int], *others: tuple[int, int]) -> bool:
    """Whether a line through the end of a hexside passes from one of its hexes into the other.

    It does if the two other hexsides that meet in the vertex lie on one side of the line.
    """
    (x, y), ((ax, ay), (bx, by)) = vertex, others
    return (ax * y - ay * x) * (bx * y - by * x) > 0


def _sixth(q: int, r: int) -> int:
    """The direction that a hex lies in, or clockwise from it up to the next."""
    around = q + r
    if q >= 0 and around < 0:
        return 0
    if r < 0 <= around:
        return 1
    if r >= 0 and q > 0:
        return 2
    if q <= 0 < around:
        return 3
    return 4 if r > 0 else 5
