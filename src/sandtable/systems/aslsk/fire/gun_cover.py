"""6.3 Emplacement and 6.6 Gunshield: the cover of those who man a Gun."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Modifier
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.common.possession import weapons_of
from sandtable.systems.aslsk.pieces.cards import UnitKind
from sandtable.systems.aslsk.pieces.state import State, Unit, UnitId, Weapon
from sandtable.systems.aslsk.terrain.covered_arc import in_covered_arc

__all__ = ["Shield", "gun_cover_terms", "has_gunshield", "is_emplaced", "manned_gun"]


class Shield(StrEnum):
    """How far a gunshield helps, by what attacks (6.6): rows of the table of IFT DRM."""

    NORMAL = "gunshield"
    MORTAR = "gunshield_mortar"
    FLAME = "gunshield_flame"
    NONE = ""
    """It does not come into it: a To Hit DR."""


def manned_gun(context: Context, state: State, unit_id: UnitId) -> Weapon | None:
    """The Gun that a unit possesses, the first of several."""
    for weapon in weapons_of(context, state, unit_id):
        if context.weapon_card(weapon).gun is not None:
            return weapon
    return None


@rule("6.3")
def is_emplaced(context: Context, weapon: Weapon, unit: Unit) -> bool:
    """A Gun that has not moved, with a crew: both have the TEM of its emplacement (6.3)."""
    return weapon.emplaced and context.card(unit).kind is UnitKind.CREW


@rule("6.6")
def has_gunshield(context: Context, weapon: Weapon, unit: Unit, firers: Sequence[Hex]) -> bool:
    """The Good Order crew of an AT or INF Gun, attacked through its covered arc, not while it manhandles (6.6).

    A fire group that fires through it from one of its hexes is modified as from there (ruling).
    """
    gun = context.weapon_card(weapon).gun
    if gun is None or not gun.gunshield or not unit.good_order or unit.hazardous or weapon.facing < 0:
        return False
    if context.card(unit).kind is not UnitKind.CREW or unit.hex is None:
        return False
    here = unit.hex
    return any(in_covered_arc(here, weapon.facing, hex) for hex in firers)


@rule("6.3", "6.6")
def gun_cover_terms(
    context: Context,
    state: State,
    unit: Unit,
    firers: Sequence[Hex],
    *,
    tem: int,
    shield: Shield,
    emplacement: bool = True,
) -> tuple[Modifier, ...]:
    """What emplacement or gunshield add to the TEM that all in the hex have; never cumulative, the best one counts."""
    weapon = manned_gun(context, state, unit.id)
    if weapon is None:
        return ()
    numbers = numbers_of(context).ift_drm
    covers = [numbers["emplaced_gun"]] if emplacement and is_emplaced(context, weapon, unit) else []
    if shield is not Shield.NONE and has_gunshield(context, weapon, unit, firers):
        covers.append(numbers[shield.value])
    best = max(covers, key=lambda term: term.value, default=None)
    if best is None or best.value <= tem:
        return ()
    return (replace(best, value=best.value - tem, label=f"{best.label} instead of TEM") if tem else best,)
