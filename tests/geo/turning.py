"""Geometry that tests alone need: lines and hexes turned about, and what meets at a vertex."""

from sandtable.geo.hex import Hex, centre, hex_at
from sandtable.geo.line import Along, Corner, Line
from sandtable.geo.vertex import VERTEX_OFFSETS, Vertex


def rotate(hex: Hex, steps: int) -> Hex:
    """``hex`` turned clockwise about the origin by ``steps`` times 60 degrees."""
    q, r = hex
    for _ in range(steps % 6):
        q, r = -r, q + r
    return Hex(q, r)


def vertices(hex: Hex) -> tuple[Vertex, ...]:
    """The six vertices of ``hex``, clockwise from the north-western one."""
    x, y = centre(hex)
    return tuple(Vertex(x + dx, y + dy) for dx, dy in VERTEX_OFFSETS)


def hexes_at(vertex: Vertex) -> set[Hex]:
    """The three hexes that meet at a vertex."""
    x, y = vertex
    return {hex for dx, dy in VERTEX_OFFSETS if (hex := hex_at(x - dx, y - dy)) is not None}


def has_ties(line: Line) -> bool:
    """Whether the line runs along a hexside or through a vertex anywhere."""
    return any(isinstance(element, Along | Corner) for element in line.elements)
