"""The grid of a board: which hexes it has, how they are numbered, where its edges cut them.

Hexes are flat-topped, in columns; every other column stands half a hex lower (``shifted``). Counted in
whole hexes a straight column has ``rows`` of them. With ``half_rows`` the top and bottom edges run straight
through the first and the last hex of every shifted column, which so has one hex more, cut in half at both
ends. With ``half_columns`` the left and right edges run straight through the hexes of the first and last
column. A board with both is truly geomorphic if it has an odd number of columns: any edge then fits any
other of its length, also after a half turn, because the hexes that the edges cut lie at the same places on
both.

On the board's own lattice the centre of the first column is x = 0, column c is ``q = c``, and y grows
downward; :attr:`Layout.top` is the y of the top edge.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Literal

import msgspec

from sandtable.core.errors import BadInput, Fault
from sandtable.geo.hex import Hex
from sandtable.geo.labels import Labels, LabelScheme

__all__ = ["BoardEdge", "FirstRows", "Grid", "Layout"]


class BoardEdge(StrEnum):
    """An edge of a board as it is printed."""

    TOP = "top"
    BOTTOM = "bottom"
    LEFT = "left"
    RIGHT = "right"


class FirstRows(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The number of the first row in each kind of column."""

    straight: int
    shifted: int


class Grid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a board's hexes lie and are numbered."""

    orientation: Literal["flat"] = "flat"
    shifted: Literal["odd", "even"] = "odd"
    """Which columns, by their printed number, stand half a hex lower."""
    half_columns: bool = True
    half_rows: bool = True
    labels: LabelScheme = LabelScheme.LETTERS
    first_column: int = 1
    first_rows: FirstRows | None = None
    """Left out: 1, and 0 in shifted columns that begin with half a hex."""
    unnumbered: tuple[BoardEdge, ...] = (BoardEdge.BOTTOM, BoardEdge.RIGHT)
    """Edges whose cut hexes carry no printed identifier: joined to an edge that prints one, they are its board's."""


class Layout(msgspec.Struct, frozen=True):
    """A grid of a certain size: places, hexes and labels of one board."""

    grid: Grid
    columns: int
    rows: int
    labels: Labels

    @classmethod
    def of(cls, grid: Grid, columns: int, rows: int) -> Layout:
        """The layout of a grid with that many columns, and that many whole hexes in a straight column."""
        digits = max(2, len(str(grid.first_column + columns - 1)))
        row_digits = max(2, len(str(rows + 1)))
        return cls(grid, columns, rows, Labels(grid.labels, digits, row_digits))

    @property
    def top(self) -> int:
        """Lattice y of the top edge."""
        return 0 if self.is_shifted(0) else -1

    @property
    def height(self) -> int:
        """Height in lattice units, two to a hex."""
        return 2 * self.rows + (0 if self.grid.half_rows else 1)

    def is_shifted(self, q: int) -> bool:
        """Whether the column at position ``q``, counted from 0, stands half a hex lower."""
        return (self.grid.first_column + q) % 2 == (1 if self.grid.shifted == "odd" else 0)

    def first_row(self, q: int) -> int:
        """Number of the first row of the column at position ``q``."""
        shifted = self.is_shifted(q)
        if self.grid.first_rows is not None:
            return self.grid.first_rows.shifted if shifted else self.grid.first_rows.straight
        return 0 if shifted and self.grid.half_rows else 1

    def row_count(self, q: int) -> int:
        """Number of hexes, cut ones included, of the column at position ``q``."""
        return self.rows + 1 if self.grid.half_rows and self.is_shifted(q) else self.rows

    def _first_y(self, q: int) -> int:
        if not self.is_shifted(q):
            return self.top + 1
        return self.top if self.grid.half_rows else self.top + 2

    def hex_in(self, column: int, row: int) -> Hex | None:
        """The hex in a column and row by their printed numbers, if the board has it."""
        q = column - self.grid.first_column
        if not 0 <= q < self.columns:
            return None
        index = row - self.first_row(q)
        if not 0 <= index < self.row_count(q):
            return None
        return Hex(q, (self._first_y(q) + 2 * index - q) // 2)

    def place_of(self, hex: Hex) -> tuple[int, int] | None:
        """Printed column and row of a hex, if the board has it."""
        q, r = hex
        if not 0 <= q < self.columns:
            return None
        index = (2 * r + q - self._first_y(q)) // 2
        if not 0 <= index < self.row_count(q):
            return None
        return self.grid.first_column + q, self.first_row(q) + index

    def hexes(self) -> Iterator[Hex]:
        """All hexes, column by column, each from the top."""
        for q in range(self.columns):
            r = (self._first_y(q) - q) // 2
            for index in range(self.row_count(q)):
                yield Hex(q, r + index)

    def cut_by(self, hex: Hex) -> tuple[BoardEdge, ...]:
        """The edges that cut through a hex of the board."""
        q, y = hex[0], 2 * hex[1] + hex[0]
        edges = []
        if self.grid.half_rows and y == self.top:
            edges.append(BoardEdge.TOP)
        if self.grid.half_rows and y == self.top + self.height:
            edges.append(BoardEdge.BOTTOM)
        if self.grid.half_columns and q == 0:
            edges.append(BoardEdge.LEFT)
        if self.grid.half_columns and q == self.columns - 1:
            edges.append(BoardEdge.RIGHT)
        return tuple(edges)

    def label(self, hex: Hex) -> str:
        """The label of a hex of the board."""
        place = self.place_of(hex)
        if place is None:
            raise BadInput([Fault("hex", f"{tuple(hex)} is not on the board")])
        return self.labels.label(*place)

    def hex(self, label: str, where: str = "label") -> Hex:
        """The hex of a label; :class:`BadInput` if it is no label or the board has no such hex."""
        found = self.hex_in(*self.labels.parse(label, where))
        if found is None:
            raise BadInput([Fault(where, f"{label!r} is not on the board", self.extent())])
        return found

    def extent(self) -> str:
        """The range of labels, for messages."""
        last = self.columns - 1
        one = self.labels.label(self.grid.first_column, self.first_row(0))
        other = self.labels.label(self.grid.first_column + last, self.first_row(last) + self.row_count(last) - 1)
        return f"a hex from {one} to {other}"
