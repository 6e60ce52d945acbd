"""Data Cards of vehicles (1.5, 1.6 of *Panzer North Africa*; 1.4, 1.5 of *MBT*) and the history behind them.

A card says what a vehicle can do in the Basic Game: its Movement Factor (4.5.1.1.1), Target Size (4.4.3.2.2),
weapons with range and penetration rows (4.4.3.2.1, 4.4.3.2.5), field-of-fire (4.4.3.1) and armor (4.4.3.2.5).
Few printed cards are known, so a card also carries the historical figures from which ``reconstruct``
computes its values, and names those that a rulebook states. What it says for the Advanced Game is its ``advanced``
part and the GP rows, limits and damage rows of its weapons.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NewType

import msgspec

from sandtable.core.content.table import Status
from sandtable.systems.panzer.advanced_card import AdvancedCard, AmmoLimits, DamageRow, GpKind, GpRow, UnitClass
from sandtable.systems.panzer.history import AmmoType, Carriage, GunId, History, Troops
from sandtable.systems.panzer.ranges import RangeFactor, Row
from sandtable.systems.panzer.terrain import Sourced, Traction

__all__ = [
    "ALL_ROUND",
    "USUAL_DAMAGE",
    "Ammo",
    "AmmoType",
    "Armor",
    "Available",
    "Card",
    "CardId",
    "Kind",
    "Mount",
    "Movement",
    "RangeFactor",
    "RateOfFire",
    "Row",
    "Weapon",
    "basic_part",
    "date_of",
    "is_advanced",
]

CardId = NewType("CardId", str)

ALL_ROUND = 360
"""Field-of-fire of a turret or pivot mount in degrees (4.4.3.1.1, 4.4.3.1.2)."""
_NAMES = {"id", "name", "nation", "kind"}
_FIGURES = "figures as commonly given, unchecked (docs/reconstruction.md)"
USUAL_DAMAGE = DamageRow(ND=1, DM=4, KO=8)
"""The damage row of ammo whose card gives none (6.5.2.5)."""
_SEASONS = {"early": "01", "mid": "05", "late": "09"}


def date_of(words: str) -> str:
    """A card's date such as ``early-41`` as year-month; one that is written so stays (5.16.1)."""
    season, _, year = words.partition("-")
    return f"19{year}-{_SEASONS[season]}" if season in _SEASONS else words


class Mount(StrEnum):
    """Where a weapon points: the underscored and overscored ammo of the card (4.4.3.1.4, 4.4.3.1.5)."""

    ALL = "all"
    FRONT = "front"
    REAR = "rear"


class RateOfFire(StrEnum):
    """ROF letter of the card: normal, quick, rapid, full automatic (6.5.2.1)."""

    N = "N"
    Q = "Q"
    R = "R"
    F = "F"


class Kind(StrEnum):
    """What sort of unit a card describes."""

    TANK = "tank"
    TANK_DESTROYER = "tank destroyer"
    ASSAULT_GUN = "assault gun"
    ARMORED_CAR = "armored car"
    CARRIER = "carrier"
    FIGHTING_VEHICLE = "fighting vehicle"
    OBSERVER = "observer"
    PRIME_MOVER = "prime mover"
    TRUCK = "truck"
    BRIDGELAYER = "bridgelayer"
    PORTEE = "portée"
    INFANTRY = "infantry"
    """Squads, half-squads and sections on foot (5.1)."""
    MOTORCYCLES = "motorcycles"
    ANTI_TANK_GUN = "anti-tank gun"
    ANTI_AIRCRAFT_GUN = "anti-aircraft gun"
    FIELD_GUN = "field gun"


class Ammo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One ammo type of a weapon: its R and P sub-rows."""

    type: AmmoType
    R: Row
    P: Row
    basic: bool = True
    """Whether the Basic Game uses it (4.4.3)."""
    available_from: str = ""
    """As the card has it: ``early-41``, or year-month."""
    damage: DamageRow | None = None
    """By the units digit in the Advanced Game (6.5.2.5)."""

    @property
    def damage_row(self) -> DamageRow:
        """Its damage row, or the usual one (6.5.2.5)"""
        return self.damage or USUAL_DAMAGE

    def range_factor(self, range_hexes: int) -> RangeFactor | None:
        """First column whose R value reaches the range; none beyond E (3.5.2, 4.4.3.2.1)"""
        return self.R.reached(range_hexes)

    def penetration(self, range_hexes: int) -> int | None:
        """The P value under the range factor; none beyond E (4.4.3.2.5)"""
        factor = self.range_factor(range_hexes)
        return None if factor is None else self.P.of(factor)


class Weapon(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon of a card; one without ammo has no AP row and does not fire in the Basic Game."""

    name: str
    rof: RateOfFire
    mount: Mount
    gun: GunId = GunId("")
    """The gun in the pack's history."""
    ammo: tuple[Ammo, ...] = ()
    gp: tuple[GpRow, ...] = ()
    """GP rows of the Advanced Game: direct, indirect, anti-aircraft (6.5.4.1)."""
    limits: AmmoLimits = AmmoLimits()
    smoke: bool = False
    """Fires smoke (6.1.4.3.10)."""
    small_arms: bool = False
    """5.7."""
    dual: bool = False
    """Printed as a reverse image: Dual Fire hinders it and not the other weapon (5.14)."""
    hull_limited: bool = False
    """May not fire from a Hull Down position (6.1.4.1.2)."""

    def gp_row(self, kind: GpKind) -> GpRow | None:
        """Its GP row for a kind of fire (6.5.1, 6.5.4, 6.7.4)."""
        return next((row for row in self.gp if row.kind is kind), None)

    def range_factor(self, ammo: int, range_hexes: int) -> RangeFactor | None:
        """The range factor of the ammo at index ``ammo`` (4.4.3.2.1)"""
        return self.ammo[ammo].range_factor(range_hexes)

    def penetration(self, ammo: int, range_hexes: int) -> int | None:
        """The Penetration Factor of the ammo at index ``ammo`` (4.4.3.2.5)"""
        return self.ammo[ammo].penetration(range_hexes)


