"""4.4.0-4.4.2 Proficiency: which rating counts, and whether a check is passed."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.goss.pieces.card import Card, MovementClass, Size

__all__ = ["check_roll", "is_passed", "may_attack_alone", "may_join_assault", "may_lead_attack", "rating_of"]


@rule("4.4.1")
def rating_of(card: Card, *, is_active: bool) -> int | None:
    """The PR of a unit: offensive on the active side, defensive on the other; None if it has none (4.4.1)."""
    return card.offensive if is_active else card.defensive


@rule("4.4.1", "4.4.2")
def check_roll(rating: int, *, has_leader: bool = False, terms: Iterable[Modifier] = ()) -> Breakdown:
    """The highest die that passes a check: what comes out must be less than the rating (4.4.1).

    A leader in the hex takes one from the die. A leader's own check goes by his activation number (4.4.2).
    """
    led = (Modifier(-1, "leader", "23.2.1e"),) if has_leader else ()
    drm = (*led, *terms)
    told = tuple(Modifier(-one.value, one.label, one.rule) for one in drm)
    return Breakdown("Proficiency check", "4.4.1", told, rating - 1, f"below {rating}")


def is_passed(rating: int, roll: int, drm: int = 0) -> bool:
    """Whether a die passes: less than the rating once it is modified (4.4.1)."""
    return roll + drm < rating


@rule("4.4.0", "4.3.3", "13.4.2", "17.6.0")
def may_join_assault(card: Card) -> bool:
    """Whether a unit ever takes part in an offensive assault: no ranged artillery, staff or Fort (4.4.0, 17.6.0).

    Nor who is static: it could never enter the hex (4.3.3, 13.4.2).
    """
    if card.is_artillery or card.is_headquarters or card.is_fort:
        return False
    return card.movement is not MovementClass.STATIC


def may_attack_alone(card: Card, size: Size) -> bool:
    """Whether a unit may assault without another: it needs an offensive PR and more than a Z-step (4.4.0, 4.1.3)."""
    return may_join_assault(card) and card.offensive is not None and size is not Size.Z_STEP


def may_lead_attack(card: Card) -> bool:
    """Whether a unit may be the lead PR unit of an attack: one without an offensive PR may not (4.4.0)."""
    return may_join_assault(card) and card.offensive is not None
