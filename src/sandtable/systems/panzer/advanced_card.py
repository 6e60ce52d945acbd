"""What a Data Card says for the Advanced Game: armor by angle and location, GP rows, damage, limits, transport.

The Basic values stay in :mod:`sandtable.systems.panzer.cards`. Like those, each comes from the rulebook where it is
stated and from the written method everywhere else (docs/reconstruction.md).
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from sandtable.systems.panzer.ranges import RangeFactor, Row

__all__ = [
    "AdvancedCard",
    "AmmoLimits",
    "AngleArmor",
    "Damage",
    "DamageRow",
    "GpDefense",
    "GpKind",
    "GpRow",
    "HitAngle",
    "HitArmor",
    "Inclination",
    "Location",
    "Portee",
    "SizeClass",
    "TargetType",
    "Transport",
    "UnitClass",
]


class UnitClass(StrEnum):
    """What a unit is by its card (1.7.1, 5.1-5.4)."""

    VEHICLE = "vehicle"
    SQUAD = "squad"
    HALF_SQUAD = "half-squad"
    SECTION = "section"
    TOWED = "towed"

    @property
    def is_leg(self) -> bool:
        """A leg unit (5.1)."""
        return self in (UnitClass.SQUAD, UnitClass.HALF_SQUAD, UnitClass.SECTION)


class SizeClass(StrEnum):
    """Column of the Spotting Ranges Table (6.1.3)."""

    V = "V"
    L = "L"
    S = "S"


class TargetType(StrEnum):
    """What GP Fire meets: armored, protected or soft (6.5.2.3)."""

    A = "A"
    P = "P"
    S = "S"


class HitAngle(StrEnum):
    """From where a shot strikes; right and left are alike (6.5.2.2)."""

    FRONT = "Front"
    FRONT_SIDE = "Front/Side"
    REAR_SIDE = "Rear/Side"
    REAR = "Rear"


class Location(StrEnum):
    """What a shot strikes (6.5.2.2)."""

    TF = "TF"
    TS = "TS"
    TR = "TR"
    HF = "HF"
    HS = "HS"
    HR = "HR"
    TK = "TK"
    DK = "DK"

    @property
    def is_hull(self) -> bool:
        """A part of the hull, which a hull down vehicle hides (6.5.2.2.3)."""
        return self in (Location.HF, Location.HS, Location.HR)


class Inclination(StrEnum):
    """How a shot comes in (6.5.2.3.1)."""

    LEVEL = "Level"
    RISING = "Rising"
    FALLING = "Falling"


class Damage(StrEnum):
    """What a penetrating hit does (6.5.2.5)."""

    ND = "ND"
    DM = "DM"
    KO = "KO"
    BU = "BU"


class AngleArmor(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Armor Factors at one Hit Angle; what cannot be struck from there is None (6.5.2.3.2, 6.5.2.3.3)."""

    TF: int | None = None
    TS: int | None = None
    TR: int | None = None
    HF: int | None = None
    HS: int | None = None
    HR: int | None = None

    def of(self, location: Location) -> int | None:
        """The factor of a location."""
        found: int | None = getattr(self, location.value)
        return found


class HitArmor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Armor Factors of an A-Type or P-Type vehicle: by inclination, angle and location, and the deck (6.5.2.3)."""

    level: dict[HitAngle, AngleArmor]
    rising: dict[HitAngle, AngleArmor]
    falling: dict[HitAngle, AngleArmor]
    deck: int


class DamageRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """AP Damage by the units digit: the highest digit of each result, BU the rest to 10 (6.5.2.5)."""

    ND: int
    DM: int
    KO: int

    def of(self, digit: int) -> Damage:
        """The result of a digit of 1 to 10."""
        if digit <= self.ND:
            return Damage.ND
        if digit <= self.DM:
            return Damage.DM
        return Damage.KO if digit <= self.KO else Damage.BU


class GpKind(StrEnum):
    """Which fire a GP row is for (6.5.1, 6.5.4, 6.7.4)."""

    DIRECT = "DF"
    INDIRECT = "IF"
    ANTI_AIRCRAFT = "AA"


class GpRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A GP row of a weapon: its R and F sub-rows (6.5.4.1)."""

    R: Row
    F: Row
    kind: GpKind = GpKind.DIRECT
    minimum: int = 1
    """Minimum range (5.6)."""
    effectiveness: int = 0
    """Greatest GP Effectiveness Factor against armor (6.5.4.4.2)."""
    modifier: int = 0
    """Of an AA row: its own modifier (6.7.4.2)."""
    no_high: bool = False
    """Of an AA row: N/A vs. High Altitude."""

    def range_factor(self, distance: int) -> RangeFactor | None:
        """First column that reaches; none beyond E and under the Minimum Range (5.6, 6.5.4.1)"""
        return None if distance < self.minimum else self.R.reached(distance)

    def factor(self, distance: int) -> int | None:
        """The GP Factor at a range, None out of it (6.5.4.1)."""
        found = self.range_factor(distance)
        return None if found is None else self.F.of(found)


class AmmoLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The A: row of a weapon: a roll (10) above the number is short of it; None is no limit (5.16.2)."""

    basic: int | None = None
    A: int | None = None
    """APCR and HVAP."""
    H: int | None = None
    """HEAT."""
    S: int | None = None
    """Smoke."""
    I: int | None = None  # noqa: E741 - the letter on the card
    """Illumination."""


class GpDefense(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """GP Defense Factors of a leg or towed unit by cover (6.5.4.2.2); vehicles have one (6.5.4.2.1)."""

    none: int
    light: int
    medium: int
    heavy: int
    full_cover: int = 1
    """Added in Full Cover: 1 or 2."""


class Transport(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Towed and leg capacity, of a vehicle, or needed by a passenger (6.6.7.1)."""

    towed: int
    leg: int


class Portee(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cards of the truck and the gun that a Portée becomes when the gun is unloaded (5.2.1)."""

    truck: str
    gun: str


class AdvancedCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The Advanced Game's part of a Data Card."""

    target_type: TargetType = TargetType.S
    size_class: SizeClass = SizeClass.V
    gp_defense: int | GpDefense = 0
    """One factor of a vehicle, factors by cover of the others."""
    armor: HitArmor | None = None
    """None for an S-Type vehicle, which has 0 everywhere (6.5.2.3), and for what is no vehicle."""
    open_topped: bool = False
    helpless: bool = False
    """C: has hardly a weapon against close assault (6.6.1.1.2)."""
    coax_mg: bool = False
    transports: Transport = Transport(0, 0)
    under_cover: bool = False
    """Its passengers are Under Cover (6.5.4.2.3)."""
    needs: Transport = Transport(0, 0)
    """Capacity that it needs as a passenger; 0-0 where it cannot be one."""
    quickmarch: int = 0
    """Third element of a leg unit's Movement Factor (6.6.4.1)."""
    burdened: int = 0
    """Cross-country allowance of a section with attached weapons (5.1.2)."""
    motorcycle: bool = False
    half: str = ""
    """Card of the half-squad that a squad becomes (5.1.1, 6.5.4.4.3)."""
    portee: Portee | None = None
