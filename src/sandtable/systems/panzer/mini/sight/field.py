"""What is seen from a place, on a lattice of points an inch apart: for showing, and for those who fear to be seen."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.geo.plane.points import INCH, Point
from sandtable.geo.plane.table import TableMap
from sandtable.systems.panzer.mini.sight.lines import Sights

__all__ = ["lattice", "seen_from"]

_HALF = INCH // 2


def lattice(table: TableMap) -> Iterator[list[Point]]:
    """The middles of all squares of an inch, row by row."""
    for y in range(_HALF, table.depth, INCH):
        yield [Point(x, y) for x in range(_HALF, table.width, INCH)]


def seen_from(sights: Sights, table: TableMap, at: Point) -> list[tuple[Point, ...]]:
    """The squares whose middles are seen from a place, those beside each other in a row as one strip."""
    found: list[tuple[Point, ...]] = []
    for row in lattice(table):
        start: Point | None = None
        for point in (*row, None):
            if point is not None and sights.sees(at, point):
                start = start or point
            elif start is not None:
                end = (point.x if point is not None else row[-1].x + INCH) - _HALF
                found.append(_strip(start, end))
                start = None
    return found


def _strip(start: Point, right: int) -> tuple[Point, ...]:
    left, top, bottom = start.x - _HALF, start.y - _HALF, start.y + _HALF
    return Point(left, top), Point(right, top), Point(right, bottom), Point(left, bottom)
