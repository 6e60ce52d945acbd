"""What the ground is, hex by hex (3.8, 4.1.3, 4.1.4.1.1 to 4.1.4.1.7, 4.1.4.1.10, 6.1.4.3.3, 6.1.4.3.4, 6.1.4.3.9).

The map says which terrain lies where; the pack's Terrain Effects say what each terrain does. :class:`Survey` lays the
two together once: base height of every hex, what a vehicle there stands in and the cover it gets, how high the hex
and its hexsides stand in the way of a line of sight, slopes and cliffs, and the routes through every hexside. Nothing
in it changes during a Basic game: vehicles and wrecks have no Height and smoke never blocks (4.1.4.1, 4.1.4.1.8,
4.1.4.1.9). In the Advanced Game a survey holds for one version of the ground: Ditches, Blocks and Rubble (6.1.4.3).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.errors import Faults
from sandtable.geo.facts import HexFacts
from sandtable.geo.hex import DIRECTION_NAMES, Hex
from sandtable.geo.hexside import SIDES, Hexside, hexes_of
from sandtable.geo.map import GameMap
from sandtable.systems.panzer.edition import Edition
from sandtable.systems.panzer.features import FeatureKind
from sandtable.systems.panzer.hex.features import GroundVersion
from sandtable.systems.panzer.hex.scenario.draft import Conditions
from sandtable.systems.panzer.hex.sight.blind_zone import BlindZones
from sandtable.systems.panzer.spotting_ranges import SpottingRanges
from sandtable.systems.panzer.terrain import Cover, Placement, Rate, Terrain, TerrainId

__all__ = [
    "BRIDGE",
    "BRIDGE_RUBBLE",
    "CLEAR",
    "CLIFF",
    "CREST",
    "HILL",
    "SLOPE",
    "TRACK",
    "WATER",
    "MapHex",
    "Side",
    "Survey",
    "best_cover",
]

CLEAR = TerrainId("clear")
HILL = TerrainId("hill")
BRIDGE = TerrainId("bridge")
SLOPE = TerrainId("slope")
CREST = TerrainId("crest")
CLIFF = TerrainId("cliff")
TRACK = TerrainId("track")
WATER = TerrainId("water")
BLOCK = TerrainId("block")
DITCH = TerrainId("ditch")
RUBBLE = TerrainId("rubble")
BRIDGE_RUBBLE = TerrainId("bridge_rubble")

_COVERS = (Cover.NONE, Cover.LIGHT, Cover.MEDIUM, Cover.HEAVY)
_OPENING = (Rate.ROAD, Rate.PATH)
_RULES = {CREST: "4.1.4.1.5", TerrainId("hedgerow"): "4.1.4.1.10"}


class MapHex(msgspec.Struct, frozen=True, gc=False):
    """One hex of the map."""

    hex: Hex
    label: str
    level: int
    """Level of the hill, 0 on the plain (4.1.4.1.4)."""
    height: int
    """Height of a vehicle in the hex: the level, one less in a gully, a stream or a ford, not so on a bridge."""
    terrain: tuple[TerrainId, ...]
    """Terrain that fills the hex, in the order drawn; Clear if nothing does."""
    footing: tuple[Terrain, ...]
    """Rows of the terrain that a vehicle stands in: an Alley among buildings, the bridge over a gully."""
    cover_spotting: Cover
    cover_fire: Cover
    obstacle: int
    """Height up to which the hex stands in the way of a line of sight."""
    obstacle_name: str
    """What reaches that height, "" for bare ground at Height 0 or less."""
    obstacle_rule: str
    opened: int
    """The same for a line that follows a road or path straight through the hex."""
    opened_name: str
    bridge: bool = False
    sunken: bool = False
    """A vehicle here is in a gully, stream or ford (4.1.4.1.6)."""
    channel: bool = False
    """Gully or stream bed, along which a line sees (4.1.4.1.6)."""
    inside_spotting: Cover = Cover.NONE
    """Cover of those who are in the buildings of the hex and not in its Alleys (6.1.4.3.1)."""
    inside_fire: Cover = Cover.NONE
    storeys: int = 0
    """Height of its buildings above the ground."""

    @property
    def bare(self) -> bool:
        """Whether no blocking terrain stands on the ground (4.1.4.1.5.1)"""
        return self.obstacle <= self.level


class Side(msgspec.Struct, frozen=True, gc=False):
    """A hexside on which something is drawn, or that is a hill's edge."""

    side: Hexside
    kinds: tuple[TerrainId, ...]
    ground: int = 0
    """Height of the higher adjoining hex, on which it stands."""
    obstacle: int | None = None
    """Height up to which it stands in the way of a line of sight by itself."""
    obstacle_name: str = ""
    obstacle_rule: str = ""
    slope: bool = False
    crest: bool = False
    cliff: bool = False
    """A hill's edge without a Slope or Crest: impassable to vehicles (4.1.4.1.5)."""


