"""What stays the same in a game on a table: table, terrain, cards, tables, scenario and the edition's switches.

Beside it the :class:`Memory` of the game: most of a table stays the same from one question to the next, and a way is
walked when it is drawn, when it is judged and when it is driven. Nothing of it ever shows: a game is the same with
everything forgotten.

The rule for threads, which may share a context: whoever reads takes a thing out once and looks at what it was made of;
whoever writes puts a new thing in the place of the old and changes nothing of what was there. A dict that is kept only
ever gains answers that are the same whoever works them out.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

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
from sandtable.systems.panzer.unit import UnitId

__all__ = ["Context", "Memory", "Standing"]


class Standing(NamedTuple):
    """Who stands where."""

    units: Mapping[UnitId, Unit]
    bases: Mapping[str, Base]
    """The very same ones as long as nobody moves, comes or goes."""


def _stance(unit: Unit) -> tuple[Any, ...]:
    return unit.at, unit.heading, unit.card


class Memory:
    """What is worked out from states and kept, never a state; see the rule for threads above.

    The rooms above keep things of their own types here, which are theirs alone to read: these are ``Any``.
    """

    __slots__ = ("asked", "standing", "terms", "walked")

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Start anew."""
        self.standing = Standing({}, {})
        """Of the last units asked about."""
        self.asked: Any = None
        """The last question of overwatch that had to be put, of ``combat.overwatch``."""
        self.terms: Any = None
        """The numbers of movement, of ``movement.drive``."""
        self.walked: Any = None
        """The last way that was walked, of ``movement.drive``."""


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

    def standing(self, state: State) -> Mapping[str, Base]:
        """The bases of all units on the table, in their order: the very same ones as long as nobody moves."""
        known, kept = self.memory.standing
        if known is state.units:
            return kept
        found: dict[str, Base] = {}
        for unit_id, unit in state.units.items():
            was, base = known.get(unit_id), kept.get(unit_id)
            if was is not unit:
                if unit.at is None or not unit.in_play:
                    base = None
                elif base is None or was is None or _stance(was) != _stance(unit):
                    base = base_of(self.cards[unit.card], unit.at, unit.heading)
            if base is not None:
                found[unit_id] = base
        bases = kept if found == kept else found
        self.memory.standing = Standing(state.units, bases)
        return bases

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
    def memory(self) -> Memory:
        """What is worked out from states and kept."""
        return Memory()

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
    def sides(self) -> Mapping[str, str]:
        """The force of every unit."""
        return {unit_id: unit.side for unit_id, unit in self.scenario.units.items()}

    @cached_property
    def rails(self) -> Mapping[str, tuple[tuple[int, int], ...]]:
        """Roads and paths that a way may follow, by their names."""
        routes = {
            feature.line
            for feature in self.table.features
            if feature.line and self.terrain[TerrainId(feature.kind)].rate in (Rate.ROAD, Rate.PATH)
        }
        return {name: line for name, line in self.table.rails.items() if line in routes}
