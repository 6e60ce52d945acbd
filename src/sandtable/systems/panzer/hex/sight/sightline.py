"""What a line of sight meets between two hexes, with the ties decided (4.1.4, 4.1.4.2.5, 4.1.4.2.6).

Everything here follows from the offset between the two hexes alone and is worked out once for each offset. The line of
:func:`sandtable.geo.line.trace` reports ties; these are the rulings on them. A hex counts if the line passes through
its interior or runs along one of its hexsides; one that is only touched at a vertex does not. A hexside counts if it
is crossed or run along; a line that passes from one hex into the next exactly through a vertex crosses the hexside
between the two. Where a run along a hexside begins or ends, two hexsides meet the line in its vertex, and they
count only if both are obstacles. The two end hexes never count: one sees one hex into or out of anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import cache, cached_property
from typing import Final, NamedTuple

import msgspec

from sandtable.core.content.rule import rule
from sandtable.geo.hex import DIRECTIONS, Hex, centre, distance, in_arc, straight_line
from sandtable.geo.hexside import Hexside, hexes_of, side_between
from sandtable.geo.vertex import VERTEX_OFFSETS

__all__ = ["Barrier", "Between", "How", "Sightline", "sightline"]

_ORIGIN: Final = Hex(0, 0)
_CENTRES: Final = tuple(map(centre, DIRECTIONS))


class How(StrEnum):
    """How a line meets a hex or hexside."""

    END = "ends in"
    THROUGH = "passes through"
    ACROSS = "crosses"
    ALONG = "runs along"
    VERTEX = "crosses at a vertex"
    MEETING = "crosses where two hexsides meet"


class Between(msgspec.Struct, frozen=True, gc=False):
    """A hex between the ends; all hexes are offsets from the first end."""

    hex: Hex
    before: tuple[Hex, ...]
    """The hex on the line next to it on the side of the first end; two where the line runs between them."""
    after: tuple[Hex, ...]
    from_a: int
    from_b: int
    how: How


class Barrier(msgspec.Struct, frozen=True, gc=False):
    """A hexside, or two that count together only, between the ends."""

    sides: tuple[Hexside, ...]
    from_a: int
    """Range to the nearer adjoining hex."""
    from_b: int
    how: How


class Sightline(msgspec.Struct, frozen=True, dict=True):
    """All that counts on the line from the origin to ``b``, in order."""

    b: Hex
    range_hexes: int
    direction: int | None
    """The direction of the hex row that it follows, if it follows one."""
    stations: tuple[tuple[Hex, ...], ...]
    """The hexes on the way, both ends included; two together where the line runs along their common hexside."""
    vertices: frozenset[int]
    """Stations that the line leaves exactly through a vertex for a single hex."""

    @rule("4.1.4.2.5")
    def between(self, index: int, hex: Hex) -> Between:
        """A hex of the station ``index``, which is not an end (4.1.4.2.5)"""
        station = self.stations[index]
        return Between(
            hex,
            self.stations[index - 1],
            self.stations[index + 1],
            distance(_ORIGIN, hex),
            distance(hex, self.b),
            How.THROUGH if len(station) == 1 else How.ALONG,
        )

    @rule("4.1.4.2.6")
    def met(self) -> Iterator[Between | Barrier]:
        """Every hex and hexside that counts, in order (4.1.4.2.6)"""
        last = len(self.stations) - 1
        for index, station in enumerate(self.stations):
            if index > 0:
                yield self._step(index - 1)
            if len(station) == 2:
                yield self._barrier([side_between(*station)], How.ALONG)
            if 0 < index < last:
                for hex in station:
                    yield self.between(index, hex)

    @cached_property
    def barriers(self) -> tuple[Barrier, ...]:
        """The hexsides that count, in order."""
        return tuple(met for met in self.met() if isinstance(met, Barrier))

    def _step(self, index: int) -> Barrier:
        """The hexside, or the two, between a station and the next."""
        here, there = self.stations[index], self.stations[index + 1]
        sides = [side_between(one, other) for one in here for other in there]
        if len(sides) == 2:
            return self._barrier(sides, How.MEETING)
        return self._barrier(sides, How.VERTEX if index in self.vertices else How.ACROSS)

    def _barrier(self, sides: list[Hexside | None], how: How) -> Barrier:
        real = tuple(side for side in sides if side is not None)
        around = [hex for side in real for hex in hexes_of(side)]
        from_a = min(distance(_ORIGIN, hex) for hex in around)
        return Barrier(real, from_a, min(distance(hex, self.b) for hex in around), how)


class _Walk(NamedTuple):
    """The hexes of a line from the origin, both ends included, as bare numbers."""

    stations: list[int]
    """Number of each hex's station: two hexes share one where the line runs along their common hexside."""
    columns: list[int]
    rows: list[int]
    vertices: list[int]
    """Stations that the line leaves exactly through a vertex for a single hex."""


