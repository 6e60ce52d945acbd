"""Where hidden enemies may be: what everybody can read of their set-up areas, and nothing else (6.4).

How many are hidden and what they are is public. Where they are is drawn from the hexes of their area where they could
still be: off Open Ground, out of areas where the others may set up, and where nobody stands who would have found them.
The scenario's suggestions are the enemy's own papers and are never looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from sandtable.geo.hex import Hex, distance
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.pieces.cards import UnitKind
from sandtable.systems.aslsk.pieces.spines import SPINES
from sandtable.systems.aslsk.pieces.state import State, Unit, UnitId, Weapon, WeaponState, Whereabouts
from sandtable.systems.aslsk.terrain.covered_arc import spines_covering

__all__ = ["hidden_guns", "lairs", "lurkers", "with_lurkers"]

FRONT = 40
"""Hexes nearest to the enemy's goals that are thought of."""


def lurkers(state: State) -> list[Unit]:
    """Units of which all that is known is that they are hidden on the map."""
    return [unit for unit in state.units.values() if unit.place is Whereabouts.HIDDEN]


def hidden_guns(context: Context, state: State) -> list[tuple[Weapon, Unit]]:
    """Guns of which nothing more is known, each with one of the hidden crews of its force that could man it."""
    hidden = lurkers(state)
    crews = {unit.id: unit for unit in hidden if context.card(unit).kind is UnitKind.CREW}
    found = []
    for weapon in _unseen(state, hidden):
        crew = next((unit for unit in crews.values() if unit.force == weapon.force), None)
        if crew is not None and context.weapon_card(weapon).gun is not None:
            found.append((weapon, crews.pop(crew.id)))
    return found


def _unseen(state: State, hidden: Sequence[Unit]) -> list[Weapon]:
    """Weapons that hidden units may have."""
    forces = {unit.force for unit in hidden}
    return [
        weapon
        for weapon in state.weapons.values()
        if not weapon.owner and weapon.hex is None and weapon.state is WeaponState.WORKING and weapon.force in forces
    ]


def lairs(context: Context, force: str, goals: Sequence[Hex] = ()) -> tuple[Hex, ...]:
    """The hexes in which units of a force may have set up hidden; no more than a few around some goals."""
    scenario = context.scenario
    side = scenario.side_of[force]
    others = {hex for name, zone in scenario.zones.items() if scenario.side_of[name] != side for hex in zone}
    place = context.ground.place
    found = [hex for hex in sorted(scenario.zones[force]) if hex not in others and not place(hex).open_ground]
    if goals:
        found = sorted(found, key=lambda hex: (min(distance(hex, goal) for goal in goals), hex))[:FRONT]
    return tuple(found)


def _found_out(state: State) -> set[Hex]:
    """Hexes with somebody in them, who would know."""
    units = {unit.hex for unit in state.units.values() if unit.hex is not None}
    return units | {vehicle.hex for vehicle in state.vehicles.values() if vehicle.hex is not None}


def with_lurkers(context: Context, state: State, goals: Sequence[Hex], rng: Random) -> State:
    """A position in which everybody hidden is somewhere, hidden all the same, with what he may have."""
    hidden = lurkers(state)
    if not hidden:
        return state
    taken = _found_out(state)
    enemies = sorted({piece.hex for piece in _others(state, hidden[0].side) if piece.hex is not None})
    units: dict[UnitId, Unit] = {}
    for unit in hidden:
        free = [hex for hex in lairs(context, unit.force, goals) if hex not in taken]
        if not free:
            return state
        hex = free[int(rng.random() * len(free))]
        taken.add(hex)
        secret = unit.force in context.scenario.conditions.hidden
        units[unit.id] = replace(unit, place=Whereabouts.MAP, hex=hex, hidden=secret)
    weapons = {weapon.id: weapon for weapon in _armed(context, state, units, enemies, rng)}
    return replace(state, units={**state.units, **units}, weapons={**state.weapons, **weapons})


def _others(state: State, side: str) -> list[Unit]:
    return [unit for unit in state.units.values() if unit.side != side and unit.on_map]


def _armed(
    context: Context, state: State, units: dict[UnitId, Unit], enemies: Sequence[Hex], rng: Random
) -> list[Weapon]:
    """Weapons in the hands of those who are hidden: Guns manned by crews and pointed at the nearest enemy."""
    hidden = lurkers(state)
    guns = hidden_guns(context, state)
    found = []
    for weapon, crew in guns:
        hex = units[crew.id].hex
        assert hex is not None  # noqa: S101 - it was placed
        near = min([one for one in enemies if one != hex], key=lambda one: distance(hex, one), default=None)
        spines = sorted(spines_covering(hex, near)) if near is not None else list(SPINES)
        facing = spines[int(rng.random() * len(spines))]
        found.append(replace(weapon, owner=crew.id, facing=facing, hidden=True, emplaced=True))
    manned = {weapon.id for weapon, _ in guns}
    squads = [unit for unit in hidden if context.card(unit).kind is UnitKind.SQUAD]
    for weapon in _unseen(state, hidden):
        able = [unit for unit in squads if unit.force == weapon.force]
        if weapon.id not in manned and able and context.weapon_card(weapon).gun is None:
            found.append(replace(weapon, owner=able[int(rng.random() * len(able))].id))
    return found
