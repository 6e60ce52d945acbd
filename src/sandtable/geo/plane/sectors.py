"""Sectors about a place: fields of fire, hit angles.

Sectors are what lies between rays, given as turns from a heading. No whole point lies exactly on a ray of 22.5
degrees, so a ray has a width: what lies no more than 50 units, a twentieth of an inch, from it is on the line, and in
both its sectors.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.geo.plane.headings import CIRCLE, LENGTH, vector

__all__ = ["ON_THE_LINE", "sectors_of"]

ON_THE_LINE = 50
"""How far from a ray something is still on it."""
_FAR = (ON_THE_LINE + 1) * LENGTH
"""A cross product with a vector of a ray beyond which nothing is on the line."""


def sectors_of(at: tuple[int, int], heading: int, rays: Sequence[int], target: tuple[int, int]) -> tuple[int, ...]:
    """Numbers of the sectors that a place lies in, in their order: one, or several where it is on the line.

    ``rays`` are turns from the heading, clockwise and each once; sector ``n`` lies between ray ``n`` and the next
    one, the last between the last ray and the first.
    """
    dx, dy = target[0] - at[0], target[1] - at[1]
    count = len(rays)
    vectors = [vector(heading + ray) for ray in rays]
    crosses = [x * dy - y * dx for x, y in vectors]
    if min(map(abs, crosses)) > _FAR:
        for index, ray in enumerate(rays):
            after = (index + 1) % count
            if _lies_between(crosses[index], crosses[after], (rays[after] - ray) % CIRCLE or CIRCLE):
                return (index,)
    found = set()
    for index, (x, y) in enumerate(vectors):
        after = (index + 1) % count
        wide = (rays[after] - rays[index]) % CIRCLE or CIRCLE
        if _lies_between(crosses[index], crosses[after], wide):
            found.add(index)
        near = crosses[index] ** 2 <= ON_THE_LINE**2 * (x * x + y * y)
        if near and (x * dx + y * dy >= 0 or dx * dx + dy * dy <= ON_THE_LINE**2):
            found |= {index, (index - 1) % count}
    return tuple(sorted(found))


def _lies_between(first: int, last: int, wide: int) -> bool:
    """Whether a direction lies clockwise of one ray and before another, by its cross products with both."""
    if wide <= CIRCLE // 2:
        return first >= 0 and last <= 0
    return first >= 0 or last <= 0
