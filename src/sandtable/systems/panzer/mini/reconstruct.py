"""The method by which the miniatures' cards are reconstructed from history (docs/reconstruction.md, "Miniatures").

A vehicle's history is entered once, with the cards of the hex books; this is the same method with this book's scale,
10 mm a point and 50 m an inch, and with the coefficients that the values stated by this book give. Where the book
states a value that the method misses, the stated one stands on the card. Nothing in play calls it.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from math import cos, floor, radians, sqrt
from typing import Any

import msgspec

from sandtable.systems.panzer.advanced_card import AngleArmor, TargetType
from sandtable.systems.panzer.cards import Card, Movement, Weapon
from sandtable.systems.panzer.history import AmmoType, ArmorHistory, Gun, GunId, History, Material, Plate, Round
from sandtable.systems.panzer.mini.cards import Angle, MiniAmmo, MiniCard, MiniWeapon, Points, Roof, Traverse
from sandtable.systems.panzer.ranges import RangeFactor, Row
from sandtable.systems.panzer.reconstruct import OBLIQUITY, ROF, SOLID_SHOT_ERA, brackets, millimetres, size
from sandtable.systems.panzer.terrain import Traction

__all__ = ["mini_card", "points_of", "with_stated"]

MM_A_POINT, METRES_AN_INCH = 10, 50
CROSS_COUNTRY, PATH, ROAD = 0.46, 0.255, 0.4
"""Allowance per km/h. Fitted to 11T 14-22 of a vehicle that does 24 and 55."""
FULL_CALIBRE, CORED, SHAPED = 0.162, 0.7, 0.93
"""Extreme range in inches by the root of calibre times muzzle velocity. Fitted to 42 and 34 of the 85 mm."""
DIAGONAL = 1 / cos(radians(45))
"""By how much plates gain that are struck at 45 degrees: fitted to 13, 11 and 4 at Front/Side."""
STEEPEST = 75
CAST = 0.95
ROOF = 0.65
"""Top armor for a mm of the roof: 13 for 20 mm."""
DAMAGE = ((70, 0), (35, -1), (0, -2))
"""D modifier by calibre; a core does one less. Fitted to 0 and -1 of the 85 mm."""
MM_A_DEFENSE = 22
"""Mean of front and side armor that is worth a point of the GP Defense Factor."""
FAST, NORMAL = 20, 8
"""Degrees a second of the turret."""
WORTH = 4.0
"""Points of a vehicle that the book gives none for, by penetration at Short and armor."""


def _whole(number: float) -> int:
    return floor(number + 0.5)


def points_of(eliminated: int) -> Points:
    """The three point values of a vehicle, which all charts of the book have in the same proportion (22.2.1)."""
    return Points(eliminated, _whole(eliminated / 2), _whole(eliminated / 4))


def _movement(history: History, mode: Traction) -> Movement:
    across = max(1, _whole(CROSS_COUNTRY * history.cross_country_kmh))
    path = max(across, _whole(PATH * history.road_kmh))
    return Movement(across, mode, path, max(path, _whole(ROAD * history.road_kmh)))


def _ranges(gun: Gun, shot: Round) -> Row:
    carry = FULL_CALIBRE * sqrt(gun.calibre_mm * shot.muzzle_ms)
    if shot.reach_m:
        carry = shot.reach_m / METRES_AN_INCH
    elif shot.type is AmmoType.APCR:
        carry *= CORED
    elif shot.type.is_shaped_charge:
        carry *= SHAPED
    return brackets(_whole(carry))


def _penetration(shot: Round, ranges: Row) -> Row:
    """What goes through at the middle of each column, in points of 10 mm."""
    ends = [0, *(ranges.of(factor) for factor in RangeFactor)]
    middles = [(near + far) / 2 * METRES_AN_INCH for near, far in pairwise(ends)]
    return Row(*(_whole(OBLIQUITY[shot.slope] * millimetres(shot, metres) / MM_A_POINT) for metres in middles))


def _ammo(gun: Gun, shot: Round) -> MiniAmmo:
    ranges = _ranges(gun, shot)
    modifier = next(value for calibre, value in DAMAGE if gun.calibre_mm >= calibre)
    if shot.type is AmmoType.APCR:
        modifier -= 1
    return MiniAmmo(shot.type, ranges, _penetration(shot, ranges), modifier, shot.type is AmmoType.AP)


def _weapon(weapon: Weapon, guns: Mapping[GunId, Gun]) -> MiniWeapon:
    if not weapon.gun:
        return MiniWeapon(weapon.name, weapon.rof, weapon.mount)
    gun = guns[weapon.gun]
    return MiniWeapon(weapon.name, ROF[gun.action], weapon.mount, tuple(_ammo(gun, shot) for shot in gun.rounds))


# --- armor --------------------------------------------------------------------------------------------


def _worth(plate: Plate) -> float:
    """The way through a plate along the line of fire, in mm; cast steel is worth a little less."""
    if plate.material is Material.EQUIVALENT:
        return plate.mm
    quality = CAST if plate.material is Material.CAST else 1.0
    return plate.mm * quality / cos(radians(min(abs(plate.slope), STEEPEST)))


def _factor(plates: tuple[Plate, ...], gain: float = 1.0) -> int:
    """By the best plate of an aspect: gunners are not supposed to find the weak one."""
    return _whole(gain * max(map(_worth, plates), default=0.0) / MM_A_POINT)


def _armor(history: ArmorHistory) -> dict[Angle, AngleArmor]:
    has_turret = any((history.turret_front, history.turret_side, history.turret_rear))
    turret = (history.turret_front, history.turret_side, history.turret_rear)
    hull = (history.hull_front, history.hull_side, history.hull_rear)
    # A vehicle of one body shows it wherever a hit would find a turret.
    (tf, ts, tr), (hf, hs, hr) = turret if has_turret else hull, hull
    return {
        Angle.FRONT: AngleArmor(TF=_factor(tf), HF=_factor(hf)),
        Angle.FRONT_SIDE: AngleArmor(
            TF=_factor(tf, DIAGONAL), TS=_factor(ts, DIAGONAL), HF=_factor(hf, DIAGONAL), HS=_factor(hs, DIAGONAL)
        ),
        Angle.SIDE: AngleArmor(TS=_factor(ts), HS=_factor(hs)),
        Angle.REAR_SIDE: AngleArmor(
            TR=_factor(tr, DIAGONAL), TS=_factor(ts, DIAGONAL), HR=_factor(hr, DIAGONAL), HS=_factor(hs, DIAGONAL)
        ),
        Angle.REAR: AngleArmor(TR=_factor(tr), HR=_factor(hr)),
    }


def _gp_defense(armor: Mapping[Angle, AngleArmor]) -> int:
    if not armor:
        return 1
    front, side = armor[Angle.FRONT], armor[Angle.SIDE]
    mean = ((front.TF or 0) + (front.HF or 0) + (side.TS or 0) + (side.HS or 0)) / 4
    return min(10, 1 + floor(mean * MM_A_POINT / MM_A_DEFENSE))


def _traverse(card: Card, history: History) -> Traverse:
    speeds = ((FAST, Traverse.FAST), (NORMAL, Traverse.NORMAL), (0, Traverse.SLOW))
    if history.traverse:
        return next(traverse for speed, traverse in speeds if history.traverse >= speed)
    return Traverse.ALL_ROUND if history.arc >= 360 and card.armed else Traverse.FIXED


# --- the card -----------------------------------------------------------------------------------------


def _points(weapons: tuple[MiniWeapon, ...], armor: Mapping[Angle, AngleArmor], movement: Movement) -> int:
    punch = max((ammo.P.S for weapon in weapons for ammo in weapon.ammo if ammo.basic), default=0)
    front = armor[Angle.FRONT] if armor else AngleArmor()
    protection = ((front.TF or 0) + (front.HF or 0)) / 2
    return max(5, _whole(WORTH * (punch + protection) / 1.2 + movement.cross_country))


def mini_card(card: Card, guns: Mapping[GunId, Gun], *, name: str = "", reference: str = "") -> MiniCard:
    """The miniatures' card of a vehicle, from the history on its card of the hex books."""
    history = card.history
    if history is None:
        raise ValueError(card.id)
    armor = {} if history.armor is None else _armor(history.armor)
    weapons = tuple(_weapon(weapon, guns) for weapon in card.weapons)
    movement = _movement(history, card.movement.mode)
    kind = TargetType.S if history.armor is None else TargetType.P if history.open_topped else TargetType.A
    return MiniCard(
        id=card.id,
        name=name or card.name,
        nation=card.nation,
        kind=card.kind,
        reference=reference,
        movement=movement,
        size=size(history, SOLID_SHOT_ERA),
        gp_defense=_gp_defense(armor),
        target_type=kind,
        traverse=_traverse(card, history),
        roof=Roof.OPEN if history.open_topped or history.armor is None else Roof.FULL,
        top=0 if history.armor is None or history.open_topped else _whole(ROOF * history.armor.roof_mm),
        armor=armor,
        weapons=weapons,
        points=points_of(_points(weapons, armor, movement)),
    )


# --- what the book states -----------------------------------------------------------------------------

_TWINS = {
    ("Front", "TF"): "Front/Side",
    ("Front", "HF"): "Front/Side",
    ("Side", "TS"): "Front/Side",
    ("Side", "HS"): "Front/Side",
    ("Rear", "TR"): "Rear/Side",
    ("Rear", "HR"): "Rear/Side",
}
"""Where the plate that is struck square on at one angle is struck aslant."""


def with_stated(card: MiniCard, stated: Mapping[str, Any]) -> MiniCard:
    """The card with the values that the book states; armor stated at one angle settles the plate's other one."""
    plain: Any = msgspec.to_builtins(card)
    for path, value in stated.items():
        *heads, last = path.split(".")
        part = plain
        for head in heads:
            part = part[int(head)] if head.isdigit() else part[head]
        part[last] = value
    for (square, part), aslant in _TWINS.items():
        one, other = f"armor.{square}.{part}", f"armor.{aslant}.{part}"
        if one in stated and other not in stated:
            plain["armor"][aslant][part] = _whole(DIAGONAL * stated[one])
        elif other in stated and one not in stated:
            plain["armor"][square][part] = _whole(stated[other] / DIAGONAL)
    return msgspec.convert(plain, MiniCard)
