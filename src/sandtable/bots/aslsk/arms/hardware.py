"""What Guns and vehicles are worth, from what their counters print; a plain squad is two points (1.2.6, 1.2.7)."""

from __future__ import annotations

from sandtable.systems.aslsk.armour.to_kill import gun_row, table_number
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.guns.gun_hit import he_fp as caliber_fp
from sandtable.systems.aslsk.pieces.armament import Ammo, Armament
from sandtable.systems.aslsk.pieces.cards import GunType, Nationality, WeaponCard
from sandtable.systems.aslsk.pieces.state import Bog, Shock, Vehicle, VehicleGun, WeaponState
from sandtable.systems.aslsk.pieces.vehicle_cards import VehicleCard

__all__ = ["condition", "gun_worth", "he_fp", "vehicle_worth"]

USUAL_RANGE = 6
"""Hexes at which barrels are compared."""
BARE, GUN = 1.0, 0.5
"""Points of a vehicle and of a Gun without armour and shells."""
PIERCING, BURSTING, LOBBED = 0.12, 0.06, 0.03
"""Points for each of a TK number, and for each FP of HE, of a mortar less: it uses the ATT."""
PLATED, SPRAYING, QUICK = 0.2, 0.05, 0.1
"""Points for each Armor Factor on average, each FP of MG, each ROF."""


def _piercing(context: Context, main: Armament, nation: Nationality) -> int:
    """The best TK number of what a barrel fires for certain."""
    if main.is_mg or not main.caliber:
        return 0
    able = [ammo for ammo, has in ((Ammo.AP, main.ap), (Ammo.HE, main.he)) if has]
    numbers = [table_number(context, ammo, gun_row(context, main, nation, ammo), USUAL_RANGE) for ammo in able]
    return max((number for number in numbers if number is not None), default=0)


def he_fp(context: Context, main: Armament) -> int:
    """FP of a HE hit by caliber; 0 of what has none (3.2.4)."""
    return caliber_fp(context, main.caliber) if main.he else 0


def gun_worth(context: Context, card: WeaponCard) -> float:
    """What a Gun is worth to who mans it."""
    gun = card.gun
    assert gun is not None  # noqa: S101 - it is a Gun
    main = gun.main
    if gun.type is GunType.MORTAR:
        return GUN + LOBBED * he_fp(context, main) + QUICK * main.rof
    pierces = _piercing(context, main, card.nationality)
    return GUN + PIERCING * pierces + BURSTING * max(main.ife, he_fp(context, main)) + QUICK * main.rof


def vehicle_worth(context: Context, card: VehicleCard) -> float:
    """What a vehicle in good condition is worth."""
    main = card.main
    plated = sum(card.armour.factors) / len(card.armour.factors)
    spraying = card.bmg + card.cmg + 0.5 * (card.aamg + card.rmg)
    pierces = _piercing(context, main, card.nationality)
    shells = BURSTING * max(he_fp(context, main), main.ife)
    return BARE + PLATED * plated + PIERCING * pierces + shells + SPRAYING * spraying + QUICK * main.rof


_SHOCKED = {Shock.NONE: 1.0, Shock.SHOCK: 0.65, Shock.UNCONFIRMED_KILL: 0.35}
_STUCK = {Bog.NONE: 1.0, Bog.BOGGED: 0.8, Bog.MIRED: 0.7}
_SILENT = {WeaponState.MALFUNCTIONED: 0.7}
IMMOBILE, STUNNED, RECALLED, DISARMED = 0.6, 0.85, 0.35, 0.45


def condition(vehicle: Vehicle) -> float:
    """The share of its worth that is left of a vehicle; nothing of a wreck."""
    if vehicle.wreck:
        return 0.0
    share = _SHOCKED[vehicle.shock] * _STUCK[vehicle.bog]
    if vehicle.immobilized:
        share *= IMMOBILE
    if vehicle.is_stunned:
        share *= STUNNED
    if vehicle.recalled:
        share *= RECALLED
    elif not vehicle.works(VehicleGun.MAIN):
        share *= _SILENT.get(vehicle.broken[VehicleGun.MAIN], DISARMED)
    return share
