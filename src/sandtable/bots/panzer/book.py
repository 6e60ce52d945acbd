"""What never changes in a game, as its bots look at it: stakes, goals, guns and ways."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

from sandtable.bots.kept import Kept
from sandtable.bots.panzer.gunnery import Gunnery
from sandtable.bots.panzer.marching import Entry, Stop
from sandtable.bots.panzer.travel import Field, Travel
from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex
from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.hex.context import Context

__all__ = ["Book", "Ground"]

KEPT_MOMENTS = 2000
"""Moments of a game that are remembered before the book is cleared: looks from one question pass through hundreds."""

KEPT_POSITIONS = 2000
"""The same for ways: every move of a look leaves the vehicles in other places."""


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
        self._others = {seat: context.other(seat) for seat in scenario.seats}
        self._prices = {
            owner: {card: points * self.percent[other] for card, points in self.gunnery.points.items()}
            for owner, other in self._others.items()
        }
        self.stake = self._stake()
        self._ways: dict[CardId, list[Field]] = {}
        self.strengths: Kept[Hashable, list[tuple[float, float]]] = Kept(KEPT_MOMENTS)
        """What vehicles count at the objectives, by moments that are looked at again and again."""
        self.forces: Kept[Hashable, Any] = Kept(KEPT_MOMENTS)
        """What all vehicles of a side count there, likewise."""
        self.views: Kept[Any, Any] = Kept(KEPT_MOMENTS)
        """What follows from where the enemies stand, by that: pictures have it in common."""
        self.marches: Kept[Hashable, Sequence[Stop]] = Kept(KEPT_POSITIONS)
        """Ways that vehicles take, by what stands in them."""
        self.entries: Kept[Hashable, Entry | None] = Kept(KEPT_POSITIONS)
        """The same of reserves that come in."""
        self._exit_of = {seat: self._best_exit(seat) for seat in self.seats}

    def _stake(self) -> float:
        """What the whole game is about, in points: for the scale of a lead."""
        units = self.context.scenario.units.values()
        losses = sum(self.gunnery.points[unit.card] for unit in units) / 2
        return max(1.0, losses + sum(max(ground.points.values()) for ground in self.grounds))

    def other(self, seat: Seat) -> Seat:
        """The opposing force."""
        return self._others[seat]

    def price(self, card: CardId, owner: Seat) -> float:
        """What the enemy scores for destroying a vehicle."""
        return self._prices[owner][card]

    def ways_to_grounds(self, card: CardId) -> list[Field]:
        """For every objective: turns to it from each hex, for this kind of vehicle."""
        found = self._ways.get(card)
        if found is None:
            movement = self.context.cards[card].movement
            found = self._ways[card] = [self.travel.field(ground.hexes, movement) for ground in self.grounds]
        return found

    def exit_of(self, seat: Seat) -> tuple[frozenset[Hex], float] | None:
        """The best way off the map that a side scores for."""
        return self._exit_of[seat]

    def _best_exit(self, seat: Seat) -> tuple[frozenset[Hex], float] | None:
        ways = [(hexes, points) for _, side, hexes, points in self.exits if side == seat]
        return max(ways, key=lambda way: way[1], default=None)
