"""6.12 Ordnance Breakdown, 7.2.1 Low Ammo, and the ROF of Guns and Main Armament (1.2.4.1, 3.2.4)."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.aslsk.armour.vehicle_effects import recall
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import BOXCARS
from sandtable.systems.aslsk.common.experience import breakdown_terms
from sandtable.systems.aslsk.common.facts.vehicle_fire_events import VehicleGunBroke
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.common.possession import is_captured
from sandtable.systems.aslsk.fire.firers import FireMode
from sandtable.systems.aslsk.guns.barrel import Barrel, is_non_qualified
from sandtable.systems.aslsk.guns.gun_to_hit import Shot
from sandtable.systems.aslsk.pieces.armament import Mount, TargetType
from sandtable.systems.aslsk.pieces.state import State, VehicleGun, WeaponState

__all__ = ["Wear", "break_gun", "gun_rate", "keeps_gun_rate", "wear_of"]

_STEADY_MORTARS = range(76, 83)
"""Calibers in mm of mortars whose ROF a turn does not lower."""


class Wear(NamedTuple):
    """The original DR at which something happens to a Gun or MA; 13 if nothing does."""

    number: Breakdown
    """B#: it malfunctions."""
    removed: int
    """It is removed, or disabled, for good."""
    low_ammo: int
    """It runs short of ammunition (7.2.1)."""

    @property
    def least(self) -> int:
        """The least DR at which anything happens."""
        return min(self.number.total, self.removed, self.low_ammo)


@rule("6.12", "7.2", "7.2.1")
def wear_of(context: Context, state: State, barrel: Barrel, *, intensive: bool) -> Wear:
    """B# with what lowers it, and the DR that take it away for good: lowered, at the original B# (6.12, 7.2.1)."""
    terms = _terms(context, state, barrel, intensive=intensive)
    printed = barrel.main.breakdown
    circled = barrel.main.low_ammo
    vehicle = barrel.vehicle
    if circled and vehicle is not None and vehicle.low_ammo:
        number = Breakdown("B#", "7.2.1", terms, circled - 1, "Low Ammo")
        return Wear(number, circled, BOXCARS + 1)
    number = Breakdown("B#", "6.12", terms, printed, "printed, or 12")
    removed = printed if terms else BOXCARS + 1
    return Wear(number, removed, circled or BOXCARS + 1)


def _terms(context: Context, state: State, barrel: Barrel, *, intensive: bool) -> tuple[Modifier, ...]:
    numbers = numbers_of(context).weapon_numbers
    terms: list[Modifier] = []
    if barrel.weapon is not None and barrel.crew is not None:
        terms += breakdown_terms(context, state, barrel.weapon, barrel.crew)
        if is_non_qualified(context, barrel):
            terms.append(numbers["non_qualified"])
    if intensive:
        terms.append(numbers["intensive_fire"])
    return tuple(terms)


@rule("6.12", "7.2", "7.2.1")
def break_gun(context: Context, play: Play, barrel: Barrel, total: int, *, intensive: bool) -> bool:
    """What an original DR does to what fired; whether it can fire no more (6.12, 7.2.1)."""
    wear = wear_of(context, play.state, barrel, intensive=intensive)
    if total < wear.least:
        return False
    if barrel.weapon is not None:
        if total >= wear.removed:
            play.emit(ev.WeaponRemoved(barrel.weapon.id, f"original DR {total} reached its original B#"))
        else:
            play.emit(ev.WeaponMalfunctioned(barrel.weapon.id))
        return True
    vehicle = barrel.vehicle
    assert vehicle is not None  # noqa: S101 - a Gun or a vehicle
    if total >= wear.removed:
        play.emit(VehicleGunBroke(vehicle.id, VehicleGun.MAIN, WeaponState.REMOVED))
        recall(play, vehicle.id, why="its MA is disabled")
        return True
    if total >= wear.number.total:
        play.emit(VehicleGunBroke(vehicle.id, VehicleGun.MAIN, WeaponState.MALFUNCTIONED))
        return True
    play.emit(ev.LowAmmo(vehicle.id))
    return False


@rule("1.2.4.1", "3.2.4")
def gun_rate(context: Context, state: State, barrel: Barrel, *, turned: bool) -> int:
    """ROF, one less each: captured, Non-Qualified, turned in this phase if it is NT and no medium mortar."""
    rate = barrel.main.rof
    if barrel.weapon is not None:
        rate -= is_captured(context, state, barrel.weapon)
        rate -= is_non_qualified(context, barrel)
    steady = barrel.is_mortar and barrel.main.caliber in _STEADY_MORTARS
    if turned and barrel.mount is Mount.NON_TURRETED and not steady:
        rate -= 1
    return max(0, rate)


@rule("1.2.4.1", "3.2.4", "3.5")
def keeps_gun_rate(context: Context, state: State, shot: Shot, coloured: int) -> bool:
    """Whether it may fire again: not pinned, not in the AFPh, not after Intensive Fire or the ATT but a mortar."""
    barrel = shot.barrel
    if shot.intensive or barrel.is_pinned or shot.mode is FireMode.ADVANCING:
        return False
    if shot.target_type is TargetType.AREA and not barrel.is_mortar:
        return False
    turned = shot.facing >= 0 or barrel.piece.turned
    return coloured <= gun_rate(context, state, barrel, turned=turned)
