"""4.4 Light Anti-Tank Weapons and 4.5 Light Mortars: To Hit, then the IFT, or To Kill against a vehicle.

BAZ, PSK and PIAT are fired at Infantry only where it can have building TEM; mortars use the Area Target Type, keep a
ROF and acquire the hex that they fire at (6.11). MG, ATR and flamethrowers fire here at vehicles only.
"""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.dice import Roll
from sandtable.core.errors import Refusal
from sandtable.core.modifier import Modifier
from sandtable.geo.hex import Hex, distance
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import FireOrdnance
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import DR
from sandtable.systems.aslsk.common.hidden import hidden_units, reveal
from sandtable.systems.aslsk.common.stacking import at
from sandtable.systems.aslsk.common.vehicles_here import vehicles_at
from sandtable.systems.aslsk.fire.acquisition import acquired_drm, gain_acquisition, lose_acquisition
from sandtable.systems.aslsk.fire.breakdowns import breakdown_number, keeps_rate, removal_number, strike
from sandtable.systems.aslsk.fire.drm import outside_drm
from sandtable.systems.aslsk.fire.fire import targets_of
from sandtable.systems.aslsk.fire.fire_groups import Firer, is_free_smc, may_direct, refuse_director, refuse_usage
from sandtable.systems.aslsk.fire.fire_marks import place_marks
from sandtable.systems.aslsk.fire.firers import Bar, Fireground, Use
from sandtable.systems.aslsk.fire.gun_cover import manned_gun
from sandtable.systems.aslsk.fire.residual import leave_residual, residual_left
from sandtable.systems.aslsk.fire.to_hit import Aim, to_hit
from sandtable.systems.aslsk.fire.to_hit_chart import CRITICAL
from sandtable.systems.aslsk.fire.vehicle_target import vehicle_terms
from sandtable.systems.aslsk.pieces.cards import WeaponKind
from sandtable.systems.aslsk.pieces.state import State, UnderWay, Unit, UnitId, Weapon
from sandtable.systems.aslsk.support_weapons.anti_tank import (
    is_gun_there,
    is_infantry_there,
    meant_vehicle,
    refuse_vehicle_shot,
    shoot_flame,
    shoot_vehicle,
    vehicle_targets,
)
from sandtable.systems.aslsk.support_weapons.backblast import backblast
from sandtable.systems.aslsk.support_weapons.ordnance_hit import Shot, is_air_burst, strike_hex

__all__ = ["fire_ordnance", "has_backblast", "refuse_empty", "refuse_leader", "refuse_ordnance"]

_MTR, _PIAT, _PLAIN = WeaponKind.MTR, WeaponKind.PIAT, Use.PLAIN
"""Names are looked up quicker than members of enums."""
_TWO_MEN = frozenset((WeaponKind.BAZ, WeaponKind.PSK))
_SHAPED_CHARGES = frozenset((WeaponKind.BAZ, WeaponKind.PSK, WeaponKind.PIAT))


def _aim(fireground: Fireground, action: FireOrdnance) -> Aim:
    """The shot that a legal action describes."""
    state = fireground.state
    weapon = state.weapons[action.weapon]
    leader = state.units[action.leader] if action.leader else None
    helper = state.units[action.unit] if action.unit else None
    firer = state.units[weapon.owner]
    shielded = has_backblast(fireground.context, weapon, firer) and not action.backblast
    return Aim(weapon, firer, action.target, fireground.mode, leader, shielded, helper)


@rule("4.4.3")
def has_backblast(context: Context, weapon: Weapon | None, firer: Unit) -> bool:
    """Whether a shot would blast back: BAZ, PSK or PF from inside a building (4.4.3)."""
    if weapon is not None and context.weapon_card(weapon).kind not in _TWO_MEN:
        return False
    return firer.hex is not None and bool(context.ground.place(firer.hex).building)


