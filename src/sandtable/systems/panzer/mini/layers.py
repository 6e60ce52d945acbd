"""What lies where on a table: its features, and over them the patches of the state. Sight and movement both read it.

Features never change; what comes and goes (wrecks, smoke, rubble) are patches, numbered on from the features. Rubble
lies on the outline of the building or bridge that it was, which is then there no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.geo.feature import Feature
from sandtable.geo.plane.footing import Footing
from sandtable.geo.plane.lines import spans_inside
from sandtable.geo.plane.shapes import Shapes, bits
from sandtable.geo.plane.table import TableMap
from sandtable.geo.shapes.convex import Stretch
from sandtable.systems.panzer.mini.state import RUBBLE, Patch
from sandtable.systems.panzer.terrain import Placement, Terrain, TerrainId

__all__ = ["BRIDGE", "FOOTINGS", "FORD", "Layers", "Water"]

BOOK = ("panzer-mini",)
BRIDGE, FORD = TerrainId("bridge"), TerrainId("ford")
FOOTINGS = {
    "bridge": Footing(over=frozenset({"stream", "ditch"})),
    "ford": Footing(over=frozenset({"stream"})),
    "slope": Footing(edge_of=frozenset({"hill", "depression"})),
}
"""What features of a table must lie on (5.5.1.4, 5.5.1.8, 5.5.1.17)."""
_PLAIN = -1


class Water(NamedTuple):
    """Streams and ditches at a place, and what leads over them."""

    low: int = _PLAIN
    """Number of the stream or ditch that is drawn last; negative where there is none."""
    crossing: TerrainId | None = None
    """A bridge, or else a ford."""


class Layers:
    """A table with the patches that lie on it at one time (5.5.1)"""

    def __init__(self, table: TableMap, terrain: Mapping[TerrainId, Terrain], patches: Sequence[Patch] = ()) -> None:
        self.table, self.terrain, self.patches = table, terrain, tuple(patches)
        self._over = Shapes([patch.outline for patch in patches])
        self._first = len(table.areas)
        ruins = {patch.outline for patch in self.patches if patch.kind == RUBBLE}
        self.ruined = frozenset(
            number for number, feature in enumerate(table.areas) if ruins and feature.outline in ruins
        )
        """Numbers of the features that are rubble now."""
        self._standing = ~sum(1 << number for number in self.ruined)
        """The others, as bits."""

    def holding(self, spot: tuple[int, int]) -> int:
        """The numbers of all that holds a place, as bits; on an outline is inside."""
        found = self.table.shapes.holding(spot) & self._standing
        return found | self._over.holding(spot) << self._first if self.patches else found

    def about(self, a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
        """The numbers of all that holds all of a short line, as bits, and of what has an edge beside it."""
        held, edged = self.table.shapes.about(a, b)
        if self.patches:
            over, near = self._over.about(a, b)
            held, edged = held | over << self._first, edged | near << self._first
        return held & self._standing, edged & self._standing

    def spans(self, a: tuple[int, int], b: tuple[int, int], edged: int) -> Iterator[tuple[int, list[Stretch]]]:
        """Of what has an edge beside a line, that which it runs through, and in which parts of it."""
        outlines = self.table.shapes.outlines
        for number in bits(edged):
            outline = outlines[number] if number < self._first else self.patches[number - self._first].outline
            spans = spans_inside(a, b, outline)
            if spans:
                yield number, spans

    def feature(self, number: int) -> Feature | None:
        """The feature of a number; None for a patch."""
        return self.table.areas[number] if number < self._first else None

    def kind_of(self, number: int) -> TerrainId:
        """The terrain of a feature or patch."""
        if number >= self._first:
            return self.patches[number - self._first].kind
        return TerrainId(self.table.areas[number].kind)

    def row(self, number: int) -> Terrain:
        """Its row of the Terrain Effects Table."""
        return self.terrain[self.kind_of(number)]

    def level(self, numbers: Iterable[int]) -> int:
        """The level of the ground: that of the hill or depression drawn last (5.5.1.11)"""
        found = [feature.level for one in numbers if (feature := self.feature(one)) and feature.level is not None]
        return found[-1] if found else 0

    @rule("5.5.1.4", "5.5.1.6", "5.5.1.8", "5.5.1.20", editions=BOOK)
    def water(self, numbers: Iterable[int]) -> Water:
        """The stream or ditch of a place, and the bridge or ford there (5.5.1.4, 5.5.1.6, 5.5.1.8, 5.5.1.20)"""
        low, crossing = _PLAIN, None
        for number in numbers:
            kind = self.kind_of(number)
            if kind == BRIDGE or (kind == FORD and crossing is None):
                crossing = kind
            elif self.is_low(kind):
                low = number
        return Water(low, crossing)

    def is_low(self, kind: TerrainId) -> bool:
        """Whether it is a stream or a ditch, which lie below the ground about them."""
        row = self.terrain[kind]
        return row.placement is Placement.AREA and row.height < 0
