"""The board of a report as SVG: the ground of every hex or of a table, and what is drawn on it, in quiet colours.

Everything comes from the map's own features, as in the browser, so a board of any system can be drawn. On the lattice
a hex is 4 wide and 2 high; the drawing stretches it so that it is regular. An inch of a table is as wide as it is high.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from math import sqrt

from sandtable.geo.feature import Feature
from sandtable.geo.hex import Hex, centre
from sandtable.geo.hexside import Hexside
from sandtable.geo.map import GameMap
from sandtable.geo.paint import paint_of
from sandtable.geo.plane.space import AnyMap
from sandtable.geo.plane.table import TableMap
from sandtable.geo.vertex import VERTEX_OFFSETS, ends_of

__all__ = ["SIZE", "board_box", "draw_board", "on_paper"]

SIZE = 20.0
"""From the centre of a hex to its corner."""
_WIDE, _HIGH = SIZE / 2, SIZE * sqrt(3) / 2
_INCH = SIZE
_GROUND = "#f3efe2"
_AREAS = {
    "woods": "#b9cda2",
    "orchard": "#cbdcae",
    "water": "#a9cbdd",
    "building": "#b5aa9c",
    "marsh": "#bdd3c6",
    "rough": "#d9cbb0",
    "sand": "#efe0b4",
    "scrub": "#dcdcb4",
    "field": "#ece3ab",
    "gully": "#dccfb4",
}
_LINES = {
    "road": ("#c2ab84", 5.0),
    "path": ("#cfbd9b", 2.4),
    "track": ("#cfbd9b", 3.0),
    "rail": ("#8d8d92", 2.2),
    "stream": ("#8ab6d0", 3.4),
    "water": ("#8ab6d0", 4.4),
    "gully": ("#c4ae86", 3.0),
    "bridge": ("#a18d68", 6.0),
}
_SIDES = {
    "hedge": ("#6f9355", 3.0),
    "wall": ("#85817a", 3.0),
    "cliff": ("#8a5a3c", 3.6),
    "ridge": ("#a98a5e", 2.6),
    "slope": ("#b99f76", 2.0),
    "stream": ("#8ab6d0", 3.4),
    "water": ("#8ab6d0", 4.4),
}


def _stretch(space: AnyMap) -> tuple[float, float]:
    """How wide and how high a unit of a spot is drawn."""
    return (_INCH, _INCH) if isinstance(space, TableMap) else (_WIDE, _HIGH)


def on_paper(space: AnyMap, label: str) -> tuple[float, float]:
    """Where a place is."""
    (x, y), (wide, high) = space.spot(label), _stretch(space)
    return x * wide, y * high


def board_box(space: GameMap | TableMap) -> tuple[float, float, float, float]:
    """Left, top, width and height of what is played on."""
    if isinstance(space, TableMap):
        return -2, -2, space.width / space.scale * _INCH + 4, space.depth / space.scale * _INCH + 4
    spots = [(x * _WIDE, y * _HIGH) for x, y in map(centre, space.hexes)]
    left, top = min(x for x, _ in spots) - SIZE, min(y for _, y in spots) - _HIGH
    return left - 2, top - 2, max(x for x, _ in spots) + SIZE - left + 4, max(y for _, y in spots) + _HIGH - top + 4


def draw_board(space: GameMap | TableMap) -> Iterator[str]:
    """The elements of the board, from the ground up."""
    return _draw_table(space) if isinstance(space, TableMap) else _draw_hexes(space)


def _draw_table(table: TableMap) -> Iterator[str]:
    left, top, width, height = board_box(table)
    size = f'x="{left + 2}" y="{top + 2}" width="{width - 4}" height="{height - 4}"'
    yield f'<clipPath id="played"><rect {size}/></clipPath>'
    yield f'<rect {size} fill="{_GROUND}" stroke="#7d7463"/><g clip-path="url(#played)">'
    for feature in table.drawn():
        paint = paint_of(feature.kind)
        colour = _LINES[paint][0] if feature.line and paint in _LINES else _AREAS.get(paint)
        if paint == "level":
            colour = _shaded(_GROUND, feature.level or 0)
        if feature.outline and colour is not None:
            yield f'<polygon points="{_drawn(feature.outline, table)}" fill="{colour}"/>'
    yield "</g>"
    yield from (element for feature in table.drawn() for element in _name(table, feature))


def _draw_hexes(game_map: GameMap) -> Iterator[str]:
    for hex in sorted(game_map.hexes):
        fill = _shaded(_GROUND, game_map.at(hex).level)
        yield f'<polygon points="{_points(_corners(hex))}" fill="{fill}"/>'
    drawn = game_map.drawn()
    # A board that is played on in part is drawn in part.
    shape = "".join(f'<polygon points="{_points(_corners(hex))}"/>' for hex in sorted(game_map.hexes))
    yield f'<clipPath id="played">{shape}</clipPath><g clip-path="url(#played)">'
    yield from (element for feature in drawn for element in _area(game_map, feature))
    yield from (element for feature in drawn for element in _line(game_map, feature))
    yield from (element for feature in drawn for element in _sides(feature))
    yield "</g>"
    yield f'<g fill="none" stroke="#7d7463" stroke-opacity=".35" stroke-width=".8">{shape}</g>'
    yield from (element for feature in drawn for element in _name(game_map, feature))


def _corners(hex: Hex) -> Iterator[tuple[float, float]]:
    x, y = centre(hex)
    return (((x + dx) * _WIDE, (y + dy) * _HIGH) for dx, dy in VERTEX_OFFSETS)


def _points(places: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)


def _drawn(points: Iterable[tuple[int, int]], space: AnyMap) -> str:
    wide, high = _stretch(space)
    return _points((x / space.scale * wide, y / space.scale * high) for x, y in points)


def _area(game_map: GameMap, feature: Feature) -> Iterator[str]:
    """Ground that a feature covers; higher ground is a shade darker."""
    paint = paint_of(feature.kind)
    colour = _AREAS.get(paint)
    if paint == "level" and feature.outline:
        colour = _shaded(_GROUND, feature.level or 0)
    if colour is None or feature.line or feature.sides:
        return
    if feature.outline:
        yield f'<polygon points="{_drawn(feature.outline, game_map)}" fill="{colour}"/>'
        return
    for hex in feature.hexes:
        if hex in game_map.hexes:
            yield f'<polygon points="{_points(_corners(hex))}" fill="{_shaded(colour, game_map.at(hex).level)}"/>'


def _line(game_map: GameMap, feature: Feature) -> Iterator[str]:
    found = _LINES.get(paint_of(feature.kind))
    if found is not None and feature.line:
        colour, width = found
        yield (
            f'<polyline points="{_drawn(feature.line, game_map)}" fill="none" stroke="{colour}" '
            f'stroke-width="{width}" stroke-linejoin="round" stroke-linecap="round"/>'
        )


def _sides(feature: Feature) -> Iterator[str]:
    found = _SIDES.get(paint_of(feature.kind))
    if found is None or not feature.sides:
        return
    colour, width = found
    lines = "".join(f'<polyline points="{_points(_ends(side))}"/>' for side in feature.sides)
    yield f'<g fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round">{lines}</g>'


def _name(space: AnyMap, feature: Feature) -> Iterator[str]:
    if feature.at is not None and feature.text:
        wide, high = _stretch(space)
        x, y = feature.at[0] / space.scale * wide, feature.at[1] / space.scale * high
        yield (
            f'<text x="{x:.1f}" y="{y - SIZE * 0.95:.1f}" text-anchor="middle" font-size="11" font-style="italic" '
            f'fill="#4a4436" stroke="#f3efe2" stroke-width="2.5" paint-order="stroke">{escape(feature.text)}</text>'
        )


def _ends(side: Hexside) -> Iterator[tuple[float, float]]:
    return ((vertex[0] * _WIDE, vertex[1] * _HIGH) for vertex in ends_of(side))


def _shaded(colour: str, level: int) -> str:
    share = 0.94 ** max(0, min(level, 6))
    parts = [int(int(colour[place : place + 2], 16) * share) for place in (1, 3, 5)]
    return "#" + "".join(f"{part:02x}" for part in parts)
