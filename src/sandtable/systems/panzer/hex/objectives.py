"""3.6 Controlling Objectives, and the points that decide a scenario (4.6.2)."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.core.content.rule import rule
from sandtable.core.ruleset import Outcome
from sandtable.core.stakes import Aim, Holding, Stakes
from sandtable.core.view import Part, Score
from sandtable.geo.hex import Hex
from sandtable.systems.panzer.cards import Card, CardId
from sandtable.systems.panzer.hex.scenario.bound import Scenario
from sandtable.systems.panzer.hex.scenario.draft import ObjectiveDraft
from sandtable.systems.panzer.hex.state import State
from sandtable.systems.panzer.objective import Objective, reviewed
from sandtable.systems.panzer.unit import Status

__all__ = ["final_outcome", "initial_objectives", "occupants", "review", "scores", "stakes"]

WHOLE = 100
"""Percent."""


def initial_objectives(state: State, scenario: Scenario, cards: Mapping[CardId, Card]) -> dict[str, Objective]:
    """Who holds and who occupies the objectives as the scenario starts."""
    start = {}
    for draft in scenario.draft.objectives:
        present = occupants(state, scenario.objectives[draft.id], cards)
        occupant = next(iter(present)) if len(present) == 1 else ""
        start[draft.id] = Objective(holder=draft.holder, occupant=occupant)
    return start


@rule("3.6")
def review(state: State, scenario: Scenario, cards: Mapping[CardId, Card]) -> dict[str, Objective]:
    """How every objective stands at the end of a turn; unarmed vehicles do not capture (3.6)."""
    return {
        draft.id: reviewed(
            state.objectives[draft.id], occupants(state, scenario.objectives[draft.id], cards), draft.turns
        )
        for draft in scenario.draft.objectives
    }


def occupants(state: State, hexes: tuple[Hex, ...], cards: Mapping[CardId, Card]) -> set[str]:
    """The forces with an armed unit in one of ``hexes``; not one that its crew has left (3.6, 5.15)."""
    return {
        unit.side
        for unit in state.units.values()
        if unit.hex in hexes and cards[unit.card].armed and not unit.markers.bailed
    }


def scores(state: State, scenario: Scenario, cards: Mapping[CardId, Card]) -> tuple[Score, ...]:
    """Points of each force: objectives, destroyed enemies, vehicles brought off (4.6.2)."""
    result = []
    victory = scenario.draft.victory
    for seat in scenario.seats:
        parts = []
        if seat in victory.handicap:
            parts.append(Part("handicap", victory.handicap[seat], "4.6.2", "from the start"))
        parts += [
            Part(objective.title, objective.points.get(seat, 0), "3.6", f"holds {', '.join(objective.hexes)}")
            for objective in scenario.draft.objectives
            if state.objectives[objective.id].holder == seat
        ]
        percent = victory.losses.get(seat, 100)
        destroyed = [
            unit
            for unit in state.units.values()
            if unit.side != seat and unit.status in (Status.KNOCKED_OUT, Status.BREWED_UP)
        ]
        points = sum(cards[unit.card].points for unit in destroyed)
        told = ", ".join(f"{cards[unit.card].name} {unit.id} {cards[unit.card].points}" for unit in destroyed)
        if destroyed and percent != WHOLE:
            told = f"{percent} % of: {told}"
        parts.append(Part("enemy losses", points * percent // WHOLE, "4.6.2", told))
        for index, way in enumerate(victory.exits):
            if way.side == seat:
                count = state.exits.get(str(index), 0)
                told = f"{count} at {way.points} each, by {', '.join(way.hexes)}"
                parts.append(Part("vehicles brought off", count * way.points, "4.5.1.1.9", told))
        result.append(Score(seat, sum(part.number for part in parts), tuple(parts)))
    return tuple(result)


def stakes(state: State, scenario: Scenario) -> Stakes:
    """What counts, who holds it and when it ends (3.6, 4.6.2)."""
    draft = scenario.draft
    victory = draft.victory
    aims = [Aim("", "the side with more points wins", "4.6.2", "at the end of the game")]
    for seat in scenario.seats:
        percent = victory.losses.get(seat, 100)
        share = "the points" if percent == WHOLE else f"{percent} % of the points"
        if percent:
            aims.append(Aim(seat, f"{share} of every enemy vehicle destroyed", "4.6.2"))
    aims += [
        Aim(way.side, f"{way.points} points for each vehicle that leaves by {', '.join(way.hexes)}", "4.5.1.1.9")
        for way in victory.exits
    ]
    if victory.draw_within:
        aims.append(Aim("", f"a lead of {victory.draw_within} points or less is a draw", "4.6.2"))
    return Stakes(
        turn=state.turn,
        turns=draft.turns,
        end=f"The game ends after turn {draft.turns}.",
        rule="4.6.2",
        aims=tuple(aims),
        holdings=tuple(
            Holding(one.id, one.title, one.hexes, state.objectives[one.id].holder, "3.6", one.points, _note(state, one))
            for one in draft.objectives
        ),
    )


def _note(state: State, objective: ObjectiveDraft) -> str:
    """Who occupies an objective that he does not hold yet (3.6)."""
    now = state.objectives[objective.id]
    if not now.occupant or now.occupant == now.holder:
        return ""
    left = max(1, objective.turns - now.turns)
    return f"{now.occupant.title()} occupies it and captures it in {left} turn{'s' if left > 1 else ''}"


@rule("4.6.2")
def final_outcome(state: State, scenario: Scenario, cards: Mapping[CardId, Card]) -> Outcome:
    """Who has won (4.6.2)."""
    ranked = sorted(scores(state, scenario, cards), key=lambda score: -score.points)
    points = {score.side: score.points for score in ranked}
    lead = ranked[0].points - ranked[1].points
    told = ", ".join(f"{side.title()} {count}" for side, count in points.items())
    if lead <= scenario.draft.victory.draw_within:
        return Outcome("", f"{state.ended}; a draw: {told}", "4.6.2", points)
    return Outcome(ranked[0].side, f"{state.ended}; {ranked[0].side.title()} wins: {told}", "4.6.2", points)