@rule("4.0", "4.4", "4.4.1", "4.4.5", "4.5")
def refuse_ordnance(fireground: Fireground, action: FireOrdnance) -> Refusal | None:
    """Why a light mortar or LATW may not fire like this (4.4, 4.5)."""
    context, state = fireground.context, fireground.state
    weapon = state.weapons.get(action.weapon)
    owner = state.units.get(weapon.owner) if weapon is not None else None
    if weapon is None or owner is None or owner.side != fireground.seat or not owner.on_map or not weapon.in_play:
        return Refusal(
            "1.2.4",
            f"{action.weapon!r} is no weapon in the possession of {fireground.seat}",
            "name one that a unit of yours possesses",
        )
    if meant_vehicle(state, action) is not None:
        return _refuse_at_vehicle(fireground, weapon, owner, action)
    card = context.weapon_card(weapon)
    if card.kind not in _SHAPED_CHARGES and card.kind is not _MTR:
        return Refusal("3.2.4", f"{weapon.id} is no ordnance", "fire it on the IFT")
    use = fireground.ordnance_use(weapon)
    if isinstance(use, Bar):
        return use.refusal(weapon.id)
    return (
        _refuse_words(context, action, weapon, owner)
        or _refuse_target(fireground, weapon, owner)
        or _refuse_hands(context, state, weapon, owner, action.unit)
        or refuse_usage(context, owner, (weapon.id,), own_fp=False, again=False)
        or (refuse_leader(fireground, Firer(owner, weapon, _PLAIN), action) if action.leader else None)
    )


@rule("4.1", "4.4.1", "4.4.3")
def _refuse_at_vehicle(fireground: Fireground, weapon: Weapon, owner: Unit, action: FireOrdnance) -> Refusal | None:
    """Why a weapon may not fire at a vehicle like this (4.1, 4.4)."""
    context, state = fireground.context, fireground.state
    if action.smoke:
        return Refusal("6.2", f"no Smoke stands on the counter of {action.weapon}", "fire without")
    if action.backblast and not has_backblast(context, weapon, owner):
        return Refusal("4.4.3", f"{action.weapon} has no backblast here", "fire without that choice")
    hands = None if context.weapon_card(weapon).is_mg else _refuse_hands(context, state, weapon, owner, action.unit)
    return (
        refuse_vehicle_shot(fireground, weapon, owner, action)
        or _refuse_place(fireground, weapon, owner)
        or hands
        or refuse_usage(context, owner, (weapon.id,), own_fp=False, again=False)
        or refuse_leader(fireground, Firer(owner, weapon, _PLAIN), action)
    )


@rule("3.2.4", "4.5")
def refuse_empty(fireground: Fireground, action: FireOrdnance) -> Refusal | None:
    """Why a hex without enemies is no target: only a mortar's, on the map, with nobody at all in it (3.2.4)."""
    context, target = fireground.context, fireground.target
    weapon = fireground.state.weapons.get(action.weapon)
    if weapon is None or context.weapon_card(weapon).kind is not WeaponKind.MTR or target not in context.game_map.hexes:
        return Refusal("3.2", "no enemy unit is in the target hex", "mortars alone fire at an empty hex")
    there = vehicles_at(fireground.state, target)
    if at(context, fireground.state, target) or (there and not vehicle_targets(fireground)):
        return Refusal("3.2", "friendly units are in the target hex, and no enemy", "fire at another hex")
    return refuse_ordnance(fireground, action)


def _refuse_words(context: Context, action: FireOrdnance, weapon: Weapon, owner: Unit) -> Refusal | None:
    if action.smoke:
        return Refusal("6.2", f"no Smoke stands on the counter of {action.weapon}", "fire without")
    if action.victim:
        return Refusal("4.4.2", "only a panzerfaust may pick one unit out", "leave it to random selection")
    if action.backblast and not has_backblast(context, weapon, owner):
        return Refusal("4.4.3", f"{action.weapon} has no backblast here", "fire without that choice")
    return None


def _refuse_target(fireground: Fireground, weapon: Weapon, owner: Unit) -> Refusal | None:
    context = fireground.context
    if context.weapon_card(weapon).kind in _SHAPED_CHARGES:
        in_building = context.ground.place(fireground.target).building
        if not in_building and not is_gun_there(fireground):
            return Refusal(
                "4.4",
                f"{weapon.id} fires at a Gun, or at Infantry only where it can have building TEM",
                "fire at one of these, or name a vehicle",
            )
        if not is_infantry_there(fireground):
            return Refusal("4.4", "no Infantry is in the hex that it could hit", "name the vehicle that is meant")
    return _refuse_place(fireground, weapon, owner)


