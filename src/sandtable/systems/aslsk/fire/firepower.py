"""3.2.2 Firepower: what each firer adds to an attack, all multipliers applied, and how it comes about.

FP is kept in 64ths until the total is formed; a breakdown gives whole FP a firer, with the arithmetic in its words,
and what the fractions add together.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.numbers import Halving, Numbers, numbers_of
from sandtable.systems.aslsk.effects.ift import ONE_FP, Ift, fp_text
from sandtable.systems.aslsk.fire.firers import MG_REACH, FireMode, Use
from sandtable.systems.aslsk.pieces.cards import UnitKind, WeaponKind
from sandtable.systems.aslsk.pieces.state import Unit, Weapon

__all__ = ["Share", "firepower_breakdown", "range_factors", "share_of", "unit_share", "weapon_share"]


class Share(NamedTuple):
    """The FP of one firer in an attack."""

    firer: str
    parts: int
    """In 64ths of a FP."""
    label: str
    rule: str


def _common(numbers: Numbers, mode: FireMode, use: Use, *, pinned: bool) -> list[Halving]:
    """Area fire that does not depend on range (3.2.2)."""
    factors = []
    if mode is FireMode.ADVANCING:
        factors.append(numbers.fp["advancing_fire"])
    if use is not Use.PLAIN:
        factors.append(numbers.fp["marked_fire"])
    if pinned:
        factors.append(numbers.fp["pinned"])
    return factors


@rule("3.2.2", "3.2.2.1")
def range_factors(numbers: Numbers, reach: int, normal: int) -> list[Halving]:
    """PBF at an adjacent hex, TPBF in the same hex, half FP beyond normal range (3.2.2, 3.2.2.1)."""
    if reach == 0:
        return [numbers.fp["same_hex"]]
    factors = [numbers.fp["point_blank"]] if reach == 1 else []
    if reach > normal:
        factors.append(numbers.fp["long_range"])
    return factors


def share_of(firer: str, printed: int, factors: Iterable[Halving], number: str = "3.2.2", bonus: int = 0) -> Share:
    """FP with its factors, and a bonus after all of them."""
    parts = printed * ONE_FP
    words = [str(printed)]
    for factor in factors:
        parts = parts * factor.times // factor.over
        words.append(f"x{factor.times} {factor.label}" if factor.over == 1 else f"/{factor.over} {factor.label}")
    if bonus:
        parts = -(-(parts + bonus * ONE_FP) // ONE_FP) * ONE_FP
        words.append(f"+{bonus} Assault Fire, rounded up")
    label = f"{firer}: {' '.join(words)}"
    return Share(firer, parts, f"{label} = {fp_text(parts)}" if len(words) > 1 else label, number)


@rule("3.2.2", "3.5")
def unit_share(context: Context, unit: Unit, use: Use, mode: FireMode, reach: int) -> Share:
    """Own FP of a unit; Assault Fire adds one after all else, within normal range (3.2.2, 3.5)."""
    card = context.card(unit)
    numbers = numbers_of(context)
    assault = mode is FireMode.ADVANCING and card.assault_fire and card.kind is UnitKind.SQUAD and reach <= card.range
    factors = [*range_factors(numbers, reach, card.range), *_common(numbers, mode, use, pinned=unit.pinned)]
    return share_of(unit.id, card.fp, factors, bonus=int(assault))


@rule("4.1", "4.2", "4.4.4")
def weapon_share(
    context: Context, weapon: Weapon, use: Use, mode: FireMode, *, reach: int, pinned: bool, alone: bool, whole: bool
) -> Share:
    """FP of a MG, ATR or FT; ``alone`` with one SMC, ``whole`` if some target is unbroken (4.1, 4.2, 4.4.4).

    It is that of ``pinned`` Infantry as soon as one of two SMC is.
    """
    card = context.weapon_card(weapon)
    numbers = numbers_of(context)
    if card.kind is WeaponKind.FT:
        factors = [numbers.fp["long_range"]] if reach > card.range else []
        return share_of(weapon.id, card.fp, factors, "4.2")
    factors = [*range_factors(numbers, reach, card.range), *_common(numbers, mode, use, pinned=pinned)]
    if card.is_mg and alone:
        factors.append(numbers.fp["lone_smc"])
    if card.is_mg and reach > MG_REACH and whole:
        factors.append(numbers.fp["beyond_16"])
    return share_of(weapon.id, card.fp, factors, "4.1" if card.is_mg else "4.4.4")


@rule("3.2.3")
def firepower_breakdown(ift: Ift, shares: Iterable[Share]) -> tuple[Breakdown, int]:
    """The total FP with its column, and the column's number (3.2.3)."""
    shares = tuple(shares)
    terms = [Modifier(share.parts // ONE_FP, share.label, share.rule) for share in shares]
    total = sum(share.parts for share in shares)
    fractions = total // ONE_FP - sum(term.value for term in terms)
    if fractions:
        terms.append(Modifier(fractions, "fractions together", "3.2.2"))
    column = ift.column(total)
    label = f"IFT column of {fp_text(total)} FP"
    return Breakdown("Firepower", "3.2.2", tuple(terms), 0, "", ift.fp(column), label), column
