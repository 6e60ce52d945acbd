"""The plainest exact line of sight: whole numbers, no tables, no caches, nothing kept between two lines.

It walks from hex to hex by the signs of cross products, gathers what the line passes through, touches or
runs along, and compares heights with the blind zone behind an obstacle. It judges open ground, hills, woods
and buildings only: what any first version of sight on a hex map would do.
"""

from __future__ import annotations

__all__ = ["PlainMap", "plain_sight"]

Cell = tuple[int, int]
PlainMap = dict[Cell, tuple[int, int]]
"""Ground level and height of what stands on it, by axial coordinates."""

STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
CORNERS = ((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0))
"""Corners clockwise from the north-west one; side ``i`` runs from corner ``i`` to the next."""


def _centre(place: Cell) -> Cell:
    q, r = place
    return 3 * q, 2 * r + q


def _distance(a: Cell, b: Cell) -> int:
    q, r = b[0] - a[0], b[1] - a[1]
    return max(abs(q), abs(r), abs(q + r))


def crossed(a: Cell, b: Cell) -> list[tuple[Cell, ...]]:
    """The hexes of the line in order; two together where it runs along the side between them."""
    (ax, ay), (bx, by) = _centre(a), _centre(b)
    dx, dy = bx - ax, by - ay
    here = a
    found: list[tuple[Cell, ...]] = [(a,)]
    while here != b:
        cx, cy = _centre(here)
        turns = [dx * (cy + oy - ay) - dy * (cx + ox - ax) for ox, oy in CORNERS]
        ahead = [dx * (cx + ox - ax) + 3 * dy * (cy + oy - ay) for ox, oy in CORNERS]
        best: tuple[int, tuple[int, ...]] | None = None
        for index in range(6):
            one, other = turns[index], turns[(index + 1) % 6]
            if one < 0 < other or one > 0 > other:
                way = ahead[index] + ahead[(index + 1) % 6]
                if best is None or way > best[0]:
                    best = way, (index,)
            elif one == 0:
                way = 2 * ahead[index]
                if best is None or way > best[0]:
                    best = way, ((index - 1) % 6, index)
        assert best is not None  # noqa: S101 - a line through a hex leaves it
        around = [(here[0] + STEPS[side][0], here[1] + STEPS[side][1]) for side in best[1]]
        if len(around) == 1:
            here = around[0]
        else:
            nearer = [place for place in around if _off(place, a, dx, dy) == 0]
            if nearer:
                here = nearer[0]
            elif _is_between(around, a, dx, dy):
                found.append((around[0], around[1]))
                here = (around[0][0] + around[1][0] - here[0], around[0][1] + around[1][1] - here[1])
            else:
                here = min(around, key=lambda place: abs(_off(place, a, dx, dy)))
        found.append((here,))
    return found


def _off(place: Cell, a: Cell, dx: int, dy: int) -> int:
    (x, y), (ax, ay) = _centre(place), _centre(a)
    return dx * (y - ay) - dy * (x - ax)


def _is_between(around: list[Cell], a: Cell, dx: int, dy: int) -> bool:
    one, other = (_off(place, a, dx, dy) for place in around)
    return one == -other


def plain_sight(ground: PlainMap, a: Cell, b: Cell) -> bool:
    """Whether one hex sees another."""
    high, low = (a, b) if ground[a][0] >= ground[b][0] else (b, a)
    top, bottom = ground[high][0], ground[low][0]
    for together in crossed(high, low)[1:-1]:
        for place in together:
            level, height = ground.get(place, (0, 0))
            obstacle = level + height
            if obstacle <= bottom:
                continue
            if obstacle >= top:
                return False
            divisor = 2 ** min(3, top - obstacle) + max(0, bottom)
            if _distance(place, low) <= max(1, _distance(high, place) // divisor):
                return False
    return True
