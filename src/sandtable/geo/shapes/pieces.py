"""The pieces of what a hex shows: connected parts of it, each as far as it lies in that hex.

A straight line that passes right through a hex meets the inside of a connected piece exactly if corners of its
hull lie on both sides of the line. So the hull is all that sight needs to know of a piece, however ragged it is.
Hulls are given from the hex's centre, in whole units of which :attr:`Piece.unit` make one lattice unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from sandtable.geo.shapes.convex import hull, hull_of_columns
from sandtable.geo.shapes.overlay import Cells
from sandtable.geo.shapes.picture import Picture
from sandtable.geo.shapes.polygon import Point, doubled_area

__all__ = ["NOTHING", "WHOLE", "HexWindow", "Piece", "Pieces", "cell_pieces", "hexagon"]

_RUNS = re.compile(b"\x01+")
_SIDES = ((0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))
"""A hex of size 1 is where a x + b y is no more than 1 + |a| for all of these a and b."""


class Piece(NamedTuple):
    """A connected part of what a hex shows."""

    hull: tuple[Point, ...]
    unit: int

    def turned(self) -> Piece:
        """The piece turned by 180 degrees about the hex's centre."""
        return Piece(tuple((-x, -y) for x, y in self.hull), self.unit)


class Pieces(NamedTuple):
    """All that one hex shows of one kind of terrain."""

    pieces: tuple[Piece, ...]
    share: Fraction
    """How much of the hex it fills."""


def hexagon(unit: int) -> tuple[Point, ...]:
    """The corners of a hex about its centre, clockwise from the north-western one."""
    return ((-unit, -unit), (unit, -unit), (2 * unit, 0), (unit, unit), (-unit, unit), (-2 * unit, 0))


NOTHING = Pieces((), Fraction(0))
WHOLE = Pieces((Piece(hexagon(1), 1),), Fraction(1))


class _Joined:
    """Sets of things numbered from 0 that grow together."""

    def __init__(self) -> None:
        self.parents: list[int] = []

    def add(self) -> int:
        self.parents.append(len(self.parents))
        return len(self.parents) - 1

    def root(self, one: int) -> int:
        parents = self.parents
        while parents[one] != one:
            parents[one] = parents[parents[one]]
            one = parents[one]
        return one

    def join(self, one: int, other: int) -> None:
        self.parents[self.root(one)] = self.root(other)


def cell_pieces(cells: Cells, seen: Sequence[bool], unit: int) -> Pieces:
    """The pieces that cells make, those being ``seen`` that the look sees; ``unit`` is of the polygons' points."""
    joined = _Joined()
    for _ in cells.cells:
        joined.add()
    for one, other in cells.joins:
        if seen[one] and seen[other]:
            joined.join(one, other)
    groups: dict[int, list[Point]] = {}
    area = 0
    for number, cell in enumerate(cells.cells):
        if seen[number]:
            groups.setdefault(joined.root(number), []).extend(cell.corners)
            area += abs(doubled_area(cell.corners))
    if not groups:
        return NOTHING
    fine = unit * cells.unit
    whole = abs(doubled_area(hexagon(fine)))
    if area == whole:
        return WHOLE
    return Pieces(tuple(Piece(hull(points), fine) for points in groups.values()), Fraction(area, whole))


class _Column(NamedTuple):
    """A column of cells under a hex: rows are counted from the one that holds the hex's centre."""

    top: int
    bottom: int
    clear_top: int
    """From here ..."""
    clear_bottom: int
    """... to here the cells lie wholly inside the hex."""
    cut: dict[int, tuple[Point, ...]]
    """Corners of the other cells, cut off at the sides of the hex."""


class _Stencil(NamedTuple):
    """The cells under a hex; the same for all hexes that lie alike to the picture's cells."""

    first: int
    """The leftmost column, counted from the one that holds the hex's centre."""
    columns: tuple[_Column, ...]


