"""How a position looks to one side: the enemy's fire over every hex, what is wanted where, and what a shot is worth.

A sketch stands for one state and one side. What it works out it keeps, and the last few sketches are kept too, since
most of a position stays the same from one question to the next.
"""

from __future__ import annotations

from typing import NamedTuple

from sandtable.bots.aslsk.book import FAR, TURN_MARCH, Book, Prize
from sandtable.bots.aslsk.harm import Fate
from sandtable.bots.aslsk.weights import Weights
from sandtable.bots.manner import Manner
from sandtable.core.decision import Seat
from sandtable.geo.hex import NEIGHBOURS, Hex, distance
from sandtable.systems.aslsk.cards import WeaponKind
from sandtable.systems.aslsk.experience import leadership, morale_level
from sandtable.systems.aslsk.possession import weapons_of
from sandtable.systems.aslsk.stacking import occupants
from sandtable.systems.aslsk.state import Mark, Phase, State, Unit, WeaponState

__all__ = ["ASSAULT", "MOVING", "STANDING", "Battery", "Sketch"]

STANDING, MOVING, ASSAULT = 0, 1, 2
"""How a unit is met by fire: where it stands, on the move, in Assault Movement."""
ON_IFT = frozenset((WeaponKind.LMG, WeaponKind.MMG, WeaponKind.HMG))
REGULAR = 7
"""Morale of the squad that dangers are reckoned for."""


class Shot(NamedTuple):
    """What one unit or MG fires with."""

    fp: float
    normal: int
    most: int
    """The greatest range; marked firers do not reach as far (3.3.3)."""


class Battery(NamedTuple):
    """All that may fire from one hex."""

    hex: Hex
    level: int
    shots: tuple[Shot, ...]
    drm: int
    """Leadership DRM of who directs."""

    def fp(self, reach: int) -> float:
        """FP at a range: doubled next to it, halved beyond normal range (3.2.2)."""
        total = 0.0
        for fp, normal, most in self.shots:
            if reach <= most:
                total += fp * 3 if reach == 0 else fp * 2 if reach == 1 else fp if reach <= normal else fp / 2
        return total


