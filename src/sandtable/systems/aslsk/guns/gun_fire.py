"""3.2.4 Who may fire a Gun or MA at what, and with what: the reasons against a shot, from what fires to its arc.

The ways to fire are listed by the same questions that judge an action.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.geo.hex import NEIGHBOURS, opposite
from sandtable.systems.aslsk.common.hidden import hidden_units
from sandtable.systems.aslsk.common.possession import weapons_of
from sandtable.systems.aslsk.common.refusals import refuse_spine
from sandtable.systems.aslsk.common.stacking import at
from sandtable.systems.aslsk.common.vehicle_actions import FireGun
from sandtable.systems.aslsk.common.vehicles_here import enemy_vehicles_at, is_occupied, vehicles_at
from sandtable.systems.aslsk.fire.fire import targets_of
from sandtable.systems.aslsk.fire.fire_groups import refuse_usage
from sandtable.systems.aslsk.fire.firers import Bar, Fireground, FireMode
from sandtable.systems.aslsk.fire.vehicle_guns import (
    arc_of,
    bears,
    fire_time,
    refuse_crew,
    refuse_crew_place,
    refuse_time,
    refuse_turn,
    stance_of,
    stances,
)
from sandtable.systems.aslsk.guns.ammunition import refuse_ammo
from sandtable.systems.aslsk.guns.barrel import Barrel, barrel_of
from sandtable.systems.aslsk.guns.direction import refuse_gun_director
from sandtable.systems.aslsk.guns.gun_to_hit import Shot, Targets, has_number
from sandtable.systems.aslsk.pieces.armament import SMOKE_SHELLS, Ammo, TargetType
from sandtable.systems.aslsk.pieces.cards import UnitKind
from sandtable.systems.aslsk.pieces.spines import SPINES, spine_name
from sandtable.systems.aslsk.pieces.state import (
    Mark,
    UnderWay,
    UnitId,
    Vehicle,
    VehicleGun,
    VehicleId,
    WeaponState,
)
from sandtable.systems.aslsk.terrain.covered_arc import in_covered_arc

__all__ = [
    "arcs",
    "can_fire",
    "farthest",
    "gun_targets",
    "is_intensive",
    "refuse_arc",
    "refuse_gun",
    "refuse_reach",
    "refuse_target",
    "shot_of",
]

_ITT, _ATT, _VTT = TargetType.INFANTRY, TargetType.AREA, TargetType.VEHICLE
_UNMARKED, _MAIN = Mark.NONE, VehicleGun.MAIN
"""Names are looked up quicker than members of enums."""


def shot_of(ground: Fireground, action: FireGun, barrel: Barrel) -> Shot:
    """The shot that an action describes."""
    return Shot(
        barrel,
        action.target,
        ground.mode,
        action.target_type,
        action.ammo,
        action.facing,
        action.turn_hull,
        action.intensive,
        VehicleId(action.at),
        action.leader,
    )


@rule("3.2.4")
def refuse_gun(
    ground: Fireground, action: FireGun, moving: UnderWay | None = None, *, smoke_first: bool = False
) -> Refusal | None:
    """Why a Gun or MA may not fire like this (3.2.4)."""
    context, state = ground.context, ground.state
    if bool(action.weapon) == bool(action.vehicle):
        return Refusal("3.2.4", "a shot is fired by one Gun, or by the MA of one vehicle", "name one of them")
    barrel = barrel_of(context, state, action.weapon, action.vehicle)
    if barrel is None or barrel.side != ground.seat:
        name = action.weapon or action.vehicle
        return Refusal(
            "3.2.4",
            f"{name!r} is no Gun or vehicle of {ground.seat} that could fire",
            "name one of your own on the map",
        )
    return (
        can_fire(ground, barrel)
        or _refuse_intensity(barrel, action)
        or refuse_reach(ground, barrel)
        or refuse_target(ground, barrel, action.target_type, action.ammo, moving, at=action.at)
        or refuse_ammo(context, barrel, action.target_type, action.ammo, mode=ground.mode, smoke_first=smoke_first)
        or refuse_arc(ground, barrel, action.facing, action.turn_hull, moving)
        or (refuse_gun_director(ground, barrel, action.leader) if action.leader else None)
    )


# --- what fires -------------------------------------------------------------------------------------------------


@rule("3.2.4", "6.5", "6.12")
def can_fire(ground: Fireground, barrel: Barrel) -> Refusal | None:
    """Why a Gun or MA may not fire at all now, at this target's range or any other (3.2.4)."""
    refusal = _refuse_vehicle(ground, barrel.vehicle) if barrel.vehicle is not None else _refuse_crew(ground, barrel)
    if refusal is not None:
        return refusal
    if ground.spent_shots(barrel.id):
        return Bar.TOO_OFTEN.refusal(barrel.id)
    return _refuse_again(ground, barrel) if barrel.mark is not Mark.NONE else None


