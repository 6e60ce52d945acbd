"""The ground of a game: the survey of its map, and sight over it worked out once (3.5.1, 4.1.4, 6.1.4.3).

Line of sight depends on the ground alone, for vehicles and wrecks have no Height and smoke does not block (4.1.4.1,
4.1.4.1.8, 4.1.4.1.9). So answers are kept for as long as the map is, and where terrain counters change it for each of
its versions (:meth:`Ground.now`): ``ground.fields[a]`` are the hexes seen from one,
worked out together the first time that one of them is asked for (:mod:`~sandtable.systems.panzer.hex.sight.shadows`).
:meth:`Ground.sight` explains a single line (:mod:`~sandtable.systems.panzer.hex.sight.los`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.geo.hex import Hex
from sandtable.geo.map import GameMap
from sandtable.geo.sight import SightCache
from sandtable.systems.panzer.edition import Edition
from sandtable.systems.panzer.hex.features import Feature, GroundVersion, ground_version
from sandtable.systems.panzer.hex.scenario.draft import Conditions
from sandtable.systems.panzer.hex.sight.los import LineOfSight, Sighting, line_of_sight
from sandtable.systems.panzer.hex.sight.shadows import Shadows
from sandtable.systems.panzer.hex.sight.survey import MapHex, Side, Survey
from sandtable.systems.panzer.terrain import Terrain, TerrainId

__all__ = ["Ground", "MapHex", "Side"]

_VERSIONS = 8
"""Versions of the ground whose answers are kept at a time."""


class Ground(Survey):
    """The survey of a map, with the answers to every question of sight asked so far."""

    def __init__(
        self,
        game_map: GameMap,
        terrain: Mapping[TerrainId, Terrain],
        edition: Edition,
        tables: Mapping[str, Table],
        conditions: Conditions | None = None,
        *,
        version: GroundVersion = frozenset(),
    ) -> None:
        super().__init__(game_map, terrain, edition, tables, conditions, version=version)
        self.fields: SightCache[Hex, frozenset[Hex]] = SightCache(self._field)
        """``b in fields[a]``: whether there is a line of sight; the quickest way to ask in a tight loop."""
        self._sights: SightCache[tuple[Hex, Hex, int, int], LineOfSight] = SightCache(
            lambda ends: line_of_sight(self, *ends)
        )
        self._raised: SightCache[tuple[Hex, Hex, int, int], bool] = SightCache(
            lambda ends: not Sighting.of(self, *ends).is_blocked()
        )
        self._versions: dict[GroundVersion, Ground] = {}
        self._latest: tuple[tuple[Feature, ...], Ground] = ((), self)

    @rule("6.1.4.3", editions=("panzer-na",))
    def now(self, features: tuple[Feature, ...]) -> Ground:
        """The ground as terrain counters have changed it; what it answered is kept for each version (6.1.4.3)"""
        if not features:
            return self
        known, ground = self._latest
        if known is features:
            return ground
        version = ground_version(features)
        found = self if version == self.version else self._versions.get(version)
        if found is None:
            if len(self._versions) >= _VERSIONS:
                del self._versions[next(iter(self._versions))]
            found = Ground(self.map, self.terrain, self.edition, self.tables, self.conditions, version=version)
            self._versions[version] = found
        self._latest = (features, found)
        return found

    @cached_property
    def _shadows(self) -> Shadows:
        return Shadows(self)

    def _field(self, hex: Hex) -> frozenset[Hex]:
        return self._shadows.field(hex)

    def sees(self, a: Hex, b: Hex) -> bool:
        """Whether there is a line of sight between two hexes (4.1.4)"""
        return b in self.fields[a]

    def sees_up(self, a: Hex, b: Hex, up_a: int, up_b: int) -> bool:
        """The same from and to floors so many Heights up in their buildings (6.1.4.3.1)"""
        return self._raised[a, b, up_a, up_b] if up_a or up_b else b in self.fields[a]

    def sight(self, a: Hex, b: Hex, up_a: int = 0, up_b: int = 0) -> LineOfSight:
        """The line between two hexes, or floors in them, with all that stands in its way (4.1.4)"""
        return self._sights[a, b, up_a, up_b]

    def field_of_sight(self, hex: Hex) -> frozenset[Hex]:
        """The playable hexes in line of sight of ``hex`` (4.1.4)"""
        return self.fields[hex] & self.map.hexes