class Survey:
    """Everything about the ground that the rules ask, worked out once for a map and its scenario's conditions."""

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
        self.version = version
        """What terrain counters have made of the ground (6.1.4.3)."""
        self.map = game_map
        self.terrain = terrain
        self.edition = edition
        self.tables = tables
        self.conditions = conditions or Conditions()
        self.costs: dict[Any, Any] = {}
        """What movement has worked out here, and keeps with the ground."""
        self.blind_zones = BlindZones(tables)
        self.spotting_ranges = SpottingRanges(tables)
        _check(game_map, terrain, edition, self.conditions)
        storeys = {game_map.hex(label): count for label, count in self.conditions.building_storeys.items()}
        builder = _Builder(terrain, edition, self.conditions)
        changes: dict[Hex, set[FeatureKind]] = {}
        for hex, kind in version:
            changes.setdefault(hex, set()).add(kind)
        self.places: dict[Hex, MapHex] = {
            hex: builder.place(
                hex,
                game_map.label(hex),
                builder.changed(facts, changes[hex]) if hex in changes else facts,
                storeys.get(hex, 1),
            )
            for hex, facts in game_map.facts.items()
        }
        """Every hex of the boards, also beyond the playable area: a line may touch it there."""
        self.sides: dict[Hexside, Side] = builder.sides(game_map, self.places)
        drawn = _routes(game_map, terrain)
        self.routes: dict[Hexside, tuple[TerrainId, ...]] = _in_force(drawn, terrain, self.conditions)
        """Routes that cross each hexside, with the scenario's Special Conditions (4.5.1.1.11)."""
        self.openings: frozenset[Hexside] = frozenset(
            side for side, kinds in drawn.items() if any(terrain[kind].rate in _OPENING for kind in kinds)
        )
        """Hexsides that a Road or Path crosses: it opens buildings, groves and woods to a line of sight."""

    def height(self, hex: Hex) -> int:
        """Height of a vehicle in the hex (4.1.4.1.4)"""
        return self.places[hex].height

    def level(self, hex: Hex) -> int:
        """Level of the hill in the hex, 0 on the plain (4.1.4.1.4)"""
        return self.places[hex].level

    def label(self, at: Hex | Hexside) -> str:
        """How players name a hex or hexside."""
        if isinstance(at, Hexside):
            one, other = hexes_of(at)
            if one in self.places:
                return f"{self.places[one].label}:{DIRECTION_NAMES[at.dir]}"
            return f"{self.places[other].label}:{DIRECTION_NAMES[at.dir + 3]}"
        return self.places[at].label

    def side(self, hex: Hex, direction: int) -> Side | None:
        """What lies on the hexside in that direction, if anything does."""
        return self.sides.get(SIDES[hex][direction])

    def routes_through(self, hex: Hex, direction: int) -> tuple[TerrainId, ...]:
        """Kinds of route that cross the hexside in that direction."""
        return self.routes.get(SIDES[hex][direction], ())


