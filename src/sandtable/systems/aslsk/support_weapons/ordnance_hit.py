"""3.2.4 Effect and 6.1 Critical Hits: the IFT attack that follows a hit of a light mortar, LATW or panzerfaust."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.dice import Roll
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.aslsk.armour.strike import AreaStrike, area_strike
from sandtable.systems.aslsk.common.context import Context, Play, TerrainKind
from sandtable.systems.aslsk.common.dice import BOXCARS, one_of
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.effects.attack import Attack, resolve_attack, roll_attack
from sandtable.systems.aslsk.effects.ift import ift_of
from sandtable.systems.aslsk.fire.drm import approach_of, cover_terms, target_terms, tem_terms
from sandtable.systems.aslsk.fire.gun_cover import Shield, gun_cover_terms, manned_gun
from sandtable.systems.aslsk.fire.gun_destruction import destroy_gun, direct_hits
from sandtable.systems.aslsk.fire.to_hit import Aim
from sandtable.systems.aslsk.pieces.cards import WeaponKind
from sandtable.systems.aslsk.pieces.state import State, UnderWay, UnitId, VehicleId

__all__ = ["Shot", "is_air_burst", "strike_hex"]


class Shot(NamedTuple):
    """What the DR of a shot gave."""

    roll: Roll
    residual: int = 0


def is_air_burst(context: Context, aim: Aim) -> bool:
    """Whether mortar shells burst in the trees (1.1.1)."""
    mortar = aim.weapon is not None and context.weapon_card(aim.weapon).kind is WeaponKind.MTR
    return mortar and context.ground.place(aim.target).kind is TerrainKind.WOODS


def _columns(context: Context, aim: Aim) -> tuple[int, int]:
    """FP of a hit and of a Critical Hit; half the caliber's on the Area Target Type (3.2.4, 6.1)."""
    if aim.weapon is None:
        fp = numbers_of(context).panzerfaust["column"]
        return fp, 2 * fp
    card = context.weapon_card(aim.weapon)
    if card.kind is WeaponKind.MTR:
        full = max(fp for fp, least in numbers_of(context).calibers.items() if least <= card.caliber)
        return full // 2, 2 * full
    return card.infantry_column, 2 * card.infantry_column


@rule("1.1.1", "3.2.4", "7.11")
def strike_hex(
    context: Context,
    play: Play,
    aim: Aim,
    hit: Sequence[UnitId],
    vehicles: Sequence[VehicleId] = (),
    *,
    critical: bool,
    moving: UnderWay | None = None,
) -> int:
    """The IFT attack of a hit: TEM only for mortars, air bursts in woods; a Critical Hit on one of them (3.2.4, 6.1).

    One DR serves for units and vehicles (7.11). Returns the number of the column used.
    """
    ift = ift_of(context)
    plain, doubled = (ift.number(fp) for fp in _columns(context, aim))
    chosen = one_of(play, len(hit) + len(vehicles), "Critical Hit random selection") if critical else -1
    victim = hit[chosen] if 0 <= chosen < len(hit) else None
    others = tuple(unit_id for unit_id in hit if unit_id != victim)
    roll: Roll | None = None
    gun = manned_gun(context, play.state, victim) if victim is not None else None
    if victim is not None and gun is not None:
        destroy_gun(context, play, victim, gun, why="Critical Hit", number="6.1")
    elif victim is not None:
        attack = _hit_attack(context, play, aim, (victim,), column=doubled, critical=True)
        roll = resolve_attack(context, play, attack).roll
    if others:
        others = tuple(unit_id for unit_id in others if play.state.units[unit_id].on_map)
        attack = _hit_attack(context, play, aim, others, column=plain, critical=False)
        roll = _strike(context, play, aim, attack, roll)
    for index, vehicle_id in enumerate(vehicles, len(hit)):
        worst = index == chosen
        terms = () if worst else _armour_terms(context, play.state, aim, vehicle_id, moving)
        strike = AreaStrike(vehicle_id, doubled if worst else plain, terms, _name(aim), plain)
        roll = area_strike(context, play, strike, roll).roll
    return plain


@rule("6.6", "6.7")
def _strike(context: Context, play: Play, aim: Aim, attack: Attack, roll: Roll | None) -> Roll:
    """A hit that is not critical: Direct Hits on Guns first, then all others, crews behind their gunshields (6.7)."""
    state = play.state
    if all(manned_gun(context, state, unit_id) is None for unit_id in attack.targets):
        return resolve_attack(context, play, attack, roll).roll
    found = roll_attack(context, play, attack._replace(fussy=True)) if roll is None else roll
    left = direct_hits(context, play, attack, found)
    if left:
        own = {one: (*attack.own_drm.get(one, ()), *_shield(context, play.state, aim, attack, one)) for one in left}
        resolve_attack(context, play, attack._replace(targets=left, own_drm=own), found)
    return found


