"""5.2.1, 6.6.7 Transport: what a vehicle can carry and tow, getting on and off, and firing from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.errors import Refusal
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.movement.march import is_walled_in
from sandtable.systems.panzer.movement.move_facts import MoveFacts, refuse_suppressed, refuse_without_move
from sandtable.systems.panzer.unit import MOVING_COMMANDS, Command, Spot

__all__ = [
    "carrier_spot",
    "may_reverse",
    "mounting_cost",
    "reach_aboard",
    "refuse_bail_out",
    "refuse_dismount",
    "refuse_load",
    "refuse_mount",
    "refuse_transported_fire",
]

BOOK = ("panzer-na",)


@rule("6.6.7", "6.6.7.1", editions=BOOK)
def refuse_load(carrier: MoveFacts, passengers: Sequence[MoveFacts]) -> Refusal | None:
    """Why a vehicle cannot transport these units together (6.6.7.1)."""
    number, room = "6.6.7.1", carrier.card.transports
    for unit in passengers:
        if unit.unit_class is UnitClass.VEHICLE or not (unit.card.needs.towed or unit.card.needs.leg):
            return Refusal(number, f"{unit.name} is no passenger unit", "a leg or towed unit with a Passenger Capacity")
    towed = [unit.name for unit in passengers if unit.unit_class is UnitClass.TOWED]
    if len(towed) > 1:
        return Refusal(number, f"{carrier.name} tows a single unit, not {' and '.join(towed)}", "one of them")
    for kind, has, need in (
        ("Towed", room.towed, sum(unit.card.needs.towed for unit in passengers)),
        ("Leg", room.leg, sum(unit.card.needs.leg for unit in passengers)),
    ):
        if need > has:
            names = ", ".join(unit.name for unit in passengers)
            reason = f"{carrier.name} has a {kind} Capacity of {has}, and {names} need {need}"
            return Refusal(number, reason, "a vehicle with more room, or fewer passengers")
    return None


@rule("6.6.7.1.1", editions=BOOK)
def reach_aboard(passenger: MoveFacts) -> int:
    """How far from its vehicle a passenger may mount or be placed: adjacent, or the same hex alone (6.6.7.1.1)."""
    return 1 if passenger.is_light and not passenger.markers.is_suppressed else 0


@rule("6.6.7.1.1", editions=BOOK)
def refuse_mount(passenger: MoveFacts, carrier: MoveFacts, *, apart: int, moved: bool) -> Refusal | None:
    """Why a unit may not mount: for it that is its whole move, and needs a MOVE command (6.6.7.1.1)."""
    number, name = "6.6.7.1.1", passenger.name
    if passenger.markers.is_mounted:
        return Refusal(number, f"{name} is mounted already", "dismount it first")
    if passenger.command is not Command.MOVE:
        return refuse_without_move(number, passenger)
    if moved:
        return Refusal(number, f"{name} has spent its movement this turn", "wait for the next turn")
    if is_walled_in(passenger):
        return Refusal(
            "6.1.4.3.1", f"{name} was set up inside a building and stays there", "leave it there, it may pivot"
        )
    if carrier.markers.bailed:
        return Refusal(number, f"the crew of {carrier.name} has bailed out", "mount another vehicle")
    reach = reach_aboard(passenger)
    if apart > reach:
        where = "in the same hex or adjacent" if reach else "in the same hex"
        return Refusal(number, f"{name} is {apart} away from {carrier.name}", f"it mounts {where}")
    return None


@rule("6.6.7.1.1", editions=BOOK)
def refuse_dismount(passenger: MoveFacts, carrier: MoveFacts, *, apart: int) -> Refusal | None:
    """Why a passenger may not be put down so far from its vehicle (6.6.7.1.1)."""
    reach = reach_aboard(passenger)
    if apart > reach:
        where = "in the same hex or adjacent" if reach else "in the same hex"
        return Refusal("6.6.7.1.1", f"{passenger.name} may not dismount there", f"{where} with {carrier.name}")
    return None


@rule("6.6.7.1.1", "5.2.1", editions=BOOK)
def mounting_cost(carrier: MoveFacts, allowance: int, tables: Mapping[str, Table], *, portee_loads: bool) -> int:
    """What mounting and dismounting in one hex take of a moving vehicle's allowance (6.6.7.1.1, 5.2.1).

    One cost for any number of passengers; a stationary vehicle spends nothing, and a truck that takes its portée gun up
    again spends all.
    """
    if carrier.command not in MOVING_COMMANDS:
        return 0
    return allowance if portee_loads else allowance // tables["foot_movement"].number("mounting_part", "value")


@rule("6.6.7.1.2", editions=BOOK)
def refuse_bail_out(passenger: MoveFacts, carrier: MoveFacts, *, under_announced_fire: bool) -> Refusal | None:
    """Why a passenger may not bail out in an emergency (6.6.7.1.2)."""
    number = "6.6.7.1.2"
    if passenger.markers.is_suppressed:
        return refuse_suppressed(number, passenger)
    if carrier.command not in MOVING_COMMANDS:
        return Refusal(
            number, f"{carrier.name} has no MOVE or SHORT HALT command but {carrier.command}", "dismount it instead"
        )
    if under_announced_fire:
        return Refusal(number, "Overwatch Fire has been announced", "bail out when it is resolved")
    return None


@rule("6.6.7.1", editions=BOOK)
def may_reverse(passengers: Sequence[MoveFacts]) -> bool:
    """Whether a vehicle may move in reverse: not with a towed unit (6.6.7.1)."""
    return all(unit.unit_class is not UnitClass.TOWED for unit in passengers)


@rule("6.6.7.2", editions=BOOK)
def refuse_transported_fire(passenger: MoveFacts, carrier: MoveFacts) -> Refusal | None:
    """Why a passenger may not fire, or observe, from its vehicle (6.6.7.2)."""
    if not passenger.unit_class.is_leg:
        return Refusal("6.6.7.2", f"{passenger.name} is no squad, half-squad or section", "dismount it first")
    if carrier.command is Command.MOVE:
        return Refusal("6.6.7.2", f"{carrier.name} has a MOVE command", "give it another command next turn")
    return None


@rule("6.6.7.2", editions=BOOK)
def carrier_spot(marked: Spot, fired: Spot) -> Spot:
    """The SPOT counter of a vehicle whose passenger fired: its own SPOT/FIRE stays (6.6.7.2)."""
    return marked if marked is Spot.FIRE else fired
