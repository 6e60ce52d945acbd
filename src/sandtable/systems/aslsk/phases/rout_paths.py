"""3.6 Where a broken unit may rout: legal steps, the nearest woods or building, and paths to it.

A step may not shorten the range to an enemy unit that is or was in sight during this RtPh, nor lead from one hex next
to an enemy to another next to the same. A rout ends in the nearest woods or building that it can reach; one that is
no farther from a Known Enemy Unit than the hex that it starts from may be ignored. How a rout goes on depends on
what was seen before, so the search carries the enemies seen along with the hex, as bits of a number.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import cache
from heapq import heappop, heappush
from itertools import islice
from operator import is_
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from sandtable.core.codec import encode
from sandtable.core.content.rule import rule
from sandtable.geo.hex import NEIGHBOURS, Hex, distance
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.fact import HALVES
from sandtable.systems.aslsk.common.hidden import veiled
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.common.stacking import fits, held, occupants
from sandtable.systems.aslsk.common.vehicles_here import enemy_vehicle_hexes, enemy_vehicles_at
from sandtable.systems.aslsk.fire.interdiction import interdictors
from sandtable.systems.aslsk.movement.movement_costs import entry_halves, ways_out
from sandtable.systems.aslsk.pieces.state import Phase, Smoke, State, Unit, UnitId, Vehicle, VehicleId, Weapon, WeaponId

if TYPE_CHECKING:
    from random import Random

__all__ = ["Offer", "RoutMap", "RoutPath", "rout_map"]

MOST_PATHS = 2000
_NEVER_FULL = 2
"""With so many units in it a hex has room for one more, and for a leader with it (3.3.1)."""
TRIES = 6
Offer = tuple[tuple[Hex, ...], bool]
"""A path, and whether it is a Low Crawl."""


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


class RoutMap:
    """All that a broken unit needs to know to rout from where it stands."""

    def __init__(
        self,
        context: Context,
        state: State,
        unit: Unit,
        *,
        escort: Unit | None = None,
        spent: int = 0,
        known: tuple[str, ...] = (),
        under_way: bool = False,
    ) -> None:
        assert unit.hex is not None  # noqa: S101 - only units on the map rout
        self.context = context
        self.state = state
        self.unit = unit
        self.start = unit.hex
        self.group = (unit,) if escort is None else (unit, escort)
        self.spent = spent
        self.under_way = under_way
        """Whether it has set off: it crawls no more."""
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
        self.building = context.ground.place(self.start).building
        self._ways: dict[Hex, RoutPath] | None = None
        self._ends: tuple[dict[Hex, RoutPath] | None] | None = None

    def rests_on(self) -> Hashable:
        """What all ways follow from: two maps of a unit that rest on the same offer the same."""
        state, there = self.state, occupants(self.context, self.state)
        return (
            self.group,
            self.spent,
            self.known,
            self.under_way,
            tuple(self.enemies),
            # Of its own side it matters who is among them, and where there is no room.
            tuple([one for hex in self.enemies for one in there.get(hex, ())]),
            self._full,
            state.phase,
            state.smoke,
            tuple(state.weapons.values()),
            encode(state.vehicles) if state.vehicles else b"",
        )

    def _bits_of(self, known: tuple[str, ...]) -> int:
        """Bits of the enemies that were in sight before."""
        hexes = {one.hex for one in self.state.units.values() if one.id in known}
        hexes |= {one.hex for one in self.state.vehicles.values() if one.id in known}
        return sum(1 << index for index, hex in enumerate(self.enemies) if hex in hexes)

    # --- steps --------------------------------------------------------------------------------------------------

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

    # --- search -------------------------------------------------------------------------------------------------

    def ways(self) -> dict[Hex, RoutPath]:
        """The cheapest legal way to every hex that can be reached."""
        if self._ways is None:
            self._ways = {way.hex: way for way in self._search(self._begun())}
        return self._ways

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

    # --- where it may end ---------------------------------------------------------------------------------------

    def _is_threatened(self, hex: Hex, by: frozenset[Hex]) -> bool:
        """Whether an enemy of these hexes, in sight, is in the hex or adjacent to it."""
        for there in (hex, *NEIGHBOURS[hex]):  # noqa: SIM110 - a loop is twice as quick as any() over so few
            if there in by and self.context.sees(self.state, hex, there):
                return True
        return False

    @rule("3.6")
    def may_end(self, hex: Hex) -> bool:
        """Whether a rout may end in a hex: stacking, and no unbroken Known Enemy Unit adjacent (3.6)."""
        return fits(self.context, self.state, hex, self.unit.side, self.group) and not self._is_threatened(
            hex, self._unbroken
        )

    @rule("3.6")
    def is_target(self, hex: Hex) -> bool:
        """Whether a hex is a woods or building in which a rout must stop: no enemy unit adjacent (3.6)."""
        if not self.context.ground.place(hex).shelter or hex == self.start:
            return False
        return fits(self.context, self.state, hex, self.unit.side, self.group) and not self._is_threatened(
            hex, self._enemy_hexes
        )

    @rule("3.6")
    def may_ignore(self, hex: Hex) -> bool:
        """Whether a woods or building may be passed over (3.6).

        One that is part of the building that the unit is in, or no farther from a Known Enemy Unit than the start.
        """
        if self.building and self.context.ground.place(hex).building == self.building:
            return True
        pairs = zip(self._range(hex), self._range(self.start), strict=True)
        return any(there <= here and self.known_now >> index & 1 for index, (there, here) in enumerate(pairs))

    def destinations(self) -> frozenset[Hex] | None:
        """The woods and buildings that a rout must lead to; None if it may end anywhere (3.6)."""
        ways = self._ways_to_shelter()
        return None if ways is None else frozenset(ways)

    def _ways_to_shelter(self) -> dict[Hex, RoutPath] | None:
        """The cheapest ways to where a rout must lead; None if it may end anywhere."""
        if self._ends is None:
            self._ends = (self._nearest_shelter(),)
        return self._ends[0]

    @rule("3.6")
    def _nearest_shelter(self) -> dict[Hex, RoutPath] | None:
        """The nearest woods or building that may not be ignored, and others that are no farther (3.6)."""
        ways: dict[Hex, RoutPath] = {}
        found: dict[Hex, RoutPath] = {}
        nearest: int | None = None
        for way in self._search(self._begun()):
            if nearest is not None and way.spent > nearest:
                return found
            ways[way.hex] = way
            if self.is_target(way.hex):
                found[way.hex] = way
                if nearest is None and not self.may_ignore(way.hex):
                    nearest = way.spent
        # Whoever has looked through all ways need not search for them again.
        self._ways = ways
        return None if nearest is None else found

    @rule("3.6")
    def path_refusal(self, path: tuple[Hex, ...], *, low_crawl: bool = False) -> str:
        """Why a whole rout is not legal, "" if it is (3.6)."""
        at, seen, spent = self.start, self.known, self.spent
        arrived = False
        if len({self.start, *path}) != len(path) + 1:
            return "it would enter the same hex twice"
        for hex in path:
            reason = self.step_refusal(at, hex, seen)
            if reason:
                return reason
            if arrived and not self.context.ground.place(hex).shelter:
                return f"it must stop in {self.context.label(at)} or go on into woods or building at once"
            spent += self.cost(at, hex)
            seen |= self.sees(hex)
            at = hex
            # A woods or building that may be ignored is passed like any other hex.
            arrived = self.is_target(hex) and not self.may_ignore(hex)
        if low_crawl:
            return self._crawl_refusal(path)
        if spent > self.allowance:
            return f"it has {self.allowance / 2:g} MF and would spend {spent / 2:g}"
        if not self.may_end(at):
            return f"it may not end its rout in {self.context.label(at)}: stacking, or an enemy unit adjacent"
        goals = self.destinations()
        if goals is not None and not self._comes_by(path, goals):
            names = ", ".join(sorted(self.context.label(hex) for hex in goals))
            return f"it must rout to the nearest woods or building ({names})"
        return ""

    def _comes_by(self, path: tuple[Hex, ...], goals: frozenset[Hex]) -> bool:
        """Whether a path ends in a goal, or went through one and from there through woods and buildings only."""
        for index, hex in enumerate(path):
            if hex in goals and all(self.context.ground.place(after).shelter for after in path[index + 1 :]):
                return True
        return False

    def _crawl_refusal(self, path: tuple[Hex, ...]) -> str:
        """Low Crawl is one hex on the way that a rout could take (3.6)."""
        if len(path) != 1:
            return "Low Crawl is a rout of one hex"
        if self.under_way:
            return "Low Crawl takes the entire MF allotment"
        if not self.may_end(path[0]):
            return f"it may not end its rout in {self.context.label(path[0])}: stacking, or an enemy unit adjacent"
        goals = self.destinations()
        if goals is not None and path[0] not in goals and not self._leads_to(path[0], goals):
            return "Low Crawl leads towards the nearest woods or building"
        return ""

    def _leads_to(self, first: Hex, goals: frozenset[Hex]) -> bool:
        """Whether a legal rout that begins with this hex reaches one of the goals."""
        spent = self.spent + self.cost(self.start, first)
        begun = RoutPath(None, first, spent, self.known | self.sees(first))
        return any(way.hex in goals for way in self._search(begun))

    # --- what is offered ----------------------------------------------------------------------------------------

    def offers(self) -> Iterator[Offer]:
        """Legal routs worth offering: to each end the cheapest path and the one least interdicted; Low Crawls."""
        offered: set[tuple[Hex, ...]] = set()
        goals = self.destinations()
        for quiet in (False, True):
            ways = {way.hex: way for way in self._search(self._begun(), quiet=True)} if quiet else self.ways()
            for hex in sorted(ways):
                path = ways[hex].path
                # Most ways lead by none of the goals, if there are any: that is quickest to tell.
                if goals is not None and not self._comes_by(path, goals):
                    continue
                if path not in offered and not self.path_refusal(path):
                    offered.add(path)
                    yield path, False
        yield from self._crawls()

    def _crawls(self) -> Iterator[Offer]:
        for hex in NEIGHBOURS[self.start]:
            if not self.path_refusal((hex,), low_crawl=True):
                yield (hex,), True

    def all_offers(self) -> Iterator[Offer]:
        """The same, then every other legal rout, up to a number that nobody reads through."""
        offered = set()
        for offer in self.offers():
            offered.add(offer)
            yield offer
        for path in islice(self._paths((), self.start, self.known, self.spent), MOST_PATHS):
            if (path, False) not in offered and not self.path_refusal(path):
                yield path, False

    def any_offer(self, rng: Random) -> Offer:
        """One of the legal routs worth offering, without working them all out."""
        goals = self._ways_to_shelter()
        ways = self.ways() if goals is None else goals
        ends = sorted(ways)
        for _ in range(TRIES):
            choice = int(rng.random() * (len(ends) + 1))
            if choice == len(ends):
                hex = NEIGHBOURS[self.start][int(rng.random() * 6)]
                if not self.path_refusal((hex,), low_crawl=True):
                    return (hex,), True
            elif not self.path_refusal(ways[ends[choice]].path):
                return ways[ends[choice]].path, False
        offers = list(self.offers())
        return offers[int(rng.random() * len(offers))]

    def _paths(self, path: tuple[Hex, ...], at: Hex, seen: int, spent: int) -> Iterator[tuple[Hex, ...]]:
        """All ways from hex to hex that the MF allow, without entering a hex twice."""
        for hex in NEIGHBOURS[at]:
            if hex == self.start or hex in path or self.step_refusal(at, hex, seen):
                continue
            total = spent + self.cost(at, hex)
            if total <= self.allowance:
                longer = (*path, hex)
                yield longer
                yield from self._paths(longer, hex, seen | self.sees(hex), total)

    def can_rout(self) -> bool:
        """Whether there is any legal rout.

        A hex within reach in which a rout may end is enough: if it must lead to woods or building, these are within
        reach as well.
        """
        left = self.allowance - self.spent
        for hex in NEIGHBOURS[self.start]:
            if self.step_refusal(self.start, hex, self.known) or self.cost(self.start, hex) > left:
                continue
            if self.may_end(hex):
                return True
        return any(map(self.may_end, self.ways())) or next(self._crawls(), None) is not None

    def enemies_seen(self) -> tuple[str, ...]:
        """The enemy units and vehicles that bind the unit from now on."""
        there, side = occupants(self.context, self.state), self.unit.side
        found: list[str] = []
        for index, hex in enumerate(self.enemies):
            if self.known >> index & 1:
                found += [unit.id for unit in there.get(hex, ()) if unit.side != side]
                found += [vehicle.id for vehicle in enemy_vehicles_at(self.state, hex, side)]
        return tuple(found)


class _RoutMaps(NamedTuple):
    """The rout maps of one position."""

    units: dict[UnitId, Unit]
    smoke: tuple[Smoke, ...]
    vehicles: dict[VehicleId, Vehicle]
    maps: dict[tuple[UnitId, UnitId], RoutMap]


def rout_map(context: Context, state: State, unit: Unit, escort: Unit | None = None) -> RoutMap:
    """The rout map of a unit as if it had not set off; those of the last position asked for are kept."""
    state = veiled(context, state, unit.side)
    kept: _RoutMaps | None = context.memory.rout_maps
    if kept is None or kept.units is not state.units or kept.smoke != state.smoke or kept.vehicles != state.vehicles:
        kept = context.memory.rout_maps = _RoutMaps(state.units, state.smoke, state.vehicles, {})
    maps = kept.maps
    key = (unit.id, escort.id if escort is not None else UnitId(""))
    found = maps.get(key)
    if found is None:
        found = maps[key] = RoutMap(context, state, unit, escort=escort)
    return found
