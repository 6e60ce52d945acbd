"""How a platoon that is set up together stands: in column, in line or as a wedge behind its first vehicle."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.geo.plane.headings import LENGTH, vector
from sandtable.geo.plane.points import Point
from sandtable.systems.panzer.mini.actions import Pattern

__all__ = ["GAP", "offset", "places"]

GAP = 500
"""Between two bases, in thousandths of an inch."""


def offset(at: tuple[int, int], heading: int, ahead: int, right: int) -> Point:
    """The place so many units ahead and to the right of another; rounded alike in all directions."""
    fx, fy = vector(heading)
    return Point(at[0] + _rounded(fx * ahead - fy * right), at[1] + _rounded(fy * ahead + fx * right))


def _rounded(fine: int) -> int:
    size = (2 * abs(fine) + LENGTH) // (2 * LENGTH)
    return size if fine >= 0 else -size


def places(pattern: Pattern, at: tuple[int, int], heading: int, bases: Sequence[tuple[int, int]]) -> list[Point]:
    """Where vehicles with bases of these widths and depths stand, the first of them at ``at``."""
    wide = max(width for width, _ in bases) + GAP
    deep = max(depth for _, depth in bases) + GAP
    found = []
    for number in range(len(bases)):
        rank = (number + 1) // 2
        side = rank if number % 2 else -rank
        behind = {Pattern.COLUMN: number, Pattern.WEDGE: rank}.get(pattern, 0)
        beside = side if pattern in (Pattern.LINE, Pattern.WEDGE) else 0
        found.append(offset(at, heading, -behind * deep, beside * wide))
    return found
