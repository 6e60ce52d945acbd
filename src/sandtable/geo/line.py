"""The exact line from the centre of one hex to the centre of another.

:func:`trace` reports, in order, everything that the line meets: hexes whose interior it passes through,
hexsides that it crosses, hexsides that it runs exactly along and vertices that it passes exactly through.
It does not judge: whether a touched hex or a hexside run along matters is for the rules of a system to say.
All comparisons are between integers on the lattice of :mod:`sandtable.geo.vertex`, so the line from b to a
is the line from a to b reversed, and moving or turning both hexes moves or turns the line. A line depends
only on the offset between its hexes; it is worked out once for each offset.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import msgspec

from sandtable.geo.hex import DIRECTIONS, NEIGHBOURS, Hex, centre
from sandtable.geo.hexside import SIDES, Hexside, hexes_of, translate_side
from sandtable.geo.vertex import VERTEX_OFFSETS, Vertex, translate_vertex

__all__ = ["Along", "Corner", "Cross", "Element", "Line", "Through", "relative", "trace"]


class Through(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The line passes through the interior of a hex, or begins or ends at its centre."""

    hex: Hex


class Cross(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The line crosses a hexside between its ends."""

    side: Hexside


class Along(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The line runs exactly along a hexside, from one of its ends to the other."""

    side: Hexside
    hexes: tuple[Hex, Hex]
    """The hexes on both sides of it, that of the side's identity first."""


class Corner(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The line passes exactly through a vertex."""

    vertex: Vertex
    came_from: Hex | Hexside
    goes_to: Hex | Hexside
    touched: tuple[Hex, ...] = ()
    """The hex that the line meets in this point only; none where a hexside run along begins or ends."""


Element = Through | Cross | Along | Corner


class Line(msgspec.Struct, frozen=True, gc=False):
    """All that the line from the centre of ``a`` to the centre of ``b`` meets, in order, both hexes included."""

    a: Hex
    b: Hex
    elements: tuple[Element, ...]

    @property
    def hexes(self) -> tuple[Hex, ...]:
        """The hexes whose interior the line passes through, both ends included."""
        return tuple(element.hex for element in self.elements if isinstance(element, Through))

    @property
    def sides(self) -> tuple[Hexside, ...]:
        """The hexsides crossed or run along."""
        return tuple(element.side for element in self.elements if isinstance(element, Cross | Along))

    def reversed(self) -> Line:
        """The line from ``b`` to ``a``."""
        return Line(self.b, self.a, tuple(_turned(element) for element in reversed(self.elements)))

    def moved(self, by: Hex) -> Line:
        """The line between two hexes that lie as these do, as far away as ``by`` is from the origin."""
        return Line(self.a + by, self.b + by, tuple(_moved(element, by) for element in self.elements))


def _turned(element: Element) -> Element:
    if isinstance(element, Corner):
        return Corner(element.vertex, element.goes_to, element.came_from, element.touched)
    return element


def _moved_end(end: Hex | Hexside, by: Hex) -> Hex | Hexside:
    return translate_side(end, by) if isinstance(end, Hexside) else end + by


def _moved(element: Element, by: Hex) -> Element:
    match element:
        case Through(hex):
            return Through(hex + by)
        case Cross(side):
            return Cross(translate_side(side, by))
        case Along(side, (one, other)):
            return Along(translate_side(side, by), (one + by, other + by))
        case Corner(vertex, came_from, goes_to, touched):
            return Corner(
                translate_vertex(vertex, by),
                _moved_end(came_from, by),
                _moved_end(goes_to, by),
                tuple(hex + by for hex in touched),
            )


def trace(a: Hex, b: Hex) -> Line:
    """The exact line from the centre of ``a`` to the centre of ``b``."""
    line = relative(b[0] - a[0], b[1] - a[1])
    return line if a == (0, 0) else line.moved(a)


@cache
def relative(q: int, r: int) -> Line:
    """The line from the origin to ``Hex(q, r)``; with :func:`Line.moved`, every line of that offset."""
    target = Hex(q, r)
    return Line(Hex(0, 0), target, tuple(_walk(target)))


def _walk(target: Hex) -> Iterator[Element]:
    """Walk from the origin to ``target``, leaving each hex where the line leaves it."""
    x, y = centre(target)
    # Which side of the line a hex's vertices lie on is the side of its centre plus a part that is the same in
    # every hex; positive is to the right of the line.
    swing = tuple(x * dy - y * dx for dx, dy in VERTEX_OFFSETS)
    here = Hex(0, 0)
    yield Through(here)
    while here != target:
        cx, cy = centre(here)
        base = x * cy - y * cx
        out = _way_out(tuple(base + part for part in swing))
        if base + swing[out] != 0:
            yield Cross(SIDES[here][out])
            here = NEIGHBOURS[here][out]
        else:
            dx, dy = VERTEX_OFFSETS[out]
            vertex = Vertex(cx + dx, cy + dy)
            before, after = NEIGHBOURS[here][out - 1], NEIGHBOURS[here][out]
            if swing[out] == 0:
                # The side between the two hexes beyond continues the line from this centre to the vertex.
                side = SIDES[before][(out + 1) % 6]
                beyond = here + DIRECTIONS[out - 1] + DIRECTIONS[out]
                yield Corner(vertex, here, side)
                yield Along(side, hexes_of(side))
                yield Corner(Vertex(vertex.x + dx, vertex.y + dy), side, beyond)
                here = beyond
            else:
                entered, touched = (before, after) if swing[out] > 0 else (after, before)
                yield Corner(vertex, here, entered, (touched,))
                here = entered
        yield Through(here)


def _way_out(sides: tuple[int, ...]) -> int:
    """Number of the vertex or hexside by which the line leaves a hex, given on which side each vertex lies.

    Clockwise round the hex the line goes out where its left ends and its right begins.
    """
    for index in range(6):
        if sides[index - 1] < 0 <= sides[index]:
            return index if sides[index] == 0 else (index - 1) % 6
    raise AssertionError("a line through a hex must leave it")
