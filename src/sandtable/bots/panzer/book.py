"""What never changes in a game, as its bots look at it: stakes, goals, guns and ways."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from sandtable.bots.panzer.gunnery import Gunnery
from sandtable.bots.panzer.travel import Travel
from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex
from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.hex.context import Context

__all__ = ["Book", "Ground"]

KEPT_MOMENTS = 200
"""Moments of a game that are remembered before the book is cleared: a look ahead passes through a few dozen."""


class Ground(NamedTuple):
    """An objective."""

    id: str
    title: str
    hexes: frozenset[Hex]
    points: dict[Seat, float]
    turns: int
    """Complete turns of occupation that capture it (3.6)."""


class Book:
    """Everything that a side knows before the first turn."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.gunnery = Gunnery(context)
        self.travel = Travel(context)
        scenario = context.scenario
        draft = scenario.draft
        self.turns = draft.turns
        self.seats = scenario.seats
        self.grounds = tuple(
            Ground(
                one.id,
                one.title,
                frozenset(scenario.objectives[one.id]),
                {seat: float(one.points.get(seat, 0)) for seat in scenario.seats},
                one.turns,
            )
            for one in draft.objectives
        )
        victory = draft.victory
        self.percent = {seat: victory.losses.get(seat, 100) / 100 for seat in scenario.seats}
        """What a side scores of the points of an enemy that it destroys."""
        self.handicap = {seat: float(victory.handicap.get(seat, 0)) for seat in scenario.seats}
        self.draw_within = float(victory.draw_within)
        self.exits = tuple(
            (index, Seat(way.side), hexes, float(way.points))
            for index, (way, hexes) in enumerate(zip(victory.exits, scenario.exits, strict=True))
        )
        self.armed = {name: card.armed and bool(context.barrels[name]) for name, card in context.cards.items()}
        """Whether a vehicle fires in the Basic Game."""
        self.captures = {name: card.armed for name, card in context.cards.items()}
        """Whether a vehicle takes ground (3.6)."""
        self.stake = self._stake()
        self._ways: dict[CardId, list[dict[Hex, float]]] = {}
        self._strengths: dict[Hashable, dict[Hashable, list[tuple[float, float]]]] = {}
        self._exit_of = {seat: self._best_exit(seat) for seat in self.seats}

    def _stake(self) -> float:
        """What the whole game is about, in points: for the scale of a lead."""
        units = self.context.scenario.units.values()
        losses = sum(self.gunnery.points[unit.card] for unit in units) / 2
        return max(1.0, losses + sum(max(ground.points.values()) for ground in self.grounds))

    def other(self, seat: Seat) -> Seat:
        """The opposing force."""
        return self.context.other(seat)

    def price(self, card: CardId, owner: Seat) -> float:
        """What the enemy scores for destroying a vehicle."""
        return self.gunnery.points[card] * self.percent[self.other(owner)]

    def ways_to_grounds(self, card: CardId) -> list[dict[Hex, float]]:
        """For every objective: turns to it from each hex, for this kind of vehicle."""
        found = self._ways.get(card)
        if found is None:
            movement = self.context.cards[card].movement
            found = self._ways[card] = [self.travel.field(ground.hexes, movement) for ground in self.grounds]
        return found

    def strengths_at(self, moment: Hashable) -> dict[Hashable, list[tuple[float, float]]]:
        """What vehicles count at the objectives, kept for the moments that are looked at again and again."""
        found = self._strengths.get(moment)
        if found is None:
            if len(self._strengths) >= KEPT_MOMENTS:
                self._strengths.clear()
            found = self._strengths[moment] = {}
        return found

    def exit_of(self, seat: Seat) -> tuple[frozenset[Hex], float] | None:
        """The best way off the map that a side scores for."""
        return self._exit_of[seat]

    def _best_exit(self, seat: Seat) -> tuple[frozenset[Hex], float] | None:
        ways = [(hexes, points) for _, side, hexes, points in self.exits if side == seat]
        return max(ways, key=lambda way: way[1], default=None)
