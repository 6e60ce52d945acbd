"""3.2.4 Effect, 6.1 Critical Hits and 6.7 Guns as Targets: what a hit on the ITT or ATT does to the units in a hex.

One IFT DR serves for all that are hit. Those who man a Gun suffer a Direct Hit first, by the DR without gunshield; a
Near Miss is the same DR with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.dice import Roll
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.aslsk.common.context import Context, Play, TerrainKind
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.common.possession import weapons_of
from sandtable.systems.aslsk.effects.attack import Attack, resolve_attack, roll_attack
from sandtable.systems.aslsk.effects.ift import ift_of
from sandtable.systems.aslsk.fire.drm import approach_of, cover_terms, mover_terms, target_terms, tem_terms
from sandtable.systems.aslsk.fire.gun_cover import Shield, gun_cover_terms, manned_gun
from sandtable.systems.aslsk.fire.gun_destruction import destroy_gun, direct_hits
from sandtable.systems.aslsk.fire.vehicle_guns import printed_fp
from sandtable.systems.aslsk.guns.gun_to_hit import Shot
from sandtable.systems.aslsk.pieces.armament import Ammo, TargetType
from sandtable.systems.aslsk.pieces.cards import WeaponKind
from sandtable.systems.aslsk.pieces.state import State, UnderWay, UnitId, VehicleGun, WeaponState

__all__ = [
    "SOLID",
    "Burst",
    "burst_of",
    "critical_attack",
    "he_fp",
    "hit_column",
    "is_air_burst",
    "own_cover",
    "plain_attack",
    "strike_units",
]

_ATT = TargetType.AREA
SOLID = frozenset((Ammo.AP, Ammo.APCR, Ammo.APDS))
"""Ammunition that leaves no Residual FP, and nothing of a Gun on a K (3.3.5, 6.2, 6.7)."""


class Burst(NamedTuple):
    """The IFT columns of a hit, by their numbers."""

    column: int
    critical: int
    """Of the one that suffers a Critical Hit (6.1)."""


@rule("3.2.4")
def he_fp(context: Context, caliber: int) -> int:
    """FP of the HE of a caliber (3.2.4)."""
    return max([fp for fp, least in numbers_of(context).calibers.items() if least <= caliber], default=0)


@rule("6.2")
def _solid_fp(context: Context, ammo: Ammo, caliber: int) -> int:
    """FP of AP, APCR and APDS of a caliber (6.2)."""
    table = context.tables["ap_columns"]
    leasts = [(int(fp), table.lookup(ammo.value, fp)) for fp in table.axes[1].values]
    return max([fp for fp, least in leasts if isinstance(least, int) and least <= caliber], default=0)


@rule("3.2.4", "6.2", "7.12")
def hit_column(context: Context, shot: Shot) -> int:
    """FP of a hit before the ATT halves it: by caliber, AP and HEAT less; a MG has its own (3.2.4, 6.2, 7.12)."""
    caliber, ift = shot.barrel.main.caliber, ift_of(context)
    if shot.barrel.main.is_mg and shot.barrel.vehicle is not None:
        return printed_fp(context, shot.barrel.vehicle, VehicleGun.MAIN)
    if shot.ammo in SOLID:
        return _solid_fp(context, shot.ammo, caliber)
    full = he_fp(context, caliber)
    return ift.fp(ift.number(full) - 1) if shot.ammo is Ammo.HEAT else full


@rule("3.2.4", "6.1")
def burst_of(context: Context, shot: Shot) -> Burst:
    """Half the FP on the ATT; twice all of it for a Critical Hit, which is not halved first (3.2.4, 6.1)."""
    ift, full = ift_of(context), hit_column(context, shot)
    return Burst(ift.number(full // 2 if shot.target_type is _ATT else full), ift.number(2 * full))


def is_air_burst(context: Context, shot: Shot) -> bool:
    """Whether mortar shells burst in the trees (1.1.1)."""
    return shot.barrel.is_mortar and context.ground.place(shot.target).kind is TerrainKind.WOODS


@rule("1.1.1", "3.2.4", "6.1", "6.7")
def strike_units(
    context: Context,
    play: Play,
    shot: Shot,
    hit: Sequence[UnitId],
    *,
    chosen: UnitId | None,
    moving: UnderWay | None,
    roll: Roll | None = None,
) -> Roll | None:
    """The effect of a hit on units, ``chosen`` the one that a Critical Hit falls on; the IFT DR (3.2.4, 6.1)."""
    burst = burst_of(context, shot)
    others = tuple([unit_id for unit_id in hit if unit_id != chosen])
    if chosen is not None:
        roll = _critical(context, play, shot, chosen, burst.critical, moving=moving, roll=roll)
        others = tuple([unit_id for unit_id in others if play.state.units[unit_id].on_map])
    if others:
        attack = plain_attack(context, play.state, shot, others, burst.column, moving=moving)
        if roll is None:
            roll = roll_attack(context, play, attack)
        others = direct_hits(context, play, attack, roll, solid=shot.ammo in SOLID)
        if others:
            shields = {one: _shield(context, play.state, shot, one) for one in others}
            own = {one: (*attack.own_drm.get(one, ()), *shields[one]) for one in others}
            resolve_attack(context, play, attack._replace(targets=others, own_drm=own), roll)
    return roll


def _critical(
    context: Context,
    play: Play,
    shot: Shot,
    unit_id: UnitId,
    column: int,
    *,
    moving: UnderWay | None,
    roll: Roll | None,
) -> Roll | None:
    """A Critical Hit destroys a Gun and those who man it; others are attacked (6.1, 6.7)."""
    state = play.state
    weapon = manned_gun(context, state, unit_id)
    if weapon is not None:
        destroy_gun(context, play, unit_id, weapon, why="Critical Hit", number="6.1")
        return roll
    attack = critical_attack(context, state, shot, unit_id, column=column, moving=moving)
    return resolve_attack(context, play, attack, roll).roll


@rule("6.1")
def critical_attack(
    context: Context, state: State, shot: Shot, unit_id: UnitId, *, column: int, moving: UnderWay | None
) -> Attack:
    """The attack of a Critical Hit on a unit that mans no Gun: TEM turns around (6.1)."""
    unit = state.units[unit_id]
    here = (shot.barrel.hex,)
    if is_air_burst(context, shot):
        terms: tuple[Modifier, ...] = (numbers_of(context).ift_drm["air_burst"],)
    else:
        tem = tem_terms(context, here, shot.target, approach_of(moving), lobbed=shot.barrel.is_mortar)
        tem = tem or cover_terms(context, state, unit, ())
        terms = tuple([Modifier(-term.value, f"Critical Hit, {term.label}", "6.1") for term in tem if term.value > 0])
    moved = mover_terms(context, state, here, unit, approach_of(moving), lobbed=shot.barrel.is_mortar)
    own = (*moved, *target_terms(context, state, unit_id))
    return _attack(context, shot, (unit_id,), column=column, terms=terms, own={unit_id: own} if own else {})


@rule("1.1.1", "3.2.4")
def plain_attack(
    context: Context, state: State, shot: Shot, units: tuple[UnitId, ...], column: int, *, moving: UnderWay | None
) -> Attack:
    """The attack of a hit on those whom no Critical Hit falls on, gunshields left out (3.2.4)."""
    terms: tuple[Modifier, ...] = ()
    if is_air_burst(context, shot):
        terms = (numbers_of(context).ift_drm["air_burst"],)
    elif shot.target_type is _ATT:
        here, lobbed = (shot.barrel.hex,), shot.barrel.is_mortar
        terms = tem_terms(context, here, shot.target, approach_of(moving), lobbed=lobbed)
    own = {}
    for unit_id in units:
        found = _flamethrower(context, state, unit_id)
        if shot.target_type is _ATT:
            found = (*own_cover(context, state, shot, unit_id, terms), *found)
        if found:
            own[unit_id] = found
    attack = _attack(context, shot, units, column=column, terms=terms, own=own)
    manned = any(manned_gun(context, state, unit_id) is not None for unit_id in units)
    return attack._replace(fussy=manned)


@rule("6.3", "7.4")
def own_cover(
    context: Context, state: State, shot: Shot, unit_id: UnitId, terms: Sequence[Modifier]
) -> tuple[Modifier, ...]:
    """What a unit has on the ATT besides the TEM of the hex: its emplacement, or an AFV or wreck beside it."""
    unit, tem = state.units[unit_id], max(0, sum(term.value for term in terms))
    dug_in = gun_cover_terms(context, state, unit, (shot.barrel.hex,), tem=tem, shield=Shield.NONE)
    return dug_in or cover_terms(context, state, unit, terms)


def _attack(
    context: Context,
    shot: Shot,
    units: tuple[UnitId, ...],
    *,
    column: int,
    terms: tuple[Modifier, ...],
    own: dict[UnitId, tuple[Modifier, ...]],
) -> Attack:
    fp = ift_of(context).fp(column)
    label = f"{shot.ammo.value} hit of {shot.barrel.id}"
    firepower = Breakdown("Firepower", "3.2.4", base=fp, base_label=label, result=fp)
    return Attack("ordnance hit", shot.target, units, column, firepower, Breakdown("DRM", "3.2.4", terms), own)


def _flamethrower(context: Context, state: State, unit_id: UnitId) -> tuple[Modifier, ...]:
    """What possession of a FT brings upon a target; all else has modified the To Hit DR (4.2)."""
    numbers = numbers_of(context).ift_drm
    return tuple(
        [
            numbers["flamethrower_target"]
            for weapon in weapons_of(context, state, unit_id)
            if weapon.state is WeaponState.WORKING and context.weapon_card(weapon).kind is WeaponKind.FT
        ]
    )


@rule("6.6")
def _shield(context: Context, state: State, shot: Shot, unit_id: UnitId) -> tuple[Modifier, ...]:
    """The gunshield after a Near Miss; on the ATT only as far as it is better than the TEM used (6.6)."""
    unit, here = state.units[unit_id], (shot.barrel.hex,)
    kind = Shield.MORTAR if shot.barrel.is_mortar else Shield.NORMAL
    if shot.target_type is not _ATT:
        return gun_cover_terms(context, state, unit, here, tem=0, shield=kind, emplacement=False)
    lobbed = shot.barrel.is_mortar
    terms = () if is_air_burst(context, shot) else tem_terms(context, here, shot.target, lobbed=lobbed)
    tem = sum(term.value for term in terms)
    dug = sum(term.value for term in own_cover(context, state, shot, unit_id, terms))
    return gun_cover_terms(context, state, unit, here, tem=tem + dug, shield=kind, emplacement=False)
