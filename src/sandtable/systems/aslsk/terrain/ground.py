"""The ground of a game: the survey of its map, and sight over it worked out once (1.1.1, 3.2.1).

Sight over terrain does not change during a game: units and wrecks never block, smoke is added by whoever asks. So
answers are kept as long as the map is. :attr:`Ground.measured` holds for every pair of hexes asked so far the sum of
hindrances, or a number below 0 where the line is blocked; a cold answer walks the line's path through tables of
spans, :mod:`~sandtable.systems.aslsk.terrain.sight` explains it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.geo.drawing import DrawnShapes
from sandtable.geo.hex import Hex, centre
from sandtable.geo.hexside import Hexside
from sandtable.geo.map import GameMap
from sandtable.geo.shapes.polygon import Point
from sandtable.geo.sight import SightCache
from sandtable.geo.terrain_query import TerrainQuery
from sandtable.systems.aslsk.scenario.draft import Conditions
from sandtable.systems.aslsk.terrain.kinds import Role, TerrainKind, TerrainRow
from sandtable.systems.aslsk.terrain.line_path import Boxed, LinePath, Span, Stop, line_path
from sandtable.systems.aslsk.terrain.obstacles import Case, Obstacles
from sandtable.systems.aslsk.terrain.sight import Finding, Sight, judge, line_of_sight, too_much
from sandtable.systems.aslsk.terrain.sight_batch import Sheet, SightBatch
from sandtable.systems.aslsk.terrain.survey import Survey

__all__ = ["FlatPath", "Ground"]

_MOST_SIGHTS = 20_000
"""Explained lines that are kept; they are large, and few are asked for twice."""


_Met = tuple[int, int | None, int]
"""A hex by how far on it is; the distance from its centre where the line passes through; the direction of the hexside
that the line runs along, or -1."""


def _met(stop: Stop, stride: int) -> _Met:
    hex, direction = (stop.hexes[0], -1) if stop.side is None else stop.side
    return hex[0] * stride + hex[1], stop.distance, direction


class FlatPath(NamedTuple):
    """A line's path in the flat numbering of one map's hexes."""

    line_path: LinePath
    met: tuple[_Met, ...]
    """All that it meets, in order."""
    sheets: dict[Case, tuple[Sheet, Sheet]]
    """What blocks its lines, and what hinders them."""


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
        self.sightings = Obstacles(
            self, DrawnShapes(game_map, widths, [w for w, r in terrain.items() if r.sight is Role.RELIEF])
        )
        columns = [hex[0] for hex in self.places]
        rows = [hex[1] for hex in self.places]
        # A line may touch hexes beyond the edge; no two of these and of the map's have the same index.
        self._left, self._top = min(columns), min(rows) - 1
        self.stride = max(rows) - self._top + 2
        self.by_index = {self._index(hex): hex for hex in self.places}
        """The hexes of the map, numbered column by column."""
        self._ways: dict[tuple[int, int], FlatPath] = {}
        self._batch = SightBatch(self)
        self.measured: SightCache[tuple[Hex, Hex], int] = SightCache(self._measure)
        """``measured[a, b]``: sum of terrain hindrances, or below 0 if there is no line of sight.

        -1 is the first of the reasons found so far, -2 the second, and so on.
        """
        self._reasons: list[Finding | _Place] = []
        """What blocks lines, or where to look for it once somebody asks."""
        self._codes: dict[tuple[object, ...], int] = {}
        """Numbers of reasons that hold for every line that is blocked at a place."""
        self._alike: dict[Case, dict[int, int]] = {}
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
        return tuple(hex + a for hex in line_path(b[0] - a[0], b[1] - a[1]).between)

    def through(self, a: Hex, b: Hex) -> tuple[Hex, ...]:
        """Every hex between that the line passes through, not along a side of it: a wreck in one hinders (7.4.1)"""
        return tuple(hex + a for hex in line_path(b[0] - a[0], b[1] - a[1]).through)

    @rule("1.1.1")
    def entry_side(self, a: Hex, b: Hex) -> tuple[int, ...]:
        """Directions of the hexsides of ``b`` that the line from ``a`` crosses to reach its centre (1.1.1)

        Where it comes in by a corner it crosses both sides that meet there.
        """
        return line_path(b[0] - a[0], b[1] - a[1]).entry

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
        look = TerrainQuery.at("woods") if place.kind is TerrainKind.WOODS else self.sightings.looks.off_road
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
        return (hex[0] - self._left) * self.stride + hex[1] - self._top

    def way(self, q: int, r: int) -> FlatPath:
        """The way of every line with this offset."""
        way = self._ways.get((q, r))
        if way is None:
            line = line_path(q, r)
            way = self._ways[q, r] = FlatPath(line, tuple(_met(stop, self.stride) for stop in line.stops), {})
        return way

    def _measure(self, pair: tuple[Hex, Hex]) -> int:
        """Work out a pair of hexes for both directions at once."""
        a, b = pair
        if b < a:
            a, b = b, a
        one, other = self.places[a].level, self.places[b].level
        case = Case(min(one, other), one != other)
        measured = self._batch.measure_one(self.way(b[0] - a[0], b[1] - a[1]), case, self._index(a))
        self.measured[pair[1], pair[0]] = measured
        return measured

    def measure_many(self, pairs: Sequence[tuple[Hex, Hex]]) -> list[int]:
        """What :attr:`measured` holds for pairs of hexes, worked out for many in a fraction of the time (3.2.1)"""
        found = [0] * len(pairs)
        alike: defaultdict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        left, top, stride = self._left, self._top, self.stride
        for number, ((aq, ar), (bq, br)) in enumerate(pairs):
            if aq < bq or (aq == bq and ar < br):
                alike[bq - aq, br - ar].append((number, (aq - left) * stride + ar - top))
            else:
                alike[aq - bq, ar - br].append((number, (bq - left) * stride + br - top))
        for (q, r), lines in alike.items():
            measured = self._batch.measure(q, r, [base for _, base in lines])
            if measured:
                for number, base in lines:
                    if base in measured:
                        found[number] = measured[base]
        return found

    def blocking(self, case: Case, index: int) -> tuple[Boxed, ...]:
        """What blocks lines in a hex, ready for every direction (1.1.1, 3.2.1)"""
        return self.sightings.boxed(self.sightings.blocking(case, self.by_index[index]))

    def hindering(self, case: Case, index: int) -> tuple[Boxed, ...]:
        """What hinders lines in a hex, ready for every direction (1.1.1, 3.2.1)"""
        return self.sightings.boxed(self.sightings.hindering(case, self.by_index[index]))

    def spans(self, case: Case, direction: Point, index: int, *, hinders: bool) -> tuple[Span, ...]:
        """Where lines of a direction are blocked or hindered in a hex, were it on the seam of two boards (1.1.1)"""
        hex = self.by_index[index]
        sighted = self.sightings.hindering(case, hex) if hinders else self.sightings.blocking(case, hex)
        return self.sightings.spans(sighted, hex, direction)

    def blocks_beside(self, case: Case, index: int, side: int) -> tuple[Hex, ...]:
        """A hex whose side of this direction blocks a line that runs along it, or which blocks in its corner if -1."""
        hex = self._hex_at(index)
        sightings = self.sightings
        blocks = sightings.touch_blocks(case, hex) if side < 0 else sightings.side_blocks(case, Hexside(hex, side))
        return (hex,) if blocks else ()

    def hinders_beside(self, case: Case, index: int, side: int) -> tuple[Hex, ...]:
        """The hexes that hinder a line along a hexside, or one that hinders in its corner."""
        hex = self._hex_at(index)
        if side < 0:
            return (hex,) if self.sightings.touch_hinders(case, hex) else ()
        return tuple(hex for hex, _ in self.sightings.side_hinders(case, Hexside(hex, side)))

    def _hex_at(self, index: int) -> Hex:
        q, r = divmod(index, self.stride)
        return Hex(q + self._left, r + self._top)

    def alike(self, case: Case) -> dict[int, int]:
        """Numbers of reasons by the index of a hex, where they hold for every line that is blocked inside it."""
        return self._alike.setdefault(case, {})

    def blocked(self, way: FlatPath, case: Case, base: int, number: int) -> int:
        """The number of the reason why a line from a hex is blocked at one of its stops."""
        offset, distance, _ = way.met[number]
        a, stop = self.by_index[base], way.line_path.stops[number]
        hex = stop.hexes[0] + a
        key: tuple[object, ...] = case, hex, None
        if stop.side is not None:
            key = case, stop.side._replace(hex=stop.side.hex + a)
        elif distance is None:
            key = case, hex
        elif hex in self.places and not self.sightings.is_sole(case, hex):
            # What blocks there first depends on where the line passes.
            key = case, hex, way.line_path.direction, distance
        code = self._codes.get(key)
        if code is None:
            code = self._codes[key] = self._add(_Place(case, stop, a, way.line_path.direction))
            if key[2:] == (None,):
                self.alike(case)[base + offset] = code
        return code

    def too_much(self, hex: Hex) -> int:
        """The number of the reason that hindrances block together."""
        code = self._codes.get((hex,))
        if code is None:
            code = self._codes[hex,] = self._add(too_much(hex))
        return code

    def _add(self, reason: Finding | _Place) -> int:
        self._reasons.append(reason)
        return -len(self._reasons)

    def reason(self, measured: int) -> Finding:
        """What blocks a line that measures less than 0 (3.2.1)"""
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
