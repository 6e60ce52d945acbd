"""4.2.1 Commands lie face down: who may know which."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.systems.panzer.unit import Command, UnitId, Vehicle

__all__ = ["conceal_commands", "hide_commands", "other_commands"]

V = TypeVar("V", bound=Vehicle)


def _with_command(unit: V, command: Command) -> V:
    """The vehicle with another command, which it shares with nobody."""
    struct: Any = unit
    if struct.markers.shares:
        struct = replace(struct, markers=replace(struct.markers, shares=UnitId("")))
    found: V = replace(struct, command=command)
    return found


@rule("4.2.1")
def conceal_commands(units: Mapping[UnitId, V], seat: Seat | None) -> dict[UnitId, V]:
    """The vehicles as ``seat`` may know them: enemy commands lie face down (4.2.1)."""
    hidden = Command.HIDDEN
    return {
        unit_id: unit if unit.known or unit.side == seat else _with_command(unit, hidden)
        for unit_id, unit in units.items()
    }


def hide_commands(units: Iterable[Vehicle], holder: Seat) -> bool:
    """Whether a force has commands that lie face down (4.2.1)."""
    return any(not unit.known for unit in units if unit.side == holder)


def other_commands(units: Mapping[UnitId, V], seat: Seat) -> Iterator[dict[UnitId, V]]:
    """Vehicles that ``seat`` cannot tell from these: other commands under the enemy's face-down counters."""
    hidden = [unit for unit in units.values() if not unit.known and unit.side != seat]
    commands = (Command.NONE, Command.OVERWATCH, Command.MOVE, Command.FIRE, Command.SHORT_HALT)
    dealt = [[command] * len(hidden) for command in commands]
    dealt.append([commands[place % len(commands)] for place in range(len(hidden))])
    for given in dealt if hidden else ():
        changed = {unit.id: _with_command(unit, command) for unit, command in zip(hidden, given, strict=True)}
        yield {**units, **changed}
