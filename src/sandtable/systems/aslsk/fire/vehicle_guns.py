"""7.8 The machine guns of a vehicle and the IFE of its Main Armament: FP, range, and the arc that each fires through.

The BMG, the MA of a vehicle without a turret and what the counter says fire through the VCA; CMG and turreted MA
through the TCA, a RMG through the rear of it; an AAMG all around.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.core.modifier import Modifier
from sandtable.geo.hex import NEIGHBOURS, Hex, opposite
from sandtable.systems.aslsk.armour.vehicle_effects import has_given_up
from sandtable.systems.aslsk.common.arc_change import arc_change_terms
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.facts.vehicle_fire_events import VehicleTurned
from sandtable.systems.aslsk.common.refusals import refuse_spine
from sandtable.systems.aslsk.fire.firers import FireMode
from sandtable.systems.aslsk.pieces.armament import Mount
from sandtable.systems.aslsk.pieces.spines import SPINES, spine_name, spines_apart
from sandtable.systems.aslsk.pieces.state import Bog, Mark, Phase, State, UnderWay, Vehicle, VehicleGun
from sandtable.systems.aslsk.pieces.vehicle_cards import VehicleCard
from sandtable.systems.aslsk.terrain.covered_arc import in_covered_arc, spines_covering

__all__ = [
    "Arc",
    "Stance",
    "arc_of",
    "arc_terms",
    "bears",
    "fire_time",
    "guns_on",
    "normal_range",
    "printed_fp",
    "refuse_crew",
    "refuse_crew_place",
    "refuse_mount",
    "refuse_time",
    "refuse_turn",
    "stance_of",
    "stances",
    "turn_for",
    "weapon_name",
]

_BEHIND = 3
"""Hexspines from the front to the rear."""


class Arc(StrEnum):
    """3.2.4 The covered arc through which a weapon fires."""

    ANY = ""
    HULL = "VCA"
    TURRET = "TCA"
    REAR = "rear TCA"


_PRINTED: dict[VehicleGun, Callable[[VehicleCard], int]] = {
    VehicleGun.MAIN: lambda card: card.main.ife,
    VehicleGun.BOW: lambda card: card.bmg,
    VehicleGun.COAXIAL: lambda card: card.cmg,
    VehicleGun.ANTI_AIRCRAFT: lambda card: card.aamg,
    VehicleGun.REAR: lambda card: card.rmg,
}
_BY_TURRET = (VehicleGun.MAIN, VehicleGun.COAXIAL)
_ARCS = {VehicleGun.BOW: Arc.HULL, VehicleGun.ANTI_AIRCRAFT: Arc.ANY, VehicleGun.REAR: Arc.REAR}
_HULL, _TURRET, _REAR, _ANY, _PREP = Arc.HULL, Arc.TURRET, Arc.REAR, Arc.ANY, FireMode.PREP
"""Names are looked up quicker than members of enums."""


def weapon_name(vehicle: Vehicle, gun: VehicleGun) -> str:
    """One weapon of a vehicle, as players say it."""
    return f"{vehicle.id} {gun.value}"


@rule("6.8", "7.8")
def printed_fp(context: Context, vehicle: Vehicle, gun: VehicleGun) -> int:
    """FP of a MG, or the IFE of the MA; 0 of a weapon that it lacks, or lacks at this date (7.8).

    A MG that is the MA fires as the MA, and not beside it.
    """
    card = context.vehicle_card(vehicle)
    if card.main_mg is not None:
        if gun is card.main_mg:
            return 0
        if gun is VehicleGun.MAIN:
            gun = card.main_mg
    if gun is VehicleGun.COAXIAL:
        conditions = context.scenario.conditions
        if not card.has_cmg(conditions.year, conditions.month):
            return 0
    return _PRINTED[gun](card)


def guns_on(context: Context, vehicle: Vehicle) -> tuple[VehicleGun, ...]:
    """Its weapons that have any FP, in their order."""
    known = context.memory.vehicle_guns
    found = known.get(vehicle.card)
    if found is None:
        found = known[vehicle.card] = tuple([gun for gun in VehicleGun if printed_fp(context, vehicle, gun)])
    return found


@rule("2.0", "6.8", "7.8")
def normal_range(context: Context, card: VehicleCard, gun: VehicleGun) -> int:
    """Normal range in hexes; a MA that is a MG has the range of that MG (7.8)."""
    weapon = card.main_mg if gun is VehicleGun.MAIN and card.main_mg is not None else gun
    return context.tables["vehicular_mg"].number(weapon.value, "range")


@rule("3.2.4", "7.8")
def arc_of(card: VehicleCard, gun: VehicleGun) -> Arc:
    """The arc through which a weapon fires (3.2.4, 7.8)."""
    if gun.value in card.mg_in_vca:
        return _HULL
    found = _ARCS.get(gun)
    return found if found is not None else _TURRET if card.has_turret else _HULL


class Stance(NamedTuple):
    """Where hull and turret point as a vehicle fires, and how far which of them was turned for it."""

    vca: int
    tca: int
    spines: int = 0
    hull: bool = False
    """Whether the hull was turned, and the turret with it."""

    def spine(self, arc: Arc) -> int:
        """The hexspine at the middle of an arc."""
        if arc is _HULL:
            return self.vca
        return (self.tca + _BEHIND) % len(SPINES) if arc is _REAR else self.tca


@rule("7.8")
def stance_of(card: VehicleCard, vehicle: Vehicle, facing: int, *, turn_hull: bool) -> Stance:
    """Hull and turret once one of them has turned to a hexspine; a hull takes its turret along (7.8)."""
    if facing < 0:
        return Stance(vehicle.vca, vehicle.tca)
    if turn_hull or not card.has_turret:
        tca = (vehicle.tca + facing - vehicle.vca) % len(SPINES)
        return Stance(facing, tca, spines_apart(vehicle.vca, facing), hull=True)
    return Stance(vehicle.vca, facing, spines_apart(vehicle.tca, facing))


@rule("3.2.4", "3.3.2", "7.8", "7.10")
def refuse_turn(card: VehicleCard, vehicle: Vehicle, facing: int, *, turn_hull: bool) -> Refusal | None:
    """Why hull or turret may not turn to a hexspine to fire (3.2.4, 7.10)."""
    if facing < 0:
        return Refusal("3.2.4", "nothing is turned", "name the hexspine") if turn_hull else None
    if facing not in SPINES:
        return refuse_spine(facing)
    if not turn_hull and not card.has_turret:
        return Refusal("3.2.4", f"{vehicle.id} has no turret", "turn its hull")
    now = vehicle.vca if turn_hull else vehicle.tca
    if facing == now:
        return Refusal("3.2.4", f"{vehicle.id} points at {spine_name(facing)} already", "turn nothing")
    if turn_hull and not vehicle.is_mobile:
        return Refusal("7.10", f"{vehicle.id} is immobile and does not turn its VCA", "turn its turret, if it has one")
    return None


def stances(card: VehicleCard, vehicle: Vehicle, target: Hex) -> Iterator[tuple[int, bool]]:
    """The turns by which something could come to bear on a hex: none, turret, hull."""
    yield -1, False
    assert vehicle.hex is not None  # noqa: S101 - it is on the map
    around = SPINES if vehicle.hex == target else spines_covering(vehicle.hex, target)
    wanted = {*around, *[(spine + _BEHIND) % len(SPINES) for spine in around]} if card.rmg else {*around}
    if card.has_turret:
        yield from [(spine, False) for spine in SPINES if spine in wanted and spine != vehicle.tca]
    if vehicle.is_mobile:
        apart = vehicle.tca - vehicle.vca
        for spine in SPINES:
            if spine != vehicle.vca and (spine in wanted or (spine + apart) % len(SPINES) in wanted):
                yield spine, True


@rule("3.2.4", "7.6", "7.8")
def bears(vehicle: Vehicle, stance: Stance, arc: Arc, target: Hex, moving: UnderWay | None) -> bool:
    """Whether an arc has a hex in it (3.2.4).

    Its own hex it has by the hexside through which a vehicle has come in, in the MPh of that vehicle; else it has it
    always, but for what is mounted in the bow of an immobile vehicle. That of a bogged one has it only while the MP to
    enter are spent (7.6).
    """
    assert vehicle.hex is not None  # noqa: S101 - it is on the map
    if arc is _ANY:
        return True
    if vehicle.hex != target:
        return in_covered_arc(vehicle.hex, stance.spine(arc), target)
    if moving is not None and moving.via >= 0 and moving.vehicle != vehicle.id:
        if not moving.entered and arc is Arc.HULL and vehicle.bog is not Bog.NONE:
            return False
        return in_covered_arc(vehicle.hex, stance.spine(arc), NEIGHBOURS[target][opposite(moving.via)])
    return arc is not Arc.HULL or vehicle.is_mobile


@rule("3.2.4", "7.8")
def arc_terms(context: Context, vehicle: Vehicle, gun: VehicleGun, stance: Stance) -> tuple[Modifier, ...]:
    """The DRM of turning for one weapon: a hull turns as NT, a turret by its type (3.2.4, 7.8).

    What fires without a turn for the first time suffers that of the weapon of turret or bow that fired before it in
    this phase; what is turned again suffers the new turn alone.
    """
    card, hex = context.vehicle_card(vehicle), vehicle.hex
    assert hex is not None  # noqa: S101 - it is on the map
    arc = arc_of(card, gun)
    if arc is _ANY:
        return ()
    bow = arc is Arc.HULL
    spines, hull = stance.spines, stance.hull
    if not spines or (bow and not hull):
        first = gun not in vehicle.guns_fired
        spines = (vehicle.bow_spines if bow else vehicle.spines_turned) if first else 0
        hull = bow or vehicle.turned_hull
    return arc_change_terms(context, Mount.NON_TURRETED if hull else card.turret, spines, hex)


@rule("7.8")
def turn_for(card: VehicleCard, vehicle: Vehicle, stance: Stance, guns: Sequence[VehicleGun]) -> VehicleTurned:
    """The turn of hull or turret with which these weapons fire, as those suffer it that fire after them (7.8)."""
    arcs = {arc_of(card, gun) for gun in guns}
    turret = stance.spines if arcs & {Arc.TURRET, Arc.REAR} else 0
    bow = stance.spines if stance.hull and Arc.HULL in arcs else 0
    return VehicleTurned(vehicle.id, stance.vca, stance.tca, turret, hull=stance.hull, bow=bow)


@rule("3.2.5", "7.10")
def refuse_crew(context: Context, vehicle: Vehicle, mode: FireMode) -> Refusal | None:
    """Why a crew fires nothing at all: shocked, stunned, given up, in the PFPh in Motion or recalled (3.2.5, 7.10)."""
    name = vehicle.id
    if not vehicle.is_active:
        state = "shocked" if vehicle.is_shocked else "stunned"
        return Refusal("7.10", f"the crew of {name} is {state}", "wait until it has recovered")
    if has_given_up(context, vehicle):
        return Refusal("7.10", f"{name} is recalled after a Stun and fires no more", "let it leave the map")
    if mode is _PREP and vehicle.motion:
        return Refusal("3.2.5", f"{name} is in Motion and does not fire in the PFPh", "fire in its MPh")
    if mode is _PREP and vehicle.recalled and vehicle.is_mobile:
        return Refusal("7.10", f"{name} is recalled and must move", "fire in its MPh")
    return None


@rule("7.2", "7.7", "7.8")
def refuse_crew_place(context: Context, vehicle: Vehicle, gun: VehicleGun) -> Refusal | None:
    """Why a crew does not get at a weapon as it is, CE or BU (7.2, 7.7)."""
    card, name = context.vehicle_card(vehicle), weapon_name(vehicle, gun)
    if gun is VehicleGun.ANTI_AIRCRAFT and vehicle.exposed == card.aamg_buttoned_up:
        return Refusal(
            "7.7",
            f"{name} is fired by a crew that is {'BU' if card.aamg_buttoned_up else 'CE'}",
            "change the crew in a MPh",
        )
    if vehicle.exposed and gun in _BY_TURRET and card.turret is Mount.RESTRICTED_SLOW:
        return Refusal("7.2", f"{name} is not fired from a RST turret while the crew is CE", "button up in a MPh")
    return None


@rule("6.8", "7.2", "7.7", "7.8")
def refuse_mount(context: Context, vehicle: Vehicle, gun: VehicleGun) -> Refusal | None:
    """Why a weapon fires nothing on the IFT: it is not there, does not work, or the crew is not at it (7.2, 7.8)."""
    name = weapon_name(vehicle, gun)
    if not printed_fp(context, vehicle, gun):
        if gun is VehicleGun.MAIN:
            return Refusal("6.8", f"the MA of {vehicle.id} has no IFE", "name another weapon")
        return Refusal("7.8", f"{vehicle.id} has no {gun.value}", "name another weapon")
    if not vehicle.works(gun):
        return Refusal("7.2", f"{name} does not work", "a malfunctioned one is repaired in a RPh")
    return refuse_crew_place(context, vehicle, gun)


# --- when -------------------------------------------------------------------------------------------------------


def fire_time(phase: Phase) -> str:
    """The phase that counts for a vehicle's fire: MPh and DFPh are one (7.8)."""
    return Phase.MOVEMENT.value if phase is Phase.DEFENSIVE_FIRE else phase.value