class Movement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Movement Factor, e.g. 4T 6-9 (4.5.1.1.1)."""

    cross_country: int
    mode: Traction
    path: int
    road: int

    def __str__(self) -> str:
        return f"{self.cross_country}{self.mode} {self.path}-{self.road}"


class Armor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Armor of the Basic Game (4.4.3.2.5)."""

    front: int
    rear: int


class Available(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When a vehicle served in the theatre, as year-month; an empty end is open."""

    first: str = msgspec.field(name="from", default="")
    last: str = msgspec.field(name="to", default="")


# --- the card -----------------------------------------------------------------------------------------


class Card(Sourced, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The Data Card of a vehicle, a leg unit or a towed gun."""

    id: CardId
    name: str
    nation: str
    kind: Kind
    unit_class: UnitClass = UnitClass.VEHICLE
    reference: str = ""
    """Number of the printed card, where the rulebook gives it."""
    available: Available = Available()
    armed: bool
    fire_support: bool = False
    """Has fire support sights, so it spots although unarmed (MBT 4.1.1)."""
    movement: Movement
    size: int
    """Target Size, -2 to +2 (4.4.3.2.2)."""
    sb: int
    """Stabilisation: 1 best, 3 worst, 0 none."""
    tt: int | None
    """TT Factor: 1 to 3 a turret, 360 a pivot, 0 or 60, 120, 180 fixed; nothing where unarmed."""
    cis: bool = False
    """Commander's independent sight (MBT 4.4.3.2.2)."""
    armor: Armor
    weapons: tuple[Weapon, ...] = ()
    points: int
    """Value for balancing scenarios; the project's own."""
    notes: tuple[str, ...] = ()
    advanced: AdvancedCard | None = None
    """Its part for the Advanced Game; None where it has none and plays the Basic Game only."""
    history: History | None = None
    """The figures of a vehicle."""
    troops: Troops | None = None
    """What a leg unit is made of."""
    carriage: Carriage | None = None
    """The figures of a towed gun."""

    def provenance(self, path: str) -> tuple[Status, str]:
        """Status and source of a field; what a vehicle is called is public, its figures are commonly given."""
        status, source = super().provenance(path)
        if status is not Status.RECONSTRUCTED:
            return status, source
        field = path.partition(".")[0]
        if field in _NAMES or path.endswith((".name", ".gun")):
            return Status.PUBLISHED, "public history"
        return status, _FIGURES if field in {"history", "troops", "carriage", "available"} else source

    @property
    def has_turret(self) -> bool:
        """Turreted or turretless 360 (4.4.3.1.1, 4.4.3.1.2)"""
        return self.tt in {1, 2, 3, ALL_ROUND}

    @property
    def movement_factor(self) -> str:
        """As it is printed: 4T 6-9 of a vehicle, 2L 3 with the Quickmarch of a leg unit (4.5.1.1.1, 6.6.4.1)"""
        if self.movement.mode is not Traction.LEG:
            return str(self.movement)
        return f"{self.movement.cross_country}L {self.advanced.quickmarch if self.advanced else 0}"


_ADVANCED = {"gp", "limits", "smoke", "small_arms", "dual", "hull_limited", "damage"}


def is_advanced(path: str) -> bool:
    """Whether a field of a card belongs to the Advanced Game."""
    parts = path.split(".")
    return parts[0] == "advanced" or not _ADVANCED.isdisjoint(parts)


def basic_part(card: Card) -> Card:
    """What the Basic Game knows of a card."""

    def plain(weapon: Weapon) -> Weapon:
        ammo = tuple(Ammo(one.type, one.R, one.P, one.basic, one.available_from) for one in weapon.ammo)
        return Weapon(weapon.name, weapon.rof, weapon.mount, weapon.gun, ammo)

    return msgspec.structs.replace(
        card,
        weapons=tuple(map(plain, card.weapons)),
        advanced=None,
        verbatim={path: number for path, number in card.verbatim.items() if not is_advanced(path)},
    )
