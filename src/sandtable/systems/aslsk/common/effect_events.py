"""What happened to units and weapons (3.2.3, 4.0, 5.1)."""

from __future__ import annotations

import msgspec

from sandtable.core.modifier import Breakdown
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.pieces.cards import CardId
from sandtable.systems.aslsk.pieces.state import UnitId, WeaponId

__all__ = [
    "AcquisitionChanged",
    "DemolitionPlaced",
    "Desperation",
    "MoraleChecked",
    "UnitBroke",
    "UnitEliminated",
    "UnitPinned",
    "UnitReduced",
    "UnitReplaced",
    "UnitWounded",
    "WeaponMalfunctioned",
    "WeaponRemoved",
    "WeaponUsed",
    "WoundRolled",
]


class MoraleChecked(msgspec.Struct, frozen=True, tag=True):
    """3.2.3: a MC, PTC, LLMC, LLTC, interdiction or FPF check of one unit."""

    unit: UnitId
    check: str
    """``NMC``, ``1MC`` ..., ``PTC``, ``LLMC``, ``LLTC``, ``interdiction``, ``FPF``."""
    faces: tuple[int, ...]
    number: Breakdown
    """Highest DR that passes."""
    passed: bool


class UnitBroke(msgspec.Struct, frozen=True, tag=True):
    """3.2.3: turned to its broken side, under DM."""

    unit: UnitId


class Desperation(msgspec.Struct, frozen=True, tag=True):
    """3.2.3, 3.6: a broken unit comes under DM."""

    unit: UnitId
    why: str


class UnitPinned(msgspec.Struct, frozen=True, tag=True):
    """3.2.3: a Pin counter."""

    unit: UnitId


class UnitReduced(msgspec.Struct, frozen=True, tag=True):
    """3.2.3: casualty reduction of a squad to a half-squad."""

    unit: UnitId
    card: CardId


class UnitReplaced(msgspec.Struct, frozen=True, tag=True):
    """5.1: replaced by a unit of lower quality."""

    unit: UnitId
    card: CardId


class WoundRolled(msgspec.Struct, frozen=True, tag=True):
    """3.2.3: a wound severity dr."""

    unit: UnitId
    roll: int
    number: Breakdown
    killed: bool


class UnitWounded(msgspec.Struct, frozen=True, tag=True):
    """3.2.3: a Wound counter."""

    unit: UnitId


class UnitEliminated(msgspec.Struct, frozen=True, tag=True):
    """3.2.3: out of the game; its weapons stay in the hex."""

    unit: UnitId
    why: str
    rule: str


class WeaponMalfunctioned(msgspec.Struct, frozen=True, tag=True):
    """4.0, 4.1: turned to its malfunctioned side."""

    weapon: WeaponId


class WeaponRemoved(msgspec.Struct, frozen=True, tag=True):
    """4.0: out of the game."""

    weapon: WeaponId
    why: str


class WeaponUsed(msgspec.Struct, frozen=True, tag=True):
    """4.0: a unit has used a weapon, and what that costs it."""

    unit: UnitId
    weapon: WeaponId
    forfeits: bool = False
    """The unit gives up its inherent FP."""


class DemolitionPlaced(msgspec.Struct, frozen=True, tag=True):
    """4.3: a DC lies operably placed."""

    weapon: WeaponId
    hex: Hex
    cx: bool
    fails_at: int


class AcquisitionChanged(msgspec.Struct, frozen=True, tag=True):
    """6.11: a mortar's Acquired Target counter."""

    weapon: WeaponId
    hex: Hex | None
    drm: int
