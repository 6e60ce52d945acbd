"""Setting up: where each unit stands best by the doctrine, or as the scenario suggests where that is as good (1.3).

Who attacks leaves the ground where he sets up, so only a defender picks his own. Units are placed one after another.
Each is judged with the rest where they stand or are meant to stand, and with the enemy where he has set up; one who is
not on the map yet, or not to be seen, is taken to stand as the scenario suggests.

What everybody can read in the scenario is no secret. So where sides set up unseen, each stack that is suggested goes
together to a good hex near the suggested one, drawn by the bot's own chance: no two games need to begin alike.
"""

from __future__ import annotations

from functools import partial
from random import Random

from msgspec.structs import replace

from sandtable.bots.aslsk.armour.emplacing import ordnance_set_up_ideas
from sandtable.bots.aslsk.sketch import Sketch
from sandtable.bots.aslsk.standing import Party
from sandtable.bots.doctrine import Idea
from sandtable.geo.hex import Hex, distance
from sandtable.systems.aslsk.common.actions import Done, PlaceUnit, SetUpAsSuggested
from sandtable.systems.aslsk.common.possession import weapons_of
from sandtable.systems.aslsk.common.stacking import fits
from sandtable.systems.aslsk.pieces.state import State, Unit, Whereabouts
from sandtable.systems.aslsk.scenario.card import Scenario

__all__ = ["set_up_ideas"]

SHOWN = 6
NEAR = 2
"""Hexes from the suggested one within which a stack looks for another."""
GOOD = 6
"""How many of the best hexes chance draws from."""
DRAWN = 2
"""How many it draws; the better of them is taken, or the one that looks better to who looks ahead."""


def set_up_ideas(sketch: Sketch, rng: Random | None = None) -> list[Idea]:
    """The next unit and its best hexes; then weapons as suggested, and the end of the set-up.

    ``rng`` draws the hexes of a secret set-up; without it the set-up is the one that anybody would expect.
    """
    rest = [Idea(SetUpAsSuggested(), 0.0), Idea(Done(), -1.0)]
    scenario, state, margin = sketch.context.scenario, sketch.state, sketch.weights.settle
    unit = next((one for one in state.units.values() if one.side == sketch.seat and _waits(one)), None)
    meant = scenario.suggested.get(unit.id) if unit is not None else None
    if unit is None or meant is None:
        return [*ordnance_set_up_ideas(sketch), *rest] if unit is None and _has_ordnance(sketch) else rest
    if rng is not None and scenario.draft.secret_set_up:
        return _drawn(sketch, unit, meant, rng) or rest
    if margin < 0:
        return rest
    others = _as_meant(scenario, state, unit)
    there = sketch.of(others)
    if there.is_attacking():
        return rest
    party = Party(there, (others.units[unit.id],))
    carried = tuple(weapon.id for weapon in weapons_of(sketch.context, state, unit.id))
    found = []
    # Where a Gun stands best is the author's knowledge: its arc and field of fire are not weighed here.
    area = (meant,) if _mans_gun(sketch, unit) else sorted(scenario.zones[unit.force])
    for hex in area:
        if hex == meant or fits(sketch.context, others, hex, unit.side, (unit,)):
            worth = party.value(hex) - party.value(meant) - (margin if hex != meant else 0.0)
            found.append(Idea(PlaceUnit(unit.id, hex, carried), 1.0 + worth, partial(party.reasons, hex)))
    found.sort(key=lambda idea: -idea.worth)
    return sorted([*found[:SHOWN], *rest], key=lambda idea: -idea.worth)


def _mans_gun(sketch: Sketch, unit: Unit) -> bool:
    """Whether a unit is meant to man a Gun."""
    context, weapons = sketch.context, sketch.state.weapons
    meant = context.scenario.possessors.items()
    return any(owner == unit.id and context.weapon_card(weapons[name]).gun is not None for name, owner in meant)


def _has_ordnance(sketch: Sketch) -> bool:
    """Whether the side has vehicles, or the scenario has Guns that may be hidden or must be pointed."""
    return bool(sketch.state.vehicles) or sketch.seat in sketch.context.scenario.hiders


def _drawn(sketch: Sketch, unit: Unit, meant: Hex, rng: Random) -> list[Idea]:
    """The hex where the unit's stack has begun to set up, else some of the good ones for all of it."""
    context, scenario, state = sketch.context, sketch.context.scenario, sketch.state
    stack = [
        one
        for one in state.units.values()
        if one.force == unit.force and scenario.suggested.get(one.id) == meant and one.place in _SETTING
    ]
    carried = tuple(weapon.id for weapon in weapons_of(context, state, unit.id))
    begun = next((one.hex for one in stack if one.hex is not None), None)
    if begun is not None and fits(context, state, begun, unit.side, (unit,)):
        return [Idea(PlaceUnit(unit.id, begun, carried), 1.0)]
    waiting = [one for one in stack if _waits(one)]
    others = _as_meant(scenario, state, unit)
    # Those who are still to come find their own hexes free: the suggestion of the rest stays possible.
    claimed = {scenario.suggested.get(one.id) for one in state.units.values() if _waits(one) and one not in waiting}
    party = Party(sketch.of(others), [replace(one, place=Whereabouts.MAP, hex=meant) for one in waiting])
    good = [
        hex
        for hex in sorted(scenario.zones[unit.force])
        if distance(hex, meant) <= NEAR and hex not in claimed and fits(context, state, hex, unit.side, waiting)
    ]
    good = sorted(good, key=party.value, reverse=True)[:GOOD]
    drawn = rng.sample(good, min(DRAWN, len(good)))
    found = [
        Idea(PlaceUnit(unit.id, hex, carried), 1.0 + party.value(hex) - party.value(meant), partial(party.reasons, hex))
        for hex in drawn
    ]
    return sorted(found, key=lambda idea: -idea.worth)


_SETTING = (Whereabouts.TO_SET_UP, Whereabouts.MAP)


def _waits(unit: Unit) -> bool:
    return unit.place is Whereabouts.TO_SET_UP


def _as_meant(scenario: Scenario, state: State, unit: Unit) -> State:
    """The position with everybody else where the scenario suggests who is not set up, and weapons handed out."""
    units = {
        one.id: replace(one, place=Whereabouts.MAP, hex=scenario.suggested[one.id])
        if _waits(one) and one.id != unit.id and one.id in scenario.suggested
        else one
        for one in state.units.values()
    }
    weapons = {
        weapon.id: weapon if weapon.owner else replace(weapon, owner=scenario.possessors.get(weapon.id, weapon.owner))
        for weapon in state.weapons.values()
    }
    return replace(state, turn=max(1, state.turn), units=units, weapons=weapons)
