"""3.3.2.2 Bounding First Fire: a vehicle fires in its own MPh, before, between or after the MP that it spends.

Its machine guns fire at half FP, and at half of that while it is Non-Stopped; nothing is turned for them. Its MA has
cases 14 and 16 of the To Hit process.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch
from sandtable.core.errors import Refusal
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Action
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.fact import HALVES
from sandtable.systems.aslsk.common.menu import LazyBranch, Menu, Spread
from sandtable.systems.aslsk.common.vehicle_actions import FireGun, FireVehicle
from sandtable.systems.aslsk.common.vehicles_here import target_hexes
from sandtable.systems.aslsk.fire.fire import can_hurt
from sandtable.systems.aslsk.fire.firers import Fireground, FireMode
from sandtable.systems.aslsk.guns.gun_choices import main_armament_way
from sandtable.systems.aslsk.guns.gun_fire import refuse_gun
from sandtable.systems.aslsk.guns.shooting import fire_gun
from sandtable.systems.aslsk.pieces.state import State, Vehicle, VehicleGun, VehicleMoving
from sandtable.systems.aslsk.vehicles.vehicle_fire import (
    fire_vehicle,
    fired_with,
    refuse_vehicle,
    refuse_vehicle_fire,
)
from sandtable.systems.aslsk.vehicles.vehicle_fire_choices import salvo_branch, salvos

__all__ = ["bound", "bounding_branches", "has_bounding", "refuse_bounding"]


def _ground(context: Context, state: State, vehicle: Vehicle, target: Hex) -> Fireground:
    return Fireground(context, state, FireMode.BOUNDING, vehicle.side, target)


@rule("3.3.2.2")
def refuse_bounding(
    context: Context, state: State, frame: VehicleMoving, action: FireVehicle | FireGun
) -> Refusal | None:
    """Why a vehicle on its way may not fire like this (3.3.2.2)."""
    if action.vehicle != frame.vehicle:
        return Refusal("3.3.2.2", f"{frame.vehicle} is on its way, and nobody else fires", "fire with it, or go on")
    vehicle = state.vehicles[frame.vehicle]
    ground = _ground(context, state, vehicle, action.target)
    if isinstance(action, FireVehicle):
        refusal = refuse_vehicle_fire(ground, action, frame.attacked)
        return refusal or (_refuse_main(state, frame) if VehicleGun.MAIN in action.guns else None)
    if action.target not in target_hexes(context, state, vehicle.side):
        return Refusal("3.3.2.2", "no enemy is in the target hex", "choose a hex with a known enemy")
    return refuse_gun(ground, action) or _refuse_main(state, frame)


@rule("3.3.2.2")
def _refuse_main(state: State, frame: VehicleMoving) -> Refusal | None:
    """A MA that keeps its ROF fires again only after another whole MP (3.3.2.2)."""
    vehicle = state.vehicles[frame.vehicle]
    if VehicleGun.MAIN in vehicle.guns_fired and _spent(vehicle) < frame.fired + HALVES:
        return Refusal("3.3.2.2", f"the MA of {frame.vehicle} fires again after another MP", "spend one")
    return None


def _spent(vehicle: Vehicle) -> int:
    """Halves of MP that it has spent in this MPh, one to stop after woods by all MP too."""
    return sum([halves for _, halves in vehicle.trail])


def _salvos(context: Context, state: State, frame: VehicleMoving, target: Hex) -> Iterator[FireVehicle]:
    vehicle = state.vehicles[frame.vehicle]
    ground = _ground(context, state, vehicle, target)
    if not can_hurt(ground) or refuse_vehicle(ground, vehicle, vehicle.id) is not None:
        return
    waits = _refuse_main(state, frame) is not None
    for action in salvos(ground, frame.attacked, vehicle):
        if not (waits and VehicleGun.MAIN in action.guns):
            yield action


def _ways(context: Context, state: State, frame: VehicleMoving, target: Hex) -> Iterator[LazyBranch]:
    """Machine guns and IFE together, or the MA by the To Hit process."""
    vehicle = state.vehicles[frame.vehicle]
    if next(_salvos(context, state, frame, target), None) is not None:
        yield partial(_salvo_branch, context, state, frame, target)
    main = main_armament_way(_ground(context, state, vehicle, target), vehicle.id)
    if main is not None and _refuse_main(state, frame) is None:
        yield main


def _salvo_branch(context: Context, state: State, frame: VehicleMoving, target: Hex) -> Branch[Action]:
    then = Spread(partial(_salvos, context, state, frame, target), salvo_branch)
    return Branch("IFT", "order", "Machine guns", then)


def bounding_branches(context: Context, state: State, frame: VehicleMoving) -> Iterator[Branch[Action]]:
    """The hexes that the vehicle may fire at now, with what it may fire."""
    vehicle = state.vehicles[frame.vehicle]
    if vehicle.hex is None:
        return
    for target in target_hexes(context, state, vehicle.side):
        ways = list(_ways(context, state, frame, target))
        if ways:
            label = context.label(target)
            yield Branch(label, "target", f"Fire at {label}", Menu(partial(list, ways)), label, is_hex=True)


def has_bounding(context: Context, state: State, frame: VehicleMoving) -> bool:
    """Whether the vehicle may fire at anything now."""
    return next(bounding_branches(context, state, frame), None) is not None


@rule("3.3.2.2")
def bound(context: Context, play: Play, frame: VehicleMoving, action: FireVehicle | FireGun) -> None:
    """Fire, and go on (3.3.2.2)."""
    vehicle = play.state.vehicles[frame.vehicle]
    ground = _ground(context, play.state, vehicle, action.target)
    if isinstance(action, FireGun):
        play.emit(ev.Changed(replace(frame, fired=_spent(vehicle))))
        if not fire_gun(ground, play, action):
            # For want of its ammunition it has not fired (6.2).
            play.emit(ev.Changed(frame))
        return
    fired = _spent(vehicle) if VehicleGun.MAIN in action.guns else frame.fired
    play.emit(ev.Changed(replace(frame, attacked=fired_with(frame.attacked, vehicle, action), fired=fired)))
    fire_vehicle(ground, play, action)