class _Builder:
    """Lays the terrain table over the facts of a map."""

    def __init__(self, terrain: Mapping[TerrainId, Terrain], edition: Edition, conditions: Conditions) -> None:
        self.terrain = terrain
        self.edition = edition
        self.conditions = conditions

    def place(self, hex: Hex, label: str, facts: HexFacts, storeys: int) -> MapHex:
        drawn = [TerrainId(kind) for kind in (*facts.terrain, *facts.routes)]
        kinds = tuple(kind for kind in drawn if self.terrain[kind].placement is Placement.HEX) or (CLEAR,)
        beds = [kind for kind in kinds if kind in self.edition.sunken_terrain]
        bridge = BRIDGE in facts.terrain or (BRIDGE in facts.routes and bool(beds or WATER in kinds))
        ground = facts.level + min((self.terrain[kind].height for kind in beds), default=0)
        footing = self._footing(kinds, bridge)
        inside = footing if bridge else tuple(self.terrain[kind] for kind in kinds)
        obstacle, name, cited = self._top(kinds, ground, storeys, opened=False)
        opened, opened_name, _ = self._top(kinds, ground, storeys, opened=True)
        return MapHex(
            hex=hex,
            label=label,
            level=facts.level,
            height=facts.level if bridge else ground,
            terrain=kinds,
            footing=footing,
            cover_spotting=best_cover(row.cover_spotting for row in footing),
            cover_fire=best_cover(row.cover_fire for row in footing),
            obstacle=obstacle,
            obstacle_name=name,
            obstacle_rule=cited,
            opened=opened,
            opened_name=opened_name,
            bridge=bridge,
            sunken=bool(beds) and not bridge,
            channel=any(kind in self.edition.sunken_lines for kind in kinds),
            inside_spotting=best_cover(row.cover_spotting for row in inside),
            inside_fire=best_cover(row.cover_fire for row in inside),
            storeys=max((row.height * storeys for row in inside if row.each == "storey"), default=0),
        )

    @rule("6.1.4.3.3", "6.1.4.3.4", "6.1.4.3.9", editions=("panzer-na",))
    def changed(self, facts: HexFacts, counters: Collection[FeatureKind]) -> HexFacts:
        """A hex with Block, Ditch or Rubble counters: Rubble lies where buildings or a bridge were (6.1.4.3.9)"""
        terrain, routes = list(facts.terrain), facts.routes
        if FeatureKind.RUBBLE in counters:
            terrain = [_rubble(kind) if self.terrain[TerrainId(kind)].each == "storey" else kind for kind in terrain]
            if BRIDGE in terrain or BRIDGE in routes:
                terrain = [kind for kind in terrain if kind != BRIDGE] + [BRIDGE_RUBBLE]
                routes = tuple(kind for kind in routes if kind != BRIDGE)
            elif tuple(terrain) == facts.terrain:
                terrain.append(RUBBLE)
        terrain += [BLOCK] * (FeatureKind.BLOCK in counters) + [DITCH] * (FeatureKind.DITCH in counters)
        return msgspec.structs.replace(facts, terrain=tuple(terrain), routes=routes)

    @rule("4.1.4.1.3")
    def _footing(self, kinds: tuple[TerrainId, ...], bridge: bool) -> tuple[Terrain, ...]:
        """What a vehicle stands in: an Alley among buildings, a bridge and not the bed below (4.1.4.1.3)"""
        if bridge:
            below = (*self.edition.sunken_terrain, WATER)
            return (self.terrain[BRIDGE], *(self.terrain[kind] for kind in kinds if kind not in below))
        rows = (self.terrain[kind] for kind in kinds)
        return tuple(self.terrain[row.stands_in] if row.stands_in else row for row in rows)

    @rule("4.1.4.1.1", "4.1.4.1.2", "4.1.4.1.4", "4.1.4.1.7")
    def _top(self, kinds: tuple[TerrainId, ...], ground: int, storeys: int, *, opened: bool) -> tuple[int, str, str]:
        """Highest point of a hex, what it is and the rule: bare ground, or ground and terrain (4.1.4.1.2)"""
        top, name, cited = ground, "Hill" if ground > 0 else "", "4.1.4.1.4" if ground > 0 else "4.1.4.1.1"
        for kind in kinds:
            row = self.terrain[kind]
            if not row.blocks or (opened and row.opened_by_route):
                continue
            height = ground + row.height * (storeys if row.each == "storey" else 1)
            if height > top:
                top, name, cited = height, self._title(row), _rule_of(row)
        return top, name, cited

    @rule("4.1.4.1.3.1", editions=("panzer-na",))
    def _title(self, row: Terrain) -> str:
        """The terrain's name; Desert Buildings where the scenario calls for them (4.1.4.1.3.1)"""
        return f"Desert {row.title}" if self.conditions.desert_buildings and row.each == "storey" else row.title

    @rule("4.1.4.1.5", "4.1.4.1.10")
    def sides(self, game_map: GameMap, places: Mapping[Hex, MapHex]) -> dict[Hexside, Side]:
        """Slopes, crests, cliffs, hedgerows and walls; a hill's edge without a Slope is a cliff (4.1.4.1.5)"""
        found = {}
        edges = {side for hex in places for side in SIDES[hex]}
        for side in sorted(edges):
            one, other = (places.get(hex) for hex in hexes_of(side))
            kinds = tuple(TerrainId(kind) for kind in game_map.sides.get(side, ()))
            steep = one is not None and other is not None and one.level != other.level
            if not kinds and not steep:
                continue
            ground = max(place.height for place in (one, other) if place is not None)
            blocking = [kind for kind in kinds if self.terrain[kind].blocks]
            tallest = max(blocking, key=lambda kind: self.terrain[kind].height, default=None)
            slope, crest = SLOPE in kinds, CREST in kinds
            # A Crest where two levels meet is the rise from the lower to the higher one.
            foot = min(place.height for place in (one, other) if place is not None) if tallest == CREST else ground
            found[side] = Side(
                side=side,
                kinds=kinds,
                ground=ground,
                obstacle=None if tallest is None else foot + self.terrain[tallest].height,
                obstacle_name="" if tallest is None else self.terrain[tallest].title,
                obstacle_rule="" if tallest is None else _RULES.get(tallest, "4.1.4.1.2"),
                slope=slope,
                crest=crest,
                cliff=CLIFF in kinds or (steep and not slope and not crest),
            )
        return found


