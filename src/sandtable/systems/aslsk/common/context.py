"""What stays the same in a game: ground, cards, tables and the scenario; and who can see whom.

:class:`Terrain` is all that the rules ask of the ground; :mod:`sandtable.systems.aslsk.terrain.ground` answers it
from a board's drawn shapes. Hexes are locations: the Starter Kits have no levels inside a hex.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.decision import Seat
from sandtable.core.ruleset import Resolution
from sandtable.geo.hex import NEIGHBOURS, Hex, distance
from sandtable.geo.map import GameMap
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.memory import Memory, Screens, SmokeDrms
from sandtable.systems.aslsk.common.vehicle_cover import is_at_rest
from sandtable.systems.aslsk.pieces.card_files import Cards
from sandtable.systems.aslsk.pieces.cards import CardId, UnitCard, WeaponCard
from sandtable.systems.aslsk.pieces.state import State, Unit, UnitId, Vehicle, VehicleId, Weapon, WeaponId
from sandtable.systems.aslsk.pieces.vehicle_cards import VehicleCard
from sandtable.systems.aslsk.scenario.card import Scenario
from sandtable.systems.aslsk.terrain.kinds import HexPlace, TerrainKind
from sandtable.systems.aslsk.terrain.sight import MOST_HINDRANCE

__all__ = ["Context", "HexPlace", "Play", "Terrain", "TerrainKind"]

Play = Resolution[State, ev.Event]


class Terrain(Protocol):
    """What the rules ask of the ground; all answers are kept, so asking again costs a look into a dict."""

    def place(self, hex: Hex) -> HexPlace:
        """Facts of a hex."""
        ...

    def clear(self, a: Hex, b: Hex) -> bool:
        """Whether terrain leaves a line of sight between two hexes."""
        ...

    def clear_among(self, hex: Hex, others: Sequence[Hex]) -> int:
        """Bits of the hexes, by their places, to which terrain leaves a line of sight, the hex itself among them."""
        ...

    def hindrance(self, a: Hex, b: Hex) -> int:
        """DRM of the terrain that hinders a line of sight."""
        ...

    def between(self, a: Hex, b: Hex) -> tuple[Hex, ...]:
        """Every hex that the line touches between its ends: smoke in one hinders."""
        ...

    def through(self, a: Hex, b: Hex) -> tuple[Hex, ...]:
        """Every hex between its ends that the line passes through: a vehicle or wreck in one may hinder."""
        ...

    def has_road(self, hex: Hex, direction: int) -> bool:
        """Whether a road crosses that hexside."""
        ...

    def climbs(self, hex: Hex, direction: int) -> bool:
        """Whether going out of ``hex`` in that direction crosses a crest line into higher terrain."""
        ...

    def descends(self, hex: Hex, direction: int) -> bool:
        """Whether going out of ``hex`` in that direction crosses a crest line into lower terrain."""
        ...

    def entry_side(self, a: Hex, b: Hex) -> tuple[int, ...]:
        """Directions of the hexsides of ``b`` that the line from ``a`` crosses to reach its centre."""
        ...

    def on_road_only(self, a: Hex, b: Hex) -> bool:
        """Whether the line from ``a``, inside the woods-road or orchard-road hex ``b``, stays on the road depiction."""
        ...


class Context(msgspec.Struct, frozen=True):
    """Everything that rules look up and never change."""

    game_map: GameMap
    ground: Terrain
    cards: Cards
    tables: Mapping[str, Table]
    scenario: Scenario
    memory: Memory = msgspec.field(default_factory=Memory)
    """What is worked out from states and kept."""

    def on_ground(self, ground: Terrain) -> Context:
        """The same game on other ground, with a memory of its own."""
        return Context(self.game_map, ground, self.cards, self.tables, self.scenario)

    def other(self, seat: str) -> Seat:
        """The opposing side."""
        first, second = self.scenario.seats
        return second if seat == first else first

    def card(self, unit: Unit) -> UnitCard:
        """The counter of a unit."""
        return self.cards.units[unit.card]

    def weapon_title(self, weapon: Weapon) -> str:
        """What a weapon is, and its id."""
        return f"{self.weapon_card(weapon).name} {weapon.id}"

    def weapon_name(self, weapon_id: str) -> str:
        """What a weapon of the order of battle is, and its id."""
        weapon = self.scenario.weapons.get(WeaponId(weapon_id))
        return self.weapon_title(weapon) if weapon is not None else weapon_id

    def weapon_card(self, weapon: Weapon) -> WeaponCard:
        """The counter of a weapon."""
        return self.cards.weapons[weapon.card]

    def vehicle_card(self, vehicle: Vehicle) -> VehicleCard:
        """The counter of a vehicle."""
        return self.cards.vehicles[vehicle.card]

    def vehicle_title(self, vehicle: Vehicle) -> str:
        """What a vehicle is, and its id."""
        return f"{self.vehicle_card(vehicle).name} {vehicle.id}"

    def vehicle_name(self, vehicle_id: str) -> str:
        """What a vehicle of the order of battle is, and its id."""
        vehicle = self.scenario.vehicles.get(VehicleId(vehicle_id))
        return self.vehicle_title(vehicle) if vehicle is not None else vehicle_id

    def unit_card(self, card: CardId) -> UnitCard:
        """A counter by its id."""
        return self.cards.units[card]

    def smoke_at(self, state: State, hex: Hex) -> int:
        """Hindrance DRM of the smoke in a hex (1.2.5)."""
        return self._smoke(state).drms.get(hex, 0) if state.smoke else 0

    def _smoke(self, state: State) -> SmokeDrms:
        known = self.memory.smoke
        if known is not None and known.counters is state.smoke:
            return known
        table = self.tables["smoke"]
        drms: dict[Hex, int] = {}
        most = table.number("most_per_hex")
        for smoke in state.smoke:
            drms[smoke.hex] = min(most, drms.get(smoke.hex, 0) + table.number(smoke.kind.value))
        found = self.memory.smoke = SmokeDrms(state.smoke, drms, table.number("out_of_smoke"))
        return found

    @rule("7.4.1")
    def screens_between(self, state: State, a: Hex, b: Hex) -> tuple[Hex, ...]:
        """Hexes with a wreck or AFV that hinder a line through them, on one level and seen from both ends (7.4.1)."""
        if not state.vehicles or a == b:
            return ()
        screens, ground = self._screens(state), self.ground
        if not screens:
            return ()
        level = ground.place(a).level
        if ground.place(b).level != level:
            return ()
        return tuple(
            [
                hex
                for hex in ground.through(a, b)
                if hex in screens
                and ground.place(hex).level == level
                and self._is_clear(state, a, hex)
                and self._is_clear(state, b, hex)
            ]
        )

    def _screens(self, state: State) -> frozenset[Hex]:
        """The hexes with a wreck or AFV that is at rest."""
        known = self.memory.screens
        if known is not None and known.vehicles is state.vehicles and known.phase is state.phase:
            return known.hexes
        hexes = [one.hex for one in state.vehicles.values() if one.hex is not None and is_at_rest(state, one)]
        found = self.memory.screens = Screens(state.vehicles, state.phase, frozenset(hexes))
        return found.hexes

    @rule("3.3")
    def entry(self, state: State, force: str) -> frozenset[Hex]:
        """The hexes through which a force enters; of a group that was chosen, near its recorded hex (1.3, 3.3)."""
        gates = self.scenario.entry[force]
        brought = state.brought.get(force) if state.brought else None
        hex = brought.hex if brought is not None else None
        return gates if hex is None else gates & {hex, *NEIGHBOURS[hex]}

    def hindrance(self, state: State, firer: Hex, target: Hex) -> int:
        """Hindrance DRM from hex to hex, smoke included, and what fire out of Smoke suffers (1.2.5, 3.2.1)."""
        screens = len(self.screens_between(state, firer, target)) if state.vehicles else 0
        if not state.smoke:
            return self.ground.hindrance(firer, target) + screens
        smoke = self._smoke(state)
        leaving = smoke.leaving if firer != target and firer in smoke.drms else 0
        return self._thickness(smoke.drms, firer, target) + leaving + screens

    def _thickness(self, drms: dict[Hex, int], a: Hex, b: Hex) -> int:
        """Terrain and Smoke that hinder a line, at its ends too: the same from both (3.2.1)."""
        total = self.ground.hindrance(a, b) + drms.get(b, 0)
        if a != b:
            total += drms.get(a, 0) + sum(drms[hex] for hex in self.ground.between(a, b) if hex in drms)
        return total

    def _is_clear(self, state: State, a: Hex, b: Hex) -> bool:
        """Whether terrain and Smoke leave a line of sight (3.2.1)."""
        if not self.ground.clear(a, b):
            return False
        return not state.smoke or self._thickness(self._smoke(state).drms, a, b) < MOST_HINDRANCE

    def sees(self, state: State, a: Hex, b: Hex) -> bool:
        """Whether there is a line of sight now, smoke and all (3.2.1)."""
        if a == b:
            return True
        if not self.ground.clear(a, b):
            return False
        if not state.smoke and not state.vehicles:
            return True
        smoke = self._smoke(state).drms if state.smoke else {}
        thickness = self._thickness(smoke, a, b)
        return thickness < MOST_HINDRANCE and thickness + len(self.screens_between(state, a, b)) < MOST_HINDRANCE

    def seen_among(self, state: State, hex: Hex, others: Sequence[Hex]) -> int:
        """Bits of the hexes, by their places, to which there is a line of sight now (3.2.1)."""
        if not state.smoke and (not state.vehicles or not self._screens(state)):
            return self.ground.clear_among(hex, others)
        return sum([1 << index for index, other in enumerate(others) if self.sees(state, hex, other)])

    def hexes_in_range(self, here: Hex, least: int, most: int) -> tuple[Hex, ...]:
        """The hexes of the map at some range of one, in their order; kept."""
        known = self.memory.in_range
        found = known.get((here, least, most))
        if found is None:
            found = tuple(sorted([hex for hex in self.game_map.hexes if least <= distance(here, hex) <= most]))
            known[here, least, most] = found
        return found

    def side_of(self, unit_id: UnitId) -> str:
        """The side of a unit; the id of a leader created in play begins with it (5.3)."""
        unit = self.scenario.units.get(unit_id)
        return unit.side if unit is not None else unit_id.rpartition("-")[0]

    def label(self, hex: Hex | None) -> str:
        """A hex as players call it."""
        return self.game_map.label(hex) if hex is not None else "off board"
