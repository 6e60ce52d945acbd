"""13.11 Retreat paths: which hexes are open to a stack, and which of them its owner may choose."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex, distance
from sandtable.systems.goss.assault.frames import RetreatPath
from sandtable.systems.goss.assault.position import is_mech
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.crossing import crossing
from sandtable.systems.goss.common.retreat import RetreatHex, may_retreat, retreat_choices, retreat_hexes
from sandtable.systems.goss.common.state import FuelState, State
from sandtable.systems.goss.ground.kinds import Terrain
from sandtable.systems.goss.movement.fuel import fuel_of
from sandtable.systems.goss.pieces.unit import Unit

__all__ = ["choices", "limit_of", "longest", "must_stop", "open_hexes", "retreat_limit"]

_DEFENDER_MECH, _DEFENDER_LEG, _ATTACKER_MECH, _ATTACKER_LEG = 4, 2, 2, 1
_DRY_TANKS = 2
_STOPS = frozenset(
    (
        Terrain.WOODS,
        Terrain.FOREST,
        Terrain.MARSH,
        Terrain.SOFT_GROUND,
        Terrain.SWAMP,
        Terrain.BOCAGE,
        Terrain.HEDGEROW,
    )
)
"""Terrain in which Mech units stop that came off the roads (13.11.1, 13.12.5)."""


@rule("13.11.1")
def retreat_limit(*, is_mech: bool, is_attacker: bool, fuel: FuelState = FuelState.NORMAL) -> int:
    """Hexes that a unit may retreat after an assault (13.11.1)."""
    if not is_mech:
        return _ATTACKER_LEG if is_attacker else _DEFENDER_LEG
    most = _ATTACKER_MECH if is_attacker else _DEFENDER_MECH
    return min(most, _DRY_TANKS) if fuel is FuelState.NONE else most


@rule("13.11.1")
def limit_of(context: Context, state: State, unit: Unit, *, is_attacker: bool) -> int:
    """Hexes that a unit may retreat (13.11.1)."""
    if not may_retreat(context.card(unit), unit):
        return 0
    return retreat_limit(
        is_mech=is_mech(context, unit), is_attacker=is_attacker, fuel=fuel_of(context, state, unit).fuel
    )


def must_stop(context: Context, state: State, unit: Unit, here: Hex, there: Hex) -> bool:
    """Whether a unit may go no further than the hex that it has entered (13.11.0, 13.11.1, 13.12.5)."""
    over = crossing(context, state, here, there)
    if not is_mech(context, unit):
        return over.is_river and not over.is_dry
    if over.road is not None:
        return False
    ground = context.ground_in(state).at(there)
    return ground.is_constricted or ground.is_embankment or not _STOPS.isdisjoint(ground.terrain)


@rule("13.11.0")
def open_hexes(context: Context, state: State, units: Sequence[Unit], way: RetreatPath) -> list[RetreatHex]:
    """The hexes into which all of the units may retreat, farther from where they began if there are any (13.11.0)."""
    at = way.at
    found = [
        one for one in retreat_hexes(context, state, units, at) if one.hex != way.start and one.hex not in way.path
    ]
    farther = [one for one in found if distance(way.start, one.hex) > distance(way.start, at)]
    return farther or found


def longest(context: Context, state: State, units: Sequence[Unit], way: RetreatPath, most: int) -> int:
    """How many more hexes the units can retreat together, at most so many (13.10.4a)."""
    if most <= 0 or not units:
        return 0
    best = 0
    for near in open_hexes(context, state, units, way):
        best = max(best, 1 + _beyond(context, state, units, way.on(near.hex), most - 1))
        if best == most:
            break
    return best


def _beyond(context: Context, state: State, units: Sequence[Unit], way: RetreatPath, most: int) -> int:
    """How many more hexes they can go together after the last of the way."""
    came = way.path[-2] if len(way.path) > 1 else way.start
    if any(must_stop(context, state, unit, came, way.at) for unit in units):
        return 0
    return longest(context, state, units, way, most)


@rule("13.11.0", "13.10.4a", "13.10.4c")
def choices(
    context: Context,
    state: State,
    units: Sequence[Unit],
    way: RetreatPath,
    goals: Sequence[tuple[Sequence[Unit], int]] = (),
) -> tuple[Hex, ...]:
    """The hexes that the owner may choose from: those on a longest way, then by the five priorities (13.11.0).

    ``goals``: who has how many hexes to go; all of the stack as far as all may, then those who may go further.
    """
    found = open_hexes(context, state, units, way)
    for some, goal in goals:
        if goal > 1 and len(found) > 1:
            reach = {one.hex: _beyond(context, state, some, way.on(one.hex), goal - 1) for one in found}
            found = [one for one in found if reach[one.hex] == max(reach.values())]
    return tuple(one.hex for one in retreat_choices(found))
