"""Vector features: what is drawn on a board, and the only source of what its hexes and hexsides are.

A feature has a kind, a plain word that the system's terrain table explains, and one geometry: the hexes
that it fills, an outline inside them, a line through hex centres, a set of hexsides, or a point. Later
features lie on top of earlier ones. Facts of hexes, the picture and the obstacles to sight are all taken
from the same features.
"""

from __future__ import annotations

import re

import msgspec

from sandtable.core.errors import BadInput, Faults
from sandtable.geo.grid import Layout
from sandtable.geo.hex import DIRECTION_NAMES, Hex, centre, direction_named, straight_line
from sandtable.geo.hexside import Hexside, hexside
from sandtable.geo.line import Corner, trace
from sandtable.geo.shapes.polygon import Point, PointPosition, is_simple, locate
from sandtable.geo.vertex import VERTEX_OFFSETS

__all__ = ["Feature", "FeatureDraft", "Scalar", "read_feature"]

Scalar = str | int | bool

_RUN = re.compile(r"(\w+)-(\w+)")
_BLOCK = re.compile(r"(\w+)\.\.(\w+)")


class FeatureDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A feature as a board file has it; labels are not yet looked up."""

    kind: str
    """What it is, in the word of the system's terrain table: woods, road, hedgerow."""
    hexes: tuple[str, ...] = ()
    """Labels, runs such as ``C3-C7`` and blocks such as ``C3..F7``.

    With an outline: the hexes that it counts for, where they are not those whose centres it holds.
    """
    outline: tuple[tuple[int, int], ...] = ()
    """Corners of a polygon from the board's top left corner, in lattice units times the board's scale."""
    line: tuple[str, ...] = ()
    """Labels of the hexes through whose centres it runs; a hexside such as ``A3:NW`` at either end leads off there."""
    sides: tuple[str, ...] = ()
    """Hexsides such as ``C4:N``, or several of one hex as ``C4:N/NE``."""
    point: str = ""
    """Label of the hex at whose centre it stands."""
    text: str = ""
    level: int | None = None
    """Level of the ground inside; where features overlap, the later one holds."""
    attributes: dict[str, Scalar] = {}


class Feature(msgspec.Struct, frozen=True):
    """A feature in hexes, hexsides and lattice points; points are in ``1 / scale`` of a lattice unit."""

    kind: str
    hexes: tuple[Hex, ...] = ()
    """Hexes that it fills, or that its line passes through."""
    sides: tuple[Hexside, ...] = ()
    """Hexsides that it occupies, or that its line crosses."""
    outline: tuple[Point, ...] = ()
    line: tuple[Point, ...] = ()
    at: Point | None = None
    text: str = ""
    level: int | None = None
    attributes: dict[str, Scalar] = {}
    board: str = ""
    """Name of the board that it is drawn on, once placed."""

    @property
    def is_route(self) -> bool:
        """Whether it runs from hex to hex rather than fill hexes or hexsides."""
        return bool(self.line)


def read_feature(draft: FeatureDraft, layout: Layout, scale: int, faults: Faults, where: str) -> Feature | None:
    """The feature of a draft, at twice the board's ``scale``; faults are added to ``faults``."""
    given = [name for name in ("hexes", "outline", "line", "sides", "point") if getattr(draft, name)]
    if given == ["hexes", "outline"]:
        given = ["outline"]
    if len(given) != 1:
        wrong = f"{' and '.join(given)} together" if given else "has no geometry"
        faults.add(where, wrong, "one of hexes, outline, line, sides, point (hexes may go with an outline)")
        return None
    if not draft.kind.strip():
        faults.add(f"{where}.kind", "is empty", "the kind of terrain or feature")
    reader = _Reader(layout, 2 * scale, faults)
    at = None
    if draft.point and (hex := reader.hex(draft.point, f"{where}.point")) is not None:
        at = reader.scaled(centre(hex))
    hexes = reader.hexes(draft.hexes, f"{where}.hexes")
    if draft.line:
        points, hexes, sides = reader.line(draft.line, f"{where}.line")
    else:
        points, sides = (), reader.sides(draft.sides, f"{where}.sides")
    outline = reader.outline(draft.outline, f"{where}.outline")
    return Feature(
        kind=draft.kind,
        hexes=hexes or reader.held(outline),
        sides=sides,
        outline=outline,
        line=points,
        at=at,
        text=draft.text,
        level=draft.level,
        attributes=dict(draft.attributes),
    )


