"""How a position looks to one side: the enemy's fire over every hex, what is wanted where, and what a shot is worth.

A sketch stands for one state and one side. Most of a position stays the same from one question to the next, so what is
known of the fire of a side (:mod:`sandtable.bots.aslsk.barrage`) is kept beyond it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandtable.bots.aslsk.arms.cannons import Cannons
from sandtable.bots.aslsk.arms.hardware import condition
from sandtable.bots.aslsk.barrage import STANDING, Barrage
from sandtable.bots.aslsk.book import FAR, TURN_MARCH, Book, Fields, Prize
from sandtable.bots.aslsk.harm import HarmOdds
from sandtable.bots.aslsk.kit import Kit
from sandtable.bots.aslsk.leaving import AFV, ways_off
from sandtable.bots.aslsk.plan import Plan, errands
from sandtable.bots.aslsk.weights import weights_for
from sandtable.bots.style import Style
from sandtable.core.decision import Seat
from sandtable.geo.hex import NEIGHBOURS, Hex, centre, distance
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.experience import morale_level
from sandtable.systems.aslsk.common.possession import owners
from sandtable.systems.aslsk.common.stacking import occupants
from sandtable.systems.aslsk.pieces.state import Phase, State, Unit, UnitId, Vehicle
from sandtable.systems.aslsk.victory import vehicle_points

__all__ = ["Sketch"]

FLAMES = 24.0
"""FP of a flamethrower."""
REGULAR = 7
"""Morale of the squad that dangers are reckoned for."""


class Sketch:
    """A position through the eyes of a side."""

    def __init__(self, book: Book, state: State, seat: Seat, style: Style, *, rules: Context | None = None) -> None:
        self.book = book
        self.rules = rules or book.context
        """The scenario as the rules of the question have it: which routs there are follows from these alone."""
        self.context = book.context
        self.state = state
        self.seat = seat
        self.enemy = book.other(seat)
        self.weights = weights_for(style, infantry_alone=book.infantry_alone)
        self.style = style
        self.mine = [unit for unit in state.units.values() if unit.side == seat and unit.on_map]
        self.theirs = [unit for unit in state.units.values() if unit.side == self.enemy and unit.on_map]
        self.there = occupants(self.context, state)
        self._carried = owners(self.context, state)
        self.gates = book.gates[seat]
        self.men = self._men()
        """What men are worth beside ground: less, the less of the game is left."""
        self.costs: dict[str, float] = {}
        """How hard places are to take, as far as that was asked for: the same for both sides."""
        self._plan: Plan | None = None
        self._attacking: bool | None = None
        self._garrisons: dict[Hex, float] | None = None
        self._barrages: dict[tuple[str, bool], Barrage] = {}
        self._cannons: dict[tuple[str, bool], Cannons] = {}
        self._fields: Fields | None = None
        self._wanted: frozenset[Hex] | None = None
        self._missing: int | None = None
        self._errands: dict[UnitId, frozenset[Hex]] | None = None
        self._aimed: list[tuple[Hex, list[tuple[Unit, int, float]]]] | None = None
        self._guarded: frozenset[Hex] | None = None
        self._barred: frozenset[Hex] | None = None
        self._prized: dict[Hex, float] | None = None
        self._kept: dict[Hex, float] | None = None
        self._points: dict[str, float] = {}
        self._prices: dict[UnitId, tuple[Unit, float]] = {}
        self._marches: dict[frozenset[Hex], dict[Hex, float]] = {}

    def of(self, state: State) -> Sketch:
        """Another position through the same eyes."""
        return Sketch(self.book, state, self.seat, self.style, rules=self.rules)

    def across(self) -> Sketch:
        """The same position through the enemy's eyes."""
        found = Sketch(self.book, self.state, self.enemy, self.style, rules=self.rules)
        found.costs = self.costs
        return found

    # --- worth ------------------------------------------------------------------------------------------

    def _men(self) -> float:
        left = self.turns_left() / max(1, self.book.turns)
        return self.weights.late + (1 - self.weights.late) * min(1.0, left)

    def turns_left(self) -> float:
        """Turns still to come, this one included; a player turn is half of one."""
        half = 0.5 if self.state.attacker == self.book.seats[1] else 0.0
        return max(0.5, self.book.turns - self.state.turn + 1 - half)

    def marches_left(self) -> int:
        """MPh of the side still to come, the one of a player turn that is under way apart."""
        state, second = self.state, self.seat == self.book.seats[1]
        left = self.book.turns - state.turn
        if state.attacker == self.seat:
            return left + (state.phase is Phase.RALLY) - (second and self.book.draft.half_turn)
        return left + (second and not self.book.draft.half_turn)

    def worth(self, unit: Unit) -> float:
        """Points that a unit is worth as it is; a broken one may rally, if there is time."""
        return self.kit(unit).worth

    def kit(self, unit: Unit) -> Kit:
        """What a unit brings with the weapons that it carries."""
        return self.book.kits.of(unit, self._carried.get(unit.id, ()))

    def price(self, unit: Unit) -> float:
        """Points for the loss of a unit: its worth in men, and what it counts towards a victory by casualties."""
        known = self._prices.get(unit.id)
        if known is not None and known[0] is unit:
            return known[1]
        price = self._price(unit)
        self._prices[unit.id] = unit, price
        return price

    def _price(self, unit: Unit) -> float:
        hunted = self.book.hunts[self.book.other(unit.side)]
        kit = self.kit(unit)
        price = kit.worth * self.men
        if hunted:
            price += 10 / hunted * (1.5 if kit.is_leader else 1.8)
        if self.weights.garrison and unit.hex is not None and not unit.broken:
            price += self.weights.garrison * self.garrisons().get(unit.hex, 0.0)
        return price

    def price_of(self, vehicle: Vehicle) -> float:
        """Points for the loss of a vehicle as it is; nothing for a wreck."""
        price = self.book.tanks[vehicle.card] * condition(vehicle) * self.men
        if self.book.counts_afv and not vehicle.wreck:
            price += AFV
        hunted = self.book.hunts[self.book.other(vehicle.side)]
        return price + 10 / hunted * vehicle_points(self.context, vehicle) if hunted and not vehicle.wreck else price

    def garrisons(self) -> dict[Hex, float]:
        """By hex: points of the places that the units there hold for their side, for each of them."""
        if self._garrisons is None:
            self._garrisons = {}
            for prize in self.book.prizes:
                owner = self.state.control.get(prize.id)
                holders = [
                    unit
                    for hex in prize.hexes
                    for unit in self.there.get(hex, ())
                    if unit.side == owner and unit.good_order
                ]
                for hex in {unit.hex for unit in holders if unit.hex is not None}:
                    points = self.points_of(prize) / len(holders)
                    self._garrisons[hex] = max(points, self._garrisons.get(hex, 0.0))
        return self._garrisons

    def suffered(self, odds: HarmOdds, *, moving: bool = False) -> float:
        """The share of its worth that fire with these odds costs a unit on average."""
        return self.weights.suffered(odds, moving=moving)

    def loss(self, unit: Unit, odds: HarmOdds, *, moving: bool = False) -> float:
        """Points that fire with these odds costs on average."""
        if unit.broken:
            # One that is broken already has no more to lose than what is left of it.
            return self.price(unit) * odds.times(1.0, 0.6, 0.0, 0.0)
        return self.price(unit) * self.suffered(odds, moving=moving)

    # --- fire over the ground ---------------------------------------------------------------------------

    def barrage(self, side: str, way: int) -> Barrage:
        """The fire of a side: as it stands now on those who move, and as of its next turn on those who stand."""
        fresh = way == STANDING or self.state.phase not in (Phase.MOVEMENT, Phase.DEFENSIVE_FIRE)
        found = self._barrages.get((side, fresh))
        if found is None:
            found = self._barrages[side, fresh] = self.book.barrage(self.state, side, self.weights, fresh=fresh)
        return found

    def cannons(self, side: str, way: int) -> Cannons:
        """What a side can fire at vehicles: as it stands now at those who move, as of its next turn at the rest."""
        fresh = way == STANDING or self.state.phase not in (Phase.MOVEMENT, Phase.DEFENSIVE_FIRE)
        found = self._cannons.get((side, fresh))
        if found is None:
            found = self._cannons[side, fresh] = self.book.cannons(self.state, side, fresh=fresh)
        return found

    def threat(self, hex: Hex, way: int, morale: int = REGULAR) -> float:
        """The share of a unit's worth that the enemy's fire on a hex would cost it, all his fire together."""
        return self.barrage(self.enemy, way).exposure(self.state, hex, way, morale)

    def threats(self, way: int, morale: int) -> dict[Hex, float]:
        """What :meth:`threat` has answered so far, by hex."""
        return self.barrage(self.enemy, way).exposures(way, morale)

    def harm_to(self, unit: Unit, fp: float, drm: int) -> float:
        """Points that so many FP cost an enemy on average."""
        return self.loss(unit, self.book.harms.of_fp(fp, drm, morale_level(self.context, unit), broken=unit.broken))

    def flames(self, hex: Hex) -> float:
        """Points of harm that a flamethrower could do from a hex to its best neighbour, whatever his cover (4.2)."""
        best = 0.0
        for near in NEIGHBOURS[hex]:
            targets = [unit for unit in self.there.get(near, ()) if unit.side == self.enemy]
            best = max(best, sum(self.harm_to(unit, FLAMES, 0) for unit in targets))
        return best

    def field_of_fire(self, hex: Hex, fp: float, reach: int) -> float:
        """Points of harm that so many FP of this normal range could do from a hex, at the best target."""
        if self._fields is None:
            aims = tuple(
                [
                    (there, *[(unit.broken, morale, price) for unit, morale, price in targets])
                    for there, targets in self._targets()
                ]
            )
            self._fields = self.book.fields[aims, self.state.smoke, self.weights]
        key = (hex, fp, reach)
        found = self._fields.get(key)
        if found is None:
            found = self._fields[key] = self._best_shot(hex, fp, reach)
        return found

    def _best_shot(self, hex: Hex, fp: float, reach: int) -> float:
        state, book, harms, suffered = self.state, self.book, self.book.harms, self.weights.suffered
        best = 0.0
        for there, targets in self._targets():
            apart = distance(hex, there)
            line = book.line(state, hex, there) if apart <= 2 * reach else None
            if line is None:
                continue
            drm, likely = line
            column = harms.ift.number(int(fp * (2 if apart == 1 else 0.5 if apart > reach else 1)))
            total = 0.0
            for unit, morale, price in targets:
                odds = harms.odds(column, drm, morale, broken=unit.broken)
                total += price * (odds.times(1.0, 0.6, 0.0, 0.0) if unit.broken else suffered(odds))
            best = max(best, total * likely)
        return best

    def _targets(self) -> list[tuple[Hex, list[tuple[Unit, int, float]]]]:
        """Enemies by hex, each with its morale and price."""
        if self._aimed is None:
            enemy = self.enemy
            foes = {hex: [unit for unit in units if unit.side == enemy] for hex, units in self.there.items()}
            self._aimed = [
                (hex, [(unit, morale_level(self.context, unit), self.price(unit)) for unit in units])
                for hex, units in foes.items()
                if units
            ]
        return self._aimed

    def plan(self) -> Plan | None:
        """The plan of a side that is led as one."""
        if self._plan is None and self.style.plans:
            self._plan = Plan(self)
        return self._plan

    # --- ground -----------------------------------------------------------------------------------------

    def is_mine(self, prize: Prize) -> bool:
        """Whether the side controls a place."""
        return self.state.control.get(prize.id) == self.seat

    def points_of(self, prize: Prize) -> float:
        """Points that control of a place is worth."""
        found = self._points.get(prize.id)
        if found is None:
            found = self._points[prize.id] = self._points_of(prize)
        return found

    def _points_of(self, prize: Prize) -> float:
        if prize.deadline < self.state.turn:
            return 0.0
        early = 0.5 if prize.deadline < self.book.turns else 1.0
        plan = self.plan()
        focus = plan.focus.get(prize.id, 1.0) if plan is not None else 1.0
        return self.weights.place * 4 * prize.share * early * focus * self.style.drive

    def is_attacking(self) -> bool:
        """Whether the side has ground to take or to fire on, enemies to destroy, or a way to go, to win."""
        if self._attacking is None:
            goes = any(gate.needed or gate.counts_afv for gate in self.gates)
            self._attacking = goes or (
                bool(self.wanted())
                and (
                    any(prize.attacker == self.seat for prize in self.book.prizes)
                    or self.book.hunts[self.seat] > 0
                    or self.seat in self.book.watches
                )
            )
        return self._attacking

    def ripeness(self) -> float:
        """How much ground counts that is taken now: it counts at the end, and until then it may be lost again."""
        passed = min(1.0, self.state.turn / max(1, self.book.turns))
        unripe = self.weights.ripe if self.is_attacking() else self.weights.retake
        return 1.0 - unripe * (1 - passed)

    def reluctance(self) -> float:
        """Points that going somewhere must gain: those who defend leave a place for good reasons only."""
        goes = self.is_attacking() or (self.gates and ways_off(self, self.mine[:1]))
        return self.weights.stir if goes else self.weights.leave

    def prized(self) -> dict[Hex, float]:
        """Points for entering each hex of a place that the enemy controls and does not occupy."""
        if self._prized is None:
            self._prized = {}
            for prize in self.book.prizes:
                if self.is_mine(prize):
                    continue
                occupied = any(unit.side == self.enemy for hex in prize.hexes for unit in self.there.get(hex, ()))
                points = self.points_of(prize) * (0.3 if occupied else 1.0) * self.ripeness()
                for hex in prize.hexes:
                    self._prized[hex] = self._prized.get(hex, 0.0) + points
        return self._prized

    def wanted(self) -> frozenset[Hex]:
        """Hexes that the side's units make for: places to take, else enemies to destroy."""
        if self._wanted is None:
            goals = {hex for prize in self.coveted() for hex in prize.hexes}
            goals |= self.book.lookouts(self.seat)
            if not goals and self.book.hunts[self.seat]:
                goals = {unit.hex for unit in self.theirs if unit.hex is not None}
            self._wanted = frozenset(goals)
        return self._wanted

    def coveted(self) -> list[Prize]:
        """Places that the side does not have and sends units to."""
        return [
            prize
            for prize in self.book.prizes
            if not self.is_mine(prize) and self.points_of(prize) > 0 and self._is_chosen(prize)
        ]

    def strength_around(self, hexes: frozenset[Hex], reach: int) -> float:
        """What the enemy's Good Order units within so many hexes of some are worth."""
        near = self.book.around(hexes, reach)
        return sum([self.worth(unit) for unit in self.theirs if unit.good_order and unit.hex in near])

    def errand(self, units: Sequence[Unit]) -> frozenset[Hex]:
        """Hexes that some units make for together: the places that they go for, else all that are wanted."""
        if not self.weights.spread:
            return self.wanted()
        if self._errands is None:
            self._errands = errands(self)
        found = [self._errands[unit.id] for unit in units if unit.id in self._errands]
        return frozenset().union(*found) if found else self.wanted()

    def _is_chosen(self, prize: Prize) -> bool:
        """Whether units are sent to a place."""
        plan = self.plan()
        return plan is None or plan.focus.get(prize.id, 1.0) >= 1.0

    def turns_to(self, hex: Hex | None, goals: frozenset[Hex]) -> float:
        """Turns of march from a hex to the nearest of some."""
        if not goals:
            return 0.0
        if hex is None:
            return FAR / TURN_MARCH / 2
        return self.march(goals).get(hex, FAR) / TURN_MARCH

    def turns_to_win(self, hex: Hex | None, goals: frozenset[Hex]) -> float:
        """Turns of march from a hex to the nearest of some, and from there to the last place that is needed."""
        further = max(0, self.missing() - 1)
        return self.turns_to(hex, goals) + self.weights.each * further

    def missing(self) -> int:
        """Places that the side needs for its goal of control and does not have."""
        if self._missing is None:
            named = (prize for prize in self.book.prizes if prize.attacker == self.seat)
            self._missing = self.book.needed(self.seat) - sum(self.is_mine(prize) for prize in named)
        return self._missing

    def march(self, goals: frozenset[Hex]) -> dict[Hex, float]:
        """Halves of MF from every hex to the nearest of some."""
        march = self._marches.get(goals)
        if march is None:
            march = self._marches[goals] = self.book.march(goals)
        return march

    def held_value(self, hex: Hex) -> float:
        """Points of the places at a hex that the side controls and the enemy is after."""
        if self._kept is None:
            self._kept = {}
            for prize in self.book.prizes:
                if self.is_mine(prize):
                    for one in prize.hexes:
                        self._kept[one] = self._kept.get(one, 0.0) + self.points_of(prize)
        return self._kept.get(hex, 0.0)

    def guarded(self) -> frozenset[Hex]:
        """Hexes of places that the side controls and the enemy needs."""
        if self._guarded is None:
            self._guarded = frozenset(
                hex
                for prize in self.book.prizes
                if self.is_mine(prize)
                and prize.attacker == self.enemy
                and self.points_of(prize) > 0
                and self._is_chosen(prize)
                for hex in prize.hexes
            )
        return self._guarded

    def barred(self) -> frozenset[Hex]:
        """Where the enemy is about to leave the map by a way that counts: for each of his, the hex nearest to it."""
        if self._barred is None:
            gates = [gate.hexes for gate in self.book.gates[self.enemy] if gate.needed or gate.counts_afv]
            ways = sorted({hex for hexes in gates for hex in hexes})
            tanks = [one.hex for one in self.state.vehicles.values() if one.side == self.enemy and one.in_play]
            bound = {*[unit.hex for unit in self.theirs], *tanks} if ways else set()
            self._barred = frozenset(min(ways, key=partial(_crow, hex)) for hex in bound if hex is not None)
        return self._barred


def _crow(a: Hex, b: Hex) -> int:
    """The square of the way as the crow flies, in half hex sizes: by hexes much of a far edge is equally near."""
    (x, y), (u, v) = centre(a), centre(b)
    return (x - u) ** 2 + 3 * (y - v) ** 2
