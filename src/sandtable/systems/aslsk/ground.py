"""The ground of a game: the survey of its map, and sight over it worked out once (1.1.1, 3.2.1).

Sight over terrain does not change during a game: units and wrecks never block, smoke is added by whoever asks. So
answers are kept as long as the map is. :attr:`Ground.measured` holds for every pair of hexes asked so far the sum of
hindrances, or a number below 0 where the line is blocked; a cold answer walks the line's course through tables of
spans, :mod:`~sandtable.systems.aslsk.sight` explains it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sandtable.core.rule import rule
from sandtable.core.table import Table
from sandtable.geo.drawing import Drawing
from sandtable.geo.hex import Hex, centre
from sandtable.geo.hexside import Hexside
from sandtable.geo.look import Look
from sandtable.geo.map import GameMap
from sandtable.geo.polygon import Point
from sandtable.geo.sight import SightCache
from sandtable.systems.aslsk.course import Course, Span, Stop, course
from sandtable.systems.aslsk.scenario_draft import Conditions
from sandtable.systems.aslsk.sight import MOST_HINDRANCE, Finding, Sight, judge, line_of_sight, too_much
from sandtable.systems.aslsk.survey import Survey
from sandtable.systems.aslsk.sweep import Case, Sightings
from sandtable.systems.aslsk.terrain import Role, TerrainKind, TerrainRow

__all__ = ["Ground"]

_SMALL_MAP = 400
"""Hexes of a map up to which every direction keeps a table of its own of the hexes with nothing in the way."""
_MOST_SIGHTS = 20_000
"""Explained lines that are kept; they are large, and few are asked for twice."""
_EVERYWHERE: tuple[Span, ...] = ((-(10**9), 10**9),)


class _Beside(NamedTuple):
    """What blocks or hinders lines of one case that run along a hexside or touch a hex in a corner.

    Hexes are known by their index, hexsides by three times that of their hex, with their direction.
    """

    side_blocks: SightCache[int, bool]
    side_hinders: SightCache[int, tuple[Hex, ...]]
    touch_blocks: SightCache[int, bool]
    touch_hinders: SightCache[int, bool]


class _Sweep(NamedTuple):
    """What stands in the way of lines of one direction in one case, by the index of the hex."""

    case: Case
    blocks: SightCache[int, tuple[Span, ...]]
    hinders: SightCache[int, tuple[Span, ...]]
    beside: _Beside


_Met = tuple[int, int | None, int]
"""A hex by how far on it is; the distance from its centre where the line passes through; the direction of the hexside
that the line runs along, or -1."""


def _met(stop: Stop, stride: int) -> _Met:
    hex, direction = (stop.hexes[0], -1) if stop.side is None else stop.side
    return hex[0] * stride + hex[1], stop.distance, direction


class _Way(NamedTuple):
    """A course in the flat numbering of one map's hexes."""

    course: Course
    through: tuple[tuple[int, int], ...]
    """How far on in the numbering each hex passed through is, and how far from its centre the line passes."""
    met: tuple[_Met, ...]
    """All that it meets, of a line that meets more than hexes to pass through."""
    sweeps: dict[Case, _Sweep]


def _first_stop(met: tuple[_Met, ...], sweep: _Sweep, base: int) -> int:
    """The number of what blocks a line first of all that it meets, -1 if nothing does."""
    blocks, beside = sweep.blocks, sweep.beside
    for number, (offset, distance, direction) in enumerate(met):
        if distance is not None:
            for first, last in blocks[base + offset]:
                if first <= distance <= last:
                    return number
        elif direction >= 0:
            if beside.side_blocks[3 * (base + offset) + direction]:
                return number
        elif beside.touch_blocks[base + offset]:
            return number
    return -1


class _Place(NamedTuple):
    """Where a line is blocked."""

    case: Case
    stop: Stop
    a: Hex
    direction: Point


