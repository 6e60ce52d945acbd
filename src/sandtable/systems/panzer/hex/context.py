"""What stays the same in a game: map, ground, cards, tables, scenario and the edition's switches."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from sandtable.core.content.table import Table
from sandtable.core.decision import Seat
from sandtable.geo.map import GameMap
from sandtable.systems.panzer.cards import Card, CardId
from sandtable.systems.panzer.combat.barrels import Barrel
from sandtable.systems.panzer.edition import Edition
from sandtable.systems.panzer.hex.scenario import Scenario
from sandtable.systems.panzer.hex.sight.ground import Ground

__all__ = ["Context"]


class Context(msgspec.Struct, frozen=True):
    """Everything that rules look up and never change."""

    edition: Edition
    game_map: GameMap
    ground: Ground
    cards: Mapping[CardId, Card]
    tables: Mapping[str, Table]
    scenario: Scenario
    barrels: Mapping[CardId, tuple[Barrel, ...]]

    def other(self, seat: str) -> Seat:
        """The opposing force."""
        first, second = self.scenario.seats
        return second if seat == first else first
