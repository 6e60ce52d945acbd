"""Folding events into the state: those that put vehicles and wrecks into hexes, beside all that need no place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from sandtable.geo.hex import Hex
from sandtable.systems.panzer.fold import SHARED_FACTS, with_unit
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.state import State, Wreck
from sandtable.systems.panzer.unit import Command, Spot, Status, UnitId, WreckKind

__all__ = ["FACTS"]


def _vehicle_knocked_out(state: State, event: ev.VehicleKnockedOut) -> State:
    return _wreck(state, event.unit, event.hex, Status.KNOCKED_OUT, WreckKind.KO)


def _vehicle_brewed_up(state: State, event: ev.VehicleBrewedUp) -> State:
    return _wreck(state, event.unit, event.hex, Status.BREWED_UP, WreckKind.BU)


def _wreck(state: State, unit_id: UnitId, hex: Hex, status: Status, kind: WreckKind) -> State:
    """One wreck a hex; a BU replaces a KO, never the other way (4.1.4.1.8)."""
    state = with_unit(
        state, unit_id, status=status, hex=None, command=Command.NONE, known=True, spot=Spot.NONE, new_spot=Spot.NONE
    )
    there = next((wreck for wreck in state.wrecks if wreck.hex == hex), None)
    if there is not None and (there.kind is WreckKind.BU or kind is WreckKind.KO):
        return state
    others = tuple(wreck for wreck in state.wrecks if wreck.hex != hex)
    return replace(state, wrecks=(*others, Wreck(hex, kind, fresh=kind is WreckKind.BU)))


def _unit_entered(state: State, event: ev.UnitEntered) -> State:
    return with_unit(state, event.unit, hex=event.hex, facing=event.facing, status=Status.IN_PLAY)


def _unit_turned(state: State, event: ev.UnitTurned) -> State:
    return with_unit(state, event.unit, facing=event.facing)


def _unit_moved(state: State, event: ev.UnitMoved) -> State:
    return with_unit(state, event.unit, hex=event.hex)


def _unit_exited(state: State, event: ev.UnitExited) -> State:
    if event.way:
        state = replace(state, exits={**state.exits, event.way: state.exits.get(event.way, 0) + 1})
    return with_unit(state, event.unit, status=Status.EXITED, hex=None, spot=Spot.NONE, new_spot=Spot.NONE, known=True)


FACTS: Mapping[type, Callable[[State, Any], State]] = {
    **SHARED_FACTS,
    ev.VehicleKnockedOut: _vehicle_knocked_out,
    ev.VehicleBrewedUp: _vehicle_brewed_up,
    ev.UnitEntered: _unit_entered,
    ev.UnitTurned: _unit_turned,
    ev.UnitMoved: _unit_moved,
    ev.UnitExited: _unit_exited,
}
