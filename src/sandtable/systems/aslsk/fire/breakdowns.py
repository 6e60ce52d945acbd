"""4.0, 4.1, 4.2: B# and X#, and which weapon breaks down after an attack; 1.2.4.1 which keeps its ROF."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import one_of
from sandtable.systems.aslsk.common.experience import breakdown_terms, is_elite, rate_of_fire
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.fire.fire_groups import Firer
from sandtable.systems.aslsk.fire.firers import FireMode, Use
from sandtable.systems.aslsk.pieces.cards import WeaponKind
from sandtable.systems.aslsk.pieces.state import State, Unit, Weapon, WeaponId

__all__ = ["NEVER", "break_down", "breakdown_number", "keeps_rate", "removal_number", "strike"]

_PLAIN, _ADVANCING = Use.PLAIN, FireMode.ADVANCING
"""Names are looked up quicker than members of enums."""
NEVER = 13
"""A B# or X# that no DR reaches."""


@rule("4.0", "4.1")
def breakdown_number(context: Context, state: State, weapon: Weapon, user: Unit, use: Use = Use.PLAIN) -> Breakdown:
    """The original DR at which a weapon malfunctions (4.0, 4.1)."""
    card = context.weapon_card(weapon)
    if card.breakdown >= NEVER:
        return Breakdown("B#", "4.0", base=NEVER, base_label="has none")
    terms = breakdown_terms(context, state, weapon, user)
    if use is not _PLAIN:
        terms = (*terms, numbers_of(context).weapon_numbers["subsequent_fire"])
    return Breakdown("B#", "4.0", terms, card.breakdown, f"B# of {card.name}")


@rule("4.0", "4.2", "4.3")
def removal_number(context: Context, state: State, weapon: Weapon, user: Unit) -> Breakdown:
    """The original DR at which a FT, DC, BAZ or PSK is gone; FT and DC in non-elite hands sooner (4.2, 4.3)."""
    card = context.weapon_card(weapon)
    if card.removal >= NEVER:
        return Breakdown("X#", "4.0", base=NEVER, base_label="has none")
    terms = breakdown_terms(context, state, weapon, user)
    if card.kind in _DELICATE and not is_elite(context, user):
        terms = (*terms, numbers_of(context).weapon_numbers["non_elite"])
    return Breakdown("X#", "4.0", terms, card.removal, f"X# of {card.name}")


_DELICATE = frozenset((WeaponKind.FT, WeaponKind.DC))


@rule("1.2.4.1", "3.5")
def keeps_rate(
    context: Context, state: State, weapon: Weapon, users: Sequence[Unit], use: Use, *, mode: FireMode, coloured: int
) -> bool:
    """Whether the coloured die lets an unpinned weapon fire again; never in the AFPh or as SFF (1.2.4.1, 3.5)."""
    if mode is _ADVANCING or use is not _PLAIN or any(user.pinned for user in users):
        return False
    return coloured <= rate_of_fire(context, state, weapon)


@rule("4.1")
def break_down(context: Context, play: Play, group: Sequence[Firer], total: int) -> frozenset[WeaponId]:
    """One weapon of those whose number the original DR reaches, at random, breaks down; its id (4.1)."""
    worn = [firer for firer in group if _is_worn(context, play.state, firer, total)]
    if not worn:
        return frozenset()
    firer = worn[one_of(play, len(worn), "which weapon breaks down")]
    assert firer.weapon is not None  # noqa: S101 - only weapons wear
    strike(context, play, firer.weapon, firer.unit, total, use=firer.use)
    return frozenset((firer.weapon.id,))


def _is_worn(context: Context, state: State, firer: Firer, total: int) -> bool:
    if firer.weapon is None:
        return False
    number = breakdown_number(context, state, firer.weapon, firer.unit, firer.use)
    gone = removal_number(context, state, firer.weapon, firer.unit)
    return total >= min(number.total, gone.total)


def strike(context: Context, play: Play, weapon: Weapon, user: Unit, total: int, *, use: Use = Use.PLAIN) -> None:
    """Turn a weapon over, or take it away: at its X#, or used again at its original B# (3.3.3, 4.0)."""
    card = context.weapon_card(weapon)
    if total >= removal_number(context, play.state, weapon, user).total:
        play.emit(ev.WeaponRemoved(weapon.id, f"original DR {total} reached its X#"))
    elif total >= card.breakdown and _is_worn_out(context, play.state, weapon, user, use):
        play.emit(ev.WeaponRemoved(weapon.id, f"original DR {total} reached its original B#, which was lowered"))
    else:
        play.emit(ev.WeaponMalfunctioned(weapon.id))


@rule("3.3.3", "4.1", "4.5")
def _is_worn_out(context: Context, state: State, weapon: Weapon, user: Unit, use: Use) -> bool:
    """Whether the printed B# removes a weapon: fired after First Fire, or a mortar with its B# lowered (4.1, 6.12)."""
    if use is not Use.PLAIN:
        return True
    mortar = context.weapon_card(weapon).kind is WeaponKind.MTR
    return mortar and bool(breakdown_terms(context, state, weapon, user))


def marks_of(context: Context, state: State, group: Iterable[Firer]) -> tuple[int, ...]:
    """The totals at which weapons of a group break down, for exact odds."""
    found = set()
    for firer in group:
        if firer.weapon is not None:
            found.add(breakdown_number(context, state, firer.weapon, firer.unit, firer.use).total)
            found.add(removal_number(context, state, firer.weapon, firer.unit).total)
            found.add(context.weapon_card(firer.weapon).breakdown)
    return tuple(sorted(number for number in found if number < NEVER))
