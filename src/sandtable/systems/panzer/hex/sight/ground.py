"""The ground of a game: the survey of its map, and sight over it worked out once (3.5.1, 4.1.4).

Line of sight depends on the ground alone, for vehicles and wrecks have no Height and smoke does not block (4.1.4.1,
4.1.4.1.8, 4.1.4.1.9). So answers are kept for as long as the map is: ``ground.fields[a]`` are the hexes seen from one,
worked out together the first time that one of them is asked for (:mod:`~sandtable.systems.panzer.hex.sight.shadows`).
:meth:`Ground.sight` explains a single line (:mod:`~sandtable.systems.panzer.hex.sight.los`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from sandtable.core.content.table import Table
from sandtable.geo.hex import Hex
from sandtable.geo.map import GameMap
from sandtable.geo.sight import SightCache
from sandtable.systems.panzer.edition import Edition
from sandtable.systems.panzer.hex.scenario import Conditions
from sandtable.systems.panzer.hex.sight.los import LineOfSight, line_of_sight
from sandtable.systems.panzer.hex.sight.shadows import Shadows
from sandtable.systems.panzer.hex.sight.survey import MapHex, Side, Survey
from sandtable.systems.panzer.terrain import Terrain, TerrainId

__all__ = ["Ground", "MapHex", "Side"]


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
        self.fields: SightCache[Hex, frozenset[Hex]] = SightCache(self._field)
        """``b in fields[a]``: whether there is a line of sight; the quickest way to ask in a tight loop."""
        self._sights: SightCache[tuple[Hex, Hex], LineOfSight] = SightCache(
            lambda pair: line_of_sight(self, pair[0], pair[1])
        )

    @cached_property
    def _shadows(self) -> Shadows:
        return Shadows(self)

    def _field(self, hex: Hex) -> frozenset[Hex]:
        return self._shadows.field(hex)

    def sees(self, a: Hex, b: Hex) -> bool:
        """Whether there is a line of sight between two hexes (4.1.4)"""
        return b in self.fields[a]

    def sight(self, a: Hex, b: Hex) -> LineOfSight:
        """The line between two hexes, with all that stands in its way (4.1.4)"""
        return self._sights[a, b]

    def field_of_sight(self, hex: Hex) -> frozenset[Hex]:
        """The playable hexes in line of sight of ``hex`` (4.1.4)"""
        return self.fields[hex] & self.map.hexes
