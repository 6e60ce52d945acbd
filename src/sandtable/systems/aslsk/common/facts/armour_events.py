"""What happened to AFVs and their crews (7.9-7.12)."""

from __future__ import annotations

from sandtable.core.modifier import Breakdown
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.fact import Fact, Numbered, OnTheIft
from sandtable.systems.aslsk.pieces.state import Shock, VehicleId, WeaponId
from sandtable.systems.aslsk.pieces.vehicle_cards import Aspect, Facing

__all__ = [
    "AreaHitResolved",
    "ChargeAimed",
    "ChargePositioned",
    "CrewAttacked",
    "CrewButtonedUp",
    "CrewChecked",
    "RecuperationRolled",
    "ToKillResolved",
    "VehicleEliminated",
    "VehicleImmobilized",
    "VehicleRecalled",
    "VehicleShocked",
    "VehicleStunned",
]


class ToKillResolved(Numbered, frozen=True):
    """7.9: a To Kill DR."""

    by: str
    """The weapon or vehicle that hit; "" of a panzerfaust."""
    vehicle: VehicleId
    aspect: Aspect
    facing: Facing
    number: Breakdown
    """The Final TK#."""
    faces: tuple[int, ...]
    result: str
    """``eliminated``, ``immobilized``, ``shock``, ``possible shock``, ``stun`` or ``""``."""
    dud: bool = False


class AreaHitResolved(OnTheIft, frozen=True):
    """7.11: a hit on the Area Target Type against an AFV, on the IFT."""

    vehicle: VehicleId
    aspect: Aspect
    firepower: Breakdown
    drm: Breakdown
    faces: tuple[int, ...]
    column: int
    result: str


class CrewAttacked(OnTheIft, frozen=True):
    """7.12: an attack on the IFT against the CE crew of an AFV."""

    kind: str
    vehicle: VehicleId
    hex: Hex
    firepower: Breakdown
    drm: Breakdown
    faces: tuple[int, ...]
    column: int
    result: str


class CrewChecked(Numbered, frozen=True):
    """7.10: a MC or PTC of an inherent crew."""

    vehicle: VehicleId
    check: str
    faces: tuple[int, ...]
    number: Breakdown
    """Highest DR that passes."""
    passed: bool


class CrewButtonedUp(Fact, frozen=True):
    """3.2.3: a Pin result shuts the hatches for the rest of the player turn."""

    vehicle: VehicleId


class VehicleEliminated(Fact, frozen=True):
    """7.4, 7.10: the vehicle is a wreck."""

    vehicle: VehicleId
    why: str
    rule: str
    moving: bool = False
    """Has moved this player turn: neither cover nor hindrance before the AFPh is over (7.4)."""


class VehicleImmobilized(Fact, frozen=True):
    """7.10: it neither moves nor turns its hull any more."""

    vehicle: VehicleId
    why: str
    rule: str


class VehicleShocked(Fact, frozen=True):
    """7.10: a Shock counter, or a UK counter turned back to it."""

    vehicle: VehicleId


class VehicleStunned(Fact, frozen=True):
    """7.10: a Stun counter, or a STUN counter, which means Recall."""

    vehicle: VehicleId
    recall: bool


class VehicleRecalled(Fact, frozen=True):
    """7.10: it must leave by a friendly edge."""

    vehicle: VehicleId
    why: str


class RecuperationRolled(Fact, frozen=True):
    """3.1, 7.10: a dr for a Shock or UK counter."""

    vehicle: VehicleId
    roll: int
    before: Shock
    after: Shock
    """What is on it now; of a vehicle that becomes a wreck still UK."""


class ChargeAimed(Fact, frozen=True):
    """4.3: whence a DC was placed, and for which AFV it is meant if for one."""

    weapon: WeaponId
    vehicle: VehicleId
    side: int
    """Direction of the hexside of the target's hex through which it was placed (4.3, 6.6)."""


class ChargePositioned(Fact, frozen=True):
    """4.3: the position DR of a DC."""

    weapon: WeaponId
    vehicle: VehicleId
    faces: tuple[int, ...]
    drm: Breakdown
    lies: str
    """``armour``, ``crew`` or ``ground``."""

    def breakdowns(self) -> tuple[Breakdown, ...]:
        """What modified it."""
        return (self.drm,)
