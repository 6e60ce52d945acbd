"""3.2.1 Many lines of sight at once: all that are as far apart and on the same levels are one batch.

The lines of a batch meet the same things at the same distances, each from its own hex on. So what stands in the way of
one is looked up for all of them together: hexes are bits of a number, by their index on the map, and a stop of the
path blocks the bits that are set both in the batch and, that many places on, among the hexes that block there. The
answers are those that :class:`~sandtable.systems.aslsk.terrain.ground.Ground` gives for one line at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

from sandtable.geo.hex import Hex
from sandtable.geo.shapes.polygon import Point
from sandtable.systems.aslsk.terrain.line_path import Boxed, Span, spans
from sandtable.systems.aslsk.terrain.obstacles import SEAMS, Case
from sandtable.systems.aslsk.terrain.sight import MOST_HINDRANCE

if TYPE_CHECKING:
    from sandtable.systems.aslsk.terrain.ground import FlatPath, Ground

__all__ = ["Sheet", "SightBatch"]


def _bits(mask: int) -> list[int]:
    """The places of the bits that are set."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def _on(mask: int, offset: int) -> int:
    """The bits so many places on."""
    return mask << offset if offset >= 0 else mask >> -offset


class _Shapes:
    """What lines of a case may meet in each hex, made ready for every direction as it is needed."""

    __slots__ = ("_look", "bare", "pieces", "whole")

    def __init__(self, look: Callable[[int], tuple[Boxed, ...]], outside: int) -> None:
        """``look`` says what there is in a hex; there is nothing to look at ``outside``."""
        self._look = look
        self.bare = outside
        """Hexes in which no line meets anything ..."""
        self.whole = 0
        """... and those in which every line does that passes through them."""
        self.pieces: dict[int, tuple[Boxed, ...]] = {}
        """What there is in the others."""

    def of(self, index: int) -> tuple[Boxed, ...]:
        """What lines may meet in a hex, or nothing if it is bare or whole."""
        found = self.pieces.get(index)
        if found is None:
            found = self._look(index)
            if not found:
                self.bare |= 1 << index
            elif any(piece.fills_hex for piece in found):
                self.whole |= 1 << index
                found = ()
            else:
                self.pieces[index] = found
        return found


class Sheet:
    """The hexes that lines of one direction in one case meet something in, by the distance at which they pass."""

    __slots__ = ("_by_distance", "_direction", "_known", "_outside", "_seamed", "_shapes", "_spans")

    def __init__(
        self, shapes: _Shapes, direction: Point, outside: int, seamed: Callable[[int], tuple[Span, ...]] | None
    ) -> None:
        """Lines meet something in all hexes ``outside``. ``seamed`` looks at lines along which boards may be joined."""
        self._shapes = shapes
        self._direction = direction
        self._outside = outside
        self._seamed = seamed
        self._known = 0
        self._spans: list[tuple[int, int, int]] = []
        self._by_distance: dict[int, int] = {}

    def met(self, hexes: int, distance: int) -> int:
        """Those of the hexes in which a line that passes so far from the centre meets something."""
        shapes = self._shapes
        unknown = hexes & ~(self._known | shapes.bare | shapes.whole)
        if unknown:
            self._learn(unknown)
        found = self._by_distance.get(distance)
        if found is None:
            found = self._outside
            for bit, first, last in self._spans:
                if first <= distance <= last:
                    found |= bit
            self._by_distance[distance] = found
        return hexes & (found | shapes.whole)

    def _learn(self, hexes: int) -> None:
        by_distance, direction, seamed = self._by_distance, self._direction, self._seamed
        while hexes:
            bit = hexes & -hexes
            hexes ^= bit
            index = bit.bit_length() - 1
            pieces = self._shapes.of(index)
            if not pieces:
                continue
            self._known |= bit
            for first, last in spans(pieces, direction) if seamed is None else seamed(index):
                self._spans.append((bit, first, last))
                for distance in by_distance:
                    if first <= distance <= last:
                        by_distance[distance] |= bit


class _Edging:
    """What lines of one case meet along the hexsides of one direction, or in corners."""

    __slots__ = ("hexes", "known", "once", "twice")

    def __init__(self) -> None:
        self.known = self.once = self.twice = 0
        self.hexes: dict[int, tuple[Hex, ...]] = {}
        """The hexes met at each place; ``once`` and ``twice`` are the places with one or two of them."""

    def add(self, index: int, hexes: tuple[Hex, ...]) -> None:
        """What there is at a place."""
        bit = 1 << index
        self.known |= bit
        self.hexes[index] = hexes
        if hexes:
            self.once |= bit
            self.twice |= bit if len(hexes) > 1 else 0


