"""7.5 Vehicular smoke dispensers: smoke dischargers, mortars and pots, and the close defence weapon."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.geo.hex import Hex, disk, distance
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.arc_change import arc_change_terms
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import roll_dr
from sandtable.systems.aslsk.common.refusals import refuse_shocked
from sandtable.systems.aslsk.pieces.spines import spines_apart
from sandtable.systems.aslsk.pieces.state import SmokeKind, State, Vehicle, VehicleId
from sandtable.systems.aslsk.pieces.vehicle_cards import Dispenser
from sandtable.systems.aslsk.terrain.covered_arc import in_covered_arc, spines_covering
from sandtable.systems.aslsk.vehicles.vehicle_events import DispenserUsed

__all__ = ["Aim", "Stance", "aims", "dispense", "refuse_dispenser", "usage_number"]


class Aim(NamedTuple):
    """What a dispenser is tried at."""

    to: Hex | None = None
    """Of a smoke mortar: the hex; None for its own."""
    tca: int = -1
    """Of a smoke mortar: the hexspine to which the turret is turned for it, -1 as it is."""


class Stance(msgspec.Struct, frozen=True, gc=False):
    """How a vehicle stands when its dispenser is tried."""

    hex: Hex
    tca: int
    exposed: bool
    stopped: bool


@rule("7.5")
def usage_number(context: Context, state: State, vehicle: Vehicle, now: Stance, aim: Aim) -> Breakdown:
    """The highest DR that dispenses smoke: the usage number less its DRM (7.5)."""
    card = context.vehicle_card(vehicle)
    table = context.tables["smoke_dispensers"]
    terms = []
    if not now.exposed:
        terms.append(Modifier(-table.number("buttoned_up"), "buttoned up", "7.5"))
    if card.dispenser is Dispenser.MORTAR and aim.to is not None:
        if not now.stopped:
            terms.append(Modifier(-table.number("moving_mortar"), "not stopped", "7.5"))
        turned = spines_apart(now.tca, aim.tca) if aim.tca >= 0 else 0
        terms += [
            Modifier(-term.value, term.label, term.rule)
            for term in arc_change_terms(context, card.turret, turned, now.hex)
        ]
        hindrance = context.hindrance(state, now.hex, aim.to)
        if hindrance:
            terms.append(Modifier(-hindrance, "hindrance", "3.2.1"))
    name = card.dispenser.value if card.dispenser is not None else ""
    return Breakdown("Usage number", "7.5", tuple(terms), _usage(context, vehicle), name)


def _usage(context: Context, vehicle: Vehicle) -> int:
    """The usage number that holds at the scenario's date, 0 if there is none yet."""
    conditions = context.scenario.conditions
    return context.vehicle_card(vehicle).usage_number(conditions.year, conditions.month)


@rule("7.5")
def refuse_dispenser(context: Context, state: State, vehicle: Vehicle, now: Stance, aim: Aim) -> Refusal | None:
    """Why a dispenser may not be tried like this (7.5)."""
    kind = context.vehicle_card(vehicle).dispenser
    if kind is None or not _usage(context, vehicle):
        return Refusal("7.5", f"{vehicle.id} has no smoke dispenser", "name a vehicle that has one")
    if vehicle.dispensed:
        return Refusal("7.5", f"{vehicle.id} has tried its smoke dispenser this player turn", "try again in the next")
    if vehicle.dispenser_empty:
        return Refusal("7.5", f"{vehicle.id} has used its smoke dispenser up", "name a vehicle that has one left")
    if not vehicle.is_active:
        return refuse_shocked("7.5", vehicle.id)
    if vehicle.has_fired:
        return Refusal("7.5", f"{vehicle.id} has fired this player turn", "dispense smoke before it fires")
    if kind is Dispenser.POTS and not now.exposed:
        return Refusal("7.5", "smoke pots are for a crew that is CE", "become CE first")
    if kind is Dispenser.CLOSE_DEFENCE and now.exposed:
        return Refusal("7.5", "this weapon is for a crew that is BU", "button up first")
    if kind is Dispenser.MORTAR:
        return _refuse_mortar(context, state, now, aim)
    if aim != Aim():
        return Refusal("7.5", "its smoke is for its own hex", "name no hex and turn no turret")
    return None


@rule("7.5")
def _refuse_mortar(context: Context, state: State, now: Stance, aim: Aim) -> Refusal | None:
    """A smoke mortar reaches one to three hexes within LOS and TCA, and is not fired inside a building (7.5)."""
    to, tca = aim
    table = context.tables["smoke_dispensers"]
    least, most = table.number("least_range"), table.number("greatest_range")
    if context.ground.place(now.hex).building:
        return Refusal("7.5", "a smoke mortar is not fired inside a building", "leave the building first")
    if to is None or to not in context.game_map.hexes or not least <= distance(now.hex, to) <= most:
        return Refusal("7.5", f"a smoke mortar reaches {least} to {most} hexes", "name a hex within its range")
    if not context.sees(state, now.hex, to):
        return Refusal("7.5", f"there is no line of sight to {context.label(to)}", "name a hex in sight")
    if tca >= 0 and in_covered_arc(now.hex, now.tca, to):
        return Refusal("7.5", f"{context.label(to)} is within the TCA as it is", "turn no turret")
    if not in_covered_arc(now.hex, tca if tca >= 0 else now.tca, to):
        return Refusal("7.5", f"{context.label(to)} is not within the TCA", "turn the turret with it")
    return None


def aims(context: Context, state: State, vehicle: Vehicle, now: Stance) -> Iterator[Aim]:
    """What a dispenser may be tried at, a smoke mortar with the turns of the turret that this takes."""
    if context.vehicle_card(vehicle).dispenser is not Dispenser.MORTAR:
        if refuse_dispenser(context, state, vehicle, now, Aim()) is None:
            yield Aim()
        return
    if vehicle.dispensed or vehicle.dispenser_empty or vehicle.has_fired:
        return
    for to in disk(now.hex, context.tables["smoke_dispensers"].number("greatest_range")):
        if to == now.hex:
            continue
        spines = spines_covering(now.hex, to)
        for spine in (-1,) if now.tca in spines else spines:
            aim = Aim(to, spine)
            if refuse_dispenser(context, state, vehicle, now, aim) is None:
                yield aim


@rule("1.2.5", "7.5")
def dispense(context: Context, play: Play, vehicle_id: VehicleId, now: Stance, aim: Aim) -> bool:
    """The usage DR, and Dispersed Smoke if it is no higher than the number; whether there is smoke (1.2.5, 7.5)."""
    vehicle = play.state.vehicles[vehicle_id]
    number = usage_number(context, play.state, vehicle, now, aim)
    roll = roll_dr(play, f"{vehicle_id} smoke dispenser", (number.total,))
    placed = roll.total <= number.total
    empty = placed and context.vehicle_card(vehicle).dispenses_once
    play.emit(DispenserUsed(vehicle_id, aim.tca, roll.faces, number, placed, empty))
    if placed:
        play.emit(ev.SmokePlaced(aim.to if aim.to is not None else now.hex, SmokeKind.DISPERSED, vehicle.side))
    return placed
