"""1.3 A special rule: for a vehicle without a radio a DR decides in each MPh whether it leaves its hex."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import roll_dr
from sandtable.systems.aslsk.pieces.state import VehicleDeed, VehicleMoving
from sandtable.systems.aslsk.vehicles.vehicle_events import SignalRolled

__all__ = ["awaits_signal"]

_LEAVING = (VehicleDeed.ENTER, VehicleDeed.OFF_ROAD, VehicleDeed.ALL, VehicleDeed.EXIT)


@rule("1.3")
def awaits_signal(context: Context, play: Play, frame: VehicleMoving) -> bool:
    """Roll for a vehicle that is about to leave its hex and needs to be told; whether this was its step (1.3)."""
    vehicle = play.state.vehicles[frame.vehicle]
    number = context.scenario.conditions.radioless.get(vehicle.card)
    if number is None or frame.signal is not None or vehicle.hex is None or frame.plan[0].kind not in _LEAVING:
        return False
    roll = roll_dr(play, f"{vehicle.id} without a radio", [number])
    told = roll.total <= number
    play.emit(SignalRolled(vehicle.id, roll.faces, told))
    plan = frame.plan if told else ()
    play.emit(ev.Changed(replace(frame, signal=told, plan=plan, interrupted=not told)))
    return True
