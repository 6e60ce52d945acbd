"""Picture grids: a board as small rectangular cells, each of which shows one thing at one level.

Boards that were drawn as pictures come in this form. The grid is kept exactly: a cell is a closed rectangle on the
board's lattice, and what it shows fills it. In a board file the cells stand column by column, from the top of the
leftmost one, a byte for each: its place in the list of things shown. The bytes are packed with zlib and written in
base64.
"""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Iterator, Sequence
from fractions import Fraction

import msgspec

from sandtable.core.errors import Faults
from sandtable.geo.shapes.convex import Stretches
from sandtable.geo.shapes.polygon import Point
from sandtable.geo.terrain_query import TerrainQuery

__all__ = ["LevelHexes", "Picture", "PictureDraft", "Shown", "pack_cells", "read_picture"]

_LARGEST = 64_000_000
"""Cells of the largest picture that is read."""


class Shown(msgspec.Struct, frozen=True, forbid_unknown_fields=True, order=True):
    """The terrain and the level that a cell of a picture grid shows."""

    kind: str = ""
    """In the word of the system's terrain table; left out, clear ground."""
    level: int = 0


class LevelHexes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hexes of one level."""

    level: int
    hexes: tuple[str, ...]


class PictureDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A picture grid as a board file has it."""

    wide: int
    high: int
    cell: tuple[int, int]
    """Width and height of a cell, in lattice units times the board's scale."""
    shows: tuple[Shown, ...]
    """What there is to show; a cell is a number in this list, counted from 0."""
    cells: str
    """All cells, packed."""
    hulls: str = ""
    """What each hex shows of some looks, packed; left out, it is worked out when it is asked for."""
    hexes: dict[str, tuple[str, ...]] = {}
    """For each kind the hexes that count as such."""
    levels: tuple[LevelHexes, ...] = ()
    """The hexes whose ground has another level than 0."""


