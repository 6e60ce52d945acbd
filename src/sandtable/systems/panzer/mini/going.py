"""9.3 What ground lies under a vehicle, place by place and along a line: its cost, its height, and what bars it.

The centre of a base decides the ground; buildings and blocks are bodies and are met by the base. Of features that
overlap, a bridge or ford counts over water, a road or path over everything else, and then the one drawn last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.geo.feature import Feature
from sandtable.geo.plane.bases import Base, run_into
from sandtable.geo.plane.shapes import Shapes
from sandtable.geo.plane.table import TableMap
from sandtable.systems.panzer.mini.state import Patch
from sandtable.systems.panzer.terrain import Placement, Rate, Special, Terrain, TerrainId, Traction

__all__ = ["CLEAR", "Body", "Footing", "Going"]

BOOK = ("panzer-mini",)
CLEAR = TerrainId("clear")
_BRIDGE, _FORD, _STREAM, _BLOCK = TerrainId("bridge"), TerrainId("ford"), TerrainId("stream"), TerrainId("block")
_SLOPES = (TerrainId("slope"), TerrainId("crest"))
_FINE_REACH = 8000
"""Beyond so many units from a base, in either axis, no body is asked exactly; bases are 6 in at most."""


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
    """Something that a base meets: a building or a block."""

    kind: TerrainId
    outline: tuple[tuple[int, int], ...]
    box: tuple[int, int, int, int]


class Going:
    """The ground of a table, with the patches that lie on it at one time."""

    def __init__(
        self,
        table: TableMap,
        terrain: Mapping[TerrainId, Terrain],
        patches: Sequence[Patch] = (),
        *,
        passable_streams: bool = False,
    ) -> None:
        self._table = table
        self._terrain = terrain
        self._passable = passable_streams
        self.patches = tuple(patches)
        self._over = Shapes([patch.outline for patch in patches])
        self._first = len(table.areas)
        """Number of the first patch; lower ones are features of the table."""
        self.bodies = tuple(
            Body(TerrainId(feature.kind), feature.outline, _box(feature.outline))
            for feature in table.areas
            if feature.kind == _BLOCK or self._row(feature.kind).each == "storey"
        )
        self._now: tuple[tuple[Patch, ...], Going] | None = None

    def now(self, patches: tuple[Patch, ...]) -> Going:
        """The same ground with other patches; the last one asked for is kept."""
        if patches == self.patches:
            return self
        kept = self._now
        if kept is None or kept[0] != patches:
            fresh = Going(self._table, self._terrain, patches, passable_streams=self._passable)
            kept = self._now = (patches, fresh)
        return kept[1]

    def _row(self, kind: str) -> Terrain:
        return self._terrain[TerrainId(kind)]

    def kind_of(self, number: int) -> TerrainId:
        """The terrain of a feature or patch."""
        if number >= self._first:
            return self.patches[number - self._first].kind
        return TerrainId(self._table.areas[number].kind)

    def feature(self, number: int) -> Feature:
        """A feature of the table, such as a route."""
        return self._table.areas[number]

    def at(self, point: tuple[int, int]) -> Footing:
        """The ground at a place; on an outline is inside."""
        over = [self._first + number for number in self._over.at(point)] if self.patches else []
        return self._footing([*self._table.shapes.at(point), *over])

    def along(self, a: tuple[int, int], b: tuple[int, int]) -> Iterator[Footing]:
        """The ground of every stretch of a line in which it stays the same, then that of its end."""
        spans = dict(self._table.shapes.spans(a, b))
        if self.patches:
            spans |= {self._first + number: found for number, found in self._over.spans(a, b).items()}
        if spans:
            cuts = sorted(
                {Fraction(0), Fraction(1), *(cut for found in spans.values() for span in found for cut in span)}
            )
            for start, end in pairwise(cuts):
                middle = (start + end) / 2
                held = [number for number, found in spans.items() if any(one < middle < two for one, two in found)]
                yield self._footing(sorted(held))
        else:
            yield _PLAIN
        yield self.at(b)

    def _footing(self, held: Sequence[int]) -> Footing:
        if not held:
            return _PLAIN
        kind, level, water = CLEAR, 0, None
        slopes: list[TerrainId] = []
        markers: list[int] = []
        routes: list[int] = []
        crossing: TerrainId | None = None
        for number in held:
            here = self.kind_of(number)
            row = self._terrain[here]
            if number < self._first and self._table.areas[number].level is not None:
                level = self._table.areas[number].level or 0
            if row.placement is Placement.ROUTE:
                routes.append(number)
                crossing = _BRIDGE if here == _BRIDGE else crossing
            elif row.placement is Placement.MARKER:
                markers.append(number)
            elif here in _SLOPES:
                slopes.append(here)
            elif here == _FORD:
                crossing = crossing or _FORD
            elif row.placement is not Placement.LEVEL:
                if row.height < 0:
                    water = here
                kind = here
        barred = self._bar(water, crossing)
        if crossing is not None and (crossing == _BRIDGE or water is not None):
            kind = crossing
        elif routes and barred is None:
            kind = self.kind_of(routes[-1])
        return Footing(kind, level, tuple(slopes), tuple(markers), tuple(routes), barred)

    @rule("5.5.1.4", "5.5.1.6", "5.5.1.8", "5.5.1.20", editions=BOOK)
    def _bar(self, water: TerrainId | None, crossing: TerrainId | None) -> TerrainId | None:
        """Water that nothing crosses here: a bridge leads over it, a ford through a stream (5.5.1.4, 5.5.1.8)."""
        if water is None or crossing == _BRIDGE:
            return None
        if water == _STREAM and (crossing == _FORD or self._passable):
            return None
        return water

    @rule("9.3.1", "9.3.2", editions=BOOK)
    def cost(self, kind: TerrainId, traction: Traction) -> int | None:
        """What an inch of a ground costs (9.3.1); None where it is prohibited (9.3.2)."""
        costs = self._terrain[kind].cost
        found = 0 if costs is None else costs.of(traction)
        return None if isinstance(found, Special) else found

    @rule("9.3.4", editions=BOOK)
    def adder(self, number: int, traction: Traction) -> int | None:
        """What smoke, a wreck and the like add to the inch that enters it (9.3.4); None where it is prohibited."""
        found = self._terrain[self.kind_of(number)].adder.of(traction)
        return None if isinstance(found, Special) else found

    @rule("9.4", "9.4.1", "9.4.2", editions=BOOK)
    def turn_cost(self, footing: Footing) -> int:
        """What it costs to turn by more than 90 degrees: by terrain, and for slopes and smoke beside (9.4.1, 9.4.2)."""
        beside = [*footing.slopes, *(self.kind_of(number) for number in footing.markers)]
        return (self._terrain[footing.kind].turn or 0) + sum(self._terrain[kind].turn_adder for kind in beside)

    def rate(self, number: int) -> Rate:
        """Whether a route is a path or a road; a bridge is what it joins, a path if it joins both (9.5.4)."""
        found = self._row(self.kind_of(number)).rate or Rate.PATH
        return self._joined(number) if found is Rate.CONNECTED else found

    @rule("9.5.4", editions=BOOK)
    def _joined(self, bridge: int) -> Rate:
        """What a bridge joins: a road only if both its ends lie on one (9.5.4)."""
        line = self._table.areas[bridge].line
        for end in (line[0], line[-1]) if line else ():
            rates = {
                self._row(self._table.areas[number].kind).rate
                for number in self._table.shapes.at(end)
                if number != bridge
            }
            if Rate.ROAD not in rates:
                return Rate.PATH
        return Rate.ROAD

    def is_bridge(self, footing: Footing) -> bool:
        """Whether a bridge is here."""
        return any(self.kind_of(number) == _BRIDGE for number in footing.routes)

    def is_building(self, kind: TerrainId) -> bool:
        """Whether a terrain is a building (9.7)."""
        return self._terrain[kind].each == "storey"

    def title(self, kind: TerrainId) -> str:
        """What players call a terrain."""
        return self._terrain[kind].title

    def met(self, start: Base, end: Base) -> list[Body]:
        """The buildings and blocks that a base has area in common with on a straight way."""
        if not self.bodies:
            return []
        left, right = sorted((start.at[0], end.at[0]))
        top, bottom = sorted((start.at[1], end.at[1]))
        return [
            body
            for body in self.bodies
            if body.box[0] <= right + _FINE_REACH
            and body.box[2] >= left - _FINE_REACH
            and body.box[1] <= bottom + _FINE_REACH
            and body.box[3] >= top - _FINE_REACH
            and run_into(start, end, body.outline)
        ]


_PLAIN = Footing(CLEAR, 0)


def _box(outline: Sequence[tuple[int, int]]) -> tuple[int, int, int, int]:
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    return min(xs), min(ys), max(xs), max(ys)