def _refuse_crew(ground: Fireground, barrel: Barrel) -> Refusal | None:
    context, crew, weapon = ground.context, barrel.crew, barrel.weapon
    assert crew is not None  # noqa: S101 - a Gun on the map that somebody possesses
    assert weapon is not None  # noqa: S101 - the same
    if context.card(crew).kind is UnitKind.LEADER:
        return Refusal("3.2.4", f"{crew.id} is no MMC: a SMC mans no Gun", "transfer it to a MMC")
    if weapon.state is not WeaponState.WORKING:
        return Bar.MALFUNCTIONED.refusal(barrel.id)
    if crew.broken:
        return Bar.BROKEN.refusal(crew.id)
    if crew.melee:
        return Bar.MELEE.refusal(crew.id)
    if ground.mode is FireMode.ADVANCING and (weapon.moved or weapon.manhandled):
        return Bar.MOVED.refusal(barrel.id)
    if barrel.is_mortar and context.ground.place(barrel.hex).building:
        return Bar.IN_BUILDING.refusal(barrel.id)
    return refuse_usage(context, crew, (weapon.id,), own_fp=False, again=False)


@rule("7.2")
def _refuse_vehicle(ground: Fireground, vehicle: Vehicle) -> Refusal | None:
    """Why a vehicle may not fire its MA: its crew, a MA that does not work, RST while CE, other fire of it (7.2)."""
    refusal = refuse_crew(ground.context, vehicle, ground.mode)
    if refusal is not None:
        return refusal
    if not vehicle.works(VehicleGun.MAIN):
        return Refusal("7.2", f"the MA of {vehicle.id} does not work", "a malfunctioned one is repaired in a RPh")
    return refuse_crew_place(ground.context, vehicle, VehicleGun.MAIN) or refuse_time(
        ground.state, vehicle, VehicleGun.MAIN
    )


@rule("3.2.4", "3.3.3", "3.4")
def _refuse_again(ground: Fireground, barrel: Barrel) -> Refusal | None:
    """Why a Gun or MA that has lost its ROF may not use Intensive Fire (3.2.4, 3.3.3, 3.4)."""
    if ground.mode is FireMode.ADVANCING or barrel.mark not in _ONCE_MORE[ground.mode]:
        return Refusal("3.2.4", f"{barrel.id} has fired already", "fire it in another phase")
    if not barrel.main.intensive_fire:
        return Refusal("3.2.4", f"No IF stands on the counter of {barrel.id}", "wait for its next fire phase")
    if barrel.is_pinned:
        return Refusal(
            "3.2.4", f"{barrel.id} may not use Intensive Fire: its crew is pinned", "wait for its next fire phase"
        )
    if not _has_fired_now(ground, barrel):
        return Refusal(
            "3.2.4",
            f"{barrel.id} has not fired in this phase, which Intensive Fire goes on from",
            "fire it without Intensive Fire",
        )
    return None


_ONCE_MORE = {
    FireMode.PREP: (Mark.PREP_FIRE,),
    FireMode.FIRST: (Mark.FIRST_FIRE,),
    FireMode.FINAL: (Mark.FIRST_FIRE, Mark.FINAL_FIRE),
    FireMode.ADVANCING: (),
    FireMode.BOUNDING: (Mark.BOUNDING_FIRE,),
}


def _has_fired_now(ground: Fireground, barrel: Barrel) -> bool:
    """Whether it lost its ROF in the same phase; First Fire counts for the DFPh (3.4)."""
    if barrel.mark is Mark.FIRST_FIRE:
        return True
    if barrel.weapon is not None:
        return barrel.weapon.fired
    return barrel.vehicle is not None and barrel.vehicle.fired_in == fire_time(ground.state.phase)


def is_intensive(barrel: Barrel) -> bool:
    """Whether the next shot is Intensive Fire: it has lost its ROF."""
    return barrel.mark is not _UNMARKED


@rule("3.2.4", "3.4")
def _refuse_intensity(barrel: Barrel, action: FireGun) -> Refusal | None:
    if action.intensive != is_intensive(barrel):
        words = "has lost its ROF" if is_intensive(barrel) else "has not fired, or has kept its ROF"
        remedy = "say so" if is_intensive(barrel) else "let it fire without"
        return Refusal("3.2.4", f"{barrel.id} {words}: Intensive Fire or not is no choice", remedy)
    return None


# --- where to ---------------------------------------------------------------------------------------------------


