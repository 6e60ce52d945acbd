"""Headings: tenths of a degree clockwise from north, and the whole vectors that they *are*.

:func:`vector` gives a vector of length 10^9, rounded, for each of the 3,600 headings. Those of the first eighth of
the circle are worked out with whole numbers; all others are their mirror images and quarter turns, so that turning or
mirroring everything changes nothing.
"""

from __future__ import annotations

from functools import cache

__all__ = ["CIRCLE", "LENGTH", "QUARTER", "heading_to", "turn", "turned", "vector"]

CIRCLE = 3600
QUARTER = 900
LENGTH = 10**9
"""Of the vectors."""
_FINE = 10**40


def turned(heading: int, by: int) -> int:
    """A heading after a turn clockwise by so many tenths of a degree."""
    return (heading + by) % CIRCLE


def turn(one: int, other: int) -> int:
    """The smaller angle between two headings, in tenths of a degree: 0 to 1800."""
    apart = abs(one - other) % CIRCLE
    return min(apart, CIRCLE - apart)


def vector(heading: int) -> tuple[int, int]:
    """The vector of a heading: north is ``(0, -10**9)``, for y runs down."""
    return _vectors()[heading % CIRCLE]


def heading_to(a: tuple[int, int], b: tuple[int, int]) -> int | None:
    """The heading nearest to the direction from one place to another; None if they are the same.

    Of two that are equally near it is the even one, which stays so in a mirror.
    """
    dx, dy = b[0] - a[0], b[1] - a[1]
    if dx == dy == 0:
        return None
    # The quarter that the direction lies in, then the last heading of it that is not beyond.
    if dx >= 0 > dy:
        low = 0
    elif dx > 0:
        low = QUARTER
    elif dy > 0:
        low = 2 * QUARTER
    else:
        low = 3 * QUARTER
    high = low + QUARTER
    vectors = _vectors()
    while high - low > 1:
        middle = (low + high) // 2
        x, y = vectors[middle]
        if x * dy >= y * dx:
            low = middle
        else:
            high = middle
    under, over = _cross(low, dx, dy), -_cross(high, dx, dy)
    nearer = low if under < over or (under == over and low % 2 == 0) else high
    return nearer % CIRCLE


def _cross(heading: int, dx: int, dy: int) -> int:
    """Positive if the direction lies clockwise of the heading."""
    x, y = vector(heading)
    return x * dy - y * dx


@cache
def _vectors() -> tuple[tuple[int, int], ...]:
    """All vectors: an eighth worked out, the rest of the quarter its mirror image, the others quarter turns."""
    eighth = [_sine_and_cosine(heading) for heading in range(QUARTER // 2 + 1)]
    quarter = [(sine, -cosine) for sine, cosine in eighth]
    quarter += [(cosine, -sine) for sine, cosine in reversed(eighth[1:-1])]
    found = list(quarter)
    for _ in range(3):
        quarter = [(-y, x) for x, y in quarter]
        found += quarter
    return tuple(found)


def _sine_and_cosine(heading: int) -> tuple[int, int]:
    """Of up to 45 degrees, by their series in whole numbers, rounded to the nearest."""
    angle = _pi() * heading // (CIRCLE // 2)
    return _rounded(_series(angle, angle, 1)), _rounded(_series(_FINE, angle, 0))


def _series(first: int, angle: int, start: int) -> int:
    """The alternating series of sine (from the first power) or cosine (from the power 0)."""
    total, term, power = 0, first, start
    while term:
        total += term
        # Truncated toward nothing, so that the terms die out on either side of it.
        size = abs(term) * angle // _FINE * angle // _FINE // ((power + 1) * (power + 2))
        term, power = (-size if term > 0 else size), power + 2
    return total


def _rounded(fine: int) -> int:
    step = _FINE // LENGTH
    return (fine + step // 2) // step


@cache
def _pi() -> int:
    """The number by Machin's formula, in units of :data:`_FINE`."""

    def arctan(under: int) -> int:
        total, term, number, sign = 0, _FINE // under, 1, 1
        while term:
            total += sign * (term // number)
            term, number, sign = term // (under * under), number + 2, -sign
        return total

    return 4 * (4 * arctan(5) - arctan(239))
