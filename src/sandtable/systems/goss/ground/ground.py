"""What every hex and hexside of a map is to the rules (1.2.0, 7.10.1, 7.10.2, 7.11.1, 26.0).

Roads in one hex meet, unless one of them says ``apart`` with the labels of the hexes in which it passes the others by.
A bridge is wherever a road crosses a watercourse, marked or not, if there is no ford (7.10.2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

import msgspec
from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.errors import BadInput, Faults
from sandtable.geo.feature import Feature, Scalar
from sandtable.geo.hex import DIRECTION_NAMES, Hex
from sandtable.geo.hexside import SIDES, Hexside
from sandtable.geo.map import GameMap
from sandtable.systems.goss.ground.kinds import (
    BRIDGE,
    CONSTRICTED,
    CONTOUR,
    EMBANKMENT,
    FORD,
    FT_AREA,
    FT_DESTROYED,
    Height,
    Population,
    Road,
    Terrain,
    Water,
)

__all__ = ["OPEN_GROUND", "Ground", "HexGround", "Ways", "read_ground"]

_TERRAIN = {kind.value: kind for kind in Terrain}
_POPULATION = {kind.value: kind for kind in Population}
_HEIGHTS = {kind.value: kind for kind in Height}
_WATER = {kind.value: kind for kind in Water}
_LARGEST = list(Population)
_WIDEST = list(Water)
_MARSHES = frozenset((Terrain.MARSH, Terrain.SWAMP))
_WET = _MARSHES | {Terrain.SOFT_GROUND}
_HIGH_REACH = 4
"""How far one sees from a high vantage point without a number (8.1.2d)."""
_FARTHEST = 12

Ways = frozenset[int]
"""Directions of a hex that something connects."""


class HexGround(msgspec.Struct, frozen=True):
    """What one hex is."""

    terrain: frozenset[Terrain] = frozenset()
    population: Population | None = None
    height: Height | None = None
    reach: int = 0
    """How far one sees from a high vantage point (8.1.2d)."""
    is_constricted: bool = False
    is_embankment: bool = False
    ft_area: str = ""
    """The side that owns a fortified area here (7.9.1)."""
    is_ft_destroyed: bool = False
    """Whether the fortified area is a ruin from the start."""
    joints: tuple[Ways, ...] = ()
    """The roads that meet, as the directions in which they leave; several where roads pass each other by (7.10.1)."""
    contours: tuple[Ways, ...] = ()
    """Dashed lines along an obstacle (7.11.2)."""

    @property
    def is_clear(self) -> bool:
        """Clear terrain: nothing grows there, and nothing larger than a village is built there."""
        return not self.terrain and self.population in _OPEN and not self.is_constricted and not self.is_embankment

    @property
    def is_built_up(self) -> bool:
        """A town or a city."""
        return self.population is _TOWN or self.population is _CITY

    @property
    def features(self) -> frozenset[str]:
        """Terrain and population, as the charts ask for them."""
        return self.terrain if self.population is None else self.terrain | {self.population}

    @property
    def is_wet(self) -> bool:
        """Marsh, swamp or soft ground (13.3.2)."""
        return not _WET.isdisjoint(self.terrain)

    @property
    @rule("19.4.4", "19.4.5")
    def frozen(self) -> HexGround:
        """The hex in frost and snow: soft ground is clear, marsh and swamp are rough (19.4.4, 19.4.5)."""
        if not self.is_wet:
            return self
        rough = () if _MARSHES.isdisjoint(self.terrain) else (Terrain.ROUGH,)
        return replace(self, terrain=(self.terrain - _WET).union(rough))

    def joined(self, came: int) -> Ways:
        """The directions in which the road goes on that one came in by, from ``came``."""
        return next((ways for ways in self.joints if came in ways), frozenset())


_TOWN = Population.TOWN
_CITY = Population.CITY
_OPEN = (None, Population.LOCATION, Population.VILLAGE)
OPEN_GROUND = HexGround()


class Ground(msgspec.Struct, frozen=True, dict=True):
    """The map as the rules read it; it never changes in a game."""

    hexes: Mapping[Hex, HexGround]
    """Of every playable hex."""
    water: Mapping[Hexside, Water]
    roads: Mapping[Hexside, Road]
    """The best road across each hexside that has one."""
    fords: frozenset[Hexside]
    bridges: Mapping[Hexside, Road]
    """Bridges that are there from the start, by the best road over them."""

    @cached_property
    def heights(self) -> frozenset[Hex]:
        """The vantage points."""
        return frozenset(hex for hex, ground in self.hexes.items() if ground.height is not None)

    def at(self, hex: Hex) -> HexGround:
        """What a hex is."""
        return self.hexes.get(hex, OPEN_GROUND)

    def frozen(self, is_hard: Callable[[Hex], bool]) -> Ground:
        """The map with its wet ground hard wherever that is said of a hex."""
        hexes = {hex: here.frozen if is_hard(hex) else here for hex, here in self.hexes.items()}
        return replace(self, hexes=hexes)


@rule("1.2.0", "7.10.1", "7.10.2")
def read_ground(game_map: GameMap, seats: Iterable[str], where: str) -> Ground:
    """Read a map; :class:`BadInput` with all that no rule knows or that lies where it cannot."""
    reader = _Reader(game_map, where)
    for index, feature in enumerate(game_map.features):
        reader.read(feature, f"features[{index}] ({feature.kind})")
    return reader.ground(frozenset(seats))


class _Notes:
    """What has been found of one hex so far."""

    __slots__ = ("apart", "contours", "facts", "ways")

    def __init__(self) -> None:
        self.facts: list[Feature] = []
        self.ways: set[int] = set()
        self.apart: list[Ways] = []
        self.contours: list[Ways] = []


_IN_HEXES = {*_TERRAIN, *_POPULATION, *_HEIGHTS, CONSTRICTED, EMBANKMENT, FT_AREA, FT_DESTROYED}


class _Reader:
    """Gathers what the features of a map are, and what is wrong with them."""

    def __init__(self, game_map: GameMap, where: str) -> None:
        self.map = game_map
        self.faults = Faults(where)
        self.notes = {hex: _Notes() for hex in game_map.facts}
        self.water: dict[Hexside, Water] = {}
        self.roads: dict[Hexside, Road] = {}
        self.marked: dict[str, dict[Hexside, str]] = {FORD: {}, BRIDGE: {}}
        """Fords and bridges, with where each stands in the file."""

    def read(self, feature: Feature, place: str) -> None:
        """Note one feature."""
        kind = feature.kind
        road = Road.of(kind)
        if road is not None and feature.is_route:
            self._road(feature, road, place)
        elif kind == CONTOUR and feature.is_route:
            for hex, ways in self._ways(feature):
                self.notes[hex].contours.append(ways)
        elif kind in _WATER and feature.sides:
            for side in feature.sides:
                self.water[side] = max(self.water.get(side, Water.STREAM), _WATER[kind], key=_WIDEST.index)
        elif kind in self.marked and feature.sides:
            self.marked[kind].update(dict.fromkeys(feature.sides, place))
        elif kind in _IN_HEXES and feature.hexes:
            for hex in feature.hexes:
                if hex in self.notes:
                    self.notes[hex].facts.append(feature)
        else:
            self.faults.add(place, f"{kind!r} in this shape is no terrain of the book", "a kind of the Terrain Key")

    def ground(self, owners: frozenset[str]) -> Ground:
        """All that was read."""
        for kind, sides in self.marked.items():
            for side in sorted(sides.keys() - self.water.keys()):
                wrong = f"a {kind} on {self._name(side)}, where no water is"
                self.faults.add(f"{sides[side]}.sides", wrong, "a stream or river there")
        bridges = self.marked[BRIDGE]
        for side in sorted(bridges.keys() - self.roads.keys()):
            self.faults.add(
                f"{bridges[side]}.sides", f"a bridge on {self._name(side)} without a road", "a road over it"
            )
        hexes = {hex: self._hex(hex, owners) for hex in sorted(self.map.hexes)}
        self.faults.check()
        fords = frozenset(self.marked[FORD])
        spans = {side: road for side, road in self.roads.items() if side in self.water and side not in fords}
        return Ground(hexes, self.water, self.roads, fords, spans)

    def _name(self, side: Hexside) -> str:
        labels = self.map.labels(side.hex)
        return f"side {DIRECTION_NAMES[side.dir]} of {labels[0] if labels else tuple(side.hex)}"

    def _ways(self, feature: Feature) -> Iterator[tuple[Hex, Ways]]:
        """The directions in which a line leaves each of its hexes."""
        crossed = set(feature.sides)
        for hex in feature.hexes:
            if hex in self.notes:
                yield hex, frozenset(way for way, side in enumerate(SIDES[hex]) if side in crossed)

    def _road(self, feature: Feature, road: Road, place: str) -> None:
        apart: set[Hex] = set()
        for label in str(feature.attributes.get("apart", "")).split():
            try:
                apart.add(self.map.hex(label))
            except BadInput as bad:
                for fault in bad.faults:
                    self.faults.add(f"{place}.apart", fault.wrong, fault.right)
        for side in feature.sides:
            self.roads[side] = min(road, self.roads.get(side, road))
        for hex, ways in self._ways(feature):
            if hex in apart:
                self.notes[hex].apart.append(ways)
            else:
                self.notes[hex].ways.update(ways)

    def _hex(self, hex: Hex, owners: frozenset[str]) -> HexGround:
        notes, label = self.notes[hex], self.map.label(hex)
        kinds = [feature.kind for feature in notes.facts]
        attributes = {name: value for feature in notes.facts for name, value in feature.attributes.items()}
        height = max((_HEIGHTS[kind] for kind in kinds if kind in _HEIGHTS), default=None, key=list(Height).index)
        owner = ""
        if FT_AREA in kinds or FT_DESTROYED in kinds:
            owner = str(attributes.get("owner", ""))
            if owner not in owners:
                right = f"an attribute owner: {' or '.join(sorted(owners))}"
                self.faults.add(label, f"a fortified area of {owner!r}", right)
        return HexGround(
            terrain=frozenset(_TERRAIN[kind] for kind in kinds if kind in _TERRAIN),
            population=max(
                (_POPULATION[kind] for kind in kinds if kind in _POPULATION), default=None, key=_LARGEST.index
            ),
            height=height,
            reach=self._reach(attributes, label) if height is Height.HIGH_VANTAGE_POINT else 0,
            is_constricted=CONSTRICTED in kinds,
            is_embankment=EMBANKMENT in kinds,
            ft_area=owner,
            is_ft_destroyed=FT_DESTROYED in kinds,
            joints=(*((frozenset(notes.ways),) if notes.ways else ()), *notes.apart),
            contours=tuple(notes.contours),
        )

    def _reach(self, attributes: Mapping[str, Scalar], label: str) -> int:
        """How far a high vantage point sees: its printed number, or four (8.1.2d)."""
        given = attributes.get("reach", _HIGH_REACH)
        if isinstance(given, int) and not isinstance(given, bool) and 1 <= given <= _FARTHEST:
            return given
        self.faults.add(label, f"a high vantage point that sees {given!r} hexes", f"1 to {_FARTHEST}")
        return 0
