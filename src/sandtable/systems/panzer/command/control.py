"""6.2.1.1 Command control: which units are active, and who may share a command with whom.

A formation's units are told apart by what they are; how far apart they stand is asked of whoever measures it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.systems.panzer.formations import Formation
from sandtable.systems.panzer.unit import Command, Order, UnitId

__all__ = ["UNIQUE", "FormationStatus", "Linked", "Member", "Within", "active_units", "groups", "refuse_group"]

BOOK = ("panzer-na",)
UNIQUE = (Command.FIRE, Command.MOVE, Command.SHORT_HALT, Command.OVERWATCH)
"""The commands that count; N/C does not (6.2.1.1.3)."""

Within = Callable[[UnitId, UnitId], bool]
"""Whether two units of a formation are within Command Range of one another (6.2.1.1.2)."""
Linked = Callable[[UnitId, UnitId], bool]
"""Whether two vehicles follow one another on a road or path, stacked or adjacent (6.2.1.1.3)."""


class Member(NamedTuple):
    """A unit as its formation counts it (6.2.1.1)."""

    id: UnitId
    armed: bool
    """A combat unit."""
    recon: bool = False
    carrier: UnitId = UnitId("")
    """The vehicle that it rides on."""
    able: bool = True
    """On the mapboard, and neither eliminated nor bailed out."""


class FormationStatus(NamedTuple):
    """A formation as it stands this turn."""

    formation: Formation
    members: Mapping[UnitId, Member]
    active: frozenset[UnitId]
    commands: int
    """Available commands (6.2.1.1.1)."""
    reach: int
    """Command Range (6.2.1.1.2)."""


@rule("6.2.1.1", "5.9.2", editions=BOOK)
def active_units(members: Iterable[Member], within: Within) -> frozenset[UnitId]:
    """The units that a formation's commands are counted by (6.2.1.1).

    A combat unit activates at most one unarmed unit within Command Range; one that is carried activates its vehicle.
    Of several that might be, those that come first by id are active.
    """
    standing = sorted((member for member in members if member.able), key=lambda member: member.id)
    combat = [member.id for member in standing if member.armed and not member.carrier]
    carried = {member.carrier for member in standing if member.armed and member.carrier}
    active = {member.id for member in standing if member.armed and not member.carrier and not member.recon}
    unarmed = [member.id for member in standing if not member.armed and not member.carrier and not member.recon]
    active.update(unit for unit in unarmed if unit in carried)
    waiting = [unit for unit in unarmed if unit not in carried]
    near = {unit: [other for other in combat if within(unit, other)] for unit in waiting}
    taken: dict[UnitId, UnitId] = {}
    for unit in waiting:
        if _activate(unit, near, taken, set()):
            active.add(unit)
    return frozenset(active)


def _activate(
    unit: UnitId, near: Mapping[UnitId, Sequence[UnitId]], taken: dict[UnitId, UnitId], tried: set[UnitId]
) -> bool:
    """Find a combat unit for an unarmed one; those that have one may take another (6.2.1.1)."""
    for other in near[unit]:
        if other not in tried:
            tried.add(other)
            if other not in taken or _activate(taken[other], near, taken, tried):
                taken[other] = unit
                return True
    return False


def groups(orders: Mapping[UnitId, Order]) -> dict[UnitId, list[UnitId]]:
    """The units of each shared command, by the unit that has the counter."""
    found: dict[UnitId, list[UnitId]] = {}
    for unit, order in orders.items():
        if order.shares:
            found.setdefault(order.shares, []).append(unit)
    return {holder: sorted({holder, *units}) for holder, units in found.items()}


@rule("6.2.1.1.2", "6.2.1.1.3", "5.9.2", editions=BOOK)
def refuse_group(
    status: FormationStatus,
    command: Command,
    units: Sequence[UnitId],
    within: Within,
    linked: Linked,
    *,
    between: Sequence[UnitId] = (),
) -> Refusal | None:
    """Why these units cannot share a command (6.2.1.1.3).

    ``between`` may still join them: vehicles that do not follow one another yet might be joined by one of those.
    """
    members = status.members
    for unit in units:
        if unit not in members:
            return Refusal(
                "6.2.1.1.3", f"{unit} is not of {status.formation.title}", "share in a formation", tuple(units)
            )
        if members[unit].recon:
            return Refusal("6.2.1.1.3", f"{unit} is a Recon unit", "a command of its own, which is free", (unit,))
    if command is Command.NONE:
        return Refusal("6.2.1.1.3", "N/C is no command to share", "N/C for each, which is free", tuple(units))
    if command is Command.MOVE and _is_column(units, between, linked):
        return None
    together = all(within(one, other) for index, one in enumerate(units) for other in units[index + 1 :])
    if command is Command.MOVE and together and not any(members[unit].able for unit in units):
        # A ruling: reserves that come in at the same place are in one hex until they do.
        return None
    for unit in units:
        if unit not in status.active:
            word = "inactive" if members[unit].able else "not on the mapboard"
            return Refusal("6.2.1.1.3", f"{unit} is {word}", "a command of its own, or a MOVE along a road", (unit,))
    for index, one in enumerate(units):
        for other in units[index + 1 :]:
            if not within(one, other):
                reason = f"{one} and {other} are not within the Command Range of {status.reach}"
                return Refusal("6.2.1.1.2", reason, "commands of their own", (one, other))
    return None


def _is_column(units: Sequence[UnitId], between: Sequence[UnitId], linked: Linked) -> bool:
    """Whether each of the units follows another on a road or path (6.2.1.1.3), with some of ``between`` if need be."""
    if not all(linked(unit, unit) for unit in units):
        return False
    found, open_ones = [units[0]], [*units[1:], *between]
    for one in found:
        near = [other for other in open_ones if linked(one, other)]
        found += near
        open_ones = [other for other in open_ones if other not in near]
    return set(units) <= set(found)
