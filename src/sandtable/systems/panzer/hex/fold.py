"""Folding events into the state: those that put vehicles and wrecks into hexes, beside all that need no place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.frames import unchanged
from sandtable.geo.hex import Hex
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.combat.fire_events import FIRE_FOLDS, EngagementAnnounced
from sandtable.systems.panzer.command.sharing import holder_of, sharers
from sandtable.systems.panzer.fold import SHARED_FACTS, with_markers, with_unit
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.features import abandoned, adjusted, in_effect, placed, removed, worked_on
from sandtable.systems.panzer.hex.mission_events import MISSION_FOLDS
from sandtable.systems.panzer.hex.state import State, Unit, Wreck, fired_into
from sandtable.systems.panzer.markers import NO_MARKERS, Floor, Suppression
from sandtable.systems.panzer.unit import Command, Spot, Status, UnitId, WreckKind

__all__ = ["FACTS", "with_shared_fire"]


def _vehicle_knocked_out(state: State, event: ev.VehicleKnockedOut) -> State:
    return _wreck(state, event.unit, event.hex, Status.KNOCKED_OUT, WreckKind.KO)


def _vehicle_brewed_up(state: State, event: ev.VehicleBrewedUp) -> State:
    return _wreck(state, event.unit, event.hex, Status.BREWED_UP, WreckKind.BU)


def _wreck(state: State, unit_id: UnitId, hex: Hex, status: Status, kind: WreckKind) -> State:
    """One wreck a hex; a BU replaces a KO, never the other way (4.1.4.1.8)."""
    state = _lost(state, unit_id, status)
    there = next((wreck for wreck in state.wrecks if wreck.hex == hex), None)
    if there is not None and (there.kind is WreckKind.BU or kind is WreckKind.KO):
        return state
    others = tuple(wreck for wreck in state.wrecks if wreck.hex != hex)
    return replace(state, wrecks=(*others, Wreck(hex, kind, fresh=kind is WreckKind.BU)))


def _lost(state: State, unit_id: UnitId, status: Status) -> State:
    """A unit is off the map; what it was sheltered by lies abandoned (6.1.4.3.6)."""
    if state.features:
        state = replace(state, features=abandoned(state.features, unit_id))
    return with_unit(
        state, unit_id, status=status, hex=None, command=Command.NONE, known=True, spot=Spot.NONE, new_spot=Spot.NONE
    )


def _unit_entered(state: State, event: ev.UnitEntered) -> State:
    state = with_unit(state, event.unit, hex=event.hex, facing=event.facing, status=Status.IN_PLAY)
    return _with_passengers(state, event.unit, hex=event.hex, status=Status.IN_PLAY)


def _with_passengers(state: State, carrier: UnitId, **changes: Any) -> State:
    """What happens to a vehicle happens to those on it (6.6.7)."""
    for passenger in state.units[carrier].markers.passengers:
        state = with_unit(state, passenger, **changes)
    return state


def _unit_turned(state: State, event: ev.UnitTurned) -> State:
    return with_unit(state, event.unit, facing=event.facing)


def _unit_pivoted(state: State, event: ev.UnitPivoted) -> State:
    return with_unit(state, event.unit, facing=event.facing)


def _unit_moved(state: State, event: ev.UnitMoved) -> State:
    if state.units[event.unit].markers.floor:
        state = with_markers(state, event.unit, floor=Floor.GROUND)
    return _with_passengers(with_unit(state, event.unit, hex=event.hex), event.unit, hex=event.hex)


def _unit_shifted(state: State, event: ev.UnitShifted) -> State:
    return with_markers(with_unit(state, event.unit, hex=event.hex), event.unit, floor=event.floor)


def _position_searched(state: State, event: ev.PositionSearched) -> State:
    state = with_unit(state, event.unit, facing=event.facing)
    if event.roll > event.number.total:
        return state
    return with_markers(state, event.unit, hull_down=event.position, open_way=event.open_way)


def _position_taken(state: State, event: ev.PositionTaken) -> State:
    unit = UnitId("") if event.unit is None else event.unit
    changed = tuple(replace(one, unit=unit) if one == event.feature else one for one in state.features)
    state = replace(state, features=changed)
    if event.unit is None or event.open_way < 0:
        return state
    return with_markers(state, event.unit, open_way=event.open_way)


def _entrenchment_dug(state: State, event: ev.EntrenchmentDug) -> State:
    return replace(state, features=worked_on(state.features, event.hex, event.unit, event.turns))


def _units_mounted(state: State, event: ev.UnitsMounted) -> State:
    """They are where their vehicle is from now on."""
    carrier = state.units[event.carrier]
    for unit_id in event.units:
        state = with_unit(state, unit_id, hex=carrier.hex, moved=True)
        state = with_markers(state, unit_id, carrier=event.carrier, full_cover=False, crawling=False)
    return with_markers(state, event.carrier, passengers=(*carrier.markers.passengers, *event.units))


def _unit_eliminated(state: State, event: shared.UnitEliminated) -> State:
    """It is gone, and leaves no wreck (6.5.4.4.3)."""
    carrier = state.units[event.unit].markers.carrier
    if carrier:
        left = tuple(one for one in state.units[carrier].markers.passengers if one != event.unit)
        state = with_markers(state, carrier, passengers=left)
    return _lost(state, event.unit, Status.KNOCKED_OUT)


def _unit_dismounted(state: State, event: ev.UnitDismounted) -> State:
    state = with_unit(state, event.unit, hex=event.hex, facing=event.facing, moved=True, new_spot=Spot.MOVE)
    state = with_markers(state, event.unit, carrier=UnitId(""))
    left = tuple(one for one in state.units[event.carrier].markers.passengers if one != event.unit)
    return with_markers(state, event.carrier, passengers=left)


def _column_formed(state: State, event: ev.ColumnFormed) -> State:
    return replace(state, columns={**state.columns, event.holder: event.units})


@rule("5.2.1", editions=("panzer-na",))
def _gun_unloaded(state: State, event: ev.GunUnloaded) -> State:
    """The gun gets off as towed units do, as suppressed as its Portée was (5.2.1)"""
    state = with_unit(state, event.unit, card=event.truck, facing=event.facing)
    on_ground = {"status": Status.IN_PLAY, "hex": event.hex, "facing": event.gun_facing, "moved": True}
    state = with_unit(state, event.gun, **on_ground, new_spot=Spot.MOVE)
    return with_markers(state, event.gun, suppression=state.units[event.unit].markers.suppression)


@rule("5.2.1", editions=("panzer-na",))
def _gun_loaded(state: State, event: ev.GunLoaded) -> State:
    """The Portée is as suppressed as truck or gun was (5.2.1)"""
    gun = state.units[event.gun]
    state = with_unit(state, event.unit, card=event.portee, facing=event.facing)
    state = with_markers(state, event.unit, suppression=_worse(state.units[event.unit], gun))
    aboard = {"status": Status.ABOARD, "hex": None, "moved": True, "command": Command.NONE, "known": True}
    return with_unit(state, event.gun, **aboard, spot=Spot.NONE, new_spot=Spot.NONE, markers=NO_MARKERS)


def _worse(one: Unit, other: Unit) -> Suppression:
    sides = one.markers.suppression, other.markers.suppression
    return Suppression.ON if Suppression.ON in sides else sides[0] or sides[1]


def _unit_exited(state: State, event: ev.UnitExited) -> State:
    if event.way:
        state = replace(state, exits={**state.exits, event.way: state.exits.get(event.way, 0) + 1})
    gone: dict[str, Any] = {
        "status": Status.EXITED,
        "hex": None,
        "spot": Spot.NONE,
        "new_spot": Spot.NONE,
        "known": True,
    }
    return _with_passengers(with_unit(state, event.unit, **gone), event.unit, **gone)


def _engagement_announced(state: State, event: EngagementAnnounced) -> State:
    told: State = FIRE_FOLDS[EngagementAnnounced](state, event)
    return with_shared_fire(told, [shot.firer for shot in event.shots], event.target)


def with_shared_fire(state: State, firers: Iterable[UnitId], target: UnitId) -> State:
    """The state that knows where those who share a command have fired (6.2.1.1.4)."""
    place = state.units[target].hex
    return state if place is None else fired_into(state, firers, place)


def _smoke_aimed(state: State, event: ev.SmokeAimed) -> State:
    return fired_into(state, [event.unit], event.hex)


def _attack_bound(state: State, event: shared.AttackBound) -> State:
    """Whom those who share a MOVE command attack this turn (6.6.11)."""
    bound = dict(state.bound_to)
    for unit_id in event.units:
        unit = state.units[unit_id]
        if len(sharers(state.units, unit)) > 1:
            bound[holder_of(unit)] = event.target
    return replace(state, bound_to=bound)


def _unit_thrown_back(state: State, event: ev.UnitThrownBack) -> State:
    return _with_passengers(with_unit(state, event.unit, hex=event.hex), event.unit, hex=event.hex)


def _commands_removed(state: State, event: shared.CommandsRemoved) -> State:
    cleared: State = SHARED_FACTS[shared.CommandsRemoved](state, event)
    settled = cleared.fired_on or cleared.bound_to or cleared.guided or cleared.columns
    return replace(cleared, fired_on={}, bound_to={}, guided={}, columns={}) if settled else cleared


def _smoke_took_effect(state: State, event: shared.SmokeTookEffect) -> State:
    """Smoke of wrecks and of shells alike (4.4.3.2.2, 6.1.4.3.10)."""
    state = SHARED_FACTS[shared.SmokeTookEffect](state, event)
    return replace(state, features=in_effect(state.features)) if state.features else state


def _feature_placed(state: State, event: ev.FeaturePlaced) -> State:
    return replace(state, features=placed(state.features, event.feature))


def _features_removed(state: State, event: ev.FeaturesRemoved) -> State:
    return replace(state, features=removed(state.features, event.features))


def _features_adjusted(state: State, event: ev.FeaturesAdjusted) -> State:  # noqa: ARG001
    return replace(state, features=adjusted(state.features))


FACTS: Mapping[type, Callable[[State, Any], State]] = {
    **SHARED_FACTS,
    **FIRE_FOLDS,
    EngagementAnnounced: _engagement_announced,
    ev.TerrainStruck: unchanged,
    ev.SmokeAimed: _smoke_aimed,
    **MISSION_FOLDS,
    shared.CommandsRemoved: _commands_removed,
    ev.VehicleKnockedOut: _vehicle_knocked_out,
    ev.VehicleBrewedUp: _vehicle_brewed_up,
    ev.UnitEntered: _unit_entered,
    ev.UnitTurned: _unit_turned,
    ev.UnitPivoted: _unit_pivoted,
    ev.UnitMoved: _unit_moved,
    ev.UnitShifted: _unit_shifted,
    ev.UnitThrownBack: _unit_thrown_back,
    shared.AttackBound: _attack_bound,
    ev.PositionSearched: _position_searched,
    ev.PositionTaken: _position_taken,
    ev.EntrenchmentDug: _entrenchment_dug,
    ev.UnitExited: _unit_exited,
    ev.UnitsMounted: _units_mounted,
    ev.UnitDismounted: _unit_dismounted,
    ev.ColumnFormed: _column_formed,
    ev.GunUnloaded: _gun_unloaded,
    ev.GunLoaded: _gun_loaded,
    shared.UnitEliminated: _unit_eliminated,
    shared.SmokeTookEffect: _smoke_took_effect,
    ev.FeaturePlaced: _feature_placed,
    ev.FeaturesRemoved: _features_removed,
    ev.FeaturesAdjusted: _features_adjusted,
}
