"""4.1.3 Z-step units: half companies, and all that the rules make of them.

Asked of a stack or a side by the sizes of its units and their cards alone; who stands where is others' business.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sandtable.core.content.rule import rule
from sandtable.systems.goss.pieces.card import Card, Size, Trait

__all__ = [
    "density_steps",
    "may_assault",
    "may_lead",
    "may_spot",
    "may_take_fire_hits",
    "perish_alone",
    "swept_away",
    "z_steps_lost",
]


@rule("4.1.3")
def density_steps(steps: Iterable[int]) -> int:
    """Steps of a hex for the density of its units, each Z-step, which has 0, counting half, rounded up (11.5.4)."""
    given = list(steps)
    return sum(given) + (given.count(0) + 1) // 2


def may_spot(size: Size) -> bool:
    """Whether a unit may observe for fire support: no Z-step may."""
    return size is not Size.Z_STEP


def may_take_fire_hits(size: Size, stack: Collection[Size]) -> bool:
    """Whether a unit's loss counts for a numerical hit on its stack: no Z-step's beside a company or battalion."""
    return size is not Size.Z_STEP or not _has_company(stack)


def perish_alone(stack: Collection[Size]) -> bool:
    """Whether any loss that is asked of a stack ends all of it: Z-steps without a company or battalion.

    So in fire support and in an assault; a company that has just become a Z-step is spared.
    """
    return bool(stack) and not _has_company(stack)


def may_assault(size: Size, attackers: Collection[Size]) -> bool:
    """Whether a unit may take part in an offensive assault: a Z-step only beside a company that does, of its stack."""
    return size is not Size.Z_STEP or _has_company(attackers)


def may_lead(card: Card, size: Size, side: Collection[Size], *, is_attacking: bool) -> bool:
    """Whether a unit may lead by PR or armour among the units of its side.

    Companies and battalions may. A Z-step may if it is a Pz V, Pz VI or Pz VIb, or where Z-steps defend alone.
    """
    if size is not Size.Z_STEP or card.has(Trait.LEADS_AS_Z_STEP):
        return True
    return not is_attacking and not _has_company(side)


def z_steps_lost(step_losses: int, z_steps: int) -> int:
    """Z-steps that go with the mandatory step losses of an assault, one each; they satisfy none of them (13.10.3)."""
    return min(step_losses, z_steps)


def swept_away(left: Collection[Size]) -> bool:
    """Whether the Z-steps of a hex that fought are eliminated after all losses: nobody larger is left of its side.

    Those that became Z-steps in the assault are spared.
    """
    return bool(left) and not _has_company(left)


def _has_company(sizes: Collection[Size]) -> bool:
    return any(size is not Size.Z_STEP for size in sizes)
