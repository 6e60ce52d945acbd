"""How long the way is: turns from every hex to a goal, for each kind of vehicle (4.5.1.1).

Dijkstra's search from the goal outwards over hexes, at the better of the cross-country and the road rate. Turning
and the rules for mixed routes are left out, so it is a little short; it is worked out once for each goal and kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from heapq import heappop, heappush

from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.panzer.cards import Movement
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.movement.going import ALL_SIDES, Going, vehicle_going
from sandtable.systems.panzer.hex.movement.movement_costs import cost_table
from sandtable.systems.panzer.hex.progress import FORBIDDEN, WHOLE
from sandtable.systems.panzer.terrain import Traction

__all__ = ["FAR", "Field", "Travel"]

FAR = 99.0
"""Turns to a place that cannot be reached."""
ROAD_DISCOUNT = 0.85
"""A road is not always free and straight: so much of its advantage counts."""


class Field(dict[Hex, float]):
    """Turns to the nearest hex of a goal, by hex; a hex that is not in it has no way there."""

    def __init__(self, turns: Mapping[Hex, float]) -> None:
        super().__init__(turns)
        self._down: dict[Hex, tuple[int, ...]] = {}

    def ways_down(self, hex: Hex) -> tuple[int, ...]:
        """The directions that lead closer to the goal, the best first; three at the most."""
        found = self._down.get(hex)
        if found is None:
            here = self.get(hex, FAR)
            ways = sorted((self.get(there, FAR), way) for way, there in enumerate(NEIGHBOURS[hex]))
            found = self._down[hex] = tuple(way for there, way in ways[:3] if there < here)
        return found


class Travel:
    """Ways over the map of one game."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._fields: dict[tuple[frozenset[Hex], Movement], Field] = {}

    def field(self, goal: frozenset[Hex], movement: Movement) -> Field:
        """Turns to a goal from every hex."""
        key = goal, movement
        found = self._fields.get(key)
        if found is None:
            found = self._fields[key] = Field(self._search(goal, movement))
        return found

    def turns(self, hex: Hex, goal: frozenset[Hex], movement: Movement) -> float:
        """Turns from ``hex`` to the goal."""
        return self.field(goal, movement).get(hex, FAR)

    def _going(self, mode: Traction) -> Going:
        """How units go, about: men and guns as a squad does (6.6.4.1)."""
        tables = self._context.tables
        if mode is not Traction.LEG:
            return vehicle_going(mode, tables)
        heights = tables["foot_movement"].number("heights_light", "value")
        return Going(mode, "a leg unit", heights, ALL_SIDES, 1, on_foot=True, indoors=True)

    def _search(self, goal: Iterable[Hex], movement: Movement) -> dict[Hex, float]:
        table = cost_table(self._context.ground, self._going(movement.mode))
        places = self._context.ground.places
        # Guns that nobody can manhandle stay where they are.
        if not movement.cross_country:
            return dict.fromkeys(goal, 0.0)
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
