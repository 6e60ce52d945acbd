"""Roads as they are drawn: a line through hex centres turned into stripes of a certain width.

On the lattice the vector across a step ``(dx, dy)`` is ``(-3 dy, dx)``; from one hex to the next its length comes
out even, so the stripes of a road drawn hex by hex are exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import isqrt

from sandtable.geo.shapes.pieces import hexagon
from sandtable.geo.shapes.polygon import Point, Polygon

__all__ = ["stripes"]


def stripes(line: Sequence[Point], half_width: int) -> Iterator[Polygon]:
    """The polygons of a line whose edges lie ``half_width`` from it, with a hexagon at every bend.

    Two of the points' lattice units make the side of a hex; a ``half_width`` as large as one lattice unit is that
    side's whole length.
    """
    for (ax, ay), (bx, by) in pairwise(line):
        dx, dy = bx - ax, by - ay
        root = isqrt(3 * (dx * dx + 3 * dy * dy))
        if root:
            nx, ny = -6 * dy * half_width // root, 2 * dx * half_width // root
            yield (ax + nx, ay + ny), (bx + nx, by + ny), (bx - nx, by - ny), (ax - nx, ay - ny)
    for x, y in line[1:-1]:
        yield tuple((x + cx, y + cy) for cx, cy in hexagon(half_width))
