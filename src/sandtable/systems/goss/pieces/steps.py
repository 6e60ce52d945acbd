"""4.1.1-4.2.2 Sizes and steps: how strong a unit is with the steps that it has left, and what a loss makes of it.

A unit has as many steps as companies; 0 steps is its Z-step (4.1.3).
"""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.systems.goss.pieces.card import Card, Size, Strength

__all__ = ["Z", "after_loss", "size_of", "strength"]

Z = 0
"""Steps of a company that is down to its Z-step."""
_LAST = 1


@rule("4.1.0", "4.1.1", "4.1.2", "4.2.1")
def size_of(card: Card, steps: int) -> Size:
    """A unit's size: losses do not change it, but a company that is down to its Z-step is one (4.2.1, 4.1.3)."""
    return Size.Z_STEP if steps == Z else card.size


@rule("4.2.0", "4.2.2", "17.6.0")
def strength(card: Card, steps: int) -> Strength:
    """Combat strength with so many steps left (4.2.2).

    The last of three steps has half of the reduced strength, rounded up at once (ruling T-10). A Fort is as
    strong as ever (17.6.0).
    """
    if steps == card.steps or card.is_fort:
        return card.full
    if steps == Z and card.z_step is not None:
        return card.z_step
    if card.reduced is None or not Z < steps < card.steps:
        raise ValueError(f"{card.id} never has {steps} steps")
    if card.steps - steps == 1:
        return card.reduced
    return Strength(-(-card.reduced.attack // 2), -(-card.reduced.defence // 2))


@rule("4.2.1")
def after_loss(card: Card, steps: int) -> int | None:
    """Steps after losing one: a company with a Z-step goes on as that, and None is eliminated (4.2.2)."""
    if steps == Z or card.size is Size.Z_STEP:
        return None
    if steps > _LAST:
        return steps - 1
    return Z if card.z_step is not None else None
