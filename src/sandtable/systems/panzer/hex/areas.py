"""Where an action would fall, before anybody confirms it: sheaves, smoke, attacks from the air, and who is in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sandtable.core.view import Area
from sandtable.geo.hex import Hex, neighbour
from sandtable.systems.panzer.air.air_actions import Strike
from sandtable.systems.panzer.fires.missions import Mission, MissionKind, Pattern
from sandtable.systems.panzer.hex.actions import (
    Action,
    AdjustFire,
    CallFire,
    ContinueFire,
    FireSmoke,
    PlanFire,
    StartPlan,
)
from sandtable.systems.panzer.hex.air.aa_fire import flight_seen
from sandtable.systems.panzer.hex.air.airways import pattern, reach_ahead
from sandtable.systems.panzer.hex.air.flights import Fly
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.fires.calls import mission_named
from sandtable.systems.panzer.hex.fires.indirect_fire import planned_fire
from sandtable.systems.panzer.hex.fires.sheaves import area, caught, sheaf_words
from sandtable.systems.panzer.hex.state import State

__all__ = ["areas_of"]


def areas_of(context: Context, state: State, action: Action) -> Sequence[Area]:
    """The hexes that an action is about, in a state that was concealed for whoever acts."""
    match action:
        case CallFire() | AdjustFire():
            fall = _Fall(action.hex, action.kind, action.pattern, action.way, action.sources)
            return (_sheaf(context, state, fall),)
        case PlanFire():
            # Who stands there now says little about a later turn.
            hexes = area(context.game_map, action.hex, action.pattern, action.way)
            return (_area(context, f"{action.kind.value}, {sheaf_words(action.pattern, action.way)}", hexes),)
        case ContinueFire():
            mission = mission_named(state, action.mission)
            return () if mission is None else (_sheaf(context, state, _falling(mission, action.kind)),)
        case StartPlan():
            planned = planned_fire(state, action.battery)
            return () if planned is None else (_sheaf(context, state, _falling(planned, planned.kind)),)
        case FireSmoke():
            return (_area(context, "Smoke", (action.hex,)),)
        case Strike():
            return _strike(context, state, action)
        case Fly():
            return (_ahead(context, action),)
        case _:
            return ()


class _Fall(NamedTuple):
    """Indirect Fire that would fall."""

    target: Hex
    kind: MissionKind
    pattern: Pattern
    way: int
    sources: tuple[str, ...]


def _falling(mission: Mission[Hex], kind: MissionKind) -> _Fall:
    return _Fall(mission.target, kind, mission.pattern, mission.way, mission.sources)


def _sheaf(context: Context, state: State, fall: _Fall) -> Area:
    """The sheaf of the batteries; units on the map reach the Target Point alone (6.5.1.5)."""
    off_map = any(source not in state.units for source in fall.sources)
    pattern, way = (fall.pattern, fall.way) if off_map else (Pattern.ON_MAP, -1)
    hexes = area(context.game_map, fall.target, pattern, way)
    units = caught(state, hexes) if fall.kind is MissionKind.GP else ()
    return _area(context, f"{fall.kind.value}, {sheaf_words(pattern, way)}", hexes, (unit.id for unit in units))


def _strike(context: Context, state: State, action: Strike) -> Sequence[Area]:
    """All in the pattern are struck, friend or enemy (6.7.3)."""
    flight, target = flight_seen(state), state.units.get(action.target)
    if flight is None or target is None or target.hex is None:
        return ()
    hexes = pattern(context, flight, action.weapon, target.hex)
    return (_area(context, action.weapon.value.capitalize(), hexes, (unit.id for unit in caught(state, hexes))),)


def _ahead(context: Context, action: Fly) -> Area:
    """The hexes straight ahead of where it comes in."""
    hexes = [action.hex]
    for _ in range(reach_ahead(context.game_map, action.hex, action.facing)):
        hexes.append(neighbour(hexes[-1], action.facing))
    return _area(context, "Straight ahead", hexes, is_way=True)


def _area(
    context: Context, title: str, hexes: Iterable[Hex], units: Iterable[str] = (), *, is_way: bool = False
) -> Area:
    return Area(title, tuple(map(context.game_map.label, hexes)), tuple(units), is_way=is_way)