@rule("6.6")
def _shield(context: Context, state: State, aim: Aim, attack: Attack, unit_id: UnitId) -> tuple[Modifier, ...]:
    """The gunshield after a Near Miss; against a mortar only as far as it is better than the TEM used (6.6)."""
    terms = (*attack.drm.terms, *attack.own_drm.get(unit_id, ()))
    tem = max(0, sum(term.value for term in terms if term.rule in _COVER)) if _is_mortar(context, aim) else 0
    kind = Shield.MORTAR if _is_mortar(context, aim) else Shield.NORMAL
    return gun_cover_terms(context, state, state.units[unit_id], (aim.hex,), tem=tem, shield=kind, emplacement=False)


def _is_mortar(context: Context, aim: Aim) -> bool:
    return aim.weapon is not None and context.weapon_card(aim.weapon).kind is WeaponKind.MTR


@rule("1.1.1", "7.11")
def _armour_terms(
    context: Context, state: State, aim: Aim, vehicle_id: VehicleId, moving: UnderWay | None
) -> tuple[Modifier, ...]:
    """TEM of the hex for an AFV; in woods shells burst in the trees over a CE crew alone (1.1.1, 7.11)."""
    if state.vehicles[vehicle_id].exposed:
        return _effect_terms(context, aim, critical=False)
    return tem_terms(context, (aim.hex,), aim.target, approach_of(moving), lobbed=True)


def _name(aim: Aim) -> str:
    return aim.weapon.id if aim.weapon is not None else "panzerfaust"


def _effect_terms(context: Context, aim: Aim, *, critical: bool) -> tuple[Modifier, ...]:
    """TEM of the IFT DR: of mortars, or reversed for a Critical Hit; an air burst is no cover at all."""
    if is_air_burst(context, aim):
        return (numbers_of(context).ift_drm["air_burst"],)
    mortar = aim.weapon is not None and context.weapon_card(aim.weapon).kind is WeaponKind.MTR
    place = context.ground.place(aim.target)
    if not place.tem or not (mortar or critical):
        return ()
    if critical:
        return (Modifier(-place.tem, f"Critical Hit in {place.kind.value}", "6.1"),)
    return (Modifier(place.tem, place.kind.value, "1.1.1"),)


def _hit_attack(
    context: Context, play: Play, aim: Aim, units: tuple[UnitId, ...], *, column: int, critical: bool
) -> Attack:
    terms = _effect_terms(context, aim, critical=critical)
    fp = ift_of(context).fp(column)
    own = {}
    for unit_id in units:
        cover = _cover(context, play.state, aim, unit_id, critical=critical)
        found = (*cover, *_burdens(context, play.state, unit_id, critical=critical))
        if found:
            own[unit_id] = found
    firepower = Breakdown("Firepower", "3.2.4", base=fp, base_label=f"hit of {_name(aim)}", result=fp)
    attack = Attack("ordnance hit", aim.target, units, column, firepower, Breakdown("DRM", "3.2.4", terms), own)
    return attack._replace(dud_at=BOXCARS, marks=(BOXCARS,)) if aim.weapon is None else attack


def _burdens(context: Context, state: State, unit_id: UnitId, *, critical: bool) -> tuple[Modifier, ...]:
    """What a target brings upon itself; Hazardous Movement has modified the To Hit DR but of a Critical Hit (6.5)."""
    terms = target_terms(context, state, unit_id)
    return terms if critical else tuple(term for term in terms if term.rule != "6.5")


_COVER = frozenset(("1.1.1", "6.3", "7.4"))
"""The rules of what protects a target in its hex."""


@rule("6.3", "7.4")
def _cover(context: Context, state: State, aim: Aim, unit_id: UnitId, *, critical: bool) -> tuple[Modifier, ...]:
    """Emplacement against mortars; the TEM of an AFV or wreck where there is no other, reversed for a Critical Hit."""
    mortar, place = _is_mortar(context, aim), context.ground.place(aim.target)
    if mortar and not critical:
        tem = 0 if is_air_burst(context, aim) else place.tem
        dug_in = gun_cover_terms(context, state, state.units[unit_id], (aim.hex,), tem=tem, shield=Shield.NONE)
        if dug_in:
            return dug_in
    if not (mortar or critical) or place.tem:
        return ()
    terms = cover_terms(context, state, state.units[unit_id], ())
    return tuple(Modifier(-one.value, one.label, one.rule) for one in terms) if critical else terms
