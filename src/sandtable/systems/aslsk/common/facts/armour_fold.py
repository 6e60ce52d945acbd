"""7.10 How what happens to AFVs and their crews changes the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.frames import unchanged
from sandtable.systems.aslsk.common.facts import armour_events as ev
from sandtable.systems.aslsk.common.facts.gun_events import NOTHING_ACQUIRED
from sandtable.systems.aslsk.pieces.state import Shock, State, Stun, Vehicle, VehicleId

__all__ = ["ARMOUR_FACTS", "after_stun", "with_vehicle"]


def with_vehicle(state: State, vehicle_id: VehicleId, /, **changes: Any) -> State:
    """The state with one vehicle changed."""
    vehicles = dict(state.vehicles)
    vehicles[vehicle_id] = replace(vehicles[vehicle_id], **changes)
    return replace(state, vehicles=vehicles)


@rule("7.10")
def after_stun(vehicle: Vehicle) -> Vehicle:
    """A vehicle at the end of a player turn: Stun turns to +1, STUN to Recall and +1 (7.10)."""
    if not vehicle.is_stunned:
        return vehicle
    recalled = vehicle.recalled or vehicle.stun is Stun.STUN_AND_RECALL
    return replace(vehicle, stun=Stun.PLUS_ONE, recalled=recalled)


def _eliminated(state: State, event: ev.VehicleEliminated) -> State:
    """The counter is turned over: what was on it goes, and what points at something no longer does."""
    was = state.vehicles[event.vehicle]
    wreck = Vehicle(
        was.id,
        was.side,
        was.force,
        was.card,
        was.hex,
        was.place,
        vca=was.vca,
        tca=was.tca,
        wreck=True,
        wrecked_moving=event.moving,
        moving_target=was.moving_target,
        was_in_motion=was.was_in_motion,
    )
    return replace(state, vehicles={**state.vehicles, event.vehicle: wreck})


@rule("3.3.2")
def _halted(state: State, vehicle_id: VehicleId, /, **changes: Any) -> State:
    """A vehicle comes to a halt; one that began or ended its MPh in Motion stays a moving target (3.3.2)."""
    was = state.vehicles[vehicle_id]
    moving = was.was_in_motion or (was.motion and was.side == state.attacker)
    return with_vehicle(state, vehicle_id, motion=False, started=False, was_in_motion=moving, **changes)


def _immobilized(state: State, event: ev.VehicleImmobilized) -> State:
    return _halted(state, event.vehicle, immobilized=True)


def _shocked(state: State, event: ev.VehicleShocked) -> State:
    return _halted(state, event.vehicle, shock=Shock.SHOCK, exposed=False, **NOTHING_ACQUIRED)


def _stunned(state: State, event: ev.VehicleStunned) -> State:
    stun = Stun.STUN_AND_RECALL if event.recall else Stun.STUN
    return _halted(state, event.vehicle, stun=stun, exposed=False, shut=True, **NOTHING_ACQUIRED)


def _recalled(state: State, event: ev.VehicleRecalled) -> State:
    return with_vehicle(state, event.vehicle, recalled=True)


def _buttoned_up(state: State, event: ev.CrewButtonedUp) -> State:
    return with_vehicle(state, event.vehicle, exposed=False, shut=True)


def _recuperated(state: State, event: ev.RecuperationRolled) -> State:
    return with_vehicle(state, event.vehicle, shock=event.after)


def _aimed(state: State, event: ev.ChargeAimed) -> State:
    charge = replace(state.weapons[event.weapon], placed_on=event.vehicle, placed_side=event.side)
    return replace(state, weapons={**state.weapons, event.weapon: charge})


ARMOUR_FACTS: Mapping[type, Callable[[State, Any], State]] = {
    ev.VehicleEliminated: _eliminated,
    ev.VehicleImmobilized: _immobilized,
    ev.VehicleShocked: _shocked,
    ev.VehicleStunned: _stunned,
    ev.VehicleRecalled: _recalled,
    ev.CrewButtonedUp: _buttoned_up,
    ev.RecuperationRolled: _recuperated,
    ev.ChargeAimed: _aimed,
    ev.ChargePositioned: unchanged,
    ev.ToKillResolved: unchanged,
    ev.AreaHitResolved: unchanged,
    ev.CrewAttacked: unchanged,
    ev.CrewChecked: unchanged,
}
"""How every fact about armour changes the state."""
