"""1.3 The set-up that an author suggests: why it cannot be taken now, and how what is left is set up by it."""

from __future__ import annotations

from sandtable.core.decision import Seat
from sandtable.core.errors import Refusal
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import HideUnit, PlaceGun, PlaceUnit
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.possession import owners, weapons_of
from sandtable.systems.aslsk.common.stacking import fits
from sandtable.systems.aslsk.pieces.state import SettingUp, State, Unit, UnitId, WeaponId
from sandtable.systems.aslsk.setup_groups import arrange_as_suggested, refuse_suggested_groups
from sandtable.systems.aslsk.setup_ordnance import (
    ONE_VEHICLE,
    guns_to_point,
    is_emplaced,
    refuse_gun_in,
    refuse_hiding,
    refuse_place_gun,
    refuse_vehicle_hex,
    unplaced_vehicles,
)
from sandtable.systems.aslsk.setup_units import refuse_handing, refuse_unit_hex, unplaced_units, unpossessed_weapons

__all__ = ["refuse_suggested", "set_up_as_suggested"]


def refuse_suggested(context: Context, state: State, frame: SettingUp) -> Refusal | None:
    """Why what is left cannot be set up as the author suggests (1.3)."""
    scenario = context.scenario
    unplaced, carried = unplaced_units(context, state, frame.seat), owners(context, state)
    arriving: dict[Hex, list[Unit]] = {}
    for unit in unplaced:
        hex = scenario.suggested.get(unit.id)
        if hex is None:
            return Refusal("1.3", f"the scenario suggests no hex for {unit.id}", "place it yourself")
        refusal = refuse_unit_hex(context, state, unit, hex)
        if refusal is None and unit.id in carried:
            refusal = refuse_handing(context, state, unit, PlaceUnit(unit.id, hex))
        if refusal is not None:
            return refusal
        arriving.setdefault(hex, []).append(unit)
    for hex, units in arriving.items():
        if not fits(context, state, hex, frame.seat, units):
            return Refusal(
                "3.3.1", f"the suggested stack in {context.label(hex)} is too large now", "place one of them elsewhere"
            )
    for weapon in unpossessed_weapons(state, frame.seat):
        if scenario.possessors.get(weapon.id) not in state.units:
            return Refusal("4.0", f"the scenario suggests nobody for {weapon.id}", "hand it out yourself")
    refusal = refuse_suggested_groups(context, state, frame.seat)
    return refusal or _refuse_suggested_ordnance(context, state, frame.seat)


def _refuse_suggested_ordnance(context: Context, state: State, seat: str) -> Refusal | None:
    """Why vehicles and Guns cannot be set up as the author suggests (1.3)."""
    scenario = context.scenario
    taken: set[Hex] = set()
    for vehicle in unplaced_vehicles(state, seat):
        hex = scenario.suggested.get(vehicle.id)
        if hex is None or vehicle.id not in scenario.facings:
            return Refusal(
                "1.3", f"the scenario does not suggest where and how {vehicle.id} sets up", "place it yourself"
            )
        if hex in taken:
            return Refusal("3.3.1", f"two vehicles are suggested for {context.label(hex)}", ONE_VEHICLE)
        taken.add(hex)
        refusal = refuse_vehicle_hex(context, state, vehicle, hex)
        if refusal is not None:
            return refusal
    for weapon in state.weapons.values():
        if weapon.side != seat or weapon.facing >= 0 or context.weapon_card(weapon).gun is None:
            continue
        owner = state.units[weapon.owner or scenario.possessors[weapon.id]]
        hex = owner.hex or scenario.suggested.get(owner.id)
        if hex is None:
            continue
        if weapon.id not in scenario.facings:
            return Refusal("3.2.4", f"the scenario does not suggest where {weapon.id} points", "point it yourself")
        refusal = refuse_gun_in(context.weapon_card(weapon), context.ground.place(hex))
        if refusal is not None:
            return refusal
    return None


def set_up_as_suggested(context: Context, play: Play, frame: SettingUp) -> None:
    """Set up the rest as the author suggests (1.3)."""
    scenario = context.scenario
    gifts: dict[UnitId, list[WeaponId]] = {}
    for weapon in unpossessed_weapons(play.state, frame.seat):
        gifts.setdefault(scenario.possessors[weapon.id], []).append(weapon.id)
    for unit in unplaced_units(context, play.state, frame.seat):
        carried = tuple(weapon.id for weapon in weapons_of(context, play.state, unit.id))
        play.emit(ev.UnitPlaced(unit.id, scenario.suggested[unit.id], (*carried, *gifts.pop(unit.id, ()))))
    for unit_id, weapons in gifts.items():
        carried = tuple(weapon.id for weapon in weapons_of(context, play.state, unit_id))
        play.emit(ev.UnitPlaced(unit_id, play.state.units[unit_id].hex, (*carried, *weapons)))
    arrange_as_suggested(context, play, frame.seat)
    _suggested_ordnance(context, play, frame.seat)


def _suggested_ordnance(context: Context, play: Play, seat: Seat) -> None:
    """Vehicles, Guns and hidden units as the author suggests; who may not hide there stays to be seen (1.3, 6.4)."""
    scenario = context.scenario
    for vehicle in unplaced_vehicles(play.state, seat):
        facing = scenario.facings[vehicle.id]
        exposed = vehicle.id in scenario.exposed
        play.emit(ev.VehiclePlaced(vehicle.id, scenario.suggested[vehicle.id], facing, facing, exposed))
    for weapon in guns_to_point(context, play.state, seat):
        facing, hidden = scenario.facings[weapon.id], weapon.id in scenario.concealed
        if hidden and refuse_place_gun(context, play.state, seat, PlaceGun(weapon.id, facing, hidden)) is not None:
            hidden = False
        play.emit(ev.GunPlaced(weapon.id, facing, is_emplaced(context, play.state, weapon), hidden))
    for unit_id in scenario.concealed:
        hide = HideUnit(UnitId(unit_id))
        if unit_id in play.state.units and refuse_hiding(context, play.state, seat, hide) is None:
            play.emit(ev.UnitHidden(hide.unit, hidden=True))
