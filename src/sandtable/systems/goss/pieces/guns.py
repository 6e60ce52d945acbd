"""5.6.1, 5.6.2, 11.6.3e, 13.11.4 Guns: which of them move or retreat a hex without leaving their battery."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.systems.goss.pieces.card import Card, MovementClass, Nation, Trait

__all__ = ["may_move_in_battery", "may_retreat_in_battery"]

_LARGEST = {Nation.GERMAN: 150, Nation.US: 155, Nation.BRITISH: 88}
"""Calibre in mm up to which towed guns are moved a hex in battery; the 25-pounder's is 88 (5.6.1)."""
_RETREATING = frozenset(("75mm", "105mm", "105H", "150mm", "155H", "25lb"))
"""Guns that retreat a hex in battery (11.6.3e, 13.11.4)."""


def _is_towed(card: Card) -> bool:
    return card.is_artillery and card.movement is not MovementClass.STATIC and not card.has(Trait.SELF_PROPELLED)


@rule("5.6.1")
def may_move_in_battery(card: Card) -> bool:
    """Whether towed artillery may move one hex in battery: none labelled G or mixed, none too large (5.6.1)."""
    is_barred = card.gun.endswith("G") or "mixed" in card.gun
    return _is_towed(card) and not is_barred and 0 < card.calibre <= _LARGEST[card.nation]


@rule("5.6.2")
def may_retreat_in_battery(card: Card) -> bool:
    """Whether towed artillery may retreat one hex and stay in battery: not behind horses (5.6.2, 13.11.4)."""
    return _is_towed(card) and not card.has(Trait.HORSE_DRAWN) and card.gun in _RETREATING