@rule("4.4.5")
def _refuse_place(fireground: Fireground, weapon: Weapon, owner: Unit) -> Refusal | None:
    """Why a weapon may not fire there from where it is: a PIAT down a slope, no LOS where that is known (4.4.5)."""
    context, target = fireground.context, fireground.target
    assert owner.hex is not None  # noqa: S101 - its use was checked
    if context.weapon_card(weapon).kind is _PIAT and _is_just_below(context, owner.hex, target):
        return Refusal(
            "4.4.5", "a PIAT does not fire at an adjacent unit one level lower", "fire at another hex, or from another"
        )
    if context.scenario.conditions.free_sight and not fireground.sees(owner.hex):
        return Bar.NO_LOS.refusal(weapon.id)
    return None


def _is_just_below(context: Context, hex: Hex, target: Hex) -> bool:
    return distance(hex, target) == 1 and context.ground.place(target).level < context.ground.place(hex).level


@rule("4.4.1", "4.5")
def _refuse_hands(context: Context, state: State, weapon: Weapon, owner: Unit, second: UnitId) -> Refusal | None:
    """A BAZ or PSK takes a MMC or two SMC (4.4.1); with a mortar a second SMC saves the ROF (4.5)."""
    is_leader, kind = context.card(owner).is_leader, context.weapon_card(weapon).kind
    if not second:
        if is_leader and kind in _TWO_MEN:
            return Refusal("4.4.1", f"a single SMC may not fire {weapon.id}", "name a second SMC of his hex")
        return None
    number = "4.5" if kind is WeaponKind.MTR else "4.4.1"
    if not is_leader or (kind not in _TWO_MEN and kind is not WeaponKind.MTR):
        return Refusal(number, f"{weapon.id} needs no second SMC", "name none")
    unit = state.units.get(second)
    if unit is None or not is_free_smc(context, unit, owner, weapon):
        return Refusal(
            number, f"{second!r} is no SMC in the hex who may help with {weapon.id}", "name one who is, or none"
        )
    return None


@rule("3.2.2", "4.4.1", "4.5")
def refuse_leader(fireground: Fireground, firer: Firer, action: FireOrdnance) -> Refusal | None:
    """Why a leader may not direct an ordnance shot (3.2.2, 4.4.1, 4.5)."""
    if not action.leader:
        return None
    leader = fireground.state.units.get(action.leader)
    if leader is None or leader.hex != firer.unit.hex or leader.side != fireground.seat or leader.id == action.unit:
        return Refusal(
            "3.2.2", f"{action.leader!r} is no leader stacked with {firer.unit.id}", "name one who is, or none"
        )
    if not may_direct(fireground.context, leader, (firer,)):
        return refuse_director(leader)
    return None


# --- what happens -----------------------------------------------------------------------------------------------


@rule("3.2.4", "4.4.1", "4.5")
def fire_ordnance(fireground: Fireground, play: Play, action: FireOrdnance, moving: UnderWay | None = None) -> None:
    """To Hit DR, effect of a hit, breakdown, ROF, markers (3.2.4, 4.4, 4.5)."""
    context, state = fireground.context, play.state
    aim = _aim(fireground, action)
    weapon = state.weapons[action.weapon]
    leaders = [aim.leader] if aim.leader is not None else []
    play.emit(
        ev.FireDeclared(
            fireground.seat,
            fireground.mode.value,
            (aim.firer.id,),
            (weapon.id,),
            tuple(leader.id for leader in leaders),
            action.target,
        )
    )
    sees = fireground.sees(aim.hex)
    if not sees:
        play.emit(ev.HexesBlocked((aim.hex,), action.target, "no line of sight"))
    vehicle = meant_vehicle(state, action)
    if vehicle is None:
        shot = _shoot(fireground, play, aim, moving, resolve=sees)
    elif context.weapon_card(weapon).kind is not WeaponKind.FT:
        shot = shoot_vehicle(context, play, aim, vehicle, moving, resolve=sees)
    elif sees:
        shot = shoot_flame(context, play, aim, vehicle)
    else:
        shot = Shot(play.dice.roll(DR, "fire without a line of sight", None))
    if action.backblast:
        backblast(context, play, aim.hex, fireground.seat, shot.roll.faces[0])
    gone = removal_number(context, state, weapon, aim.firer)
    worn = min(breakdown_number(context, state, weapon, aim.firer).total, gone.total)
    if shot.roll.total >= worn:
        strike(context, play, weapon, aim.firer, shot.roll.total)
    kept = shot.roll.total < worn and _keeps(fireground, aim, weapon, shot.roll)
    place_marks(
        fireground, play, [Firer(aim.firer, weapon, Use.PLAIN, aim.helper)], leaders, kept=(weapon.id,) if kept else ()
    )
    if moving is not None and shot.residual and not kept and shot.roll.total < worn:
        leave_residual(play, action.target, shot.residual)
    _acquire(context, play, weapon, aim, shown=sees)


