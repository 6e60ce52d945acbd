"""Vertices: the points where three hexes meet.

All centres and vertices are points (x, y) of one integer lattice on which x and y are both odd or both
even: x in half hex sizes to the right, y in half hex heights down. A point is a centre when x divides by
three and a vertex otherwise. The lattice is an affine picture of the true plane, so what lies on a line,
between two points or inside a polygon is the same in both.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from sandtable.geo.hex import Hex, centre
from sandtable.geo.hexside import Hexside

__all__ = [
    "VERTEX_OFFSETS",
    "Vertex",
    "ends_of",
    "translate_vertex",
]


class Vertex(NamedTuple):
    """A vertex, by its lattice point."""

    x: int
    y: int


VERTEX_OFFSETS: Final = ((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0))
"""Vertices about a centre, clockwise; the side in direction d runs from vertex d to vertex d + 1."""


def ends_of(side: Hexside) -> tuple[Vertex, Vertex]:
    """The two vertices of a hexside, clockwise as seen from the hex of its identity."""
    x, y = centre(side.hex)
    (x0, y0), (x1, y1) = VERTEX_OFFSETS[side.dir], VERTEX_OFFSETS[side.dir + 1]
    return Vertex(x + x0, y + y0), Vertex(x + x1, y + y1)


def translate_vertex(vertex: Vertex, by: Hex) -> Vertex:
    """The vertex moved with its hexes."""
    dx, dy = centre(by)
    return Vertex(vertex[0] + dx, vertex[1] + dy)
