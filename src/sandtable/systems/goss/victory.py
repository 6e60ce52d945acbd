"""How a scenario is won: points for hexes and steps at the end of its last game turn (2.0, 3.3.4)."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.core.ruleset import Outcome
from sandtable.core.view import Part, Score
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.pieces.unit import Box

__all__ = ["holders", "outcome", "scores"]

_LOST = (Box.ELIMINATED, Box.ISOLATED)


def holders(context: Context, state: State) -> dict[str, Seat]:
    """Who stands in each hex that counts; where nobody does, who holds it is not known to the rules: the Axis."""
    deployment = context.deployment(state)
    defender = context.seats[1]
    return {context.label(hex): deployment.holders.get(hex, defender) for hex in context.scenario.points}


def _lost(context: Context, state: State, seat: Seat) -> int:
    """Steps that a side has lost in the game, Z-steps left out."""
    start = context.scenario.units
    return sum(
        start[unit.id].steps - (0 if unit.box in _LOST else unit.steps)
        for unit in state.units.values()
        if unit.side == seat
    )


def scores(context: Context, state: State) -> tuple[Score, ...]:
    """Where the first side stands: points are his."""
    seat, other = context.seats
    victory = context.scenario.draft.victory
    held = holders(context, state)
    parts = [
        Part(one.title or one.hex, one.points if held[one.hex] == seat else 0, "2.0", f"{one.points} for {one.hex}")
        for one in victory.points
    ]
    points = sum(one.points for one in victory.points if held[one.hex] == seat)
    if victory.steps_a_point:
        steps = (_lost(context, state, other) - _lost(context, state, seat)) // victory.steps_a_point
        parts.append(Part("steps", steps, "2.0", f"a point for {victory.steps_a_point} steps"))
        points += steps
    return (Score(seat, points, tuple(parts)),)


@rule("3.3.4")
def outcome(context: Context, state: State) -> Outcome:
    """The level of victory that the points reach."""
    first, second = context.seats
    points = scores(context, state)[0].points
    victory = context.scenario.draft.victory
    told: dict[str, int] = {first: points, second: 0}
    for level in sorted(victory.levels, key=lambda level: -level.points):
        if points >= level.points:
            return Outcome(level.winner, f"{level.title}: {points} points", "3.3.4", told)
    least = min(victory.levels, key=lambda level: level.points, default=None)
    needed = f", {least.title} takes {least.points}" if least is not None else ""
    return Outcome(
        victory.otherwise,
        f"{victory.otherwise.title()} holds: {first.title()} has {points} points{needed}",
        "3.3.4",
        told,
    )
