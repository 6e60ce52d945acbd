"""What a shot on a table is worth: the points that it brings on average, for all that a seat knows."""

from __future__ import annotations

from collections import Counter

from sandtable.systems.panzer.combat.ap_fire import hit_number
from sandtable.systems.panzer.mini.cards import Points
from sandtable.systems.panzer.mini.combat.firing import shots_at
from sandtable.systems.panzer.mini.combat.hits import Shell, kinds_of_hit
from sandtable.systems.panzer.mini.combat.measures import Aim, plates_of, shot_of
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.state import State, Unit
from sandtable.systems.panzer.unit import MOVING_COMMANDS, Shot

__all__ = ["best_shot", "worth_of_shot"]


def worth_of_shot(context: Context, state: State, shot: Shot, target: Unit, *, overwatch: bool) -> float:
    """Points of what the first hit of a shot does on average, by the numbers that the rules would use."""
    firer = state.units[shot.firer]
    moving = target.known and target.command in MOVING_COMMANDS
    facts = shot_of(context, state, Aim(firer, shot.weapon, shot.ammo, overwatch), target, moving=moving)
    number = hit_number(facts, context.tables, context.edition).total
    plate = plates_of(context, state, firer, target)[0]
    ammo = context.card_of(firer).weapons[shot.weapon].ammo[shot.ammo]
    kinds = kinds_of_hit(context.tables, context.card_of(target), plate, Shell(ammo, facts.range_factor))
    shares = Counter(kinds.of(roll) for roll in range(1, 101))
    points: Points = context.scenario.points[target.id]
    lost = shares["KO"] + shares["BU"] + (shares["DM"] if target.damaged else 0)
    harm = lost * points.eliminated
    if not target.damaged:
        harm += shares["DM"] * points.damaged
    if not target.markers.track:
        harm += shares["track"] * points.tracked
    return max(0, min(100, number)) / 100 * harm / 100


def best_shot(
    context: Context, state: State, firer: Unit, target: Unit, *, overwatch: bool
) -> tuple[Shot, float] | None:
    """The weapon that is worth most on a target, and what it is worth; None where none bears."""
    shots = shots_at(context, state, firer, target, overwatch=overwatch)
    valued = [(shot, worth_of_shot(context, state, shot, target, overwatch=overwatch)) for shot in shots]
    return max(valued, key=lambda one: one[1], default=None)
