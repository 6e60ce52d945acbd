"""3.3.2 How far a vehicle's MPh has come."""

from __future__ import annotations

import msgspec

from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.pieces.state import Vehicle, VehicleDeed, Whereabouts

__all__ = ["ENTRIES", "DriveProgress", "standing"]

ENTRIES = (VehicleDeed.ENTER, VehicleDeed.OFF_ROAD, VehicleDeed.ALL)
"""Steps into a hex: at its rate, off its road, by all MP."""


class DriveProgress(msgspec.Struct, frozen=True, gc=False):
    """How far a vehicle's MPh has come."""

    hex: Hex | None
    """None off board, and once it has left the map."""
    vca: int
    tca: int
    exposed: bool
    stopped: bool
    spent: int = 0
    hexes: int = 0
    only_started: bool = True
    """Nothing but a start MP was spent."""
    all_in: bool = False
    """Entered woods by all its MP, and may still stop."""
    crew_turned: bool = False
    smoked: bool = False
    """Tries its smoke dispenser on the way."""
    exited: bool = False
    uninvited: Hex | None = None
    """The hex of an enemy AFV that it could not hurt as it came in: it may not choose to stay there."""
    held: bool = False
    """Without a radio it was not told to leave its hex (1.3)."""


def standing(vehicle: Vehicle) -> DriveProgress:
    """A vehicle as it is, before it spends any MP; off board it is in Motion (3.3.2)."""
    return DriveProgress(
        vehicle.hex,
        vehicle.vca,
        vehicle.tca,
        vehicle.exposed,
        stopped=vehicle.place is not Whereabouts.OFF_BOARD and (vehicle.is_stopped or not vehicle.is_mobile),
        crew_turned=vehicle.turned_crew,
    )
