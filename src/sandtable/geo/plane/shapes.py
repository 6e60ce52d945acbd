"""Many outlines, indexed for places and lines: strips and squares of the table, then the box of each, then exactly.

Numbers of outlines are the bits of whole numbers. What has its box in the columns and in the rows that a line runs
through may be met by it; of that is cast out what the line passes by, by the box again. A small square knows which
outlines have an edge in it and which hold all of it, so that a place or a short line is asked exactly only of the few
edges beside it. What is left is asked exactly. Whole numbers throughout.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandtable.geo.plane.lines import spans_inside
from sandtable.geo.plane.points import box_of
from sandtable.geo.shapes.convex import Stretch
from sandtable.geo.shapes.polygon import Point, PointPosition, locate

__all__ = ["Shapes", "bits"]

_STRIP = 4000
"""Width of a column and of a row."""
_SMALL = 1000
"""Side of a small square."""
_MOST_SQUARES = 65_536
"""Small squares, or pairs of strips, that are remembered at a time: more than any table has."""


class _Strips:
    """Columns or rows: which outlines reach into each, and into any of several beside one another."""

    __slots__ = ("_beside", "_known", "_reaching")

    def __init__(self, reaches: Sequence[tuple[int, int]]) -> None:
        """``reaches``: from where to where each outline goes along the axis."""
        self._reaching: dict[int, int] = {}
        self._known: dict[tuple[int, int], int] = {}
        """Of the first and the last of some strips, as they are asked for."""
        for number, (low, high) in enumerate(reaches):
            for strip in range(low // _STRIP, high // _STRIP + 1):
                self._reaching[strip] = self._reaching.get(strip, 0) | 1 << number
        self._beside = min(self._reaching, default=0) - 1, max(self._reaching, default=0) + 1

    def between(self, one: int, other: int) -> int:
        """The outlines that reach into the strips from that of one coordinate to that of another."""
        strips = one // _STRIP, other // _STRIP
        found = self._known.get(strips)
        if found is None:
            first, last = self._beside
            found = 0
            # What lies beyond all outlines counts as the strip beside them.
            for strip in range(max(first, min(strips)), min(last, max(strips)) + 1):
                found |= self._reaching.get(strip, 0)
            if len(self._known) >= _MOST_SQUARES:
                self._known.clear()
            self._known[strips] = found
        return found


class Shapes:
    """Outlines that do not change, by their numbers."""

    __slots__ = ("_boxes", "_columns", "_rows", "_squares", "outlines")

    def __init__(self, outlines: Sequence[Sequence[Point]]) -> None:
        self.outlines = tuple(map(tuple, outlines))
        boxes = [box_of(outline) for outline in self.outlines]
        self._boxes = [(left + right, top + bottom, right - left, bottom - top) for left, top, right, bottom in boxes]
        """Of each the middle and the reach on either side of it, all doubled."""
        self._columns = _Strips([(left, right) for left, _, right, _ in boxes])
        self._rows = _Strips([(top, bottom) for _, top, _, bottom in boxes])
        self._squares: dict[tuple[int, int], tuple[int, int]] = {}
        """Of each small square, as it is asked for, the outlines that hold all of it, and those with an edge in it."""

    def holding(self, point: Point) -> int:
        """The outlines that hold a place, as bits; one on the outline itself is held."""
        x, y = point
        square = x // _SMALL, y // _SMALL
        held, edged = self._squares.get(square) or self._square(square)
        while edged:
            low = edged & -edged
            if locate(point, self.outlines[low.bit_length() - 1]) is not PointPosition.OUTSIDE:
                held |= low
            edged ^= low
        return held

    def at(self, point: Point) -> list[int]:
        """The outlines that hold a place; one on the outline itself is held."""
        return list(bits(self.holding(point)))

    def about(self, a: Point, b: Point) -> tuple[int, int]:
        """The outlines that hold all of a line without an edge beside it, and those with an edge beside it, as bits.

        The line should be short: all small squares of its box are looked at.
        """
        left, right = (a[0], b[0]) if a[0] < b[0] else (b[0], a[0])
        top, bottom = (a[1], b[1]) if a[1] < b[1] else (b[1], a[1])
        left, right, top, bottom = left // _SMALL, right // _SMALL, top // _SMALL, bottom // _SMALL
        squares, first = self._squares, (left, top)
        held, edged = squares.get(first) or self._square(first)
        if left != right or top != bottom:
            for column in range(left, right + 1):
                for row in range(top, bottom + 1):
                    square = column, row
                    edged |= (squares.get(square) or self._square(square))[1]
        # What has no edge in any of them holds all of them or nothing of them.
        return held & ~edged, edged

    def spans(self, a: Point, b: Point) -> dict[int, list[Stretch]]:
        """The outlines that a line runs inside of or along, each with where it does so."""
        return self.among(self.near(a, b), a, b)

    def among(self, near: int, a: Point, b: Point) -> dict[int, list[Stretch]]:
        """The same, where what a line may meet is known, as bits."""
        found = {}
        for number in bits(near):
            spans = spans_inside(a, b, self.outlines[number])
            if spans:
                found[number] = spans
        return found

    def near(self, a: Point, b: Point) -> int:
        """The outlines whose boxes a line meets, and perhaps more of them, as bits."""
        (ax, ay), (bx, by) = a, b
        found = left = self._columns.between(ax, bx) & self._rows.between(ay, by)
        dx, dy = bx - ax, by - ay
        wide, high = abs(dx), abs(dy)
        off = 2 * (dx * ay - dy * ax)
        boxes = self._boxes
        while left:
            low = left & -left
            x, y, half_x, half_y = boxes[low.bit_length() - 1]
            if not -wide * half_y - high * half_x <= dx * y - dy * x - off <= wide * half_y + high * half_x:
                found ^= low
            left ^= low
        return found

    def _square(self, square: tuple[int, int]) -> tuple[int, int]:
        """A small square: which outlines hold all of it, and which have an edge in it or on its rim."""
        left, top = square[0] * _SMALL, square[1] * _SMALL
        held = edged = 0
        for number in bits(self._columns.between(left, left) & self._rows.between(top, top)):
            outline = self.outlines[number]
            if any(_touches(outline[index - 1], corner, left, top) for index, corner in enumerate(outline)):
                edged |= 1 << number
            elif locate((left, top), outline) is PointPosition.INSIDE:
                held |= 1 << number
        if len(self._squares) >= _MOST_SQUARES:
            self._squares.clear()
        self._squares[square] = held, edged
        return held, edged


def _touches(a: Point, b: Point, left: int, top: int) -> bool:
    """Whether an edge has a point in common with a small square, its rim included."""
    right, bottom = left + _SMALL, top + _SMALL
    (ax, ay), (bx, by) = a, b
    if max(ax, bx) < left or min(ax, bx) > right or max(ay, by) < top or min(ay, by) > bottom:
        return False
    dx, dy = bx - ax, by - ay
    sides = [dx * (y - ay) - dy * (x - ax) for x in (left, right) for y in (top, bottom)]
    return min(sides) <= 0 <= max(sides)


def bits(mask: int) -> Iterator[int]:
    """Numbers of the bits that are set, the lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
