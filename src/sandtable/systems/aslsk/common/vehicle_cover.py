"""7.4 AFV and wrecks as cover, and which of them hinder sight."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.pieces.state import Phase, State, Vehicle

__all__ = ["covering_vehicle", "is_at_rest"]

_LATE = frozenset((Phase.ROUT, Phase.ADVANCE, Phase.CLOSE_COMBAT))
"""The phases after the AFPh."""


@rule("7.4", "7.4.1")
def is_at_rest(state: State, vehicle: Vehicle) -> bool:
    """Whether a vehicle or wreck is cover and a hindrance: no Motion, no move this MPh till the AFPh is over (7.4)."""
    if vehicle.hex is None or not vehicle.on_map or not vehicle.is_stopped:
        return False
    return state.phase in _LATE or not (vehicle.is_moving_target or vehicle.wrecked_moving)


@rule("7.4")
def covering_vehicle(state: State, hex: Hex | None, seat: str) -> Vehicle | None:
    """A wreck or friendly AFV that covers the Infantry of a side in its hex (7.4)."""
    if not state.vehicles or hex is None:
        return None
    for vehicle in state.vehicles.values():
        if vehicle.hex == hex and (vehicle.wreck or vehicle.side == seat) and is_at_rest(state, vehicle):
            return vehicle
    return None
