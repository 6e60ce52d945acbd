"""3.6 Controlling Objectives, and the points that decide a scenario (4.6.2)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from sandtable.core.rule import rule
from sandtable.core.ruleset import Outcome
from sandtable.core.view import Score, Value
from sandtable.geo.hex import Hex
from sandtable.systems.panzer.cards import Card, CardId
from sandtable.systems.panzer.hex.scenario import Scenario
from sandtable.systems.panzer.hex.state import Objective, State, Status

__all__ = ["final_outcome", "initial_objectives", "occupants", "review", "scores"]


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
    """How every objective stands at the end of a turn (3.6).

    A force that has occupied an objective alone for the turns asked for captures it; it need not stay. Unarmed
    vehicles do not capture. Where both forces are present nobody controls it.
    """
    reviewed = {}
    for draft in scenario.draft.objectives:
        now = state.objectives[draft.id]
        present = occupants(state, scenario.objectives[draft.id], cards)
        if len(present) > 1:
            reviewed[draft.id] = Objective()
        elif len(present) == 1:
            (force,) = present
            turns = now.turns + 1 if now.occupant == force else 0
            holder = force if turns >= draft.turns else now.holder
            reviewed[draft.id] = Objective(holder=holder, occupant=force, turns=turns)
        else:
            reviewed[draft.id] = replace(now, occupant="", turns=0)
    return reviewed


def occupants(state: State, hexes: tuple[Hex, ...], cards: Mapping[CardId, Card]) -> set[str]:
    """The forces with an armed vehicle in one of ``hexes`` (3.6)."""
    return {unit.side for unit in state.units.values() if unit.hex in hexes and cards[unit.card].armed}


def scores(state: State, scenario: Scenario, cards: Mapping[CardId, Card]) -> tuple[Score, ...]:
    """Points of each force: objectives, destroyed enemies, vehicles brought off (4.6.2)."""
    result = []
    victory = scenario.draft.victory
    for seat in scenario.seats:
        parts = [Value("handicap", str(victory.handicap[seat]))] if seat in victory.handicap else []
        parts += [
            Value(objective.title, str(objective.points.get(seat, 0)))
            for objective in scenario.draft.objectives
            if state.objectives[objective.id].holder == seat
        ]
        percent = victory.losses.get(seat, 100)
        destroyed = sum(
            cards[unit.card].points
            for unit in state.units.values()
            if unit.side != seat and unit.status in (Status.KNOCKED_OUT, Status.BREWED_UP)
        )
        parts.append(Value("enemy losses", str(destroyed * percent // 100)))
        for index, way in enumerate(victory.exits):
            if way.side == seat:
                count = state.exits.get(str(index), 0)
                parts.append(Value("vehicles brought off", str(count * way.points)))
        result.append(Score(seat, sum(int(part.text) for part in parts), tuple(parts)))
    return tuple(result)


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
