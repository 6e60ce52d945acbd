"""What it is worth to a vehicle to stand somewhere: its way, its targets, its armour to the enemy, company (7.0)."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.bots.aslsk.arms.cannons import Cannon, Stand
from sandtable.bots.aslsk.arms.hardware import he_fp
from sandtable.bots.aslsk.barrage import MOVING, STANDING
from sandtable.bots.aslsk.leaving import drive_outs, hope_to_leave
from sandtable.bots.aslsk.sketch import Sketch
from sandtable.bots.aslsk.standing import urgency
from sandtable.bots.explain import Reason
from sandtable.geo.hex import NEIGHBOURS, Hex, distance
from sandtable.systems.aslsk.pieces.state import Vehicle, VehicleGun

__all__ = ["Tank", "vehicle_value"]

SUPPORT = 2
"""Hexes from a place within which a vehicle need come no nearer: Infantry takes it."""
PACE = 1.6
"""Halves of MP of each MP that a vehicle covers in a turn, turns and stops apart."""
MG_RANGE = 8
SHELLED = 0.5
"""How often HE hits, about."""
CLOSE, ALONE = 0.1, 0.6
"""Share of a vehicle's price at risk for each enemy squad beside it; less where Infantry is with it."""
LEAST, SHOTS = 0.3, 1.3
"""The least part of the enemy's fire that meets each of many vehicles, and the shots of a weapon in a turn, about."""
ESCORTED = 0.15
"""Points for Infantry nearby."""


class Term(NamedTuple):
    """What speaks for or against a place."""

    what: str
    points: float


