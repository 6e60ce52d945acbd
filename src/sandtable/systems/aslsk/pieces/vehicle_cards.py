"""1.2.7, 7.0 Vehicles as the counters print them."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from sandtable.core.content.table import Status
from sandtable.systems.aslsk.pieces.armament import Armament, Mount, Size
from sandtable.systems.aslsk.pieces.cards import CardId, Nationality
from sandtable.systems.aslsk.pieces.vehicle import VehicleGun

__all__ = ["RATINGS", "Armour", "Aspect", "Dispenser", "Facing", "GroundPressure", "VehicleCard", "VehicleType"]

RATINGS = (0, 1, 2, 3, 4, 6, 8, 11, 14, 18, 26)
"""The Armor Factors that there are (7.1)."""


class VehicleType(StrEnum):
    """7.0 How it moves."""

    FULLY_TRACKED = "fully tracked"
    ARMORED_CAR = "armored car"


class GroundPressure(StrEnum):
    """7.6 Ground pressure."""

    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"


class Aspect(StrEnum):
    """3.2.4 The part of a vehicle that is hit."""

    HULL = "hull"
    TURRET = "turret"


class Facing(StrEnum):
    """3.2.4 The side of it from which it is hit."""

    FRONT = "front"
    SIDE = "side"
    REAR = "rear"


class Dispenser(StrEnum):
    """7.5 Smoke dispensers."""

    DISCHARGER = "sD"
    MORTAR = "sM"
    POTS = "sP"
    CLOSE_DEFENCE = "sN"


class Armour(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """7.1 Armor Factors of hull and turret, front and side or rear."""

    front: int
    side: int
    turret_front: int
    turret_side: int

    def factor(self, aspect: Aspect, facing: Facing) -> int:
        """The factor that is struck; the rear is armoured as the side."""
        if facing is Facing.FRONT:
            return self.front if aspect is Aspect.HULL else self.turret_front
        return self.side if aspect is Aspect.HULL else self.turret_side

    @property
    def factors(self) -> tuple[int, ...]:
        """All of them."""
        return (self.front, self.side, self.turret_front, self.turret_side)


class VehicleCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A vehicle counter (1.2.7, 7.0-7.6)."""

    id: CardId
    nationality: Nationality
    type: VehicleType
    mp: int
    armour: Armour
    turret: Mount
    main: Armament
    crew_morale: int
    """Morale of the inherent crew (7.10)."""
    source: str
    status: Status
    red_mp: bool = False
    """Mechanical Reliability (3.3.2)."""
    stall: int = 0
    """DR of a start at which it stalls, 0 if it never does: dagger notes."""
    breaks_down_at: int = 12
    """DR of a start at which a vehicle with red MP is immobilized (3.3.2)."""
    ground_pressure: GroundPressure = GroundPressure.NORMAL
    size: Size = Size.AVERAGE
    bmg: int = 0
    cmg: int = 0
    aamg: int = 0
    rmg: int = 0
    bmg_fixed: bool = False
    """BMG on a white dot: +1 against a moving target (7.8)."""
    cmg_since: str = ""
    """Month from which on it has its CMG, such as ``1944-09``."""
    mg_in_vca: tuple[str, ...] = ()
    """MG that fire within the VCA alone, by name: notes."""
    aamg_buttoned_up: bool = False
    """The AAMG is fired from inside: only while BU (note O)."""
    dispenser: Dispenser | None = None
    usage: dict[str, int] = {}
    """Usage number of the dispenser by the date since which it holds, "" for always (7.5)."""
    dispenses_once: bool = False
    """Once per scenario: notes."""
    close_defence: tuple[int, int] | None = None
    """FP and usage number of a close defence weapon that places no smoke (notes)."""
    to_kill_rows: tuple[str, ...] = ()
    """Rows of the AP To Kill table of a MA that makes two To Kill DR, of which the firer picks one: notes."""
    recalled_by_stun: bool = False
    """Any Stun means Recall: notes."""
    turns_turret: bool = False
    """Counts as NT and yet has a TCA that it may turn at the NT price: notes."""
    bpv: int = 0
    counters: int = 0
    """How many the kit has."""
    note: str = ""

    @property
    def name(self) -> str:
        """The vehicle as players say it."""
        return self.id.partition("/")[2]

    def has_cmg(self, year: int, month: int) -> bool:
        """Whether it has its CMG at a date: notes."""
        return self.cmg > 0 and (not self.cmg_since or _month(self.cmg_since) <= (year, month))

    def usage_number(self, year: int, month: int) -> int:
        """Usage number of its dispenser at a date, 0 before it has one (7.5)."""
        return max(
            ((_month(since), number) for since, number in self.usage.items() if _month(since) <= (year, month)),
            default=((0, 0), 0),
        )[1]

    @property
    def main_mg(self) -> VehicleGun | None:
        """Which of its MG is the MA, if one is (7.8)."""
        if not self.main.is_mg:
            return None
        return VehicleGun.BOW if self.bmg else VehicleGun.COAXIAL

    @property
    def has_turret(self) -> bool:
        """Whether it has a TCA apart from its VCA."""
        return self.turret.is_turret or self.turns_turret


def _month(date: str) -> tuple[int, int]:
    """Year and month of a date such as ``1944-06``, ``1944`` or "" for always."""
    year, _, month = date.partition("-")
    return int(year or 0), int(month or 1)
