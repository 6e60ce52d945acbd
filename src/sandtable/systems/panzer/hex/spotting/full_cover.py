"""6.1.4.2 Full Cover: who may use the ground to hide, and where."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.state import State, Unit

__all__ = ["refuse_full_cover"]

_BARE = frozenset({"bridge", "ford", "stream"})


@rule("6.1.4.2", editions=("panzer-na",))
def refuse_full_cover(context: Context, state: State, unit: Unit) -> Refusal | None:
    """Why a unit may not enter Full Cover in the Adjust Full Cover Step (6.1.4.2)"""
    card = context.cards[unit.card]
    if card.unit_class is UnitClass.VEHICLE:
        return Refusal("6.1.4.2", f"{unit.id} is a vehicle", "a dismounted leg or towed unit")
    if unit.hex is None or not unit.in_play:
        return Refusal("6.1.4.2", f"{unit.id} is not in play on the mapboard", "name a unit on the mapboard")
    if unit.markers.is_mounted:
        return Refusal("6.1.4.2", f"{unit.id} rides on {unit.markers.carrier}", "a dismounted leg or towed unit")
    place = context.ground_at(state).places[unit.hex]
    if place.bridge or not _BARE.isdisjoint(place.terrain):
        reason = f"there is no Full Cover in {place.label}: a Bridge, Ford or Stream hex"
        return Refusal("6.1.4.2", reason, "move to other terrain first")
    return None
