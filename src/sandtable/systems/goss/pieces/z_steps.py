"""4.1.3 Z-step units: half companies, and all that the rules make of them.

Asked of a stack or a side by the sizes of its units and their cards alone; who stands where is others' business.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sandtable.core.content.rule import rule
from sandtable.systems.goss.pieces.card import Card, Size, Trait

__all__ = [
    "density_steps",
    "may_lead",
]


@rule("4.1.3")
def density_steps(steps: Iterable[int]) -> int:
    """Steps of a hex for the density of its units, each Z-step, which has 0, counting half, rounded up (11.5.4)."""
    given = list(steps)
    return sum(given) + (given.count(0) + 1) // 2


def may_lead(card: Card, size: Size, side: Collection[Size], *, is_attacking: bool) -> bool:
    """Whether a unit may lead by PR or armour among the units of its side.

    Companies and battalions may. A Z-step may if it is a Pz V, Pz VI or Pz VIb, or where Z-steps defend alone.
    """
    if size is not Size.Z_STEP or card.has(Trait.LEADS_AS_Z_STEP):
        return True
    return not is_attacking and not _has_company(side)


def _has_company(sizes: Collection[Size]) -> bool:
    return any(size is not Size.Z_STEP for size in sizes)
