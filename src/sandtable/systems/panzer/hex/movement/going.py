"""How a unit goes: what its move costs and how far it may reach beside its allowance (4.5.1.1.2, 6.6.4, 6.6.5).

One :class:`Going` is all that tells a vehicle from a squad or a gun: the mover and its costs ask it and know no units.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.cards import Card
from sandtable.systems.panzer.movement.march import crosses_walls, height_limit, most_hexes
from sandtable.systems.panzer.movement.move_facts import MoveFacts
from sandtable.systems.panzer.movement.speed import Gait
from sandtable.systems.panzer.terrain import Traction

__all__ = ["ALL_SIDES", "Going", "going_of", "vehicle_going"]

ALL_SIDES = 6
"""More hexsides than there are to turn: turning is free."""


class Going(NamedTuple):
    """What a Mode of Traction and a gait come to; equal ones share their costs."""

    traction: Traction
    who: str
    """In refusals: a tracked vehicle, a unit on foot."""
    height_limit: int
    """Heights that it changes at most in a move of one hex."""
    free_turn: int
    """Hexsides that it turns for nothing in a hex."""
    reverse_factor: int
    on_foot: bool = False
    """Goes along roads and paths at their cost and has no rate for them (6.6.4.1)."""
    indoors: bool = False
    """In a Building hex it pays for the buildings; others, motorcyclists too, for the alleys (6.1.4.3.1, 6.6.4.4)."""
    walls: bool = True
    """May traverse Wall and Defilade hexsides as far as their cost allows it."""
    open_only: bool = False
    """Enters Clear, Path and Road hexes alone (6.6.4.2)."""
    most_hexes: int | None = None
    """Hexes that it may enter in a turn at most; None where the allowance alone counts."""
    most_heights: int | None = None
    """Heights that it may change in the whole of its move."""

    @property
    def is_limited(self) -> bool:
        """Whether more than its allowance holds it."""
        return self.most_hexes is not None or self.most_heights is not None


_VEHICLES = {
    Traction.TRACKED: "a tracked vehicle",
    Traction.HALF_TRACKED: "a half-tracked vehicle",
    Traction.WHEELED: "a wheeled vehicle",
    Traction.LEG: "a leg unit",
}


def going_of(card: Card, facts: MoveFacts | None, gait: Gait, tables: Mapping[str, Table]) -> Going:
    """How a unit goes; ``facts`` are None in the Basic Game, which has vehicles alone."""
    if facts is not None and facts.unit_class is not UnitClass.VEHICLE:
        return _foot(card, facts, gait, tables)
    return vehicle_going(card.movement.mode, tables)


@rule("4.5.1.1.2", "4.5.1.1.4", "4.5.1.1.7")
def vehicle_going(mode: Traction, tables: Mapping[str, Table]) -> Going:
    """How a vehicle goes by its Mode of Traction (4.5.1.1.2)."""
    costs = tables["movement_costs"]
    return Going(
        mode,
        _VEHICLES[mode],
        tables["height_change_limits"].number(mode.value),
        costs.number("free_turn_hexsides"),
        costs.number("reverse_factor"),
    )


@rule("5.1", "5.2", "5.5", "6.6.4", "6.6.4.1", "6.6.4.2", "6.6.4.3", "6.6.4.4", "6.6.5", editions=("panzer-na",))
def _foot(card: Card, facts: MoveFacts, gait: Gait, tables: Mapping[str, Table]) -> Going:
    """Leg and towed units turn for nothing and go any way; motorcycles drive like wheeled vehicles (6.6.4)."""
    costs, wheels = tables["movement_costs"], facts.card.motorcycle
    return Going(
        card.movement.mode,
        "a motorcycle unit" if wheels else "a towed unit" if facts.unit_class is UnitClass.TOWED else "a leg unit",
        height_limit(facts, gait, tables),
        costs.number("free_turn_hexsides") if wheels else ALL_SIDES,
        costs.number("reverse_factor") if wheels else 1,
        on_foot=not wheels,
        indoors=facts.unit_class.is_leg and not wheels,
        walls=crosses_walls(facts),
        open_only=gait is Gait.QUICKMARCH,
        most_hexes=most_hexes(facts, gait, tables),
        most_heights=height_limit(facts, gait, tables) if gait is Gait.QUICKMARCH else None,
    )