class Tank:
    """A vehicle, and what places are worth to it."""

    def __init__(self, sketch: Sketch, vehicle: Vehicle) -> None:
        self.sketch = sketch
        self.vehicle = vehicle
        self.card = sketch.context.vehicle_card(vehicle)
        self.price = sketch.price_of(vehicle)
        self.size = sketch.book.tanks[vehicle.card] / 4
        card = self.card
        shells = he_fp(sketch.context, card.main) if vehicle.works(VehicleGun.MAIN) else 0
        self.fp = card.bmg + card.cmg + max(SHELLED * shells, card.main.ife if vehicle.works(VehicleGun.MAIN) else 0)
        self._scores, self._outs = drive_outs(sketch, vehicle)
        if vehicle.immobilized or vehicle.recalled:
            self._scores = 0.0
        self._goals = sketch.wanted()
        self._guard = sketch.guarded() or sketch.barred()
        self._urgency = urgency(sketch, self.turns_to(vehicle.hex, self._goals)) if self._goals else 0.0
        self._own: Cannon | None = sketch.cannons(vehicle.side, STANDING).by_name.get(vehicle.id)
        """Its MA, wherever it stands."""
        self._prey = [
            (one, sketch.context.vehicle_card(one), sketch.price_of(one))
            for one in sketch.state.vehicles.values()
            if one.side != vehicle.side and one.in_play and one.hex is not None
        ]
        self._infantry = {
            hex: sum(one.side == sketch.enemy and one.good_order and sketch.context.card(one).is_mmc for one in units)
            for hex, units in sketch.there.items()
        }
        self._friends = [one.hex for one in sketch.mine if one.good_order and one.hex is not None]
        self.part = self._part()
        """Part of the enemy's fire at vehicles that meets this one: attackers go together, and he has so many shots."""
        self._places: dict[Hex, list[Term]] = {}
        self._values: dict[Stand, float] = {}

    def _part(self) -> float:
        sketch = self.sketch
        if not sketch.is_attacking():
            return 1.0
        able = sum(
            one.side == self.vehicle.side and one.in_play and not one.wreck and not one.immobilized
            for one in sketch.state.vehicles.values()
        )
        return max(LEAST, min(1.0, SHOTS * sketch.cannons(sketch.enemy, STANDING).barrels / max(1, able)))

    def turns_to(self, hex: Hex | None, goals: frozenset[Hex]) -> float:
        """Turns of driving from a hex to the nearest of some, or near enough."""
        if not goals:
            return 0.0
        if hex is not None and min(distance(hex, goal) for goal in goals) <= SUPPORT:
            return 0.0
        return self._drive_to(hex, goals)

    def _drive_to(self, hex: Hex | None, goals: frozenset[Hex]) -> float:
        """Turns of driving from a hex to the nearest of some."""
        pace = PACE * self.card.mp
        if hex is None:
            return 60 / pace
        return self.sketch.book.drive(goals, self.card.type).get(hex, 100.0) / pace

    def _place(self, hex: Hex) -> list[Term]:
        """What speaks for and against a hex, however it stands there; kept."""
        found = self._places.get(hex)
        if found is not None:
            return found
        sketch = self.sketch
        weights, style = sketch.weights, sketch.style
        found = self._places[hex] = []
        to_goal, to_guard = self._paces()
        if self._goals:
            found.append(Term("way to the goal", -to_goal * self.turns_to(hex, self._goals)))
        if self._guard:
            found.append(Term("way to what must be held", -to_guard * self.turns_to(hex, self._guard)))
        if self._scores:
            chance = hope_to_leave(sketch, self._drive_to(hex, self._outs))
            found.append(Term("off the map in time", self._scores * chance))
        field = self.field(hex)
        if field:
            found.append(Term("field of fire", weights.field * field))
        close = self._close(hex)
        if close:
            found.append(Term("enemy Infantry beside it", -close * self.price * style.care))
        if any(distance(hex, friend) <= SUPPORT for friend in self._friends):
            found.append(Term("Infantry with it", ESCORTED))
        return found

    def _paces(self) -> tuple[float, float]:
        """Points that a turn of driving is worth to where it is wanted, and to what must be held."""
        weights = self.sketch.weights
        to_goal = weights.nearer * self._urgency * self.sketch.style.drive * self.size
        share = 0.3 if self._goals else 0.7
        return (to_goal if self._goals else 0.0), (weights.nearer * share * self.size if self._guard else 0.0)

    def pace(self) -> float:
        """Points that a turn of driving is worth to it."""
        return sum(self._paces())

    def field(self, hex: Hex) -> float:
        """Points of harm that it could do from a hex to the best of the enemy's Infantry."""
        return self.sketch.field_of_fire(hex, self.fp, MG_RANGE)

    def place_value(self, hex: Hex | None) -> float:
        """Points for a hex, however it stands there."""
        return sum([term.points for term in self._place(hex)]) if hex is not None else 0.0

    def terms(self, stand: Stand) -> list[Term]:
        """What speaks for and against standing there, in points."""
        weights, care = self.sketch.weights, self.sketch.style.care
        danger = self.danger(stand)
        found = [Term("fire on its armour there", -weights.stand * danger * self.price * care)] if danger else []
        if self.vehicle.recalled:
            return found
        shot = self.shot(stand)
        if shot:
            found.append(Term("a shot at armour", weights.field * shot))
        return [*self._place(stand.hex), *found]

    def value(self, stand: Stand) -> float:
        """The sum."""
        found = self._values.get(stand)
        if found is None:
            found = self._values[stand] = sum([term.points for term in self.terms(stand)])
        return found

    def danger(self, stand: Stand) -> float:
        """The share of its worth that fire at its armour costs it there."""
        way = MOVING if stand.moving else STANDING
        return self.part * self.sketch.cannons(self.sketch.enemy, way).exposure(self.card, stand)

    def shot(self, stand: Stand) -> float:
        """Points of harm that its MA could do from there to the best of the enemy's vehicles."""
        if self._own is None or not self._prey:
            return 0.0
        own = self._own._replace(hex=stand.hex, facing=stand.vca)
        cannons = self.sketch.cannons(self.vehicle.side, STANDING)
        best = 0.0
        for prey, card, price in self._prey:
            assert prey.hex is not None  # noqa: S101 - it is on the map
            there = Stand(prey.hex, prey.vca, prey.tca, prey.motion)
            best = max(best, price * cannons.share(own, card, there))
        return best

    def _close(self, hex: Hex) -> float:
        """The share of its worth that close combat and charges may cost it there."""
        enemies = 2 * self._infantry.get(hex, 0) + sum([self._infantry.get(near, 0) for near in NEIGHBOURS[hex]])
        if not enemies:
            return 0.0
        sheltered = 1.5 if self.sketch.context.ground.place(hex).shelter else 1.0
        escorted = any(distance(hex, friend) <= 1 for friend in self._friends)
        return min(0.5, CLOSE * sheltered * enemies * (ALONE if escorted else 1.0))

    def reasons(self, stand: Stand) -> list[Reason]:
        """The terms for a person to read."""
        return [Reason(term.what, round(term.points, 2)) for term in self.terms(stand) if abs(term.points) >= 0.05]


def vehicle_value(sketch: Sketch, vehicle: Vehicle, hope: float = 0.0) -> float:
    """Points for how well a vehicle of the side stands; one that can go on its way is so many turns ahead."""
    if not vehicle.in_play or vehicle.hex is None:
        return 0.0
    tank = Tank(sketch, vehicle)
    value = tank.value(Stand(vehicle.hex, vehicle.vca, vehicle.tca, vehicle.motion))
    return value if vehicle.immobilized or vehicle.recalled else value + hope * tank.pace()
