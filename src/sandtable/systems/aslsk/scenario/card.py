"""1.3 A scenario card, checked and bound to its map and counters: everything that stays the same in a game."""

from __future__ import annotations

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.pieces.state import (
    Unit,
    UnitId,
    Vehicle,
    VehicleId,
    Weapon,
    WeaponId,
)
from sandtable.systems.aslsk.scenario.draft import (
    Conditions,
    Force,
    ScenarioDraft,
)

__all__ = ["ControlPlace", "Scenario"]


class ControlPlace(msgspec.Struct, frozen=True):
    """A place of the victory conditions with its hexes."""

    id: str
    title: str
    hexes: frozenset[Hex]
    holder: str


class Scenario(msgspec.Struct, frozen=True):
    """A scenario whose every name was checked."""

    draft: ScenarioDraft
    seats: tuple[Seat, ...]
    """The side that moves first, then the other."""
    set_up_order: tuple[Seat, ...]
    forces: dict[str, Force]
    side_of: dict[str, Seat]
    """Side by force."""
    zones: dict[str, frozenset[Hex]]
    """Where each force sets up; empty for one that enters."""
    entry: dict[str, frozenset[Hex]]
    """The hexes through which each force enters."""
    units: dict[UnitId, Unit]
    weapons: dict[WeaponId, Weapon]
    vehicles: dict[VehicleId, Vehicle]
    suggested: dict[str, Hex]
    """Where the author suggests to set up units and vehicles."""
    facings: dict[str, int]
    """At which hexspine the author suggests that vehicles and Guns point (3.2.4)."""
    concealed: tuple[str, ...]
    """Guns and units that the author suggests to hide (6.4)."""
    exposed: frozenset[str]
    """Vehicles that the author suggests to set up Crew Exposed (7.7)."""
    joins: dict[UnitId, tuple[str, ...]]
    """Units that may enter with other forces instead of setting up, with these (1.3)."""
    possessors: dict[WeaponId, UnitId]
    """Who the author suggests for each weapon."""
    places: dict[str, ControlPlace]
    groups: dict[str, tuple[str, ...]]
    """Ids of the places that each draft of a place stands for."""
    places_at: dict[Hex, tuple[str, ...]]
    """Ids of the places that a hex is part of."""
    exits: tuple[frozenset[Hex], ...]
    conditions: Conditions
    """Date and special rules."""
    hiders: frozenset[Seat]
    """Sides that may have somebody hidden on the map: they have Guns, or a special rule says so (6.4)."""

    @rule("3.3")
    def exit_counts(self, side: str, hex: Hex, turn: int) -> bool | None:
        """Whether a side may leave the map from a hex in a turn, and if so whether that counts; None if not (3.3)."""
        for way, hexes in zip(self.draft.exits, self.exits, strict=True):
            if way.side == side and hex in hexes and turn >= way.from_turn:
                return way.points
        return None

    def elr(self, unit: Unit) -> int:
        """Experience Level Rating of a unit's group (5.1)."""
        return self.forces[unit.force].elr
