"""How long the way is: turns from every hex to a goal, for each kind of vehicle (4.5.1.1).

Dijkstra's search from the goal outwards over hexes, at the better of the cross-country and the road rate. Turning
and the rules for mixed routes are left out, so it is a little short; it is worked out once for each goal and kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush

from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.panzer.cards import Movement
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.movement.movement_costs import cost_table
from sandtable.systems.panzer.hex.progress import FORBIDDEN, WHOLE

__all__ = ["FAR", "Travel"]

FAR = 99.0
"""Turns to a place that cannot be reached."""
ROAD_DISCOUNT = 0.85
"""A road is not always free and straight: so much of its advantage counts."""


class Travel:
    """Ways over the map of one game."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._fields: dict[tuple[frozenset[Hex], Movement], dict[Hex, float]] = {}

    def field(self, goal: frozenset[Hex], movement: Movement) -> dict[Hex, float]:
        """Turns to the nearest hex of the goal, by hex; a hex that is not in it has no way there."""
        key = goal, movement
        found = self._fields.get(key)
        if found is None:
            found = self._fields[key] = self._search(goal, movement)
        return found

    def turns(self, hex: Hex, goal: frozenset[Hex], movement: Movement) -> float:
        """Turns from ``hex`` to the goal."""
        return self.field(goal, movement).get(hex, FAR)

    def _search(self, goal: Iterable[Hex], movement: Movement) -> dict[Hex, float]:
        table = cost_table(self._context.ground, movement.mode)
        places = self._context.ground.places
        slow, fast = movement.cross_country, ROAD_DISCOUNT * movement.road
        settled: dict[Hex, float] = {}
        queue = [(0.0, hex) for hex in sorted(goal)]
        while queue:
            spent, hex = heappop(queue)
            if hex in settled:
                continue
            settled[hex] = spent
            for direction, before in enumerate(NEIGHBOURS[hex]):
                if before in settled or before not in places:
                    continue
                step = table.steps[before][(direction + 3) % 6]
                if step is None or step.to != hex:
                    continue
                cost = 1.0 if step.forward >= WHOLE else step.forward / slow
                if step.route:
                    cost = min(cost, step.route_forward / fast)
                if step.forward < FORBIDDEN or step.route:
                    heappush(queue, (spent + cost, before))
        return settled
