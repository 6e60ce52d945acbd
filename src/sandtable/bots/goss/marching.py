"""Where to march: attackers towards what counts, reserves to what is threatened, guns to where they reach the front."""

from __future__ import annotations

from sandtable.bots.goss.front import FrontLine
from sandtable.geo.hex import Hex, distance
from sandtable.systems.goss.common.cover import cover_at
from sandtable.systems.goss.common.rest import is_resting
from sandtable.systems.goss.pieces.unit import Unit

__all__ = ["may_march", "worth_of_place"]

_BESIDE = 1.5
"""Hexes of way that a place beside the enemy is worth to those who attack."""
_COVER = 0.4
_EXPOSED = 4.0
_NEAR = 6
"""Hexes from which enemies threaten what is to be held."""
_POINTS = 4.0
"""Points of a hex for which one goes a hex farther."""


def may_march(front: FrontLine, unit: Unit) -> bool:
    """Whether a unit marches now: not in its rest game turn, which tires (3.5.4)."""
    return not is_resting(front.context, front.known, unit)


def worth_of_place(front: FrontLine, unit: Unit, hex: Hex) -> float:
    """How good a hex is for a unit to stand in, in hexes of way."""
    card = front.context.card(unit)
    cover = _COVER * cover_at(front.context, front.known, hex, front.enemy)
    if card.is_artillery or card.is_headquarters:
        return _behind(front, card.range or 5, hex) + cover
    if front.is_attacker:
        return cover - _away(front, front.goals, hex) + (_BESIDE if front.is_beside_enemy(hex) else 0.0)
    return cover - _away(front, _threatened(front), hex)


def _away(front: FrontLine, goals: dict[Hex, int], hex: Hex) -> float:
    """Hexes to the goal that is nearest for what it counts; to the enemy where there is none."""
    if not goals:
        return float(front.to_enemy(hex)) if front.is_attacker else 0.0
    return min(distance(hex, goal) - points / _POINTS for goal, points in goals.items())


def _threatened(front: FrontLine) -> dict[Hex, int]:
    """What is to be held, nobody of the side stands in, and an enemy is near to."""
    return {
        hex: points
        for hex, points in front.charges.items()
        if not front.deployment.at(hex) and front.to_enemy(hex) <= _NEAR
    }


def _behind(front: FrontLine, reach: int, hex: Hex) -> float:
    """Near enough to reach the enemy, and not beside him."""
    away = front.to_enemy(hex)
    if away <= 2:
        return -_EXPOSED
    return -float(max(away - reach + 1, 0))
