"""4.0 Sequence of Play: the phases of a turn, and the commands that are left over when it ends (4.6.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import TypeVar

from sandtable.core.content.rule import rule
from sandtable.systems.panzer.unit import Command, UnitId, Vehicle

__all__ = ["Phase", "begin_next", "unused_commands"]

C = TypeVar("C")
P = TypeVar("P")


class Phase(StrEnum):
    """The phases of 4.0 in the Basic Game, and the two Air Phases of the Advanced Game (6.4, 6.7)."""

    SPOTTING = "Spotting"
    COMMAND = "Command"
    INITIATIVE = "Initiative"
    FIRST_AIR = "1st Air"
    COMBAT = "Combat"
    MOVEMENT = "Movement"
    SECOND_AIR = "2nd Air"
    ADJUSTMENT = "Adjustment"


def begin_next(phases: Mapping[Phase, Callable[[C, P], bool]], phase: Phase, context: C, play: P) -> None:
    """Begin the phase after this one in the order of a turn; one that says that it does not take place is passed by."""
    order = list(phases)
    after = order.index(phase) + 1
    for later in (*order[after:], *order[:after]):
        if phases[later](context, play):
            return


@rule("4.6", "4.6.1")
def unused_commands(units: Iterable[Vehicle]) -> dict[UnitId, Command]:
    """FIRE, SHORT HALT and MOVE commands that were never turned over (4.6.1).

    The engine asks for every command that can be carried out, so what is left had nothing to fire at.
    """
    must = (Command.FIRE, Command.SHORT_HALT, Command.MOVE)
    return {
        unit.id: unit.command
        for unit in units
        if unit.in_play and unit.command in must and not (unit.fired or unit.moved)
    }
