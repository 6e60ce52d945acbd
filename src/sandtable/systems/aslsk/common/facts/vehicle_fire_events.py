"""What happened with the weapons of vehicles (7.8)."""

from __future__ import annotations

from sandtable.core.decision import Seat
from sandtable.core.modifier import Breakdown
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.fact import Fact, Numbered
from sandtable.systems.aslsk.pieces.state import Mark, VehicleGun, VehicleId, WeaponState

__all__ = ["VehicleFireDeclared", "VehicleGunBroke", "VehicleGunsFired", "VehicleRepairAttempted", "VehicleTurned"]


class VehicleFireDeclared(Fact, frozen=True):
    """7.8: which weapons of a vehicle fire at which hex on the IFT."""

    seat: Seat
    kind: str
    vehicle: VehicleId
    guns: tuple[VehicleGun, ...]
    target: Hex


class VehicleTurned(Fact, frozen=True):
    """3.2.4: hull or turret turned to fire."""

    vehicle: VehicleId
    vca: int
    tca: int
    spines: int
    """Hexspines by which turret weapons were turned: those that fire later in the phase suffer it too (7.8)."""
    hull: bool = False
    """Whether the hull was turned for them, and the turret with it."""
    bow: int = 0
    """Hexspines by which bow mounted weapons were turned."""


class VehicleGunsFired(Fact, frozen=True):
    """7.8: these weapons have fired in this phase, from this hex; the marker if the MA lost its ROF."""

    vehicle: VehicleId
    guns: tuple[VehicleGun, ...]
    phase: str
    hex: Hex
    mark: Mark = Mark.NONE


class VehicleGunBroke(Fact, frozen=True):
    """7.2, 7.8: a weapon of a vehicle malfunctions, or is disabled for good."""

    vehicle: VehicleId
    gun: VehicleGun
    state: WeaponState


class VehicleRepairAttempted(Numbered, frozen=True):
    """3.1: a repair dr for a weapon of a vehicle."""

    vehicle: VehicleId
    gun: VehicleGun
    roll: int
    number: Breakdown
    result: str
    """``repaired``, ``removed`` or ``none``."""
