"""7.0 Which vehicles and wrecks are in a hex."""

from __future__ import annotations

from collections.abc import Collection

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.stacking import enemy_hexes, held
from sandtable.systems.aslsk.pieces.state import State, Vehicle

__all__ = [
    "enemy_vehicle_hexes",
    "enemy_vehicles_at",
    "halves_in_sight",
    "is_occupied",
    "own_vehicles_at",
    "shut_hexes",
    "target_hexes",
    "vehicles_at",
]


def vehicles_at(state: State, hex: Hex | None) -> tuple[Vehicle, ...]:
    """The vehicles in a hex that are no wrecks."""
    if not state.vehicles or hex is None:
        return ()
    return tuple([vehicle for vehicle in state.vehicles.values() if vehicle.hex == hex and vehicle.in_play])


def own_vehicles_at(state: State, hex: Hex | None, seat: str) -> tuple[Vehicle, ...]:
    """The vehicles of a side in a hex."""
    return tuple([vehicle for vehicle in vehicles_at(state, hex) if vehicle.side == seat])


def enemy_vehicles_at(state: State, hex: Hex | None, seat: str) -> tuple[Vehicle, ...]:
    """The vehicles in a hex that are enemies of a side."""
    if not state.vehicles or hex is None:
        return ()
    # Sides are told apart sooner than hexes.
    return tuple([one for one in state.vehicles.values() if one.side != seat and one.hex == hex and one.in_play])


def enemy_vehicle_hexes(state: State, seat: str) -> frozenset[Hex]:
    """The hexes with vehicles that are enemies of a side."""
    return frozenset(
        [one.hex for one in state.vehicles.values() if one.side != seat and one.hex is not None and one.in_play]
    )


def halves_in_sight(context: Context, state: State, trail: tuple[tuple[Hex, int], ...], hex: Hex) -> int:
    """Halves of MP or MF of a trail that were spent in the LOS of a hex, as the lines are now (3.3.2)."""
    return sum([halves for there, halves in trail if context.sees(state, hex, there)])


def target_hexes(context: Context, state: State, seat: str) -> tuple[Hex, ...]:
    """Hexes with enemy units or vehicles of a side, in their order: what may be fired at at all."""
    hexes = enemy_hexes(context, state, seat)
    if not state.vehicles:
        return hexes
    others = [vehicle.hex for vehicle in state.vehicles.values() if vehicle.side != seat and vehicle.in_play]
    return tuple(sorted({*hexes, *[hex for hex in others if hex is not None]}))


def shut_hexes(context: Context, state: State, seat: str) -> Collection[Hex]:
    """Hexes with enemy units or vehicles of a side: nobody fires out of them (3.2.2.1)."""
    return target_hexes(context, state, seat) if state.vehicles else held(context, state, seat)[1]


@rule("3.2.2.1")
def is_occupied(context: Context, state: State, hex: Hex | None, seat: str) -> bool:
    """Whether an enemy unit or vehicle of a side is in a hex: nobody fires out of it then (3.2.2.1)."""
    return hex in held(context, state, seat)[1] or bool(state.vehicles and enemy_vehicles_at(state, hex, seat))