class Sketch:
    """A position through the eyes of a side."""

    def __init__(self, book: Book, state: State, seat: Seat, weights: Weights, manner: Manner) -> None:
        self.book = book
        self.context = book.context
        self.state = state
        self.seat = seat
        self.enemy = book.other(seat)
        self.weights = weights
        self.manner = manner
        self.mine = [unit for unit in state.units.values() if unit.side == seat and unit.on_map]
        self.theirs = [unit for unit in state.units.values() if unit.side == self.enemy and unit.on_map]
        self.there = occupants(state)
        self.men = self._men()
        """What men are worth beside ground: less, the less of the game is left."""
        self._batteries: dict[tuple[str, bool], tuple[Battery, ...]] = {}
        self._threats: dict[tuple[Hex, int, int, str], float] = {}
        self._fields: dict[tuple[Hex, float, int], float] = {}
        self._wanted: frozenset[Hex] | None = None
        self._guarded: frozenset[Hex] | None = None
        self._prized: dict[Hex, float] | None = None

    # --- worth ------------------------------------------------------------------------------------------

    def _men(self) -> float:
        left = self.turns_left() / max(1, self.book.turns)
        return self.weights.late + (1 - self.weights.late) * min(1.0, left)

    def turns_left(self) -> float:
        """Turns still to come, this one included; a player turn is half of one."""
        half = 0.5 if self.state.attacker == self.book.seats[1] else 0.0
        return max(0.5, self.book.turns - self.state.turn + 1 - half)

    def worth(self, unit: Unit) -> float:
        """Points that a unit is worth as it is; a broken one may rally, if there is time."""
        worth = self.book.worths[unit.card]
        for weapon in weapons_of(self.state, unit.id):
            worth += self.book.arms[weapon.card] * (0.3 if weapon.state is not WeaponState.WORKING else 1.0)
        return worth * (0.6 if unit.broken else 1.0) * (0.8 if unit.wounded else 1.0)

    def price(self, unit: Unit) -> float:
        """Points for the loss of a unit: its worth in men, and what it counts towards a victory by casualties."""
        hunted = self.book.hunts[self.book.other(unit.side)]
        prize = 10 / hunted if hunted else 0.0
        return self.worth(unit) * self.men + prize * (1.5 if self.context.card(unit).is_leader else 1.8)

    def suffered(self, fate: Fate, *, moving: bool = False) -> float:
        """The share of its worth that a fate costs a unit on average."""
        weights = self.weights
        pinned = weights.stopped if moving else weights.pinned
        return fate.times(weights.killed, weights.reduced, weights.broken, pinned)

    def loss(self, unit: Unit, fate: Fate, *, moving: bool = False) -> float:
        """Points that a fate costs on average."""
        if unit.broken:
            # One that is broken already has no more to lose than what is left of it.
            return self.price(unit) * fate.times(1.0, 0.6, 0.0, 0.0)
        return self.price(unit) * self.suffered(fate, moving=moving)

    # --- fire over the ground ---------------------------------------------------------------------------

    def batteries(self, side: str, *, fresh: bool) -> tuple[Battery, ...]:
        """What a side may fire from each of its hexes; ``fresh`` as if nobody had fired this turn."""
        found = self._batteries.get((side, fresh))
        if found is None:
            found = tuple(self._battery(hex, units, side, fresh=fresh) for hex, units in self.there.items())
            found = self._batteries[side, fresh] = tuple(one for one in found if one.shots)
        return found

    def _battery(self, hex: Hex, units: tuple[Unit, ...], side: str, *, fresh: bool) -> Battery:
        context, state = self.context, self.state
        shots: list[Shot] = []
        drm = 0
        if any(unit.side != side for unit in units) and not all(unit.side != side for unit in units):
            return Battery(hex, 0, (), 0)
        for unit in units:
            if unit.side != side or unit.broken or unit.melee:
                continue
            card = context.card(unit)
            if card.is_leader:
                if not unit.pinned and (fresh or not unit.directed):
                    drm = min(drm, leadership(context, unit))
                continue
            half = 0.5 if unit.pinned and not fresh else 1.0
            own = _shot(card.fp * half, card.range, unit.mark, fresh=fresh)
            if own is not None and not (unit.forfeited and not fresh and unit.mark is Mark.NONE):
                shots.append(own)
            for weapon in weapons_of(state, unit.id):
                gun = context.weapon_card(weapon)
                if weapon.state is WeaponState.WORKING and gun.kind in ON_IFT:
                    # A gun that keeps its ROF fires again: what it does in a turn is more than one shot.
                    rate = 1 + gun.rof / 6
                    shot = _shot(gun.fp * half * rate, gun.range, weapon.mark, fresh=fresh)
                    if shot is not None:
                        shots.append(shot)
        return Battery(hex, context.ground.place(hex).level, tuple(shots), drm)

    def threat(self, hex: Hex, way: int, morale: int = REGULAR) -> float:
        """The share of a unit's worth that the enemy's fire on a hex would cost it, all his fire together."""
        return self.exposure(hex, way, morale, self.enemy)

    def exposure(self, hex: Hex, way: int, morale: int, by: str) -> float:
        """The same for the fire of either side."""
        key = (hex, way, morale, by)
        found = self._threats.get(key)
        if found is None:
            found = self._threats[key] = self._exposed(hex, way, morale, by)
        return found

    def _exposed(self, hex: Hex, way: int, morale: int, by: str) -> float:
        context, state, harms = self.context, self.state, self.book.harms
        place = context.ground.place(hex)
        spared = 1.0
        fresh = way == STANDING or state.phase not in (Phase.MOVEMENT, Phase.DEFENSIVE_FIRE)
        for battery in self.batteries(by, fresh=fresh):
            reach = distance(battery.hex, hex)
            fp = battery.fp(reach)
            if fp < 1 or not context.sees(state, battery.hex, hex):
                continue
            hindrance = context.hindrance(state, battery.hex, hex)
            drm = battery.drm + hindrance + place.tem
            above = place.level > battery.level
            if above and not place.tem:
                drm += 1
            if way != STANDING:
                drm -= way == MOVING
                drm -= place.open_ground and not hindrance and not above
            fate = harms.of_fp(fp, drm, morale)
            spared *= 1 - self.suffered(fate, moving=way != STANDING)
        return 1 - spared

    def field_of_fire(self, hex: Hex, fp: float, reach: int) -> float:
        """Points of harm that so many FP of this normal range could do from a hex, at the best target."""
        key = (hex, fp, reach)
        found = self._fields.get(key)
        if found is None:
            found = self._fields[key] = self._best_shot(hex, fp, reach)
        return found

    def _best_shot(self, hex: Hex, fp: float, reach: int) -> float:
        context, state, harms = self.context, self.state, self.book.harms
        level = context.ground.place(hex).level
        best = 0.0
        for there, units in self.there.items():
            targets = [unit for unit in units if unit.side == self.enemy]
            apart = distance(hex, there)
            if not targets or apart > 2 * reach or not context.sees(state, hex, there):
                continue
            place = context.ground.place(there)
            drm = place.tem + context.hindrance(state, hex, there)
            if place.level > level and not place.tem:
                drm += 1
            power = fp * (2 if apart == 1 else 0.5 if apart > reach else 1)
            total = sum(
                self.loss(unit, harms.of_fp(power, drm, morale_level(context, unit), broken=unit.broken))
                for unit in targets
            )
            best = max(best, total)
        return best

    # --- ground -----------------------------------------------------------------------------------------

    def is_mine(self, prize: Prize) -> bool:
        """Whether the side controls a place."""
        return self.state.control.get(prize.id) == self.seat

    def points_of(self, prize: Prize) -> float:
        """Points that control of a place is worth."""
        if prize.deadline < self.state.turn:
            return 0.0
        early = 0.5 if prize.deadline < self.book.turns else 1.0
        return self.weights.place * 4 * prize.share * early * self.manner.drive

    def prized(self) -> dict[Hex, float]:
        """Points for entering each hex of a place that the enemy controls and does not occupy."""
        if self._prized is None:
            self._prized = {}
            for prize in self.book.prizes:
                if self.is_mine(prize):
                    continue
                occupied = any(unit.side == self.enemy for hex in prize.hexes for unit in self.there.get(hex, ()))
                points = self.points_of(prize) * (0.3 if occupied else 1.0)
                for hex in prize.hexes:
                    self._prized[hex] = self._prized.get(hex, 0.0) + points
        return self._prized

    def wanted(self) -> frozenset[Hex]:
        """Hexes that the side's units make for: places to take, else enemies to destroy."""
        if self._wanted is None:
            goals = {
                hex
                for prize in self.book.prizes
                if not self.is_mine(prize) and self.points_of(prize) > 0
                for hex in prize.hexes
            }
            if not goals and self.book.hunts[self.seat]:
                goals = {unit.hex for unit in self.theirs if unit.hex is not None}
            self._wanted = frozenset(goals)
        return self._wanted

    def turns_to(self, hex: Hex | None, goals: frozenset[Hex]) -> float:
        """Turns of march from a hex to the nearest of some."""
        if not goals:
            return 0.0
        if hex is None:
            return FAR / TURN_MARCH / 2
        return self.book.march(goals).get(hex, FAR) / TURN_MARCH

    def held_value(self, hex: Hex) -> float:
        """Points of the places at a hex that the side controls and the enemy is after."""
        total = 0.0
        for prize in self.book.prizes:
            if hex in prize.hexes and self.is_mine(prize):
                total += self.points_of(prize)
        return total

    def guarded(self) -> frozenset[Hex]:
        """Hexes of places that the side controls and the enemy needs."""
        if self._guarded is None:
            self._guarded = frozenset(
                hex
                for prize in self.book.prizes
                if self.is_mine(prize) and prize.attacker == self.enemy and self.points_of(prize) > 0
                for hex in prize.hexes
            )
        return self._guarded

    def enemy_near(self, hex: Hex) -> bool:
        """Whether an unbroken enemy is next to a hex."""
        return any(
            unit.side == self.enemy and not unit.broken for near in NEIGHBOURS[hex] for unit in self.there.get(near, ())
        )


def _shot(fp: float, normal: int, mark: Mark, *, fresh: bool) -> Shot | None:
    """What is left of a firer's shot with the marker that it has (3.3.3)."""
    if fp <= 0:
        return None
    if fresh or mark is Mark.NONE:
        return Shot(fp, normal, 2 * normal)
    if mark is Mark.FIRST_FIRE:
        return Shot(fp / 2, normal, min(normal, 4))
    return Shot(fp / 2, 1, 1) if mark is Mark.FINAL_FIRE else None
