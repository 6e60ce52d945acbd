"""4.3 Demolition Charges: placed in the MPh, they attack in the AFPh with 30 FP in the hex where they lie."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.effects.attack import Attack, resolve_attack, roll_attack
from sandtable.systems.aslsk.effects.ift import ONE_FP, ift_of
from sandtable.systems.aslsk.fire.drm import target_terms
from sandtable.systems.aslsk.fire.fire import targets_of
from sandtable.systems.aslsk.pieces.state import Phase, State, Weapon, WeaponId

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
        return Refusal("4.3", "a placed DC attacks in the AFPh")
    return None


@rule("4.3")
def detonate(context: Context, play: Play, seat: str, weapon_id: WeaponId) -> None:
    """The charge attacks all enemies in its hex: TEM and the placer's CX modify it, nothing else (4.3)."""
    state = play.state
    weapon = state.weapons[weapon_id]
    assert weapon.placed is not None  # noqa: S101 - its placing was checked
    targets = targets_of(context, state, seat, weapon.placed, None)
    if not targets:
        play.emit(ev.WeaponRemoved(weapon_id, "went off in an empty hex"))
        return
    attack = _attack(context, state, weapon, targets)
    roll = roll_attack(context, play, attack._replace(marks=(weapon.fails_at,)))
    if roll.total < weapon.fails_at:
        resolve_attack(context, play, attack, roll)
        play.emit(ev.WeaponRemoved(weapon_id, "went off"))
    else:
        play.emit(ev.WeaponRemoved(weapon_id, f"failed: original DR {roll.total} reached its X# of {weapon.fails_at}"))


def _attack(context: Context, state: State, weapon: Weapon, targets: tuple[str, ...]) -> Attack:
    assert weapon.placed is not None  # noqa: S101
    ift = ift_of(context)
    fp = context.weapon_card(weapon).fp
    column = ift.column(fp * ONE_FP)
    place = context.ground.place(weapon.placed)
    terms = [Modifier(place.tem, place.kind.value, "1.1.1")] if place.tem else []
    if weapon.placer_cx:
        terms.append(numbers_of(context).ift_drm["cx"])
    units = tuple(unit for unit in state.units if unit in targets)
    own = {unit_id: found for unit_id in units if (found := target_terms(context, state, unit_id))}
    firepower = Breakdown("Firepower", "4.3", base=fp, base_label="DC", result=ift.fp(column))
    return Attack(
        "demolition charge", weapon.placed, units, column, firepower, Breakdown("DRM", "4.3", tuple(terms)), own
    )
