"""A compass card: the hexes around a hex in the order of their bearings, so that sets of them are numbers.

Every hex around the origin is a bit. What lies behind a hex or hexside, as seen from the origin, is then a run of
bits. Nothing here depends on a map but for how far it reaches, so maps of one size share a card.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate
from operator import or_
from typing import NamedTuple

from sandtable.geo.bearing import HALF_TURN, RAYS, Arc, bearing, hex_arc, side_arc
from sandtable.geo.hex import Hex, centre, distance

__all__ = ["Behind", "Compass", "Crossing", "Run", "compass"]

_ORIGIN = Hex(0, 0)


class Run(NamedTuple):
    """Bits from one up to another, each of them a hex; round past north if ``start`` is the greater."""

    start: int
    end: int


class Behind(NamedTuple):
    """A hex and the lines through it: what lies behind are the hexes of the run that are farther away."""

    range_hexes: int
    start: int
    end: int


class Crossing(NamedTuple):
    """A hexside of a hex and the lines that meet it."""

    run: Run
    """The hexes to which lines cross it."""
    leaves: bool
    """Whether they leave the hex there; else they enter it."""
    rays: tuple[Run, ...]
    """The hexes to which lines run along it, or begin or end in its vertex to run along others."""
    near: int
    """Range of the nearer of the hexes that share it ..."""
    far: int
    """... and of the other."""
    behind: Hex
    """The hex that the lines across it enter, from the origin."""


class Compass:
    """The hexes that are up to so many columns and half rows away, by their bearings."""

    def __init__(self, columns: int, half_rows: int) -> None:
        self.columns, self.half_rows = columns, half_rows
        self.stride = 2 * half_rows + 1
        """How far apart the indices of two columns are; within one, the half rows count."""
        indices, bearings, ranges = _half_circle(columns, half_rows)
        # The other half of the circle lies the other way.
        indices = [0, *indices, *(-index for index in indices)]
        self.bearings = [-HALF_TURN // 2, *bearings, *(towards + HALF_TURN for towards in bearings)]
        self.all = (1 << len(indices)) - 1
        self.middle = columns * self.stride + half_rows
        self.bit = [0] * (2 * self.middle + 1)
        """``bit[middle + index]``: the bit of the hex with that index."""
        for bit, index in enumerate(indices):
            self.bit[self.middle + index] = bit
        at = self.gather(enumerate([0, *ranges, *ranges]))
        farthest = max(at)
        self.beyond = list(accumulate((at.get(far, 0) for far in range(farthest, 0, -1)), or_, initial=0))[::-1]
        """``beyond[n]``: the hexes that are more than n hexes away."""
        self.rays = sum(self.bits(self.towards(ray)) for ray in RAYS)
        """The hexes to which lines run along hexsides."""
        self._behind: dict[tuple[int, int], Behind] = {}
        self._crossings: dict[tuple[int, int, int], Crossing] = {}

    def index(self, hex: Hex) -> int:
        """A number for a hex; how much those of two hexes differ says how they lie to one another."""
        return hex[0] * self.stride + 2 * hex[1] + hex[0]

    def gather(self, keyed: Iterable[tuple[int, int]]) -> dict[int, int]:
        """Bits by a key that is given with each."""
        size = len(self.bearings) // 8 + 1
        found: dict[int, bytearray] = {}
        for bit, key in keyed:
            if key not in found:
                found[key] = bytearray(size)
            found[key][bit >> 3] |= 1 << (bit & 7)
        return {key: int.from_bytes(bits, "little") for key, bits in found.items()}

    def bits(self, run: tuple[int, int]) -> int:
        """The bits of a run."""
        start, end = run
        return (1 << end) - (1 << start) if start <= end else self.all ^ ((1 << start) - (1 << end))

    def farther(self, range_hexes: int) -> int:
        """The hexes that are more than so many hexes away."""
        return self.beyond[range_hexes] if range_hexes < len(self.beyond) else 0

    def towards(self, bearing: int) -> Run:
        """The hexes that lie exactly that way."""
        return Run(bisect_left(self.bearings, bearing), bisect_right(self.bearings, bearing))

    def in_line(self, q: int, r: int) -> Run:
        """The hexes that lie exactly the way of one."""
        return self.towards(bearing(*centre(Hex(q, r))))

    def bit_of(self, q: int, r: int) -> int:
        """The bit of a hex, 0 if it is too far away."""
        y = 2 * r + q
        if abs(q) > self.columns or abs(y) > self.half_rows:
            return 0
        return 1 << self.bit[self.middle + q * self.stride + y]

    def behind(self, q: int, r: int) -> Behind:
        """How far a hex is, and the hexes to which lines pass through it or run along one of its hexsides."""
        found = self._behind.get((q, r))
        if found is None:
            run = self._run(hex_arc(q, r))
            found = self._behind[q, r] = Behind(distance(_ORIGIN, Hex(q, r)), *run)
        return found

    def crossing(self, q: int, r: int, direction: int) -> Crossing:
        """The hexside of a hex in a direction, and the hexes to which lines meet it."""
        found = self._crossings.get((q, r, direction))
        if found is None:
            arc, leaves, rays, near, far, behind = side_arc(q, r, direction)
            run = Run(0, 0) if arc is None else self._run(arc)
            found = Crossing(run, leaves, tuple(map(self.towards, rays)), near, far, behind)
            self._crossings[q, r, direction] = found
        return found

    def _run(self, arc: Arc) -> Run:
        start, end = bisect_right(self.bearings, arc.first), bisect_left(self.bearings, arc.last)
        return Run(start, end if arc.first > arc.last else max(start, end))


@lru_cache(maxsize=8)
def compass(columns: int, half_rows: int) -> Compass:
    """The card for maps of a size."""
    return Compass(columns, half_rows)


def _half_circle(columns: int, half_rows: int) -> tuple[list[int], list[int], list[int]]:
    """Indices, bearings and ranges of the hexes from north to just before south, by their bearings."""
    stride, quarter = 2 * half_rows + 1, HALF_TURN // 2
    indices = list(range(-half_rows + half_rows % 2, 0, 2))
    bearings = [-quarter] * len(indices)
    ranges = [-y // 2 for y in indices]
    for q in range(1, columns + 1):
        x, index = 3 * q, q * stride
        first = -half_rows + (half_rows + q) % 2
        above, below = range(first, 0, 2), range(q % 2, half_rows + 1, 2)
        indices += [index + y for y in above]
        indices += [index + y for y in below]
        bearings += [y * quarter // (x - y) for y in above]
        bearings += [y * quarter // (x + y) for y in below]
        ranges += [q if -y <= q else (q - y) // 2 for y in above]
        ranges += [q if y <= q else (q + y) // 2 for y in below]
    order = sorted(range(len(indices)), key=bearings.__getitem__)
    return [indices[n] for n in order], [bearings[n] for n in order], [ranges[n] for n in order]
