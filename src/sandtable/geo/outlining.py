"""Outlines of what a picture shows, for drawing and for telling which hexes count as what.

Sight looks at the picture itself; here its shapes become features, so that a board that came as a picture has
facts and is drawn like any other. Specks of a few cells, such as the grain of a printed field, are left out of the
outlines. A shape with holes becomes one ring with a slit to each hole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from sandtable.core.errors import BadInput, Faults
from sandtable.geo.feature import Feature
from sandtable.geo.grid import Layout
from sandtable.geo.hex import Hex, centre
from sandtable.geo.shapes.picture import Picture, PictureDraft
from sandtable.geo.shapes.polygon import Point, PointPosition, doubled_area, locate
from sandtable.geo.terrain_query import TerrainQuery

__all__ = ["outlined", "outlines", "pictured_features"]

_SPECK = 24
"""Shapes and holes of fewer cells are not drawn."""
_GAPS = re.compile(b"(?<=\x01)\x00{1,4}(?=\x01)")
_RUNS = re.compile(b"\x01+")

Run = tuple[int, int]
Ring = list[Point]


def pictured_features(draft: PictureDraft, picture: Picture | None, layout: Layout, faults: Faults) -> list[Feature]:
    """A feature for every kind of terrain and every level that a picture shows, with the hexes that count as such."""
    if picture is None:
        return []
    features = []
    for one in draft.levels:
        hexes = _hexes(one.hexes, layout, faults, f"picture.levels: {one.level}")
        features.append(Feature(kind="hill", level=one.level, hexes=hexes))
    for kind, labels in draft.hexes.items():
        hexes = _hexes(labels, layout, faults, f"picture.hexes.{kind}")
        features.append(Feature(kind=kind, hexes=hexes))
    return features


def outlined(feature: Feature, picture: Picture, layout: Layout, scale: int) -> Iterator[Feature]:
    """The shapes that a picture shows for one of its features; ``scale`` is of the features' points.

    Each has the hexes whose centres it holds, or in which more of its corners lie than of any other's, for a road may
    run over a centre. Hexes that are left come last, without a shape.
    """
    if feature.level is not None and feature.level < 0:
        # All but the depression lies above its level; its own shape is what the other levels leave.
        yield feature
        return
    look = TerrainQuery.at(feature.kind) if feature.level is None else TerrainQuery(above=feature.level - 1)
    top = scale * layout.top
    shapes = [tuple((2 * x, 2 * y + top) for x, y in ring) for ring in outlines(picture, look)]
    held: dict[int, list[Hex]] = {}
    for hex in feature.hexes:
        held.setdefault(_shape_of(hex, shapes, scale), []).append(hex)
    for number, shape in enumerate(shapes):
        yield msgspec.structs.replace(feature, hexes=tuple(held.get(number, ())), outline=shape)
    if -1 in held:
        yield msgspec.structs.replace(feature, hexes=tuple(held[-1]))


def _shape_of(hex: Hex, shapes: Sequence[Sequence[Point]], scale: int) -> int:
    """Number of the shape that a hex counts for, -1 if there is none."""
    x, y = (scale * value for value in centre(hex))
    best, most = -1, 0
    for number, shape in enumerate(shapes):
        corners = sum(abs(py - y) <= scale and abs(px - x) + abs(py - y) <= 2 * scale for px, py in shape)
        if corners > most:
            best, most = number, corners
        elif best < 0 and locate((x, y), shape) is not PointPosition.OUTSIDE:
            best = number
    return best


def _hexes(labels: Iterable[str], layout: Layout, faults: Faults, where: str) -> tuple[Hex, ...]:
    found = []
    for index, label in enumerate(labels):
        try:
            found.append(layout.hex(label, f"{where}[{index}]"))
        except BadInput as bad:
            for fault in bad.faults:
                faults.add(fault.where, fault.wrong, fault.right)
    return tuple(found)


def outlines(picture: Picture, look: TerrainQuery) -> list[Ring]:
    """The rings round everything that a look sees in a picture, largest first, in the picture's units."""
    table = picture.table(look)
    wide, high = picture.cell
    speck = _SPECK * wide * high * 2
    outer: list[tuple[int, Ring]] = []
    holes: list[tuple[int, Ring]] = []
    for ring in _rings(_edges(picture, table)):
        scaled = [(x * wide, y * high) for x, y in ring]
        area = doubled_area(scaled)
        if area >= speck:
            outer.append((area, scaled))
        elif area <= -speck:
            holes.append((area, scaled))
    outer.sort(key=lambda one: -one[0])
    for _, hole in sorted(holes, key=lambda one: min(y for _, y in one[1])):
        around = [ring for area, ring in outer if locate(hole[0], ring) is not PointPosition.OUTSIDE]
        if around:
            _slit(around[-1], hole)
    return [ring for _, ring in outer]


def _edges(picture: Picture, table: bytes) -> dict[Point, list[Point]]:
    """The border between seen and unseen cells, each edge with the seen cells on its right."""
    ways: dict[Point, list[Point]] = {}

    def add(a: Point, b: Point) -> None:
        ways.setdefault(a, []).append(b)

    before: list[Run] = []
    for x, column in enumerate((*picture.columns, b"")):
        marked = _GAPS.sub(lambda gap: b"\x01" * len(gap[0]), column.translate(table))
        here = [match.span() for match in _RUNS.finditer(marked)]
        for start, end in here:
            add((x, start), (x + 1, start))
            add((x + 1, end), (x, end))
        for start, end in _without(here, before):
            add((x, end), (x, start))
        for start, end in _without(before, here):
            add((x, start), (x, end))
        before = here
    return ways


def _without(runs: Sequence[Run], others: Sequence[Run]) -> Iterator[Run]:
    """The parts of runs that no other run covers."""
    for start, end in runs:
        at = start
        for first, last in others:
            if last <= at or first >= end:
                continue
            if first > at:
                yield at, first
            at = max(at, last)
        if at < end:
            yield at, end


def _rings(ways: dict[Point, list[Point]]) -> Iterator[Ring]:
    """Closed walks along the border; where two shapes meet in a corner the walk keeps to its own."""
    while ways:
        start = next(iter(ways))
        ring: Ring = []
        here, back = start, None
        while here in ways:
            after = _turn(here, back, ways[here])
            if not ways[here]:
                del ways[here]
            if back is None or (after[0] - here[0]) * (here[1] - back[1]) != (after[1] - here[1]) * (here[0] - back[0]):
                ring.append(here)
            here, back = after, here
        yield ring


def _turn(here: Point, back: Point | None, choices: list[Point]) -> Point:
    """The way on from a corner: to the right where there are two."""
    if len(choices) == 1 or back is None:
        return choices.pop()
    dx, dy = here[0] - back[0], here[1] - back[1]
    for index, (x, y) in enumerate(choices):
        if dx * (y - here[1]) - dy * (x - here[0]) > 0:
            return choices.pop(index)
    return choices.pop()


def _slit(ring: Ring, hole: Ring) -> None:
    """Make a hole part of the ring round it, by a slit straight up from its highest corner."""
    first = min(range(len(hole)), key=lambda index: (hole[index][1], hole[index][0]))
    x, y = hole[first]
    best: tuple[int, int] | None = None
    for index, (bx, by) in enumerate(ring):
        ax, ay = ring[index - 1]
        if ay == by <= y and min(ax, bx) <= x <= max(ax, bx) and (best is None or by > best[0]):
            best = by, index
    if best is not None:
        above = x, best[0]
        ring[best[1] : best[1]] = [above, *hole[first:], *hole[:first], hole[first], above]
