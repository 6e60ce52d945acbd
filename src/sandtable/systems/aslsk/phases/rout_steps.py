"""3.6 The steps of a rout: which ones are legal, what they cost, whether they are interdicted, and the search for ways.

A step may not shorten the range to an enemy unit that is or was in sight during this RtPh, nor lead from one hex next
to an enemy to another next to the same. How a rout goes on depends on what was seen before, so the search carries the
enemies seen along with the hex, as bits of a number.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from heapq import heappop, heappush
from operator import is_
from typing import NamedTuple

import msgspec

from sandtable.core.content.rule import rule
from sandtable.geo.hex import NEIGHBOURS, Hex, distance
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.fact import HALVES
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.common.stacking import fits, held, occupants
from sandtable.systems.aslsk.common.vehicles_here import enemy_vehicle_hexes, enemy_vehicles_at
from sandtable.systems.aslsk.fire.interdiction import interdictors
from sandtable.systems.aslsk.movement.movement_costs import entry_halves, ways_out
from sandtable.systems.aslsk.pieces.state import Phase, Smoke, State, Unit, Vehicle, VehicleId, Weapon, WeaponId

__all__ = ["RoutPath", "RoutSteps"]

_NEVER_FULL = 2
"""With so many units in it a hex has room for one more, and for a leader with it (3.3.1)."""


class RoutPath(msgspec.Struct, frozen=True, gc=False):
    """A way to a hex and what it costs."""

    before: RoutPath | None
    """The way to the hex before it; None where the rout starts."""
    hex: Hex
    spent: int
    """Halves of MF."""
    seen: int
    """Bits of the enemies in sight at some hex of the path."""

    @property
    def path(self) -> tuple[Hex, ...]:
        """The hexes entered, in their order."""
        hexes = []
        way = self
        while way.before is not None:
            hexes.append(way.hex)
            way = way.before
        return tuple(reversed(hexes))


def _is_old(known: list[int], seen: int) -> bool:
    """Whether somebody has come to a hex who saw no other enemies than these."""
    for mask in known:  # noqa: SIM110 - a loop is twice as quick as any() over so few
        if mask & seen == mask:
            return True
    return False


@cache
def _barred_ways(q: int, r: int) -> tuple[int, ...]:
    """The directions in which a step comes closer to an enemy so far away, or stays adjacent to him."""
    here, enemy = Hex(0, 0), Hex(q, r)
    before = distance(here, enemy)
    after = [distance(there, enemy) for there in NEIGHBOURS[here]]
    return tuple(way for way in range(6) if after[way] < before or before == after[way] == 1)


class _Views(NamedTuple):
    """What follows from where the enemies of a side are: the same for all of its units that rout."""

    enemies: list[Hex]
    smoke: tuple[Smoke, ...]
    vehicles: dict[VehicleId, Vehicle]
    phase: Phase
    seen: dict[Hex, int]
    glimpses: dict[Hex, tuple[int, int]]
    """By hex: bits of the enemies that were looked for from there, and of those of them in sight."""
    ranges: dict[Hex, list[int]]
    barred: dict[Hex, tuple[int, ...]]


class _Cover(NamedTuple):
    """Where the enemies of a side interdict it while they stay as they are: the same for all of its units that rout."""

    enemies: list[Unit]
    shared: frozenset[Hex]
    """Hexes that both sides are in: nobody fires out of them (3.2.2.1)."""
    smoke: tuple[Smoke, ...]
    vehicles: dict[VehicleId, Vehicle]
    weapons: dict[WeaponId, Weapon]
    phase: Phase
    exposed: dict[tuple[Hex, int, bool], bool]
    """By hex entered, direction and whether it is by road."""


def _cover_of(context: Context, state: State, side: str, hexes: list[Hex]) -> _Cover:
    there = occupants(context, state)
    enemies: list[Unit] = []
    both: list[Hex] = []
    for hex in hexes:
        for one in there.get(hex, ()):
            if one.side != side:
                enemies.append(one)
            elif hex not in both:
                both.append(hex)
    shared = frozenset(both)
    kept: _Cover | None = context.memory.rout_covers.get(side)
    if (
        kept is None
        or len(kept.enemies) != len(enemies)
        or not all(map(is_, kept.enemies, enemies))
        or kept.shared != shared
        or kept.smoke is not state.smoke
        or kept.vehicles is not state.vehicles
        or kept.weapons is not state.weapons
        or kept.phase is not state.phase
    ):
        kept = _Cover(enemies, shared, state.smoke, state.vehicles, state.weapons, state.phase, {})
        context.memory.rout_covers[side] = kept
    return kept


def _views_of(context: Context, state: State, side: str, enemies: list[Hex]) -> _Views:
    kept: _Views | None = context.memory.rout_views.get(side)
    if (
        kept is None
        or kept.enemies != enemies
        or kept.smoke is not state.smoke
        or kept.vehicles is not state.vehicles
        or kept.phase is not state.phase
    ):
        kept = _Views(enemies, state.smoke, state.vehicles, state.phase, {}, {}, {}, {})
        context.memory.rout_views[side] = kept
    return kept


class RoutSteps:
    """What a broken unit may do next, wherever it has come to."""

    def __init__(
        self,
        context: Context,
        state: State,
        unit: Unit,
        *,
        escort: Unit | None = None,
        spent: int = 0,
        known: tuple[str, ...] = (),
    ) -> None:
        assert unit.hex is not None  # noqa: S101 - only units on the map rout
        self.context = context
        self.state = state
        self.unit = unit
        self.start = unit.hex
        self.group = (unit,) if escort is None else (unit, escort)
        self.spent = spent
        factors = numbers_of(context).mf
        self.allowance = HALVES * min(factors["rout_wounded_smc" if one.wounded else "rout"] for one in self.group)
        there = occupants(context, state)
        hostile = held(context, state, unit.side)[1]
        self.enemies = [hex for hex in there if hex in hostile]
        """Hexes that hold enemy units or vehicles; their places here are the bits."""
        shut = enemy_vehicle_hexes(state, unit.side) if state.vehicles else frozenset()
        self.enemies += sorted(shut.difference(self.enemies))
        self._enemy_hexes = frozenset(self.enemies)
        self._full = frozenset(
            hex
            for hex, units in there.items()
            if len(units) > _NEVER_FULL and not fits(context, state, hex, unit.side, self.group)
        )
        """Hexes with no room for it, not even on its way (3.3.1)."""
        unbroken = set(shut)
        for hex in hostile:
            for one in there[hex]:
                if one.side != unit.side and not one.broken:
                    unbroken.add(hex)
                    break
        self._unbroken = frozenset(unbroken)
        views = _views_of(context, state, unit.side, self.enemies)
        self._seen, self._glimpses = views.seen, views.glimpses
        self._ranges, self._barred = views.ranges, views.barred
        self._all = (1 << len(self.enemies)) - 1
        self._exposed = _cover_of(context, state, unit.side, self.enemies).exposed
        self.known_now = self.sees(self.start)
        self.known = self.known_now | (self._bits_of(known) if known else 0)

    def _bits_of(self, known: tuple[str, ...]) -> int:
        """Bits of the enemies that were in sight before."""
        hexes = {one.hex for one in self.state.units.values() if one.id in known}
        hexes |= {one.hex for one in self.state.vehicles.values() if one.id in known}
        return sum(1 << index for index, hex in enumerate(self.enemies) if hex in hexes)

    def sees(self, hex: Hex) -> int:
        """Bits of the enemies in sight of a hex."""
        found = self._seen.get(hex)
        if found is None:
            found = self._seen[hex] = self.context.seen_among(self.state, hex, self.enemies)
        return found

    def _sees_too(self, hex: Hex, seen: int) -> int:
        """Bits of the enemies seen before or from a hex: nobody is looked for twice."""
        whole = self._seen.get(hex)
        if whole is not None:
            return seen | whole
        looked, found = self._glimpses.get(hex, (0, 0))
        left = self._all & ~(seen | looked)
        if left:
            sees, state = self.context.sees, self.state
            for index, enemy in enumerate(self.enemies):
                if left >> index & 1 and sees(state, hex, enemy):
                    found |= 1 << index
            self._glimpses[hex] = (looked | left, found)
        return seen | found

    def _range(self, hex: Hex) -> list[int]:
        found = self._ranges.get(hex)
        if found is None:
            found = self._ranges[hex] = [distance(hex, enemy) for enemy in self.enemies]
        return found

    @rule("3.6")
    def _bars(self, a: Hex) -> tuple[int, ...]:
        """By direction, bits of the enemies that, once seen, forbid a step: closer to them, or still adjacent (3.6)."""
        found = self._barred.get(a)
        if found is None:
            bars = [0] * 6
            q, r = a
            for index, enemy in enumerate(self.enemies):
                for way in _barred_ways(enemy.q - q, enemy.r - r):
                    bars[way] |= 1 << index
            found = self._barred[a] = tuple(bars)
        return found

    def step_refusal(self, a: Hex, b: Hex, seen: int) -> str:
        """Why the unit may not rout from ``a`` into ``b``, "" if it may (3.6)."""
        if b not in self.context.game_map.hexes:
            return "it would leave the map"
        if b not in NEIGHBOURS[a]:
            return "it routs from hex to adjacent hex"
        if b in self._enemy_hexes:
            return "enemy units are there"
        if b in self._full:
            return f"stacking limits would be exceeded in {self.context.label(b)}"
        bars = self._bars(a)[NEIGHBOURS[a].index(b)] & seen
        if bars:
            enemy = self.enemies[(bars & -bars).bit_length() - 1]
            how = "come closer to" if distance(b, enemy) < distance(a, enemy) else "stay adjacent to"
            return f"it would {how} the enemy in {self.context.label(enemy)}"
        return ""

    def cost(self, a: Hex, b: Hex) -> int:
        """Halves of MF to enter a hex."""
        return entry_halves(self.context, self.state, a, b, shun_road=self.shuns_road(a, b))

    @rule("1.1.1", "3.6")
    def shuns_road(self, a: Hex, b: Hex) -> bool:
        """Whether it enters a woods-road or orchard-road among the trees, for the road is interdicted (1.1.1, 3.6)."""
        place = self.context.ground.place(b)
        if not place.road or place.open_ground or not self.context.ground.has_road(a, NEIGHBOURS[a].index(b)):
            return False
        return self._is_interdicted(a, b, on_road=True)

    def is_exposed(self, a: Hex, b: Hex) -> bool:
        """Whether entering ``b`` from ``a`` is interdicted."""
        return self._is_interdicted(a, b, on_road=False)

    def _is_interdicted(self, a: Hex, b: Hex, *, on_road: bool) -> bool:
        via = NEIGHBOURS[a].index(b)
        found = self._exposed.get((b, via, on_road))
        if found is None:
            first = next(interdictors(self.context, self.state, b, self.unit.side, via, on_road=on_road), None)
            found = self._exposed[b, via, on_road] = first is not None
        return found

    def _begun(self) -> RoutPath:
        return RoutPath(None, self.start, self.spent, self.known)

    def _search(self, begun: RoutPath, *, quiet: bool = False) -> Iterator[RoutPath]:
        """A way on to every hex, the cheapest first; or those with the fewest interdictions that such a search finds.

        What reached a hex for no more and saw no other enemies does as well: later ways there are dropped.
        """
        labels: dict[Hex, list[int]] = {}
        queue: list[tuple[int, int, int, Hex, RoutPath | None]] = [(0, begun.spent, 0, begun.hex, None)]
        context, allowance = self.context, self.allowance
        closed = self._enemy_hexes | self._full | {self.start}
        smoke = self.state.smoke
        count = 0
        while queue:
            interdictions, spent_here, _, hex, before = heappop(queue)
            seen = begun.seen if before is None else self._sees_too(hex, before.seen)
            known = labels.setdefault(hex, [])
            if _is_old(known, seen):
                continue
            way = begun if before is None else RoutPath(before, hex, spent_here, seen)
            if not known and way is not begun:
                yield way
            known.append(seen)
            bars = self._bars(hex)
            for step in ways_out(context, hex):
                beyond = step.to
                if bars[step.direction] & seen or beyond in closed:
                    continue
                # Only smoke and a road that it shuns make a step cost another sum than the ground asks.
                spent = spent_here + (step.halves if not smoke and step.off_road < 0 else self.cost(hex, beyond))
                if spent > allowance:
                    continue
                if beyond in labels and _is_old(labels[beyond], self._sees_too(beyond, seen)):
                    continue
                worse = interdictions + self.is_exposed(hex, beyond) if quiet else 0
                count += 1
                heappush(queue, (worse, spent, count, beyond, way))

    def enemies_seen(self) -> tuple[str, ...]:
        """The enemy units and vehicles that bind the unit from now on."""
        there, side = occupants(self.context, self.state), self.unit.side
        found: list[str] = []
        for index, hex in enumerate(self.enemies):
            if self.known >> index & 1:
                found += [unit.id for unit in there.get(hex, ()) if unit.side != side]
                found += [vehicle.id for vehicle in enemy_vehicles_at(self.state, hex, side)]
        return tuple(found)
