"""3.3.2 Carrying out a step of a vehicle's MPh."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Play
from sandtable.systems.aslsk.pieces.state import VehicleDeed, VehicleMoving, VehicleStep
from sandtable.systems.aslsk.vehicles.bog import attempt_removal, bog_number, check_bog
from sandtable.systems.aslsk.vehicles.dispensers import Aim, dispense
from sandtable.systems.aslsk.vehicles.drive_progress import DriveProgress
from sandtable.systems.aslsk.vehicles.driver import Driver
from sandtable.systems.aslsk.vehicles.driving_costs import DriveWay, entry_cost
from sandtable.systems.aslsk.vehicles.reliability import check_reliability, stall_halves
from sandtable.systems.aslsk.vehicles.vehicle_events import CrewChanged, VehicleExited, VehicleMoved, VehicleSpent

__all__ = ["execute"]


def execute(driver: Driver, play: Play, frame: VehicleMoving, now: DriveProgress, after: DriveProgress) -> None:
    """Take the first step of the plan, which was checked."""
    step = frame.plan[0]
    frame = replace(
        frame,
        plan=frame.plan[1:],
        spent=after.spent,
        hexes=after.hexes,
        only_started=after.only_started,
        all_in=after.all_in,
        uninvited=after.uninvited,
    )
    match step.kind:
        case VehicleDeed.ENTER | VehicleDeed.OFF_ROAD | VehicleDeed.ALL:
            _enter(driver, play, frame, step, now=now, after=after)
        case VehicleDeed.EXIT:
            _exit(driver, play, frame, now, step)
        case VehicleDeed.CREW:
            _change_crew(driver, play, frame, after)
        case VehicleDeed.START:
            _start(driver, play, frame, step, now=now, after=after)
        case VehicleDeed.SMOKE:
            _dispense(driver, play, frame, step, now=now)
        case VehicleDeed.UNBOG:
            _unbog(driver, play, frame, now)
        case _:
            _spend(driver, play, frame, step, now=now, after=after)


@rule("3.3.2")
def _enter(
    driver: Driver,
    play: Play,
    frame: VehicleMoving,
    step: VehicleStep,
    *,
    now: DriveProgress,
    after: DriveProgress,
) -> None:
    """The vehicle enters a hex (3.3.2)."""
    way = driver.way(now, step)
    assert isinstance(way, DriveWay)  # noqa: S101 - the step was checked
    off_road = step.kind is VehicleDeed.OFF_ROAD
    if step.kind is VehicleDeed.ALL:
        cost = Breakdown("Halves of MP", "3.3.2", base=driver.allowance, base_label="all MP")
    else:
        cost = entry_cost(
            driver.context,
            play.state,
            driver.vehicle,
            way,
            exposed=now.exposed,
            off_road=off_road,
            extra=step.extra,
        )
    frame = replace(
        frame,
        here=cost.total,
        via=way.direction if now.hex is not None else -1,
        open_road=way.by_road and way.covered and step.kind is VehicleDeed.ENTER,
        shots={},
        residual_drm=None,
        watched=False,
        entered=True,
    )
    play.emit(ev.Changed(frame))
    play.emit(VehicleMoved(frame.vehicle, way.to, after.vca, after.tca, cost))
    drm = bog_number(driver.context, driver.vehicle, way, step.kind)
    if drm is not None and check_bog(driver.context, play, frame.vehicle, drm):
        # A bogged vehicle must end its MPh at once (7.6).
        play.emit(ev.Changed(replace(frame, over=True)))


@rule("3.3.2")
def _start(
    driver: Driver, play: Play, frame: VehicleMoving, step: VehicleStep, *, now: DriveProgress, after: DriveProgress
) -> None:
    """The start MP, and what comes of it where the engine may fail (3.3.2)."""
    _spend(driver, play, frame, step, now=now, after=after)
    _try_engine(driver, play)


def _try_engine(driver: Driver, play: Play) -> None:
    """A vehicle that stalls has used MP in Delay; whoever does not run decides anew (3.3.2)."""
    vehicle_id, context = driver.vehicle.id, driver.context
    if check_reliability(context, play, vehicle_id):
        return
    frame = _top(play)
    vehicle = play.state.vehicles[vehicle_id]
    if vehicle.immobilized:
        play.emit(ev.Changed(replace(frame, plan=(), interrupted=True)))
        return
    halves = min(stall_halves(play, vehicle_id), frame.allowance - frame.spent)
    _pay(play, replace(frame, plan=(), interrupted=True), VehicleDeed.DELAY, halves, "stalled")


@rule("7.5")
def _dispense(driver: Driver, play: Play, frame: VehicleMoving, step: VehicleStep, *, now: DriveProgress) -> None:
    """Smoke for one MP; nothing is spent if there is none (7.5)."""
    frame = replace(frame, spent=now.spent, only_started=now.only_started)
    play.emit(ev.Changed(frame))
    if dispense(driver.context, play, frame.vehicle, driver.stance(now), Aim(step.to, step.tca)):
        _pay(play, frame, VehicleDeed.SMOKE, driver.costs["dispenser"], "smoke dispenser")


@rule("7.6")
def _unbog(driver: Driver, play: Play, frame: VehicleMoving, now: DriveProgress) -> None:
    """The attempt is the start: free, it may go on with the MP that are left, if any are (7.6)."""
    halves = min(attempt_removal(driver.context, play, frame.vehicle), frame.allowance - now.spent)
    _pay(play, replace(frame, spent=now.spent, plan=(), interrupted=True), VehicleDeed.UNBOG, halves, "Bog removal")
    if play.state.vehicles[frame.vehicle].started:
        _try_engine(driver, play)


def _top(play: Play) -> VehicleMoving:
    frame = play.state.stack[-1]
    assert isinstance(frame, VehicleMoving)  # noqa: S101 - nothing was opened meanwhile
    return frame


def _pay(play: Play, frame: VehicleMoving, what: VehicleDeed, halves: int, label: str) -> None:
    """MP that the dice have taken."""
    vehicle = play.state.vehicles[frame.vehicle]
    assert vehicle.hex is not None  # noqa: S101 - it is on the map
    here = frame.here + halves
    spent = frame.spent + halves
    play.emit(ev.Changed(replace(frame, spent=spent, here=here, watched=False, only_started=False, entered=False)))
    cost = Breakdown("Halves of MP", "3.3.2", base=halves, base_label=label)
    play.emit(VehicleSpent(frame.vehicle, vehicle.hex, what, vehicle.vca, vehicle.tca, cost))


@rule("3.3")
def _exit(driver: Driver, play: Play, frame: VehicleMoving, now: DriveProgress, step: VehicleStep) -> None:
    """The vehicle leaves the map (3.3)."""
    assert now.hex is not None  # noqa: S101 - the step was checked
    play.emit(ev.Changed(frame))
    play.emit(VehicleExited(frame.vehicle, now.hex, step.way, bool(driver.exit_counts(now.hex))))


@rule("7.7")
def _change_crew(driver: Driver, play: Play, frame: VehicleMoving, after: DriveProgress) -> None:
    """CE or BU without MP; the DEFENDER may fire by the MP spent last, if any were (7.7)."""
    play.emit(ev.Changed(replace(frame, watched=frame.here == 0)))
    play.emit(CrewChanged(driver.vehicle.id, after.exposed))


def _spend(
    driver: Driver,
    play: Play,
    frame: VehicleMoving,
    step: VehicleStep,
    *,
    now: DriveProgress,
    after: DriveProgress,
) -> None:
    """MP for something done in the hex, to which the DEFENDER may react (3.3.3)."""
    assert now.hex is not None  # noqa: S101 - the step was checked
    # After woods by all MP, stopping is paid for beyond the allotment.
    halves = after.spent - now.spent or driver.costs["stop"]
    play.emit(ev.Changed(replace(frame, here=frame.here + halves, watched=False, entered=False)))
    cost = Breakdown("Halves of MP", "3.3.2", base=halves, base_label=step.kind.value)
    play.emit(VehicleSpent(frame.vehicle, now.hex, step.kind, after.vca, after.tca, cost))
