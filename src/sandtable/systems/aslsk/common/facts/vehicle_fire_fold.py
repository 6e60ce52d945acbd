"""What fire does to the state of the vehicles that fire (7.8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sandtable.core.frames import unchanged
from sandtable.systems.aslsk.common.facts import vehicle_fire_events as ev
from sandtable.systems.aslsk.common.facts.armour_fold import with_vehicle
from sandtable.systems.aslsk.pieces.state import Mark, State, WeaponState

__all__ = ["VEHICLE_FIRE_FACTS"]


def _turned(state: State, event: ev.VehicleTurned) -> State:
    turret = {"spines_turned": event.spines, "turned_hull": event.hull} if event.spines else {}
    bow = {"bow_spines": event.bow} if event.bow else {}
    return with_vehicle(state, event.vehicle, vca=event.vca, tca=event.tca, turned=True, **turret, **bow)


def _guns_fired(state: State, event: ev.VehicleGunsFired) -> State:
    vehicle = state.vehicles[event.vehicle]
    return with_vehicle(
        state,
        event.vehicle,
        guns_fired=tuple(dict.fromkeys((*vehicle.guns_fired, *event.guns))),
        fired_in=event.phase,
        fired_hex=vehicle.fired_hex if vehicle.fired_hex is not None else event.hex,
        mark=event.mark if event.mark is not Mark.NONE else vehicle.mark,
    )


def _gun_broke(state: State, event: ev.VehicleGunBroke) -> State:
    broken = state.vehicles[event.vehicle].broken
    return with_vehicle(state, event.vehicle, broken={**broken, event.gun: event.state})


def _repair_attempted(state: State, event: ev.VehicleRepairAttempted) -> State:
    vehicle = state.vehicles[event.vehicle]
    broken = dict(vehicle.broken)
    if event.result == "repaired":
        del broken[event.gun]
    elif event.result == "removed":
        broken[event.gun] = WeaponState.REMOVED
    return with_vehicle(state, event.vehicle, broken=broken, repaired=(*vehicle.repaired, event.gun))


VEHICLE_FIRE_FACTS: Mapping[type, Callable[[State, Any], State]] = {
    ev.VehicleFireDeclared: unchanged,
    ev.VehicleTurned: _turned,
    ev.VehicleGunsFired: _guns_fired,
    ev.VehicleGunBroke: _gun_broke,
    ev.VehicleRepairAttempted: _repair_attempted,
}
"""How these facts change the state."""
