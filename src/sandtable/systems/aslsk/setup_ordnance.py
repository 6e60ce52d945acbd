"""1.2.6, 1.2.7, 6.3, 6.4 Set-up of vehicles, of Guns, and of those who are hidden.

A vehicle is placed at once with what its front and turret point at, Crew Exposed or Buttoned Up. A Gun is set up with
whoever possesses it; then its owner says at which hexspine it points and whether it is hidden with its crew. What may
set up hidden is seen by nobody else before the set-up is finished.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick
from sandtable.core.errors import Refusal
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.actions import Action, HideUnit, PlaceGun, PlaceVehicle
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.menu import LazyBranch, Spread
from sandtable.systems.aslsk.common.refusals import refuse_stranger
from sandtable.systems.aslsk.common.stacking import held
from sandtable.systems.aslsk.common.vehicles_here import vehicles_at
from sandtable.systems.aslsk.pieces.cards import UnitKind, WeaponCard
from sandtable.systems.aslsk.pieces.spines import SPINE_NAMES, SPINES, spine_name
from sandtable.systems.aslsk.pieces.state import State, Unit, Vehicle, Weapon, Whereabouts
from sandtable.systems.aslsk.pieces.vehicle_cards import VehicleCard, VehicleType
from sandtable.systems.aslsk.terrain.kinds import HexPlace

__all__ = [
    "ONE_VEHICLE",
    "gun_ways",
    "guns_to_point",
    "hiding_ways",
    "is_emplaced",
    "refuse_gun_in",
    "refuse_hiding",
    "refuse_place_gun",
    "refuse_place_vehicle",
    "refuse_vehicle_hex",
    "refuse_vehicle_in",
    "unplaced_vehicles",
    "vehicle_ways",
]

ONE_VEHICLE = "one vehicle a side in a hex"


# --- vehicles ---------------------------------------------------------------------------------------------------


def unplaced_vehicles(state: State, seat: str) -> list[Vehicle]:
    """The vehicles of a side that are not set up."""
    if not state.vehicles:
        return []
    return [one for one in state.vehicles.values() if one.side == seat and one.place is Whereabouts.TO_SET_UP]


@rule("1.1.1")
def refuse_vehicle_in(card: VehicleCard, place: HexPlace) -> Refusal | None:
    """Why such a vehicle may not be in such a hex: an Armored Car sets up in no building (1.1.1)."""
    if place.building and card.type is VehicleType.ARMORED_CAR:
        return Refusal("1.1.1", "an Armored Car may not set up in a building", "another hex")
    return None


@rule("1.1.1", "1.3", "3.3.1")
def refuse_vehicle_hex(context: Context, state: State, vehicle: Vehicle, hex: Hex) -> Refusal | None:
    """Why a vehicle may not set up in a hex: its area, enemies, another vehicle, terrain (1.1.1, 1.3, 3.3.1)."""
    if vehicle.place not in (Whereabouts.TO_SET_UP, Whereabouts.MAP):
        return Refusal("3.3", f"{vehicle.id} enters the map in play", "end the set-up without it")
    if hex not in context.scenario.zones[vehicle.force]:
        return Refusal("1.3", f"{vehicle.id} may not set up there", "a hex of its set-up area")
    others = [one for one in vehicles_at(state, hex) if one.id != vehicle.id]
    if hex in held(context, state, vehicle.side)[1] or any(one.side != vehicle.side for one in others):
        return Refusal("3.3", "enemy units are set up there", "another hex of its set-up area")
    if others:
        return Refusal("3.3.1", f"{others[0].id} is set up in {context.label(hex)}", ONE_VEHICLE)
    place = context.ground.place(hex)
    if place.building and context.scenario.conditions.no_vehicles_in_buildings:
        return Refusal("1.3", "in this scenario vehicles may not be in buildings", "another hex")
    return refuse_vehicle_in(context.vehicle_card(vehicle), place)


@rule("1.3", "3.2.4")
def refuse_place_vehicle(context: Context, state: State, seat: str, action: PlaceVehicle) -> Refusal | None:
    """Why a vehicle may not set up so (1.3, 3.2.4)."""
    vehicle = state.vehicles.get(action.vehicle)
    if vehicle is None or vehicle.side != seat:
        return refuse_stranger("1.3", action.vehicle, seat, "vehicle", where="")
    if action.vca not in SPINES or action.tca not in SPINES:
        return Refusal("3.2.4", "front and turret point at a hexspine", SPINE_NAMES)
    card = context.vehicle_card(vehicle)
    if action.tca != action.vca and not card.has_turret:
        return Refusal("3.2.4", f"{card.name} has no turret", "a TCA that is its VCA")
    placed = (vehicle.hex, vehicle.vca, vehicle.tca, vehicle.exposed)
    if placed == (action.hex, action.vca, action.tca, action.exposed):
        return Refusal("1.3", f"{vehicle.id} is set up so already", "another hex or facing")
    return refuse_vehicle_hex(context, state, vehicle, action.hex)


def vehicle_ways(context: Context, state: State, vehicles: list[Vehicle]) -> Iterator[LazyBranch]:
    """Vehicles that can be placed, or placed otherwise."""
    for vehicle in vehicles:
        if _vehicle_hexes(context, state, vehicle):
            yield partial(_vehicle_branch, context, state, vehicle)


def _vehicle_hexes(context: Context, state: State, vehicle: Vehicle) -> list[Hex]:
    zone = context.scenario.zones[vehicle.force]
    return [hex for hex in sorted(zone) if refuse_vehicle_hex(context, state, vehicle, hex) is None]


def _vehicle_branch(context: Context, state: State, vehicle: Vehicle) -> Branch[Action]:
    then = Spread(partial(_vehicle_hexes, context, state, vehicle), partial(_hex_branch, context, vehicle))
    return Branch(vehicle.id, "unit", context.vehicle_title(vehicle), then, vehicle.id)


def _hex_branch(context: Context, vehicle: Vehicle, hex: Hex) -> Branch[Action]:
    label = context.label(hex)
    then = Spread(lambda: SPINES, partial(_front_branch, context, vehicle, hex))
    return Branch(label, "hex", f"In {label}", then, label, is_hex=True)


def _front_branch(context: Context, vehicle: Vehicle, hex: Hex, vca: int) -> Branch[Action]:
    def ways() -> Iterator[Branch[Action]]:
        yield from _crew_ways(vehicle, hex, vca, vca)
        if context.vehicle_card(vehicle).has_turret:
            then = Spread(lambda: [one for one in SPINES if one != vca], partial(_turret_branch, vehicle, hex, vca))
            yield Branch("turret", "order", "The turret elsewhere", then)

    return Branch(spine_name(vca), "facing", f"Front at {spine_name(vca)}", Pick(ways))


def _turret_branch(vehicle: Vehicle, hex: Hex, vca: int, tca: int) -> Branch[Action]:
    then: Node[Action] = Pick(lambda: _crew_ways(vehicle, hex, vca, tca))
    return Branch(spine_name(tca), "facing", f"Turret at {spine_name(tca)}", then)


def _crew_ways(vehicle: Vehicle, hex: Hex, vca: int, tca: int) -> Iterator[Branch[Action]]:
    for key, label, exposed in (("BU", "Buttoned Up", False), ("CE", "Crew Exposed", True)):
        if (vehicle.hex, vehicle.vca, vehicle.tca, vehicle.exposed) != (hex, vca, tca, exposed):
            yield Branch(key, "order", label, Leaf[Action](PlaceVehicle(vehicle.id, hex, vca, tca, exposed)))


# --- Guns -------------------------------------------------------------------------------------------------------


@rule("1.2.6")
def refuse_gun_in(card: WeaponCard, place: HexPlace) -> Refusal | None:
    """Why such a Gun may not be in such a hex: only small ones, and AT or INF that are not large, in a building."""
    if card.gun is None or not place.building or card.gun.fits_building:
        return None
    why = f"{card.name} may not occupy a building"
    return Refusal("1.2.6", why, "a small Gun, or an AT or INF Gun that is not large")


def guns_to_point(context: Context, state: State, seat: str) -> list[Weapon]:
    """The Guns on the map that point nowhere yet."""
    if seat not in context.scenario.hiders:
        return []
    return [weapon for weapon in _guns(context, state, seat) if weapon.facing < 0]


def _guns(context: Context, state: State, seat: str) -> Iterator[Weapon]:
    for weapon in state.weapons.values():
        owner = state.units.get(weapon.owner)
        if weapon.side == seat and owner is not None and owner.on_map and context.weapon_card(weapon).gun is not None:
            yield weapon


@rule("6.3")
def is_emplaced(context: Context, state: State, weapon: Weapon) -> bool:
    """Whether a Gun that has not moved is emplaced: manned by a crew, and on no paved road (6.3)."""
    owner = state.units.get(weapon.owner)
    if owner is None or owner.hex is None or context.card(owner).kind is not UnitKind.CREW:
        return False
    return not context.ground.place(owner.hex).paved


@rule("3.2.4", "6.4")
def refuse_place_gun(context: Context, state: State, seat: str, action: PlaceGun) -> Refusal | None:
    """Why a Gun may not be set up so (3.2.4, 6.4)."""
    weapon = state.weapons.get(action.weapon)
    if weapon is None or weapon not in _guns(context, state, seat):
        return Refusal("1.3", f"{action.weapon!r} is no Gun of {seat} that is set up", "give it to a unit on the map")
    if action.facing not in SPINES:
        return Refusal("3.2.4", "a Gun points at a hexspine", SPINE_NAMES)
    if (weapon.facing, weapon.hidden) == (action.facing, action.hidden):
        return Refusal("1.3", f"{weapon.id} is set up so already", "another hexspine")
    return _refuse_hidden_gun(context, state, weapon) if action.hidden else None


@rule("6.4")
def _refuse_hidden_gun(context: Context, state: State, weapon: Weapon) -> Refusal | None:
    """Why a Gun may not be hidden: only one that is emplaced may, where no enemy can set up (6.4)."""
    owner = state.units[weapon.owner]
    if not is_emplaced(context, state, weapon):
        return Refusal("6.4", f"{weapon.id} is not emplaced", "a crew to man it, off paved roads")
    return _refuse_hidden_hex(context, owner)


def _refuse_hidden_hex(context: Context, unit: Unit) -> Refusal | None:
    scenario = context.scenario
    if any(unit.hex in hexes and scenario.side_of[force] != unit.side for force, hexes in scenario.zones.items()):
        return Refusal("6.4", f"an enemy may set up in {context.label(unit.hex)}", "a hex of its own area alone")
    return None


def gun_ways(context: Context, state: State, weapons: list[Weapon]) -> Iterator[LazyBranch]:
    """Guns that can be pointed, or pointed elsewhere."""
    for weapon in weapons:
        yield partial(_gun_branch, context, state, weapon)


def _gun_branch(context: Context, state: State, weapon: Weapon) -> Branch[Action]:
    def spines() -> list[int]:
        return [spine for spine in SPINES if next(_gun_actions(context, state, weapon, spine), None) is not None]

    then = Spread(spines, partial(_facing_branch, context, state, weapon))
    return Branch(f"point {weapon.id}", "weapon", f"Point {context.weapon_title(weapon)}", then, weapon.id)


def _facing_branch(context: Context, state: State, weapon: Weapon, facing: int) -> Branch[Action]:
    def ways() -> Iterator[Branch[Action]]:
        for action in _gun_actions(context, state, weapon, facing):
            key, label = ("hidden", "Hidden with its crew") if action.hidden else ("seen", "For all to see")
            yield Branch(key, "order", label, Leaf[Action](action))

    return Branch(spine_name(facing), "facing", f"At {spine_name(facing)}", Pick(ways))


def _gun_actions(context: Context, state: State, weapon: Weapon, facing: int) -> Iterator[PlaceGun]:
    for hidden in (False, True):
        action = PlaceGun(weapon.id, facing, hidden)
        if refuse_place_gun(context, state, weapon.side, action) is None:
            yield action


# --- hidden units -----------------------------------------------------------------------------------------------


@rule("6.4")
def refuse_hiding(context: Context, state: State, seat: str, action: HideUnit) -> Refusal | None:
    """Why a unit may not set up hidden: only a special rule lets it, off Open Ground (6.4)."""
    unit = state.units.get(action.unit)
    if unit is None or unit.side != seat:
        return refuse_stranger("1.3", action.unit, seat, where="")
    if unit.force not in context.scenario.conditions.hidden:
        return Refusal("6.4", f"no special rule lets {unit.id} set up hidden", "let it set up in sight")
    if unit.hex is None or not unit.on_map:
        return Refusal("6.4", f"{unit.id} is not set up", "place it first")
    if unit.hidden is action.hidden:
        return Refusal("6.4", f"{unit.id} is {'hidden' if unit.hidden else 'seen'} already", "leave it so")
    if not action.hidden:
        return None
    if context.ground.place(unit.hex).open_ground:
        return Refusal("6.4", f"{context.label(unit.hex)} is Open Ground", "a hex that is none")
    return _refuse_hidden_hex(context, unit)


def hiding_ways(context: Context, state: State, seat: str) -> Iterator[LazyBranch]:
    """Units that a special rule lets hide, or come out again."""
    if not context.scenario.conditions.hidden:
        return
    for unit in state.units.values():
        action = HideUnit(unit.id, not unit.hidden)
        if unit.side == seat and refuse_hiding(context, state, seat, action) is None:
            yield partial(_hiding_branch, context, unit, action)


def _hiding_branch(context: Context, unit: Unit, action: HideUnit) -> Branch[Action]:
    label = f"{'Hide' if action.hidden else 'Show'} {context.card(unit).name} {unit.id}"
    return Branch(f"hide {unit.id}", "order", label, Leaf[Action](action), unit.id)
