"""What stacking asks of a unit, from its card and what is left of it (6.1-6.3)."""

from __future__ import annotations

from sandtable.systems.goss.pieces.card import Card, Kind, MovementClass, Trait
from sandtable.systems.goss.pieces.steps import size_of
from sandtable.systems.goss.pieces.unit import Unit
from sandtable.systems.goss.stacking.limits import Stacker

__all__ = ["stacker"]

_AFVS = frozenset((Kind.TANKS, Kind.TANK_DESTROYERS))
_ANTI_TANK = frozenset((Kind.ANTI_TANK, Kind.TANK_DESTROYERS))
"""Towed AT, and tank destroyers or Panzerjäger in its place (6.2.2; ruling B-103)."""


def stacker(unit: Unit, card: Card) -> Stacker:
    """A unit as the limits of its hex count it."""
    return Stacker(
        id=unit.id,
        size=size_of(card, unit.steps),
        steps=unit.steps,
        formation=unit.formation or card.formation,
        nation=card.nation.value,
        is_mech=card.movement is MovementClass.MECH,
        is_personnel=card.has(Trait.PERSONNEL),
        is_recon=card.kind is Kind.RECON,
        is_hybrid=card.is_hybrid,
        is_afv=card.kind in _AFVS,
        is_engineer=card.kind is Kind.ENGINEERS,
        is_anti_tank=card.kind in _ANTI_TANK,
        is_light_tank=card.has(Trait.LIGHT_TANK),
        is_armoured_cavalry=card.has(Trait.ARMOURED_CAVALRY),
        is_breakdown=card.has(Trait.BREAKDOWN),
    )
