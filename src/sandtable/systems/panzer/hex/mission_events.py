"""6.5.1 What happens in Indirect Fire on hexes, and how it changes a state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from sandtable.core.frames import unchanged
from sandtable.core.modifier import Breakdown
from sandtable.geo.hex import Hex
from sandtable.systems.panzer.events import Fact
from sandtable.systems.panzer.fires.missions import BatteryId, Mission, Plot
from sandtable.systems.panzer.fold import with_unit
from sandtable.systems.panzer.hex.features import Feature, placed
from sandtable.systems.panzer.hex.state import State, fired_into
from sandtable.systems.panzer.unit import UnitId

__all__ = [
    "MISSION_FOLDS",
    "AreaCovered",
    "FireCalled",
    "FireMissed",
    "FirePlotted",
    "MissionEnded",
    "MissionFired",
    "MissionSet",
    "PlanBegan",
    "ResponseRolled",
    "ShellsShort",
]


class FirePlotted(Fact, frozen=True, omit_defaults=True):
    """6.5.1.4, 6.5.1.11.1: what is plotted for a battery; its owner alone knows."""

    battery: BatteryId
    registered: tuple[Hex, ...] = ()
    plot: Plot[Hex] | None = None


class FireCalled(Fact, frozen=True):
    """6.5.1.1: an observer calls fire, or adjusts it."""

    mission: Mission[Hex]
    adjusted: bool = False


class ResponseRolled(Fact, frozen=True):
    """6.5.1.12: whether a source responds; one that does not has completed its orders (6.5.1.7)."""

    source: str
    number: Breakdown
    """The modifiers of the roll, and the Fire Response Factor that it must reach."""
    roll: int
    response: str


class FireMissed(Fact, frozen=True):
    """6.5.1.12: the fire of a source is put on its own side."""

    source: str
    hex: Hex


class MissionSet(Fact, frozen=True):
    """6.5.1.5: an ARTILLERY IMPACT counter, and who fires there."""

    mission: Mission[Hex]


class PlanBegan(Fact, frozen=True):
    """6.5.1.11.4: Planned fire follows its plot although nothing of it is to be seen."""

    battery: str
    turn: int


class MissionFired(Fact, frozen=True):
    """6.5.1: a source of a mission fires this turn."""

    mission: str
    source: str


class ShellsShort(Fact, frozen=True):
    """5.16.2.1, 5.16.2.3: a source is short of ammunition; of smoke or illumination it has none this turn."""

    source: str
    kind: str


class AreaCovered(Fact, frozen=True):
    """6.1.4.3.10: a Barrage or Smoke over an area."""

    features: tuple[Feature, ...]


class MissionEnded(Fact, frozen=True):
    """6.5.1.9: fire was checked, is not observed any more, or its plot is over."""

    mission: str
    rule: str
    reason: str


def _with_battery(state: State, battery_id: str, **changes: Any) -> State:
    key = BatteryId(battery_id)
    if key not in state.batteries:
        return state
    return replace(state, batteries={**state.batteries, key: replace(state.batteries[key], **changes)})


def _plotted(state: State, event: FirePlotted) -> State:
    return _with_battery(state, event.battery, registered=event.registered, plot=event.plot)


def _spent(state: State, source: str) -> State:
    """A source has done what it does this turn."""
    if UnitId(source) in state.units:
        return with_unit(state, UnitId(source), fired=True)
    return _with_battery(state, source, used=state.turn)


def _observes(state: State, mission: Mission[Hex]) -> State:
    """Its observer has no other Overwatch action left this turn (6.5.1)."""
    observer = state.units.get(mission.observer)
    return state if observer is None or not observer.in_play else with_unit(state, observer.id, fired=True)


def _fire_called(state: State, event: FireCalled) -> State:
    return _observes(state, event.mission)


def _aimed(state: State, mission: Mission[Hex]) -> State:
    """Units on the map that share a FIRE command have a Target Point (6.2.1.1.4)."""
    return fired_into(state, [UnitId(one) for one in mission.sources if UnitId(one) in state.units], mission.target)


def _response_rolled(state: State, event: ResponseRolled) -> State:
    return _spent(state, event.source)


def _mission_set(state: State, event: MissionSet) -> State:
    others = tuple(mission for mission in state.missions if mission.id != event.mission.id)
    state = replace(state, missions=(*others, event.mission))
    if event.mission.turn == state.turn:
        state = _aimed(_observes(state, event.mission), event.mission)
    if event.mission.is_planned:
        for source in event.mission.sources:
            state = _with_battery(state, source, begun=event.mission.begun)
    return state


def _plan_began(state: State, event: PlanBegan) -> State:
    return _with_battery(state, event.battery, begun=event.turn)


def _mission_fired(state: State, event: MissionFired) -> State:
    return _spent(state, event.source)


def _mission_ended(state: State, event: MissionEnded) -> State:
    """The counter goes, and with it the Barrage; Smoke drifts off by itself (6.8.4)."""
    ended = next(mission for mission in state.missions if mission.id == event.mission)
    for source in ended.sources:
        state = _with_battery(state, source, used=state.turn)
    return replace(state, missions=tuple(mission for mission in state.missions if mission is not ended))


def _area_covered(state: State, event: AreaCovered) -> State:
    features = state.features
    for feature in event.features:
        features = placed(features, feature)
    return replace(state, features=features)


MISSION_FOLDS: Mapping[type, Callable[[Any, Any], Any]] = {
    FirePlotted: _plotted,
    FireCalled: _fire_called,
    ResponseRolled: _response_rolled,
    FireMissed: unchanged,
    MissionSet: _mission_set,
    PlanBegan: _plan_began,
    MissionFired: _mission_fired,
    ShellsShort: unchanged,
    AreaCovered: _area_covered,
    MissionEnded: _mission_ended,
}
"""Part of the facts of a game on hexes."""
