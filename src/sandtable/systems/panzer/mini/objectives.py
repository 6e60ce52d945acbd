"""4.6 Controlling Objectives, and the points that decide a scenario (10.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sandtable.core.content.rule import rule
from sandtable.core.ruleset import Outcome
from sandtable.core.stakes import Aim, Holding, Stakes
from sandtable.core.view import Part, Score
from sandtable.geo.plane.points import INCH, Point, box_of, label
from sandtable.geo.shapes.polygon import PointPosition, locate
from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.mini.cards import MiniCard
from sandtable.systems.panzer.mini.scenario.bound import Scenario
from sandtable.systems.panzer.mini.state import State, Unit
from sandtable.systems.panzer.objective import Objective
from sandtable.systems.panzer.unit import Status

__all__ = [
    "automatic_winner",
    "final_outcome",
    "has_combat_units",
    "initial_objectives",
    "is_at",
    "occupants",
    "review",
    "reviewed",
    "scores",
    "stakes",
]

BOOK = ("panzer-mini",)
Cards = Mapping[CardId, MiniCard]
_BESIDE = 2 * INCH
"""Nearer than this is within 1 in, as ranges are rounded down."""
_LOST = (Status.KNOCKED_OUT, Status.BREWED_UP)


@rule("4.6", editions=BOOK)
def is_at(point: tuple[int, int], area: Sequence[Point]) -> bool:
    """Whether a place is in an area or within 1 in of it (4.6)."""
    limit = _BESIDE**2
    if len(area) == 1:
        return (point[0] - area[0].x) ** 2 + (point[1] - area[0].y) ** 2 < limit
    if locate(point, area) is not PointPosition.OUTSIDE:
        return True
    return any(_is_near(point, area[index - 1], corner, limit) for index, corner in enumerate(area))


def _is_near(p: tuple[int, int], a: Point, b: Point, limit: int) -> bool:
    """Whether the square of the distance from a place to a segment is less than a limit."""
    dx, dy, px, py = b.x - a.x, b.y - a.y, p[0] - a.x, p[1] - a.y
    whole, share = dx * dx + dy * dy, px * dx + py * dy
    if share <= 0:
        return px * px + py * py < limit
    if share >= whole:
        return (px - dx) ** 2 + (py - dy) ** 2 < limit
    return (px * dy - py * dx) ** 2 < limit * whole


def occupants(state: State, area: Sequence[Point], cards: Cards) -> dict[str, str]:
    """The combat units in an area or beside it with their forces; unarmed ones do not count (4.6)."""
    left, top, right, bottom = box_of(area, _BESIDE)
    return {
        unit.id: unit.side
        for unit in state.units.values()
        if unit.at is not None
        and left < unit.at.x < right
        and top < unit.at.y < bottom
        and unit.in_play
        and cards[unit.card].armed
        and is_at(unit.at, area)
    }


def initial_objectives(state: State, scenario: Scenario, cards: Cards) -> dict[str, Objective]:
    """Who holds and who occupies the objectives when all is set up (4.6.4)."""
    return {
        draft.id: _standing(draft.holder, occupants(state, scenario.objectives[draft.id], cards))
        for draft in scenario.draft.objectives
    }


def _standing(holder: str, present: Mapping[str, str], turns: int = 0) -> Objective:
    """An objective with these units and their forces beside it."""
    forces = set(present.values())
    alone = next(iter(forces)) if len(forces) == 1 else ""
    return Objective(holder, alone, turns, contested=len(forces) > 1, beside=tuple(present))


@rule("4.6", "4.6.2", "4.6.3", "4.6.4", editions=BOOK)
def reviewed(now: Objective, present: Mapping[str, str]) -> Objective:
    """How an objective stands at the end of a turn, with these units and their forces beside it (4.6).

    A complete turn is from one End Turn Step to the next: a unit that is there at both has stayed, wherever it went
    between (4.6.2); one that relieves another has not. A force that has stayed alone controls the objective. The
    enemy of its holder who has stayed contests it: nobody controls it until one has stayed alone (4.6.3).
    """
    stayed = {force for unit, force in present.items() if unit in now.beside}
    if stayed == {now.occupant} == set(present.values()):
        return _standing(now.occupant, present, now.turns + 1)
    return _standing("" if stayed - {now.holder} else now.holder, present)


@rule("4.6", "10.4.3.1", editions=BOOK)
def review(state: State, scenario: Scenario, cards: Cards) -> dict[str, Objective]:
    """How every objective stands at the end of a turn (4.6)."""
    return {
        draft.id: reviewed(state.objectives[draft.id], occupants(state, scenario.objectives[draft.id], cards))
        for draft in scenario.draft.objectives
    }


@rule("10.4.3.2", editions=BOOK)
def loss(unit: Unit, scenario: Scenario) -> tuple[int, str]:
    """What a vehicle's fate is worth to the enemy, and its name: the highest of its values alone (10.4.3.2)."""
    points = scenario.points[unit.id]
    if unit.status in _LOST:
        return points.eliminated, "eliminated"
    if unit.damaged:
        return points.damaged, "damaged"
    return (points.tracked, "tracked") if unit.markers.track else (0, "")


