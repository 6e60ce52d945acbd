"""Placing boards beside one another: shifts, half turns, joined edges, crops.

A placed board is its board moved by a whole number of hexes and perhaps turned by 180 degrees, so lines,
distances and everything that lies on it keep their shape. The first board defines the coordinates of the
map; each further one says on which side of an earlier one it lies, or how far from the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from sandtable.core.errors import BadInput, Faults
from sandtable.geo.board import Board
from sandtable.geo.feature import Feature
from sandtable.geo.hex import Hex, centre, opposite
from sandtable.geo.hexside import Hexside, hexside
from sandtable.geo.shapes.polygon import Point

__all__ = ["Placed", "PlacementDraft", "Transform", "place_boards"]


class PlacementDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where one board lies, as a scenario says it."""

    board: str
    """Id of the board."""
    name: str = ""
    """What stands before its labels; left out, the board's prefix."""
    turned: bool = False
    """Whether it is turned by 180 degrees."""
    right_of: str = ""
    left_of: str = ""
    above: str = ""
    below: str = ""
    slide: int | None = None
    """Hexes down or columns to the right that it is moved along the edge; edges of unequal length need it."""
    offset: tuple[int, int] | None = None
    """Columns to the right and hexes down of the first board's upper left corner."""
    columns: str = ""
    """The playable columns, such as ``A-P``; left out, all."""
    rows: str = ""
    """The playable rows, such as ``1-8``; left out, all."""


class Transform(NamedTuple):
    """A half turn or none, then a shift by whole hexes."""

    turned: bool
    shift: Hex

    def hex(self, hex: Hex) -> Hex:
        """Where a hex of the board comes to lie."""
        q, r = self.shift
        return Hex(q - hex[0], r - hex[1]) if self.turned else Hex(q + hex[0], r + hex[1])

    def hex_back(self, hex: Hex) -> Hex:
        """The hex of the board that comes to lie on ``hex``."""
        q, r = self.shift
        return Hex(q - hex[0], r - hex[1]) if self.turned else Hex(hex[0] - q, hex[1] - r)

    def side(self, side: Hexside) -> Hexside:
        """Where a hexside comes to lie."""
        return hexside(self.hex(side.hex), opposite(side.dir) if self.turned else side.dir)

    def point(self, point: Point, scale: int) -> Point:
        """Where a point in ``1 / scale`` lattice units comes to lie."""
        x, y = centre(self.shift)
        sign = -1 if self.turned else 1
        return x * scale + sign * point[0], y * scale + sign * point[1]


class Placed(msgspec.Struct, frozen=True):
    """A board in its place on the map."""

    board: Board
    name: str
    transform: Transform
    columns: tuple[int, int] | None = None
    """First and last playable column by printed number."""
    rows: tuple[int, int] | None = None

    @property
    def left(self) -> int:
        """Column of the map on which its leftmost column lies."""
        shift = self.transform.shift[0]
        return shift - self.board.layout.columns + 1 if self.transform.turned else shift

    @property
    def right(self) -> int:
        """Column of the map on which its rightmost column lies."""
        return self.left + self.board.layout.columns - 1

    @property
    def top(self) -> int:
        """Lattice y of its upper edge as it lies."""
        layout = self.board.layout
        y = centre(self.transform.shift)[1]
        return y - layout.top - layout.height if self.transform.turned else y + layout.top

    @property
    def bottom(self) -> int:
        """Lattice y of its lower edge as it lies."""
        return self.top + self.board.layout.height

    def is_playable(self, hex: Hex) -> bool:
        """Whether a hex of the board, in its own coordinates, is within the crop."""
        place = self.board.layout.place_of(hex)
        if place is None:
            return False
        column, row = place
        return (self.columns is None or self.columns[0] <= column <= self.columns[1]) and (
            self.rows is None or self.rows[0] <= row <= self.rows[1]
        )

    def feature(self, feature: Feature, scale: int) -> Feature:
        """A feature of the board where it lies on the map, with points in ``1 / scale`` lattice units."""
        factor = scale // self.board.scale

        def moved(points: tuple[Point, ...]) -> tuple[Point, ...]:
            return tuple(self.transform.point((x * factor, y * factor), scale) for x, y in points)

        return msgspec.structs.replace(
            feature,
            hexes=tuple(map(self.transform.hex, feature.hexes)),
            sides=tuple(map(self.transform.side, feature.sides)),
            outline=moved(feature.outline),
            line=moved(feature.line),
            at=None if feature.at is None else moved((feature.at,))[0],
            board=self.name,
        )


def place_boards(
    boards: Mapping[str, Board], drafts: Sequence[PlacementDraft], where: str = "map"
) -> tuple[Placed, ...]:
    """Place boards one after another; :class:`~sandtable.core.errors.BadInput` with all faults."""
    faults = Faults(where)
    placer = _Placer(faults)
    if not drafts:
        faults.add("placements", "is empty", "at least one board")
    for index, draft in enumerate(drafts):
        board = boards.get(draft.board)
        place = f"placements[{index}]"
        if board is None:
            faults.add(f"{place}.board", f"{draft.board!r} is no board", _one_of(boards))
        else:
            placer.place(draft, board, place)
    faults.check()
    return tuple(placer.placed)


