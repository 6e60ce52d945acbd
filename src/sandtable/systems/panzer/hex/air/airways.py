"""6.7.2, 6.7.3.1.3, 6.7.3.2-6.7.3.4 The air over the hexes: edges, sight from the air, and where attacks fall."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex, distance, in_arc, neighbour, opposite, straight_line
from sandtable.geo.map import GameMap
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.air.acquiring import acquire_range, blocked_within, track_range
from sandtable.systems.panzer.air.aircraft import Aircraft, AirWeapon, Altitude
from sandtable.systems.panzer.air.anti_aircraft import aa_rows
from sandtable.systems.panzer.features import FeatureKind
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.features import occupied
from sandtable.systems.panzer.hex.fires.calls import command_of
from sandtable.systems.panzer.hex.sight.sightline import sightline
from sandtable.systems.panzer.hex.spotting.spotting import spots_live
from sandtable.systems.panzer.hex.spotting.standing import height_of
from sandtable.systems.panzer.hex.state import Flying, State, Unit
from sandtable.systems.panzer.markers import Floor
from sandtable.systems.panzer.unit import Command, UnitId

__all__ = [
    "Entrance",
    "acquirable",
    "ahead",
    "edges_open",
    "entrances",
    "in_sight",
    "is_inside",
    "needs_observer",
    "observer_for",
    "pattern",
    "reach_ahead",
    "trackers",
]

BOOK = ("panzer-na",)
FRONT = 30
"""Half of the Front Field-of-Fire."""


class Entrance(NamedTuple):
    """A hex at the edge and the facing of an aircraft that comes in there."""

    hex: Hex
    facing: int
    edges: tuple[str, ...]


def entrances(game_map: GameMap) -> Iterator[Entrance]:
    """All ways in, in a fixed order: over the hexside behind the aircraft."""
    for hex in sorted(game_map.exits):
        for direction, edges in sorted(game_map.exits[hex].items()):
            yield Entrance(hex, opposite(direction), tuple(edge.value for edge in edges))


@rule("6.7.2.1", editions=BOOK)
def edges_open(context: Context, state: State, aircraft: Aircraft) -> tuple[str, ...]:
    """The edges over which it may appear; all of them where it is empty (6.7.2.1).

    The one over which it left the turn before; any if it has skipped a turn.
    """
    if not aircraft.appeared:
        return context.scenario.sorties[aircraft.id].edges
    return aircraft.edges if aircraft.flown == state.turn - 1 else ()


@rule("6.7.3.1.3", editions=BOOK)
def in_sight(context: Context, state: State, place: Hex, unit: Unit, altitude: Altitude) -> bool:
    """Whether a unit and an aircraft over a hex see each other: no high obstacle between them near the unit (6.7.3.1.3)

    Heights count from the unit's own.
    """
    here = unit.hex
    if here is None:
        return False
    places, table, height = context.ground_at(state).places, context.tables["aircraft_sight"], None
    for station in sightline(place[0] - here[0], place[1] - here[1]).stations[1:-1]:
        for offset in station:
            found = places.get(here + offset)
            if found is None or not found.obstacle:
                continue
            if height is None:
                height = height_of(context, state, unit)
            if distance(here, found.hex) <= blocked_within(table, altitude, found.obstacle - height):
                return False
    return True


def ahead(frame: Flying, unit: Unit) -> bool:
    """Whether a unit lies in the aircraft's Front Field-of-Fire, and not right under it (6.7.3.1)."""
    return unit.hex is not None and unit.hex != frame.hex and in_arc(frame.hex, frame.facing, unit.hex, FRONT)


@rule("5.5", "6.1.2", "6.7.3.1", "6.7.3.1.1", editions=BOOK)
def acquirable(context: Context, state: State, frame: Flying) -> dict[UnitId, int]:
    """Enemies in its Front Field-of-Fire and in sight, and how far it must fly to acquire each (6.7.3.1, 6.7.3.1.1)."""
    aircraft = state.flights[frame.aircraft]
    need = acquire_range(context.tables["aircraft_spotting"], frame.pace, suppressed=aircraft.is_suppressed)
    return {
        unit.id: need
        for unit in state.units.values()
        if unit.side != aircraft.side
        and unit.in_play
        and not unit.markers.carrier
        and ahead(frame, unit)
        and in_sight(context, state, frame.hex, unit, frame.pace.altitude)
    }


