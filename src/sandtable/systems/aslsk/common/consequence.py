"""What changed between two states, as players tell it: the unit of exact odds."""

from __future__ import annotations

from sandtable.core.ruleset import NO_EFFECT
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.pieces.state import (
    Shock,
    State,
    Stun,
    Unit,
    Vehicle,
    VehicleGun,
    Weapon,
    WeaponState,
    Whereabouts,
)

__all__ = ["consequence", "unit_change", "vehicle_change"]


def consequence(context: Context, before: State, after: State) -> str:
    """What became of every unit, weapon and vehicle, in a fixed order; ``no effect`` if nothing did."""
    changes = []
    for unit_id, unit in sorted(after.units.items()):
        was = before.units.get(unit_id)
        if unit is was:
            continue
        if was is None:
            changes.append(f"{unit_id} created")
        elif told := unit_change(context, was, unit):
            changes.append(f"{unit_id} {told}")
    for weapon_id, weapon in sorted(after.weapons.items()):
        old = before.weapons.get(weapon_id)
        if old is not None and (told := _weapon_change(old, weapon)):
            changes.append(f"{weapon_id} {told}")
    for vehicle_id, vehicle in sorted(after.vehicles.items()):
        before_it = before.vehicles.get(vehicle_id)
        if before_it is not None and (told := vehicle_change(before_it, vehicle)):
            changes.append(f"{vehicle_id} {told}")
    return ", ".join(changes) or NO_EFFECT


def unit_change(context: Context, was: Unit, now: Unit) -> str:
    """What became of one unit, "" if nothing did."""
    if now.place is not was.place:
        return {Whereabouts.ELIMINATED: "eliminated", Whereabouts.EXITED: "exited"}.get(now.place, "enters")
    told = []
    if now.card != was.card:
        word = "reduced to" if now.reduced and not was.reduced else "replaced by"
        told.append(f"{word} {context.unit_card(now.card).name}")
    if now.broken and not was.broken:
        told.append("broken")
    if was.broken and not now.broken:
        told.append("rallied")
    if now.broken and was.broken and now.dm and not was.dm:
        told.append("DM")
    if now.wounded and not was.wounded:
        told.append("wounded")
    if now.pinned and not was.pinned:
        told.append("pinned")
    return " and ".join(told)


def _weapon_change(was: Weapon, now: Weapon) -> str:
    if now.state is not was.state:
        return {WeaponState.WORKING: "repaired"}.get(now.state, now.state.value)
    if now.owner and now.owner != was.owner:
        return f"to {now.owner}"
    return ""


def vehicle_change(was: Vehicle, now: Vehicle) -> str:
    """What became of one vehicle and its weapons, "" if nothing did."""
    if now.wreck and not was.wreck:
        return "wrecked"
    if now.place is not was.place:
        return {Whereabouts.ELIMINATED: "eliminated", Whereabouts.EXITED: "exited"}.get(now.place, "enters")
    told = []
    if now.shock is not was.shock:
        told.append({Shock.SHOCK: "shocked", Shock.UNCONFIRMED_KILL: "UK"}.get(now.shock, "recuperated"))
    if now.stun is not was.stun and now.stun is not Stun.PLUS_ONE:
        told.append({Stun.STUN: "stunned", Stun.STUN_AND_RECALL: "STUNNED"}.get(now.stun, ""))
    elif now.recalled and not was.recalled:
        told.append("recalled")
    elif was.exposed and not now.exposed and not told:
        told.append("buttoned up")
    if now.immobilized and not was.immobilized:
        told.append("immobilized")
    told += [_gun_change(gun, now) for gun in VehicleGun if was.broken.get(gun) is not now.broken.get(gun)]
    return " and ".join(told)


def _gun_change(gun: VehicleGun, now: Vehicle) -> str:
    words = {WeaponState.MALFUNCTIONED: "malfunctions", WeaponState.REMOVED: "disabled"}
    state = now.broken.get(gun)
    return f"{gun.value} {'repaired' if state is None else words[state]}"
