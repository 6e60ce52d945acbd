"""6.6.1, 6.6.10, 6.6.11 Who may attack whom at arm's length: Close Assault, Hand-to-Hand and Overrun."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.errors import Refusal
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.movement.move_facts import MoveFacts, refuse_suppressed, refuse_without_move
from sandtable.systems.panzer.unit import Command

__all__ = [
    "Bout",
    "Supporter",
    "advance_cost",
    "bout_lost_by_attacker",
    "bout_lost_by_defender",
    "is_supported",
    "overrun_factor",
    "refuse_advance",
    "refuse_attacker",
    "refuse_overrun",
    "refuse_target",
]

BOOK = ("panzer-na",)
TOO_STEEP = 2
"""Heights from which on neither side reaches the other (6.6.1.1, 6.6.1.2)."""


@rule("6.6.1.1", "6.6.1.2", "6.6.2", "6.6.11", editions=BOOK)
def refuse_attacker(facts: MoveFacts, *, moved: bool, bound_to: str, target: str) -> Refusal | None:
    """Why a unit may not begin a Close Assault or a Hand-to-Hand combat (6.6.1.1, 6.6.1.2).

    ``bound_to`` is the target of those that share its MOVE command, "" if they have none yet (6.6.11).
    """
    number, name, markers = "6.6.1.1", facts.name, facts.markers
    if not facts.unit_class.is_leg:
        return Refusal(number, f"{name} is no squad, half-squad or section", "attack with one that is")
    if markers.is_suppressed:
        return refuse_suppressed("6.6.2", facts)
    if markers.is_mounted:
        return Refusal(number, f"{name} is mounted", "it may dismount into an attack in the Movement Step")
    if facts.command is not Command.MOVE:
        return refuse_without_move(number, facts)
    if moved:
        return Refusal(number, f"{name} has attacked or moved this turn", "wait for the next turn")
    if bound_to and bound_to != target:
        return Refusal("6.6.11", f"{name} shares its MOVE command with units that attack {bound_to}", "the same target")
    return None


@rule("6.6.1.1", "6.6.1.2", editions=BOOK)
def refuse_target(target: MoveFacts, *, spotted: bool, apart: int, heights: int) -> Refusal | None:
    """Why a unit may not be attacked from a place ``apart`` and ``heights`` away (6.6.1.1, 6.6.1.2).

    A vehicle is assaulted, a dismounted leg or towed unit fought Hand-to-Hand.
    """
    number = "6.6.1.1" if target.unit_class is UnitClass.VEHICLE else "6.6.1.2"
    if target.markers.is_mounted:
        return Refusal(number, f"{target.name} is mounted", "attack its vehicle")
    if not spotted:
        return Refusal(number, f"{target.name} is not spotted", "choose a spotted target")
    if apart != 1:
        return Refusal(number, f"{target.name} is {apart} away", "an adjacent target")
    if heights >= TOO_STEEP:
        reason = f"{target.name} is {heights} Heights above or below"
        return Refusal(number, reason, f"attack from less than {TOO_STEEP} Heights above or below")
    return None


@rule("6.6.1.1", "6.6.1.2", "6.6.4.2", editions=BOOK)
def refuse_advance(facts: MoveFacts) -> Refusal | None:
    """Why a unit may not move adjacent for an Advancing Attack: a section with attached weapons (6.6.1.1)."""
    if facts.is_burdened:
        return Refusal("6.6.1.1", f"{facts.name} is a section with attached weapons", "attack from where it is")
    return None


@rule("6.6.1.1", "6.6.1.2", "6.6.4.4", editions=BOOK)
def advance_cost(facts: MoveFacts, allowance: int, tables: Mapping[str, Table]) -> int:
    """What a unit may spend on an Advancing Attack: 1, or half of a motorcycle's allowance (6.6.1.1, 6.6.4.4)."""
    table = tables["foot_movement"]
    if facts.card.motorcycle:
        return max(1, allowance // table.number("advance_part_motorcycle", "value"))
    return table.number("advance_cost", "value")


class Supporter(msgspec.Struct, frozen=True):
    """A friendly leg unit in the hex of a vehicle that is assaulted."""

    unit_class: UnitClass
    mounted: bool = False
    """On a vehicle, which alone it supports."""
    here: bool = False
    """... and on this one."""


@rule("6.6.1.1.2", editions=BOOK)
def is_supported(rank: int, supporters: Iterable[Supporter], tables: Mapping[str, Table]) -> bool:
    """Whether the vehicle with that rank, from 0, among those of its hex has the support of leg units (6.6.1.1.2).

    Dismounted squads support two vehicles each, half-squads one; a mounted one supports the vehicle that carries it.
    """
    table = tables["foot_movement"]
    room = 0
    for unit in supporters:
        if unit.unit_class not in (UnitClass.SQUAD, UnitClass.HALF_SQUAD):
            continue
        if unit.mounted:
            if unit.here:
                return True
            continue
        squad = unit.unit_class is UnitClass.SQUAD
        room += table.number("supported_by_squad" if squad else "supported_by_half_squad", "value")
    return rank < room


# --- Hand-to-Hand, roll-off by roll-off ------------------------------------------------------------------


class Bout(msgspec.Struct, frozen=True, omit_defaults=True):
    """A Hand-to-Hand combat between two roll-offs: what the attackers and the defender are now (6.6.1.2.3)."""

    attackers: tuple[UnitClass, ...]
    """The primary attacker first; empty when they are all gone."""
    defender: UnitClass | None
    """None when it is gone."""

    @property
    def is_over(self) -> bool:
        """One side is left."""
        return not self.attackers or self.defender is None


@rule("6.6.1.2.3", editions=BOOK)
def bout_lost_by_defender(bout: Bout) -> Bout:
    """A defending squad is reduced, anything else eliminated (6.6.1.2.3)."""
    left = UnitClass.HALF_SQUAD if bout.defender is UnitClass.SQUAD else None
    return Bout(bout.attackers, left)


@rule("6.6.1.2.3", editions=BOOK)
def bout_lost_by_attacker(bout: Bout) -> Bout:
    """The primary attacker is reduced if it is a squad, else eliminated (6.6.1.2.3)."""
    first, *others = bout.attackers
    left = [UnitClass.HALF_SQUAD] if first is UnitClass.SQUAD else []
    return Bout((*left, *others), bout.defender)


# --- Overrun ---------------------------------------------------------------------------------------------


@rule("6.6.10", "6.6.4.4", editions=BOOK)
def refuse_overrun(vehicle: MoveFacts, target: MoveFacts, *, armed: bool, spotted: bool) -> Refusal | None:
    """Why a vehicle may not drive over a leg or towed unit (6.6.10)."""
    number = "6.6.10"
    if vehicle.unit_class is not UnitClass.VEHICLE or not armed:
        return Refusal(number, f"{vehicle.name} is no vehicle combat unit", "overrun with an armed vehicle")
    if vehicle.command is not Command.MOVE:
        return refuse_without_move(number, vehicle)
    if target.unit_class is UnitClass.VEHICLE or target.markers.is_mounted:
        return Refusal(number, f"{target.name} is no dismounted leg or towed unit", "choose one that is")
    if not spotted:
        return Refusal(number, f"{target.name} is not spotted", "choose a spotted target")
    return None


@rule("6.6.10.1", editions=BOOK)
def overrun_factor(weapons: Sequence[int], passengers: Sequence[int], tables: Mapping[str, Table]) -> int:
    """GP Factor of an Overrun: all weapons at a range of 1 and all passengers, 15 at most (6.6.10.1)."""
    return min(tables["foot_movement"].number("overrun_most", "value"), sum(weapons) + sum(passengers))
