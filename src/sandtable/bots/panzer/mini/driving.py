"""Where to drive: towards what is worth points, with a liking for cover."""

from __future__ import annotations

from math import hypot

from sandtable.core.decision import Strokes
from sandtable.geo.plane.points import INCH
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.state import State, Unit
from sandtable.systems.panzer.terrain import Cover

__all__ = ["goal_of", "worth_of_way"]

_COVERED = {Cover.LIGHT: 1.0, Cover.MEDIUM: 2.0, Cover.HEAVY: 3.0}
_NEAR = 2.0
"""Inches from the middle of an objective at which one is there."""


def _off(one: tuple[int, int], other: tuple[int, int]) -> float:
    return hypot(one[0] - other[0], one[1] - other[1]) / INCH


def goal_of(context: Context, state: State, unit: Unit, at: tuple[int, int]) -> tuple[int, int] | None:
    """The middle of the objective that is worth most for its distance, of those that the force does not hold."""
    best: tuple[float, tuple[int, int]] | None = None
    for name, area in context.scenario.objectives.items():
        middle = (sum(one.x for one in area) // len(area), sum(one.y for one in area) // len(area))
        draft = next(one for one in context.scenario.draft.objectives if one.id == name)
        points = draft.points.get(unit.side, 0)
        held = name in state.objectives and state.objectives[name].holder == unit.side
        score = points * (0.3 if held else 1.0) / (10 + _off(at, middle))
        if best is None or score > best[0]:
            best = score, middle
    return None if best is None else best[1]


def worth_of_way(context: Context, state: State, unit: Unit, strokes: Strokes) -> float:
    """How much nearer a way brings a vehicle to its goal in inches, and the cover at its end.

    Of one that comes onto the table, how near to a goal it does.
    """
    places = [one.at for one in strokes if one.at is not None]
    start = unit.at or places[0]
    end = places[-1] if places else start
    goal = goal_of(context, state, unit, start)
    if unit.at is None:
        return 0.0 if goal is None else -_off(end, goal)
    cover = _COVERED.get(context.ground(state).at(end).cover_fire, 0.0)
    if goal is None:
        return cover
    return cover + max(_off(start, goal), _NEAR) - max(_off(end, goal), _NEAR)
