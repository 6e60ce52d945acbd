"""What never changes in a game, as its bots look at it: what men and places are worth, and how far it is anywhere."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from heapq import heappop, heappush
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.bots.aslsk.arms.cannons import Cannons, Feared, Holes
from sandtable.bots.aslsk.arms.hardware import gun_worth, vehicle_worth
from sandtable.bots.aslsk.arms.plating import Plating
from sandtable.bots.aslsk.barrage import Barrage, Effects, forces
from sandtable.bots.aslsk.eye import as_seen, likelihood
from sandtable.bots.aslsk.harm import Harms
from sandtable.bots.aslsk.kit import Kits, weapon_worth, worth_of
from sandtable.bots.aslsk.lurking import hidden_guns, lairs
from sandtable.bots.aslsk.watching import Watch
from sandtable.bots.aslsk.weights import Weights
from sandtable.bots.kept import Kept, Known
from sandtable.core.decision import Seat
from sandtable.geo.hex import NEIGHBOURS, Hex, distance
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.effects.ift import ift_of
from sandtable.systems.aslsk.movement.movement_costs import entry_halves
from sandtable.systems.aslsk.phases.rout_paths import Offer
from sandtable.systems.aslsk.pieces.cards import CardId
from sandtable.systems.aslsk.pieces.state import Phase, State, VehicleStep
from sandtable.systems.aslsk.pieces.vehicle_cards import VehicleType
from sandtable.systems.aslsk.scenario.draft import Goal, GoalKind, When
from sandtable.systems.aslsk.vehicles.drive_progress import DriveProgress
from sandtable.systems.aslsk.vehicles.driving_costs import DriveWay, drive_ways
from sandtable.systems.aslsk.vehicles.vehicle_numbers import NEVER
from sandtable.systems.aslsk.victory import points

__all__ = ["FAR", "TURN_MARCH", "Book", "Drive", "Fields", "Gate", "Prize"]

FAR = 200.0
"""Halves of MF to what cannot be reached."""
KEPT = 8
"""Barrages that are kept."""
MOST_WAYS = 32
"""Vehicles whose ways are kept."""
MOST_FIELDS = 64
"""Sets of targets or goals after which what is known of fields of fire, or of ways there, is forgotten."""
MOST_ROUTS = 256
"""Units in positions after which their routs are forgotten."""
LOOKOUTS = 10
"""Hexes in which a hidden Gun is feared."""
STRIDE, WATCHED = 3, 12
"""Every how many hexes of the map are looked at for what a hidden Gun would see, and how far."""
GOOD_RANGE = 4
"""Hexes that every squad's fire carries."""
TURN_MARCH = 10.0
"""Halves of MF that a squad covers in a turn: four MF in the MPh, and a hex in the APh."""


Fields = dict[tuple[Hex, float, int], float]
"""By hex, FP and normal range: points of harm at the best of some targets."""


class Prize(NamedTuple):
    """A place of the victory conditions."""

    id: str
    title: str
    hexes: frozenset[Hex]
    share: float
    """Its part of all that the side needs, 1 for a goal of one place."""
    attacker: Seat
    """The side whose victory condition names it."""
    deadline: int
    """The turn at whose end it counts."""


class Gate(NamedTuple):
    """Where a side may leave the map."""

    hexes: frozenset[Hex]
    from_turn: int
    needed: int
    """Points that must leave by it for the side to win; 0 if that counts for nothing."""
    counts_afv: bool = False
    """Whether every AFV that leaves by it counts as one of the enemy's lost."""


class Drive(NamedTuple):
    """A vehicle's way to a hex and a VCA."""

    end: DriveProgress
    steps: tuple[VehicleStep, ...]
    spared: float
    """Chance to come through, in shares of the vehicle's worth."""
    worst: float = 0.0
    """The share of it that fire costs in the worst hex of the way."""


