"""Convex figures with whole coordinates: hulls, clipping, and which side of a thread they lie on.

A thread is a straight segment without width. Something is visible on both sides of it where it lies to the left
and to the right of the same stretch; :func:`flanks` gives the stretches for each side, :func:`overlap` says
whether they have more than single points in common.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from sandtable.geo.shapes.polygon import Point

__all__ = ["Stretch", "Stretches", "flanks", "hull", "hull_of_columns", "overlap"]

Stretch = tuple[Fraction, Fraction]
"""Where a stretch of a thread begins and ends, as shares of its length."""
Stretches = list[Stretch]
_START, _END = Fraction(0), Fraction(1)


def hull(points: Iterable[Point]) -> tuple[Point, ...]:
    """Corners of the smallest convex figure that holds all the points, those inside its edges left out."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return tuple(ordered)
    return (*_chain(ordered), *_chain(ordered[::-1]))


def hull_of_columns(reach: Mapping[int, tuple[int, int]]) -> tuple[Point, ...]:
    """The hull of points of which for every x only the least and the greatest y are given."""
    xs = sorted(reach)
    there = [(x, reach[x][0]) for x in xs]
    if len(xs) < 2:
        return tuple(there)
    back = [(x, reach[x][1]) for x in reversed(xs)]
    corners = [*_chain([*there, back[0]]), *_chain([*back, there[0]])]
    return tuple(dict.fromkeys(corners))


def _chain(ordered: Sequence[Point]) -> list[Point]:
    """One half of the hull, without its last point."""
    chain: list[Point] = []
    for x, y in ordered:
        while len(chain) > 1:
            (ax, ay), (bx, by) = chain[-2], chain[-1]
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                break
            chain.pop()
        chain.append((x, y))
    return chain[:-1]


def flanks(figures: Iterable[Sequence[Point]], a: Point, b: Point) -> tuple[Stretches, Stretches]:
    """Where convex figures lie to the left of the thread from ``a`` to ``b``, and where to the right.

    A figure that the thread runs through lies on both sides; one whose edge it runs along lies on one.
    """
    left: Stretches = []
    right: Stretches = []
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    for figure in figures:
        sides = [dx * (y - a[1]) - dy * (x - a[0]) for x, y in figure]
        lowest, highest = min(sides), max(sides)
        if lowest > 0 or highest < 0:
            continue
        shares: list[Fraction] = []
        for index, (x, y) in enumerate(figure):
            before, here = sides[index - 1], sides[index]
            if here == 0:
                shares.append(Fraction((x - a[0]) * dx + (y - a[1]) * dy, length))
            elif (before > 0 > here) or (before < 0 < here):
                ox, oy = figure[index - 1]
                under = before - here
                over = ((ox - a[0]) * under + before * (x - ox)) * dx + ((oy - a[1]) * under + before * (y - oy)) * dy
                shares.append(Fraction(over, under * length))
        stretch = max(min(shares), _START), min(max(shares), _END)
        if stretch[0] < stretch[1]:
            if lowest < 0:
                left.append(stretch)
            if highest > 0:
                right.append(stretch)
    return left, right


def overlap(one: Stretches, other: Stretches) -> bool:
    """Whether two sets of stretches have a stretch in common."""
    return any(max(a, c) < min(b, d) for a, b in one for c, d in other)
