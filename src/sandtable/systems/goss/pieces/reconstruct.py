"""The method by which the values of units are made from history (docs/reconstruction-goss.md).

A unit is the sum of its companies and of its heavy weapons; factors go by gun and plate, allowances by vehicles,
ratings by quality, barrages by tubes and range. Every known counter value comes out. Values of the packs were worked
out once by :func:`rebuild` and a test works them out again. Nothing in play calls this module.
"""

from __future__ import annotations

from fractions import Fraction

import msgspec

from sandtable.systems.goss.pieces.card import Kind, Strength
from sandtable.systems.goss.pieces.history import Company, Gun, History, Mobility, Plate, Quality, Tubes, Weapons
from sandtable.systems.goss.pieces.rounding import nearest
from sandtable.systems.goss.pieces.unit_type import UnitType

__all__ = ["COMPANIES", "barrage", "factors", "full_strength", "range_hexes", "ratings", "rebuild", "reduced_strength"]

COMPANIES = {
    Company.RIFLE: Strength(2, 2),
    Company.WEAK_RIFLE: Strength(1, 2),
    Company.GUARD: Strength(1, 1),
    Company.ARMOURED_INFANTRY: Strength(3, 3),
    Company.ENGINEERS: Strength(2, 3),
    Company.COMBAT_ENGINEERS: Strength(2, 2),
    Company.LIGHT_ENGINEERS: Strength(1, 2),
    Company.POOR_ENGINEERS: Strength(1, 1),
    Company.ARMOURED_ENGINEERS: Strength(2, 3),
    Company.CAVALRY: Strength(2, 2),
    Company.ARMOURED_CARS: Strength(2, 3),
    Company.LIGHT_RECON: Strength(2, 2),
    Company.LIGHT_TANKS: Strength(2, 1),
    Company.MEDIUM_TANKS: Strength(3, 2),
    Company.PANZER_IV: Strength(3, 3),
    Company.HEAVY_TANKS: Strength(4, 3),
    Company.TIGER_II: Strength(4, 4),
    Company.TANK_DESTROYERS: Strength(2, 2),
    Company.ASSAULT_GUNS: Strength(2, 3),
    Company.JAGDPANTHER: Strength(3, 3),
    Company.AT_GUNS: Strength(1, 2),
    Company.HEAVY_GUNS: Strength(2, 3),
    Company.STAFF: Strength(0, 1),
    Company.BATTERY: Strength(0, 1),
}
WEAPONS = {
    Weapons.NONE: Strength(0, 0),
    Weapons.FIRST_LINE: Strength(1, 2),
    Weapons.SECOND_LINE: Strength(1, 1),
    Weapons.WORN: Strength(1, 0),
    Weapons.REAR: Strength(0, 1),
}
GUNS = {
    Gun.NONE: 0,
    Gun.INFANTRY_WEAPONS: 1,
    Gun.MM_37: 1,
    Gun.CAR: 2,
    Gun.MM_57: 3,
    Gun.US_75: 3,
    Gun.US_75_76: 4,
    Gun.MM_75_L48: 4,
    Gun.POUNDER_17: 5,
    Gun.MM_75_L70: 6,
    Gun.MM_90: 6,
    Gun.MM_88_L56: 6,
    Gun.MM_88_L71: 7,
    Gun.TANK_88_L71: 8,
}
PLATES = {
    Plate.THIN: 1,
    Plate.MEDIUM: 3,
    Plate.PANZER_IV: 4,
    Plate.LOW: 5,
    Plate.SLOPED: 6,
    Plate.JAGDPANTHER: 7,
    Plate.TIGER_II: 8,
}
ALLOWANCES = {
    Mobility.FOOT: 6,
    Mobility.WHEELS: 12,
    Mobility.TRACKS: 12,
    Mobility.CARS: 14,
    Mobility.HEAVY: 9,
    Mobility.HAULED: 9,
    Mobility.HORSES: 6,
    Mobility.NONE: 0,
}
RATINGS: dict[Quality, tuple[int | None, int]] = {
    Quality.ELITE: (7, 8),
    Quality.VETERAN: (7, 7),
    Quality.REGULAR: (6, 7),
    Quality.AVERAGE: (6, 6),
    Quality.SECOND_LINE: (5, 6),
    Quality.WORN: (4, 5),
    Quality.REAR: (3, 4),
    Quality.GUARDS: (None, 4),
    Quality.GUNNERS: (None, 5),
    Quality.ARMOURED_GUNNERS: (None, 6),
    Quality.STAFF: (None, 5),
}
POINTS_A_TUBE = {
    Tubes.LIGHT: Fraction(1, 4),
    Tubes.MEDIUM: Fraction(1, 3),
    Tubes.HEAVY: Fraction(5, 12),
    Tubes.SUPER_HEAVY: Fraction(5, 6),
    Tubes.ROCKETS: Fraction(2, 9),
}
HEXES_A_MILE = Fraction(71, 100)
_BEST_ENGINEERS = 7


