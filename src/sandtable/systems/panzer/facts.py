"""What geometry tells combat of a shot: all that tables need to know, and no place (4.4.3.2, 6.5.2, 6.5.4).

Hexes and inches measure these alike; code that resolves fire sees nothing else of where things are.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from sandtable.systems.panzer.advanced_card import TargetType
from sandtable.systems.panzer.cards import RangeFactor
from sandtable.systems.panzer.terrain import Cover
from sandtable.systems.panzer.unit import Grade, UnitId

__all__ = [
    "CLEAR",
    "HINDRANCES",
    "LOST",
    "AdvancedShot",
    "BlastFacts",
    "BlastKind",
    "DualFire",
    "Harm",
    "HarmKind",
    "Hindrances",
    "ShotFacts",
]


class DualFire(StrEnum):
    """What a second weapon of a unit does in the same step (5.14)."""

    NONE = ""
    SAME = "same target"
    OTHER = "other target"


class Hindrances(msgspec.Struct, frozen=True, omit_defaults=True):
    """What hinders fire on a line, beside Brew-Up Smoke, and how often; of several in a hex the worst alone (5.11)."""

    smoke_open: int = 0
    smoke_closed: int = 0
    barrage_open: int = 0
    barrage_closed: int = 0
    dust: int = 0
    on_fire: int = 0


HINDRANCES = Hindrances.__struct_fields__
CLEAR = Hindrances()


class AdvancedShot(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the Advanced Game asks of an AP shot beside (6.5.2.4)."""

    grade: Grade
    shooter_suppressed: bool = False
    hindrances: Hindrances = CLEAR
    ammo_short: int = 0
    """Ammo types that are short: special ammo, and the basic one fired in its place (5.16.2.2)."""
    transported: bool = False
    heat_haze: bool = False
    sun: int = 0
    """The scenario's modifier where the sun blinds (6.1.4.3.13)."""
    dual: DualFire = DualFire.NONE


class ShotFacts(msgspec.Struct, frozen=True):
    """All that the tables need to know of an AP shot."""

    range_factor: RangeFactor
    target_size: int
    target_moving: bool
    cover: Cover
    short_halt: bool
    stabilisation: int
    shooter_damaged: bool
    smoke: int
    """Occurrences of Brew-Up Smoke that the line meets."""
    overwatch: bool
    in_field: bool
    """Target within the front (or rear) field-of-fire, which overwatch asks."""
    commander_sight: bool
    advanced: AdvancedShot | None = None
    """None in the Basic Game."""
    overwatch_row: str = ""
    """The modifier of overwatch where the book has one for each field-of-fire and traverse (8.4.2.9-8.4.2.11)."""


class BlastKind(StrEnum):
    """How GP fire comes (6.5.1, 6.5.4, 6.6.10, 6.7)."""

    DIRECT = "DF"
    INDIRECT = "IF"
    PLANNED = "planned IF"
    AIR = "aircraft"
    ANTI_AIRCRAFT = "AA"
    OVERRUN = "overrun"


class BlastFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that the tables need to know of GP fire on one unit or piece of terrain that it catches."""

    kind: BlastKind = BlastKind.DIRECT
    factor: int
    """GP Factor (6.5.4.1)."""
    range_factor: RangeFactor
    defense: int
    """GP Defense Factor (6.5.4.2)."""
    target_type: TargetType = TargetType.S
    is_vehicle: bool = False
    small_arms: bool = False
    effectiveness: int = 0
    """Greatest GP Effectiveness Factor (6.5.4.4.2)."""
    grade: Grade = Grade.SEASONED
    """Of the firer; Seasoned, which changes nothing, for off-map batteries (5.8.3)."""
    moving: bool = False
    """A vehicle that moves and whose command is known; not one that drives into a Barrage (6.5.4.3)."""
    cover: Cover = Cover.NONE
    """Of a vehicle; for fire from above only where there is a roof (6.5.4.3)."""
    crawling: bool = False
    behind_wall: bool = False
    """A leg or towed unit with a Wall or Defilade hexside on the line."""
    entrenched: bool = False
    short_halt: bool = False
    shooter_damaged: bool = False
    shooter_suppressed: bool = False
    smoke: int = 0
    """Occurrences of Brew-Up Smoke on the line."""
    hindrances: Hindrances = CLEAR
    open_sheaf: bool = False
    """An off-map battery's Open SHEAF."""
    overwatch: bool = False
    in_field: bool = True
    ammo_short: bool = False
    heat_haze: bool = False
    sun: int = 0
    transported: bool = False
    dual: DualFire = DualFire.NONE
    coax_mg: bool = False
    hull_down: bool = False
    """Hull Down or Partially so, which spares a vehicle the Track hits of Direct Fire (6.5.4.4.2)."""
    beside: tuple[tuple[int, str, str], ...] = ()
    """Modifiers of a special attack: value, what it is, rule (aircraft 6.7.3.5, AA 6.7.4.2)."""


class HarmKind(StrEnum):
    """What fire did to a unit as far as somebody may bail out for it (5.15)."""

    ND = "ND"
    TK = "TK"
    TK_AGAIN = "TK again"
    """A further Track hit, which only passengers mind (6.5.2.6.1, 6.5.2.6.2)."""
    DM = "DM"
    KO = "KO"
    BU = "BU"
    SUPPRESSED = "suppressed"
    """Of a passenger that had no SUPPRESSION/ON counter (6.5.4.5)."""


LOST = (HarmKind.KO, HarmKind.BU)
"""Results after which a vehicle is a wreck."""


class Harm(msgspec.Struct, frozen=True):
    """One such result."""

    unit: UnitId
    kind: HarmKind
