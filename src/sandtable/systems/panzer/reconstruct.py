"""The method by which cards are reconstructed from history (docs/reconstruction.md).

One hex is 100 m and one point of armor or penetration 5 mm of rolled steel; the other coefficients are
fitted to the card values that the rulebooks state and reproduce all of them, or chosen where nothing known bears
on them. The cards in the packs were computed once by :func:`rebuild` and a test computes them again. Nothing in
play calls this module: the packs hold the results.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from math import cos, exp, floor, log, radians, sqrt

import msgspec

from sandtable.systems.panzer.cards import Ammo, Armor, Card, Movement, RangeFactor, RateOfFire, Row, Weapon
from sandtable.systems.panzer.history import (
    Action,
    AmmoType,
    ArmorHistory,
    Gun,
    GunId,
    History,
    Material,
    Plate,
    Rangefinder,
    Round,
    Stabiliser,
)
from sandtable.systems.panzer.terrain import Traction

__all__ = [
    "LONG_ROD_ERA",
    "METHODS",
    "SOLID_SHOT_ERA",
    "Method",
    "armor",
    "brackets",
    "extreme_range",
    "millimetres",
    "movement",
    "penetration",
    "points",
    "rebuild",
    "size",
    "stabilisation",
    "turret",
    "weapon_rows",
]

MM_A_POINT = 5
METRES_A_HEX = 100

# Movement: allowance per km/h. Fitted to 4T 6-9 at 40 km/h and 8T 10-16 at 70 km/h.
CROSS_COUNTRY, PATH, ROAD = 0.19, 0.14, 0.225

# Columns P, S, M and L as parts of E. Fitted to the complete rows 3-6-10-14-17, 3-5-9-13-15 and 5-9-16-23-27.
COLUMNS = {RangeFactor.P: 0.17, RangeFactor.S: 0.35, RangeFactor.M: 0.61, RangeFactor.L: 0.84}

# Extreme range: a full-calibre shot by the root of calibre times muzzle velocity, a sabot by velocity.
FULL_CALIBRE, CORED, SHAPED, SABOT = 0.0745, 0.74, 0.93, 0.0194
AIM = {Rangefinder.LASER: 1.0, Rangefinder.STADIA: 0.85, Rangefinder.EYE: 0.85}

# What goes through so much at 30 degrees goes through more at the vertical.
OBLIQUITY = {0: 1.0, 30: 1.22}

QUALITY = {
    Material.ROLLED: 1.0,
    Material.CAST: 0.95,
    Material.HARD: 1.1,
    Material.ALUMINIUM: 0.4,
    Material.EQUIVALENT: 1.0,
}
THIN_MM, THIN_EXPONENT, STEEPEST = 20, 0.5, 65

SB = {Stabiliser.NONE: 0, Stabiliser.DIRECTOR: 1, Stabiliser.COMPUTER: 2, Stabiliser.TWO_PLANE: 3}
ROF = {
    Action.SINGLE: RateOfFire.N,
    Action.QUICK: RateOfFire.Q,
    Action.AUTOMATIC: RateOfFire.R,
    Action.MACHINE_GUN: RateOfFire.F,
}


class Method(msgspec.Struct, frozen=True):
    """What differs between the eras."""

    slope_exponent: float
    """Power of 1/cos(slope) for plates that the shot cannot simply smash."""
    shaped_charge: float
    """Part of a shaped charge's penetration that counts: the Basic Game has one armor for shot and jet."""
    sizes: tuple[float, float, float, float]
    """Boxes in cubic metres from which Target Size is -1, 0, +1 and +2."""
    basic: frozenset[AmmoType]
    """Ammo of the Basic Game (4.4.3)."""
    fixed_arcs: tuple[int, ...]
    """TT Factors of guns without a turret (4.4.3.1.3)."""
    worth: float
    """Points of a scenario for a point of penetration or armor."""
    usual_reach: int
    """E of a usual tank gun; a gun that reaches no further is worth less."""


