"""3.1, 7.2, 7.8 Repair of a vehicle's weapons in the RPh: every malfunctioned one, once."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.systems.aslsk.armour.vehicle_effects import recall
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.facts import vehicle_fire_events as vf
from sandtable.systems.aslsk.common.refusals import refuse_stranger
from sandtable.systems.aslsk.common.vehicle_actions import RepairVehicleGun
from sandtable.systems.aslsk.fire.vehicle_guns import weapon_name
from sandtable.systems.aslsk.pieces.state import State, Vehicle, VehicleGun, WeaponState
from sandtable.systems.aslsk.support_weapons.recovery import roll_repair

__all__ = ["refuse_vehicle_repair", "repair_vehicle_gun", "vehicle_repairs"]


def vehicle_repairs(state: State, seat: str) -> Iterator[tuple[Vehicle, VehicleGun]]:
    """The weapons of vehicles that a side may attempt to repair."""
    for vehicle in state.vehicles.values():
        for gun in vehicle.broken:
            if refuse_vehicle_repair(state, seat, RepairVehicleGun(vehicle.id, gun)) is None:
                yield vehicle, gun


@rule("3.1", "7.2", "7.8")
def refuse_vehicle_repair(state: State, seat: str, action: RepairVehicleGun) -> Refusal | None:
    """Why a weapon may not be repaired: by a Good Order crew, once a RPh, an AAMG by one that is CE (3.1, 7.8)."""
    vehicle = state.vehicles.get(action.vehicle)
    if vehicle is None or vehicle.side != seat or not vehicle.in_play:
        return refuse_stranger("3.1", action.vehicle, seat, "vehicle")
    name = weapon_name(vehicle, action.gun)
    if vehicle.broken.get(action.gun) is not WeaponState.MALFUNCTIONED:
        return Refusal("3.1", f"{name} is not malfunctioned", "a disabled one is gone for good")
    if not vehicle.is_active:
        return Refusal(
            "7.2",
            f"the crew of {vehicle.id} is {'shocked' if vehicle.is_shocked else 'stunned'}",
            "wait until it has recovered",
        )
    if action.gun is VehicleGun.ANTI_AIRCRAFT and not vehicle.exposed:
        return Refusal("7.8", f"{name} is repaired by a crew that is CE", "become CE first, in a MPh")
    if action.gun in vehicle.repaired:
        return Refusal("3.1", f"{name} was tried in this RPh", "try it again in the next RPh")
    return None


@rule("3.1", "7.2", "7.10")
def repair_vehicle_gun(context: Context, play: Play, action: RepairVehicleGun) -> None:
    """A dr of 1 repairs, a 6 disables for good, and without its MA a vehicle is recalled (3.1, 7.2, 7.10)."""
    vehicle, gun = play.state.vehicles[action.vehicle], action.gun
    needed = context.tables["vehicular_mg"].number(gun.value, "repair")
    roll, number, result = roll_repair(play, weapon_name(vehicle, gun), needed)
    play.emit(vf.VehicleRepairAttempted(vehicle.id, gun, roll, number, result))
    if result == "removed" and gun is VehicleGun.MAIN:
        recall(play, vehicle.id, why="its MA is disabled")