class SightBatch:
    """Measures lines by the batch; what it learns about the ground is kept."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._on_level: dict[int, int] = {}
        for index, hex in ground.by_index.items():
            level = ground.places[hex].level
            self._on_level[level] = self._on_level.get(level, 0) | 1 << index
        on_map = sum(self._on_level.values())
        self._outside = (1 << on_map.bit_length() + ground.stride) - 1 - on_map
        """No line is traced through these."""
        self._shapes: dict[tuple[Case, bool], _Shapes] = {}
        self._sheets: dict[tuple[Case, Point, bool], Sheet] = {}
        self._edgings: dict[tuple[Case, int, bool], _Edging] = {}
        self._learning = Lock()
        """Games of several threads share a ground; what is half learnt must not be taken for known."""

    def measure(self, q: int, r: int, bases: Iterable[int]) -> dict[int, int]:
        """The measures of the lines from some hexes to those so far away, by the index of the first; 0 is left out."""
        asked = 0
        for base in bases:
            asked |= 1 << base
        way = self._ground.way(q, r)
        found: dict[int, int] = {}
        end = q * self._ground.stride + r
        with self._learning:
            for one, low in self._on_level.items():
                for other, high in self._on_level.items():
                    lines = asked & low & (high >> end)
                    if lines:
                        self._measure(way, Case(min(one, other), one != other), lines, found)
        return found

    def measure_one(self, way: FlatPath, case: Case, base: int) -> int:
        """The measure of a single line."""
        found: dict[int, int] = {}
        with self._learning:
            self._measure(way, case, 1 << base, found)
        return found.get(base, 0)

    def _measure(self, way: FlatPath, case: Case, lines: int, found: dict[int, int]) -> None:
        blocks, hinders = way.sheets.get(case) or self._sheets_for(way, case)
        left = self._block(way, case, blocks, lines, found)
        if left:
            self._hinder(way, case, hinders, left, found)

    def _block(self, way: FlatPath, case: Case, sheet: Sheet, left: int, found: dict[int, int]) -> int:
        """Note the lines that are blocked, each at the first stop that blocks it; those that are left."""
        blocked = self._ground.blocked
        alike = self._ground.alike(case)
        for stop, (offset, distance, side) in enumerate(way.met):
            there = left << offset if offset >= 0 else left >> -offset
            if distance is not None:
                hit = sheet.met(there, distance)
            else:
                hit = there & self._edging(case, side, there, hinders=False).once
            if hit:
                for index in _bits(hit):
                    code = alike.get(index) if distance is not None else None
                    found[index - offset] = blocked(way, case, index - offset, stop) if code is None else code
                left ^= _on(hit, -offset)
                if not left:
                    break
        return left

    def _hinder(self, way: FlatPath, case: Case, sheet: Sheet, left: int, found: dict[int, int]) -> None:
        """Note the sums of hindrances; a sum that is too great blocks where it becomes so (3.2.1)."""
        summed = [left, *[0] * MOST_HINDRANCE]
        """``summed[n]`` are the lines with n hindrances so far."""
        for offset, distance, side in way.met:
            there = left << offset if offset >= 0 else left >> -offset
            if distance is not None:
                hit = sheet.met(there, distance)
                if hit:
                    _add(summed, _on(hit, -offset))
                    for base in _bits(summed[-1]):
                        found[base] = self._ground.too_much(self._ground.by_index[base + offset])
                        left ^= 1 << base
                    summed[-1] = 0
                continue
            edging = self._edging(case, side, there, hinders=True)
            for number, places in enumerate((edging.once, edging.twice)):
                if there & places:
                    _add(summed, _on(there & places, -offset))
                    for base in _bits(summed[-1]):
                        found[base] = self._ground.too_much(edging.hexes[base + offset][number])
                        left ^= 1 << base
                    summed[-1] = 0
        for number in range(1, MOST_HINDRANCE):
            for base in _bits(summed[number]):
                found[base] = number

    def _sheets_for(self, way: FlatPath, case: Case) -> tuple[Sheet, Sheet]:
        """What blocks the lines of a way, and what hinders them."""
        direction = way.line_path.direction
        found = self._sheet(case, direction, hinders=False), self._sheet(case, direction, hinders=True)
        way.sheets[case] = found
        return found

    def _sheet(self, case: Case, direction: Point, *, hinders: bool) -> Sheet:
        sheet = self._sheets.get((case, direction, hinders))
        if sheet is None:
            shapes = self._shapes.get((case, hinders))
            if shapes is None:
                look = self._ground.hindering if hinders else self._ground.blocking
                shapes = self._shapes[case, hinders] = _Shapes(partial(look, case), self._outside)
            seamed = partial(self._ground.spans, case, direction, hinders=hinders) if direction in SEAMS else None
            sheet = Sheet(shapes, direction, 0 if hinders else self._outside, seamed)
            self._sheets[case, direction, hinders] = sheet
        return sheet

    def _edging(self, case: Case, side: int, there: int, *, hinders: bool) -> _Edging:
        """What there is along the hexsides of a direction at these places, or in the corners of hexes if that is -1."""
        edging = self._edgings.get((case, side, hinders))
        if edging is None:
            edging = self._edgings[case, side, hinders] = _Edging()
        unknown = there & ~edging.known
        if unknown:
            look = self._ground.hinders_beside if hinders else self._ground.blocks_beside
            for index in _bits(unknown):
                edging.add(index, look(case, index, side))
        return edging


def _add(summed: list[int], hit: int) -> None:
    """Count one hindrance more for some lines."""
    for number in range(len(summed) - 2, -1, -1):
        more = summed[number] & hit
        if more:
            summed[number] ^= more
            summed[number + 1] |= more
