"""Lines with a width, such as roads and streams: the outline of the strip that they are.

A strip has square ends, and its bends are mitred. Corners are rounded to whole units, alike in all directions.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import isqrt

from sandtable.geo.plane.headings import LENGTH
from sandtable.geo.shapes.polygon import Point, is_simple

__all__ = ["strip"]

_SHARPEST = -LENGTH // 2
"""Of the cosine of a bend: where a line turns back by more than 120 degrees, its mitre would run far out."""


def strip(line: Sequence[Point], width: int) -> tuple[Point, ...] | None:
    """The outline of a line with a width; None where it turns back on itself or comes too near to itself."""
    normals = [_normal(a, b) for a, b in pairwise(line)]
    left: list[Point] = []
    right: list[Point] = []
    for index, (x, y) in enumerate(line):
        one = normals[max(0, index - 1)]
        other = normals[min(index, len(normals) - 1)]
        cosine = (one[0] * other[0] + one[1] * other[1]) // LENGTH
        if cosine < _SHARPEST:
            return None
        # Both edges are half the width off their lines where they meet: along the sum of both normals.
        under = 2 * (LENGTH + cosine)
        dx, dy = (_rounded((one[axis] + other[axis]) * width, under) for axis in (0, 1))
        left.append((x + dx, y + dy))
        right.append((x - dx, y - dy))
    outline = (*left, *reversed(right))
    return outline if is_simple(outline) else None


def _normal(a: Point, b: Point) -> tuple[int, int]:
    """The vector of length 10^9 across a leg."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    size = isqrt((dx * dx + dy * dy) * LENGTH * LENGTH)
    return _rounded(-dy * LENGTH * LENGTH, size), _rounded(dx * LENGTH * LENGTH, size)


def _rounded(over: int, under: int) -> int:
    """To the nearest, halves away from nothing."""
    size = (2 * abs(over) + under) // (2 * under)
    return size if over >= 0 else -size
