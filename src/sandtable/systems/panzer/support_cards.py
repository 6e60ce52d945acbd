"""Data Cards of what is no unit of its own: attached weapons, batteries and aircraft (5.1.3, 5.3, 5.4)."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from sandtable.systems.panzer.advanced_card import AmmoLimits, GpRow
from sandtable.systems.panzer.cards import Available, CardId, Weapon
from sandtable.systems.panzer.terrain import Sourced

__all__ = [
    "AirAttack",
    "AircraftCard",
    "Attachment",
    "AttachmentKind",
    "BatteryCard",
    "BatteryClass",
    "RocketAttack",
]


class AttachmentKind(StrEnum):
    """Kinds of crew-served weapons (5.1.3)."""

    MORTAR = "mortar"
    HMG = "HMG"
    ATR = "ATR"
    HAND_HELD = "hand-held"
    FLAMETHROWER = "flamethrower"

    @property
    def fires_transported(self) -> bool:
        """May fire while its unit is transported (5.1.3.1-5.1.3.5)"""
        return self is AttachmentKind.ATR

    @property
    def fires_upstairs(self) -> bool:
        """May fire from the upper floors of buildings (5.1.3.1, 5.1.3.4)"""
        return self not in (AttachmentKind.MORTAR, AttachmentKind.HAND_HELD)


class Attachment(Sourced, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A crew-served weapon, which is fielded only with a leg unit (5.1.3)."""

    id: CardId
    name: str
    nation: str
    kind: AttachmentKind
    reference: str = ""
    available: Available = Available()
    weapon: Weapon | None = None
    """None of a flamethrower, which betters close combat and does not fire (5.1.3.5)."""
    points: int
    notes: tuple[str, ...] = ()


class BatteryClass(StrEnum):
    """Weights of off-map batteries (5.3)."""

    LIGHT = "Light"
    MEDIUM = "Medium"
    HEAVY = "Heavy"
    SUPER_HEAVY = "Super Heavy"


class BatteryCard(Sourced, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An off-map battery (5.3, 6.5.1)."""

    id: CardId
    name: str
    nation: str
    weight: BatteryClass
    reference: str = ""
    available: Available = Available()
    gp: GpRow
    """By the range from its observer, or from the edge of the mapboard (6.5.1)."""
    smoke: bool = True
    illumination: bool = True
    limits: AmmoLimits = AmmoLimits()
    """Of smoke and illumination; GP ammo is unlimited (5.16.2.5)."""
    points: int
    notes: tuple[str, ...] = ()
    calibre_mm: float
    """History: of its pieces."""
    pieces: int = 4


class AirAttack(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Strafing, or a load of bombs (6.7.3.2, 6.7.3.3)."""

    factor: int
    """GP Factor."""
    limit: int
    """How many attacks it has in a game (5.16.2.6)."""
    effectiveness: int = 0
    """Greatest GP Effectiveness Factor against armor (6.5.4.4.2)."""
    small_arms: bool = False


class RocketAttack(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Salvos of rockets (6.7.3.4)."""

    gp: GpRow
    limit: int


class AircraftCard(Sourced, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An aircraft (5.4, 6.7)."""

    id: CardId
    name: str
    nation: str
    reference: str = ""
    available: Available = Available()
    fast: bool
    """Whether it may fly at Fast Speed; else at Slow only (6.7.2.2)."""
    dive_bomber: bool = False
    """6.7.2.3.2."""
    gp_defense: int
    """S-Type, as every aircraft is (6.5.4.2)."""
    strafe: AirAttack | None = None
    bombs: AirAttack | None = None
    rockets: RocketAttack | None = None
    points: int
    notes: tuple[str, ...] = ()
    history: AirHistory


class AirHistory(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Public figures of an aircraft."""

    speed_kmh: float
    weight_kg: float
    """Empty."""
    machine_guns: int = 0
    """That fire forward, rifle calibre."""
    heavy_machine_guns: int = 0
    cannon_mm: int = 0
    """Calibre of its forward cannon; 0 without."""
    cannon: int = 0
    bombs_kg: float = 0
    """A usual load."""
    rockets_kg: float = 0
    """Of a usual load of rockets, all of them."""
    armored: bool = False
