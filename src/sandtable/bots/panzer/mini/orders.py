"""Which order suits a vehicle: to fire where that is worth something, to drive to an objective, or to wait."""

from __future__ import annotations

from sandtable.bots.doctrine import Idea
from sandtable.bots.panzer.mini.driving import goal_of
from sandtable.bots.panzer.mini.gunnery import best_shot
from sandtable.geo.plane.headings import turned
from sandtable.geo.plane.points import range_inches
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.fields_of_fire import fields_holding
from sandtable.systems.panzer.mini.state import FieldOfFire, State, Unit
from sandtable.systems.panzer.unit import Command

__all__ = ["fields_for", "orders_for"]

_FAR = 30
"""Inches within which an enemy makes a vehicle watch."""
_DRIVE = 0.8
"""Points of an inch towards a goal."""


def orders_for(context: Context, state: State, unit: Unit, values: tuple[str, ...]) -> list[Idea]:
    """The orders of a vehicle, best first."""
    targets = [state.units[one] for one in state.spotted.get(unit.id, ())]
    shots = [best_shot(context, state, unit, target, overwatch=False) for target in targets]
    fire = max((worth for found in shots if found is not None for _, worth in (found,)), default=-5.0)
    enemies = [one for one in state.units.values() if one.side != unit.side and one.in_play and one.at is not None]
    near = sum(1 for one in enemies if unit.at is not None and one.at and range_inches(unit.at, one.at) <= _FAR)
    drive = _DRIVE * _worth_driving(context, state, unit)
    worth = {
        Command.FIRE: fire,
        Command.MOVE: drive,
        Command.SHORT_HALT: 0.5 * fire + 0.4 * drive if fire > 0 else -5.0,
        Command.OVERWATCH: min(near, 3) * 1.2,
        Command.NONE: 0.0,
    }
    ideas = [Idea(value, worth[Command(value)]) for value in values]
    return sorted(ideas, key=lambda idea: -idea.worth)


def _worth_driving(context: Context, state: State, unit: Unit) -> int:
    """Inches that it can come nearer to a goal; whoever is held off the table should come (9.8)."""
    reach = context.card_of(unit).movement.cross_country
    if unit.at is None:
        return reach
    goal = goal_of(context, state, unit, unit.at)
    return 0 if goal is None else min(max(0, range_inches(unit.at, goal) - 1), reach)


def fields_for(state: State, unit: Unit, values: tuple[str, ...]) -> list[Idea]:
    """Where a turret should point: to the enemies that are nearest, else to the front."""
    found = []
    for value in values:
        field = FieldOfFire(value)
        worth = 0.1 if field is FieldOfFire.FRONT else 0.0
        for other in state.units.values():
            if other.side != unit.side and other.in_play and other.at is not None and unit.at is not None:
                heading = turned(unit.heading, field.turn)
                if FieldOfFire.FRONT in fields_holding(unit.at, heading, other.at):
                    worth += 10 / (5 + range_inches(unit.at, other.at))
        found.append(Idea(value, worth))
    return sorted(found, key=lambda idea: -idea.worth)