@rule("4.5")
def _keeps(fireground: Fireground, aim: Aim, weapon: Weapon, roll: Roll) -> bool:
    """A lone SMC has no ROF with a mortar; two have (4.5)."""
    context = fireground.context
    if context.card(aim.firer).is_leader and aim.helper is None:
        return False
    users = [unit for unit in (aim.firer, aim.helper) if unit is not None]
    return keeps_rate(context, fireground.state, weapon, users, Use.PLAIN, mode=fireground.mode, coloured=roll.faces[0])


def _shoot(fireground: Fireground, play: Play, aim: Aim, moving: UnderWay | None, *, resolve: bool) -> Shot:
    context, state = fireground.context, play.state
    assert aim.weapon is not None  # noqa: S101 - a panzerfaust goes its own way
    roll = play.dice.roll(DR, f"{aim.weapon.id} To Hit {context.label(aim.target)}", None)
    if not resolve:
        return Shot(roll)
    targets = targets_of(context, state, fireground.seat, aim.target, moving)
    area = context.weapon_card(aim.weapon).kind is _MTR
    if not area and not context.ground.place(aim.target).building:
        targets = tuple([unit_id for unit_id in targets if manned_gun(context, state, unit_id) is not None])
    vehicles = [vehicle.id for vehicle in vehicle_targets(fireground)] if area else []
    hidden = hidden_units(context, state).intersection(targets)
    empty = len(hidden) == len(targets) and not vehicles
    number, own, drm = to_hit(context, state, aim, targets, moving, empty=empty, hidden=() if empty else hidden)
    sizes = {one: vehicle_terms(context, state, aim.hex, state.vehicles[one], near=False) for one in vehicles}
    left = number.total - roll.total
    hit = [unit_id for unit_id in targets if sum(term.value for term in own.get(unit_id, ())) <= left]
    struck = [one for one in vehicles if sum(term.value for term in sizes[one]) <= left]
    any_hit = bool(hit or struck)
    critical = any_hit and roll.total == CRITICAL
    seen = [unit_id for unit_id in targets if unit_id not in hidden or unit_id in hit]
    first = own.get(seen[0], ()) if seen else sizes[vehicles[0]] if vehicles else ()
    shown = number.plus(Modifier(-term.value, term.label, term.rule) for term in first)
    play.emit(ev.OrdnanceResolved(aim.weapon.id, aim.firer.id, aim.target, shown, roll.faces, any_hit, critical))
    if not any_hit:
        return Shot(roll)
    reveal(context, play, hit, "the shot hits it")
    column = strike_hex(context, play, aim, hit, struck, critical=critical, moving=moving)
    lessened = outside_drm(context, state, drm, aim.target)
    return Shot(roll, residual_left(context, column, lessened, air_burst=is_air_burst(context, aim)))


@rule("4.5")
def _acquire(context: Context, play: Play, weapon: Weapon, aim: Aim, *, shown: bool) -> None:
    """A mortar acquires the hex that it fires at: -1, then -2; without a LOS it only loses another (4.5, 6.11)."""
    works = play.state.weapons[weapon.id].state is weapon.state
    if context.weapon_card(weapon).kind is not WeaponKind.MTR or not works:
        return
    drm = acquired_drm(weapon, aim.target)
    if shown:
        gain_acquisition(context, play, weapon.id, aim.target, drm=drm)
    elif not drm:
        lose_acquisition(context, play, weapon.id)
