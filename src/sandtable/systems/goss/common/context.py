"""What stays the same in a game: map, ground, charts, cards, scenario; and where everybody stands, kept for a state."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.geo.map import GameMap
from sandtable.systems.goss.common.state import State, Veil
from sandtable.systems.goss.ground.ground import Ground
from sandtable.systems.goss.ground.sight import Sight
from sandtable.systems.goss.ground.weather import Weather
from sandtable.systems.goss.pieces.card import Card, FormationId
from sandtable.systems.goss.pieces.card_files import Shelf
from sandtable.systems.goss.pieces.unit import Unit
from sandtable.systems.goss.pieces.unit_type import Formation
from sandtable.systems.goss.scenario.bound import Scenario
from sandtable.systems.goss.tables.charts import Charts
from sandtable.systems.goss.turn.segments import Calendar, Part

__all__ = ["Context", "Deployment"]

T = TypeVar("T")


_KEPT = 3
"""Deployments kept beside the last: a state and what either side knows of it."""


class Deployment:
    """Where everybody stands in one state."""

    def __init__(self, state: State) -> None:
        stacks: dict[Hex, tuple[Unit, ...]] = {}
        holders = {veil.hex: veil.side for veil in state.veils}
        for unit in state.units.values():
            hex = unit.hex
            if hex is None:
                continue
            others = stacks.get(hex)
            if others is None:
                stacks[hex] = (unit,)
                holders[hex] = unit.side
            else:
                stacks[hex] = (*others, unit)
        self.units = state.units
        self.veils = state.veils
        self.stacks: Mapping[Hex, tuple[Unit, ...]] = stacks
        self.holders: Mapping[Hex, Seat] = holders
        """The side that stands in each hex, those included whom one may not look at."""
        self._held: dict[Seat, tuple[Hex, ...]] = {}

    def at(self, hex: Hex) -> tuple[Unit, ...]:
        """The units in a hex, as far as they are known."""
        return self.stacks.get(hex, ())

    def veil(self, hex: Hex) -> Veil | None:
        """What is known of those whom one may not look at."""
        return next((veil for veil in self.veils if veil.hex == hex), None)

    def hexes_of(self, seat: Seat) -> tuple[Hex, ...]:
        """Where a side stands, in the order of the map."""
        held = self._held.get(seat)
        if held is None:
            held = self._held[seat] = tuple(sorted(hex for hex, holder in self.holders.items() if holder == seat))
        return held

    def held_by(self, hex: Hex, seat: Seat) -> bool:
        """Whether units of a side stand in a hex."""
        return self.holders.get(hex) == seat

    def is_adjacent(self, hex: Hex, seat: Seat) -> bool:
        """Whether units of a side stand next to a hex."""
        return any(self.holders.get(one) == seat for one in NEIGHBOURS[hex])


class Context(msgspec.Struct, frozen=True, dict=True):
    """Everything that rules look up and never change."""

    game_map: GameMap
    ground: Ground
    charts: Charts
    shelf: Shelf
    scenario: Scenario

    def apart(self) -> Context:
        """The same, which has seen no state yet; the ground is shared."""
        found = replace(self)
        vars(found)["_lies"] = self._lies
        return found

    @property
    def seats(self) -> tuple[Seat, Seat]:
        """The two sides, in the order of their player turns (3.2.1)."""
        return self.scenario.seats

    @property
    def calendar(self) -> Calendar:
        """The days of the scenario."""
        return self.scenario.calendar

    def other(self, seat: str) -> Seat:
        """The opposing side."""
        first, second = self.scenario.seats
        return second if seat == first else first

    def card(self, unit: Unit) -> Card:
        """The card of a unit."""
        return self.shelf.cards[unit.card]

    def formation_of(self, unit: Unit) -> FormationId:
        """The formation that a unit belongs to now: where it is attached, else that of its card (9.1.0)."""
        return unit.formation or self.shelf.cards[unit.card].formation

    def formation(self, formation: FormationId) -> Formation:
        """A formation by its id."""
        return self.shelf.formations[formation]

    def title(self, unit: str) -> str:
        """A unit's name with its formation, as players say it."""
        return self.scenario.titles.get(unit, unit)

    def label(self, hex: Hex) -> str:
        """The number of a hex."""
        return self.game_map.label(hex)

    @cached_property
    def _parts(self) -> tuple[Part, ...]:
        """The part of the day of every game turn."""
        calendar = self.scenario.calendar
        return tuple(map(calendar.part, range(calendar.turns + 1)))

    @cached_property
    def _nights(self) -> tuple[bool, ...]:
        """Which game turns are at night."""
        return tuple(part is Part.NIGHT for part in self._parts)

    def part(self, state: State) -> Part:
        """AM, PM or night."""
        return self._parts[state.at.turn]

    def is_night(self, state: State) -> bool:
        """Whether it is a night game turn."""
        return self._nights[state.at.turn]

    @rule("19.4.0")
    def weather_at(self, state: State, hex: Hex) -> Weather:
        """The weather in a hex: that of its zone, if the scenario has zones (19.4.0)."""
        weather = state.weather
        if not weather.zones:
            return weather
        zone = self.scenario.zones.get(hex)
        return next((one for name, one in weather.zones if name == zone), weather)

    def frost(self, state: State) -> tuple[object, ...]:
        """Where the ground is hard, as a key: zone by zone; empty where it is as the map has it."""
        weather = state.weather
        if not weather.zones and not weather.ground.is_hard:
            return ()
        return (weather.ground.is_hard, *((zone, one.ground.is_hard) for zone, one in weather.zones))

    def ground_in(self, state: State) -> Ground:
        """The map as the weather leaves it: whoever asks what grows in a hex, or whether it is clear, asks here."""
        return self._lie(state)[0]

    def sight(self, state: State) -> Sight:
        """Lines of sight over the map; they hang on the ground alone."""
        return self._lie(state)[1]

    @rule("19.4.4", "19.4.5")
    def _lie(self, state: State) -> tuple[Ground, Sight]:
        """The ground and sight over it, for each weather that makes a difference to them."""
        for weather, lie in self._latest_lie:  # one at most, and taken out once: another thread may change it
            if weather is state.weather:
                return lie
        key = self.frost(state)
        found = self._lies.get(key)
        if found is None:
            ground = self.ground.frozen(lambda hex: self.weather_at(state, hex).ground.is_hard) if key else self.ground
            found = self._lies[key] = (ground, Sight(ground))
        self._latest_lie[:] = [(state.weather, found)]
        return found

    @cached_property
    def _lies(self) -> dict[tuple[object, ...], tuple[Ground, Sight]]:
        return {}

    @cached_property
    def _latest_lie(self) -> list[tuple[Weather, tuple[Ground, Sight]]]:
        """The weather that was asked for last, with what it leaves: it stays for a game turn."""
        return []

    @cached_property
    def _rooms(self) -> dict[type, Any]:
        return {}

    def room(self, kind: type[T]) -> T:
        """What a room works out once for a game and keeps, the same for all who ask."""
        found: T | None = self._rooms.get(kind)
        if found is None:
            found = self._rooms[kind] = kind(self)  # type: ignore[call-arg]
        return found

    @cached_property
    def _kept(self) -> list[Deployment]:
        return []

    def deployment(self, state: State) -> Deployment:
        """Where everybody stands: worked out once for the same units, the last few times that it was asked for.

        One short list of deployments: threads that meet here may work one out twice, and nothing else.
        """
        for kept in self._kept:
            if kept.units is state.units and kept.veils == state.veils:
                return kept
        found = Deployment(state)
        self._kept[:] = [found, *self._kept[:_KEPT]]
        return found
