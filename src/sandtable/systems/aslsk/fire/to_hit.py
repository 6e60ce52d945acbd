"""3.2.4 To Hit Process, as far as light mortars and LATW go: the To Hit number with all its DRM, target by target.

A breakdown gives the highest original DR that hits: the To Hit number less every DRM.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.geo.hex import Hex, distance
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.experience import leadership
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.common.possession import is_captured
from sandtable.systems.aslsk.fire.acquisition import acquired_drm, acquired_term
from sandtable.systems.aslsk.fire.drm import (
    STANDING,
    approach_of,
    cover_terms,
    glare_terms,
    hindrance_terms,
    mover_terms,
    tem_terms,
)
from sandtable.systems.aslsk.fire.firers import FireMode
from sandtable.systems.aslsk.fire.gun_cover import Shield, gun_cover_terms, manned_gun
from sandtable.systems.aslsk.fire.vehicle_target import size_terms
from sandtable.systems.aslsk.pieces.cards import WeaponCard, WeaponKind
from sandtable.systems.aslsk.pieces.state import State, UnderWay, Unit, UnitId, Weapon

__all__ = ["Aim", "firer_terms", "mortar_row", "target_number", "to_hit"]

FAR = 12
"""Hexes beyond which the Area Target Type has another number."""


class Aim(NamedTuple):
    """Who fires an ordnance weapon at what, and how."""

    weapon: Weapon | None
    """None for a panzerfaust."""
    firer: Unit
    target: Hex
    mode: FireMode
    leader: Unit | None = None
    shielded: bool = False
    """Takes the +2 DRM rather than the backblast (4.4.3)."""
    helper: Unit | None = None
    """The second SMC at the weapon (4.1, 4.4.1, 4.5)."""

    @property
    def hex(self) -> Hex:
        """Where it fires from."""
        assert self.firer.hex is not None  # noqa: S101 - a firer is on the map
        return self.firer.hex


def mortar_row(card: WeaponCard) -> str:
    """Name of a mortar's row of the To Hit chart."""
    return f"{card.nationality.value}/{card.caliber}"


@rule("3.2.4", "4.4", "4.4.2", "4.5")
def target_number(context: Context, aim: Aim) -> tuple[int, str]:
    """The To Hit number: of the counter's back, of the Area Target Type, or of a panzerfaust (3.2.4, 4.4, 4.5)."""
    reach = distance(aim.hex, aim.target)
    if aim.weapon is None:
        numbers = numbers_of(context).panzerfaust
        return numbers["to_hit"] + reach * numbers["to_hit_per_hex"], f"PF at {reach} hexes"
    card = context.weapon_card(aim.weapon)
    if card.kind is WeaponKind.MTR:
        number = context.tables["to_hit_mortars"].number(mortar_row(card), "to 12" if reach <= FAR else "to 24")
        return number, f"{card.name}, Area Target Type"
    return card.to_hit[reach], f"{card.name} at {reach} hexes"


@rule("3.2.4", "3.3.1", "3.5", "4.4.3", "5.5")
def firer_terms(context: Context, state: State, aim: Aim) -> tuple[Modifier, ...]:
    """Firer based DRM: AFPh, pin, captured, CX, leadership, avoiding backblast (3.2.4)."""
    numbers = numbers_of(context).to_hit_drm
    terms = []
    if aim.mode is FireMode.ADVANCING:
        terms.append(numbers[_advancing_line(context, aim)])
    if aim.firer.pinned or (aim.helper is not None and aim.helper.pinned):
        terms.append(numbers["pinned"])
    if aim.weapon is not None and is_captured(context, state, aim.weapon):
        terms.append(numbers["captured"])
    if any(unit is not None and unit.cx for unit in (aim.firer, aim.leader, aim.helper)):
        terms.append(numbers["cx"])
    if aim.leader is not None and leadership(context, aim.leader):
        terms.append(Modifier(leadership(context, aim.leader), f"directed by {aim.leader.id}", "3.2.4"))
    if aim.shielded:
        terms.append(numbers["backblast"])
    return tuple(terms)


