"""The ground of a table: what holds a place, how high it lies, which cover it gives, and what sight meets.

The centre of a base decides (docs/rulings/panzer-mini-sight.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.geo.plane.shapes import Shapes, bits
from sandtable.geo.plane.table import TableMap
from sandtable.systems.panzer.mini.layers import Layers
from sandtable.systems.panzer.mini.state import Patch
from sandtable.systems.panzer.terrain import Cover, Terrain, TerrainId

__all__ = ["Ground", "Obstacle", "PlaceFacts"]

BOOK = ("panzer-mini",)
Spot = tuple[int, int]

CREST, SLOPE = TerrainId("crest"), TerrainId("slope")
_COVERS = (Cover.NONE, Cover.LIGHT, Cover.MEDIUM, Cover.HEAVY)
"""The columns of the Spotting Ranges Table, from left to right."""
_STOREY, _LEVEL = "storey", "level"
_MOST_SPOTS = 50_000
"""Places remembered at a time."""
_VERSIONS = 8
"""Versions of the ground whose answers are kept at a time."""


class PlaceFacts(NamedTuple):
    """A place on the table."""

    kinds: tuple[TerrainId, ...]
    """All terrain that holds it, the lowest first, patches last; empty on Clear ground."""
    level: int
    """Of the hill or depression, 0 on the plain."""
    height: int
    """At which a unit stands here: never up in trees or buildings, one down in a stream or ditch."""
    cover_spotting: Cover
    cover_fire: Cover
    hides_hull: bool
    """Vehicles here are hull down from all sides (5.5.3)."""


class Obstacle(NamedTuple):
    """A feature that sight has to do with: it stands in its way, or changes the level of the ground."""

    kind: TerrainId
    name: str
    rule: str
    height: int
    """Over the ground that it stands on; 0 of one that only changes the level."""
    level: int | None
    ridge: tuple[Spot, ...] = ()
    """The line of a crest."""


class Ground:
    """A table with the patches on it (5.5.1)"""

    def __init__(
        self,
        table: TableMap,
        terrain: Mapping[TerrainId, Terrain],
        storeys: Mapping[str, int] | None = None,
        patches: Sequence[Patch] = (),
    ) -> None:
        self.layers = Layers(table, terrain, patches)
        self.storeys = dict(storeys or {})
        """Of buildings by their names, where the scenario says so."""
        self._spots: dict[Spot, PlaceFacts] = {}
        self._places: dict[int, PlaceFacts] = {}
        """By the numbers of all that holds a place, as bits."""
        self._walls: dict[int, int] = {}
        self._versions: dict[tuple[Patch, ...], Ground] = {}
        self._latest: tuple[tuple[Patch, ...], Ground] = (self.layers.patches, self)

    def now(self, patches: tuple[Patch, ...]) -> Ground:
        """The ground with other patches; what each version answered is kept for a while."""
        known, ground = self._latest
        if patches is known:
            return ground
        found = self if patches == self.layers.patches else self._versions.get(patches)
        if found is None:
            if len(self._versions) >= _VERSIONS:
                del self._versions[next(iter(self._versions))]
            found = self._versions[patches] = Ground(self.layers.table, self.layers.terrain, self.storeys, patches)
        self._latest = (patches, found)
        return found

    # --- a place --------------------------------------------------------------------------------------

    def at(self, spot: Spot) -> PlaceFacts:
        """What a place is."""
        found = self._spots.get(spot)
        if found is None:
            held = self.layers.holding(spot)
            found = self._places.get(held)
            if found is None:
                found = self._places[held] = self._place(list(bits(held)))
            if len(self._spots) >= _MOST_SPOTS:
                self._spots.clear()
            self._spots[spot] = found
        return found

    @rule("5.5.1.4", "5.5.1.6", "5.5.1.8", "5.5.1.20", editions=BOOK)
    def _place(self, held: Sequence[int]) -> PlaceFacts:
        """On a bridge or ford one is not in the stream or ditch, at -1 (5.5.1.4, 5.5.1.6, 5.5.1.8, 5.5.1.20)"""
        layers = self.layers
        kinds = [layers.kind_of(number) for number in held]
        low, crossing = layers.water(held)
        level, sunk = layers.level(held), 0
        entered = kinds
        if low >= 0 and crossing is None:
            sunk = layers.row(low).height
        elif low >= 0:
            entered = [kind for kind in kinds if not layers.is_low(kind)]
        return PlaceFacts(
            tuple(kinds),
            level,
            level + sunk,
            self.best_cover(entered, spotting=True),
            self.best_cover(entered, spotting=False),
            any(layers.terrain[kind].hides_hull for kind in kinds),
        )

    @rule(
        *("5.4.2", "5.4.2.1", "5.4.2.2", "5.4.2.3", "5.5.1.1", "5.5.1.5", "5.5.1.9", "5.5.1.12", "5.5.1.13"),
        *("5.5.1.14", "5.5.1.15", "5.5.1.16", "5.5.1.21", "5.5.1.22"),
        editions=BOOK,
    )
    def best_cover(self, kinds: Sequence[TerrainId], *, spotting: bool) -> Cover:
        """Of mixed terrain the best cover; "Other" leaves it to the rest, and Clear gives none (5.4.2.1, 5.4.2.3)"""
        rows = (self.layers.terrain[kind] for kind in kinds)
        covers = [row.cover_spotting if spotting else row.cover_fire for row in rows]
        return max((cover for cover in covers if cover is not Cover.OTHER), key=_COVERS.index, default=Cover.NONE)

    # --- what sight meets -----------------------------------------------------------------------------

    @cached_property
    def obstacles(self) -> tuple[Obstacle, ...]:
        """All features that sight has to do with, by the numbers of :attr:`shapes`."""
        return tuple(found for _, found in self._seen)

    @cached_property
    def shapes(self) -> Shapes:
        """The outlines of the obstacles."""
        return Shapes([outline for outline, _ in self._seen])

    @cached_property
    def lowest(self) -> int:
        """The lowest level of the ground anywhere."""
        return min(0, *(obstacle.level or 0 for obstacle in self.obstacles), 0)

    def walls(self, height: int) -> int:
        """The obstacles that stand higher than a height wherever they stand, as bits; a ridge is a case by itself."""
        found = self._walls.get(height)
        if found is None:
            high = [not one.ridge and self.lowest + one.height > height for one in self.obstacles]
            found = self._walls[height] = sum(1 << number for number, is_high in enumerate(high) if is_high)
        return found

    @cached_property
    def _seen(self) -> list[tuple[tuple[Spot, ...], Obstacle]]:
        found = []
        for number, feature in enumerate(self.layers.table.areas):
            kind = TerrainId(feature.kind)
            height = self._height(kind, feature.text, feature.attributes.get("storeys", 1))
            if number in self.layers.ruined or (not height and feature.level is None):
                continue
            row = self.layers.terrain[kind]
            ridge = feature.line if kind == CREST else ()
            obstacle = Obstacle(kind, feature.text or row.title, row.rule, height, feature.level, ridge)
            found.append((feature.outline, obstacle))
        return found

    @rule("5.5.1.3", "5.5.1.7", "5.5.1.10", "5.5.1.17", "5.5.1.18", "5.5.1.19", "5.5.1.23", "5.5.1.24", editions=BOOK)
    def _height(self, kind: TerrainId, name: str, storeys: object) -> int:
        """How high it stands over its ground, 0 of what blocks nothing by itself; buildings by storeys (5.5.1.3)

        A hill blocks by its level, and a slope is no higher than the level that it leads to. Smoke, barrages and fires
        have a height and block nothing (5.5.1.7, 5.5.1.18).
        """
        row = self.layers.terrain[kind]
        if not row.blocks or row.each == _LEVEL or kind == SLOPE:
            return 0
        if row.each == _STOREY:
            return row.height * self.storeys.get(name, storeys if isinstance(storeys, int) else 1)
        return row.height
