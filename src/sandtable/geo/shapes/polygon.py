"""Exact relations between points, segments and polygons with whole coordinates.

Nothing is rounded: where a place on a segment is a fraction it is kept as numerator and denominator. The
lattice of :mod:`sandtable.geo.vertex`, with outlines on a finer multiple of it, is the usual coordinate
system, but every function holds for any integer plane. A polygon is the tuple of its corners, in either
direction, not closed by repeating the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cmp_to_key
from itertools import pairwise
from typing import NamedTuple

__all__ = [
    "Point",
    "PointPosition",
    "Polygon",
    "Relation",
    "Share",
    "doubled_area",
    "is_simple",
    "locate",
    "orientation",
    "segment_and_polygon",
    "shares_area",
    "stretches",
]

Point = tuple[int, int]
Polygon = Sequence[Point]


class PointPosition(StrEnum):
    """Where a point lies as to a polygon."""

    INSIDE = "inside"
    BOUNDARY = "boundary"
    OUTSIDE = "outside"


class Relation(StrEnum):
    """How a segment meets a polygon; the strongest that holds."""

    CROSSES = "crosses"
    """It passes through the interior."""
    ALONG = "along"
    """It runs along a piece of an edge, and never inside."""
    EDGE = "edge"
    """It meets an edge between its ends, in single points, and never goes inside."""
    VERTEX = "vertex"
    """It meets corners only."""
    APART = "apart"


class Share(NamedTuple):
    """A place on a segment: ``over / under`` of the way from its start, ``under`` positive."""

    over: int
    under: int


def orientation(a: Point, b: Point, c: Point) -> int:
    """Positive if ``c`` lies to the right of the way from ``a`` to ``b`` with y downward, 0 if on its line."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def doubled_area(polygon: Polygon) -> int:
    """Twice the area; positive if the corners run clockwise with y downward."""
    return sum(polygon[index - 1][0] * y - x * polygon[index - 1][1] for index, (x, y) in enumerate(polygon))


def locate(point: Point, polygon: Polygon) -> PointPosition:
    """Whether a point lies inside, on the boundary of, or outside a polygon."""
    return _locate(point[0], point[1], 1, polygon)


def _locate(px: int, py: int, under: int, polygon: Polygon) -> PointPosition:
    """:func:`locate` for the point ``(px / under, py / under)``."""
    inside = False
    bx, by = polygon[-1][0] * under, polygon[-1][1] * under
    for corner in polygon:
        ax, ay = bx, by
        bx, by = corner[0] * under, corner[1] * under
        turn = (bx - ax) * (py - ay) - (by - ay) * (px - ax)
        if turn == 0 and min(ax, bx) <= px <= max(ax, bx) and min(ay, by) <= py <= max(ay, by):
            return PointPosition.BOUNDARY
        if (ay > py) != (by > py) and (turn > 0) == (by > ay):
            inside = not inside
    return PointPosition.INSIDE if inside else PointPosition.OUTSIDE


