"""4.3 Demolition Charges: placed in the MPh, they attack in the AFPh with 30 FP in the hex where they lie."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core.content.rule import rule
from sandtable.core.dice import Roll
from sandtable.core.errors import Refusal
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.geo.hex import NEIGHBOURS
from sandtable.systems.aslsk.armour.charge import Lies, blow_up
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.hidden import has_hidden
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.effects.attack import Attack, Resolved, resolve_attack, roll_attack
from sandtable.systems.aslsk.effects.ift import ONE_FP, ift_of
from sandtable.systems.aslsk.fire.crews import crews_under_fire, strike_crews
from sandtable.systems.aslsk.fire.drm import cover_terms, target_terms
from sandtable.systems.aslsk.fire.fire import targets_of
from sandtable.systems.aslsk.fire.gun_cover import Shield, gun_cover_terms
from sandtable.systems.aslsk.fire.gun_destruction import direct_hits
from sandtable.systems.aslsk.fire.hidden_targets import apart_from_hidden, show_in_vain, strike_hidden
from sandtable.systems.aslsk.pieces.state import Phase, State, VehicleId, Weapon, WeaponId

__all__ = ["detonate", "placed_charges", "refuse_detonation"]


def placed_charges(state: State) -> Iterator[Weapon]:
    """The charges that the ATTACKER has operably placed; none outlasts his AFPh."""
    for weapon in state.weapons.values():
        if weapon.placed is not None and weapon.in_play:
            yield weapon


@rule("4.3")
def refuse_detonation(state: State, weapon: Weapon) -> Refusal | None:
    """Why a placed charge may not attack now: in the AFPh only (4.3)."""
    if weapon.placed is None or not weapon.in_play:
        return Refusal("4.3", f"{weapon.id} is not operably placed", "place it in the MPh")
    if state.phase is not Phase.ADVANCING_FIRE:
        return Refusal("4.3", "a placed DC attacks in the AFPh", "wait for it")
    return None


@rule("4.3")
def detonate(context: Context, play: Play, seat: str, weapon_id: WeaponId) -> None:
    """The charge attacks all enemies in its hex, or the AFV that it is meant for: TEM and CX modify it (4.3)."""
    state = play.state
    weapon = state.weapons[weapon_id]
    assert weapon.placed is not None  # noqa: S101 - its placing was checked
    area = False
    if weapon.placed_on and state.vehicles[VehicleId(weapon.placed_on)].in_play:
        if blow_up(context, play, weapon) is not Lies.GROUND:
            play.emit(ev.WeaponRemoved(weapon_id, "went off"))
            return
        area = True
    targets = targets_of(context, state, seat, weapon.placed, None)
    crews = () if area else crews_under_fire(state, seat, weapon.placed, None)
    if not targets and not crews and not has_hidden(context, state, context.other(seat)):
        play.emit(ev.WeaponRemoved(weapon_id, "went off in an empty hex"))
        return
    attack = _attack(context, state, weapon, targets, area=area)
    seen, hidden = apart_from_hidden(context, play, attack)
    roll = roll_attack(context, play, seen._replace(marks=(weapon.fails_at,)))
    if roll.total < weapon.fails_at:
        resolved = _blast(context, play, seen, roll)
        if not seen.targets and not crews:
            show_in_vain(context, play, attack, resolved)
        strike_hidden(context, play, attack, resolved, hidden, parts=_fp(context, weapon, area=area), strike=_blast)
        strike_crews(context, play, attack, resolved, crews)
        play.emit(ev.WeaponRemoved(weapon_id, "went off"))
    else:
        play.emit(ev.WeaponRemoved(weapon_id, f"failed: original DR {roll.total} reached its X# of {weapon.fails_at}"))


@rule("6.7")
def _blast(context: Context, play: Play, attack: Attack, roll: Roll) -> Resolved:
    """Direct Hits on Guns and those who man them, then what is left, behind gunshields (6.7)."""
    left = direct_hits(context, play, attack, roll)
    return resolve_attack(context, play, attack._replace(targets=left), roll)


def _fp(context: Context, weapon: Weapon, *, area: bool) -> int:
    """FP of a charge in parts; half where it rolled off an AFV (4.3)."""
    fp = context.weapon_card(weapon).fp * ONE_FP
    return fp // 2 if area else fp


@rule("4.3", "6.3", "6.6")
def _attack(context: Context, state: State, weapon: Weapon, targets: tuple[str, ...], *, area: bool) -> Attack:
    """The attack on the IFT; ``area`` where the charge rolled off an AFV: half its FP (4.3)."""
    assert weapon.placed is not None  # noqa: S101
    ift, parts = ift_of(context), _fp(context, weapon, area=area)
    column, fp = ift.column(parts), parts // ONE_FP
    place = context.ground.place(weapon.placed)
    terms = [Modifier(place.tem, place.kind.value, "1.1.1")] if place.tem else []
    if weapon.placer_cx:
        terms.append(numbers_of(context).ift_drm["cx"])
    units = tuple(unit for unit in state.units if unit in targets)
    own = {}
    origin = (NEIGHBOURS[weapon.placed][weapon.placed_side],) if weapon.placed_side >= 0 else ()
    for unit_id in units:
        unit = state.units[unit_id]
        dug_in = gun_cover_terms(context, state, unit, origin, tem=place.tem, shield=Shield.NORMAL)
        cover = dug_in or (() if place.tem else cover_terms(context, state, unit, ()))
        found = (*cover, *target_terms(context, state, unit_id))
        if found:
            own[unit_id] = found
    firepower = Breakdown("Firepower", "4.3", base=fp, base_label="DC", result=ift.fp(column))
    return Attack(
        "demolition charge", weapon.placed, units, column, firepower, Breakdown("DRM", "4.3", tuple(terms)), own
    )