SOLID_SHOT_ERA = Method(
    slope_exponent=1.5,
    shaped_charge=1.0,
    sizes=(15, 32, 47, 70),
    basic=frozenset({AmmoType.AP}),
    fixed_arcs=(0,),
    worth=2.0,
    usual_reach=16,
)
LONG_ROD_ERA = Method(
    slope_exponent=1.0,
    shaped_charge=0.8,
    sizes=(20, 48, 72, 100),
    basic=frozenset(AmmoType) - {AmmoType.ATGM},
    fixed_arcs=(60, 120, 180),
    worth=0.5,
    usual_reach=30,
)
METHODS = {"panzer-na": SOLID_SHOT_ERA, "mbt": LONG_ROD_ERA}


def _whole(number: float) -> int:
    """Round to the nearest whole number, halves up."""
    return floor(number + 0.5)


def movement(history: History, mode: Traction) -> Movement:
    """Movement Factor from speeds (4.5.1.1.1)"""
    cross_country = max(1, _whole(CROSS_COUNTRY * history.cross_country_kmh))
    path = max(cross_country, _whole(PATH * history.road_kmh))
    return Movement(cross_country, mode, path, max(path, _whole(ROAD * history.road_kmh)))


def size(history: History, method: Method) -> int:
    """Target Size from the box round the vehicle (4.4.3.2.2)"""
    box = history.length_m * history.width_m * history.height_m
    return sum(box >= limit for limit in method.sizes) - 2


def stabilisation(history: History) -> int:
    """SB from the stabiliser (4.4.3.2.2)"""
    return SB[history.stabiliser]


def turret(history: History, method: Method) -> int | None:
    """TT Factor from the traverse: 3 fast, 2, 1 by hand; 360 a pivot; a fixed mount by its arc (4.4.3.1)"""
    if history.traverse:
        return 1 + (history.traverse >= 8) + (history.traverse >= 20)
    if history.arc >= 360:
        return 360
    if history.arc:
        return next((arc for arc in method.fixed_arcs if arc >= history.arc), method.fixed_arcs[-1])
    return None


# --- weapons ------------------------------------------------------------------------------------------


def extreme_range(gun: Gun, shot: Round, rangefinder: Rangefinder) -> int:
    """Range of column E in hexes (3.5.2)"""
    carry = FULL_CALIBRE * sqrt(gun.calibre_mm * shot.muzzle_ms)
    if shot.reach_m:
        return _whole(shot.reach_m / METRES_A_HEX)
    if shot.type is AmmoType.AP:
        return _whole(carry)
    if shot.type is AmmoType.APCR:
        return _whole(CORED * carry)
    if shot.type.is_shaped_charge:
        return _whole(SHAPED * carry * AIM[rangefinder])
    return _whole(SABOT * shot.muzzle_ms * AIM[rangefinder])


def brackets(extreme: int) -> Row:
    """The R row whose last column is ``extreme``; a short one reaches it in several columns (4.4.3.2.1)"""
    near = [_whole(part * extreme) for part in COLUMNS.values()]
    pointblank, short, medium, long = (min(max(value, index + 1), extreme) for index, value in enumerate(near))
    return Row(pointblank, short, medium, long, extreme)


def penetration(shot: Round, ranges: Row, method: Method) -> Row:
    """The P row: penetration at the far end of each column (4.4.3.2.5)"""
    vertical = OBLIQUITY[shot.slope] * (method.shaped_charge if shot.type.is_shaped_charge else 1.0)
    mm = [millimetres(shot, METRES_A_HEX * ranges.of(factor)) for factor in RangeFactor]
    return Row(*(_whole(vertical * value / MM_A_POINT) for value in mm))


def millimetres(shot: Round, metres: float) -> float:
    """Penetration at a range, on the exponential through the two nearest figures."""
    known = sorted(shot.mm.items())
    if len(known) == 1:
        return known[0][1]
    segments = list(pairwise(known))
    (near, at_near), (far, at_far) = next((pair for pair in segments if metres <= pair[1][0]), segments[-1])
    return exp(log(at_near) + (log(at_far) - log(at_near)) * (metres - near) / (far - near))