def farthest(ground: Fireground, barrel: Barrel) -> int | None:
    """Hexes that fire is bound to by more than its range: an enemy in its own, Intensive Fire in the DFPh."""
    if is_occupied(ground.context, ground.state, barrel.hex, ground.seat):
        return 0
    return 1 if is_intensive(barrel) and ground.mode is FireMode.FINAL else None


@rule("3.2.2.1", "3.2.4", "3.4", "6.9")
def refuse_reach(ground: Fireground, barrel: Barrel) -> Refusal | None:
    """Why a hex is out of reach: off the map, range, an enemy in the own hex, Intensive Fire in the DFPh (3.4)."""
    if ground.target not in ground.context.game_map.hexes:
        # Ranges from hexes of the map alone are remembered.
        return Refusal("3.2", "the target is off the map", "choose a hex of the map")
    reach = ground.reach(barrel.hex)
    main = barrel.main
    if reach < main.min_range:
        return Bar.TOO_CLOSE.refusal(barrel.id)
    if main.max_range and reach > main.max_range:
        return Refusal("3.2.4", f"the target is beyond the maximum range of {barrel.id}", "choose a nearer target")
    if reach and is_occupied(ground.context, ground.state, barrel.hex, ground.seat):
        return Bar.ENEMY_IN_HEX.refusal(barrel.id)
    if is_intensive(barrel) and ground.mode is FireMode.FINAL and reach > 1:
        return Refusal(
            "3.2.4", "Intensive Fire in the DFPh is only at an adjacent hex or the own one", "choose such a target"
        )
    if ground.context.scenario.conditions.free_sight and not ground.sees(barrel.hex):
        return Bar.NO_LOS.refusal(barrel.id)
    return None


@rule("3.2.4", "3.3.3", "6.4")
def gun_targets(ground: Fireground, kind: TargetType, moving: UnderWay | None, chosen: str = "") -> Targets:
    """Whom a shot on a target type can hit: in the MPh movers alone; all but BU AFV, all, or one vehicle (3.2.4)."""
    context, state, hex = ground.context, ground.state, ground.target
    if kind is _VTT:
        return Targets((), (VehicleId(chosen),))
    units = targets_of(context, state, ground.seat, hex, moving)
    vehicles = enemy_vehicles_at(state, hex, ground.seat)
    if moving is not None:
        vehicles = tuple([vehicle for vehicle in vehicles if vehicle.id == moving.vehicle])
    if kind is _ITT:
        vehicles = tuple([vehicle for vehicle in vehicles if vehicle.exposed])
    hidden = hidden_units(context, state).intersection(units)
    return Targets(units, tuple([vehicle.id for vehicle in vehicles]), hidden)


@rule("3.2.4", "6.2", "6.9")
def refuse_target(
    ground: Fireground, barrel: Barrel, kind: TargetType, ammo: Ammo, moving: UnderWay | None, *, at: str = ""
) -> Refusal | None:
    """Why a target type does not serve against what is in the hex (3.2.4, 6.2, 6.9)."""
    context = ground.context
    if barrel.is_mortar and kind is not _ATT:
        return Refusal("6.9", f"{barrel.id} is a mortar and uses the Area Target Type", "fire on the ATT")
    if not has_number(context, barrel, kind, ground.reach(barrel.hex)):
        return Refusal(
            "3.2.4",
            f"{barrel.id} has no To Hit number on the {kind.value} at this range",
            "choose another target type or a nearer target",
        )
    if kind is _VTT:
        return _refuse_vehicle_target(ground, moving, at)
    if at:
        return Refusal("3.2.4", "a vehicle is meant only on the Vehicle Target Type", "leave it out, or use the VTT")
    targets = gun_targets(ground, kind, moving)
    seen = [unit_id for unit_id in targets.units if unit_id not in targets.hidden]
    if not seen and not targets.vehicles:
        return _refuse_empty(ground, kind, ammo, moving)
    if ammo is Ammo.HEAT and not _may_take_heat(ground, targets, seen):
        return Refusal("6.2", "HEAT is fired at Infantry only in a building, or at a Gun or vehicle", "fire HE")
    return None


def _refuse_vehicle_target(ground: Fireground, moving: UnderWay | None, at: str) -> Refusal | None:
    """The VTT names one enemy vehicle of the hex, in the MPh the one that moves."""
    there = [vehicle.id for vehicle in enemy_vehicles_at(ground.state, ground.target, ground.seat)]
    if at not in there or (moving is not None and at != moving.vehicle):
        return Refusal(
            "3.2.4", f"{at!r} is no enemy vehicle in the target hex that may be fired at", "name one that is"
        )
    return None


