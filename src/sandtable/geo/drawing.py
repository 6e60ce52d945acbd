"""What is drawn where: every hex of a map as sight sees it, from vector features and from picture grids alike.

Later features lie on top of earlier ones. A feature given by hexes fills them, an outline fills what it goes round,
a line is a stripe as wide as its kind; where a board has a picture, the picture alone counts for that board. A hex
that two boards share shows a half of each; along the edge of the map, where only one half is there, that half
stands for the whole hex.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from sandtable.geo.grid import BoardEdge
from sandtable.geo.hex import Hex, centre
from sandtable.geo.hexside import Hexside, hexes_of
from sandtable.geo.map import GameMap
from sandtable.geo.placing import Placed
from sandtable.geo.shapes.convex import Stretches, flanks, hull, overlap
from sandtable.geo.shapes.hulls import picture_centre
from sandtable.geo.shapes.overlay import Cells, overlay
from sandtable.geo.shapes.picture import Picture
from sandtable.geo.shapes.pieces import NOTHING, WHOLE, HexWindow, Piece, Pieces, cell_pieces, hexagon
from sandtable.geo.shapes.polygon import Point, PointPosition, Polygon, doubled_area, locate
from sandtable.geo.shapes.stripes import stripes
from sandtable.geo.terrain_query import TerrainQuery
from sandtable.geo.vertex import ends_of

__all__ = ["DrawnShapes"]


class _Layer(NamedTuple):
    """One thing painted."""

    kind: str | None
    """None where it changes the level only."""
    level: int | None
    polygon: Polygon
    """Empty where it fills the hex that it is asked for."""
    box: tuple[int, int, int, int]


class _Thread(NamedTuple):
    """A straight segment, its ends given from the centre of a hex in ``1 / unit`` of a lattice unit."""

    hex: Hex
    a: Point
    b: Point
    unit: int = 1


class _Sheet(NamedTuple):
    """A hex cut into cells, with what each shows."""

    cells: Cells
    shown: tuple[tuple[str, int], ...]


class _Lying(NamedTuple):
    """What lies over a hex."""

    under: tuple[int, ...]
    """Numbers of the layers that cover all of it."""
    polygons: tuple[tuple[int, Polygon], ...]
    """Numbers of the others, with their polygons from the hex's centre."""