def weapon_rows(weapon: Weapon, guns: Mapping[GunId, Gun], rangefinder: Rangefinder, method: Method) -> Weapon:
    """The weapon with its rate of fire and AP rows from its gun (4.4.3.2.1, 4.4.3.2.5)"""
    if not weapon.gun:
        return msgspec.structs.replace(weapon, rof=RateOfFire.F, ammo=())
    gun = guns[weapon.gun]
    ammo = []
    for shot in gun.rounds:
        ranges = brackets(extreme_range(gun, shot, rangefinder))
        factors = penetration(shot, ranges, method)
        ammo.append(Ammo(shot.type, ranges, factors, shot.type in method.basic, shot.available_from))
    return msgspec.structs.replace(weapon, rof=ROF[gun.action], ammo=tuple(ammo))


# --- armor --------------------------------------------------------------------------------------------


def armor(history: ArmorHistory | None, method: Method) -> Armor:
    """Front and rear armor of the Basic Game (4.4.3.2.5)

    Turret and hull count the same. The rear aspect is half the circle, mostly flank: sides count three times.
    """
    if history is None:
        return Armor(0, 0)
    turret_sides = (history.turret_front, history.turret_side, history.turret_rear)
    hull_sides = (history.hull_front, history.hull_side, history.hull_rear)
    bodies = [[_mean(plates, method) for plates in body] for body in (turret_sides, hull_sides) if any(body)]
    front = sum(body[0] for body in bodies) / len(bodies)
    rear = sum((3 * body[1] + body[2]) / 4 for body in bodies) / len(bodies)
    return Armor(_whole(front / MM_A_POINT), _whole(rear / MM_A_POINT))


def _mean(plates: tuple[Plate, ...], method: Method) -> float:
    return sum(_resistance(plate, method) for plate in plates) / len(plates) if plates else 0.0


def _resistance(plate: Plate, method: Method) -> float:
    """Vertical rolled steel that is worth the plate; a thin plate is smashed whatever its slope."""
    if plate.material is Material.EQUIVALENT:
        return plate.mm
    exponent = THIN_EXPONENT if plate.mm < THIN_MM else method.slope_exponent
    gain: float = cos(radians(min(plate.slope, STEEPEST))) ** -exponent
    return plate.mm * QUALITY[plate.material] * gain


# --- the card -----------------------------------------------------------------------------------------


def points(card: Card, method: Method) -> int:
    """What a vehicle is worth in a scenario of the Basic Game: punch, protection, speed, steadiness."""
    rows = [ammo for weapon in card.weapons for ammo in weapon.ammo if ammo.basic]
    shots = [row.P.S * (0.5 + 0.5 * row.R.E / method.usual_reach) for row in rows]
    punch = max(shots, default=0) * (1.0 if card.has_turret else 0.85)
    protection = 0.7 * card.armor.front + 0.3 * card.armor.rear
    steadiness = 2 * (4 - card.sb) if card.sb else 0
    worth = method.worth * (punch + protection) + 2 * card.movement.cross_country + steadiness
    return max(3, _whole(worth if card.armed or card.fire_support else worth / 2))


def rebuild(card: Card, guns: Mapping[GunId, Gun], method: Method) -> Card:
    """The card with every value computed from its history; identity, weapons' names and mounts stay."""
    history = card.history
    if history is None:
        return card
    values = msgspec.structs.replace(
        card,
        movement=movement(history, card.movement.mode),
        size=size(history, method),
        sb=stabilisation(history),
        tt=turret(history, method),
        cis=history.commander_sight,
        armor=armor(history.armor, method),
        weapons=tuple(weapon_rows(weapon, guns, history.rangefinder, method) for weapon in card.weapons),
    )
    return msgspec.structs.replace(values, points=points(values, method))
