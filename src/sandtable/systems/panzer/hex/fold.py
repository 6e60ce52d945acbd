"""Folding events into the state: the only place where state changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from sandtable.core.frames import unchanged
from sandtable.geo.hex import Hex
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.state import (
    Command,
    Objective,
    Spot,
    State,
    Status,
    Unit,
    UnitId,
    Wreck,
    WreckKind,
)

__all__ = ["FACTS"]


def _with_unit(state: State, unit_id: UnitId, **changes: Any) -> State:
    units = dict(state.units)
    units[unit_id] = replace(units[unit_id], **changes)
    return replace(state, units=units)


def _turn_began(state: State, event: ev.TurnBegan) -> State:
    return replace(state, turn=event.turn, first="")


def _phase_began(state: State, event: ev.PhaseBegan) -> State:
    return replace(state, phase=event.phase)


def _spotting_determined(state: State, event: ev.SpottingDetermined) -> State:
    """New SPOT counters come into force (4.4.1); those of vehicles that nobody spots go (4.1.5)."""
    lost = set(event.unspotted)
    units = {}
    for unit_id, unit in state.units.items():
        spot = Spot.NONE if unit_id in lost else unit.new_spot or unit.spot
        if spot is not unit.spot or unit.new_spot:
            unit = replace(unit, spot=spot, new_spot=Spot.NONE)  # noqa: PLW2901
        units[unit_id] = unit
    return replace(state, units=units, spotted=event.spotted, sightings=event.sightings)


def _commands_placed(state: State, event: ev.CommandsPlaced) -> State:
    units = dict(state.units)
    for unit_id, unit in state.units.items():
        if unit.side == event.seat and unit.status in (Status.IN_PLAY, Status.RESERVE):
            units[unit_id] = replace(unit, command=event.commands.get(unit_id, Command.NONE), known=False)
    return replace(state, units=units)


def _command_converted(state: State, event: ev.CommandConverted) -> State:
    return _with_unit(state, event.unit, command=Command.NONE)


def _first_player_chosen(state: State, event: ev.FirstPlayerChosen) -> State:
    return replace(state, first=event.first)


def _command_revealed(state: State, event: ev.CommandRevealed) -> State:
    return _with_unit(state, event.unit, command=event.command, known=True)


def _shot_resolved(state: State, event: ev.ShotResolved | ev.ShotWasted) -> State:
    return _with_unit(state, event.firer, fired=True)


def _vehicle_damaged(state: State, event: ev.VehicleDamaged) -> State:
    return _with_unit(state, event.unit, damaged=True)


def _vehicle_knocked_out(state: State, event: ev.VehicleKnockedOut) -> State:
    return _wreck(state, event.unit, event.hex, Status.KNOCKED_OUT, WreckKind.KO)


def _vehicle_brewed_up(state: State, event: ev.VehicleBrewedUp) -> State:
    return _wreck(state, event.unit, event.hex, Status.BREWED_UP, WreckKind.BU)


def _wreck(state: State, unit_id: UnitId, hex: Hex, status: Status, kind: WreckKind) -> State:
    """One wreck a hex; a BU replaces a KO, never the other way (4.1.4.1.8)."""
    state = _with_unit(
        state, unit_id, status=status, hex=None, command=Command.NONE, known=True, spot=Spot.NONE, new_spot=Spot.NONE
    )
    there = next((wreck for wreck in state.wrecks if wreck.hex == hex), None)
    if there is not None and (there.kind is WreckKind.BU or kind is WreckKind.KO):
        return state
    others = tuple(wreck for wreck in state.wrecks if wreck.hex != hex)
    return replace(state, wrecks=(*others, Wreck(hex, kind, fresh=kind is WreckKind.BU)))


def _spot_marked(state: State, event: ev.SpotMarked) -> State:
    return _with_unit(state, event.unit, new_spot=event.spot)


def _smoke_took_effect(state: State, event: ev.SmokeTookEffect) -> State:  # noqa: ARG001
    wrecks = tuple(replace(wreck, fresh=False) if wreck.fresh else wreck for wreck in state.wrecks)
    return replace(state, wrecks=wrecks)


def _unit_entered(state: State, event: ev.UnitEntered) -> State:
    return _with_unit(state, event.unit, hex=event.hex, facing=event.facing, status=Status.IN_PLAY)


def _unit_turned(state: State, event: ev.UnitTurned) -> State:
    return _with_unit(state, event.unit, facing=event.facing)


def _unit_moved(state: State, event: ev.UnitMoved) -> State:
    return _with_unit(state, event.unit, hex=event.hex)


def _unit_exited(state: State, event: ev.UnitExited) -> State:
    if event.way:
        state = replace(state, exits={**state.exits, event.way: state.exits.get(event.way, 0) + 1})
    return _with_unit(state, event.unit, status=Status.EXITED, hex=None, spot=Spot.NONE, new_spot=Spot.NONE, known=True)


def _move_ended(state: State, event: ev.MoveEnded) -> State:
    return _with_unit(state, event.unit, moved=True)


def _commands_removed(state: State, event: ev.CommandsRemoved) -> State:
    """4.6.1: an unused FIRE or SHORT HALT leaves SPOT/FIRE, an unused MOVE leaves SPOT/MOVE."""
    units = {}
    for unit_id, unit in state.units.items():
        new_spot = unit.new_spot
        unused = event.unused.get(unit_id)
        if unused is not None:
            new_spot = Spot.MOVE if unused is Command.MOVE else Spot.FIRE
        units[unit_id] = _cleared(unit, new_spot)
    return replace(state, units=units)


def _cleared(unit: Unit, new_spot: Spot) -> Unit:
    return replace(unit, command=Command.NONE, known=True, fired=False, moved=False, new_spot=new_spot)


def _objectives_reviewed(state: State, event: ev.ObjectivesReviewed) -> State:
    objectives: dict[str, Objective] = {**state.objectives, **event.objectives}
    return replace(state, objectives=objectives)


def _game_ended(state: State, event: ev.GameEnded) -> State:
    return replace(state, ended=event.why, stack=())


FACTS: Mapping[type, Callable[[State, Any], State]] = {
    ev.TurnBegan: _turn_began,
    ev.PhaseBegan: _phase_began,
    ev.SpottingDetermined: _spotting_determined,
    ev.CommandsPlaced: _commands_placed,
    ev.CommandConverted: _command_converted,
    ev.InitiativeRolled: unchanged,
    ev.FirstPlayerChosen: _first_player_chosen,
    ev.CommandRevealed: _command_revealed,
    ev.FireAnnounced: unchanged,
    ev.ShotResolved: _shot_resolved,
    ev.ShotWasted: _shot_resolved,
    ev.ArmourStruck: unchanged,
    ev.VehicleDamaged: _vehicle_damaged,
    ev.VehicleKnockedOut: _vehicle_knocked_out,
    ev.VehicleBrewedUp: _vehicle_brewed_up,
    ev.SpotMarked: _spot_marked,
    ev.OverwatchDeclined: unchanged,
    ev.SmokeTookEffect: _smoke_took_effect,
    ev.UnitEntered: _unit_entered,
    ev.UnitTurned: _unit_turned,
    ev.UnitMoved: _unit_moved,
    ev.UnitExited: _unit_exited,
    ev.MoveEnded: _move_ended,
    ev.CommandsRemoved: _commands_removed,
    ev.ObjectivesReviewed: _objectives_reviewed,
    ev.GameEnded: _game_ended,
}
