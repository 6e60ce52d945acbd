"""3.3.2 A vehicle's MPh: announced as a list of steps and executed one at a time, as a move of Infantry is.

After every MP expenditure the DEFENDER has his chance (3.3.3). Whoever draws fire decides anew. What MP are left at
the end count as spent where the vehicle ends, and give the DEFENDER his last chance.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.core.modifier import Breakdown
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.vehicle_actions import ContinueVehicle, MoveVehicle
from sandtable.systems.aslsk.pieces.state import (
    FirstFire,
    State,
    Vehicle,
    VehicleDeed,
    VehicleMoving,
    VehicleStep,
    Whereabouts,
)
from sandtable.systems.aslsk.vehicles.bounding import has_bounding
from sandtable.systems.aslsk.vehicles.drive_progress import DriveProgress, standing
from sandtable.systems.aslsk.vehicles.drive_steps import execute
from sandtable.systems.aslsk.vehicles.driver import Driver, refuse_driver
from sandtable.systems.aslsk.vehicles.setting_off import awaits_signal
from sandtable.systems.aslsk.vehicles.vehicle_events import VehicleMoveEnded, VehicleSpent
from sandtable.systems.aslsk.vehicles.vehicle_residual import residual_on_crew

__all__ = ["advance_driving", "continue_driving", "progress_of", "refuse_driving", "refuse_driving_on", "start_driving"]


def progress_of(state: State, frame: VehicleMoving) -> DriveProgress:
    """How far a vehicle on its way has come."""
    return replace(
        standing(state.vehicles[frame.vehicle]),
        spent=frame.spent,
        hexes=frame.hexes,
        only_started=frame.only_started,
        all_in=frame.all_in,
        uninvited=frame.uninvited,
        held=frame.signal is False,
    )


# --- what is refused --------------------------------------------------------------------------------------------


@rule("3.3.2")
def refuse_driving(context: Context, state: State, player: str, action: MoveVehicle) -> Refusal | None:
    """Why a vehicle may not begin its MPh like this (3.3.2)."""
    vehicle = state.vehicles.get(action.vehicle)
    if vehicle is None or vehicle.side != player:
        return Refusal("3.3", f"{action.vehicle!r} is no vehicle of {player}", "move one of your own")
    refusal = refuse_driver(vehicle)
    if refusal is not None:
        return refusal
    driver = Driver(context, state, vehicle)
    if not action.steps:
        if action.halt and has_bounding(context, state, VehicleMoving(vehicle.id, (), driver.allowance)):
            return None
        return Refusal("3.3.2", "no MP are spent", "name at least one step, or halt to fire")
    return _refuse_steps(driver, driver.begin(), action.steps, halt=action.halt)


@rule("3.3.2")
def refuse_driving_on(context: Context, state: State, frame: VehicleMoving, action: ContinueVehicle) -> Refusal | None:
    """Why a vehicle may not go on, or end its MPh, like this (3.3.2)."""
    driver = Driver(context, state, state.vehicles[frame.vehicle])
    if not action.steps and action.halt:
        return Refusal("3.3.2", "a vehicle that ends its MPh does not halt", "end its move, or name steps")
    return _refuse_steps(driver, progress_of(state, frame), action.steps, halt=action.halt)


def _refuse_steps(driver: Driver, now: DriveProgress, steps: Iterable[VehicleStep], *, halt: bool) -> Refusal | None:
    for step in steps:
        after = driver.take(now, step)
        if isinstance(after, Refusal):
            return after
        now = after
    if not halt:
        return driver.refuse_end(now)
    return Refusal("3.3", f"{driver.vehicle.id} has left the map", "there is nothing to decide") if now.exited else None


# --- what happens -----------------------------------------------------------------------------------------------


def start_driving(context: Context, play: Play, action: MoveVehicle) -> None:
    """Set off (3.3.2)."""
    vehicle = play.state.vehicles[action.vehicle]
    allowance = Driver(context, play.state, vehicle).allowance
    play.emit(ev.Opened(VehicleMoving(action.vehicle, action.steps, allowance, vehicle.hex, halt=action.halt)))


def continue_driving(play: Play, frame: VehicleMoving, action: ContinueVehicle) -> None:
    """Go on with other steps, or end the MPh of the vehicle (3.3.2)."""
    if action.steps:
        play.emit(ev.Changed(replace(frame, plan=action.steps, interrupted=False, halt=action.halt)))
    else:
        _end(play, frame)


@rule("3.3.2")
def _end(play: Play, frame: VehicleMoving) -> None:
    """What MP are left are spent where it is; then its MPh is over, stopped or in Motion (3.3.2)."""
    vehicle = play.state.vehicles[frame.vehicle]
    left = frame.allowance - frame.spent
    if left > 0 and vehicle.hex is not None and vehicle.is_active:
        last = replace(frame, plan=(), spent=frame.allowance, here=frame.here + left, over=True)
        play.emit(ev.Changed(replace(last, watched=False, entered=False)))
        cost = Breakdown("Halves of MP", "3.3.2", base=left, base_label="left at the end")
        play.emit(VehicleSpent(vehicle.id, vehicle.hex, VehicleDeed.DELAY, vehicle.vca, vehicle.tca, cost))
        return
    in_motion = vehicle.is_active and vehicle.is_mobile and not vehicle.is_stopped
    play.emit(VehicleMoveEnded(vehicle.id, in_motion))
    play.emit(ev.Closed())


@rule("3.3.2", "3.3.3")
def advance_driving(context: Context, play: Play, frame: VehicleMoving) -> bool:
    """The next step, or the opponent's chance; False if the owner decides (3.3.2, 3.3.3)."""
    vehicle = play.state.vehicles[frame.vehicle]
    if not _is_there(vehicle):
        play.emit(ev.Closed())
        return True
    if not frame.watched:
        _watch(context, play, frame)
        return True
    if frame.over or (not vehicle.is_active and vehicle.hex is not None):
        _end(play, frame)
        return True
    driver, now = Driver(context, play.state, vehicle), progress_of(play.state, frame)
    if frame.plan and not frame.interrupted:
        return _step(driver, play, frame, now)
    asks = frame.interrupted or frame.halt or driver.refuse_end(now) is not None
    if not asks or (driver.first_step(now) is None and not has_bounding(context, play.state, frame)):
        _end(play, frame)
        return True
    if not frame.interrupted:
        play.emit(ev.Changed(replace(frame, interrupted=True, plan=())))
    return False


