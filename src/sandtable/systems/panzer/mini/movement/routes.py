"""9.5 Path and Road Movement: whether a vehicle keeps to a route, and at which rate it moves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from sandtable.core.content.rule import rule
from sandtable.geo.plane.headings import heading_to, turn
from sandtable.geo.plane.points import Point
from sandtable.systems.panzer.mini.going import Footing, Going
from sandtable.systems.panzer.terrain import Rate

__all__ = ["is_along", "rate_of_move", "start_rate"]

BOOK = ("panzer-mini",)
ASKEW = 225
"""How far a heading may be off a route, in tenths of a degree: more is not along it."""
_HALF_TURN = 1800


def _rate_at(going: Going, footing: Footing) -> Rate | None:
    """The better rate of the routes at a place; None where there is none."""
    rates = {going.rate(number) for number in footing.routes}
    return Rate.ROAD if Rate.ROAD in rates else Rate.PATH if rates else None


@rule("9.5.1", editions=BOOK)
def is_along(going: Going, footing: Footing, at: tuple[int, int], heading: int) -> bool:
    """Whether a vehicle at a place faces along a route there, to either end of it (9.5.1)."""
    return any(_follows(line, at, heading) for number in footing.routes for line in going.lines_of(number))


def _follows(line: Sequence[tuple[int, int]], at: tuple[int, int], heading: int) -> bool:
    """Whether a heading is that of the part of a line beside a place; at a bend, of either part."""
    parts = list(pairwise(line))
    squares = [_square_off(at, a, b) for a, b in parts]
    nearest = min(squares, default=0)
    for (a, b), square in zip(parts, squares, strict=True):
        way = heading_to(a, b)
        if square <= nearest + _BEND and way is not None:
            off = turn(way, heading)
            if min(off, _HALF_TURN - off) <= ASKEW:
                return True
    return False


_BEND = 500**2
"""Parts of a line whose squared distance is so much more than the nearest's are still beside a place."""


def _square_off(p: tuple[int, int], a: tuple[int, int], b: tuple[int, int]) -> int:
    """The square of the distance from a place to a segment, rounded down."""
    dx, dy, px, py = b[0] - a[0], b[1] - a[1], p[0] - a[0], p[1] - a[1]
    whole, share = dx * dx + dy * dy, px * dx + py * dy
    if share <= 0:
        return px * px + py * py
    if share >= whole:
        return (px - dx) ** 2 + (py - dy) ** 2
    return (px * dy - py * dx) ** 2 // whole


@rule("9.5", "9.5.2", "9.5.3", editions=BOOK)
def rate_of_move(going: Going, so_far: Rate | None, footing: Footing) -> Rate | None:
    """The rate of a move that comes to other ground: path as soon as there is a path in it, none off all routes.

    However short the path is (9.5.3), and the way across country (9.5.2).
    """
    here = None if so_far is None else _rate_at(going, footing)
    return Rate.PATH if here is Rate.ROAD and so_far is Rate.PATH else here


def start_rate(going: Going, at: Point, heading: int) -> Rate | None:
    """The rate of a move that begins at a place: it must start on the route and face along it (9.5.1)."""
    footing = going.at(at)
    return _rate_at(going, footing) if footing.routes and is_along(going, footing, at, heading) else None
