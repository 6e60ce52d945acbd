"""Hexes: identity, directions, distance, rotation and arcs, all in integers.

A hex is named by axial coordinates on a flat-top grid: ``q`` counts columns to the right, ``r`` counts
hexes down a column. Directions are 0 to 5 clockwise from north and name at once a neighbour, the hexside
towards it and a facing. Angles are measured between centre-to-centre lines; every arc that a hex wargame
uses is bounded by lines on which two linear forms of the coordinates are in a whole ratio, so membership
and ties are exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

__all__ = [
    "DIRECTIONS",
    "DIRECTION_NAMES",
    "NE",
    "NEIGHBOURS",
    "NW",
    "SE",
    "SW",
    "Hex",
    "N",
    "Ranges",
    "S",
    "centre",
    "direction_named",
    "direction_to",
    "disk",
    "distance",
    "hex_at",
    "in_arc",
    "neighbour",
    "neighbours",
    "on_arc_edge",
    "opposite",
    "sector",
    "straight_line",
]


class Hex(NamedTuple):
    """A hex of the infinite grid."""

    q: int
    r: int

    def __add__(self, other: tuple[int, int]) -> Hex:  # type: ignore[override]
        """The hex as far from this one as ``other`` is from the origin."""
        return Hex(self[0] + other[0], self[1] + other[1])

    def __sub__(self, other: tuple[int, int]) -> Hex:
        """The offset that leads from ``other`` to this hex."""
        return Hex(self[0] - other[0], self[1] - other[1])

    def __neg__(self) -> Hex:
        """The hex on the other side of the origin."""
        return Hex(-self[0], -self[1])


N: Final = 0
NE: Final = 1
SE: Final = 2
S: Final = 3
SW: Final = 4
NW: Final = 5

DIRECTIONS: Final = (Hex(0, -1), Hex(1, -1), Hex(1, 0), Hex(0, 1), Hex(-1, 1), Hex(-1, 0))
"""Offset of the neighbour in each direction."""

DIRECTION_NAMES: Final = ("N", "NE", "SE", "S", "SW", "NW")

_DIRECTION_OF: Final = {offset: index for index, offset in enumerate(DIRECTIONS)}
_NAMED: Final = {name: index for index, name in enumerate(DIRECTION_NAMES)}


class _Neighbours(dict[Hex, tuple[Hex, ...]]):
    """The six neighbours of every hex asked for so far: a pure function, remembered."""

    def __missing__(self, hex: Hex) -> tuple[Hex, ...]:
        q, r = hex
        six = tuple(Hex(q + dq, r + dr) for dq, dr in DIRECTIONS)
        self[hex] = six
        return six


NEIGHBOURS: Final = _Neighbours()
"""``NEIGHBOURS[hex][direction]``: the quickest way to a neighbour in a tight loop."""


def neighbour(hex: Hex, direction: int) -> Hex:
    """The hex that shares the hexside in ``direction``."""
    return NEIGHBOURS[hex][direction]


def neighbours(hex: Hex) -> tuple[Hex, ...]:
    """The six adjacent hexes, clockwise from north."""
    return NEIGHBOURS[hex]


def distance(a: Hex, b: Hex) -> int:
    """Number of hexes from ``a`` to ``b``, not counting ``a``."""
    # By name: on a subclass of tuple that is quicker than by index.
    dq = a.q - b.q
    dr = a.r - b.r
    if dq < 0:
        dq = -dq
        dr = -dr
    if dr >= 0:
        return dq + dr
    return dq if dq > -dr else -dr  # noqa: FURB136 - calling max would take as long as all the rest


class _RangesFrom(dict[Hex, int]):
    def __init__(self, centre: Hex) -> None:
        self._centre = centre

    def __missing__(self, hex: Hex) -> int:
        found = self[hex] = distance(self._centre, hex)
        return found


class Ranges(dict[Hex, _RangesFrom]):
    """``ranges[a][b]`` is the distance between two hexes, remembered: quicker where the same are asked for often."""

    def __missing__(self, hex: Hex) -> _RangesFrom:
        found = self[hex] = _RangesFrom(hex)
        return found


def opposite(direction: int) -> int:
    """The direction that points the other way."""
    return (direction + 3) % 6


def direction_named(name: str) -> int | None:
    """The direction of a compass name such as ``"NE"``, in either case; ``None`` if there is none."""
    return _NAMED.get(name.upper())


def direction_to(a: Hex, b: Hex) -> int | None:
    """The direction from ``a`` to ``b`` if they are adjacent."""
    return _DIRECTION_OF.get(Hex(b[0] - a[0], b[1] - a[1]))


def straight_line(a: Hex, b: Hex) -> int | None:
    """The direction from ``a`` in which ``b`` lies exactly, at any distance; ``None`` if in none of the six."""
    dq = b[0] - a[0]
    dr = b[1] - a[1]
    if dq == 0:
        return None if dr == 0 else (N if dr < 0 else S)
    if dr == 0:
        return SE if dq > 0 else NW
    if dq == -dr:
        return NE if dq > 0 else SW
    return None


def disk(centre: Hex, radius: int) -> Iterator[Hex]:
    """The hexes within ``radius`` of ``centre``, column by column."""
    q0, r0 = centre
    for dq in range(-radius, radius + 1):
        for dr in range(max(-radius, -dq - radius), min(radius, radius - dq) + 1):
            yield Hex(q0 + dq, r0 + dr)


def centre(hex: Hex) -> tuple[int, int]:
    """Lattice point of the hex's centre; x in half hex sizes, y in half hex heights, down the map."""
    return 3 * hex[0], 2 * hex[1] + hex[0]