def _is_there(vehicle: Vehicle) -> bool:
    return vehicle.in_play or vehicle.place is Whereabouts.OFF_BOARD


def _step(driver: Driver, play: Play, frame: VehicleMoving, now: DriveProgress) -> bool:
    """Execute the next step of the plan; a step that has become impossible brings the owner back."""
    after = driver.take(now, frame.plan[0])
    if isinstance(after, Refusal):
        play.emit(ev.Changed(replace(frame, plan=(), interrupted=True)))
    elif not awaits_signal(driver.context, play, frame):
        execute(driver, play, frame, now, after)
    return True


@rule("3.3.3")
def _watch(context: Context, play: Play, frame: VehicleMoving) -> None:
    """Residual FP attacks a CE crew first; then the DEFENDER may react to the MP that were spent (3.3.3, 3.3.5)."""
    frame = replace(frame, watched=True)
    play.emit(ev.Changed(frame))
    drm = residual_on_crew(context, play, frame)
    if drm is not None:
        play.emit(ev.Changed(replace(frame, residual_drm=drm, interrupted=True)))
    vehicle = play.state.vehicles[frame.vehicle]
    hex = vehicle.hex
    if hex is not None and vehicle.in_play:
        play.emit(ev.Opened(FirstFire(context.other(play.state.attacker), (), hex, vehicle=frame.vehicle)))