class Book:
    """Everything that a side knows before the first turn."""

    def __init__(self, context: Context) -> None:
        self.context = as_seen(context)
        """The scenario as a player looks at it: sight may have to be judged by eye (3.2.1)."""
        self.harms = Harms(ift_of(context))
        self.draft = context.scenario.draft
        self.seats = context.scenario.seats
        weapons = context.scenario.weapons.values()
        self.infantry_alone = not context.scenario.vehicles and all(
            context.cards.weapons[weapon.card].gun is None for weapon in weapons
        )
        """Whether the scenario has neither Guns nor vehicles."""
        self.turns = self.draft.turns
        self.worths: dict[CardId, float] = {card.id: worth_of(card) for card in context.cards.units.values()}
        self.arms: dict[CardId, float] = {
            card.id: gun_worth(context, card) if card.gun is not None else weapon_worth(card)
            for card in context.cards.weapons.values()
        }
        self.tanks: dict[CardId, float] = {
            card.id: vehicle_worth(context, card) for card in context.cards.vehicles.values()
        }
        self.kits = Kits(self.context, self.worths, self.arms)
        self.plating = Plating(context)
        self.prizes = self._prizes()
        self.parts_of: dict[Hex, frozenset[Hex]] = {}
        """By hex of a place: all hexes of the places that it is part of."""
        for prize in self.prizes:
            for hex in prize.hexes:
                self.parts_of[hex] = self.parts_of.get(hex, frozenset()) | prize.hexes
        self.watches = {seat: watch for seat in self.seats if (watch := self._watch(seat)) is not None}
        """By side: what it must have under fire at the end."""
        self._overlooks: dict[tuple[Seat, Hex], int | None] = {}
        self.hunts = {seat: self._hunts(seat) for seat in self.seats}
        """By side: the casualty points that win it the game, or 0."""
        self._needs = {seat: self._needed(seat) for seat in self.seats}
        self.counts_afv = any(goal.kind is GoalKind.AFV_LEAD for _, _, goal in self._goals())
        """Whether the game is won by AFV lost."""
        self.gates = {seat: self._gates(seat) for seat in self.seats}
        """By side: where it may leave the map."""
        self._bare = State(turn=0, attacker=self.seats[0], phase=Phase.SETUP, units={})
        self._barrages: list[Barrage] = []
        self._effects = Effects()
        self._cannons: list[Cannons] = []
        self._holes: Holes = {}
        self._lairs: dict[str, tuple[Hex, ...]] = {}
        self.fields: Kept[tuple[Hex, float, int], float] = Kept(MOST_FIELDS)
        """What is known of the fields of fire on some targets, by these: they stay the same for many steps."""
        self._lines: dict[tuple[Hex, Hex], tuple[int, float] | None] = {}
        self._around: dict[tuple[frozenset[Hex], int], frozenset[Hex]] = {}
        self._marches: Known[frozenset[Hex], dict[Hex, float]] = Known(MOST_FIELDS)
        self.routs: Known[Hashable, tuple[Offer, ...]] = Known(MOST_ROUTS)
        """Routs of broken units by all that they rest on: looks come by the same ones."""
        self._ways: list[tuple[tuple[object, ...], list[Drive]]] = []
        self._drives: Known[tuple[frozenset[Hex], VehicleType], dict[Hex, float]] = Known(MOST_FIELDS)

    def other(self, seat: str) -> Seat:
        """The opposing side."""
        return self.context.other(seat)

    def _goals(self) -> Iterable[tuple[Seat, int, Goal]]:
        for victory in self.draft.victory:
            deadline = victory.turn if victory.when is When.TURN_END and victory.turn else self.turns
            for goal in victory.goals:
                yield Seat(victory.side), deadline, goal

    def _prizes(self) -> tuple[Prize, ...]:
        scenario = self.context.scenario
        found: dict[str, Prize] = {}
        for side, deadline, goal in self._goals():
            if goal.kind in (GoalKind.CASUALTIES, GoalKind.EXIT, GoalKind.AFV_LEAD, GoalKind.FIREPOWER):
                continue
            names = [name for group in goal.places for name in scenario.groups[group]]
            needed = goal.at_least or len(names)
            for name in names:
                place = scenario.places[name]
                prize = Prize(name, place.title, place.hexes, 1 / max(1, needed), side, deadline)
                if name not in found or found[name].share < prize.share:
                    found[name] = prize
        return tuple(found.values())

    def needed(self, seat: Seat) -> int:
        """Places that a side needs for its easiest goal of control; 0 if it has none."""
        return self._needs[seat]

    def _needed(self, seat: Seat) -> int:
        counts = [
            goal.at_least or sum(len(self.context.scenario.groups[group]) for group in goal.places)
            for side, _, goal in self._goals()
            if side == seat and goal.kind is GoalKind.CONTROL
        ]
        return min(counts, default=0)

    def _hunts(self, seat: Seat) -> int:
        for side, _, goal in self._goals():
            if side == seat and goal.kind is GoalKind.CASUALTIES:
                return goal.at_least or 18
        watch = self.watches.get(self.other(seat))
        return self._too_many(watch, self.other(seat)) if watch is not None else 0

    def _too_many(self, watch: Watch, seat: Seat) -> int:
        """Casualty points without which a side has no longer the FP that it needs."""
        mmc = [unit for unit in self.context.scenario.units.values() if unit.side == seat]
        fp = sum(self.context.card(unit).fp for unit in mmc)
        return max(1, round(sum(points(self.context, unit) for unit in mmc) * (1 - watch.needed / max(1, fp))))

    def _watch(self, seat: Seat) -> Watch | None:
        scenario = self.context.scenario
        for side, _, goal in self._goals():
            if side == seat and goal.kind is GoalKind.FIREPOWER:
                names = [name for group in goal.places for name in scenario.groups[group]]
                return Watch(frozenset(hex for name in names for hex in scenario.places[name].hexes), goal.at_least)
        return None

    def overlook(self, seat: Seat, hex: Hex) -> int | None:
        """Hexes from one to the nearest that it sees of those that a side must have under fire; kept."""
        if (seat, hex) not in self._overlooks:
            far = sorted((distance(hex, there), there) for there in self.watches[seat].hexes)
            seen = (apart for apart, there in far if self.context.sees(self._bare, hex, there))
            self._overlooks[seat, hex] = next(seen, None)
        return self._overlooks[seat, hex]

    def lookouts(self, seat: Seat) -> frozenset[Hex]:
        """Hexes from which a side has what it must have under fire in good range."""
        if seat not in self.watches:
            return frozenset()
        near = {hex: self.overlook(seat, hex) for hex in self.around(self.watches[seat].hexes, GOOD_RANGE)}
        return frozenset(hex for hex, far in near.items() if far is not None and far <= GOOD_RANGE)

    def _gates(self, seat: Seat) -> tuple[Gate, ...]:
        scenario = self.context.scenario
        goals = [goal for side, _, goal in self._goals() if side == seat]
        needed = min([goal.at_least for goal in goals if goal.kind is GoalKind.EXIT], default=0)
        afv = any(goal.kind is GoalKind.AFV_LEAD for goal in goals)
        return tuple(
            Gate(hexes, way.from_turn, needed if way.points else 0, afv and way.points)
            for way, hexes in zip(scenario.draft.exits, scenario.exits, strict=True)
            if way.side == seat
        )

    def grounds(self, seat: Seat) -> tuple[Hex, ...]:
        """What a side fights for: its places and ways off the map."""
        prizes = (hex for prize in self.prizes for hex in prize.hexes)
        gates = (hex for gate in self.gates[seat] if gate.needed or gate.counts_afv for hex in gate.hexes)
        watched = (hex for watch in self.watches.values() for hex in watch.hexes)
        return tuple(sorted({*prizes, *gates, *watched}))

    def _feared(self, state: State, side: str) -> list[Feared]:
        """The hidden Guns of a side."""
        guns = hidden_guns(self.context, state) if self.context.scenario.hiders else []
        found = [
            (weapon, crew, self._lookouts(crew.force, self.other(side))) for weapon, crew in guns if crew.side == side
        ]
        return [Feared(*gun) for gun in found]

    def _lookouts(self, force: str, enemy: Seat) -> tuple[Hex, ...]:
        """Of the hexes where a force may hide, those that see the most of the map; kept."""
        found = self._lairs.get(force)
        if found is None:
            context = self.context
            watched = sorted(context.game_map.hexes)[::STRIDE]
            seen = {
                hex: sum(context.sees(self._bare, hex, there) for there in watched if distance(hex, there) <= WATCHED)
                for hex in lairs(context, force, self.grounds(enemy))
            }
            found = tuple(sorted(seen, key=lambda hex: (-seen[hex], hex))[:LOOKOUTS])
            self._lairs[force] = found
        return found

    def barrage(self, state: State, side: str, weights: Weights, *, fresh: bool) -> Barrage:
        """The fire of a side as things stand; the last few are kept."""
        there = forces(self.context, state, side)
        for known in self._barrages:
            if known.holds(there, state, side, weights, fresh=fresh):
                return known
        found = Barrage(self.context, self.harms, state, side, weights, effects=self._effects, fresh=fresh)
        self._barrages = [found, *self._barrages[: KEPT - 1]]
        return found

    def cannons(self, state: State, side: str, *, fresh: bool) -> Cannons:
        """What a side can fire at vehicles as things stand; the last few are kept."""
        there = forces(self.context, state, side)
        for known in self._cannons:
            if known.holds(there, state, side, fresh=fresh):
                return known
        found = Cannons(
            self.context,
            self.plating,
            state,
            side,
            holes=self._holes,
            feared=self._feared(state, side),
            fresh=fresh,
        )
        self._cannons = [found, *self._cannons[: KEPT - 1]]
        return found

    def line(self, state: State, a: Hex, b: Hex) -> tuple[int, float] | None:
        """DRM of fire from one hex at another and how likely they see each other; None if they do not.

        What is kept must not depend on when it was asked for, so vehicles in between are left out.
        """
        if state.smoke:
            return self._line(replace(self._bare, smoke=state.smoke) if state.vehicles else state, a, b)
        key = (a, b)
        if key not in self._lines:
            self._lines[key] = self._line(self._bare, a, b)
        return self._lines[key]

    def _line(self, state: State, a: Hex, b: Hex) -> tuple[int, float] | None:
        context = self.context
        if not context.sees(state, a, b):
            return None
        place = context.ground.place(b)
        drm = place.tem + context.hindrance(state, a, b)
        if place.level > context.ground.place(a).level and not place.tem:
            drm += 1
        return drm, likelihood(context, a, b)

    def around(self, hexes: frozenset[Hex], reach: int) -> frozenset[Hex]:
        """The hexes of the map within so many of some; kept."""
        found = self._around.get((hexes, reach))
        if found is None:
            near = (hex for hex in self.context.game_map.hexes if min(distance(hex, one) for one in hexes) <= reach)
            found = self._around[hexes, reach] = frozenset(near)
        return found

    def march(self, goals: frozenset[Hex]) -> dict[Hex, float]:
        """Halves of MF from every hex to the nearest of some; kept."""
        found = self._marches.get(goals)
        if found is None:
            found = self._marches[goals] = self._field(goals, self._march_halves)
        return found

    def drive(self, goals: frozenset[Hex], kind: VehicleType) -> dict[Hex, float]:
        """Halves of MP from every hex to the nearest of some, for a kind of vehicle, turns apart; kept."""
        found = self._drives.get((goals, kind))
        if found is None:
            found = self._drives[goals, kind] = self._drive_field(goals, kind)
        return found

    def kept_drives(self, rests_on: tuple[object, ...]) -> list[Drive] | None:
        """The ways of a vehicle as they were found once, if all that they rest on is the same."""
        return next((drives for known, drives in self._ways if known == rests_on), None)

    def keep_drives(self, rests_on: tuple[object, ...], found: list[Drive]) -> list[Drive]:
        """Keep the ways of a vehicle; the last few are."""
        self._ways = [(rests_on, found), *self._ways[: MOST_WAYS - 1]]
        return found

    def _drive_field(self, goals: frozenset[Hex], kind: VehicleType) -> dict[Hex, float]:
        ways = {
            (hex, way.to): way for hex in self.context.game_map.hexes for way in drive_ways(self.context, hex, kind)
        }

        def halves(near: Hex, hex: Hex) -> float:
            """Halves of MP from a hex into the next."""
            return _drive_halves(ways[near, hex])

        return self._field(goals, halves)

    def _march_halves(self, near: Hex, hex: Hex) -> float:
        """Halves of MF from a hex into the next."""
        return entry_halves(self.context, self._bare, near, hex)

    def _field(self, goals: frozenset[Hex], halves: Callable[[Hex, Hex], float]) -> dict[Hex, float]:
        """What the way from every hex to the nearest of some costs."""
        hexes = self.context.game_map.hexes
        best: dict[Hex, float] = {}
        queue: list[tuple[float, Hex]] = [(0.0, hex) for hex in sorted(goals)]
        while queue:
            cost, hex = heappop(queue)
            if hex in best:
                continue
            best[hex] = cost
            for near in NEIGHBOURS[hex]:
                if near in hexes and near not in best:
                    heappush(queue, (cost + halves(near, hex), near))
        return best


ROAD, ROUGH = 1.5, 16.0
"""Halves of MP that a hex by road costs with the turns that roads take, and one that costs half or all MP."""


def _drive_halves(way: DriveWay) -> float:
    if way.by_road:
        return ROAD
    return FAR if way.terrain == NEVER else ROUGH if way.terrain < 0 else way.terrain + 4.0 * way.climbs
