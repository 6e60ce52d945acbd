"""4.1, 4.2, 4.4 Support weapons against an AFV: MG and ATR on the VTT, LATW by their own tables, flame without To Hit.

The vehicle that is meant stands in the ``victim`` of the shot. What a hit does is worked out in the room of armour.
"""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.dice import Roll
from sandtable.core.errors import Refusal
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.geo.hex import distance
from sandtable.systems.aslsk.armour.strike import strike_vehicle
from sandtable.systems.aslsk.armour.to_kill import FLAME_ROW, MACHINE_GUN_ROW, PANZERFAUST_ROW, Strike, StrikeKind
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import FireOrdnance
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import BOXCARS, DR
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.common.stacking import at
from sandtable.systems.aslsk.common.vehicles_here import enemy_vehicles_at
from sandtable.systems.aslsk.effects.ift import ift_of
from sandtable.systems.aslsk.fire.drm import STANDING, approach_of, hindrance_terms, outside_drm, tem_terms
from sandtable.systems.aslsk.fire.fire_groups import has_used_other_flame, is_free_smc
from sandtable.systems.aslsk.fire.firers import MG_REACH, Bar, Fireground, Use
from sandtable.systems.aslsk.fire.gun_cover import manned_gun
from sandtable.systems.aslsk.fire.residual import residual_left
from sandtable.systems.aslsk.fire.to_hit import Aim, firer_terms, target_number
from sandtable.systems.aslsk.fire.to_hit_chart import CRITICAL, has_red_numbers, range_band
from sandtable.systems.aslsk.fire.vehicle_target import vehicle_terms
from sandtable.systems.aslsk.pieces.armament import Ammo
from sandtable.systems.aslsk.pieces.cards import WeaponKind
from sandtable.systems.aslsk.pieces.state import State, UnderWay, Unit, Vehicle, VehicleId, Weapon
from sandtable.systems.aslsk.support_weapons.ordnance_hit import Shot

__all__ = [
    "is_gun_there",
    "is_infantry_there",
    "meant_vehicle",
    "refuse_vehicle",
    "refuse_vehicle_shot",
    "shoot_flame",
    "shoot_vehicle",
    "vehicle_number",
    "vehicle_targets",
    "weapon_strike",
]

_DIRECT = frozenset((WeaponKind.LMG, WeaponKind.MMG, WeaponKind.HMG, WeaponKind.ATR, WeaponKind.FT))
"""Weapons that fire on the IFT at all others."""


# --- at what --------------------------------------------------------------------------------------------------------


@rule("3.2.4", "3.3.3")
def vehicle_targets(fireground: Fireground) -> tuple[Vehicle, ...]:
    """The enemy vehicles in the target hex that may be fired at: in the MPh the one alone that moves (3.3.3)."""
    state = fireground.state
    if not state.vehicles:
        return ()
    found = enemy_vehicles_at(state, fireground.target, fireground.seat)
    moving = fireground.moving
    return found if moving is None else tuple([one for one in found if one.id == moving.vehicle])


def is_infantry_there(fireground: Fireground) -> bool:
    """Whether a shot that means no vehicle can hit anybody in the target hex."""
    return any(fireground.is_target(unit) for unit in at(fireground.context, fireground.state, fireground.target))


@rule("4.4")
def is_gun_there(fireground: Fireground) -> bool:
    """Whether a target in the hex mans a Gun, which shaped charges may be fired at anywhere (4.4)."""
    context, state = fireground.context, fireground.state
    there = [unit.id for unit in at(context, state, fireground.target) if fireground.is_target(unit)]
    return any(manned_gun(context, state, unit_id) is not None for unit_id in there)


def refuse_vehicle(fireground: Fireground, name: str) -> Refusal | None:
    """Why a vehicle is no target of this fire."""
    if any(vehicle.id == name for vehicle in vehicle_targets(fireground)):
        return None
    return Refusal("3.2.4", f"{name!r} is no enemy vehicle in the target hex that may be fired at", "name one that is")


def meant_vehicle(state: State, action: FireOrdnance) -> Vehicle | None:
    """The vehicle that a shot is meant for; None of one at a hex or at Infantry."""
    return state.vehicles.get(VehicleId(action.victim)) if action.victim else None


# --- who may --------------------------------------------------------------------------------------------------------


