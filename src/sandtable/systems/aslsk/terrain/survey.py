"""1.1.1: what every hex of a map is to the rules, with the seasons and the scenario's own terrain rules applied."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.errors import BadInput, Fault, Faults
from sandtable.geo.feature import Feature
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.geo.hexside import SIDES, Hexside
from sandtable.geo.map import GameMap
from sandtable.systems.aslsk.scenario.draft import Conditions
from sandtable.systems.aslsk.terrain.kinds import HexPlace, Role, TerrainKind, TerrainRow

__all__ = ["TERRAIN_TABLE", "Survey"]

TERRAIN_TABLE = "terrain_effects"

BUILDINGS = (TerrainKind.STONE_BUILDING, TerrainKind.WOODEN_BUILDING)
SHELTERS = (*BUILDINGS, TerrainKind.WOODS)
_PRECEDENCE = (
    *SHELTERS,
    TerrainKind.ORCHARD,
    TerrainKind.BRUSH,
    TerrainKind.GRAIN,
)
"""Which terrain dominates where two boards show different halves of one hex: what affects play most."""


class Survey:
    """The facts of a map's hexes."""

    @rule("1.1", "1.1.1")
    def __init__(
        self,
        game_map: GameMap,
        terrain: Mapping[str, TerrainRow],
        tables: Mapping[str, Table],
        conditions: Conditions | None = None,
    ) -> None:
        """Survey a map (1.1, 1.1.1)"""
        self.map = game_map
        self.terrain = terrain
        self.conditions = conditions or Conditions()
        _check(game_map, terrain)
        self._roads = _road_sides(game_map, terrain, paved=None)
        self._paved = _road_sides(game_map, terrain, paved=True)
        self._tem = {kind: tables[TERRAIN_TABLE].number(kind.value, "tem") for kind in TerrainKind}
        buildings = _buildings(game_map, terrain)
        self.places: dict[Hex, HexPlace] = {hex: self._survey(hex, buildings) for hex in game_map.facts}
        self.hills = frozenset(hex for hex, place in self.places.items() if place.level > 0)
        self.orchards = frozenset(hex for hex, place in self.places.items() if place.kind is TerrainKind.ORCHARD)
        """Hexes of inherent terrain."""

    def words(self, role: Role) -> tuple[str, ...]:
        """The words that have a role for sight, those out of season left out."""
        return tuple(
            word
            for word, row in self.terrain.items()
            if row.sight is role and (role is Role.INHERENT or self._is_in_season(row))
        )

    @property
    def orchards_in_season(self) -> bool:
        """Whether orchards block sight between levels now (1.1.1)"""
        return all(row.in_season(self.conditions.month) for row in self.terrain.values() if row.sight is Role.INHERENT)

    def _survey(self, hex: Hex, buildings: Mapping[Hex, str]) -> HexPlace:
        facts = self.map.facts[hex]
        kinds = {self.terrain[word].kind for word in facts.terrain if self._counts(word)}
        kind = next((one for one in _PRECEDENCE if one in kinds), TerrainKind.OPEN)
        if kind is TerrainKind.BRUSH and self.conditions.brush_is_orchard:
            kind = TerrainKind.ORCHARD
        sides = SIDES[hex]
        return HexPlace(
            kind=kind,
            level=facts.level,
            road=any(side in self._roads for side in sides),
            paved=any(side in self._paved for side in sides),
            building=buildings.get(hex, "") if kind in BUILDINGS else "",
            tem=self._tem[kind],
            open_ground=kind is TerrainKind.OPEN,
            shelter=kind in SHELTERS,
        )

    def _counts(self, word: str) -> bool:
        """Grain out of season is Open Ground (1.1.1); an orchard always is one."""
        row = self.terrain[word]
        return row.sight is not Role.HINDRANCE or self._is_in_season(row)

    def _is_in_season(self, row: TerrainRow) -> bool:
        by_card = self.conditions.grain_in_season and row.kind is TerrainKind.GRAIN
        return by_card or row.in_season(self.conditions.month)

    @rule("1.1.1")
    def place(self, hex: Hex) -> HexPlace:
        """Facts of a hex (1.1.1)"""
        return self.places[hex]

    @rule("1.1.1")
    def has_road(self, hex: Hex, direction: int) -> bool:
        """Whether a road crosses that hexside (1.1.1)"""
        return SIDES[hex][direction] in self._roads

    @rule("1.1.1")
    def climbs(self, hex: Hex, direction: int) -> bool:
        """Whether going out of ``hex`` in that direction crosses a crest line into higher terrain (1.1.1)"""
        beyond = self.places.get(NEIGHBOURS[hex][direction])
        return beyond is not None and beyond.level > self.places[hex].level

    @rule("1.1.1")
    def descends(self, hex: Hex, direction: int) -> bool:
        """Whether going out of ``hex`` in that direction crosses a crest line into lower terrain (1.1.1)"""
        beyond = self.places.get(NEIGHBOURS[hex][direction])
        return beyond is not None and beyond.level < self.places[hex].level


def _check(game_map: GameMap, terrain: Mapping[str, TerrainRow]) -> None:
    """Every word on the map must be known."""
    faults = Faults()
    for feature in game_map.features:
        if feature.kind not in terrain and (feature.hexes or feature.sides or feature.outline):
            faults.add(f"board {feature.board}", f"no terrain {feature.kind!r}", f"one of {', '.join(terrain)}")
    if faults:
        raise BadInput(dict.fromkeys(faults))
    if not any(row.sight is Role.ROAD for row in terrain.values()):
        raise BadInput([Fault("terrain", "no road among the words")])


def _road_sides(game_map: GameMap, terrain: Mapping[str, TerrainRow], *, paved: bool | None) -> frozenset[Hexside]:
    """The hexsides that roads cross."""
    return frozenset(
        side
        for word, sides in game_map.routes.items()
        if word in terrain and terrain[word].sight is Role.ROAD and paved in (None, terrain[word].paved)
        for side in sides
    )


def _buildings(game_map: GameMap, terrain: Mapping[str, TerrainRow]) -> dict[Hex, str]:
    """The building that each building hex is part of: adjacent hexes of one feature are one building."""
    found: dict[Hex, str] = {}
    for feature in game_map.features:
        if feature.hexes and not feature.line and terrain[feature.kind].kind in BUILDINGS:
            found |= _parts(feature, game_map)
    return found


def _parts(feature: Feature, game_map: GameMap) -> dict[Hex, str]:
    found: dict[Hex, str] = {}
    left = dict.fromkeys(sorted(feature.hexes))
    while left:
        part = _connected(next(iter(left)), left)
        name = str(feature.attributes.get("name", "")) or f"building {game_map.label(min(part))}"
        found |= dict.fromkeys(part, name)
        for hex in part:
            del left[hex]
    return found


def _connected(start: Hex, among: Iterable[Hex]) -> list[Hex]:
    hexes = set(among)
    part = [start]
    hexes.discard(start)
    for hex in part:
        nearby = [other for other in NEIGHBOURS[hex] if other in hexes]
        part += nearby
        hexes.difference_update(nearby)
    return part
