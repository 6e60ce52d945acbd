"""Tables of terrain: a rectangle in inches, and the vector features drawn on it.

A table's file stands in the pack's section of boards and has ``table: {width: 72, depth: 48}`` where a board of hexes
has columns and rows. Its features are those of a board: an ``outline``, a ``line`` or a ``point``, in inches with
three decimals at most. A line with a ``width`` becomes the outline of its strip when it is read, and the outline is
what blocks, costs and is drawn. Later features lie on top of earlier ones. What a kind of feature must lie on, a
bridge on water, is the system's to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import msgspec

from sandtable.core.codec import digest
from sandtable.core.content.reading import convert
from sandtable.core.errors import BadInput, Fault, Faults
from sandtable.core.thousandths import thousandths
from sandtable.geo.feature import Feature, Scalar
from sandtable.geo.plane.footing import Footing, check_footings
from sandtable.geo.plane.points import INCH, Point, label, range_inches, read_inches, read_point
from sandtable.geo.plane.shapes import Shapes
from sandtable.geo.plane.strips import strip
from sandtable.geo.shapes.polygon import is_simple

__all__ = ["TableDraft", "TableFeatureDraft", "TableMap", "TableSize", "is_table", "read_table"]

MOST_INCHES = 240
MOST_FEATURES = 400
MOST_CORNERS = 400
"""Of one outline or line: whether it crosses itself is asked of every pair of its sides."""
_DECIMALS = "inches with three decimals at most"


class TableFeatureDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A feature as the file of a table has it: as on a board of hexes, with inches for places."""

    kind: str
    """What it is, in the word of the system's terrain table: woods, road, stream."""
    outline: tuple[tuple[float, float], ...] = ()
    """Corners of a polygon."""
    line: tuple[str, ...] = ()
    """Places through which it runs, such as ``12.5,30``."""
    width: float = 0
    """Of a line."""
    point: str = ""
    """Place at which it stands."""
    text: str = ""
    level: int | None = None
    """Level of the ground inside; where features overlap, the later one holds."""
    attributes: dict[str, Scalar] = {}


class TableSize(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How large a table is, in inches."""

    width: float
    depth: float


class TableDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file of a table as it was written."""

    id: str
    table: TableSize
    title: str = ""
    features: tuple[TableFeatureDraft, ...] = ()
    status: str = ""
    source: str = ""
    note: str = ""


@dataclass(frozen=True, eq=False)
class TableMap:
    """A table in play; it never changes. What comes and goes, such as smoke, lies over it as shapes in the state."""

    id: str
    title: str
    width: int
    depth: int
    features: tuple[Feature, ...]
    """Everything drawn; points in thousandths of an inch."""
    digest: str
    scale: int = INCH

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TableMap) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __contains__(self, at: tuple[int, int]) -> bool:
        return 0 <= at[0] <= self.width and 0 <= at[1] <= self.depth

    @classmethod
    def from_draft(cls, draft: TableDraft, where: str = "", footings: Mapping[str, Footing] | None = None) -> TableMap:
        """Check a draft; :class:`BadInput` with all its faults. ``footings`` say what kinds must lie on."""
        faults = Faults(where or f"table {draft.id}")
        if not draft.id.strip():
            faults.add("id", "is empty")
        size = [_side(getattr(draft.table, name), f"table.{name}", faults) for name in ("width", "depth")]
        if len(draft.features) > MOST_FEATURES:
            faults.add("features", f"{len(draft.features)} of them", f"at most {MOST_FEATURES}")
        for index, one in enumerate(draft.features):
            if max(len(one.outline), len(one.line)) > MOST_CORNERS:
                faults.add(f"features[{index}]", "has too many corners", f"at most {MOST_CORNERS}")
        faults.check()
        reader = _Reader(size[0], size[1], faults)
        features = [reader.feature(one, f"features[{index}]") for index, one in enumerate(draft.features)]
        faults.check()
        check_footings(features, footings or {}, faults)
        faults.check()
        return cls(draft.id, draft.title or draft.id, size[0], size[1], tuple(features), digest(draft))

    def place(self, label: str, where: str = "place") -> Point:
        """The place of a label; :class:`BadInput` if it is none, or off the table."""
        point = read_point(label)
        if point is None:
            raise BadInput([Fault(where, f"{label!r} is no place", "such as 12.5,30, in inches with three decimals")])
        if point not in self:
            raise BadInput([Fault(where, f"{label!r} is off the table", self._extent())])
        return point

    def label(self, place: tuple[int, int], /) -> str:
        """The label of a place."""
        return label(place)

    def range(self, one: tuple[int, int], other: tuple[int, int]) -> int:
        """The range in whole inches."""
        return range_inches(one, other)

    def spot(self, label: str) -> tuple[float, float]:
        """Where a place is drawn, in inches."""
        x, y = self.place(label)
        return x / INCH, y / INCH

    def drawn(self) -> tuple[Feature, ...]:
        """The features as they are to be drawn."""
        return self.features

    def _extent(self) -> str:
        return f"0,0 to {label((self.width, self.depth))}"

    @cached_property
    def areas(self) -> tuple[Feature, ...]:
        """The features with an outline, in their order."""
        return tuple(feature for feature in self.features if feature.outline)

    @cached_property
    def shapes(self) -> Shapes:
        """The outlines of :attr:`areas`, by the same numbers."""
        return Shapes([feature.outline for feature in self.areas])

    @cached_property
    def rails(self) -> Mapping[str, tuple[tuple[int, int], ...]]:
        """The lines along which one may go, by their names: the text of a feature, or its kind and a number."""
        found: dict[str, tuple[tuple[int, int], ...]] = {}
        for number, feature in enumerate(self.features):
            if feature.line:
                found.setdefault(feature.text or f"{feature.kind} {number}", feature.line)
        return found

    def at(self, place: tuple[int, int]) -> Iterator[Feature]:
        """The features that hold a place, the lowest first."""
        return (self.areas[number] for number in self.shapes.at(place))

    def level(self, place: tuple[int, int]) -> int:
        """The level of the ground at a place."""
        levels = [feature.level for feature in self.at(place) if feature.level is not None]
        return levels[-1] if levels else 0


