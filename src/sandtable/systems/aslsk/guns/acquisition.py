"""6.10 Target Acquisition and 6.11 Area Acquisition by Guns and MA: what a shot acquires, and where its target goes.

A 1/2" counter is on units or vehicles and goes with them as long as the Gun sees where they go; a 5/8" counter is on
a hex. When an acquired stack scatters, all of it stays acquired until the Gun fires again: at whom it fires then is
the choice that the rule speaks of.
"""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.hidden import hidden_units
from sandtable.systems.aslsk.common.stacking import friends_at
from sandtable.systems.aslsk.common.vehicles_here import enemy_vehicles_at
from sandtable.systems.aslsk.fire.acquisition import acquirer, gain_acquisition, lose_acquisition
from sandtable.systems.aslsk.fire.firers import FireMode
from sandtable.systems.aslsk.guns.barrel import Barrel, barrel_of, gun_ids
from sandtable.systems.aslsk.guns.gun_to_hit import Shot, Targets, shot_acquired_drm
from sandtable.systems.aslsk.pieces.armament import SMOKE_SHELLS, TargetType
from sandtable.systems.aslsk.pieces.state import (
    State,
    UnitId,
    VehicleGun,
    VehicleId,
    Weapon,
    WeaponId,
    WeaponState,
)

__all__ = ["acquire", "track_targets"]


@rule("6.10", "6.11")
def acquire(context: Context, play: Play, shot: Shot, targets: Targets, *, sees: bool) -> None:
    """After a To Hit DR: -1 on a new target, -2 on the same; Smoke or a breakdown lose what there was.

    Without a LOS, or of a vehicle in its own MPh (7.9, example), nothing is acquired; what it has it keeps if it fires
    at that. Machine guns never acquire anything (case 20). A target that the shot has eliminated leaves the counter in
    its hex, to the next enemy who enters, as one that others eliminate does (6.10).
    """
    before = shot.barrel
    if before.main.is_mg:
        return
    if shot.ammo in SMOKE_SHELLS or not _still_serves(context, play.state, before):
        lose_acquisition(context, play, before.id)
        return
    drm = shot_acquired_drm(shot, targets)
    if not sees or shot.mode is FireMode.BOUNDING:
        if not drm:
            lose_acquisition(context, play, before.id)
        return
    meant: tuple[str, ...] = ()
    awaits: tuple[str, ...] | None = None
    if shot.target_type is not TargetType.AREA:
        unseen = hidden_units(context, play.state)
        meant = tuple(
            [
                name
                for name in (*targets.units, *targets.vehicles)
                if name not in unseen and _is_there(play.state, name, shot.target)
            ]
        )
        if not meant:
            awaits = _enemies_there(context, play.state, before.side, shot.target)
    gain_acquisition(context, play, before.id, shot.target, drm=drm, meant=meant, awaits=awaits)


def _still_serves(context: Context, state: State, before: Barrel) -> bool:
    """Whether a Gun or MA works after its shot; nothing that it does harms those who man it."""
    weapon = WeaponId(before.id if before.weapon is not None else "")
    now = barrel_of(context, state, weapon, VehicleId("" if weapon else before.id))
    if now is None:
        return False
    if now.vehicle is not None:
        return now.vehicle.works(VehicleGun.MAIN)
    return now.weapon is None or now.weapon.state is WeaponState.WORKING


def _is_there(state: State, name: str, hex: Hex) -> bool:
    return _hex_of(state, name) == hex


def _hex_of(state: State, name: str) -> Hex | None:
    """Where an acquired unit or vehicle is; None if it is gone."""
    unit = state.units.get(UnitId(name))
    if unit is not None:
        return unit.hex if unit.on_map else None
    vehicle = state.vehicles.get(VehicleId(name))
    return vehicle.hex if vehicle is not None and vehicle.in_play else None


@rule("6.10")
def track_targets(context: Context, play: Play) -> None:
    """Counters go with their targets; out of LOS in a new hex they stay where the target was last seen (6.10)."""
    state = play.state
    for name in _acquirers(context, state):
        piece = acquirer(state, name)
        if piece is None or (not piece.acquired_targets and piece.awaits is None):
            continue
        weapon = WeaponId(name if isinstance(piece, Weapon) else "")
        barrel = barrel_of(context, state, weapon, VehicleId("" if weapon else name))
        if barrel is not None:
            _track(context, play, barrel)


def _acquirers(context: Context, state: State) -> list[str]:
    return [*gun_ids(context), *state.vehicles]


def _track(context: Context, play: Play, barrel: Barrel) -> None:
    state, piece = play.state, barrel.piece
    if piece.awaits is not None:
        _meet(context, play, barrel, piece.awaits)
        return
    places = {name: hex for name in piece.acquired_targets if (hex := _hex_of(state, name)) is not None}
    seen = {name: hex for name, hex in places.items() if hex == piece.acquired or context.sees(state, barrel.hex, hex)}
    if len(seen) == len(piece.acquired_targets) and piece.acquired in seen.values():
        return
    if seen:
        hex = piece.acquired if piece.acquired in seen.values() else next(iter(seen.values()))
        play.emit(ev.GunAcquired(barrel.id, hex, tuple(seen), piece.acquisition))
    else:
        there = _enemies_there(context, state, barrel.side, piece.acquired)
        play.emit(ev.GunAcquired(barrel.id, piece.acquired, (), piece.acquisition, there))


@rule("6.10")
def _meet(context: Context, play: Play, barrel: Barrel, beside: tuple[str, ...]) -> None:
    """Another enemy who enters the hex where the counter lies receives it; those who were there do not (6.10)."""
    piece = barrel.piece
    there = _enemies_there(context, play.state, barrel.side, piece.acquired)
    entered = tuple([name for name in there if name not in beside])
    if entered:
        play.emit(ev.GunAcquired(barrel.id, piece.acquired, entered, piece.acquisition))
    elif len(there) < len(beside):
        play.emit(ev.GunAcquired(barrel.id, piece.acquired, (), piece.acquisition, there))


def _enemies_there(context: Context, state: State, seat: Seat, hex: Hex | None) -> tuple[str, ...]:
    """Enemies of a Gun or MA in the hex of its counter, as far as it knows."""
    unseen = hidden_units(context, state)
    units = [unit.id for unit in friends_at(context, state, hex, context.other(seat)) if unit.id not in unseen]
    return (*units, *[vehicle.id for vehicle in enemy_vehicles_at(state, hex, seat)])