class Picture(msgspec.Struct, frozen=True):
    """A picture grid; its corner is the origin, x to the right, y down."""

    wide: int
    high: int
    cell: tuple[int, int]
    shows: tuple[Shown, ...]
    columns: tuple[bytes, ...]
    """Column by column, for each cell the number of what it shows."""

    def table(self, look: TerrainQuery) -> bytes:
        """A table for :meth:`bytes.translate` that turns cells into 1 where the look sees them."""
        seen = bytes(look.sees(shown.kind, shown.level) for shown in self.shows)
        return seen + bytes(256 - len(seen))

    def at(self, x: int, y: int) -> Shown | None:
        """What the cell in column ``x`` and row ``y`` shows."""
        if 0 <= x < self.wide and 0 <= y < self.high:
            return self.shows[self.columns[x][y]]
        return None

    def has_on_both_sides(self, look: TerrainQuery, a: Point, b: Point, unit: int = 1) -> bool:
        """Whether the look sees something on both sides of the thread from ``a`` to ``b``, at the same stretch.

        The ends are given in ``1 / unit`` of the picture's own units.
        """
        table = self.table(look)
        wide, high = self.cell[0] * unit, self.cell[1] * unit
        (ax, ay), (bx, by) = sorted((a, b))
        dx, dy = bx - ax, by - ay
        sees = self._sees
        if dx == 0:
            east, west = ax // wide, (ax - 1) // wide
            rows = range(ay // high, -(-by // high))
            return any(sees(table, east, row) and sees(table, west, row) for row in rows)
        if dy == 0:
            below, above = ay // high, (ay - 1) // high
            columns = range(ax // wide, -(-bx // wide))
            return any(sees(table, column, below) and sees(table, column, above) for column in columns)
        for column in range(ax // wide, -(-bx // wide)):
            # Heights at which the thread comes into the column and goes out of it, times dx.
            one = ay * dx + dy * (max(ax, column * wide) - ax)
            other = ay * dx + dy * (min(bx, (column + 1) * wide) - ax)
            if other < one:
                one, other = other, one
            if any(sees(table, column, row) for row in range(one // (dx * high), -(-other // (dx * high)))):
                return True
        return False

    def flanks(self, look: TerrainQuery, a: Point, b: Point, unit: int = 1) -> tuple[Stretches, Stretches]:
        """Where the look sees something left of the thread from ``a`` to ``b``, and where right of it.

        The ends are given in ``1 / unit`` of the picture's own units.
        """
        table = self.table(look)
        wide, high = self.cell[0] * unit, self.cell[1] * unit
        if a[0] == b[0]:
            return self._upright(table, a, b, (wide, high))
        return self._slanting(table, a, b, (wide, high))

    def _sees(self, table: bytes, x: int, y: int) -> bool:
        return 0 <= x < self.wide and 0 <= y < self.high and bool(table[self.columns[x][y]])

    def _upright(self, table: bytes, a: Point, b: Point, cell: Point) -> tuple[Stretches, Stretches]:
        """The flanks of a thread straight up or down."""
        east = a[0] // cell[0]
        west = east if a[0] % cell[0] else east - 1
        length = b[1] - a[1]
        top, bottom = min(a[1], b[1]), max(a[1], b[1])
        left: Stretches = []
        right: Stretches = []
        for row in range(top // cell[1], -(-bottom // cell[1])):
            ends = max(top, row * cell[1]), min(bottom, (row + 1) * cell[1])
            one, other = sorted(Fraction(y - a[1], length) for y in ends)
            # Facing down the page the east is on the left hand.
            for column, flank in ((east, left if length > 0 else right), (west, right if length > 0 else left)):
                if self._sees(table, column, row):
                    flank.append((one, other))
        return left, right

    def _slanting(self, table: bytes, a: Point, b: Point, cell: Point) -> tuple[Stretches, Stretches]:
        """The flanks of a thread that crosses columns."""
        dx, dy = b[0] - a[0], b[1] - a[1]
        level = dy == 0 and a[1] % cell[1] == 0
        left: Stretches = []
        right: Stretches = []
        west, east = min(a[0], b[0]), max(a[0], b[0])
        for column in range(west // cell[0], -(-east // cell[0])):
            ends = max(west, column * cell[0]), min(east, (column + 1) * cell[0])
            one, other = sorted(Fraction(x - a[0], dx) for x in ends)
            if level:
                row = a[1] // cell[1]
                above, below = (left, right) if dx > 0 else (right, left)
                if self._sees(table, column, row):
                    below.append((one, other))
                if self._sees(table, column, row - 1):
                    above.append((one, other))
                continue
            for row, stretch in _rows(a[1], dy, one, other, cell[1]):
                if self._sees(table, column, row):
                    left.append(stretch)
                    right.append(stretch)
        return left, right


def _rows(
    y: int, dy: int, one: Fraction, other: Fraction, high: int
) -> Iterator[tuple[int, tuple[Fraction, Fraction]]]:
    """The rows that a thread passes between two places of its own, and where it is in each."""
    if dy == 0:
        yield y // high, (one, other)
        return
    start, end = y + one * dy, y + other * dy
    low, highest = min(start, end), max(start, end)
    for row in range(int(low // high), -int(-highest // high)):
        ends = max(low, Fraction(row * high)), min(highest, Fraction((row + 1) * high))
        first, last = sorted((at - y) / dy for at in ends)
        yield row, (first, last)


def read_picture(draft: PictureDraft, faults: Faults, where: str) -> Picture | None:
    """The picture of a draft; faults are added to ``faults``."""
    mine = Faults()
    count = draft.wide * draft.high
    if min(draft.wide, draft.high) < 1 or count > _LARGEST:
        mine.add(f"{where}.wide, high", f"{draft.wide} by {draft.high}", f"1 to {_LARGEST} cells")
    if min(draft.cell) < 1:
        mine.add(f"{where}.cell", f"is {draft.cell}", "at least 1 by 1")
    if not 1 <= len(draft.shows) <= 256:
        mine.add(f"{where}.shows", f"{len(draft.shows)} things", "1 to 256")
    cells = b"" if mine else _unpack(draft.cells, count, mine, f"{where}.cells")
    unknown = b"" if mine else cells.translate(None, bytes(range(len(draft.shows))))
    if unknown:
        mine.add(f"{where}.cells", f"a cell is {max(unknown)}", f"0 to {len(draft.shows) - 1}")
    for fault in mine:
        faults.add(fault.where, fault.wrong, fault.right)
    if mine:
        return None
    columns = tuple(cells[start : start + draft.high] for start in range(0, count, draft.high))
    return Picture(draft.wide, draft.high, draft.cell, draft.shows, columns)


def _unpack(text: str, count: int, faults: Faults, where: str) -> bytes:
    try:
        # One byte more than there should be: a larger picture is told from the right one, and never unpacked.
        cells = zlib.decompressobj().decompress(b64decode("".join(text.split()), validate=True), count + 1)
    except (NotBase64, zlib.error, ValueError) as error:
        faults.add(where, f"cannot be unpacked: {error}", "cells packed with zlib, in base64")
        return b""
    if len(cells) != count:
        wrong = "too many cells" if len(cells) > count else f"{len(cells)} cells"
        faults.add(where, wrong, str(count))
    return cells


def pack_cells(columns: Sequence[bytes]) -> str:
    """The text of columns of cells, as a board file has it."""
    text = b64encode(zlib.compress(b"".join(columns), 9)).decode()
    return "\n".join(text[start : start + 100] for start in range(0, len(text), 100))