@cache
def sightline(q: int, r: int) -> Sightline:
    """What counts on the line from the origin to ``Hex(q, r)`` (4.1.4)"""
    target = Hex(q, r)
    way = _walk(q, r)
    stations: list[tuple[Hex, ...]] = [()] * (way.stations[-1] + 1)
    for index, column, row in zip(way.stations, way.columns, way.rows, strict=True):
        stations[index] = (*stations[index], Hex(column, row))
    return Sightline(
        target, distance(_ORIGIN, target), straight_line(_ORIGIN, target), tuple(stations), frozenset(way.vertices)
    )


def _walk(q: int, r: int) -> _Walk:
    """The hexes on the line to ``Hex(q, r)``.

    The line lies within 30 degrees of one hex direction. It leaves each hex by the side in that direction, or by the
    side to the left or right of it if it passes the vertex on that side of the middle one. Where a vertex lies is told
    by its cross product with the line: positive to the right, zero exactly on it. It is that of the hex's centre,
    which is carried along, plus a part that is the same in every hex.
    """
    stations, columns, rows = [0], [0], [0]
    vertices: list[int] = []
    if q == r == 0:
        return _Walk(stations, columns, rows, vertices)
    left, right, moves = _ways(q, r)
    (lq, lr, l_drift), (mq, mr, m_drift), (rq, rr, r_drift) = moves
    station = hq = hr = drift = 0
    while hq != q or hr != r:
        at_left, at_right = drift + left, drift + right
        if at_left < 0 < at_right:
            hq, hr, drift = hq + mq, hr + mr, drift + m_drift
        elif at_left > 0:
            hq, hr, drift = hq + lq, hr + lr, drift + l_drift
        elif at_right < 0:
            hq, hr, drift = hq + rq, hr + rr, drift + r_drift
        else:
            # Exactly through the vertex between the middle way and the one on that side.
            (aq, ar, a_drift), swing = (moves[0], left) if at_left == 0 else (moves[2], -right)
            if swing == 0:
                station += 1
                stations += (station, station)
                columns += (hq + aq, hq + mq)
                rows += (hr + ar, hr + mr)
                hq, hr, drift = hq + aq + mq, hr + ar + mr, drift + a_drift + m_drift
            else:
                vertices.append(station)
                step_q, step_r, step_drift = (aq, ar, a_drift) if swing > 0 else moves[1]
                hq, hr, drift = hq + step_q, hr + step_r, drift + step_drift
        station += 1
        stations.append(station)
        columns.append(hq)
        rows.append(hr)
    return _Walk(stations, columns, rows, vertices)


def _ways(q: int, r: int) -> tuple[int, int, list[tuple[int, int, int]]]:
    """Where the vertices beside the middle way lie, and the three ways out with what each does to the drift."""
    x, y = 3 * q, 2 * r + q
    target = Hex(q, r)
    ahead = next(direction for direction in range(6) if in_arc(_ORIGIN, direction, target, 30))
    (dx, dy), (ex, ey) = VERTEX_OFFSETS[ahead], VERTEX_OFFSETS[(ahead + 1) % 6]
    moves = []
    for turn in (-1, 0, 1):
        way = (ahead + turn) % 6
        cx, cy = _CENTRES[way]
        moves.append((DIRECTIONS[way][0], DIRECTIONS[way][1], x * cy - y * cx))
    return x * dy - y * dx, x * ey - y * ex, moves
