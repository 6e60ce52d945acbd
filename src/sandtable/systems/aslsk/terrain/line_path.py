"""The path of a line of sight: what it meets between two hexes, the same for every pair as far apart.

For each hex the line passes through there is a number, its distance from the hex's centre in units of the line's
own direction: a piece of terrain is crossed exactly if corners of its hull lie on both sides of that number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from math import gcd
from typing import NamedTuple

from sandtable.geo.hex import Hex, centre, direction_to
from sandtable.geo.hexside import Hexside
from sandtable.geo.line import Along, Corner, Cross, Through, relative
from sandtable.geo.shapes.pieces import Piece, hexagon
from sandtable.geo.shapes.polygon import Point

__all__ = ["Boxed", "LinePath", "Span", "Stop", "boxed", "line_path", "spans"]

Span = tuple[int, int]
"""The least and the greatest distance from a hex's centre at which a line of one direction crosses a piece."""


class Stop(NamedTuple):
    """A place on the way, between the ends; hexes are given from the first end."""

    hexes: tuple[Hex, ...]
    """The hex passed through or touched, or the two hexes beside a hexside."""
    distance: int | None = None
    """Of a hex passed through: how far from its centre."""
    side: Hexside | None = None
    """The hexside run along."""


class LinePath(NamedTuple):
    """All that a line meets on its way from the first hex to the one so far away."""

    direction: Point
    """On the lattice, in lowest terms."""
    stops: tuple[Stop, ...]
    plain: bool
    """Whether it only passes through hexes."""
    between: tuple[Hex, ...]
    """Every hex that it meets in between, were it only in a point."""
    through: tuple[Hex, ...]
    """The hexes in between that it passes through."""
    entry: tuple[int, ...]
    """Directions of the last hex's sides that it crosses or meets on its way in."""


@cache
def line_path(q: int, r: int) -> LinePath:
    """The path of a line from a hex to the one ``q`` columns and ``r`` hexes away."""
    target = Hex(q, r)
    x, y = centre(target)
    divisor = gcd(x, y) or 1
    dx, dy = x // divisor, y // divisor
    stops: list[Stop] = []
    for element in relative(q, r).elements:
        match element:
            case Through(hex) if hex not in (Hex(0, 0), target):
                cx, cy = centre(hex)
                stops.append(Stop((hex,), distance=dy * cx - dx * cy))
            case Along(side, hexes):
                stops.append(Stop(hexes, side=side))
            case Corner(touched=touched) if touched:
                stops.append(Stop(touched))
    between = dict.fromkeys(hex for stop in stops for hex in stop.hexes)
    through = tuple(stop.hexes[0] for stop in stops if stop.distance is not None)
    return LinePath((dx, dy), tuple(stops), len(through) == len(stops), tuple(between), through, _entry(q, r))


def _entry(q: int, r: int) -> tuple[int, ...]:
    elements = relative(q, r).elements
    if len(elements) < 2:
        return ()
    target = Hex(q, r)
    match elements[-2]:
        case Cross(side):
            back = side.hex if side.hex != target else side.hex + _step(side.dir)
            way = direction_to(target, back)
            return () if way is None else (way,)
        case Corner(vertex):
            x, y = centre(target)
            return _CORNERS[vertex.x - x, vertex.y - y]
        case _:
            return ()


def _step(direction: int) -> Hex:
    return (Hex(0, -1), Hex(1, -1), Hex(1, 0))[direction]


_CORNERS = {(-1, -1): (5, 0), (1, -1): (0, 1), (2, 0): (1, 2), (1, 1): (2, 3), (-1, 1): (3, 4), (-2, 0): (4, 5)}
"""The two sides that meet in each corner of a hex."""


class Boxed(NamedTuple):
    """A piece with the box around it: twice its middle, and twice half its width and height."""

    hull: tuple[Point, ...]
    unit: int
    x: int
    y: int
    wide: int
    high: int

    @property
    def fills_hex(self) -> bool:
        """Whether it reaches into all corners of its hex, so that every line through the hex crosses it."""
        return set(hexagon(self.unit)) <= set(self.hull)


def boxed(pieces: Iterable[Piece]) -> tuple[Boxed, ...]:
    """Pieces made ready for many directions."""
    found = []
    for hull, unit in pieces:
        xs, ys = [x for x, _ in hull], [y for _, y in hull]
        west, east, north, south = min(xs), max(xs), min(ys), max(ys)
        found.append(Boxed(hull, unit, west + east, north + south, east - west, south - north))
    return tuple(found)


def spans(pieces: Sequence[Boxed], direction: Point) -> tuple[Span, ...]:
    """Where lines of a direction cross pieces; what adds nothing to the spans before it is left out."""
    dx, dy = direction
    if len(pieces) == 1:
        hull, unit = pieces[0][:2]
        asides = [dx * y - dy * x for x, y in hull]
        first, last = min(asides) // unit + 1, -(-max(asides) // unit) - 1
        return ((first, last),) if first <= last else ()
    across, down = abs(dx), abs(dy)
    farthest = max(across + down, 2 * down) - 1
    found: list[Span] = []
    least, most = 1, 0
    for hull, unit, x2, y2, wide, high in pieces:
        if least <= -farthest and most >= farthest:
            # Every line through the hex crosses what there was before.
            break
        # Lines between centres pass at whole distances only. The box tells of most small pieces that they add none.
        middle, reach, twice = dx * y2 - dy * x2, across * high + down * wide, 2 * unit
        first, last = (middle - reach) // twice + 1, -(-(middle + reach) // twice) - 1
        if first > last or (least <= first and last <= most):
            continue
        x, y = hull[0]
        nearest = utmost = dx * y - dy * x
        for x, y in hull:
            aside = dx * y - dy * x
            if aside < nearest:
                nearest = aside
            elif aside > utmost:
                utmost = aside
        first, last = nearest // unit + 1, -(-utmost // unit) - 1
        if first > last or (least <= first and last <= most):
            continue
        if first <= most + 1 and least <= last + 1 and found:
            least, most = min(first, least), max(last, most)
            found[0] = least, most
        else:
            found.append((first, last))
            least, most = found[0]
    return tuple(found)