class _Reader:
    """Looks up the labels of one feature and notes what it cannot find."""

    def __init__(self, layout: Layout, scale: int, faults: Faults) -> None:
        self.layout = layout
        self.scale = scale
        self.faults = faults

    def scaled(self, point: tuple[int, int]) -> Point:
        return point[0] * self.scale, point[1] * self.scale

    def hex(self, label: str, where: str) -> Hex | None:
        try:
            return self.layout.hex(label, where)
        except BadInput as bad:
            for fault in bad.faults:
                self.faults.add(fault.where, fault.wrong, fault.right)
            return None

    def hexes(self, items: tuple[str, ...], where: str) -> tuple[Hex, ...]:
        found: dict[Hex, None] = {}
        for index, item in enumerate(items):
            place = f"{where}[{index}]"
            if match := _BLOCK.fullmatch(item.strip()):
                found.update(dict.fromkeys(self._block(match[1], match[2], place)))
            elif match := _RUN.fullmatch(item.strip()):
                found.update(dict.fromkeys(self._run(match[1], match[2], place)))
            elif (hex := self.hex(item, place)) is not None:
                found[hex] = None
        return tuple(found)

    def _ends(self, first: str, last: str, where: str) -> tuple[Hex, Hex] | None:
        a, b = self.hex(first, where), self.hex(last, where)
        return None if a is None or b is None else (a, b)

    def _block(self, first: str, last: str, where: str) -> tuple[Hex, ...]:
        if (ends := self._ends(first, last, where)) is None:
            return ()
        (c0, r0), (c1, r1) = (self.layout.labels.parse(label) for label in (first, last))
        if c1 < c0 or r1 < r0 or ends[0] == ends[1]:
            self.faults.add(where, f"{first}..{last} is empty", "top left and bottom right hex of a block")
            return ()
        places = ((c, r) for c in range(c0, c1 + 1) for r in range(r0, r1 + 1))
        return tuple(hex for c, r in places if (hex := self.layout.hex_in(c, r)) is not None)

    def _run(self, first: str, last: str, where: str) -> tuple[Hex, ...]:
        if (ends := self._ends(first, last, where)) is None:
            return ()
        (c0, r0), (c1, r1) = (self.layout.labels.parse(label) for label in (first, last))
        if r0 == r1 and c0 < c1:
            row = (self.layout.hex_in(c, r0) for c in range(c0, c1 + 1))
            return tuple(hex for hex in row if hex is not None)
        if straight_line(*ends) is not None:
            return trace(*ends).hexes
        self.faults.add(where, f"{first}-{last} is no run", "two hexes of one column, one row number or one hex row")
        return ()

    def sides(self, items: tuple[str, ...], where: str) -> tuple[Hexside, ...]:
        found: dict[Hexside, None] = {}
        for index, item in enumerate(items):
            place = f"{where}[{index}]"
            label, _, names = item.partition(":")
            hex = self.hex(label, place)
            for name in names.split("/"):
                direction = direction_named(name.strip())
                if direction is None:
                    self.faults.add(place, f"{name!r} is no direction", f"one of {', '.join(DIRECTION_NAMES)}")
                elif hex is not None:
                    found[hexside(hex, direction)] = None
        return tuple(found)

    def outline(self, corners: tuple[tuple[int, int], ...], where: str) -> tuple[Point, ...]:
        if not corners:
            return ()
        top = self.layout.top * self.scale
        points = tuple((2 * x, 2 * y + top) for x, y in corners)
        if len(points) < 3 or not is_simple(points):
            self.faults.add(where, "is no simple polygon", "at least three corners, no two sides crossing")
        return points

    def held(self, outline: tuple[Point, ...]) -> tuple[Hex, ...]:
        """The hexes whose centres an outline holds; one on the outline itself is held.

        So a shape that ends at the edge of the board counts for the hexes that the edge cuts.
        """
        if len(outline) < 3:
            return ()
        left, right = min(x for x, _ in outline), max(x for x, _ in outline)
        return tuple(
            hex
            for hex in self.layout.hexes()
            if left <= (point := self.scaled(centre(hex)))[0] <= right
            and locate(point, outline) is not PointPosition.OUTSIDE
        )

    def line(
        self, items: tuple[str, ...], where: str
    ) -> tuple[tuple[Point, ...], tuple[Hex, ...], tuple[Hexside, ...]]:
        """Points, hexes passed through and hexsides crossed by a line through hex centres."""
        points: list[Point] = []
        hexes: dict[Hex, None] = {}
        sides: dict[Hexside, None] = {}
        before: Hex | None = None
        if len(items) < 2 and ":" not in "".join(items):
            self.faults.add(where, "has one point", "at least two hexes")
        for index, item in enumerate(items):
            place = f"{where}[{index}]"
            label, leads_off, name = item.partition(":")
            hex = self.hex(label, place)
            if hex is None:
                before = None
                continue
            if before is not None and before != hex:
                self._step(before, hex, hexes, sides, place)
            hexes[hex] = None
            steps = [self.scaled(centre(hex))]
            if leads_off and (way := self._way_off(hex, name, index, len(items), place)) is not None:
                sides[hexside(hex, way)] = None
                steps.append(self._middle(hex, way))
            points += reversed(steps) if index == 0 else steps
            before = hex
        # A hexside at the end repeats the hex before it; a doubled point draws nothing.
        points = [point for number, point in enumerate(points) if number == 0 or point != points[number - 1]]
        return tuple(points), tuple(hexes), tuple(sides)

    def _step(self, a: Hex, b: Hex, hexes: dict[Hex, None], sides: dict[Hexside, None], where: str) -> None:
        line = trace(a, b)
        if any(isinstance(element, Corner) for element in line.elements):
            names = f"{self.layout.label(a)} to {self.layout.label(b)}"
            self.faults.add(where, f"{names} passes through a vertex", "the hexes in between as well")
            return
        hexes.update(dict.fromkeys(line.hexes))
        sides.update(dict.fromkeys(line.sides))

    def _way_off(self, hex: Hex, name: str, index: int, count: int, where: str) -> int | None:
        direction = direction_named(name.strip())
        if direction is None:
            self.faults.add(where, f"{name!r} is no direction", f"one of {', '.join(DIRECTION_NAMES)}")
        elif index not in (0, count - 1):
            self.faults.add(where, f"{self.layout.label(hex)}:{name} stands inside the line", "a plain label")
            return None
        return direction

    def _middle(self, hex: Hex, direction: int) -> Point:
        x, y = centre(hex)
        (x0, y0), (x1, y1) = VERTEX_OFFSETS[direction], VERTEX_OFFSETS[(direction + 1) % 6]
        half = self.scale // 2
        return (2 * x + x0 + x1) * half, (2 * y + y0 + y1) * half