@rule("3.3.2.2", "3.5", "7.8")
def refuse_time(state: State, vehicle: Vehicle, gun: VehicleGun) -> Refusal | None:
    """Why a weapon does not fire now: it has fired, or the vehicle has in another phase, or in its MPh elsewhere (7.8).

    A MA that keeps its ROF fires again: in its MPh from another hex too, and in the AFPh if nothing else has fired.
    """
    main = gun is VehicleGun.MAIN
    if not main and gun in vehicle.guns_fired:
        return Refusal("7.8", f"{weapon_name(vehicle, gun)} has fired this player turn", "fire another of its weapons")
    if not vehicle.fired_in:
        return None
    if vehicle.fired_in != fire_time(state.phase):
        if state.phase is not Phase.ADVANCING_FIRE or vehicle.fired_in != Phase.MOVEMENT.value:
            reason = f"{vehicle.id} has fired in the {vehicle.fired_in}, and all its weapons fire in one phase"
            return Refusal("7.8", reason, "wait for the next player turn")
        if main and vehicle.guns_fired == (gun,) and vehicle.mark is Mark.NONE:
            return None
        return Refusal("3.5", f"{vehicle.id} has fired in its MPh", "only a MA that kept its ROF fires again")
    again = main and gun in vehicle.guns_fired
    bounding = state.phase is Phase.MOVEMENT and vehicle.side == state.attacker
    if bounding and not again and vehicle.hex != vehicle.fired_hex:
        return Refusal("3.3.2.2", f"{vehicle.id} has fired from another hex", "all its weapons fire from one hex")
    return None
