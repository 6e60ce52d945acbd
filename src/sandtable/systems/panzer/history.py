"""Historical figures of vehicles and guns: what the cards are computed from.

Figures as commonly given: speeds, dimensions, plates with their slope, penetration by range. They live in
the pack beside the cards, so that ``reconstruct`` can compute every card again (docs/reconstruction.md).
"""

from __future__ import annotations

from enum import StrEnum
from typing import NewType

import msgspec

__all__ = [
    "Action",
    "AmmoType",
    "ArmorHistory",
    "Carriage",
    "Gun",
    "GunId",
    "History",
    "Material",
    "Plate",
    "Rangefinder",
    "Round",
    "Stabiliser",
    "Troops",
]

GunId = NewType("GunId", str)


class Material(StrEnum):
    """What a plate is made of."""

    ROLLED = "rolled"
    CAST = "cast"
    HARD = "hard"
    """Face-hardened or high-hardness steel."""
    ALUMINIUM = "aluminium"
    EQUIVALENT = "equivalent"
    """Laminate: a published estimate in mm of rolled steel along the line of fire."""


class Plate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A plate: thickness and slope from the vertical, below 0 where it leans out over the ground like a nose plate."""

    mm: float
    slope: float = 0
    material: Material = Material.ROLLED


class ArmorHistory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Plates by aspect; a superstructure or gun shield counts as the turret. No plates: open."""

    turret_front: tuple[Plate, ...] = ()
    hull_front: tuple[Plate, ...] = ()
    turret_side: tuple[Plate, ...] = ()
    hull_side: tuple[Plate, ...] = ()
    turret_rear: tuple[Plate, ...] = ()
    hull_rear: tuple[Plate, ...] = ()
    roof_mm: float = 0
    """Of the roof and decks."""


class Stabiliser(StrEnum):
    """How a gun is kept on target on the move."""

    NONE = "none"
    TWO_PLANE = "two-plane"
    """Gun and turret, sight tied to the gun."""
    COMPUTER = "computer"
    """The same with a stabilised sight and a ballistic computer."""
    DIRECTOR = "director"
    """The sight is stabilised by itself and the gun follows it."""


class Rangefinder(StrEnum):
    """How the gunner finds the range."""

    EYE = "eye"
    """By eye and graticule: the standard of the Second World War."""
    STADIA = "stadia"
    LASER = "laser"


class History(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Public figures of a vehicle."""

    road_kmh: float
    cross_country_kmh: float
    length_m: float
    """Of the hull, without the gun."""
    width_m: float
    height_m: float
    """To the roof of the turret or superstructure."""
    traverse: float = 0
    """Degrees a second of the turret; 0 without a turret."""
    arc: int = 0
    """Degrees that a gun without a turret traverses, 360 on a pivot; 0 with a turret or without a gun."""
    stabiliser: Stabiliser = Stabiliser.NONE
    rangefinder: Rangefinder = Rangefinder.EYE
    commander_sight: bool = False
    armor: ArmorHistory | None = None
    """Nothing: soft-skinned."""
    open_topped: bool = False
    weight_t: float = 0
    machine_guns: int = 0
    """That are fired from inside."""
    coax_mg: bool = False
    seats: int = 0
    """For passengers."""
    tows_kg: float = 0


class AmmoType(StrEnum):
    """AP types of ammunition (4.4.3)."""

    AP = "AP"
    APCR = "APCR"
    APDS = "APDS"
    APFSDS = "APFSDS"
    HEAT = "HEAT"
    HEAT_MP = "HEAT-MP"
    HESH = "HESH"
    ATGM = "ATGM"

    @property
    def is_shaped_charge(self) -> bool:
        """CE rather than KE ammunition (6.5.2.3.4)."""
        return self not in {AmmoType.AP, AmmoType.APCR, AmmoType.APDS, AmmoType.APFSDS}


class Action(StrEnum):
    """How a gun is loaded."""

    SINGLE = "single"
    QUICK = "quick"
    AUTOMATIC = "automatic"
    MACHINE_GUN = "machine gun"


class Round(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A round: what it goes through at which range."""

    name: str
    type: AmmoType
    muzzle_ms: float
    mm: dict[int, float]
    """Penetration in mm of rolled steel by range in metres; a single entry holds at every range."""
    slope: int = 0
    """Degrees from the vertical of the plates shot at; 0 also for figures along the line of fire."""
    reach_m: int = 0
    """Greatest range where the weapon sets it (missiles)."""
    available_from: str = ""


class Gun(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A gun and its rounds."""

    id: GunId
    name: str
    calibre_mm: float
    action: Action = Action.SINGLE
    rounds: tuple[Round, ...] = ()
    shell_ms: float = 0
    """Muzzle velocity of its high explosive shell; 0 where it has none."""
    smoke: bool = False
    mortar: bool = False
    reach_m: int = 0
    """Greatest range of indirect fire; 0 where it has none."""
    barrels: int = 1
    """Of a machine gun mount."""
    short_of_shells: bool = False
    """Carried for close support, with few high explosive shells."""


class Troops(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a leg unit is made of."""

    men: int
    rifles: int = 0
    submachine_guns: int = 0
    light_machine_guns: int = 0
    """Magazine-fed ones and Bren guns."""
    belt_fed_guns: int = 0
    """Machine guns that feed from belts."""
    motorcycles: int = 0


class Carriage(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Public figures of a towed gun."""

    weight_kg: float
    """In action."""
    crew: int
    height_m: float
    shield: bool = False
