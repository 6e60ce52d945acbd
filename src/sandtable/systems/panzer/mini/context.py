"""What stays the same in a game on a table: table, terrain, cards, tables, scenario and the edition's switches."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import msgspec

from sandtable.core.content.table import Table
from sandtable.core.decision import Seat
from sandtable.geo.plane.bases import Base
from sandtable.geo.plane.table import TableMap
from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.edition import Edition
from sandtable.systems.panzer.mini.cards import MiniCard
from sandtable.systems.panzer.mini.going import Going
from sandtable.systems.panzer.mini.ground import Ground
from sandtable.systems.panzer.mini.scenario.bound import Scenario, base_of
from sandtable.systems.panzer.mini.sight.lines import Sights
from sandtable.systems.panzer.mini.sight.spotting_ranges import SpottingRanges
from sandtable.systems.panzer.mini.state import State, Unit
from sandtable.systems.panzer.terrain import Rate, Terrain, TerrainId

__all__ = ["Context"]


class Context(msgspec.Struct, frozen=True, dict=True):
    """Everything that rules look up and never change."""

    edition: Edition
    table: TableMap
    terrain: Mapping[TerrainId, Terrain]
    """The Terrain Effects Table; kinds of the table's features are its rows."""
    cards: Mapping[CardId, MiniCard]
    tables: Mapping[str, Table]
    scenario: Scenario

    def other(self, seat: str) -> Seat:
        """The opposing force."""
        first, second = self.scenario.seats
        return second if seat == first else first

    def card_of(self, unit: Unit) -> MiniCard:
        """The card of a unit."""
        return self.cards[unit.card]

    def name(self, unit: Unit) -> str:
        """What players call it."""
        return f"{self.cards[unit.card].name} {unit.id}"

    def base(self, unit: Unit) -> Base | None:
        """The base of a unit where it stands; None off the table."""
        return None if unit.at is None else base_of(self.cards[unit.card], unit.at, unit.heading)

    def standing(self, state: State) -> dict[str, Base]:
        """The bases of all units on the table, in their order."""
        return {
            unit.id: base_of(self.cards[unit.card], unit.at, unit.heading)
            for unit in state.units.values()
            if unit.at is not None and unit.in_play
        }

    def going(self, state: State) -> Going:
        """The ground with the patches that lie on it now."""
        return self._going.now(state.patches)

    def ground(self, state: State) -> Ground:
        """What holds each place now: levels, covers, what sight meets."""
        return self._ground.now(state.patches)

    def sights(self, state: State) -> Sights:
        """The lines of sight over the ground as it is now."""
        return self._sights.now(self._ground.now(state.patches))

    @cached_property
    def _ground(self) -> Ground:
        storeys = self.scenario.draft.conditions.storeys
        return Ground(self.table, self.terrain, storeys, self.scenario.patches)

    @cached_property
    def _sights(self) -> Sights:
        return Sights(self._ground, self.tables["line_of_sight"])

    @cached_property
    def spotting_ranges(self) -> SpottingRanges:
        """How far off units are spotted."""
        return SpottingRanges(self.tables)

    @cached_property
    def _going(self) -> Going:
        passable = self.scenario.draft.conditions.passable_streams
        return Going(self.table, self.terrain, self.scenario.patches, passable_streams=passable)

    @cached_property
    def rails(self) -> Mapping[str, tuple[tuple[int, int], ...]]:
        """Roads and paths that a way may follow, by their names."""
        routes = {
            feature.line
            for feature in self.table.features
            if feature.line and self.terrain[TerrainId(feature.kind)].rate in (Rate.ROAD, Rate.PATH)
        }
        return {name: line for name, line in self.table.rails.items() if line in routes}
