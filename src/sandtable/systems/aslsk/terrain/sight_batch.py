"""3.2.1 Many lines of sight at once: all that are as far apart and on the same levels are one batch.

The lines of a batch meet the same things at the same distances, each from its own hex on. So what stands in the way of
one is looked up for all of them together: hexes are bits of a number, by their index on the map, and a stop of the
path blocks the bits that are set both in the batch and, that many places on, among the hexes that block there. The
answers are those that :class:`~sandtable.systems.aslsk.terrain.ground.Ground` gives for one line at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from sandtable.geo.hex import Hex
from sandtable.geo.shapes.polygon import Point
from sandtable.systems.aslsk.terrain.line_path import Boxed, Span, spans
from sandtable.systems.aslsk.terrain.obstacles import SEAMS, Case
from sandtable.systems.aslsk.terrain.sight import MOST_HINDRANCE

if TYPE_CHECKING:
    from sandtable.systems.aslsk.terrain.ground import FlatPath, Ground

__all__ = ["Field", "Sheet", "SightBatch"]


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


class Field(NamedTuple):
    """All lines of a map between hexes so far apart, as bits by the index of the first."""

    blocked: int
    hindered: tuple[tuple[int, int], ...]
    """How many hindrances, and the lines with so many."""

    def measure(self, base: int) -> int:
        """The sum of hindrances of a line, or -1 if it is blocked."""
        bit = 1 << base
        if self.blocked & bit:
            return -1
        for number, lines in self.hindered:
            if lines & bit:
                return number
        return 0


class _TooMuch(NamedTuple):
    """Lines that are blocked by one hindrance more."""

    lines: int
    offset: int
    """How far on it is."""
    beside: dict[int, tuple[Hex, ...]] | None
    """The hexes along hexsides or in corners there; nothing inside a hex."""
    number: int
    """Which of these it is."""


class SightBatch:
    """Measures lines by the batch; what it learns about the ground is kept."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._on_level: dict[int, int] = {}
        for index, hex in ground.by_index.items():
            level = ground.places[hex].level
            self._on_level[level] = self._on_level.get(level, 0) | 1 << index
        self._on_map = sum(self._on_level.values())
        self._outside = (1 << self._on_map.bit_length() + ground.stride) - 1 - self._on_map
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
        found: dict[int, int] = {}
        with self._learning:
            for way, case, lines in self._by_case(q, r, asked):
                self._measure(way, case, lines, found)
        return found

    def field(self, q: int, r: int, asked: int | None = None) -> Field:
        """All lines of the map between hexes so far apart, or those from some hexes."""
        blocked = 0
        hindered = [0] * MOST_HINDRANCE
        with self._learning:
            for way, case, lines in self._by_case(q, r, self._on_map if asked is None else asked):
                blocks, hinders = way.sheets.get(case) or self._sheets_for(way, case)
                left = lines
                for _, hit in self._block(way, case, blocks, lines):
                    left ^= hit
                summed, too_much = self._hinder(way, case, hinders, left) if left else ((), ())
                blocked |= lines ^ left
                for lost in too_much:
                    blocked |= lost.lines
                for number, mask in enumerate(summed):
                    hindered[number] |= mask
        return Field(blocked, tuple([(number, mask) for number, mask in enumerate(hindered) if number and mask]))

    def _by_case(self, q: int, r: int, asked: int) -> Iterator[tuple[FlatPath, Case, int]]:
        """The lines from some hexes to those so far away, by the levels of their ends."""
        way = self._ground.way(q, r)
        end = q * self._ground.stride + r
        for one, low in self._on_level.items():
            for other, high in self._on_level.items():
                lines = asked & low & (high >> end)
                if lines:
                    yield way, Case(min(one, other), one != other), lines

    def _measure(self, way: FlatPath, case: Case, left: int, found: dict[int, int]) -> None:
        ground = self._ground
        blocks, hinders = way.sheets.get(case) or self._sheets_for(way, case)
        alike = ground.alike(case)
        for stop, hit in self._block(way, case, blocks, left):
            left ^= hit
            offset, distance, _ = way.met[stop]
            for base in _bits(hit):
                code = alike.get(base + offset) if distance is not None else None
                found[base] = ground.blocked(way, case, base, stop) if code is None else code
        if not left:
            return
        summed, too_much = self._hinder(way, case, hinders, left)
        for lost in too_much:
            for base in _bits(lost.lines):
                place = base + lost.offset
                hex = ground.by_index[place] if lost.beside is None else lost.beside[place][lost.number]
                found[base] = ground.too_much(hex)
        for number in range(1, MOST_HINDRANCE):
            for base in _bits(summed[number]):
                found[base] = number

    def _block(self, way: FlatPath, case: Case, sheet: Sheet, left: int) -> Iterator[tuple[int, int]]:
        """The lines that are blocked, each with the first stop that blocks it."""
        for stop, (offset, distance, side) in enumerate(way.met):
            there = left << offset if offset >= 0 else left >> -offset
            if distance is not None:
                hit = sheet.met(there, distance)
            else:
                hit = there & self._edging(case, side, there, hinders=False).once
            if hit:
                hit = _on(hit, -offset)
                yield stop, hit
                left ^= hit
                if not left:
                    break

    def _hinder(self, way: FlatPath, case: Case, sheet: Sheet, left: int) -> tuple[list[int], list[_TooMuch]]:
        """Which lines have so many hindrances; and those with a sum that is too great, where it becomes so (3.2.1)."""
        summed = [left, *[0] * MOST_HINDRANCE]
        """``summed[n]`` are the lines with n hindrances so far."""
        too_much: list[_TooMuch] = []
        for offset, distance, side in way.met:
            there = left << offset if offset >= 0 else left >> -offset
            if distance is not None:
                beside = None
                hits: tuple[int, ...] = (sheet.met(there, distance),)
            else:
                edging = self._edging(case, side, there, hinders=True)
                beside = edging.hexes
                hits = (there & edging.once, there & edging.twice)
            for number, hit in enumerate(hits):
                if hit:
                    _add(summed, _on(hit, -offset))
                    if summed[-1]:
                        too_much.append(_TooMuch(summed[-1], offset, beside, number))
                        left ^= summed[-1]
                        summed[-1] = 0
        return summed[:-1], too_much

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