def _rubble(kind: str) -> TerrainId:
    """What becomes of buildings: ``brick_rubble`` of ``brick_building``."""
    return TerrainId(f"{kind.removesuffix('_building')}_{RUBBLE}")


def _rule_of(row: Terrain) -> str:
    """The rule under which terrain that fills a hex blocks."""
    if row.each == "storey":
        return "4.1.4.1.3"
    return "4.1.4.1.7" if row.opened_by_route else "4.1.4.1.2"


@rule("4.1.3")
def best_cover(covers: Iterable[Cover]) -> Cover:
    """The cover most advantageous to the target; Other leaves it to the terrain beside it (4.1.3)"""
    return max((cover for cover in covers if cover is not Cover.OTHER), key=_COVERS.index, default=Cover.NONE)


def _routes(game_map: GameMap, terrain: Mapping[TerrainId, Terrain]) -> dict[Hexside, tuple[TerrainId, ...]]:
    found: dict[Hexside, list[TerrainId]] = {}
    for kind in sorted(game_map.routes):
        if terrain[TerrainId(kind)].placement is Placement.ROUTE:
            for side in game_map.routes[kind]:
                found.setdefault(side, []).append(TerrainId(kind))
    return {side: tuple(kinds) for side, kinds in found.items()}


@rule("4.5.1.1.11", editions=("panzer-na",))
def _in_force(
    drawn: Mapping[Hexside, tuple[TerrainId, ...]], terrain: Mapping[TerrainId, Terrain], conditions: Conditions
) -> dict[Hexside, tuple[TerrainId, ...]]:
    """Routes as they count for movement: Roads and Paths may be designated Tracks (4.5.1.1.11)"""
    if not conditions.tracks:
        return dict(drawn)
    return {
        side: tuple(dict.fromkeys(TRACK if terrain[kind].rate in conditions.tracks else kind for kind in kinds))
        for side, kinds in drawn.items()
    }


def _check(game_map: GameMap, terrain: Mapping[TerrainId, Terrain], edition: Edition, conditions: Conditions) -> None:
    """Raise ``BadInput`` with everything on the map or in the conditions that this book does not know."""
    faults = Faults("map")
    filling = {kind for facts in game_map.facts.values() for kind in facts.terrain}
    hexsides = {kind for kinds in game_map.sides.values() for kind in kinds}
    for kinds, field, wanted in (
        (filling, "hexes", {Placement.HEX, Placement.LEVEL, Placement.ROUTE}),
        (set(game_map.routes), "lines", {Placement.HEX, Placement.ROUTE}),
        (hexsides, "sides", {Placement.HEXSIDE}),
    ):
        for kind in sorted(kinds):
            row = terrain.get(TerrainId(kind))
            if row is None:
                faults.add(field, f"no terrain {kind!r} in this book", "a terrain of the pack")
            elif row.placement not in wanted:
                faults.add(field, f"{kind} lies on a {row.placement}", f"terrain of a {' or '.join(sorted(wanted))}")
    for hex, facts in game_map.facts.items():
        if facts.level < 0 or (HILL in facts.terrain and facts.level < 1):
            faults.add(game_map.label(hex), f"level {facts.level}", "1 or more for a hill, 0 for the plain")
    _check_conditions(game_map, terrain, edition, conditions, faults)
    faults.check()


def _check_conditions(
    game_map: GameMap,
    terrain: Mapping[TerrainId, Terrain],
    edition: Edition,
    conditions: Conditions,
    faults: Faults,
) -> None:
    if conditions.desert_buildings and not edition.desert_buildings:
        faults.add("conditions.desert_buildings", "this book has none (4.1.4.1.3.1)", "false")
    if conditions.tracks and not edition.tracks:
        faults.add("conditions.tracks", "this book has no Tracks (4.5.1.1.11)", "false")
    for label, storeys in conditions.building_storeys.items():
        field = f"conditions.building_storeys.{label}"
        with faults.gathering():
            kinds = game_map.at(game_map.hex(label, field)).terrain
            rows = (terrain.get(TerrainId(kind)) for kind in kinds)
            if not any(row is not None and row.each == "storey" for row in rows):
                faults.add(field, "no Building hex", "a hex with buildings (4.1.4.1.3)")
        if storeys < 1:
            faults.add(field, f"{storeys} storeys", "1 or more")
