"""What a hit does to an AFV on average: To Kill number against the armour that is struck (7.9, 7.10).

Hull and turret are weighed by how often the dice pick them. Every number is worked out once and kept.
"""

from __future__ import annotations

from typing import NamedTuple

from sandtable.bots.aslsk.harm import DR_CHANCES
from sandtable.systems.aslsk.armour.strike import AfvResult, destruction
from sandtable.systems.aslsk.armour.to_kill import StrikeKind
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.pieces.armament import Ammo
from sandtable.systems.aslsk.pieces.vehicle_cards import Aspect, Facing, VehicleCard

__all__ = ["HitFacing", "Plating", "chance_of"]

_ASPECTS = ((Aspect.HULL, 21 / 36), (Aspect.TURRET, 15 / 36))
"""How often a DR strikes each: the turret where the coloured die is the lower one (3.2.4)."""
_LOST = {
    AfvResult.NONE: 0.0,
    AfvResult.STUN: 0.25,
    AfvResult.POSSIBLE_SHOCK: 0.15,
    AfvResult.IMMOBILIZED: 0.5,
    AfvResult.SHOCK: 0.55,
    AfvResult.ELIMINATED: 1.0,
}
"""Share of its worth that each result costs a vehicle."""


class HitFacing(NamedTuple):
    """The facings of hull and turret that a line of sight strikes."""

    hull: Facing
    turret: Facing


def chance_of(number: int) -> float:
    """The chance of a DR of so much or less."""
    return sum([chance for total, chance in DR_CHANCES.items() if total <= number])


class Plating:
    """Harm by To Kill number, ammunition and what is struck."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._rear = context.tables["to_kill_modifiers"].number("rear")
        self._known: dict[tuple[StrikeKind, bool, int, Aspect], float] = {}

    def share(self, card: VehicleCard, facing: HitFacing, kind: StrikeKind, ammo: Ammo, number: int) -> float:
        """The share of its worth that a hit costs a vehicle on average; ``number`` is that of the TK table."""
        total = 0.0
        for aspect, often in _ASPECTS:
            side = facing.hull if aspect is Aspect.HULL else facing.turret
            rear = self._rear if side is Facing.REAR else 0
            factor = 0 if kind is StrikeKind.FLAME else card.armour.factor(aspect, side)
            total += often * self.at(kind, ammo, number + rear - factor, aspect)
        return total

    def at(self, kind: StrikeKind, ammo: Ammo, number: int, aspect: Aspect) -> float:
        """The same for a Final TK#."""
        key = (kind, ammo is Ammo.HE, number, aspect)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = sum(
                chance * _LOST[destruction(self._context, kind, ammo, total - number, aspect)]
                for total, chance in DR_CHANCES.items()
            )
        return found
