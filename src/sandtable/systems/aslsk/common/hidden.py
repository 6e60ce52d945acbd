"""6.4 Hidden Initial Placement: who is hidden, from whom, and how he comes to light.

A Gun says itself that it is hidden, and its crew is hidden with it; other units are so by a scenario's special rule.
Games without a Gun and without such a rule pay nothing for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex, distance
from sandtable.systems.aslsk.common.actions import Action
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.facts.hidden_events import Revealed
from sandtable.systems.aslsk.common.stacking import occupants
from sandtable.systems.aslsk.pieces.state import State, Unit, UnitId, Weapon, Whereabouts

__all__ = ["has_hidden", "hidden_at", "hidden_units", "reveal", "reveal_in_the_open", "reveal_those_who_act", "veiled"]

_NOBODY: frozenset[UnitId] = frozenset()
_HIDDEN = Whereabouts.HIDDEN
"""A name is looked up quicker than a member of an enum."""


@rule("6.4")
def hidden_units(context: Context, state: State) -> frozenset[UnitId]:
    """All units that are hidden now, crews of hidden Guns among them (6.4)."""
    if not context.scenario.hiders:
        return _NOBODY
    known = context.memory.hidden
    if known[0] is state.units and known[1] is state.weapons:
        return known[2]
    found = frozenset(
        [unit.id for unit in state.units.values() if unit.hidden]
        + [weapon.owner for weapon in state.weapons.values() if weapon.hidden and weapon.owner]
    )
    context.memory.hidden = (state.units, state.weapons, found)
    return found


def has_hidden(context: Context, state: State, seat: str) -> bool:
    """Whether a side has anybody hidden on the map: how many it has is known to all, where they are is not."""
    if not context.scenario.hiders:
        return False
    hidden = hidden_units(context, state)
    return any(unit.side == seat and (unit.id in hidden or unit.place is _HIDDEN) for unit in state.units.values())


def hidden_at(context: Context, state: State, hex: Hex, seat: str) -> tuple[Unit, ...]:
    """The units in a hex that are hidden from a side."""
    hidden = hidden_units(context, state)
    if not hidden:
        return ()
    there = occupants(context, state).get(hex, ())
    return tuple([unit for unit in there if unit.side != seat and unit.id in hidden])


@rule("6.4")
def veiled(context: Context, state: State, seat: str | None) -> State:
    """The state without where the others' hidden units and Guns are, how they point and who mans them (6.4)."""
    if not hidden_units(context, state):
        return state
    before, to, known = context.memory.veiled
    if before is state and to == seat and known is not None:
        return known
    found = _veil(context, state, seat)
    context.memory.veiled = (state, seat, found)
    return found


def _veil(context: Context, state: State, seat: str | None) -> State:
    hidden = [unit_id for unit_id in hidden_units(context, state) if state.units[unit_id].side != seat]
    if not hidden:
        return state
    units = {
        unit.id: Unit(unit.id, unit.side, unit.force, unit.card, None, Whereabouts.HIDDEN)
        if unit.id in hidden
        else unit
        for unit in state.units.values()
    }
    weapons = {
        weapon.id: Weapon(weapon.id, weapon.side, weapon.card, force=weapon.force) if weapon.owner in hidden else weapon
        for weapon in state.weapons.values()
    }
    return replace(state, units=units, weapons=weapons)


@rule("6.4")
def reveal(context: Context, play: Play, unit_ids: Iterable[UnitId], why: str) -> None:
    """Place hidden units and the Guns that they man for all to see; nothing for those who are not hidden (6.4)."""
    hidden = hidden_units(context, play.state)
    units = tuple(dict.fromkeys(unit_id for unit_id in unit_ids if unit_id in hidden))
    if units:
        guns = tuple(weapon.id for weapon in play.state.weapons.values() if weapon.hidden and weapon.owner in units)
        play.emit(Revealed(units, guns, why))


@rule("6.4")
def reveal_in_the_open(context: Context, play: Play) -> None:
    """Who is hidden is found by an enemy in his hex; a Gun in the open by Good Order enemies who see it (6.4)."""
    state = play.state
    if context.memory.looked is state or not hidden_units(context, state):
        return
    for unit_id in hidden_units(context, state):
        unit = state.units[unit_id]
        if unit.hex is not None and unit.hex in _watchers(state, unit.side, good_order=False):
            reveal(context, play, (unit_id,), "an enemy is in its hex")
    within = context.tables["hidden_placement"].number("seen_within")
    for weapon in state.weapons.values():
        crew = state.units.get(weapon.owner) if weapon.hidden else None
        if crew is None or crew.hex is None or not context.ground.place(crew.hex).open_ground:
            continue
        if any(
            distance(hex, crew.hex) <= within and context.sees(state, hex, crew.hex)
            for hex in _watchers(state, crew.side)
        ):
            reveal(context, play, (crew.id,), "a Good Order enemy sees it in the open")
    context.memory.looked = play.state


def _watchers(state: State, seat: str, *, good_order: bool = True) -> set[Hex]:
    """Where the enemies of a side are, those in Good Order or all."""
    enemies = [unit for unit in state.units.values() if unit.side != seat and unit.on_map]
    vehicles = [vehicle for vehicle in state.vehicles.values() if vehicle.side != seat and vehicle.in_play]
    units = {unit.hex for unit in enemies if unit.good_order or not good_order}
    seeing = {vehicle.hex for vehicle in vehicles if vehicle.is_active or not good_order}
    return {hex for hex in units | seeing if hex is not None}


@rule("6.4")
def reveal_those_who_act(context: Context, play: Play, seat: Seat, action: Action) -> None:
    """Whoever of a side fires, moves, turns a Gun or does anything else but wait is hidden no longer (6.4)."""
    state = play.state
    hidden = hidden_units(context, state)
    if not hidden or not action.spends():
        return
    named = set(_names(action))
    named |= {weapon.owner for weapon in state.weapons.values() if weapon.id in named}
    acting = [unit_id for unit_id in state.units if unit_id in hidden and unit_id in named]
    reveal(context, play, [unit_id for unit_id in acting if state.units[unit_id].side == seat], "it acts")


def _names(value: Any) -> Iterator[str]:
    """Every word in what a player says."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, msgspec.Struct):
        yield from _names(msgspec.structs.astuple(value))
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _names(key)
            yield from _names(one)
    elif isinstance(value, tuple):
        for one in value:
            yield from _names(one)
