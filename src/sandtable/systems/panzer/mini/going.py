"""9.3 What ground lies under a vehicle, place by place and along a line: its cost, its height, and what bars it.

The centre of a base decides the ground; buildings and blocks are bodies and are met by the base. Of features that
overlap, a bridge or ford counts over water, a road or path over everything else, and then the one drawn last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.geo.plane.bases import Base, run_into
from sandtable.geo.plane.lines import cuts_of
from sandtable.geo.plane.points import Box, box_of
from sandtable.geo.plane.shapes import bits
from sandtable.geo.plane.table import TableMap
from sandtable.systems.panzer.mini.layers import BRIDGE, FORD, Layers, Water
from sandtable.systems.panzer.mini.state import WRECK, Patch
from sandtable.systems.panzer.terrain import Placement, Rate, Special, Terrain, TerrainId, Traction

__all__ = ["CLEAR", "Body", "Footing", "Going"]

BOOK = ("panzer-mini",)
CLEAR = TerrainId("clear")
_STREAM, _BLOCK = TerrainId("stream"), TerrainId("block")
_SLOPES = (TerrainId("slope"), TerrainId("crest"))


class Footing(NamedTuple):
    """The ground at a place, or all along a stretch of a line."""

    kind: TerrainId
    """The row of the Terrain Effects Table that counts."""
    level: int
    """Height of the ground (5.5.1.11)."""
    slopes: tuple[TerrainId, ...] = ()
    """Slopes and crests here (5.5.1.17)."""
    markers: tuple[int, ...] = ()
    """Numbers of features and patches whose cost is added here (9.3.4)."""
    routes: tuple[int, ...] = ()
    """Numbers of the roads, paths and bridges here (9.5)."""
    barred: TerrainId | None = None
    """Terrain that no vehicle enters but by what crosses it, and nothing crosses it here: a stream, a ditch."""


class Body(NamedTuple):
    """Something that a base meets: a building, a block or a wreck."""

    kind: TerrainId
    outline: tuple[tuple[int, int], ...]
    box: Box

    def is_near(self, box: Box) -> bool:
        """Whether the box around it meets another."""
        left, top, right, bottom = self.box
        return left <= box[2] and right >= box[0] and top <= box[3] and bottom >= box[1]


class Going:
    """The ground of a table, with the patches that lie on it at one time."""

    def __init__(
        self,
        table: TableMap,
        terrain: Mapping[TerrainId, Terrain],
        patches: Sequence[Patch] = (),
        *,
        passable_streams: bool | Sequence[str] = False,
    ) -> None:
        self._layers = Layers(table, terrain, patches)
        self._passable = passable_streams
        self.bodies = tuple(
            Body(TerrainId(feature.kind), feature.outline, box_of(feature.outline))
            for number, feature in enumerate(table.areas)
            if number not in self._layers.ruined and (feature.kind == _BLOCK or self.is_building(feature.kind))
        )
        self.wrecks = tuple(Body(WRECK, one.outline, box_of(one.outline)) for one in patches if one.kind == WRECK)
        self._joined_to: dict[int, frozenset[int]] = {}
        self._footings: dict[int, Footing] = {0: _PLAIN}
        """By the numbers of all that holds a place, as bits."""
        self._costs: dict[Traction, Mapping[TerrainId, int | None]] = {}
        self._now: tuple[tuple[Patch, ...], Going] | None = None

    def now(self, patches: tuple[Patch, ...]) -> Going:
        """The same ground with other patches; the last one asked for is kept."""
        layers = self._layers
        if patches == layers.patches:
            return self
        kept = self._now
        if kept is None or kept[0] != patches:
            fresh = Going(layers.table, layers.terrain, patches, passable_streams=self._passable)
            kept = self._now = (patches, fresh)
        return kept[1]

    def kind_of(self, number: int) -> TerrainId:
        """The terrain of a feature or patch."""
        return self._layers.kind_of(number)

    @rule("9.6", editions=BOOK)
    def lines_of(self, route: int) -> Sequence[Sequence[tuple[int, int]]]:
        """The middle line of a path, road or bridge; a bridge drawn as an area continues what it joins (9.6)."""
        line = self._line_of(route)
        if line or self.kind_of(route) != BRIDGE:
            return (line,)
        return [self._line_of(number) for number in sorted(self._joins(route))]

    def _line_of(self, route: int) -> Sequence[tuple[int, int]]:
        return self._layers.table.areas[route].line

    def at(self, point: tuple[int, int]) -> Footing:
        """The ground at a place; on an outline is inside."""
        return self._footing(self._layers.holding(point))

    def along(self, a: tuple[int, int], b: tuple[int, int]) -> list[Footing]:
        """The ground of every stretch of a line in which it stays the same, then that of its end."""
        throughout, edged = self._layers.about(a, b)
        if not edged:
            return [self._footing(throughout)]
        spans = list(self._layers.spans(a, b, edged))
        cuts = cuts_of(one for _, one in spans)
        held = [throughout] * (len(cuts) - 1)
        for number, one in spans:
            for on, off in one:
                for index in range(cuts.index(on), cuts.index(off)):
                    held[index] |= 1 << number
        found = list(map(self._footing, held))
        ending = self.at(b)
        if ending is not found[-1]:
            found.append(ending)
        return found

    def _footing(self, held: int) -> Footing:
        found = self._footings.get(held)
        if found is None:
            found = self._footings[held] = self._made_up(tuple(bits(held)))
        return found

    def _made_up(self, held: tuple[int, ...]) -> Footing:
        """The ground that all these make up together."""
        layers = self._layers
        kind = CLEAR
        slopes: list[TerrainId] = []
        markers: list[int] = []
        routes: list[int] = []
        for number in held:
            here, placement = layers.kind_of(number), layers.row(number).placement
            if placement is Placement.ROUTE:
                routes.append(number)
            elif placement is Placement.MARKER:
                markers.append(number)
            elif here in _SLOPES:
                slopes.append(here)
            elif here != FORD and placement is not Placement.LEVEL:
                kind = here
        water = layers.water(held)
        barred = self._bar(water)
        if water.crossing is not None and (water.crossing == BRIDGE or water.low >= 0):
            kind = water.crossing
        elif routes:
            kind = self.kind_of(routes[-1])
        return Footing(kind, layers.level(held), tuple(slopes), tuple(markers), tuple(routes), barred)

    @rule("5.5.1.4", "5.5.1.6", "5.5.1.8", "5.5.1.20", editions=BOOK)
    def _bar(self, water: Water) -> TerrainId | None:
        """Water that nothing crosses here: a bridge leads over it, a ford through a stream (5.5.1.4, 5.5.1.8).

        A stream may be passable, along all of its length or a part that is drawn for itself (5.5.1.20).
        """
        if water.low < 0 or water.crossing == BRIDGE:
            return None
        kind = self.kind_of(water.low)
        if kind == _STREAM and (water.crossing == FORD or self._is_passable(water.low)):
            return None
        return kind

    def _is_passable(self, stream: int) -> bool:
        if isinstance(self._passable, bool):
            return self._passable
        return self._layers.table.areas[stream].text in self._passable

    @rule("9.3.1", "9.3.2", editions=BOOK)
    def cost(self, kind: TerrainId, traction: Traction) -> int | None:
        """What an inch of a ground costs (9.3.1); None where it is prohibited (9.3.2)."""
        return self.costs(traction)[kind]

    def costs(self, traction: Traction) -> Mapping[TerrainId, int | None]:
        """The same of all grounds."""
        found = self._costs.get(traction)
        if found is None:
            prices = {
                kind: 0 if row.cost is None else row.cost.of(traction) for kind, row in self._layers.terrain.items()
            }
            found = {kind: None if isinstance(price, Special) else price for kind, price in prices.items()}
            self._costs[traction] = found
        return found

    @rule("9.3.4", editions=BOOK)
    def adder(self, number: int, traction: Traction) -> int | None:
        """What smoke, a wreck and the like add to the inch that enters it (9.3.4); None where it is prohibited."""
        found = self._layers.row(number).adder.of(traction)
        return None if isinstance(found, Special) else found

    @rule("9.4", "9.4.1", "9.4.2", editions=BOOK)
    def turn_cost(self, footing: Footing) -> int:
        """What it costs to turn by more than 90 degrees: by terrain, and for slopes and smoke beside (9.4.1, 9.4.2)."""
        beside = [*footing.slopes, *(self.kind_of(number) for number in footing.markers)]
        return (self._layers.terrain[footing.kind].turn or 0) + sum(
            self._layers.terrain[kind].turn_adder for kind in beside
        )

    def rate(self, number: int) -> Rate:
        """Whether a route is a path or a road; a bridge is what it joins, a path if it joins both (9.5.4)."""
        found = self._layers.row(number).rate or Rate.PATH
        return self._joined(number) if found is Rate.CONNECTED else found

    @rule("9.5.4", editions=BOOK)
    def _joined(self, bridge: int) -> Rate:
        """What a bridge joins: a road only if both its ends lie on one; of an outline all that run over it (9.5.4)"""
        routes = self._joins(bridge)
        ends = [routes.intersection(self._layers.table.shapes.at(end)) for end in self._ends(bridge)]
        roads = {number for number in routes if self._layers.row(number).rate is Rate.ROAD}
        joins_roads = all(roads & one for one in ends) if ends else bool(routes) and roads == routes
        return Rate.ROAD if joins_roads else Rate.PATH

    @rule("9.6", editions=BOOK)
    def leads_onto(self, one: Footing, other: Footing) -> bool:
        """Whether one comes from one ground onto the bridges of the other by paths and roads that they join (9.6)"""
        if one.routes == other.routes:
            return True
        return not any(
            self.kind_of(number) == BRIDGE and number not in one.routes and self._joins(number).isdisjoint(one.routes)
            for number in other.routes
        )

    def _joins(self, bridge: int) -> frozenset[int]:
        """The paths, roads and bridges that run over a bridge, or on which one of its ends lies."""
        found = self._joined_to.get(bridge)
        if found is None:
            shapes = self._layers.table.shapes
            ends = {number for end in self._ends(bridge) for number in shapes.at(end)}
            found = self._joined_to[bridge] = frozenset(
                number
                for number, feature in enumerate(self._layers.table.areas)
                if number != bridge
                and self._layers.row(number).placement is Placement.ROUTE
                and (number in ends or any(bridge in shapes.spans(one, two) for one, two in pairwise(feature.line)))
            )
        return found

    def _ends(self, bridge: int) -> Sequence[tuple[int, int]]:
        line = self._line_of(bridge)
        return (line[0], line[-1]) if line else ()

    def is_building(self, kind: str) -> bool:
        """Whether a terrain is a building (9.7)."""
        return self._layers.terrain[TerrainId(kind)].each == "storey"

    def title(self, kind: TerrainId) -> str:
        """What players call a terrain."""
        return self._layers.terrain[kind].title

    def met(self, start: Base, end: Base) -> list[Body]:
        """The buildings and blocks that a base has area in common with on a straight way."""
        if not self.bodies:
            return []
        box = box_of((start.at, end.at), start.reach)
        return [body for body in self.bodies if body.is_near(box) and run_into(start, end, body.outline)]


_PLAIN = Footing(CLEAR, 0)
