"""The ground of a game: the survey of its map, and sight over it worked out once (3.5.1, 4.1.4).

Line of sight depends on the ground alone, for vehicles and wrecks have no Height and smoke does not block (4.1.4.1,
4.1.4.1.8, 4.1.4.1.9). So answers are kept for as long as the map is: ``ground.seen[a, b]`` and ``ground.sees(a, b)``
cost one look into a dict once a pair of hexes was asked for. A cold answer first compares flat tables of
heights, which settles most lines, and lets :mod:`~sandtable.systems.panzer.hex.sight.los` judge what stands in the way.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sandtable.core.content.table import Table
from sandtable.geo.hex import Hex
from sandtable.geo.hexside import hexes_of
from sandtable.geo.map import GameMap
from sandtable.geo.sight import SightCache
from sandtable.systems.panzer.edition import Edition
from sandtable.systems.panzer.hex.scenario import Conditions
from sandtable.systems.panzer.hex.sight.los import LineOfSight, Sighting, line_of_sight
from sandtable.systems.panzer.hex.sight.sightline import walk
from sandtable.systems.panzer.hex.sight.survey import MapHex, Side, Survey
from sandtable.systems.panzer.terrain import Terrain, TerrainId

__all__ = ["Ground", "MapHex", "Side"]

_NOTHING = -99


class _Steps(NamedTuple):
    """A line as steps in the flat tables of one map."""

    stations: list[int]
    """For each hex between the ends, the index of its station ..."""
    offsets: list[int]
    """... and how far on in the tables it is."""


class Ground(Survey):
    """The survey of a map, with the answers to every question of sight asked so far."""

    def __init__(
        self,
        game_map: GameMap,
        terrain: Mapping[TerrainId, Terrain],
        edition: Edition,
        tables: Mapping[str, Table],
        conditions: Conditions | None = None,
    ) -> None:
        super().__init__(game_map, terrain, edition, tables, conditions)
        columns = [hex[0] for hex in self.places]
        rows = [hex[1] for hex in self.places]
        # One hex of margin all round, for the hexes across the hexsides of the border.
        self._left, self._top = min(columns) - 1, min(rows) - 1
        self._stride = max(rows) - self._top + 2
        size = (max(columns) - self._left + 2) * self._stride
        self._tops = [_NOTHING] * size
        self._walls = [_NOTHING] * size
        """Height of what stands on the ground of each hex, which no slope excuses ..."""
        self._closed = [_NOTHING] * size
        """... and which no road opens."""
        self._fences = [_NOTHING] * size
        """Height of the highest obstacle on a hexside of each hex."""
        for hex, place in self.places.items():
            index = self._index(hex)
            self._tops[index] = place.obstacle
            if not place.bare:
                self._walls[index] = place.obstacle
                self._closed[index] = place.opened if place.opened > place.level else _NOTHING
        for side, facts in self.sides.items():
            if facts.obstacle is not None:
                for index in map(self._index, hexes_of(side)):
                    self._fences[index] = max(self._fences[index], facts.obstacle)
        self._has_fences = any(facts.obstacle is not None for facts in self.sides.values())
        self._lines: dict[tuple[int, int], _Steps] = {}
        self.seen: SightCache[tuple[Hex, Hex], bool] = SightCache(self._look)
        """``seen[a, b]``: whether there is a line of sight; the quickest way to ask in a tight loop."""
        self._sights: SightCache[tuple[Hex, Hex], LineOfSight] = SightCache(
            lambda pair: line_of_sight(self, pair[0], pair[1])
        )

    def sees(self, a: Hex, b: Hex) -> bool:
        """Whether there is a line of sight between two hexes (4.1.4)"""
        return self.seen[a, b]

    def sight(self, a: Hex, b: Hex) -> LineOfSight:
        """The line between two hexes, with all that stands in its way (4.1.4)"""
        return self._sights[a, b]

    def field_of_sight(self, hex: Hex) -> frozenset[Hex]:
        """The hexes of the map in line of sight of ``hex`` (4.1.4)"""
        seen = self.seen
        return frozenset(other for other in self.map.hexes if seen[hex, other])

    def _index(self, hex: Hex) -> int:
        return (hex[0] - self._left) * self._stride + hex[1] - self._top

    def _prepare(self, q: int, r: int) -> _Steps:
        """The steps of every line with this offset."""
        stations, columns, rows, _ = walk(q, r)
        stride = self._stride
        offsets = [column * stride + row for column, row in zip(columns, rows, strict=True)]
        steps = self._lines[q, r] = _Steps(stations[1:-1], offsets[1:-1])
        return steps

    def _look(self, pair: tuple[Hex, Hex]) -> bool:
        """Work out a pair of hexes for both directions at once."""
        a, b = pair
        clear = not (self._is_blocked(a, b) if a <= b else self._is_blocked(b, a))
        self.seen[b, a] = clear
        return clear

    def _is_blocked(self, a: Hex, b: Hex) -> bool:
        q, r = b[0] - a[0], b[1] - a[1]
        steps = self._lines.get((q, r)) or self._prepare(q, r)
        one, other = self.places[a], self.places[b]
        floor = max(0, min(one.height, other.height))
        base = self._index(a)
        # What stands on the ground as high as the higher vehicle blocks at any range (4.1.4.2.1, 4.1.4.2.2); only a
        # line along a hex row can follow a road through it.
        walls = self._closed if q == 0 or r == 0 or q == -r else self._walls
        least = max(one.height, other.height, floor + 1)
        if any(walls[base + offset] >= least for offset in steps.offsets):
            return True
        tops = self._tops
        # Nothing up to the lower vehicle's Height, or up to 0, blocks (4.1.4.1.1, 4.1.4.2.3).
        high = [k for k, offset in enumerate(steps.offsets) if tops[base + offset] > floor]
        fenced = self._has_fences and self._is_fenced(steps, base, floor)
        if not (high or fenced or one.sunken or other.sunken):
            return False
        sighting = Sighting.of(self, a, b)
        line = sighting.line
        for k in high:
            index = steps.stations[k]
            if any(sighting.of_hex(line.between(index, hex)).blocks for hex in line.stations[index]):
                return True
        if fenced and any(v.blocks for barrier in line.barriers() for _, v in sighting.of_barrier(barrier)):
            return True
        return sighting.sunken() is not None

    def _is_fenced(self, steps: _Steps, base: int, floor: int) -> bool:
        """Whether a hex on the line, one of the ends among them, has an obstacle hexside high enough to matter."""
        fences = self._fences
        if fences[base] > floor:
            return True
        return any(fences[base + offset] > floor for offset in steps.offsets)
