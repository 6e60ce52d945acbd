"""What a unit was: the companies, weapons, vehicles and quality that its values are made from.

Facts of tables of organisation and common reference works. They lie in the pack beside the values, so that
``reconstruct`` can work every type out again (docs/reconstruction-goss.md).
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

__all__ = ["Battery", "Company", "Gun", "History", "Mobility", "Plate", "Quality", "Tubes", "Weapons"]


class Company(StrEnum):
    """Companies that units are made of."""

    RIFLE = "rifle"
    WEAK_RIFLE = "weak rifle"
    GUARD = "guard"
    ARMOURED_INFANTRY = "armoured infantry"
    ENGINEERS = "engineers"
    """A company by itself, with what its division gives it."""
    COMBAT_ENGINEERS = "combat engineers"
    """In its battalion, or motorised."""
    LIGHT_ENGINEERS = "light engineers"
    POOR_ENGINEERS = "poor engineers"
    ARMOURED_ENGINEERS = "armoured engineers"
    CAVALRY = "cavalry"
    ARMOURED_CARS = "armoured cars"
    LIGHT_RECON = "light recon"
    LIGHT_TANKS = "light tanks"
    MEDIUM_TANKS = "medium tanks"
    PANZER_IV = "Pz IV"
    HEAVY_TANKS = "heavy tanks"
    TIGER_II = "Pz VIb"
    TANK_DESTROYERS = "tank destroyers"
    ASSAULT_GUNS = "assault guns"
    JAGDPANTHER = "Jagdpanther"
    AT_GUNS = "AT guns"
    HEAVY_GUNS = "heavy guns"
    """88 mm guns, Flak or AT."""
    STAFF = "staff"
    BATTERY = "battery"
    """Of artillery, which fights as little else."""


class Weapons(StrEnum):
    """The heavy weapons of a battalion besides its companies."""

    NONE = ""
    FIRST_LINE = "first line"
    SECOND_LINE = "second line"
    WORN = "worn"
    REAR = "rear"


class Quality(StrEnum):
    """How good the men are."""

    ELITE = "elite"
    VETERAN = "veteran"
    REGULAR = "regular"
    AVERAGE = "average"
    SECOND_LINE = "second line"
    WORN = "worn"
    REAR = "rear"
    GUARDS = "guards"
    """Police and the crews of static guns: they do not attack."""
    GUNNERS = "gunners"
    ARMOURED_GUNNERS = "armoured gunners"
    STAFF = "staff"


class Mobility(StrEnum):
    """How a unit gets about."""

    FOOT = "foot"
    WHEELS = "wheels"
    """Trucks and half-tracks."""
    TRACKS = "tracks"
    CARS = "cars"
    """Armoured cars and jeeps."""
    HEAVY = "heavy"
    """Heavy tanks and heavy tractors."""
    HAULED = "hauled"
    """Towed AT guns with few vehicles."""
    HORSES = "horses"
    NONE = "none"


class Gun(StrEnum):
    """The best gun against tanks, by its class."""

    NONE = ""
    INFANTRY_WEAPONS = "infantry weapons"
    MM_37 = "37 mm"
    CAR = "armoured car"
    MM_57 = "57 mm"
    """50 mm too."""
    US_75 = "75 mm M3"
    US_75_76 = "75 and 76 mm"
    MM_75_L48 = "75 mm L/48"
    """The Pak 40 and the US 3-inch gun too."""
    POUNDER_17 = "17-pounder"
    MM_75_L70 = "75 mm L/70"
    MM_90 = "90 mm"
    MM_88_L56 = "88 mm L/56"
    MM_88_L71 = "88 mm L/71"
    TANK_88_L71 = "88 mm L/71 in a heavy tank"


class Plate(StrEnum):
    """What protects a vehicle; nothing of a gun that is towed."""

    NONE = ""
    CAR = "car"
    THIN = "thin"
    """Or open."""
    MEDIUM = "medium"
    PANZER_IV = "Pz IV"
    LOW = "low"
    """A low assault gun."""
    SLOPED = "sloped"
    """Well sloped, or 100 mm."""
    JAGDPANTHER = "Jagdpanther"
    TIGER_II = "Pz VIb"


class Tubes(StrEnum):
    """Artillery by the weight of its shell."""

    LIGHT = "light"
    """75 to 105 mm."""
    MEDIUM = "medium"
    HEAVY = "heavy"
    SUPER_HEAVY = "super heavy"
    ROCKETS = "rockets"


class Battery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The guns of an artillery unit."""

    tubes: int
    weight: Tubes
    miles: float
    """Greatest range."""


class History(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a unit was."""

    companies: tuple[Company, ...]
    """In the order in which a hybrid loses them; all others lose their strongest first."""
    quality: Quality
    mobility: Mobility
    weapons: Weapons = Weapons.NONE
    gun: Gun = Gun.NONE
    plate: Plate = Plate.NONE
    battery: Battery | None = None
    divides: bool = False
    """Whether there are Z-steps of it: AT, pure AFV and Flak companies (18.8.0)."""