def hex_at(x: int, y: int) -> Hex | None:
    """The hex whose centre is the lattice point, if it is a centre."""
    q, rest = divmod(x, 3)
    if rest or (y - q) % 2:
        return None
    return Hex(q, (y - q) // 2)


# How far ahead and how far aside an offset (q, r) lies for each facing, in units in which the line at 30 degrees
# has ahead = 3 aside, at 60 degrees ahead = aside and at 90 degrees ahead = 0: (ahead q, ahead r, aside q, aside r).
_FORMS: Final = (
    (-1, -2, 1, 0),
    (1, -1, 1, 1),
    (2, 1, 0, 1),
    (1, 2, -1, 0),
    (-1, 1, -1, -1),
    (-2, -1, 0, -1),
)
_EDGE: Final = {30: 3, 60: 1, 90: 0, 120: -1, 150: -3}


def in_arc(origin: Hex, facing: int, target: Hex, half_angle: int) -> bool:
    """Whether ``target`` lies within ``half_angle`` degrees (30, 60, 90, 120, 150) of the facing, edges included.

    A target in the hex of origin lies in every arc.
    """
    q = target.q - origin.q
    r = target.r - origin.r
    ahead_q, ahead_r, aside_q, aside_r = _FORMS[facing]
    return ahead_q * q + ahead_r * r >= _EDGE[half_angle] * abs(aside_q * q + aside_r * r)


def on_arc_edge(origin: Hex, facing: int, target: Hex, half_angle: int) -> bool:
    """Whether ``target`` lies exactly on the edge of the arc: a tie, for the rules to judge."""
    if origin == target:
        return False
    q = target.q - origin.q
    r = target.r - origin.r
    ahead_q, ahead_r, aside_q, aside_r = _FORMS[facing]
    return ahead_q * q + ahead_r * r == _EDGE[half_angle] * abs(aside_q * q + aside_r * r)


def sector(origin: Hex, facing: int, target: Hex) -> tuple[int, ...]:
    """The 60-degree sectors about the facing that hold ``target``, counted clockwise with 0 ahead and 3 behind.

    One sector as a rule; two when the target lies exactly between them; none in the hex of origin.
    """
    if origin == target:
        return ()
    held = [step for step in range(6) if in_arc(origin, (facing + step) % 6, target, 30)]
    return (5, 0) if held == [0, 5] else tuple(held)