class DrawnShapes:
    """The drawn shapes of a map; nothing is worked out before it is asked for."""

    def __init__(self, game_map: GameMap, widths: Mapping[str, int], relief: Iterable[str] = ()) -> None:
        """Make ready; ``widths`` are half the widths of lines in thousandths of a hex's side.

        ``relief`` names the kinds that change the level of the ground and hide nothing.
        """
        self.map = game_map
        self._widths = widths
        self._relief = frozenset(relief)
        self._pictures: dict[str, tuple[Placed, Picture]] = {
            one.name: (one, one.board.picture) for one in game_map.placed if one.board.picture is not None
        }
        self._placed = {one.name: one for one in game_map.placed}
        self._layers: list[_Layer] = []
        self._fills: dict[Hex, list[int]] = {}
        self._near_hex: dict[Hex, list[int]] = {}
        self._sheets: dict[tuple[Hex, TerrainQuery], _Sheet] = {}
        self._seams: dict[Hex, tuple[Point, ...]] = {}
        self._windows: dict[tuple[str, Hex], HexWindow] = {}
        self._read_features()

    def _read_features(self) -> None:
        for feature in self.map.features:
            if feature.board in self._pictures:
                continue
            kind = None if feature.kind in self._relief else feature.kind
            polygons: Iterable[Polygon] = ()
            if feature.outline:
                polygons = (feature.outline,)
            elif feature.line:
                width = self._widths.get(feature.kind, 0) * self.map.scale // 1000
                polygons = stripes(feature.line, width) if width else ()
            elif feature.hexes and not feature.sides:
                for hex in feature.hexes:
                    self._fills.setdefault(hex, []).append(len(self._layers))
                self._layers.append(_Layer(kind, feature.level, (), (0, 0, 0, 0)))
            for polygon in polygons:
                xs, ys = [x for x, _ in polygon], [y for _, y in polygon]
                self._layers.append(_Layer(kind, feature.level, polygon, (min(xs), min(ys), max(xs), max(ys))))

    def pieces(self, hex: Hex, look: TerrainQuery) -> Pieces:
        """What a look sees in a hex, piece by piece."""
        found = [self._drawn_pieces(hex, look)] if self._has_features(hex) else []
        found += [self._pictured_pieces(name, hex, look) for name in self._pictures_of(hex)]
        if len(found) == 1:
            return found[0]
        if not any(one.pieces for one in found):
            return NOTHING
        pieces = tuple(piece for one in found for piece in one.pieces)
        return Pieces(pieces, sum((one.share for one in found), Fraction(0)) / len(found))

    def runs_between(self, side: Hexside, look: TerrainQuery) -> bool:
        """Whether a thread along a hexside has what the look sees on both of its sides.

        Beyond the edge of the map nothing is drawn; there the side that is drawn decides.
        """
        x, y = centre(side.hex)
        a, b = ((vertex.x - x, vertex.y - y) for vertex in ends_of(side))
        hexes = [hex for hex in hexes_of(side) if hex in self.map.facts]
        return self._both_sides(_Thread(side.hex, a, b), hexes, look, alone=len(hexes) < 2)

    def crosses(self, hex: Hex, look: TerrainQuery, a: Point, b: Point, unit: int) -> bool:
        """Whether a thread inside a hex has what the look sees on both of its sides.

        Its ends are given from the hex's centre, in ``1 / unit`` of a lattice unit.
        """
        along_edge = any(a[way[0]] == b[way[0]] == 0 for way in self.seams(hex))
        alone = along_edge and len(self.map.boards[hex]) == 1
        return self._both_sides(_Thread(hex, a, b, unit), [hex], look, alone=alone)

    def _both_sides(self, thread: _Thread, hexes: Sequence[Hex], look: TerrainQuery, *, alone: bool) -> bool:
        """Whether the look sees something on both sides of a thread, or on one if there is only one."""
        names = {name for hex in hexes for name in self.map.boards[hex]}
        if len(names) == 1 and not alone and (name := next(iter(names))) in self._pictures:
            a, b, unit = self._in_picture(name, thread)
            return self._pictures[name][1].has_on_both_sides(look, a, b, unit)
        left: Stretches = []
        right: Stretches = []
        for one, other in self._flanks(thread, hexes, look):
            left += one
            right += other
        return bool(left or right) if alone else overlap(left, right)

    def seams(self, hex: Hex) -> tuple[Point, ...]:
        """Directions of the edges of boards that run through the hex's centre."""
        found = self._seams.get(hex)
        if found is None:
            edges = (
                edge
                for name in self.map.boards[hex]
                for edge in self._placed[name].board.layout.cut_by(self._placed[name].transform.hex_back(hex))
            )
            ways = ((1, 0) if edge in (BoardEdge.TOP, BoardEdge.BOTTOM) else (0, 1) for edge in edges)
            found = self._seams[hex] = tuple(dict.fromkeys(ways))
        return found

    def _pictures_of(self, hex: Hex) -> list[str]:
        return [name for name in self.map.boards.get(hex, ()) if name in self._pictures]

    def _has_features(self, hex: Hex) -> bool:
        return any(name not in self._pictures for name in self.map.boards.get(hex, ()))

    # --- pictures -------------------------------------------------------------------------------------

    def _pictured_pieces(self, name: str, hex: Hex, look: TerrainQuery) -> Pieces:
        placed, picture = self._pictures[name]
        ready = placed.board.hulls.get(look)
        if ready is not None:
            found = ready.get(placed.transform.hex_back(hex), NOTHING)
        else:
            window = self._windows.get((name, hex))
            if window is None:
                window = HexWindow(picture, _in_picture(placed, hex), placed.board.scale // 2)
                self._windows[name, hex] = window
            found = window.pieces(picture.table(look))
        if placed.transform.turned and found.pieces:
            return Pieces(tuple(piece.turned() for piece in found.pieces), found.share)
        return found

    def _flanks(
        self, thread: _Thread, hexes: Iterable[Hex], look: TerrainQuery
    ) -> Iterator[tuple[Stretches, Stretches]]:
        """The flanks of a thread from each source that shows some of ``hexes``."""
        hex, a, b, unit = thread
        names: dict[str, None] = {}
        x, y = centre(hex)
        for other in hexes:
            names.update(dict.fromkeys(self._pictures_of(other)))
            if self._has_features(other):
                sheet = self._sheet(other, look)
                fine = self.map.scale * sheet.cells.unit
                ox, oy = centre(other)
                figures = (
                    tuple((px * unit, py * unit) for px, py in cell.corners)
                    for cell, shown in zip(sheet.cells.cells, sheet.shown, strict=True)
                    if look.sees(*shown)
                )
                ends = (((px + (x - ox) * unit) * fine, (py + (y - oy) * unit) * fine) for px, py in (a, b))
                yield flanks(figures, *ends)
        for name in names:
            one, two, unit = self._in_picture(name, thread)
            yield self._pictures[name][1].flanks(look, one, two, unit)

    def _in_picture(self, name: str, thread: _Thread) -> tuple[Point, Point, int]:
        """A thread in the units of a board's picture."""
        placed = self._pictures[name][0]
        scale = placed.board.scale // 2
        x, y = _in_picture(placed, thread.hex)
        sign = -scale if placed.transform.turned else scale
        a, b = ((x * thread.unit + sign * px, y * thread.unit + sign * py) for px, py in (thread.a, thread.b))
        return a, b, thread.unit

    # --- features -------------------------------------------------------------------------------------

    def _drawn_pieces(self, hex: Hex, look: TerrainQuery) -> Pieces:
        lying = self._lying(hex, look)
        if lying is None:
            return NOTHING
        if not lying.polygons:
            return WHOLE if look.sees(*self._shown(lying.under)) else NOTHING
        if (pieces := self._whole_polygons(lying, look)) is not None:
            return pieces
        sheet = self._sheet(hex, look)
        return cell_pieces(sheet.cells, [look.sees(*shown) for shown in sheet.shown], self.map.scale)

    def _whole_polygons(self, lying: _Lying, look: TerrainQuery) -> Pieces | None:
        """The pieces where each is simply a polygon, all inside the hex and apart from one another."""
        if look.others or look.sees(*self._shown(lying.under)):
            return None
        scale = self.map.scale
        boxes: list[tuple[int, int, int, int]] = []
        for number, polygon in lying.polygons:
            layer = self._layers[number]
            if any(abs(y) > scale or abs(x) + abs(y) > 2 * scale for x, y in polygon):
                return None
            if not look.sees(layer.kind or "", layer.level or 0) or any(_touch(layer.box, box) for box in boxes):
                return None
            boxes.append(layer.box)
        area = sum(abs(doubled_area(polygon)) for _, polygon in lying.polygons)
        whole = doubled_area(hexagon(scale))
        pieces = tuple(Piece(hull(polygon), scale) for _, polygon in lying.polygons)
        return Pieces(pieces, Fraction(area, whole))

    def _near(self, hex: Hex) -> list[int]:
        """Numbers of the layers that may lie over a hex, in the order in which they were painted."""
        found = self._near_hex.get(hex)
        if found is None:
            scale = self.map.scale
            x, y = centre(hex)
            box = (x - 2) * scale, (y - 1) * scale, (x + 2) * scale, (y + 1) * scale
            near = set(self._fills.get(hex, ()))
            near.update(
                number for number, layer in enumerate(self._layers) if layer.polygon and _overlap(layer.box, box)
            )
            found = self._near_hex[hex] = sorted(near)
        return found

    def _lying(self, hex: Hex, look: TerrainQuery) -> _Lying | None:
        """The layers over a hex that a look has to do with: what it looks for, and what may hide that."""
        scale = self.map.scale
        x, y = (value * scale for value in centre(hex))
        under: list[int] = []
        polygons: list[tuple[int, Polygon]] = []
        sought: list[tuple[int, int, int, int] | None] = []
        """Boxes of what is looked for so far; None is the whole hex."""
        base = look.sees("", 0)
        for number in self._near(hex):
            layer = self._layers[number]
            wanted = base or self._may_be(layer, look)
            hides = any(box is None or not layer.polygon or _overlap(box, layer.box) for box in sought)
            if not (wanted or hides):
                continue
            moved = tuple((px - x, py - y) for px, py in layer.polygon)
            if moved and _has_edge_in(moved, scale):
                polygons.append((number, moved))
                sought += [layer.box] if wanted else []
            elif not moved or locate((0, 0), moved) is PointPosition.INSIDE:
                under.append(number)
                sought += [None] if wanted else []
        return _Lying(tuple(under), tuple(polygons)) if base or sought else None

    def _may_be(self, layer: _Layer, look: TerrainQuery) -> bool:
        if look.above is not None:
            return layer.level is not None and layer.level > look.above
        return look.others or layer.kind in look.kinds

    def _sheet(self, hex: Hex, look: TerrainQuery) -> _Sheet:
        """A hex cut into the cells that a look has to do with."""
        sheet = self._sheets.get((hex, look))
        if sheet is None:
            lying = self._lying(hex, look) or _Lying((), ())
            cells = overlay(hexagon(self.map.scale), [polygon for _, polygon in lying.polygons])
            numbers = [number for number, _ in lying.polygons]
            shown = tuple(self._shown([*lying.under, *(numbers[one] for one in cell.layers)]) for cell in cells.cells)
            sheet = self._sheets[hex, look] = _Sheet(cells, shown)
        return sheet

    def _shown(self, numbers: Iterable[int]) -> tuple[str, int]:
        """What lies on top of some layers, and the level of the ground."""
        kind, level = "", 0
        for number in sorted(numbers):
            layer = self._layers[number]
            if layer.kind is not None:
                kind = layer.kind
            if layer.level is not None:
                level = layer.level
        return kind, level


def _in_picture(placed: Placed, hex: Hex) -> Point:
    """The centre of a hex of the map in the units of its board's picture."""
    return picture_centre(placed.board.layout, placed.transform.hex_back(hex), placed.board.scale // 2)


def _overlap(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
    """Whether two boxes, left, top, right and bottom, have more than an edge in common."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _touch(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
    """Whether two boxes have as much as a corner in common."""
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def _has_edge_in(polygon: Polygon, scale: int) -> bool:
    """Whether an edge of a polygon may pass through the hex about the origin."""
    for index, (x, y) in enumerate(polygon):
        ox, oy = polygon[index - 1]
        if min(x, ox) < 2 * scale and max(x, ox) > -2 * scale and min(y, oy) < scale and max(y, oy) > -scale:
            return True
    return False
