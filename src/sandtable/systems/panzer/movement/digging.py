"""6.6.8 Hasty Entrenchments, and 6.6.9 who may search for a hull down position."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.errors import Refusal
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.movement.move_facts import MoveFacts, refuse_suppressed, refuse_without_move
from sandtable.systems.panzer.unit import Command

__all__ = ["dug_after", "refuse_digging", "refuse_search"]

BOOK = ("panzer-na",)


@rule("6.6.8", editions=BOOK)
def refuse_digging(facts: MoveFacts) -> Refusal | None:
    """Why a unit does not work on a Hasty Entrenchment (6.6.8)."""
    number, name, markers = "6.6.8", facts.name, facts.markers
    if facts.unit_class is UnitClass.VEHICLE or markers.is_mounted:
        return Refusal(number, f"{name} is no dismounted leg or towed unit", "dig in with one that is")
    if markers.is_suppressed:
        return refuse_suppressed(number, facts)
    if not markers.full_cover:
        return Refusal(number, f"{name} is not in Full Cover", "enter Full Cover in the Adjustment Phase")
    if facts.command is not Command.NONE:
        return Refusal(number, f"{name} has no N/C command but {facts.command}", "give it N/C next turn")
    return None


@rule("6.6.8", editions=BOOK)
def dug_after(dug: int, tables: Mapping[str, Table], *, engineers: bool) -> int:
    """The side of the Hasty Entrenchment counter after a further turn of work; the last is the finished one (6.6.8).

    Engineers skip a side when they begin, and finish whatever has been begun.
    """
    table = tables["foot_movement"]
    whole = table.number("turns_to_dig", "value")
    if not engineers:
        return min(whole, dug + 1)
    return whole if dug else whole - table.number("turns_to_dig_engineers", "value")


@rule("6.6.9", editions=BOOK)
def refuse_search(facts: MoveFacts, terrain: int, spent: int) -> Refusal | None:
    """Why a vehicle may not search its hex for a hull down position (6.6.9)."""
    number, name = "6.6.9", facts.name
    if facts.unit_class is not UnitClass.VEHICLE:
        return Refusal(number, f"{name} is no vehicle", "search with a vehicle")
    if facts.command is not Command.MOVE:
        return refuse_without_move(number, facts)
    if facts.markers.track:
        return Refusal("6.5.2.2.1", f"{name} has a Track hit and never moves again", "search with another vehicle")
    if spent:
        return Refusal(
            number, f"{name} has spent {spent}, and searching takes all of its allowance", "search before it moves"
        )
    if not terrain:
        return Refusal(number, "the terrain here offers no position", "search in terrain that lists a Hull Down range")
    return None