def _side(value: float, field: str, faults: Faults) -> int:
    units = read_inches(value)
    if units is None or not INCH <= units <= MOST_INCHES * INCH:
        faults.add(field, f"is {value}", f"1 to {MOST_INCHES}, {_DECIMALS}")
        return MOST_INCHES * INCH
    return units


class _Reader:
    """Reads the features of one table and notes what is wrong with them."""

    def __init__(self, width: int, depth: int, faults: Faults) -> None:
        self.width = width
        self.depth = depth
        self.faults = faults

    def feature(self, draft: TableFeatureDraft, where: str) -> Feature:
        given = [name for name in ("outline", "line", "point") if getattr(draft, name)]
        if len(given) != 1:
            wrong = f"{' and '.join(given)} together" if given else "has no geometry"
            self.faults.add(where, wrong, "one of outline, line, point")
        if not draft.kind.strip():
            self.faults.add(f"{where}.kind", "is empty", "the kind of terrain or feature")
        if draft.line and ";" in draft.text:
            self.faults.add(f"{where}.text", "has a semicolon", "a name that a drawing may follow")
        line = self._line(draft.line, f"{where}.line")
        outline = self._outline(draft.outline, f"{where}.outline") or self._strip(draft, line, where)
        return Feature(
            kind=draft.kind,
            outline=outline,
            line=line,
            at=self._place(draft.point, f"{where}.point") if draft.point else None,
            text=draft.text,
            level=draft.level,
            attributes=dict(draft.attributes),
        )

    def _outline(self, corners: tuple[tuple[float, float], ...], where: str) -> tuple[Point, ...]:
        found = [self._corner(corner, f"{where}[{index}]") for index, corner in enumerate(corners)]
        points = tuple(point for point in found if point is not None)
        if corners and len(points) == len(corners) and not (len(points) > 2 and is_simple(points)):
            self.faults.add(where, "is no simple polygon", "at least three corners, no two sides crossing")
            return ()
        return points

    def _corner(self, corner: tuple[float, float], where: str) -> Point | None:
        x, y = (read_inches(value) for value in corner)
        if x is None or y is None:
            self.faults.add(where, f"is {corner[0]}, {corner[1]}", _DECIMALS)
            return None
        return self._on_table(Point(x, y), where)

    def _place(self, text: str, where: str) -> Point | None:
        point = read_point(text)
        if point is None:
            self.faults.add(where, f"{text!r} is no place", f"such as 12.5,30, {_DECIMALS}")
            return None
        return self._on_table(point, where)

    def _on_table(self, point: Point, where: str) -> Point | None:
        if 0 <= point.x <= self.width and 0 <= point.y <= self.depth:
            return point
        self.faults.add(where, f"{label(point)} is off the table", f"0,0 to {label((self.width, self.depth))}")
        return None

    def _line(self, places: tuple[str, ...], where: str) -> tuple[Point, ...]:
        if len(places) == 1:
            self.faults.add(where, "has one place", "at least two")
        found = [self._place(text, f"{where}[{index}]") for index, text in enumerate(places)]
        points = tuple(point for point in found if point is not None)
        for index, point in enumerate(points[1:], start=1):
            if point == points[index - 1]:
                self.faults.add(f"{where}[{index}]", f"{label(point)} stands twice", "another place")
        return points if len(set(points)) == len(points) > 1 else ()

    def _strip(self, draft: TableFeatureDraft, line: tuple[Point, ...], where: str) -> tuple[Point, ...]:
        """The outline of a line with a width."""
        if not draft.width:
            return ()
        width = read_inches(draft.width)
        if width is None or not 0 < width <= self.width:
            self.faults.add(f"{where}.width", f"is {draft.width}", f"up to {thousandths(self.width)}, {_DECIMALS}")
        elif not draft.line:
            self.faults.add(f"{where}.width", "is of no line", "a line, or no width")
        elif line:
            found = strip(line, width)
            if found is None:
                self.faults.add(f"{where}.line", "crosses itself at its width", "wider bends, or less width")
            return tuple(Point(*corner) for corner in found or ())
        return ()


def is_table(plain: object) -> bool:
    """Whether the data of a board's file is that of a table."""
    return isinstance(plain, Mapping) and "table" in plain


def read_table(plain: object, where: str, footings: Mapping[str, Footing] | None = None) -> TableMap:
    """The table of a file's data; :class:`BadInput` with all faults."""
    return TableMap.from_draft(convert(plain, TableDraft, where), where, footings)