def _refuse_empty(ground: Fireground, kind: TargetType, ammo: Ammo, moving: UnderWay | None) -> Refusal | None:
    """A hex in which no enemy is seen is fired at on the ATT; Smoke goes anywhere (3.2.4, case 23)."""
    if moving is not None:
        return Refusal("3.3.3", "Defensive First Fire is only at those who have just spent MF", "fire at them")
    if kind is not _ATT:
        return Refusal("3.2.4", "no enemy that this target type can hit is in the hex", "use the ATT")
    if ammo not in SMOKE_SHELLS and _has_friends(ground):
        return Refusal("3.2", "friendly units are in the target hex, and no enemy", "choose another target")
    return None


def _has_friends(ground: Fireground) -> bool:
    """Whether somebody of the firing side is in the hex: units, or vehicles, of which the firer may be one."""
    state, target = ground.state, ground.target
    sides = [unit.side for unit in at(ground.context, state, target)]
    return ground.seat in (*sides, *[vehicle.side for vehicle in vehicles_at(state, target)])


@rule("6.2")
def _may_take_heat(ground: Fireground, targets: Targets, seen: list[UnitId]) -> bool:
    """HEAT of a Gun: against Infantry in a building, Guns and vehicles (6.2)."""
    context, state = ground.context, ground.state
    if targets.vehicles or context.ground.place(ground.target).building:
        return True
    return any(
        context.weapon_card(weapon).gun is not None
        for unit_id in seen
        for weapon in weapons_of(context, state, unit_id)
    )


# --- the covered arc --------------------------------------------------------------------------------------------


@rule("3.2.4")
def _covers(ground: Fireground, barrel: Barrel, spine: int, moving: UnderWay | None) -> bool:
    """Whether the arc of a Gun holds the target; its own hex by the hexside through which a vehicle came (3.2.4)."""
    if spine < 0:
        return False
    if ground.target != barrel.hex:
        return in_covered_arc(barrel.hex, spine, ground.target)
    if moving is not None and moving.via >= 0:
        return in_covered_arc(barrel.hex, spine, NEIGHBOURS[barrel.hex][opposite(moving.via)])
    return True


def arcs(ground: Fireground, barrel: Barrel, moving: UnderWay | None) -> Iterator[tuple[int, bool]]:
    """The ways to point at the target: as it stands, then every turn, of the hull too where it has a turret."""
    if barrel.vehicle is not None:
        card = ground.context.vehicle_card(barrel.vehicle)
        ways: Iterator[tuple[int, bool]] = stances(card, barrel.vehicle, ground.target)
    else:
        ways = iter([(-1, False), *[(spine, False) for spine in SPINES]])
    for facing, hull in ways:
        if refuse_arc(ground, barrel, facing, hull, moving) is None:
            yield facing, hull


@rule("3.2.4")
def refuse_arc(ground: Fireground, barrel: Barrel, facing: int, hull: bool, moving: UnderWay | None) -> Refusal | None:
    """Why it does not come to bear like this: it cannot turn so, or the target is in no such arc (3.2.4)."""
    if barrel.vehicle is not None:
        return _refuse_stance(ground, barrel.vehicle, facing, hull, moving)
    if hull:
        return Refusal("3.2.4", f"{barrel.id} has no hull to turn", "turn the Gun itself")
    if facing >= 0 and facing not in SPINES:
        return refuse_spine(facing)
    if facing >= 0 and facing == barrel.facing:
        return Refusal("3.2.4", f"{barrel.id} points at {spine_name(facing)} already", "let its arc stay")
    if not _covers(ground, barrel, facing if facing >= 0 else barrel.facing, moving):
        return Refusal("3.2.4", f"the target is not in the covered arc of {barrel.id}", "change the arc to fire")
    return None


@rule("3.2.4", "3.3.2.2")
def _refuse_stance(
    ground: Fireground, vehicle: Vehicle, facing: int, hull: bool, moving: UnderWay | None
) -> Refusal | None:
    """Why a MA does not come to bear: its arc by hull or turret; a hull on its way turns by MP alone (3.3.2.2)."""
    card = ground.context.vehicle_card(vehicle)
    refusal = refuse_turn(card, vehicle, facing, turn_hull=hull)
    if refusal is not None:
        return refusal
    if hull and ground.mode is FireMode.BOUNDING:
        return Refusal("3.3.2.2", f"{vehicle.id} is on its way and turns its hull by MP", "spend them")
    stance = stance_of(card, vehicle, facing, turn_hull=hull)
    if not bears(vehicle, stance, arc_of(card, _MAIN), ground.target, moving):
        return Refusal("3.2.4", f"the target is not in the covered arc of {vehicle.id}", "change the arc to fire")
    return None
