"""4.2 Commands: the five that are given, who takes one, and which orders name what is not there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from sandtable.core.errors import Refusal
from sandtable.systems.panzer.actions import PlaceCommands
from sandtable.systems.panzer.unit import Command, Status, UnitId, Vehicle

__all__ = ["GIVEN", "commanded", "refuse_placing"]

GIVEN = (Command.FIRE, Command.MOVE, Command.SHORT_HALT, Command.OVERWATCH, Command.NONE)

V = TypeVar("V", bound=Vehicle)


def commanded(units: Mapping[UnitId, V], turn: int, seat: str) -> list[V]:
    """The vehicles of a force that take commands this turn, in a fixed order."""
    return [
        unit
        for _, unit in sorted(units.items())
        if unit.side == seat and (unit.in_play or (unit.status is Status.RESERVE and unit.enters_turn <= turn))
    ]


def refuse_placing(units: Mapping[UnitId, Vehicle], turn: int, seat: str, action: PlaceCommands) -> Refusal | None:
    """Why these commands cannot be placed at all; one that cannot be carried out counts as N/C (4.2.1)."""
    mine = {unit.id for unit in commanded(units, turn, seat)}
    for unit_id, command in action.commands.items():
        if unit_id not in mine:
            return Refusal("4.2.1", f"{unit_id!r} is no vehicle of {seat} that takes a command now", "leave it out")
        if command not in GIVEN:
            return Refusal("4.2", f"{command.value!r} is no command", "FIRE, MOVE, SHORT HALT, OW or N/C")
    return None