def full_strength(history: History) -> Strength:
    """The companies added up, with the heavy weapons."""
    weapons = WEAPONS[history.weapons]
    given = [COMPANIES[one] for one in history.companies]
    return Strength(
        sum(one.attack for one in given) + weapons.attack, sum(one.defence for one in given) + weapons.defence
    )


def reduced_strength(history: History, kind: Kind) -> Strength | None:
    """The strength after the first loss, of a unit with more than one company; a hybrid loses by 22.6.0."""
    if len(history.companies) == 1:
        return None
    lost = history.companies[0] if kind is Kind.HYBRID else max(history.companies, key=COMPANIES.__getitem__)
    left = list(history.companies)
    left.remove(lost)
    return full_strength(msgspec.structs.replace(history, companies=tuple(left)))


def z_strength(history: History) -> Strength | None:
    """Half of a company, rounded down (ruling T-13)."""
    if not history.divides:
        return None
    full = full_strength(history)
    return Strength(full.attack // 2, full.defence // 2)


def factors(history: History) -> tuple[tuple[int, int], int]:
    """Arm factors of attack and defence, and AT factor: the gun, and for the defence half of gun and plate together."""
    gun = GUNS[history.gun]
    match history.plate:
        case Plate.NONE:
            return (0, 0), gun
        case Plate.CAR:
            return (gun, gun), 0
        case plate:
            return (gun, (gun + PLATES[plate]) // 2), 0


def ratings(history: History, kind: Kind) -> tuple[int | None, int]:
    """Offensive and defensive PR; engineers attack one better than their division, at most with 7."""
    offensive, defensive = RATINGS[history.quality]
    if kind is Kind.ENGINEERS and offensive is not None:
        offensive = max(offensive, min(offensive + 1, _BEST_ENGINEERS))
    return offensive, defensive


def barrage(history: History) -> int:
    """Barrage factor: 1 for four light tubes, 4 for twelve medium and 5 for twelve heavy ones, at least 1."""
    if history.battery is None:
        return 0
    return max(1, nearest(history.battery.tubes * POINTS_A_TUBE[history.battery.weight]))


def range_hexes(history: History) -> int:
    """Range: 0.71 of the greatest range in miles, to the nearest hex."""
    return nearest(Fraction(str(history.battery.miles)) * HEXES_A_MILE) if history.battery is not None else 0


def rebuild(unit: UnitType) -> UnitType:
    """A type with the values that the method gives it."""
    history = unit.history
    arm, at = factors(history)
    return msgspec.structs.replace(
        unit,
        steps=len(history.companies),
        full=full_strength(history),
        reduced=reduced_strength(history, unit.kind),
        z_step=z_strength(history),
        ma=ALLOWANCES[history.mobility],
        ratings=ratings(history, unit.kind),
        arm=arm,
        at=at,
        barrage=barrage(history),
        range=range_hexes(history),
    )
