"""Roads read off a picture: which hexsides they cross, and the lines that they make (1.1.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction

from sandtable.core.content.rule import rule
from sandtable.geo.feature import FeatureDraft
from sandtable.geo.grid import BoardEdge, Layout
from sandtable.geo.hex import DIRECTION_NAMES, NEIGHBOURS, Hex, direction_to
from sandtable.geo.hexside import Hexside, hexes_of, hexsides
from sandtable.geo.shapes.convex import Stretches
from sandtable.geo.shapes.picture import Picture
from sandtable.geo.terrain_query import TerrainQuery
from sandtable.geo.vertex import ends_of

__all__ = ["road_features", "roads_of"]

_CROSSED = Fraction(3, 16)
"""Of a hexside that a road crosses, at least this much shows it."""
_ACROSS = {
    BoardEdge.TOP: {3: 0, 2: 1, 4: 5},
    BoardEdge.BOTTOM: {0: 3, 1: 2, 5: 4},
    BoardEdge.LEFT: {1: 5, 2: 4},
    BoardEdge.RIGHT: {5: 1, 4: 2},
}
"""For each edge of a board, the sides of a hex cut by it that lie on the board, and those they are mirrored to."""


@rule("1.1.1")
def roads_of(picture: Picture, layout: Layout, scale: int, word: str) -> tuple[Hexside, ...]:
    """The hexsides that a kind of road crosses (1.1.1)

    A hex cut by the edge of the board is a whole one: a road that comes to the edge leads over it.
    """
    look = TerrainQuery.at(word)
    sides = dict.fromkeys(side for hex in layout.hexes() for side in hexsides(hex))
    crossed = dict.fromkeys(side for side in sides if _shown(picture, layout, scale, look, side) >= _CROSSED)
    for hex in layout.hexes():
        around = hexsides(hex)
        for edge in layout.cut_by(hex):
            for inner, outer in _ACROSS[edge].items():
                if around[inner] in crossed:
                    crossed[around[outer]] = None
    return tuple(crossed)


def _shown(picture: Picture, layout: Layout, scale: int, look: TerrainQuery, side: Hexside) -> Fraction:
    """How much of a hexside shows something."""
    a, b = ((vertex.x * scale, (vertex.y - layout.top) * scale) for vertex in ends_of(side))
    if a[0] == b[0] or a[1] == b[1] or picture.has_on_both_sides(look, a, b):
        left, right = picture.flanks(look, a, b)
        return _length(left + right)
    return Fraction(0)


def _length(stretches: Stretches) -> Fraction:
    total = end = Fraction(0)
    for first, last in sorted(stretches):
        total += max(Fraction(0), last - max(first, end))
        end = max(end, last)
    return total


def road_features(
    word: str, sides: Collection[Hexside], centres: Collection[Hex], layout: Layout
) -> Iterator[FeatureDraft]:
    """The lines of a road: through hexes at whose centres it shows, and up to the hexsides where it only passes by."""
    ways: dict[Hex, list[Hex]] = {}
    loose: list[tuple[Hex, int]] = []
    for side in sides:
        one, other = hexes_of(side)
        if one in centres and other in centres:
            ways.setdefault(one, []).append(other)
            ways.setdefault(other, []).append(one)
        else:
            hex = one if one in centres or layout.place_of(other) is None else other
            way = direction_to(hex, other if hex == one else one)
            if layout.place_of(hex) is not None and way is not None:
                loose.append((hex, way))
    left = {frozenset((hex, other)) for hex, others in ways.items() for other in others}
    # From ends and forks first, so that what remains are rings.
    for start in sorted(ways, key=lambda hex: (len(ways[hex]) == 2, hex)):
        for second in ways[start]:
            if frozenset((start, second)) in left:
                path = _walk([start, second], ways, left)
                yield FeatureDraft(kind=word, line=tuple(_led_off(path, loose, layout)))
    for hex, way in loose:
        yield FeatureDraft(kind=word, line=(f"{layout.label(hex)}:{DIRECTION_NAMES[way]}",))


def _walk(path: list[Hex], ways: dict[Hex, list[Hex]], left: set[frozenset[Hex]]) -> list[Hex]:
    """Hexes along a road until it ends or forks."""
    left.discard(frozenset(path))
    while len(ways[path[-1]]) == 2:
        onward = [hex for hex in ways[path[-1]] if frozenset((path[-1], hex)) in left]
        if not onward:
            break
        left.discard(frozenset((path[-1], onward[0])))
        path.append(onward[0])
    return path


def _led_off(path: list[Hex], loose: list[tuple[Hex, int]], layout: Layout) -> Iterator[str]:
    """The labels of a path; where it ends at the edge of the board it leads over it."""
    for index, hex in enumerate(path):
        label = layout.label(hex)
        if index in (0, len(path) - 1):
            off = [(one, way) for one, way in loose if one == hex and layout.place_of(NEIGHBOURS[one][way]) is None]
            if off:
                loose.remove(off[0])
                label = f"{label}:{DIRECTION_NAMES[off[0][1]]}"
        yield label
