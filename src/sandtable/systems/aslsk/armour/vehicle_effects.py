"""7.10 What can happen to an AFV: wrecked, immobilized, shocked, stunned, recalled, buttoned up.

Every one of these is called for by any attack, and by nothing more than the vehicle's id.
"""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.facts import armour_events as ev
from sandtable.systems.aslsk.pieces.state import Stun, Vehicle, VehicleId

__all__ = ["button_up", "eliminate_vehicle", "has_given_up", "immobilize", "recall", "shock", "stun"]


@rule("7.4", "7.10")
def eliminate_vehicle(play: Play, vehicle_id: VehicleId, *, why: str, number: str = "7.10") -> None:
    """The vehicle becomes a wreck; Infantry in its hex is not affected (7.4, 7.10)."""
    vehicle = play.state.vehicles[vehicle_id]
    moving = vehicle.is_moving_target and vehicle.side == play.state.attacker
    play.emit(ev.VehicleEliminated(vehicle_id, why, number, moving))


@rule("7.10")
def immobilize(play: Play, vehicle_id: VehicleId, *, why: str, number: str = "7.10") -> None:
    """The vehicle stops where it is, for good (7.10)."""
    if not play.state.vehicles[vehicle_id].immobilized:
        play.emit(ev.VehicleImmobilized(vehicle_id, why, number))


@rule("7.10")
def shock(play: Play, vehicle_id: VehicleId) -> None:
    """Shock; a UK counter is turned back, and a second Shock adds nothing (7.10)."""
    play.emit(ev.VehicleShocked(vehicle_id))


@rule("7.10")
def stun(context: Context, play: Play, vehicle_id: VehicleId, *, recall: bool = False) -> None:
    """Stun, which a second one or a counter that says so turns to STUN, with Recall (7.10)."""
    vehicle = play.state.vehicles[vehicle_id]
    again = vehicle.stun is not Stun.NONE
    play.emit(ev.VehicleStunned(vehicle_id, recall or again or context.vehicle_card(vehicle).recalled_by_stun))


def recall(play: Play, vehicle_id: VehicleId, *, why: str) -> None:
    """Recall without Stun: its MA is disabled for good (7.10)."""
    vehicle = play.state.vehicles[vehicle_id]
    if vehicle.in_play and not vehicle.recalled:
        play.emit(ev.VehicleRecalled(vehicle_id, why))


@rule("3.2.3")
def button_up(play: Play, vehicle_id: VehicleId) -> None:
    """A Pin result: a CE crew is BU for the rest of the player turn, the vehicle itself is never pinned (3.2.3)."""
    if play.state.vehicles[vehicle_id].exposed:
        play.emit(ev.CrewButtonedUp(vehicle_id))


def has_given_up(context: Context, vehicle: Vehicle) -> bool:
    """Whether a Stun has made an end of its fire and CE: some counters say so (notes)."""
    return vehicle.stun is not Stun.NONE and context.vehicle_card(vehicle).recalled_by_stun
