"""6.6.4, 6.6.5 Leg and towed units under way: quickmarch, crawling, motorcycles, manhandling."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.errors import Refusal
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.markers import Floor
from sandtable.systems.panzer.movement.move_facts import MoveFacts, refuse_suppressed, refuse_without_move
from sandtable.systems.panzer.movement.speed import Gait
from sandtable.systems.panzer.unit import Command

__all__ = [
    "crosses_walls",
    "height_limit",
    "hinders_routes",
    "is_immobile",
    "is_walled_in",
    "most_hexes",
    "refuse_crawl",
    "refuse_gait",
    "refuse_quickmarch",
    "refuse_short_halt",
]

BOOK = ("panzer-na",)


def refuse_gait(facts: MoveFacts, gait: Gait) -> Refusal | None:
    """Why a unit may not go like this."""
    if gait is Gait.QUICKMARCH:
        return refuse_quickmarch(facts)
    return refuse_crawl(facts) if gait is Gait.CRAWL else None


@rule("6.6.4.1", "6.6.5", editions=BOOK)
def refuse_short_halt(facts: MoveFacts) -> Refusal | None:
    """Why a unit may not have a SHORT HALT command: it pulls or carries its weapons (6.6.4.1, 6.6.5)."""
    if facts.is_burdened:
        return Refusal("6.6.4.1", f"{facts.name} is a section with attached weapons", "MOVE, FIRE, OW or N/C")
    if facts.unit_class is UnitClass.TOWED:
        return Refusal("6.6.5", f"{facts.name} is a towed unit", "MOVE, FIRE, OW or N/C")
    return None


@rule("6.6.4.2", editions=BOOK)
def refuse_quickmarch(facts: MoveFacts) -> Refusal | None:
    """Why a unit may not quickmarch: on foot, unburdened, unsuppressed and with a MOVE command it may (6.6.4.2)."""
    number, name = "6.6.4.2", facts.name
    if not facts.is_on_foot:
        return Refusal(number, f"{name} is no dismounted leg unit on foot", "quickmarch with one that is")
    if facts.is_burdened:
        return Refusal(number, f"{name} is a section with attached weapons", "march")
    if facts.markers.is_suppressed:
        return refuse_suppressed(number, facts)
    if facts.command is not Command.MOVE:
        return refuse_without_move(number, facts)
    return None


@rule("6.6.4.3", editions=BOOK)
def refuse_crawl(facts: MoveFacts) -> Refusal | None:
    """Why a unit may not crawl: unburdened, unsuppressed and in Full Cover it may (6.6.4.3)."""
    number, name = "6.6.4.3", facts.name
    if not facts.is_light or facts.markers.is_mounted:
        reason = f"{name} is no dismounted squad, half-squad or section without attached weapons"
        return Refusal(number, reason, "crawl with one that is")
    if facts.markers.is_suppressed:
        return refuse_suppressed(number, facts)
    if not facts.markers.full_cover:
        return Refusal(number, f"{name} is not in Full Cover", "march, or enter Full Cover in the Adjustment Phase")
    if facts.command is Command.SHORT_HALT:
        return Refusal(number, f"{name} has a SHORT HALT command", "give it MOVE next turn")
    return None


@rule("6.6.4.1", "6.6.4.2", "6.6.4.3", "6.6.5", editions=BOOK)
def height_limit(facts: MoveFacts, gait: Gait, tables: Mapping[str, Table]) -> int:
    """Heights that a leg or towed unit changes at most in a move of one hex (6.6.4.1, 6.6.5).

    Of a section with attached weapons the book says nothing: it is held to what a gun crew manages.
    """
    table = tables["foot_movement"]
    if gait is not Gait.MARCH:
        return table.number(f"heights_{gait}", "value")
    if facts.card.motorcycle:
        return tables["height_change_limits"].number("W")
    return table.number("heights_light" if facts.is_light else "heights_burdened", "value")


@rule("5.2", "6.6.4.3", "6.6.5", editions=BOOK)
def most_hexes(facts: MoveFacts, gait: Gait, tables: Mapping[str, Table]) -> int | None:
    """Hexes that a unit may enter at most in a turn whatever its allowance; None where that alone counts (6.6.5).

    Most guns are manhandled one hex, the very large ones not at all (5.2).
    """
    if gait is Gait.CRAWL:
        return tables["foot_movement"].number("hexes_crawl", "value")
    if facts.unit_class is UnitClass.TOWED:
        return 0 if facts.heavy else tables["foot_movement"].number("hexes_towed", "value")
    return None


@rule("6.6.4.4", "6.6.5", editions=BOOK)
def crosses_walls(facts: MoveFacts) -> bool:
    """Whether a leg or towed unit may traverse Wall and Defilade hexsides (6.6.4.4, 6.6.5)."""
    return facts.unit_class.is_leg and not facts.card.motorcycle


@rule("6.5.2.2.1", "6.1.4.3.1", editions=BOOK)
def is_immobile(facts: MoveFacts) -> bool:
    """Whether a unit never moves: a vehicle with a Track hit or no crew, a gun inside a building (6.5.2.2.1)."""
    markers = facts.markers
    return markers.track or markers.bailed or is_walled_in(facts)


@rule("6.1.4.3.1", editions=BOOK)
def is_walled_in(facts: MoveFacts) -> bool:
    """Whether it is a gun that was set up inside a building, which it does not leave (6.1.4.3.1)."""
    return facts.unit_class is UnitClass.TOWED and facts.markers.floor is Floor.INSIDE


@rule("6.6.4.1", editions=BOOK)
def hinders_routes(facts: MoveFacts) -> bool:
    """Whether a vehicle loses its Path or Road factor in the hex of this leg or towed unit (6.6.4.1)."""
    return not facts.markers.is_mounted and not facts.is_on_foot