def _advancing_line(context: Context, aim: Aim) -> str:
    """The line of fire in the AFPh: of mortars by where they are, of LATW, and of MG that fire as ordnance (3.5)."""
    card = context.weapon_card(aim.weapon) if aim.weapon is not None else None
    if card is not None and card.kind is WeaponKind.MTR:
        return "afph_in_cover" if context.ground.place(aim.hex).shelter else "afph"
    return "afph" if card is not None and card.is_mg else "afph_latw"


def _target_terms(
    context: Context, state: State, aim: Aim, moving: UnderWay | None, *, empty: bool
) -> tuple[Modifier, ...]:
    """Target based DRM that all targets share: TEM but for mortars, hindrance, acquisition, nobody (3.2.4, 6.11)."""
    terms: list[Modifier] = []
    is_mortar = aim.weapon is not None and context.weapon_card(aim.weapon).kind is WeaponKind.MTR
    if not is_mortar:
        approach = approach_of(moving) if moving is not None else STANDING
        terms += tem_terms(context, (aim.hex,), aim.target, approach)
    terms += hindrance_terms(context, state, (aim.hex,), aim.target)
    drm = acquired_drm(aim.weapon, aim.target) if aim.weapon is not None else 0
    if aim.weapon is not None and drm:
        terms.append(acquired_term(aim.weapon, drm))
    if empty:
        terms.append(numbers_of(context).to_hit_drm["empty_hex"])
    return tuple(terms)


@rule("6.3", "6.7", "7.4")
def _gun_terms(context: Context, state: State, aim: Aim, unit: Unit, *, tem: int, lobbed: bool) -> tuple[Modifier, ...]:
    """The size of a Gun that a target mans, and but on the ATT its emplacement or a vehicle (cases 17 and 22)."""
    weapon = manned_gun(context, state, unit.id)
    gun = context.weapon_card(weapon).gun if weapon is not None else None
    if gun is None:
        return ()
    size = size_terms(context, gun.size)
    if lobbed:
        return size
    dug_in = gun_cover_terms(context, state, unit, (aim.hex,), tem=tem, shield=Shield.NONE)
    return (*size, *(dug_in or (() if tem else cover_terms(context, state, unit, ()))))


@rule("3.2.4")
def to_hit(
    context: Context,
    state: State,
    aim: Aim,
    targets: Sequence[UnitId],
    moving: UnderWay | None,
    *,
    empty: bool = False,
    hidden: Collection[UnitId] = (),
) -> tuple[Breakdown, dict[UnitId, tuple[Modifier, ...]], tuple[Modifier, ...]]:
    """Highest original DR that hits, what changes it for single movers, and the DRM themselves (3.2.4).

    ``empty`` says that nobody at all is in the hex, as far as the firer sees; ``hidden`` are those he does not see
    among others (6.4).
    """
    base, label = target_number(context, aim)
    drm = (*firer_terms(context, state, aim), *_target_terms(context, state, aim, moving, empty=empty))
    terms = tuple(Modifier(-term.value, term.label, term.rule) for term in drm)
    own: dict[UnitId, tuple[Modifier, ...]] = {}
    approach = approach_of(moving)
    lobbed = aim.weapon is not None and context.weapon_card(aim.weapon).kind is WeaponKind.MTR
    tem = sum(term.value for term in drm if term.rule == "1.1.1")
    for unit_id in targets:
        unit = state.units[unit_id]
        moved = mover_terms(context, state, (aim.hex,), unit, approach, lobbed=lobbed)
        if unit.hazardous and not unit.pinned:
            moved = (numbers_of(context).to_hit_drm["hazardous"],)
        if unit_id in hidden:
            moved = (*moved, numbers_of(context).to_hit_drm["hidden_gun"])
        glare = glare_terms(context, state, unit)
        own[unit_id] = (*moved, *_gun_terms(context, state, aim, unit, tem=tem, lobbed=lobbed), *glare)
    return Breakdown("To Hit", "3.2.4", terms, base, label), own, drm
