"""Polygons laid over one another inside a convex window, cut into convex cells.

Each cell is covered by the same polygons throughout. The window is cut into upright strips at every corner and
every crossing; inside a strip no two edges cross, so what lies between two neighbouring edges is part of a cell, and
it goes on through the next strips for as long as the same two edges bound it. Coordinates of crossings are ratios of
whole numbers; a cell's corners are whole again in units fine enough for the whole window. Floating point only ever
sorts what lies far enough apart; all else is decided exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import gcd, lcm
from typing import NamedTuple

from sandtable.geo.shapes.polygon import Point, Polygon

__all__ = ["Cell", "Cells", "overlay"]

_CLOSE = 1e-6
"""Nearer than this, numbers are compared as fractions. Points are whole, and windows some thousands wide."""


_Ratio = tuple[int, int]
"""A fraction in lowest terms, as bare numbers: thousands are made for a board, and objects take most of the time."""


def _ratio(over: int, under: int) -> _Ratio:
    """The fraction in lowest terms; ``under`` may be below 0."""
    common = gcd(over, under) if under > 0 else -gcd(over, under)
    return over // common, under // common


def _is_less(one: _Ratio, other: _Ratio) -> bool:
    return one[0] * other[1] < other[0] * one[1]


class Cell(NamedTuple):
    """A convex part of the window."""

    corners: tuple[Point, ...]
    layers: frozenset[int]
    """Numbers of the polygons that cover it."""


class Cells(NamedTuple):
    """A window cut into cells."""

    cells: tuple[Cell, ...]
    joins: tuple[tuple[int, int], ...]
    """Pairs of cells that have more than a corner in common."""
    unit: int
    """How many units of the cells' corners make one of the polygons'."""


class _Edge:
    """An edge that is not upright, from left to right, and the polygon that it bounds; -1 is the window."""

    __slots__ = ("ax", "ay", "bx", "by", "layer", "slope")

    def __init__(self, ax: int, ay: int, bx: int, by: int, layer: int) -> None:
        self.ax, self.ay, self.bx, self.by, self.layer = ax, ay, bx, by, layer
        self.slope = (by - ay) / (bx - ax)

    def at(self, x: _Ratio) -> _Ratio:
        """Its height at ``x``."""
        over, under = x
        run = self.bx - self.ax
        return _ratio(self.ay * run * under + (over - self.ax * under) * (self.by - self.ay), run * under)

    def near(self, x: float) -> float:
        """Its height at ``x``, nearly."""
        return self.ay + (x - self.ax) * self.slope


class _Part(NamedTuple):
    """A cell in the making: what lies below one edge and above another, from ``start`` to ``end``."""

    upper: _Edge
    lower: _Edge
    layers: frozenset[int]
    start: _Ratio
    end: _Ratio

    def corners(self) -> list[tuple[_Ratio, _Ratio]]:
        """Its corners clockwise; where the two edges meet at an end, there is one."""
        x0, x1 = self.start, self.end
        above, below = self.upper.at(x1), self.lower.at(x1)
        found = [(x0, self.upper.at(x0)), (x1, above)]
        if below != above:
            found.append((x1, below))
        before = self.lower.at(x0)
        if before != found[0][1]:
            found.append((x0, before))
        return found


def overlay(window: Polygon, polygons: Sequence[Polygon]) -> Cells:
    """Cut a convex window into cells by the polygons that lie over it."""
    left, right = min(x for x, _ in window), max(x for x, _ in window)
    top, bottom = min(y for _, y in window), max(y for _, y in window)
    edges = _edges(window, -1)
    over: list[_Edge] = []
    for layer, polygon in enumerate(polygons):
        for edge in _edges(polygon, layer):
            if edge.ax < right and edge.bx > left and min(edge.ay, edge.by) < bottom:
                # What passes above the window tells only whether the polygon lies over it.
                (over if max(edge.ay, edge.by) <= top else edges).append(edge)
    parts, joins = _sweep(edges, over, _cuts([*edges, *over], edges, left, right))
    corners = [part.corners() for part in parts]
    unit = lcm(*{under for points in corners for point in points for _, under in point})
    cells = tuple(
        Cell(tuple([(_whole(x, unit), _whole(y, unit)) for x, y in points]), part.layers)
        for points, part in zip(corners, parts, strict=True)
    )
    return Cells(cells, tuple(joins), unit)


def _whole(value: _Ratio, unit: int) -> int:
    """A value in parts of which a unit has a multiple of those that the value needs."""
    return value[0] * (unit // value[1])


def _edges(polygon: Polygon, layer: int) -> list[_Edge]:
    edges = []
    for index, (x, y) in enumerate(polygon):
        ox, oy = polygon[index - 1]
        if ox < x:
            edges.append(_Edge(ox, oy, x, y, layer))
        elif x < ox:
            edges.append(_Edge(x, y, ox, oy, layer))
    return edges


def _cuts(edges: Sequence[_Edge], crossing: Sequence[_Edge], left: int, right: int) -> list[_Ratio]:
    """Where the window must be cut: at corners and crossings."""
    cuts: set[_Ratio] = {(left, 1), (right, 1)}
    for edge in edges:
        cuts.update((x, 1) for x in (edge.ax, edge.bx) if left < x < right)
    for index, one in enumerate(crossing):
        for other in crossing[index + 1 :]:
            if one.layer != other.layer and (x := _crossing(one, other)) is not None:
                over, under = x
                if left * under < over < right * under:
                    cuts.add(x)
    unit = lcm(*{under for _, under in cuts})
    return sorted(cuts, key=lambda cut: _whole(cut, unit))


def _crossing(one: _Edge, other: _Edge) -> _Ratio | None:
    """Where two edges cross between their ends."""
    if one.bx <= other.ax or other.bx <= one.ax:
        return None
    dx, dy, ex, ey = one.bx - one.ax, one.by - one.ay, other.bx - other.ax, other.by - other.ay
    under = dx * ey - dy * ex
    if under == 0:
        return None
    over = (other.ax - one.ax) * ey - (other.ay - one.ay) * ex
    along = (other.ax - one.ax) * dy - (other.ay - one.ay) * dx
    if under < 0:
        under, over, along = -under, -over, -along
    if not (0 <= over <= under and 0 <= along <= under):
        return None
    return _ratio(one.ax * under + over * dx, under)


def _sweep(
    edges: Sequence[_Edge], over: Sequence[_Edge], cuts: Sequence[_Ratio]
) -> tuple[list[_Part], list[tuple[int, int]]]:
    """The cells from left to right, and which of them hang together."""
    parts: list[_Part] = []
    joins: dict[tuple[int, int], None] = {}
    open_parts: dict[tuple[_Edge, _Edge], int] = {}
    for x0, x1 in pairwise(cuts):
        here: dict[tuple[_Edge, _Edge], int] = {}
        begun: list[int] = []
        for upper, lower, layers in _strip(edges, over, x0, x1):
            number = open_parts.get((upper, lower))
            if number is not None and parts[number].layers == layers:
                parts[number] = parts[number]._replace(end=x1)
            else:
                number = len(parts)
                parts.append(_Part(upper, lower, layers, x0, x1))
                begun.append(number)
            here[upper, lower] = number
        joins.update(dict.fromkeys(pairwise(here.values())))
        ended = [number for number in open_parts.values() if parts[number].end == x0]
        joins.update(dict.fromkeys((a, b) for a in ended for b in begun if _meet(parts[a], parts[b], x0)))
        open_parts = here
    return parts, list(joins)


def _meet(one: _Part, other: _Part, x: _Ratio) -> bool:
    """Whether two cells have part of the upright line at ``x`` in common."""
    at = x[0] / x[1]
    common = min(one.lower.near(at), other.lower.near(at)) - max(one.upper.near(at), other.upper.near(at))
    if abs(common) > _CLOSE:
        return common > 0
    tops, bottoms = (one.upper.at(x), other.upper.at(x)), (one.lower.at(x), other.lower.at(x))
    return all(_is_less(top, bottom) for top in tops for bottom in bottoms)


def _strip(
    edges: Sequence[_Edge], over: Sequence[_Edge], x0: _Ratio, x1: _Ratio
) -> list[tuple[_Edge, _Edge, frozenset[int]]]:
    """What lies between neighbouring edges in one strip, from the top of the window down."""
    (over0, under0), (over1, under1) = x0, x1
    middle = over0 * under1 + over1 * under0, 2 * under0 * under1
    at = middle[0] / middle[1]
    ordered = sorted((edge.near(at), number) for number, edge in enumerate(edges) if edge.ax < at < edge.bx)
    same: set[int] = set()
    """Edges that run along the next one down."""
    if over1 / under1 - over0 / under0 < _CLOSE or any(b[0] - a[0] < _CLOSE for a, b in pairwise(ordered)):
        wide, under = middle
        exact = sorted(
            (Fraction(*edge.at(middle)), number)
            for number, edge in enumerate(edges)
            if edge.ax * under < wide < edge.bx * under
        )
        ordered = [(float(y), number) for y, number in exact]
        same = {a[1] for a, b in pairwise(exact) if a[0] == b[0]}
    covering: set[int] = set()
    for edge in over:
        if edge.ax < at < edge.bx:
            covering ^= {edge.layer}
    found = []
    inside = False
    for (_, number), (_, below) in pairwise(ordered):
        edge = edges[number]
        if edge.layer < 0:
            inside = not inside
        else:
            covering ^= {edge.layer}
        if inside and number not in same:
            found.append((edge, edges[below], frozenset(covering)))
    return found