@rule("4.1", "4.2", "4.4", "4.4.4", "4.4.5")
def refuse_vehicle_shot(fireground: Fireground, weapon: Weapon, owner: Unit, action: FireOrdnance) -> Refusal | None:
    """Why a MG, ATR, FT or LATW may not fire at this vehicle; sight and leaders apart (4.1, 4.2, 4.4)."""
    context = fireground.context
    refusal = refuse_vehicle(fireground, action.victim)
    if refusal is not None:
        return refusal
    kind = context.weapon_card(weapon).kind
    if kind is WeaponKind.MTR:
        return Refusal("3.2.4", f"{weapon.id} uses the Area Target Type and means nobody", "fire it at the hex")
    use = fireground.weapon_use(weapon) if kind in _DIRECT else fireground.ordnance_use(weapon)
    if isinstance(use, Bar):
        return use.refusal(weapon.id)
    if use is not Use.PLAIN:
        return Refusal("4.1", f"{weapon.id} has fired: only on the IFT does it fire again", "fire another weapon")
    if kind is WeaponKind.FT:
        return _refuse_flame(fireground, weapon, owner, action)
    if context.weapon_card(weapon).is_mg:
        return _refuse_machine_gun(fireground, weapon, owner, action)
    return None


def _refuse_flame(fireground: Fireground, weapon: Weapon, owner: Unit, action: FireOrdnance) -> Refusal | None:
    if has_used_other_flame(fireground.context, fireground.state, owner, weapon.id):
        return Refusal("4.2", f"{owner.id} has used another flamethrower", "let another unit use it")
    if action.leader:
        return Refusal("4.2", "leadership does not modify a flamethrower's attack", "name no leader")
    if action.unit:
        return Refusal("4.2", f"{weapon.id} needs no second SMC", "name none")
    return None


@rule("4.1")
def _refuse_machine_gun(fireground: Fireground, weapon: Weapon, owner: Unit, action: FireOrdnance) -> Refusal | None:
    """A MG To Hit attempt: not pinned, as far as the chart goes, far only directed, by a MMC or two SMC (4.1)."""
    context = fireground.context
    assert owner.hex is not None  # noqa: S101 - its use was checked
    reach = fireground.reach(owner.hex)
    if owner.pinned:
        return Refusal("3.2.4", f"{owner.id} is pinned: no To Hit attempt with a MG", "fire on the IFT")
    if _chart_number(context, "all/MG", reach, "black") is None:
        return Refusal(
            "3.2.4", f"the To Hit chart has no number for {weapon.id} at {reach} hexes", "fire from nearer by"
        )
    if reach > MG_REACH and not action.leader:
        return Refusal("4.1", f"{weapon.id} reaches beyond {MG_REACH} hexes only when directed", "name a leader")
    second = fireground.state.units.get(action.unit)
    if not context.card(owner).is_leader:
        return Refusal("4.1", f"{weapon.id} needs no second SMC", "name none") if action.unit else None
    if second is None or not is_free_smc(context, second, owner, weapon):
        return Refusal("4.1", f"a single SMC fires {weapon.id} as Area Fire alone", "name a second SMC of his hex")
    if second.pinned:
        return Refusal("3.2.4", f"{second.id} is pinned: no To Hit attempt with a MG", "name another SMC")
    return None


# --- To Hit ---------------------------------------------------------------------------------------------------------


def _chart_number(context: Context, row: str, reach: int, colour: str) -> int | None:
    """The VTT number of SW MG and ATR; the same hex counts as the next (3.2.4)."""
    table = context.tables["to_hit_vehicle"]
    cell = table.lookup(row, range_band(table, reach), colour)
    return cell if isinstance(cell, int) else None


@rule("4.1", "4.4", "4.4.4")
def _base_number(context: Context, state: State, aim: Aim) -> tuple[int, str]:
    """The number on the VTT of a MG or ATR, else on the weapon's own table (4.1, 4.4, 4.4.4)."""
    if aim.weapon is None:
        return target_number(context, aim)
    card = context.weapon_card(aim.weapon)
    if card.kind not in _DIRECT:
        return target_number(context, aim)
    reach = distance(aim.hex, aim.target)
    colour = "red" if has_red_numbers(context, state, card.nationality, aim.weapon, aim.firer) else "black"
    number = _chart_number(context, "all/MG" if card.is_mg else "all/ATR", reach, colour)
    assert number is not None  # noqa: S101 - its range was checked
    return number, f"{card.name} at {reach} hexes, VTT, {colour}"


@rule("3.2.4")
def vehicle_number(
    context: Context, state: State, aim: Aim, vehicle: Vehicle, moving: UnderWay | None
) -> tuple[Breakdown, tuple[Modifier, ...]]:
    """Highest original DR that hits a vehicle, and the DRM that made it but for the vehicle's own (3.2.4)."""
    base, label = _base_number(context, state, aim)
    near = aim.weapon is not None and context.weapon_card(aim.weapon).kind in _DIRECT
    shared = (
        *firer_terms(context, state, aim),
        *tem_terms(context, (aim.hex,), aim.target, approach_of(moving) if moving is not None else STANDING),
        *hindrance_terms(context, state, (aim.hex,), aim.target),
    )
    drm = (*shared, *vehicle_terms(context, state, aim.hex, vehicle, near=near))
    terms = tuple([Modifier(-term.value, term.label, term.rule) for term in drm])
    return Breakdown("To Hit", "3.2.4", terms, base, label), shared


