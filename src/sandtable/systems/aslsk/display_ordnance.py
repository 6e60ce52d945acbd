"""Counters of vehicles and Guns as a client draws them: what is printed, where they point, and their markers.

A vehicle shows what its counter prints, where it prints it: Main Armament, Armor Factors (in a square where those of
the turret are better, in a circle where they are worse), machine guns, ROF and MP; a Gun its caliber and range. The
card has all of it. Markers carry the kit's words: CE, BU, Motion, Bog, Shock, UK, Stun, Recall, Immobile, -1 or -2 acq.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core.view import Marker, Value
from sandtable.systems.aslsk.display_markers import acquisition_markers, fire_markers
from sandtable.systems.aslsk.pieces.armament import Armament, Mount, Size
from sandtable.systems.aslsk.pieces.cards import GunType, WeaponCard
from sandtable.systems.aslsk.pieces.state import Bog, Vehicle, Weapon, WeaponState
from sandtable.systems.aslsk.pieces.vehicle_cards import GroundPressure, VehicleCard, VehicleType

__all__ = [
    "gun_markers",
    "gun_symbol",
    "gun_values",
    "vehicle_layout",
    "vehicle_markers",
    "vehicle_symbol",
    "vehicle_values",
]

_SIZES = {Size.VERY_LARGE: "-2", Size.LARGE: "-1", Size.SMALL: "+1", Size.VERY_SMALL: "+2"}
"""To Hit DRM of target sizes, as the back of the card has them."""
_RINGS = {Mount.FAST: "ring", Mount.SLOW: "square", Mount.RESTRICTED_SLOW: "thick-square"}
"""What is printed around a vehicle that has a turret (7.2)."""
_TURRETS = {
    Mount.FAST: "fast (T)",
    Mount.SLOW: "slow (ST)",
    Mount.RESTRICTED_SLOW: "restricted slow (RST)",
    Mount.NON_TURRETED: "none (NT)",
}
_PRESSURES = {GroundPressure.LOW: "boxed-id", GroundPressure.HIGH: "ringed-id"}
"""What is printed around its letter (7.6)."""
_GUN_SYMBOLS = {GunType.MORTAR: "mortar"}


# --- vehicles ---------------------------------------------------------------------------------------------------


def vehicle_symbol(card: VehicleCard, vehicle: Vehicle) -> str:
    """The silhouette."""
    if vehicle.wreck:
        return "wreck"
    if card.type is VehicleType.ARMORED_CAR:
        return "armored car"
    return "tank" if card.has_turret else "assault gun"


def vehicle_layout(card: VehicleCard) -> str:
    """How its counter is printed: what lies behind the MP, around the picture and around the letter (7.0, 7.2, 7.6)."""
    plate = "oval" if card.type is VehicleType.FULLY_TRACKED else "disc"
    words = ("vehicle", plate, _RINGS.get(card.turret, ""), _PRESSURES.get(card.ground_pressure, ""))
    return " ".join(word for word in words if word)


def vehicle_values(card: VehicleCard) -> tuple[Value, ...]:
    """What is printed on its front, and what else is worth knowing of it."""
    main, armour = card.main, card.armour
    values = [
        Value("main armament", _barrel(main)),
        Value("machine guns", _machine_guns(card)),
        Value("MP", f"{card.mp}{'_' if card.red_mp else ''}", "top"),
        Value("front armor", _factor(armour.front, armour.turret_front), "right"),
        Value("side and rear armor", _factor(armour.side, armour.turret_side), "right"),
    ]
    if (armour.front, armour.side) != (armour.turret_front, armour.turret_side):
        values.append(Value("turret armor", f"{armour.turret_front}/{armour.turret_side}", "card"))
    values += [
        Value("movement", card.type.value, "card"),
        Value("turret", _TURRETS.get(card.turret, ""), "card"),
        Value("ground pressure", card.ground_pressure.value, "card"),
        *_weapon_numbers(main, "card"),
    ]
    if card.size is not Size.AVERAGE:
        values.append(Value("target size", f"{card.size.value} {_SIZES[card.size]}", "card"))
    if card.dispenser is not None:
        values.append(Value("smoke dispenser", card.dispenser.value, "card"))
    return tuple(value for value in values if value.text)


def _factor(hull: int, turret: int) -> str:
    """An Armor Factor of the hull, in a square where the turret's is better and in a circle where it is worse (7.1)."""
    return f"[{hull}]" if turret > hull else f"({hull})" if turret < hull else str(hull)