class Ground(Survey):
    """The survey of a map, with the answers to every question of sight asked so far."""

    def __init__(
        self,
        game_map: GameMap,
        terrain: Mapping[str, TerrainRow],
        tables: Mapping[str, Table],
        conditions: Conditions | None = None,
    ) -> None:
        super().__init__(game_map, terrain, tables, conditions)
        widths = {word: row.half_width for word, row in terrain.items() if row.half_width}
        self.sightings = Sightings(
            self, Drawing(game_map, widths, [w for w, r in terrain.items() if r.sight is Role.RELIEF])
        )
        columns = [hex[0] for hex in self.places]
        rows = [hex[1] for hex in self.places]
        # A line may touch hexes beyond the edge; no two of these and of the map's have the same index.
        self._left, self._top = min(columns), min(rows) - 1
        self._stride = max(rows) - self._top + 2
        self._hexes = {self._index(hex): hex for hex in self.places}
        self._levels = {hex: place.level for hex, place in self.places.items()}
        self._ways: dict[tuple[int, int], _Way] = {}
        self._sweeps: dict[tuple[Case, tuple[int, int]], _Sweep] = {}
        self._cases = {
            (one, other): Case(min(one, other), one != other)
            for one in set(self._levels.values())
            for other in set(self._levels.values())
        }
        self._besides: dict[Case, _Beside] = {}
        self._bare_blocks: dict[Case, dict[int, tuple[Span, ...]]] = {case: {} for case in self._cases.values()}
        self._bare_hinders: dict[Case, dict[int, tuple[Span, ...]]] = {case: {} for case in self._cases.values()}
        self.measured: SightCache[tuple[Hex, Hex], int] = SightCache(self._measure)
        """``measured[a, b]``: sum of terrain hindrances, or below 0 if there is no line of sight.

        -1 is the first of the reasons found so far, -2 the second, and so on.
        """
        self._reasons: list[Finding | _Place] = []
        """What blocks lines, or where to look for it once somebody asks."""
        self._codes: dict[tuple[object, ...], int] = {}
        """Numbers of reasons that hold for every line that is blocked at a place."""
        self._sights: SightCache[tuple[Hex, Hex], Sight] = SightCache(self._explain)
        self._on_road: SightCache[tuple[Hex, Hex], bool] = SightCache(self._stays_on_road)

    @rule("3.2.1")
    def clear(self, a: Hex, b: Hex) -> bool:
        """Whether terrain leaves a line of sight between two hexes (3.2.1)"""
        return self.measured[a, b] >= 0

    def clear_among(self, hex: Hex, others: Sequence[Hex]) -> int:
        """Bits of the hexes, by their places, to which terrain leaves a line of sight, the hex itself among them."""
        measured = self.measured
        return sum([1 << index for index, other in enumerate(others) if other == hex or measured[hex, other] >= 0])

    @rule("3.2.1")
    def hindrance(self, a: Hex, b: Hex) -> int:
        """Sum of the terrain hindrances between two hexes that see one another (3.2.1)"""
        return max(0, self.measured[a, b])

    @rule("3.2.1")
    def sight(self, a: Hex, b: Hex) -> Sight:
        """The line of sight between two hexes, terrain only, with all that lies in its way (3.2.1)"""
        return self._sights[a, b]

    def between(self, a: Hex, b: Hex) -> tuple[Hex, ...]:
        """Every hex that the line between two hexes touches on its way: smoke in one hinders (1.2.5)"""
        return tuple(hex + a for hex in course(b[0] - a[0], b[1] - a[1]).between)

    @rule("1.1.1")
    def entry_side(self, a: Hex, b: Hex) -> tuple[int, ...]:
        """Directions of the hexsides of ``b`` that the line from ``a`` crosses to reach its centre (1.1.1)

        Where it comes in by a corner it crosses both sides that meet there.
        """
        return course(b[0] - a[0], b[1] - a[1]).entry

    @rule("1.1.1")
    def on_road_only(self, a: Hex, b: Hex) -> bool:
        """Whether the line from ``a``, inside the woods-road or orchard-road hex ``b``, stays on the road (1.1.1)

        In woods it is enough that it crosses no woods symbol; in an orchard it may not leave the road depiction.
        """
        return self._on_road[a, b]

    def _stays_on_road(self, pair: tuple[Hex, Hex]) -> bool:
        a, b = pair
        place = self.places[b]
        if not place.road or place.kind not in (TerrainKind.WOODS, TerrainKind.ORCHARD):
            return place.road
        look = Look.at("woods") if place.kind is TerrainKind.WOODS else self.sightings.looks.off_road
        (ax, ay), (bx, by) = centre(a), centre(b)
        dx, dy = ax - bx, ay - by
        if dx == dy == 0:
            return True
        # Where the line comes in: on a side with |y| = 1 or on one with |x| + |y| = 2, whichever is nearer.
        if abs(dx) <= abs(dy):
            rim, unit = (dx, dy), abs(dy)
        else:
            rim, unit = (2 * dx, 2 * dy), abs(dx) + abs(dy)
        return not self.sightings.drawing.crosses(b, look, rim, (0, 0), unit)

    # --- cold answers ---------------------------------------------------------------------------------

    def _index(self, hex: Hex) -> int:
        return (hex[0] - self._left) * self._stride + hex[1] - self._top

    def _prepare(self, q: int, r: int) -> _Way:
        """The way of every line with this offset."""
        line = course(q, r)
        stride = self._stride
        through = tuple(
            (stop.hexes[0][0] * stride + stop.hexes[0][1], stop.distance)
            for stop in line.stops
            if stop.distance is not None
        )
        met = () if line.plain else tuple(_met(stop, stride) for stop in line.stops)
        way = self._ways[q, r] = _Way(line, through, met, {})
        return way

    def _sweep(self, way: _Way, case: Case) -> _Sweep:
        direction = way.course.direction
        sweep = self._sweeps.get((case, direction))
        if sweep is None:
            blocks: SightCache[int, tuple[Span, ...]] = SightCache(lambda index: self._blocks(case, direction, index))
            hinders: SightCache[int, tuple[Span, ...]] = SightCache(lambda index: self._hinders(case, direction, index))
            if len(self._hexes) <= _SMALL_MAP:
                # Hexes known to have nothing in the way have nothing in the way of any direction.
                blocks.update(self._bare_blocks[case])
                hinders.update(self._bare_hinders[case])
            sweep = self._sweeps[case, direction] = _Sweep(case, blocks, hinders, self._beside(case))
        way.sweeps[case] = sweep
        return sweep

    def _blocks(self, case: Case, direction: Point, index: int) -> tuple[Span, ...]:
        hex = self._hexes.get(index)
        if hex is None:
            # No line is traced off the map.
            return _EVERYWHERE
        if sighted := self.sightings.blocking(case, hex):
            return self.sightings.spans(sighted, hex, direction)
        self._bare_blocks[case][index] = ()
        return ()

    def _hinders(self, case: Case, direction: Point, index: int) -> tuple[Span, ...]:
        hex = self._hexes[index]
        if sighted := self.sightings.hindering(case, hex):
            return self.sightings.spans(sighted, hex, direction)
        self._bare_hinders[case][index] = ()
        return ()

    def _measure(self, pair: tuple[Hex, Hex]) -> int:
        """Work out a pair of hexes for both directions at once."""
        a, b = pair
        if b < a:
            a, b = b, a
        q, r = b[0] - a[0], b[1] - a[1]
        way = self._ways.get((q, r)) or self._prepare(q, r)
        levels = self._levels
        case = self._cases[levels[a], levels[b]]
        sweep = way.sweeps.get(case) or self._sweep(way, case)
        measured = self._plainly(way, sweep, a) if way.course.plain else self._by_stops(way, sweep, a)
        self.measured[pair[1], pair[0]] = measured
        return measured

    def _plainly(self, way: _Way, sweep: _Sweep, a: Hex) -> int:
        """A line that only passes through hexes."""
        base = (a[0] - self._left) * self._stride + a[1] - self._top
        through = way.through
        blocks = sweep.blocks
        for step in through:
            offset, distance = step
            for first, last in blocks[base + offset]:
                if first <= distance <= last:
                    code = self._codes.get((sweep.case, base + offset))
                    return self._blocked(way, sweep.case, a, through.index(step)) if code is None else code
        hinders = sweep.hinders
        hindrance = 0
        for offset, distance in through:
            for first, last in hinders[base + offset]:
                if first <= distance <= last:
                    hindrance += 1
                    if hindrance == MOST_HINDRANCE:
                        return self._too_much(self._hexes[base + offset])
                    break
        return hindrance

    def _by_stops(self, way: _Way, sweep: _Sweep, a: Hex) -> int:
        """A line with ties: it runs along hexsides or passes through corners."""
        base = (a[0] - self._left) * self._stride + a[1] - self._top
        stop = _first_stop(way.met, sweep, base)
        if stop >= 0:
            return self._blocked(way, sweep.case, a, stop)
        hinders, beside = sweep.hinders, sweep.beside
        met: list[Hex] = []
        for offset, distance, direction in way.met:
            if distance is not None:
                for first, last in hinders[base + offset]:
                    if first <= distance <= last:
                        met.append(self._hexes[base + offset])
                        break
            elif direction >= 0:
                met += beside.side_hinders[3 * (base + offset) + direction]
            elif beside.touch_hinders[base + offset]:
                met.append(self._hexes[base + offset])
        return len(met) if len(met) < MOST_HINDRANCE else self._too_much(met[MOST_HINDRANCE - 1])

    def _beside(self, case: Case) -> _Beside:
        """What lies beside lines of a case."""
        found = self._besides.get(case)
        if found is None:
            sightings = self.sightings
            found = self._besides[case] = _Beside(
                SightCache(lambda index: sightings.side_blocks(case, self._side_at(index))),
                SightCache(lambda index: tuple(hex for hex, _ in sightings.side_hinders(case, self._side_at(index)))),
                SightCache(lambda index: sightings.touch_blocks(case, self._hex_at(index))),
                SightCache(lambda index: sightings.touch_hinders(case, self._hex_at(index))),
            )
        return found

    def _hex_at(self, index: int) -> Hex:
        q, r = divmod(index, self._stride)
        return Hex(q + self._left, r + self._top)

    def _side_at(self, index: int) -> Hexside:
        hex, direction = divmod(index, 3)
        return Hexside(self._hex_at(hex), direction)

    def _blocked(self, way: _Way, case: Case, a: Hex, number: int) -> int:
        """The number of the reason why a line is blocked at one of its stops."""
        stop = way.course.stops[number]
        hex = stop.hexes[0] + a
        key: tuple[object, ...] = case, self._index(hex)
        if stop.side is not None:
            key = case, stop.side._replace(hex=stop.side.hex + a)
        elif stop.distance is None:
            key = case, hex
        code = self._codes.get(key)
        if code is None:
            code = self._add(_Place(case, stop, a, way.course.direction))
            if stop.distance is None or hex not in self.places or self.sightings.is_sole(case, hex):
                self._codes[key] = code
        return code

    def _too_much(self, hex: Hex) -> int:
        """The number of the reason that hindrances block together."""
        code = self._codes.get((hex,))
        if code is None:
            code = self._codes[hex,] = self._add(too_much(hex))
        return code

    def _add(self, reason: Finding | _Place) -> int:
        self._reasons.append(reason)
        return -len(self._reasons)

    def blocker(self, a: Hex, b: Hex) -> Finding | None:
        """What blocks the line between two hexes first, if anything does: as :meth:`sight` says, and quicker (3.2.1)"""
        measured = self.measured[a, b]
        if measured >= 0:
            return None
        reason = self._reasons[-1 - measured]
        if isinstance(reason, _Place):
            reason = self._reasons[-1 - measured] = next(
                judge(self.sightings, reason.case, reason.stop, reason.a, reason.direction)
            )
        return reason

    def _explain(self, pair: tuple[Hex, Hex]) -> Sight:
        if len(self._sights) >= _MOST_SIGHTS:
            self._sights.clear()
        a, b = pair
        return line_of_sight(self.sightings, a, b)
