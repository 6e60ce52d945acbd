"""Many outlines, indexed for lines: boxes in a grid, then the box of each, then exactly.

A line is walked through the squares of a grid, each of which knows the outlines whose boxes reach into it. What comes
near is cast out by its box against the line; what is left is asked exactly. Whole numbers throughout.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandtable.geo.plane.lines import spans_inside
from sandtable.geo.shapes.convex import Stretch
from sandtable.geo.shapes.polygon import Point, PointPosition, locate

__all__ = ["Shapes"]

_SQUARE = 4000
"""Side of a square of the grid."""


class Shapes:
    """Outlines that do not change, by their numbers."""

    __slots__ = ("_boxes", "_grid", "outlines")

    def __init__(self, outlines: Sequence[Sequence[Point]]) -> None:
        self.outlines = tuple(map(tuple, outlines))
        self._boxes: list[tuple[int, int, int, int]] = []
        """Of each the middle and the reach on either side of it, all doubled."""
        self._grid: dict[tuple[int, int], int] = {}
        """Of each square the outlines that may reach into it, a bit each."""
        for number, outline in enumerate(self.outlines):
            xs, ys = [x for x, _ in outline], [y for _, y in outline]
            left, right, top, bottom = min(xs), max(xs), min(ys), max(ys)
            self._boxes.append((left + right, top + bottom, right - left, bottom - top))
            for column in range(left // _SQUARE, right // _SQUARE + 1):
                for row in range(top // _SQUARE, bottom // _SQUARE + 1):
                    self._grid[column, row] = self._grid.get((column, row), 0) | 1 << number

    def at(self, point: Point) -> list[int]:
        """The outlines that hold a place; one on the outline itself is held."""
        found = self._grid.get((point[0] // _SQUARE, point[1] // _SQUARE), 0)
        return [number for number in _bits(found) if locate(point, self.outlines[number]) is not PointPosition.OUTSIDE]

    def spans(self, a: Point, b: Point) -> dict[int, list[Stretch]]:
        """The outlines that a line runs inside of or along, each with where it does so."""
        (ax, ay), (bx, by) = a, b
        dx, dy = bx - ax, by - ay
        wide, high = abs(dx), abs(dy)
        ax2, ay2 = 2 * ax, 2 * ay
        boxes, found = self._boxes, {}
        for number in _bits(self._near(ax, ay, bx, by)):
            x, y, half_x, half_y = boxes[number]
            if abs(dx * (y - ay2) - dy * (x - ax2)) <= wide * half_y + high * half_x:
                spans = spans_inside(a, b, self.outlines[number])
                if spans:
                    found[number] = spans
        return found

    def _near(self, ax: int, ay: int, bx: int, by: int) -> int:
        """Outlines whose boxes reach into squares that the line runs through, column by column."""
        if ax > bx:
            ax, ay, bx, by = bx, by, ax, ay
        dx, dy = bx - ax, by - ay
        get = self._grid.get
        found = 0
        y = ay
        for column in range(ax // _SQUARE, bx // _SQUARE + 1):
            end = (column + 1) * _SQUARE
            # Rounded down; a unit more on either side holds all of the line in this column.
            to = ay + dy * (end - ax) // dx if end < bx else by
            top, bottom = (y, to) if y < to else (to, y)
            for row in range((top - 1) // _SQUARE, (bottom + 1) // _SQUARE + 1):
                found |= get((column, row), 0)
            y = to
        return found


def _bits(mask: int) -> Iterator[int]:
    """Numbers of the bits that are set."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
