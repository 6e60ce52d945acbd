"""3.3.2 The question of a vehicle on its way, and what the MPh asks about vehicles that have not moved."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking
from sandtable.systems.aslsk.common.actions import Action
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.refusals import refuse_shocked, refuse_stranger
from sandtable.systems.aslsk.common.vehicle_actions import (
    ChangeCrew,
    ContinueVehicle,
    FireGun,
    FireVehicle,
    MoveVehicle,
)
from sandtable.systems.aslsk.fire.firers import FireMode
from sandtable.systems.aslsk.fire.firing_handler import FiringHandler
from sandtable.systems.aslsk.pieces.state import (
    Phase,
    State,
    Vehicle,
    VehicleId,
    VehicleMoving,
    VehicleStep,
    Whereabouts,
)
from sandtable.systems.aslsk.vehicles.bounding import bound, bounding_branches, has_bounding, refuse_bounding
from sandtable.systems.aslsk.vehicles.crew_hatch import refuse_after_fire, refuse_crew
from sandtable.systems.aslsk.vehicles.drive_path import DrivePath
from sandtable.systems.aslsk.vehicles.driver import Driver, may_drive
from sandtable.systems.aslsk.vehicles.driving import (
    advance_driving,
    continue_driving,
    progress_of,
    refuse_driving_on,
)
from sandtable.systems.aslsk.vehicles.vehicle_events import VEHICLE_FOLDS, CrewChanged

__all__ = [
    "VehicleMovingHandler",
    "change_crew",
    "crew_branches",
    "drivable",
    "drive_path",
    "fires_first",
    "refuse_change_crew",
    "refuse_standing_by",
]

_OFF_BOARD = Whereabouts.OFF_BOARD


def drivable(context: Context, state: State, player: str) -> Iterator[Vehicle]:
    """The vehicles of a side that may spend MP."""
    for vehicle in state.vehicles.values():
        if vehicle.side == player and may_drive(vehicle):
            driver = Driver(context, state, vehicle)
            if driver.first_step(driver.begin()) is not None:
                yield vehicle


def fires_first(context: Context, state: State, vehicle: Vehicle) -> Branch[Action] | None:
    """To begin the MPh of a vehicle with fire, if it may (3.3.2.2)."""
    if not has_bounding(context, state, VehicleMoving(vehicle.id, (), 0)):
        return None
    label = f"{context.vehicle_title(vehicle)} fires before it moves"
    return Branch(f"{vehicle.id} fires", "unit", label, Leaf[Action](MoveVehicle(vehicle.id, (), True)), vehicle.id)


def drive_path(context: Context, state: State, vehicle: Vehicle) -> DrivePath:
    """All that a vehicle may do in its MPh."""
    driver = Driver(context, state, vehicle)
    return DrivePath(driver, driver.begin(), partial(_move, vehicle.id))


def _move(vehicle: VehicleId, steps: tuple[VehicleStep, ...], halt: bool) -> Action:
    return MoveVehicle(vehicle, steps, halt)


@rule("3.3.2", "7.10")
def refuse_standing_by(context: Context, state: State, player: str) -> Refusal | None:
    """The MPh does not end before every mobile vehicle in Motion has spent MP, and every recalled one (3.3.2, 7.10)."""
    for vehicle in state.vehicles.values():
        if vehicle.side != player or not vehicle.in_play or not vehicle.is_mobile or not may_drive(vehicle):
            continue
        if vehicle.recalled and Driver(context, state, vehicle).is_bound_home():
            return Refusal("7.10", f"{vehicle.id} is recalled", "drive it home by the shortest way")
        if vehicle.motion:
            return Refusal("3.3.2", f"{vehicle.id} is in Motion and must spend MP", "move it, if only to stop")
    return None


# --- crews ------------------------------------------------------------------------------------------------------


@rule("7.7")
def refuse_change_crew(context: Context, state: State, player: str, action: ChangeCrew) -> Refusal | None:
    """Why a crew may not change between CE and BU now (7.7)."""
    vehicle = state.vehicles.get(action.vehicle)
    if vehicle is not None and vehicle.side == player and vehicle.place is _OFF_BOARD:
        return _refuse_crew_off_board(state, vehicle)
    if vehicle is None or vehicle.side != player or not vehicle.in_play:
        return refuse_stranger("7.7", action.vehicle, player, "vehicle")
    if not vehicle.is_active:
        return refuse_shocked("7.10", vehicle.id)
    if state.phase is Phase.MOVEMENT:
        if vehicle.moved:
            return Refusal("7.7", f"{vehicle.id} has ended its MPh", "change in the APh")
        return refuse_crew(context, vehicle) or refuse_after_fire(vehicle)
    return refuse_crew(context, vehicle)


@rule("3.3", "7.7")
def _refuse_crew_off_board(state: State, vehicle: Vehicle) -> Refusal | None:
    """CE is part of how a vehicle is set up off board, and no change of this MPh: said once, before it enters (7.7)."""
    if state.phase is not Phase.MOVEMENT:
        return Refusal("7.7", f"{vehicle.id} is not on the map", "let it enter first")
    if vehicle.exposed:
        return Refusal("7.7", f"{vehicle.id} is set up off board CE", "button up once it has entered")
    return None


def crew_branches(context: Context, state: State, player: str) -> Iterator[Branch[Action]]:
    """The crews that may become CE or button up."""
    for vehicle in state.vehicles.values():
        action = ChangeCrew(vehicle.id)
        if vehicle.side == player and refuse_change_crew(context, state, player, action) is None:
            words = "button up" if vehicle.exposed else "Crew Exposed"
            label = f"{context.vehicle_title(vehicle)}: {words}"
            yield Branch(vehicle.id, "unit", label, Leaf[Action](action), vehicle.id)


def change_crew(play: Play, action: ChangeCrew) -> None:
    """A crew becomes CE or buttons up (7.7)."""
    play.emit(CrewChanged(action.vehicle, not play.state.vehicles[action.vehicle].exposed))


# --- the question -----------------------------------------------------------------------------------------------


class VehicleMovingHandler(FiringHandler[VehicleMoving]):
    """3.3.2: a vehicle on its way; its next steps are known to its owner alone."""

    frame = VehicleMoving
    answers = (ContinueVehicle, FireGun, FireVehicle)
    folds = VEHICLE_FOLDS

    def question(self, state: State, frame: VehicleMoving) -> Asking:
        """The owner."""
        return Asking("3.3.2", "Go on with the vehicle", (state.vehicles[frame.vehicle].side,))

    def options(self, state: State, frame: VehicleMoving, seat: Seat) -> Node[Action]:
        """To end its MPh, go on, or fire."""
        return Pick(lambda: self._ways_on(state, frame))

    def _ways_on(self, state: State, frame: VehicleMoving) -> Iterator[Branch[Action]]:
        driver = Driver(self.context, state, state.vehicles[frame.vehicle])
        now = progress_of(state, frame)
        if driver.refuse_end(now) is None:
            yield Branch("end", "stop", "Go no farther", Leaf[Action](ContinueVehicle()))
        if driver.first_step(now) is not None:
            title = self.context.vehicle_title(driver.vehicle)
            path = DrivePath(driver, now, ContinueVehicle)
            yield Branch(frame.vehicle, "unit", f"Go on with {title}", path, frame.vehicle)
        yield from bounding_branches(self.context, state, frame)

    def refusal(self, state: State, frame: VehicleMoving, seat: Seat, action: Action) -> Refusal | None:
        """Steps that may not be taken, fire that may not be declared."""
        if isinstance(action, FireVehicle | FireGun):
            return refuse_bounding(self.context, state, frame, action)
        assert isinstance(action, ContinueVehicle)  # noqa: S101 - the other answer
        return refuse_driving_on(self.context, state, frame, action)

    def apply(self, play: Play, frame: VehicleMoving, seat: Seat, action: Action) -> None:
        """Another plan, or fire."""
        if isinstance(action, FireVehicle | FireGun):
            bound(self.context, play, frame, action)
            return
        assert isinstance(action, ContinueVehicle)  # noqa: S101 - the other answer
        continue_driving(play, frame, action)

    def advance(self, play: Play, frame: VehicleMoving) -> bool:
        """Step by step."""
        return advance_driving(self.context, play, frame)

    def mode(self, state: State) -> FireMode:
        """Bounding First Fire."""
        return FireMode.BOUNDING

    def conceal(self, frame: VehicleMoving, seat: Seat | None) -> VehicleMoving:
        """The plan is its owner's."""
        return replace(frame, plan=()) if frame.plan and self._owner(frame) != seat else frame

    def may_hide(self, frame: VehicleMoving, holder: Seat) -> bool:
        """Who is on his way may be going on."""
        return self._owner(frame) == holder

    def _owner(self, frame: VehicleMoving) -> Seat:
        return self.context.scenario.vehicles[frame.vehicle].side
