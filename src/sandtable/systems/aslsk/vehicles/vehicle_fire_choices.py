"""7.8 Fire of vehicular MG and IFE among the ways to fire: a vehicle, what is turned, and what fires."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations, islice

from sandtable.core.decision import Branch, Leaf
from sandtable.systems.aslsk.common.actions import Action
from sandtable.systems.aslsk.common.menu import LazyBranch, Spread
from sandtable.systems.aslsk.common.vehicle_actions import FireVehicle
from sandtable.systems.aslsk.fire.fire import can_hurt
from sandtable.systems.aslsk.fire.firers import Fireground, FireMode
from sandtable.systems.aslsk.fire.vehicle_guns import arc_of, bears, guns_on, stance_of, stances
from sandtable.systems.aslsk.pieces.spines import spine_name
from sandtable.systems.aslsk.pieces.state import Attacked, Vehicle
from sandtable.systems.aslsk.vehicles.vehicle_fire import refuse_gun, refuse_vehicle, refuse_vehicle_fire

__all__ = ["salvo_branch", "salvos", "vehicle_firers", "vehicle_ways"]


def vehicle_ways(ground: Fireground, attacked: Sequence[Attacked] = ()) -> Iterator[LazyBranch]:
    """The vehicles that may fire at the target, with all that they may fire together."""
    for vehicle in vehicle_firers(ground, attacked):
        yield partial(_vehicle_branch, ground, attacked, vehicle)


def vehicle_firers(
    ground: Fireground, attacked: Sequence[Attacked] = (), *, in_sight: bool = False
) -> Iterator[Vehicle]:
    """Vehicles that may fire at the target on the IFT, or those alone that see it."""
    if not ground.state.vehicles or not can_hurt(ground):
        return
    for vehicle in ground.state.vehicles.values():
        if vehicle.side != ground.seat or not guns_on(ground.context, vehicle):
            continue
        if refuse_vehicle(ground, vehicle, vehicle.id) is not None:
            continue
        if in_sight and (vehicle.hex is None or not ground.sees(vehicle.hex)):
            continue
        if next(salvos(ground, attacked, vehicle), None) is not None:
            yield vehicle


def salvos(ground: Fireground, attacked: Sequence[Attacked], vehicle: Vehicle) -> Iterator[FireVehicle]:
    """All that a vehicle may fire at the target together, with every turn of turret or hull."""
    able = [gun for gun in guns_on(ground.context, vehicle) if refuse_gun(ground, vehicle, gun) is None]
    if not able:
        return
    card = ground.context.vehicle_card(vehicle)
    turns = stances(card, vehicle, ground.target)
    # In its own MPh nothing is turned for them (7.8).
    for facing, turn_hull in islice(turns, 1) if ground.mode is FireMode.BOUNDING else turns:
        stance = stance_of(card, vehicle, facing, turn_hull=turn_hull)
        ready = [gun for gun in able if bears(vehicle, stance, arc_of(card, gun), ground.target, ground.moving)]
        for number in range(len(ready), 0, -1):
            for guns in combinations(ready, number):
                action = FireVehicle(vehicle.id, guns, ground.target, facing, turn_hull)
                if refuse_vehicle_fire(ground, action, attacked) is None:
                    yield action


def _vehicle_branch(ground: Fireground, attacked: Sequence[Attacked], vehicle: Vehicle) -> Branch[Action]:
    label = f"{ground.context.vehicle_card(vehicle).name} {vehicle.id} fires"
    return Branch(
        vehicle.id, "unit", label, Spread(partial(salvos, ground, attacked, vehicle), salvo_branch), vehicle.id
    )


def salvo_branch(action: FireVehicle) -> Branch[Action]:
    """One of these, in words."""
    label = " and ".join(gun.value for gun in action.guns)
    if action.facing >= 0:
        label += f", {'hull' if action.turn_hull else 'turret'} to {spine_name(action.facing)}"
    return Branch(label, "order", label, Leaf[Action](action), action.vehicle)
