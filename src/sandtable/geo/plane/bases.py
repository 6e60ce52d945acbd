"""Bases and templates: oriented rectangles, with their corners exact in units of 10^-9 of a thousandth of an inch.

Bases overlap if they have some area in common; to touch is not to overlap. A template strikes a base of which half or
more lies inside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import msgspec

from sandtable.geo.plane.headings import LENGTH, vector
from sandtable.geo.shapes.convex import hull
from sandtable.geo.shapes.polygon import Point as Corner
from sandtable.geo.shapes.polygon import doubled_area, shares_area

__all__ = ["FINE", "Base", "is_half_inside", "overlap", "run_into"]

FINE = LENGTH
"""Units of a corner in one thousandth of an inch."""


class Base(msgspec.Struct, frozen=True):
    """What a piece stands on: a rectangle somewhere on the table."""

    at: tuple[int, int]
    """Its centre."""
    heading: int
    """Which way its front looks."""
    width: int
    """Across its heading; an even number of units, as the depth is."""
    depth: int

    @property
    def reach(self) -> int:
        """No corner lies farther from the centre than so many units."""
        return (self.width + self.depth) // 2

    @property
    def corners(self) -> tuple[Corner, ...]:
        """Clockwise from the front left one, in fine units."""
        x, y = self.at[0] * FINE, self.at[1] * FINE
        fx, fy = vector(self.heading)
        ahead, aside = self.depth // 2, self.width // 2
        ax, ay, rx, ry = fx * ahead, fy * ahead, -fy * aside, fx * aside
        return (
            (x + ax - rx, y + ay - ry),
            (x + ax + rx, y + ay + ry),
            (x - ax + rx, y - ay + ry),
            (x - ax - rx, y - ay - ry),
        )

    @property
    def outline(self) -> tuple[Corner, ...]:
        """The corners in thousandths of an inch, for drawing."""
        return tuple((round(x / FINE), round(y / FINE)) for x, y in self.corners)


def overlap(one: Base, other: Base) -> bool:
    """Whether two bases have some area in common: no line along an edge of either lies between them."""
    (x, y), (ox, oy) = one.at, other.at
    # Asked of many that are far apart: the reach of both together.
    reach = (one.width + one.depth + other.width + other.depth) // 2
    if not (-reach <= x - ox <= reach and -reach <= y - oy <= reach):
        return False
    mine, theirs = one.corners, other.corners
    for fx, fy in (vector(one.heading), vector(other.heading)):
        for ax, ay in ((fx, fy), (-fy, fx)):
            ours = [ax * x + ay * y for x, y in mine]
            others = [ax * x + ay * y for x, y in theirs]
            if max(ours) <= min(others) or max(others) <= min(ours):
                return False
    return True


def is_half_inside(base: Base, template: Base) -> bool:
    """Whether half or more of a base lies inside a template.

    Then the base's centre does, for both are convex and the base is the same on all sides of it; and where the base
    reaches over one edge only, that is enough.
    """
    edges = list(_edges(template.corners))
    centre = base.at[0] * FINE, base.at[1] * FINE
    if any(_beyond(edge, centre) > 0 for edge in edges):
        return False
    corners = base.corners
    crossed = [edge for edge in edges if any(_beyond(edge, corner) > 0 for corner in corners)]
    if len(crossed) < 2:
        return True
    kept: list[tuple[Fraction, Fraction]] = [(Fraction(x), Fraction(y)) for x, y in corners]
    for edge in crossed:
        kept = _cut(kept, edge)
    area = abs(sum((a[0] * b[1] - b[0] * a[1] for a, b in pairwise([*kept, *kept[:1]])), Fraction(0)))
    return 2 * area >= abs(doubled_area(corners))


def run_into(start: Base, end: Base, outline: Sequence[tuple[int, int]]) -> bool:
    """Whether a base that goes straight from one place to another has area in common with an outline on the way."""
    return shares_area(hull((*start.corners, *end.corners)), [(x * FINE, y * FINE) for x, y in outline])


_Edge = tuple[Corner, Corner]


def _edges(corners: Sequence[Corner]) -> list[_Edge]:
    return [(corners[index - 1], corner) for index, corner in enumerate(corners)]


def _beyond(edge: _Edge, point: tuple[Fraction, Fraction] | Corner) -> Fraction | int:
    """Positive if a point lies outside an edge of a figure whose corners run clockwise."""
    (ax, ay), (bx, by) = edge
    return (by - ay) * (point[0] - ax) - (bx - ax) * (point[1] - ay)


def _cut(corners: Sequence[tuple[Fraction, Fraction]], edge: _Edge) -> list[tuple[Fraction, Fraction]]:
    """A convex figure without what lies beyond an edge."""
    kept = []
    over = [_beyond(edge, corner) for corner in corners]
    for index, (x, y) in enumerate(corners):
        before, here = over[index - 1], over[index]
        if (before > 0 > here) or (before < 0 < here):
            share = Fraction(before) / (before - here)
            ox, oy = corners[index - 1]
            kept.append((ox + share * (x - ox), oy + share * (y - oy)))
        if here <= 0:
            kept.append((x, y))
    return kept