@cache
def _stencil(x: int, y: int, wide: int, high: int, size: int) -> _Stencil:
    """The stencil of hexes whose centre lies at ``(x, y)`` in its cell."""
    first = (x - 2 * size) // wide
    columns = []
    for column in range(first, -(-(x + 2 * size) // wide)):
        west = column * wide - x
        near = west if west > 0 else max(0, -(west + wide))
        far_x = max(abs(west), abs(west + wide))
        reach = min(size, 2 * size - near)
        top, bottom = (y - reach) // high, -(-(y + reach) // high)
        cut: dict[int, tuple[Point, ...]] = {}
        for row in range(top, bottom):
            north = row * high - y
            far = max(abs(north), abs(north + high))
            if far > size or far_x + far > 2 * size:
                whole = [(west, north), (west + wide, north), (west + wide, north + high), (west, north + high)]
                for a, b in _SIDES:
                    whole = _cut(whole, a, b, (1 + abs(a)) * size)
                cut[row] = tuple(whole)
        inside = [row for row in range(top, bottom) if row not in cut]
        clear = (inside[0], inside[-1] + 1) if inside else (bottom, bottom)
        columns.append(_Column(top, bottom, clear[0], clear[1], cut))
    return _Stencil(first, tuple(columns))


_Run = tuple[int, int, int]
"""Cells of one column that show what is looked for: the column, the first row and the one below the last."""


class HexWindow:
    """A hex laid over a picture: the cells that it takes in, whole or in part."""

    __slots__ = ("_cell", "_columns", "_present", "_rest", "_rows", "_size", "_stencil", "cells")

    def __init__(self, picture: Picture, centre: Point, scale: int) -> None:
        wide, high = self._cell = picture.cell
        x, rest_x = divmod(centre[0], wide)
        y, rest_y = divmod(centre[1], high)
        self._size = scale
        self._rest = rest_x, rest_y
        self._stencil = _stencil(rest_x, rest_y, wide, high, scale)
        self._columns: list[bytes] = []
        """Of each column of the stencil the cells that the hex takes in, as far as the picture goes."""
        self._rows: list[int] = []
        """Row of the first of them."""
        for number, column in enumerate(self._stencil.columns, start=x + self._stencil.first):
            top = max(0, y + column.top)
            self._rows.append(top - y)
            self._columns.append(
                picture.columns[number][top : y + column.bottom] if 0 <= number < picture.wide else b""
            )
        self.cells = b"".join(self._columns)
        """All cells that the hex takes in."""
        self._present = [number for number in range(len(picture.shows)) if number in self.cells]

    def pieces(self, table: bytes) -> Pieces:
        """What a look sees in the hex; ``table`` is that of the look."""
        if not any(table[number] for number in self._present):
            return NOTHING
        hulls = [hull_of_columns(self._reach(group)) for group in self._connected(table)]
        share = Fraction(self.cells.translate(table).count(1), len(self.cells))
        return Pieces(tuple(Piece(one, self._size) for one in _outermost(hulls)), share)

    def _connected(self, table: bytes) -> Iterable[list[_Run]]:
        """Runs of cells that hang together, each group from left to right and top to bottom."""
        # Of each run the run that it was joined to; written out, since a picture has many thousands of them.
        parents: list[int] = []
        runs: list[_Run] = []
        first, above = 0, 0
        for index, cells in enumerate(self._columns):
            first, above = above, len(runs)
            row = self._rows[index]
            at = first
            for match in _RUNS.finditer(cells.translate(table)):
                start, end = match.span()
                top, bottom = row + start, row + end
                root = len(runs)
                parents.append(root)
                runs.append((index, top, bottom))
                # Both columns are in order: runs to the left that end above this one touch none further down.
                while at < above and runs[at][2] <= top:
                    at += 1
                other = at
                while other < above and runs[other][1] < bottom:
                    one = other
                    while parents[one] != one:
                        one = parents[one]
                    parents[root] = root = one
                    other += 1
        groups: dict[int, list[_Run]] = {}
        for number, run in enumerate(runs):
            while parents[number] != number:
                number = parents[number]  # noqa: PLW2901 - on to the root
            if number in groups:
                groups[number].append(run)
            else:
                groups[number] = [run]
        return groups.values()

    def _reach(self, runs: Sequence[_Run]) -> dict[int, tuple[int, int]]:
        """How far up and down some runs reach, at every x where that changes."""
        wide, high = self._cell
        rest_x, rest_y = self._rest
        first, columns = self._stencil
        corners: list[Point] = []
        inside: dict[int, tuple[int, int]] = {}
        for number, top, bottom in runs:
            _, _, clear_top, clear_bottom, cut = columns[number]
            if top < clear_top or bottom > clear_bottom:
                for row in (*range(top, min(bottom, clear_top)), *range(max(top, clear_bottom), bottom)):
                    corners += cut.get(row, ())
                top, bottom = max(top, clear_top), min(bottom, clear_bottom)  # noqa: PLW2901 - what is left of it
            if top < bottom:
                # Of several runs in a column the first reaches up and the last down.
                inside[number] = inside[number][0] if number in inside else top, bottom
        for number, (top, bottom) in inside.items():
            west, north, south = (first + number) * wide - rest_x, top * high - rest_y, bottom * high - rest_y
            corners += ((west, north), (west, south), (west + wide, north), (west + wide, south))
        least: dict[int, int] = {}
        most: dict[int, int] = {}
        for x, y in corners:
            if x not in least:
                least[x] = most[x] = y
            elif y < least[x]:
                least[x] = y
            elif y > most[x]:
                most[x] = y
        return {x: (north, most[x]) for x, north in least.items()}


def _outermost(hulls: Sequence[tuple[Point, ...]]) -> list[tuple[Point, ...]]:
    """Hulls that lie in no other: a line through a hull inside another crosses that other one's piece as well."""
    kept: list[tuple[Point, ...]] = []
    for one in sorted(hulls, key=lambda corners: -doubled_area(corners)):
        if not any(_holds(other, one) for other in kept):
            kept.append(one)
    return kept


def _holds(hull: Sequence[Point], points: Iterable[Point]) -> bool:
    """Whether a convex figure, clockwise with y downward, holds all the points."""
    for x, y in points:
        ax, ay = hull[-1]
        for bx, by in hull:
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) < 0:
                return False
            ax, ay = bx, by
    return True


def _cut(corners: Sequence[Point], a: int, b: int, c: int) -> list[Point]:
    """A convex figure cut off where ``a x + b y`` exceeds ``c``.

    The sides of the hex and the edges of a rectangle meet in whole points, for a and b are 1, 0 or -1.
    """
    kept: list[Point] = []
    over = [a * x + b * y - c for x, y in corners]
    for index, (x, y) in enumerate(corners):
        before, here = over[index - 1], over[index]
        if (before > 0 > here) or (before < 0 < here):
            ox, oy = corners[index - 1]
            under = before - here
            kept.append((ox + before * (x - ox) // under, oy + before * (y - oy) // under))
        if here <= 0:
            kept.append((x, y))
    return kept