def _barrel(main: Armament) -> str:
    return "MG" if main.is_mg else main.barrel


def _machine_guns(card: VehicleCard) -> str:
    """BMG/CMG/AAMG as they are printed; a dash where there is none."""
    guns = (card.bmg, card.cmg, card.aamg)
    if not any(guns) and not card.rmg:
        return ""
    text = "/".join(str(gun) if gun else "-" for gun in guns)
    return f"{text} R{card.rmg}" if card.rmg else text


def _weapon_numbers(main: Armament, place: str) -> Iterator[Value]:
    if main.rof:
        yield Value("ROF", f"[{main.rof}]", "left")
    if main.ife:
        yield Value("IFE", f"({main.ife})", place)
    if main.low_ammo:
        yield Value("low ammo", f"B{main.low_ammo}", place)
    yield Value("breakdown", f"B{main.breakdown}", place)


def vehicle_markers(vehicle: Vehicle) -> Iterator[Marker]:
    """The counters that lie upon it."""
    if vehicle.wreck:
        yield Marker("wreck", "Wreck", "bad")
        return
    yield Marker("CE", "Crew Exposed", "posture") if vehicle.exposed else Marker("BU", "Buttoned Up")
    if vehicle.shock:
        yield Marker(vehicle.shock.value, "Shocked" if vehicle.shock.value == "Shock" else "Unconfirmed Kill", "bad")
    if vehicle.stun:
        yield Marker(vehicle.stun.value, "Stunned" if vehicle.is_stunned else "Once stunned: +1 DRM", "bad")
    if vehicle.bog is not Bog.NONE:
        yield Marker(vehicle.bog.value, vehicle.bog.value, "bad")
    if vehicle.immobilized:
        yield Marker("Immob", "Immobilized", "bad")
    if vehicle.recalled:
        yield Marker("Recall", "Recalled", "bad")
    if vehicle.motion:
        yield Marker("Motion", "In Motion", "posture")
    elif vehicle.is_moving_target:
        yield Marker("moving", "A moving target")
    yield from _broken_guns(vehicle)
    if vehicle.low_ammo:
        yield Marker("low", "Low ammunition", "bad")
    yield from fire_markers(vehicle.mark)
    yield from acquisition_markers(vehicle)
    if vehicle.exhausted:
        yield Marker("no " + vehicle.exhausted[0], f"Has no {', '.join(vehicle.exhausted)}", "bad")


def _broken_guns(vehicle: Vehicle) -> Iterator[Marker]:
    for gun, state in vehicle.broken.items():
        word = "disabled" if state is WeaponState.REMOVED else "malfunctioned"
        yield Marker(f"{gun.value} {word[:3]}", f"{gun.value} {word}", "bad")


# --- Guns -------------------------------------------------------------------------------------------------------


def gun_symbol(card: WeaponCard) -> str:
    """The silhouette."""
    return "gun" if card.gun is None else _GUN_SYMBOLS.get(card.gun.type, "gun")


def gun_values(card: WeaponCard) -> tuple[Value, ...]:
    """What is printed on its front."""
    gun = card.gun
    if gun is None:
        return ()
    values = [Value("caliber", gun.main.barrel), *_weapon_numbers(gun.main, "right")]
    values.append(Value("manhandling", f"M{gun.manhandling}", "right"))
    if gun.main.max_range:
        values.append(Value("range", f"[{gun.main.min_range}-{gun.main.max_range}]"))
    if gun.size is not Size.AVERAGE:
        values.append(Value("target size", f"{gun.size.value.replace('very ', 'v.')} {_SIZES[gun.size]}", "right"))
    return tuple(values)


def gun_markers(weapon: Weapon) -> Iterator[Marker]:
    """The counters that lie upon it."""
    if weapon.hidden:
        yield Marker("hidden", "Hidden, with its crew", "hidden")
    if weapon.emplaced:
        yield Marker("emp", "Emplaced", "good")
    if weapon.exhausted:
        yield Marker("no " + weapon.exhausted[0], f"Has no {', '.join(weapon.exhausted)}", "bad")