@rule("10.4.3", "10.4.3.1", "10.4.3.2", editions=BOOK)
def scores(state: State, scenario: Scenario) -> tuple[Score, ...]:
    """Points of each force: objectives, enemies eliminated, damaged and tracked, vehicles that left (10.4.3)."""
    result = []
    victory = scenario.draft.victory
    for seat in scenario.seats:
        parts = []
        if seat in victory.handicap:
            parts.append(Part("handicap", victory.handicap[seat], "10.4.3", "from the start"))
        parts += [
            Part(one.title, one.points.get(seat, 0), "10.4.3.1", "controls it")
            for one in scenario.draft.objectives
            if state.objectives and state.objectives[one.id].holder == seat
        ]
        if victory.losses:
            found = [(unit, *loss(unit, scenario)) for unit in state.units.values() if unit.side != seat]
            told = ", ".join(f"{unit.id} {word} {worth}" for unit, worth, word in found if word)
            parts.append(Part("enemy losses", sum(worth for _, worth, _ in found), "10.4.3.2", told))
        for index, way in enumerate(victory.exits):
            if way.side == seat:
                count = state.exits.get(str(index), 0)
                told = f"{count} at {way.points} each, by the {way.edge.value} edge"
                parts.append(Part("vehicles that left", count * way.points, "9.8", told))
        result.append(Score(seat, sum(part.number for part in parts), tuple(parts)))
    return tuple(result)


def stakes(state: State, scenario: Scenario) -> Stakes:
    """What counts, who holds it and when it ends (4.6, 10.4)."""
    draft = scenario.draft
    aims = [Aim("", f"whoever is {draft.victory.lead} points ahead wins", "10.4.4", "at the end of the game")]
    if draft.victory.losses:
        aims += [Aim(seat, "points for enemies eliminated, damaged or tracked", "10.4.3.2") for seat in scenario.seats]
    aims += [
        Aim(way.side, f"{way.points} points for each vehicle that leaves by the {way.edge.value} edge", "9.8")
        for way in draft.victory.exits
    ]
    return Stakes(
        turn=state.turn,
        turns=draft.turns,
        end=f"The game ends after turn {draft.turns}.",
        rule="10.4.3",
        aims=tuple(aims),
        holdings=tuple(
            Holding(
                one.id,
                one.title,
                (label(_middle(scenario.objectives[one.id])),),
                state.objectives[one.id].holder if state.objectives else one.holder,
                "4.6",
                one.points,
                _note(state, one.id),
            )
            for one in draft.objectives
        ),
    )


def _middle(area: Sequence[Point]) -> Point:
    """Where an area is written: the middle of its corners."""
    return Point(sum(corner.x for corner in area) // len(area), sum(corner.y for corner in area) // len(area))


def _note(state: State, objective: str) -> str:
    """Who is on the way to control an objective (4.6)."""
    now = state.objectives.get(objective, Objective())
    if now.contested:
        return "Both forces are there"
    if not now.occupant or now.occupant == now.holder:
        return ""
    return f"{now.occupant.title()} is there and controls it after a complete turn"


@rule("10.4.1", editions=BOOK)
def automatic_winner(state: State, scenario: Scenario, cards: Cards) -> str:
    """The force whose enemy's combat units are all eliminated, "" if there is none (10.4.1); one that left is not."""
    alive = {unit.side for unit in state.units.values() if cards[unit.card].armed and unit.status not in _LOST}
    beaten = [seat for seat in scenario.seats if seat not in alive]
    return next(iter(alive)) if len(beaten) == 1 else ""


@rule("10.4.2", editions=BOOK)
def has_combat_units(state: State, seat: str, cards: Cards) -> bool:
    """Whether a force has a combat unit that works, or one that is still to come (10.4.2)."""
    there = (Status.IN_PLAY, Status.RESERVE)
    return any(unit.side == seat and cards[unit.card].armed and unit.status in there for unit in state.units.values())


@rule("10.4.4", editions=BOOK)
def final_outcome(state: State, scenario: Scenario, cards: Cards) -> Outcome:
    """Who has won (10.4.4): the one who meets the scenario's criteria, or whose enemy is gone (10.4.1)."""
    winner = automatic_winner(state, scenario, cards)
    ranked = sorted(scores(state, scenario), key=lambda score: -score.points)
    points = {score.side: score.points for score in ranked}
    told = ", ".join(f"{side.title()} {count}" for side, count in points.items())
    if winner:
        return Outcome(winner, f"{state.ended}; {winner.title()} wins: {told}", "10.4.1", points)
    if ranked[0].points - ranked[1].points < scenario.draft.victory.lead:
        return Outcome("", f"{state.ended}; a draw: {told}", "10.4.4", points)
    return Outcome(ranked[0].side, f"{state.ended}; {ranked[0].side.title()} wins: {told}", "10.4.4", points)
