"""3.2.4 Effect and 6.1 Critical Hits: the IFT attack that follows a hit of a light mortar, LATW or panzerfaust."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core.content.rule import rule
from sandtable.core.dice import Roll
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.aslsk.common.context import Context, Play, TerrainKind
from sandtable.systems.aslsk.common.dice import one_of
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.effects.attack import Attack, resolve_attack
from sandtable.systems.aslsk.effects.ift import ift_of
from sandtable.systems.aslsk.effects.morale import BOXCARS
from sandtable.systems.aslsk.fire.drm import target_terms
from sandtable.systems.aslsk.fire.to_hit import Aim
from sandtable.systems.aslsk.pieces.cards import WeaponKind
from sandtable.systems.aslsk.pieces.state import UnitId

__all__ = ["is_air_burst", "strike_hex"]


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


@rule("1.1.1", "3.2.4")
def strike_hex(context: Context, play: Play, aim: Aim, hit: Sequence[UnitId], *, critical: bool) -> int:
    """The IFT attack of a hit: TEM only for mortars, air bursts in woods; a Critical Hit on one of them (3.2.4, 6.1).

    Returns the number of the column used.
    """
    ift = ift_of(context)
    plain, doubled = _columns(context, aim)
    column = ift.number(plain)
    chosen = hit[one_of(play, len(hit), "Critical Hit random selection")] if critical else None
    others = tuple(unit_id for unit_id in hit if unit_id != chosen)
    roll: Roll | None = None
    if chosen is not None:
        attack = _hit_attack(context, play, aim, (chosen,), column=ift.number(doubled), critical=True)
        roll = resolve_attack(context, play, attack).roll
    if others:
        others = tuple(unit_id for unit_id in others if play.state.units[unit_id].on_map)
        attack = _hit_attack(context, play, aim, others, column=column, critical=False)
        resolve_attack(context, play, attack, roll)
    return column


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
    name = aim.weapon.id if aim.weapon is not None else "panzerfaust"
    fp = ift_of(context).fp(column)
    own = {unit_id: found for unit_id in units if (found := target_terms(context, play.state, unit_id))}
    firepower = Breakdown("Firepower", "3.2.4", base=fp, base_label=f"hit of {name}", result=fp)
    attack = Attack("ordnance hit", aim.target, units, column, firepower, Breakdown("DRM", "3.2.4", terms), own)
    return attack._replace(dud_at=BOXCARS, marks=(BOXCARS,)) if aim.weapon is None else attack
