"""Folding events on a table: with those that need no place, the only function that changes state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.frames import unchanged
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.combat.fire_events import FIRE_FOLDS, HitResolved, HitsScored
from sandtable.systems.panzer.fold import SHARED_FACTS, with_unit
from sandtable.systems.panzer.mini import events as ev
from sandtable.systems.panzer.mini.state import State
from sandtable.systems.panzer.unit import Command, Spot, Status, WreckKind

__all__ = ["FACTS"]

_SHARED = (
    shared.TurnBegan,
    shared.SpottingDetermined,
    shared.CommandsPlaced,
    shared.InitiativeRolled,
    shared.FirstPlayerChosen,
    shared.CommandRevealed,
    shared.FireAnnounced,
    shared.ShotWasted,
    shared.OverwatchDeclined,
    shared.VehicleDamaged,
    shared.SpotMarked,
    shared.MoveEnded,
    shared.VehiclePartHit,
    shared.CommandsRemoved,
    shared.ObjectivesReviewed,
    shared.GameEnded,
)
"""The facts without a place that this book knows."""
_OFF: dict[str, Any] = {
    "at": None,
    "command": Command.NONE,
    "known": True,
    "spot": Spot.NONE,
    "new_spot": Spot.NONE,
}


def _phase_began(state: State, event: shared.PhaseBegan) -> State:
    """Standing orders are over with their step."""
    if state.holds:
        state = replace(state, holds={})
    return SHARED_FACTS[shared.PhaseBegan](state, event)  # type: ignore[no-any-return]


def _overwatch_held(state: State, event: ev.OverwatchHeld) -> State:
    return replace(state, holds={**state.holds, event.seat: event.hold})


def _shot_fired(state: State, event: ev.ShotFired) -> State:
    return with_unit(state, event.firer, fired=True)


def _zone_chosen(state: State, event: ev.ZoneChosen) -> State:
    return replace(state, zones={**state.zones, event.seat: event.zone})


def _units_placed(state: State, event: ev.UnitsPlaced) -> State:
    for unit, (at, heading) in event.places.items():
        state = with_unit(state, unit, at=at, heading=heading)
    return state


def _order_wasted(state: State, event: ev.OrderWasted) -> State:
    return with_unit(state, event.unit, fired=True)


@rule("9.3.6", editions=("panzer-mini",))
def _unit_moved(state: State, event: ev.UnitMoved) -> State:
    """Its turret keeps its place on the hull (9.3.6)."""
    return with_unit(state, event.unit, at=event.at, heading=event.heading)


def _unit_entered(state: State, event: ev.UnitEntered) -> State:
    return with_unit(state, event.unit, status=Status.IN_PLAY, at=event.at, heading=event.heading)


def _unit_turned_back(state: State, event: ev.UnitTurnedBack) -> State:
    return with_unit(state, event.unit, status=Status.RESERVE, at=None, spot=Spot.NONE, new_spot=Spot.NONE)


def _unit_exited(state: State, event: ev.UnitExited) -> State:
    if event.way:
        state = replace(state, exits={**state.exits, event.way: state.exits.get(event.way, 0) + 1})
    return with_unit(state, event.unit, status=Status.EXITED, **_OFF)


def _unit_pivoted(state: State, event: ev.UnitPivoted) -> State:
    return with_unit(state, event.unit, heading=event.heading)


def _turrets_turned(state: State, event: ev.TurretsTurned) -> State:
    for unit, turret in event.turrets.items():
        state = with_unit(state, unit, turret=turret)
    return state


def _vehicle_lost(state: State, event: ev.VehicleLost) -> State:
    status = Status.BREWED_UP if event.kind is WreckKind.BU else Status.KNOCKED_OUT
    state = with_unit(state, event.unit, status=status, **_OFF)
    return replace(state, patches=(*state.patches, *event.patches), terrain=state.terrain + 1)


FACTS: Mapping[type, Callable[[State, Any], State]] = {
    **{fact: SHARED_FACTS[fact] for fact in _SHARED},
    shared.PhaseBegan: _phase_began,
    HitsScored: FIRE_FOLDS[HitsScored],
    HitResolved: FIRE_FOLDS[HitResolved],
    ev.ShotFired: _shot_fired,
    ev.OverwatchHeld: _overwatch_held,
    ev.SetUpRolled: unchanged,
    ev.ZoneChosen: _zone_chosen,
    ev.UnitsPlaced: _units_placed,
    ev.OrderWasted: _order_wasted,
    ev.UnitMoved: _unit_moved,
    ev.UnitEntered: _unit_entered,
    ev.UnitTurnedBack: _unit_turned_back,
    ev.UnitExited: _unit_exited,
    ev.UnitPivoted: _unit_pivoted,
    ev.TurretsTurned: _turrets_turned,
    ev.WallRolled: unchanged,
    ev.WallHarmed: unchanged,
    ev.VehicleLost: _vehicle_lost,
}
