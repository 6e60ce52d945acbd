"""3.6 Where a broken unit may rout: the nearest woods or building, whole routs, and those worth offering.

A rout ends in the nearest woods or building that it can reach; one that is no farther from a Known Enemy Unit than the
hex that it starts from may be ignored.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from sandtable.core.codec import encode
from sandtable.core.content.rule import rule
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.hidden import veiled
from sandtable.systems.aslsk.common.stacking import fits, occupants
from sandtable.systems.aslsk.phases.rout_steps import RoutPath, RoutSteps
from sandtable.systems.aslsk.pieces.state import Smoke, State, Unit, UnitId, Vehicle, VehicleId

if TYPE_CHECKING:
    from random import Random

__all__ = ["Offer", "RoutMap", "rout_map"]

MOST_PATHS = 2000
TRIES = 6
Offer = tuple[tuple[Hex, ...], bool]
"""A path, and whether it is a Low Crawl."""


class RoutMap(RoutSteps):
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
        super().__init__(context, state, unit, escort=escort, spent=spent, known=known)
        self.under_way = under_way
        """Whether it has set off: it crawls no more."""
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

    def ways(self) -> dict[Hex, RoutPath]:
        """The cheapest legal way to every hex that can be reached."""
        if self._ways is None:
            self._ways = {way.hex: way for way in self._search(self._begun())}
        return self._ways

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
