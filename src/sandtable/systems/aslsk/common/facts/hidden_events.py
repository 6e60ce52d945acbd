"""What happens to vehicles, Guns and hidden units in the set-up, and to those who come to light (1.3, 6.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from sandtable.core.showing import Shown
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.fact import Fact
from sandtable.systems.aslsk.common.words import Words, does
from sandtable.systems.aslsk.pieces.state import State, UnitId, VehicleId, WeaponId, Whereabouts

__all__ = ["HIDDEN_FACTS", "GunPlaced", "Revealed", "UnitHidden", "VehiclePlaced"]


class VehiclePlaced(Fact, frozen=True):
    """1.3: a vehicle is set up."""

    vehicle: VehicleId
    hex: Hex
    vca: int
    tca: int
    exposed: bool

    def sentence(self, words: Words) -> str:
        return (
            f"{words.vehicle(self.vehicle)} sets up in {words.hex(self.hex)}, {words.pointing(self.vca, self.tca)}"
            f", {'CE' if self.exposed else 'BU'}."
        )

    def shown(self, words: Words) -> Shown:
        return Shown(kind="move", units=(self.vehicle,), hex=words.label(self.hex))


class GunPlaced(Fact, frozen=True):
    """3.2.4, 6.3, 6.4: a Gun is pointed at a hexspine; emplaced, and hidden with its crew."""

    weapon: WeaponId
    facing: int
    emplaced: bool
    hidden: bool

    def sentence(self, words: Words) -> str:
        return (
            f"{words.weapon(self.weapon)} points at {words.spine(self.facing)}"
            f"{', emplaced' if self.emplaced else ''}{', hidden' if self.hidden else ''}."
        )


class UnitHidden(Fact, frozen=True):
    """6.4: a unit is set up hidden, or no longer."""

    unit: UnitId
    hidden: bool

    def sentence(self, words: Words) -> str:
        return f"{self.unit} is {'hidden' if self.hidden else 'not hidden'}."


class Revealed(Fact, frozen=True):
    """6.4: hidden units and the Guns that they man are placed on the map for all to see."""

    units: tuple[UnitId, ...]
    weapons: tuple[WeaponId, ...]
    """Hidden Guns."""
    why: str

    def sentence(self, words: Words) -> str:
        return f"{does((*self.units, *map(words.weapon, self.weapons)), 'come')} to light: {self.why} (6.4)."

    def shown(self, words: Words) -> Shown:
        return Shown(kind="mark", units=(*self.units, *self.weapons), effect="revealed")


def _vehicle_placed(state: State, event: VehiclePlaced) -> State:
    placed = replace(
        state.vehicles[event.vehicle],
        hex=event.hex,
        place=Whereabouts.MAP,
        vca=event.vca,
        tca=event.tca,
        exposed=event.exposed,
    )
    return replace(state, vehicles={**state.vehicles, event.vehicle: placed})


def _gun_placed(state: State, event: GunPlaced) -> State:
    placed = replace(state.weapons[event.weapon], facing=event.facing, emplaced=event.emplaced, hidden=event.hidden)
    return replace(state, weapons={**state.weapons, event.weapon: placed})


def _unit_hidden(state: State, event: UnitHidden) -> State:
    return replace(state, units={**state.units, event.unit: replace(state.units[event.unit], hidden=event.hidden)})


def _revealed(state: State, event: Revealed) -> State:
    units, weapons = dict(state.units), dict(state.weapons)
    for unit_id in event.units:
        units[unit_id] = replace(units[unit_id], hidden=False)
    for weapon_id in event.weapons:
        weapons[weapon_id] = replace(weapons[weapon_id], hidden=False)
    return replace(state, units=units, weapons=weapons)


HIDDEN_FACTS: Mapping[type, Callable[[State, Any], State]] = {
    VehiclePlaced: _vehicle_placed,
    GunPlaced: _gun_placed,
    UnitHidden: _unit_hidden,
    Revealed: _revealed,
}
