"""A straight line over outlines: where it runs inside, how far, and in which zone.

A line meets an outline where it runs inside it or along an edge of it, not where it touches a single corner. Places
on the line are shares of its length, so how long it runs inside is compared by squares, and nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum
from fractions import Fraction

from sandtable.geo.plane.points import INCH, square
from sandtable.geo.shapes.convex import Stretch
from sandtable.geo.shapes.polygon import Point, PointPosition, stretches

__all__ = [
    "Zone",
    "cuts_of",
    "is_crossed",
    "is_longer",
    "shared",
    "spans_inside",
    "zone_at",
    "zones_of",
]

_START, _END = Fraction(0), Fraction(1)


class Zone(IntEnum):
    """A part of a line: within an inch of its middle, before that or after it."""

    CLOSE = 0
    MIDWAY = 1
    FAR = 2


def spans_inside(a: Point, b: Point, outline: Sequence[Point]) -> list[Stretch]:
    """Where the line from ``a`` to ``b`` runs inside an outline or along its edge, in order, as shares of the line."""
    (ax, ay), (bx, by) = a, b
    dx, dy = bx - ax, by - ay
    sides = [dx * (y - ay) - dy * (x - ax) for x, y in outline]
    if min(sides) > 0 or max(sides) < 0 or (dx == 0 and dy == 0):
        return []
    if 0 in sides:
        return _past_corners(a, b, outline)
    # No corner lies on the line, so it crosses from outside to inside and back at every edge that it meets.
    whole = dx * dx + dy * dy
    inside = False
    found: list[Fraction] = []
    for index, side in enumerate(sides):
        before = sides[index - 1]
        if (before > 0) != (side > 0):
            (ox, oy), (x, y) = outline[index - 1], outline[index]
            under = before - side
            over = ((ox - ax) * under + before * (x - ox)) * dx + ((oy - ay) * under + before * (y - oy)) * dy
            if under < 0:
                under, over = -under, -over
            if over <= 0:
                inside = not inside
            elif over < under * whole:
                found.append(Fraction(over, under * whole))
    found.sort()
    if inside:
        found.insert(0, _START)
    if len(found) % 2:
        found.append(_END)
    return list(zip(found[::2], found[1::2], strict=True))


def is_crossed(a: Point, b: Point, outline: Sequence[Point], off: int) -> bool:
    """Whether an edge crosses the line from ``a`` to ``b`` farther than so many units from both its ends.

    Quicker than :func:`spans_inside`, and less sure: where a corner lies on the line it may miss it.
    """
    (ax, ay), (bx, by) = a, b
    dx, dy = bx - ax, by - ay
    whole = dx * dx + dy * dy
    ox, oy = outline[-1]
    before = dx * (oy - ay) - dy * (ox - ax)
    for x, y in outline:
        side = dx * (y - ay) - dy * (x - ax)
        if (before > 0 > side) or (before < 0 < side):
            under = before - side
            over = ((ox - ax) * under + before * (x - ox)) * dx + ((oy - ay) * under + before * (y - oy)) * dy
            if under < 0:
                under, over = -under, -over
            # Of the line's length it is over / (under * whole) to here.
            rest = under * whole - over
            least = (off * under) ** 2 * whole
            if over > 0 and rest > 0 and over * over > least and rest * rest > least:
                return True
        ox, oy, before = x, y, side
    return False


def _past_corners(a: Point, b: Point, outline: Sequence[Point]) -> list[Stretch]:
    """The spans where corners lie on the line: each part between them is looked at by itself."""
    found: list[Stretch] = []
    for one, other, place in stretches(a, b, outline):
        if place is not PointPosition.OUTSIDE:
            start, end = Fraction(*one), Fraction(*other)
            if found and found[-1][1] == start:
                start = found.pop()[0]
            found.append((start, end))
    return found


def cuts_of(found: Iterable[Iterable[Stretch]]) -> list[Fraction]:
    """Where a line is cut by the spans of some outlines, its ends among them, in order and each once."""
    inside = [cut for spans in found for span in spans for cut in span if cut is not _START and cut is not _END]
    inside.sort()
    cuts = [_START]
    for cut in inside:
        if cut != cuts[-1]:
            cuts.append(cut)
    if cuts[-1] != _END:
        cuts.append(_END)
    return cuts


def shared(spans: Iterable[Stretch]) -> Fraction:
    """What share of the line some spans that do not overlap are together."""
    return sum((end - start for start, end in spans), _START)


def is_longer(a: Point, b: Point, share: Fraction, units: int) -> bool:
    """Whether a share of the line from ``a`` to ``b`` is longer than so many units."""
    return share.numerator**2 * square(a, b) > (units * share.denominator) ** 2


def zone_at(a: Point, b: Point, share: Fraction) -> Zone:
    """The zone of a place on the line; what lies an inch from the middle is still midway."""
    off = 2 * share.numerator - share.denominator
    if off**2 * square(a, b) <= (2 * INCH * share.denominator) ** 2:
        return Zone.MIDWAY
    return Zone.FAR if off > 0 else Zone.CLOSE


def zones_of(a: Point, b: Point, span: Stretch) -> tuple[Zone, ...]:
    """The zones that a span of the line lies in, from ``a`` on."""
    return tuple(Zone)[zone_at(a, b, span[0]) : zone_at(a, b, span[1]) + 1]
