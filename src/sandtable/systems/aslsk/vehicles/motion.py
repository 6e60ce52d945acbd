"""3.3.2.1 Motion Status attempts: a defending vehicle gets going when an enemy comes into its sight."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.core.modifier import Breakdown
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import roll_single
from sandtable.systems.aslsk.common.fact import HALVES
from sandtable.systems.aslsk.common.refusals import refuse_stranger
from sandtable.systems.aslsk.common.vehicle_actions import AttemptMotion
from sandtable.systems.aslsk.common.vehicles_here import halves_in_sight
from sandtable.systems.aslsk.pieces.spines import SPINES
from sandtable.systems.aslsk.pieces.state import Mark, State, UnderWay, Vehicle, VehicleGun
from sandtable.systems.aslsk.vehicles.reliability import check_reliability
from sandtable.systems.aslsk.vehicles.vehicle_events import MotionAttempted, MotionGained

__all__ = ["attempt_motion", "attempters", "motion_number", "refuse_motion"]


@rule("3.3.2.1")
def motion_number(context: Context, state: State, moving: UnderWay, vehicle: Vehicle) -> Breakdown:
    """The highest dr that succeeds: MF or MP that the enemy has spent in the LOS of the vehicle (3.3.2.1)."""
    assert vehicle.hex is not None  # noqa: S101 - it is on the map
    trail = state.vehicles[moving.vehicle].trail if moving.vehicle else moving.trail
    spent = halves_in_sight(context, state, trail, vehicle.hex) // HALVES
    return Breakdown("Motion Status", "3.3.2.1", base=spent, base_label="MF or MP spent in its LOS")


@rule("3.3.2.1")
def _refuse_vehicle(context: Context, state: State, moving: UnderWay, vehicle: Vehicle) -> Refusal | None:
    """Why a vehicle may not attempt Motion Status because of these movers (3.3.2.1)."""
    if vehicle.hex is None or not vehicle.is_active or not vehicle.is_mobile:
        return Refusal("3.3.2.1", f"{vehicle.id} is not mobile", "attempt it with a vehicle that can drive")
    if vehicle.tried_motion:
        return Refusal("3.3.2.1", f"{vehicle.id} has attempted Motion Status in this MPh", "once an enemy MPh")
    if vehicle.mark is not Mark.NONE or set(vehicle.guns_fired) - {VehicleGun.MAIN}:
        # A MA that keeps its ROF leaves no First Fire counter.
        return Refusal("3.3.2.1", f"{vehicle.id} has fired", "attempt it before it loses its ROF")
    if moving.start is not None and context.sees(state, vehicle.hex, moving.start):
        return Refusal("3.3.2.1", f"{vehicle.id} saw the enemy as the player turn began", "wait for another enemy")
    if motion_number(context, state, moving, vehicle).total < 1:
        return Refusal("3.3.2.1", "the enemy has spent no whole MF or MP in its LOS", "wait until he has")
    return None


@rule("3.3.2.1")
def refuse_motion(context: Context, state: State, seat: str, moving: UnderWay, action: AttemptMotion) -> Refusal | None:
    """Why this attempt may not be made: the vehicle, or what it would turn to (3.3.2.1)."""
    vehicle = state.vehicles.get(action.vehicle)
    if vehicle is None or vehicle.side != seat:
        return refuse_stranger("3.3.2.1", action.vehicle, seat, "vehicle", where="")
    refusal = _refuse_vehicle(context, state, moving, vehicle)
    if refusal is not None:
        return refusal
    if (action.vca, action.tca) not in set(_ways(context, vehicle)):
        return Refusal(
            "3.3.2.1",
            f"{vehicle.id} cannot turn like that",
            "name hexspines 0 to 5 that differ from the present ones, a turret's only if it has one",
        )
    return None


@rule("3.3.2.1")
def _ways(context: Context, vehicle: Vehicle) -> Iterator[tuple[int, int]]:
    """VCA and TCA to which it may turn, -1 as they are; what is in Motion must turn, or nothing would come of it."""
    for vca in (-1, *(spine for spine in SPINES if spine != vehicle.vca)):
        carried = vehicle.tca if vca < 0 else (vehicle.tca + vca - vehicle.vca) % 6
        turret = [spine for spine in SPINES if spine != carried] if context.vehicle_card(vehicle).has_turret else []
        yield from ((vca, tca) for tca in (-1, *turret) if not vehicle.motion or vca >= 0 or tca >= 0)


def attempters(
    context: Context, state: State, seat: str, moving: UnderWay
) -> Iterator[tuple[Vehicle, list[tuple[int, int]]]]:
    """The vehicles that may attempt Motion Status, each with the ways in which it may turn."""
    for vehicle in state.vehicles.values():
        if vehicle.side == seat and _refuse_vehicle(context, state, moving, vehicle) is None:
            yield vehicle, list(_ways(context, vehicle))


@rule("3.3.2.1")
def attempt_motion(context: Context, play: Play, moving: UnderWay, action: AttemptMotion) -> None:
    """The dr, then Motion and a turn, unless the engine fails (3.3.2, 3.3.2.1)."""
    vehicle = play.state.vehicles[action.vehicle]
    number = motion_number(context, play.state, moving, vehicle)
    roll = roll_single(play, f"{vehicle.id} Motion Status", (number.total,))
    succeeds = roll <= number.total
    play.emit(MotionAttempted(vehicle.id, roll, number, succeeds))
    if not succeeds or not check_reliability(context, play, vehicle.id):
        return
    vca = vehicle.vca if action.vca < 0 else action.vca
    tca = (vehicle.tca + vca - vehicle.vca) % 6 if action.tca < 0 else action.tca
    play.emit(MotionGained(vehicle.id, vca, tca))