def _is_between(a: Point, b: Point, c: Point) -> bool:
    """Whether ``c``, known to be on the line of ``a`` and ``b``, lies on the segment."""
    return min(a[0], b[0]) <= c[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= c[1] <= max(a[1], b[1])


def _meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two segments have a point in common."""
    one, other = orientation(a, b, c), orientation(a, b, d)
    third, fourth = orientation(c, d, a), orientation(c, d, b)
    if (one > 0) != (other > 0) and (third > 0) != (fourth > 0) and one and other and third and fourth:
        return True
    return (
        (one == 0 and _is_between(a, b, c))
        or (other == 0 and _is_between(a, b, d))
        or (third == 0 and _is_between(c, d, a))
        or (fourth == 0 and _is_between(c, d, b))
    )


class _Side(NamedTuple):
    """A side of a polygon and the box around it."""

    a: Point
    b: Point
    left: int
    right: int
    top: int
    bottom: int

    @classmethod
    def between(cls, a: Point, b: Point) -> _Side:
        return cls(a, b, min(a[0], b[0]), max(a[0], b[0]), min(a[1], b[1]), max(a[1], b[1]))


def is_simple(polygon: Polygon) -> bool:
    """Whether no two sides meet except at the corner that they share, and the area is not nothing."""
    count = len(polygon)
    if count < 3 or doubled_area(polygon) == 0 or len(set(polygon)) != count:
        return False
    sides = [_Side.between(polygon[i], polygon[(i + 1) % count]) for i in range(count)]
    for i, (a, b, left, right, top, bottom) in enumerate(sides):
        after = polygon[(i + 2) % count]
        if orientation(a, b, after) == 0 and (_is_between(a, b, after) or _is_between(b, after, a)):
            return False
        for other in sides[i + 2 : count - (1 if i == 0 else 0)]:
            # Most sides lie far from one another, and that is quickly seen.
            is_near = other[2] <= right and other[3] >= left and other[4] <= bottom and other[5] >= top
            if is_near and _meet(a, b, other[0], other[1]):
                return False
    return True


def _compare(one: Share, other: Share) -> int:
    return one.over * other.under - other.over * one.under


def _meetings(a: Point, b: Point, polygon: Polygon) -> list[Share]:
    """Where the segment meets the boundary, in order, with both its own ends."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    found = {Share(0, 1), Share(1, 1)}
    for index, d in enumerate(polygon):
        c = polygon[index - 1]
        one, other = orientation(a, b, c), orientation(a, b, d)
        if (one > 0 and other > 0) or (one < 0 and other < 0):
            continue
        if one == other:
            ends = [Share((p[0] - a[0]) * dx + (p[1] - a[1]) * dy, length) for p in (c, d)]
        else:
            # On the edge the place is c + one / (one - other) of the way to d; turned into a share of a to b.
            under = one - other
            x = (c[0] - a[0]) * under + one * (d[0] - c[0])
            y = (c[1] - a[1]) * under + one * (d[1] - c[1])
            over = x * dx + y * dy
            ends = [Share(over, under * length) if under > 0 else Share(-over, -under * length)]
        found.update(share for share in ends if 0 <= share.over <= share.under)
    return sorted(found, key=cmp_to_key(_compare))


def _halfway(one: Share, other: Share) -> Share:
    return Share(one.over * other.under + other.over * one.under, 2 * one.under * other.under)


def _place_at(a: Point, b: Point, share: Share, polygon: Polygon) -> PointPosition:
    over, under = share
    x = a[0] * under + (b[0] - a[0]) * over
    y = a[1] * under + (b[1] - a[1]) * over
    return _locate(x, y, under, polygon)


def stretches(a: Point, b: Point, polygon: Polygon) -> Iterator[tuple[Share, Share, PointPosition]]:
    """The segment between two places, cut where it meets the boundary, with where each part lies."""
    for one, other in pairwise(_meetings(a, b, polygon)):
        if _compare(one, other):
            yield one, other, _place_at(a, b, _halfway(one, other), polygon)


def segment_and_polygon(a: Point, b: Point, polygon: Polygon) -> Relation:
    """How the segment from ``a`` to ``b`` meets the polygon."""
    if a == b:
        return _point_and_polygon(a, polygon)
    along = False
    for _, _, place in stretches(a, b, polygon):
        if place is PointPosition.INSIDE:
            return Relation.CROSSES
        along = along or place is PointPosition.BOUNDARY
    if along:
        return Relation.ALONG
    corners = {corner for corner in polygon if orientation(a, b, corner) == 0 and _is_between(a, b, corner)}
    points = {
        (a[0] * under + (b[0] - a[0]) * over, a[1] * under + (b[1] - a[1]) * over, under)
        for over, under in _meetings(a, b, polygon)
        if _place_at(a, b, Share(over, under), polygon) is PointPosition.BOUNDARY
    }
    if any(not (x % w == 0 and y % w == 0 and (x // w, y // w) in corners) for x, y, w in points):
        return Relation.EDGE
    return Relation.VERTEX if points else Relation.APART


def _point_and_polygon(point: Point, polygon: Polygon) -> Relation:
    if point in polygon:
        return Relation.VERTEX
    place = locate(point, polygon)
    if place is PointPosition.INSIDE:
        return Relation.CROSSES
    return Relation.EDGE if place is PointPosition.BOUNDARY else Relation.APART


def shares_area(one: Polygon, other: Polygon) -> bool:
    """Whether two polygons have some area in common: an edge of one runs inside the other, or they are the same."""
    if not (
        max(x for x, _ in one) > min(x for x, _ in other)
        and min(x for x, _ in one) < max(x for x, _ in other)
        and max(y for _, y in one) > min(y for _, y in other)
        and min(y for _, y in one) < max(y for _, y in other)
    ):
        return False
    pairs = ((one, other), (other, one))
    if any(segment_and_polygon(a[i - 1], a[i], b) is Relation.CROSSES for a, b in pairs for i in range(len(a))):
        return True
    x, y = _inside(one)
    return _locate(x, y, 3, other) is PointPosition.INSIDE


def _inside(polygon: Polygon) -> Point:
    """A place inside a polygon, three times as far out: the middle of an ear, of which every polygon has two."""
    for index, (x, y) in enumerate(polygon):
        (ax, ay), (bx, by) = polygon[index - 2], polygon[index - 1]
        middle = ax + bx + x, ay + by + y
        if _locate(*middle, 3, polygon) is PointPosition.INSIDE:
            return middle
    raise ValueError(polygon)
