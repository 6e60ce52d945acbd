"""3.3.2.1, 7.5: what a defending vehicle may do besides fire when an enemy spends MF or MP in its sight."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Pick
from sandtable.core.errors import Refusal
from sandtable.systems.aslsk.common.actions import Action
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.refusals import refuse_stranger
from sandtable.systems.aslsk.common.vehicle_actions import AttemptMotion, DispenseSmoke
from sandtable.systems.aslsk.pieces.spines import spine_name
from sandtable.systems.aslsk.pieces.state import FirstFire, State, UnderWay, Vehicle
from sandtable.systems.aslsk.vehicles.dispensers import Aim, Stance, aims, dispense, refuse_dispenser
from sandtable.systems.aslsk.vehicles.motion import attempt_motion, attempters, refuse_motion

__all__ = ["evade", "evasion_branches", "refuse_evasion"]


def _stance(vehicle: Vehicle) -> Stance:
    assert vehicle.hex is not None  # noqa: S101 - it is on the map
    return Stance(vehicle.hex, vehicle.tca, vehicle.exposed, vehicle.is_stopped)


def evasion_branches(context: Context, state: State, frame: FirstFire, moving: UnderWay) -> Iterator[Branch[Action]]:
    """Motion Status attempts and smoke dispensers, vehicle by vehicle."""
    for vehicle, turns in attempters(context, state, frame.asked, moving):
        label = f"{context.vehicle_title(vehicle)}: attempt Motion Status"
        yield Branch(f"motion {vehicle.id}", "order", label, Pick(partial(_turns, vehicle, turns)), vehicle.id)
    for vehicle in state.vehicles.values():
        if vehicle.side == frame.asked and _sees_mover(context, state, frame, vehicle):
            ways = partial(_clouds, context, state, vehicle)
            if next(ways(), None) is not None:
                label = f"{context.vehicle_title(vehicle)}: smoke dispenser"
                yield Branch(f"smoke {vehicle.id}", "order", label, Pick(ways), vehicle.id)


def _turns(vehicle: Vehicle, turns: list[tuple[int, int]]) -> Iterator[Branch[Action]]:
    for vca, tca in turns:
        parts = [f"hull to {spine_name(vca)}"] if vca >= 0 else []
        if tca >= 0:
            parts.append(f"turret to {spine_name(tca)}")
        action = AttemptMotion(vehicle.id, vca, tca)
        yield Branch(f"{vca} {tca}", "facing", ", ".join(parts) or "as it stands", Leaf[Action](action))


def _clouds(context: Context, state: State, vehicle: Vehicle) -> Iterator[Branch[Action]]:
    for to, tca in aims(context, state, vehicle, _stance(vehicle)):
        label = context.label(to if to is not None else vehicle.hex)
        words = f"Smoke in {label}" if tca < 0 else f"Smoke in {label}, turret to {spine_name(tca)}"
        leaf = Leaf[Action](DispenseSmoke(vehicle.id, to, tca))
        if to is None:
            # An answer that names no hex is about the vehicle.
            yield Branch(f"{label} {tca}", "order", words, leaf, vehicle.id)
        else:
            yield Branch(f"{label} {tca}", "hex", words, leaf, label, is_hex=True)


def _sees_mover(context: Context, state: State, frame: FirstFire, vehicle: Vehicle) -> bool:
    return vehicle.hex is not None and vehicle.is_active and context.sees(state, vehicle.hex, frame.hex)


@rule("3.3.2.1", "7.5")
def refuse_evasion(
    context: Context, state: State, frame: FirstFire, moving: UnderWay, action: AttemptMotion | DispenseSmoke
) -> Refusal | None:
    """Why a vehicle may not react like this (3.3.2.1, 7.5)."""
    if isinstance(action, AttemptMotion):
        return refuse_motion(context, state, frame.asked, moving, action)
    vehicle = state.vehicles.get(action.vehicle)
    if vehicle is None or vehicle.side != frame.asked or not vehicle.in_play:
        return refuse_stranger("7.5", action.vehicle, frame.asked, "vehicle")
    if vehicle.is_active and not _sees_mover(context, state, frame, vehicle):
        return Refusal("7.5", f"{vehicle.id} does not see who spends MF or MP", "wait until it does")
    return refuse_dispenser(context, state, vehicle, _stance(vehicle), Aim(action.hex, action.tca))


def evade(context: Context, play: Play, moving: UnderWay, action: AttemptMotion | DispenseSmoke) -> None:
    """Attempt Motion Status, or dispense smoke for no MP (3.3.2.1, 7.5)."""
    if isinstance(action, AttemptMotion):
        attempt_motion(context, play, moving, action)
    else:
        stance = _stance(play.state.vehicles[action.vehicle])
        dispense(context, play, action.vehicle, stance, Aim(action.hex, action.tca))