# --- what happens ---------------------------------------------------------------------------------------------------


@rule("3.2.4", "4.1", "4.4", "6.1")
def shoot_vehicle(
    context: Context, play: Play, aim: Aim, vehicle: Vehicle, moving: UnderWay | None, *, resolve: bool
) -> Shot:
    """The To Hit DR of a MG, ATR or LATW at a vehicle, and the To Kill attempt of a hit (3.2.4, 4.1, 4.4)."""
    assert aim.weapon is not None  # noqa: S101 - a panzerfaust goes its own way
    number, drm = vehicle_number(context, play.state, aim, vehicle, moving)
    roll = play.dice.roll(DR, f"{aim.weapon.id} To Hit {vehicle.id}", None)
    if not resolve:
        return Shot(roll)
    hit = roll.total <= number.total
    critical = hit and roll.total == CRITICAL
    play.emit(ev.OrdnanceResolved(aim.weapon.id, aim.firer.id, aim.target, number, roll.faces, hit, critical))
    if not hit:
        return Shot(roll)
    strike = weapon_strike(context, aim, vehicle, roll, critical=critical)
    strike_vehicle(context, play, strike)
    if context.weapon_card(aim.weapon).kind is WeaponKind.ATR:
        return Shot(roll)
    return Shot(roll, _residual(context, play.state, aim, strike.fp, drm))


@rule("3.3.5")
def _residual(context: Context, state: State, aim: Aim, fp: int, drm: tuple[Modifier, ...]) -> int:
    """Residual FP of a To Kill attempt by FP of the weapon: of MG, shaped charges and flame (3.3.5).

    What the vehicle itself is and does lessens none: its size and its movement are no conditions outside its hex.
    """
    return residual_left(context, ift_of(context).number(fp), outside_drm(context, state, drm, aim.target))


@rule("4.1", "4.4.1", "4.4.2", "4.4.4", "4.4.5")
def weapon_strike(context: Context, aim: Aim, vehicle: Vehicle, roll: Roll, *, critical: bool) -> Strike:
    """The To Kill attempt of a hit: AP of MG and ATR, HEAT of all others; a 12 of a PF is a dud (4.1, 4.4)."""
    hit = Strike(
        vehicle=vehicle.id,
        origin=aim.hex,
        reach=distance(aim.hex, aim.target),
        ammo=Ammo.HEAT,
        rows=(PANZERFAUST_ROW,),
        faces=roll.faces,
        fp=numbers_of(context).panzerfaust["column"],
        critical=critical,
    )
    if aim.weapon is None:
        return hit._replace(dud_at=BOXCARS)
    card = context.weapon_card(aim.weapon)
    if card.is_mg:
        return hit._replace(
            by=aim.weapon.id, ammo=Ammo.AP, rows=(MACHINE_GUN_ROW,), fp=card.fp, kind=StrikeKind.MACHINE_GUN
        )
    if card.kind is WeaponKind.ATR:
        return hit._replace(by=aim.weapon.id, ammo=Ammo.AP, rows=(card.id.replace("/", " "),), fp=card.fp)
    return hit._replace(by=aim.weapon.id, rows=(card.name,), fp=card.infantry_column)


@rule("4.2")
def flame_terms(context: Context, state: State, aim: Aim) -> tuple[Modifier, ...]:
    """What modifies the To Kill DR of a flamethrower: hindrances and CX, nothing else (4.2)."""
    terms = hindrance_terms(context, state, (aim.hex,), aim.target)
    return (*terms, numbers_of(context).ift_drm["cx"]) if aim.firer.cx else terms


@rule("4.2")
def shoot_flame(context: Context, play: Play, aim: Aim, vehicle: Vehicle) -> Shot:
    """A flamethrower at an AFV: the flame table without a To Hit DR, and its TK DR is that of the attack (4.2)."""
    assert aim.weapon is not None  # noqa: S101 - it is a flamethrower
    card, reach = context.weapon_card(aim.weapon), distance(aim.hex, aim.target)
    drm = flame_terms(context, play.state, aim)
    strike = Strike(
        vehicle=vehicle.id,
        origin=aim.hex,
        reach=reach,
        ammo=Ammo.HE,
        rows=(FLAME_ROW,),
        faces=(),
        fp=card.fp if reach <= card.range else card.fp // 2,
        by=aim.weapon.id,
        kind=StrikeKind.FLAME,
        drm=drm,
    )
    killed = strike_vehicle(context, play, strike)
    return Shot(killed.roll, _residual(context, play.state, aim, strike.fp, drm))