@rule("6.1.3", "6.7.4.1", "6.7.4.1.1", editions=BOOK)
def trackers(context: Context, state: State, frame: Flying) -> dict[UnitId, int]:
    """Enemy AA units that see the aircraft, all round, and how far it must fly for each to track it (6.7.4.1)."""
    aircraft, table = state.flights[frame.aircraft], context.tables["aircraft_spotting"]
    return {
        unit.id: track_range(table, frame.pace, suppressed=unit.markers.is_suppressed)
        for unit in state.units.values()
        if unit.side != aircraft.side
        and unit.in_play
        and not unit.markers.carrier
        and not unit.markers.bailed
        and aa_rows(context.cards[unit.card])
        and not is_inside(context, state, unit)
        and in_sight(context, state, frame.hex, unit, frame.pace.altitude)
    }


@rule("6.7.3.1.2", "6.7.4.1.1", editions=BOOK)
def is_inside(context: Context, state: State, unit: Unit) -> bool:
    """Whether a unit is inside a Building, not on its roof, or in an Improved Position (6.7.3.1.2, 6.7.4.1.1)."""
    if unit.hex is None:
        return False
    if occupied(state.features, unit.id, FeatureKind.IMPROVED_POSITION) is not None:
        return True
    if not context.ground_at(state).places[unit.hex].storeys:
        return False
    floor = unit.markers.floor
    if floor is Floor.UP and context.ground.conditions.desert_buildings:
        return False
    in_alley = context.cards[unit.card].unit_class in (UnitClass.VEHICLE, UnitClass.TOWED) and floor is Floor.GROUND
    return not in_alley


@rule("6.7.3.1.1", "6.7.3.1.2", editions=BOOK)
def needs_observer(context: Context, state: State, unit: Unit) -> bool:
    """Whether an aircraft finds a unit only with the help of an FO unit: inside, or in groves (6.7.3.1.2)."""
    if unit.hex is None:
        return False
    ground = context.ground_at(state)
    return is_inside(context, state, unit) or any(
        ground.terrain[kind].canopy for kind in ground.places[unit.hex].terrain
    )


@rule("6.7.3.1.2", editions=BOOK)
def observer_for(context: Context, state: State, seat: str, target: Unit) -> UnitId | None:
    """An FO unit with an OW command, mounted or not, that spots the target and does nothing else (5.9.4, 6.7.3.1.2).

    One that guides aircraft to this target already may go on doing so; one that observes Indirect Fire may not.
    """
    for unit_id, unit in sorted(state.units.items()):
        if unit.side != seat or not unit.in_play or command_of(state, unit) is not Command.OVERWATCH:
            continue
        observes = any(mission.observer == unit_id for mission in state.missions)
        if observes or not context.scenario.roster[unit_id].roles.observer:
            continue
        busy = state.guided[unit_id] != target.id if unit_id in state.guided else unit.fired
        if not busy and spots_live(context, state, unit, target):
            return unit_id
    return None


def reach_ahead(game_map: GameMap, hex: Hex, facing: int) -> int:
    """How many hexes lie straight ahead before the edge."""
    steps = 0
    while (hex := neighbour(hex, facing)) in game_map:
        steps += 1
    return steps


@rule("6.7.3.2", "6.7.3.3", "6.7.3.4", editions=BOOK)
def pattern(context: Context, frame: Flying, weapon: AirWeapon, target: Hex) -> tuple[Hex, ...]:
    """The hexes that an attack strikes, none where the target is not where it has to be (6.7.3.2 to 6.7.3.4).

    Rockets reach a target straight ahead; all else hits the hex in front of the aircraft and what lies beyond.
    """
    facing = frame.facing
    if weapon is AirWeapon.ROCKETS:
        return (target,) if straight_line(frame.hex, target) == facing else ()
    if neighbour(frame.hex, facing) != target:
        return ()
    beyond = neighbour(target, facing)
    if weapon is AirWeapon.STRAFE:
        deep = context.tables["aircraft_numbers"].number(f"strafe_{frame.pace.speed.value}")
        found = [target, beyond, neighbour(beyond, facing)][:deep]
    elif weapon is AirWeapon.DIVE:
        found = [target]
    elif frame.pace.altitude is Altitude.MEDIUM:
        found = [target, beyond]
    else:
        found = [target, beyond, neighbour(target, (facing + 1) % 6), neighbour(target, (facing + 5) % 6)]
    return tuple(hex for hex in found if hex in context.game_map)
