"""The plan: which vehicle goes for which objective, so that strength is where it changes the most (3.6).

Vehicles are given out one after another, each time the one whose presence adds most to the chance of holding some
ground at the end. The strength already there counts, the enemy's too: so forces concentrate where it is worth it, leave
alone what is safe or lost, and drive off the map in time where that scores.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import tanh
from typing import NamedTuple

from sandtable.bots.panzer.book import Ground
from sandtable.bots.panzer.evaluation import spread, standing
from sandtable.bots.panzer.influence import NOTHING, Influence, Strength
from sandtable.bots.panzer.picture import Picture
from sandtable.bots.style import Style
from sandtable.geo.hex import Hex, distance
from sandtable.systems.panzer.hex.state import Unit
from sandtable.systems.panzer.unit import UnitId

__all__ = ["Aim", "Plan"]


class Aim(NamedTuple):
    """What a vehicle is about."""

    title: str
    goal: frozenset[Hex]
    ground: Ground | None = None
    is_exit: bool = False


class Plan:
    """A side's aims, and what a place adds to them."""

    def __init__(self, picture: Picture, style: Style) -> None:
        self.picture = picture
        self.style = style
        self.influence = Influence(picture)
        lead = standing(picture.book, picture.state, picture.seat) + self.influence.total()
        self.mood = tanh(lead / spread(picture.book, self.influence.reviews))
        """From -1, losing, to 1, winning."""
        self.care = style.care * (1 + picture.weights.temper * self.mood)
        """Weight of losses: who is ahead can afford to be careful, who is behind cannot."""
        self.aims: dict[UnitId, Aim] = {}
        self._others: dict[UnitId, tuple[list[Strength], list[float]]] = {}
        self._grounds: dict[tuple[UnitId, Hex], float] = {}

    # --- giving out aims --------------------------------------------------------------------------------

    def together(self, units: Iterable[Unit]) -> None:
        """Aims for a whole force, each vehicle where it adds most to those already sent."""
        waiting = list(units)
        each, points = self.influence.each, self.influence.points
        sent: list[Strength] = [NOTHING] * len(self.picture.book.grounds)
        reached = [points(index, *NOTHING) for index in range(len(sent))]
        while waiting:
            best, chosen, at = 0.0, None, 0
            for unit in waiting:
                for index, (present, capturing) in enumerate(each.get(unit.id, ())):
                    if present:
                        there = sent[index]
                        gain = points(index, there[0] + present, there[1] + capturing) - reached[index]
                        if gain > best:
                            best, chosen, at = gain, unit, index
            if chosen is None:
                break
            waiting.remove(chosen)
            more = each[chosen.id][at]
            sent[at] = sent[at][0] + more[0], sent[at][1] + more[1]
            reached[at] = points(at, *sent[at])
            self.aims[chosen.id] = self._aim_at(at)
        for unit in waiting:
            self.aims[unit.id] = self._other_aim(unit)
        self._exits_first()

    def alone(self, unit: Unit) -> Aim:
        """The aim of a vehicle: as planned, or where it adds most for all that the others do now."""
        found = self.aims.get(unit.id)
        if found is None:
            found = self.aims[unit.id] = self._alone(unit)
        return found

    def _alone(self, unit: Unit) -> Aim:
        best, aim = 0.0, None
        others, reached = self._without(unit)
        for index, (present, capturing) in enumerate(self.influence.each.get(unit.id, ())):
            if present:
                there = others[index]
                gain = self.influence.points(index, there[0] + present, there[1] + capturing) - reached[index]
                if gain > best:
                    best, aim = gain, self._aim_at(index)
        way = self.picture.book.exit_of(unit.side)
        if way is not None and self.picture.exit_chance(unit, unit.hex) > 0 and (not aim or self._is_time_to_go(unit)):
            return Aim("the way off the map", way[0], is_exit=True)
        return aim or self._other_aim(unit)

    def _exits_first(self) -> None:
        """Those whose time runs out leave the ground to others and drive off."""
        way = self.picture.book.exit_of(self.picture.seat)
        if way is None:
            return
        for unit_id in self.aims:
            unit = self.picture.unit(unit_id)
            if self.picture.exit_chance(unit, unit.hex) > 0 and self._is_time_to_go(unit):
                self.aims[unit_id] = Aim("the way off the map", way[0], is_exit=True)

    def _is_time_to_go(self, unit: Unit) -> bool:
        """Whether a vehicle must set out to get off the map: unarmed ones at once, others with little to spare."""
        way = self.picture.book.exit_of(unit.side)
        if way is None:
            return False
        if not self.picture.book.captures[unit.card]:
            return True
        return self.picture.turns_to(unit, unit.hex, way[0]) + 1.5 >= self.picture.moves_left(unit)

    def _other_aim(self, unit: Unit) -> Aim:
        """Where there is no ground to win: off the map, or towards the enemy."""
        picture = self.picture
        way = picture.book.exit_of(unit.side)
        if way is not None and picture.exit_chance(unit, unit.hex) > 0:
            return Aim("the way off the map", way[0], is_exit=True)
        here = unit.hex or (unit.entry[0] if unit.entry else None)
        places = [enemy.hex for enemy in picture.theirs if enemy.hex is not None]
        if here is None or not places or not picture.book.armed[unit.card]:
            return Aim("out of sight", frozenset({here}) if here is not None else frozenset())
        near = min(places, key=lambda hex: (distance(hex, here), hex))
        return Aim("the enemy", frozenset({near}))

    def _aim_at(self, index: int) -> Aim:
        ground = self.picture.book.grounds[index]
        return Aim(ground.title, ground.hexes, ground)

    # --- what a place adds ------------------------------------------------------------------------------

    def _without(self, unit: Unit) -> tuple[list[Strength], list[float]]:
        """The strength of the others at every objective, and its points by that alone."""
        found = self._others.get(unit.id)
        if found is None:
            others = self.influence.without(unit)
            reached = [self.influence.points(index, *there) for index, there in enumerate(others)]
            found = self._others[unit.id] = others, reached
        return found

    def ground_gain(self, unit: Unit, hex: Hex) -> float:
        """Points that a vehicle adds at the objectives when it stands in ``hex``; its own aim counts most."""
        if unit.id not in self.influence.each:
            return 0.0
        known = self._grounds.get((unit.id, hex))
        if known is not None:
            return known
        others, reached = self._without(unit)
        aim = self.aims.get(unit.id)
        grounds = self.picture.book.grounds
        total = 0.0
        for index, (present, capturing) in enumerate(self.influence.strengths(unit, hex)):
            if present:
                there = others[index]
                gain = self.influence.points(index, there[0] + present, there[1] + capturing) - reached[index]
                total += gain if aim is None or aim.ground is grounds[index] else self.picture.weights.elsewhere * gain
        total *= self.style.drive
        self._grounds[unit.id, hex] = total
        return total

    def exit_gain(self, unit: Unit, hex: Hex) -> float:
        """Points of getting off the map from ``hex``."""
        way = self.picture.book.exit_of(unit.side)
        return way[1] * self.picture.exit_chance(unit, hex) if way is not None else 0.0

    def leaving_costs(self, unit: Unit) -> float:
        """Points of the ground that a vehicle gives up when it drives off the map."""
        return self.ground_gain(unit, unit.hex) if unit.hex is not None else 0.0

    def place(self, unit: Unit, hex: Hex, facing: int | None) -> float:
        """What it is worth to end a move in a place: ground, safety and shots."""
        picture = self.picture
        total = self.ground_gain(unit, hex) + self.picture.weights.shots * picture.chances(
            unit, hex, unit.facing if facing is None else facing
        )
        danger = picture.danger(unit, hex, facing)
        if danger:
            total -= self.picture.weights.danger * self.care * danger * picture.value(unit)
        if picture.book.exits:
            total += self.exit_gain(unit, hex)
        return total + self._closer(unit, hex) - self._rear(unit, hex, facing)

    def _rear(self, unit: Unit, hex: Hex, facing: int | None) -> float:
        """What it costs to turn the rear to enemies who may come into sight."""
        weight = self.picture.weights.front
        if facing is None or not weight:
            return 0.0
        return weight * self.care * self.picture.rear_shown(hex, facing) * self.picture.value(unit)

    def _closer(self, unit: Unit, hex: Hex) -> float:
        """A little for the way to an enemy, where there is no ground to win."""
        aim = self.aims.get(unit.id)
        if aim is None or aim.ground is not None or aim.is_exit or not aim.goal:
            return 0.0
        return -0.5 * min(distance(hex, goal) for goal in aim.goal)

    def place_parts(self, unit: Unit, hex: Hex, facing: int | None) -> list[tuple[str, float]]:
        """The same, part by part, for those who ask why."""
        picture = self.picture
        danger = picture.danger(unit, hex, facing)
        parts = [
            ("ground", self.ground_gain(unit, hex)),
            ("expected losses", -self.picture.weights.danger * self.care * danger * picture.value(unit)),
            (
                "shots next turn",
                self.picture.weights.shots * picture.chances(unit, hex, unit.facing if facing is None else facing),
            ),
            ("way off the map", self.exit_gain(unit, hex)),
            ("way to the enemy", self._closer(unit, hex)),
            ("rear to the enemy", -self._rear(unit, hex, facing)),
        ]
        return [(what, points) for what, points in parts if points]