def _one_of(names: Iterable[str]) -> str:
    known = ", ".join(sorted(names))
    return f"one of {known}" if known else ""


_SIDES = ("right_of", "left_of", "above", "below")
_PLACES = ", ".join((*_SIDES, "offset"))


class _Placer:
    """Lays one board after another and notes what does not fit."""

    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self.placed: list[Placed] = []

    def place(self, draft: PlacementDraft, board: Board, where: str) -> None:
        name = draft.name or board.prefix
        if any(other.name == name for other in self.placed):
            self.faults.add(f"{where}.name", f"{name!r} is used twice", "a name of its own for each board")
        transform = self._transform(draft, board, where)
        columns = _crop_columns(draft.columns, board, self.faults, f"{where}.columns")
        rows = _crop_rows(draft.rows, self.faults, f"{where}.rows")
        if transform is not None:
            self.placed.append(Placed(board, name, transform, columns, rows))

    def _transform(self, draft: PlacementDraft, board: Board, where: str) -> Transform | None:
        given = [name for name in (*_SIDES, "offset") if getattr(draft, name)]
        if len(given) > 1:
            self.faults.add(where, f"{' and '.join(given)} together", f"one of {_PLACES}")
            return None
        if given and given[0] in _SIDES:
            return self._joined(draft, board, given[0], f"{where}.{given[0]}")
        columns, rows = draft.offset or (0, 0)
        if not self.placed:
            top = board.layout.top
            # Turned over with an even number of columns, the grid itself lies half a hex lower.
            return _at(board, draft.turned, 0, top) or _at(board, draft.turned, 0, top + 1)
        if not given:
            self.faults.add(where, "says not where it lies", f"one of {_PLACES}")
            return None
        first = self.placed[0]
        return self._meshed(board, draft.turned, (first.left + columns, first.top + 2 * rows), where)

    def _joined(self, draft: PlacementDraft, board: Board, side: str, where: str) -> Transform | None:
        """The transform that lays a board against an edge of one placed before."""
        other = self._other(getattr(draft, side), where)
        if other is None:
            return None
        mine, theirs = board.layout, other.board.layout
        sideways = side in ("right_of", "left_of")
        cut = "half_columns" if sideways else "half_rows"
        if getattr(mine.grid, cut) != getattr(theirs.grid, cut):
            self.faults.add(where, "one edge cuts its hexes in half and the other does not")
            return None
        lengths = (mine.rows, theirs.rows) if sideways else (mine.columns, theirs.columns)
        if lengths[0] != lengths[1] and draft.slide is None:
            wrong = f"the edges are {lengths[0]} and {lengths[1]} hexes long"
            self.faults.add(where, wrong, "slide, to say how they lie")
            return None
        slide = draft.slide or 0
        # Edges that cut hexes share them; whole columns stand side by side, whole rows interlock by half a hex.
        apart = 0 if getattr(mine.grid, cut) else 1
        corners = {
            "right_of": (other.right + apart, other.top + 2 * slide),
            "left_of": (other.left - apart - mine.columns + 1, other.top + 2 * slide),
            "above": (other.left + slide, other.top + apart - mine.height),
            "below": (other.left + slide, other.bottom - apart),
        }
        return self._meshed(board, draft.turned, corners[side], where)

    def _other(self, name: str, where: str) -> Placed | None:
        others = [other for other in self.placed if name in (other.name, other.board.id)]
        if len(others) == 1:
            return others[0]
        wrong = "is placed twice" if others else "is no board placed before"
        self.faults.add(where, f"{name!r} {wrong}", _one_of(other.name for other in self.placed))
        return None

    def _meshed(self, board: Board, turned: bool, corner: tuple[int, int], where: str) -> Transform | None:
        transform = _at(board, turned, *corner)
        if transform is None:
            wrong = "its hexes do not meet those of the other board"
            self.faults.add(where, wrong, "a place an even number of columns off")
        return transform


def _at(board: Board, turned: bool, left: int, top: int) -> Transform | None:
    """The transform that puts a board's upper left corner, as it lies, at a column and lattice y; if there is one."""
    layout = board.layout
    q = left + layout.columns - 1 if turned else left
    y = top + layout.top + layout.height if turned else top - layout.top
    return None if (y - q) % 2 else Transform(turned, Hex(q, (y - q) // 2))


def _crop_columns(text: str, board: Board, faults: Faults, where: str) -> tuple[int, int] | None:
    if not text:
        return None
    first, _, last = text.partition("-")
    labels = board.layout.labels
    try:
        ends = labels.column_number(first), labels.column_number(last or first)
    except BadInput as bad:
        faults.add(where, bad.faults[0].wrong, "a range such as A-P")
        return None
    return _checked_range(ends, text, faults, where)


def _crop_rows(text: str, faults: Faults, where: str) -> tuple[int, int] | None:
    if not text:
        return None
    first, _, last = text.partition("-")
    try:
        ends = int(first), int(last or first)
    except ValueError:
        faults.add(where, f"{text!r} is no range of rows", "a range such as 1-8")
        return None
    return _checked_range(ends, text, faults, where)


def _checked_range(ends: tuple[int, int], text: str, faults: Faults, where: str) -> tuple[int, int] | None:
    if ends[0] > ends[1]:
        faults.add(where, f"{text!r} is empty", "the lower end first")
        return None
    return ends
