"""2.0 Known Enemy Unit: an enemy to which there is a line of sight now; and what being adjacent to one means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sandtable.core.content.rule import rule
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.stacking import occupants
from sandtable.systems.aslsk.pieces.state import State, Unit

__all__ = ["adjacent_enemies", "desperate_neighbours"]


@rule("2.0")
def adjacent_enemies(context: Context, state: State, hex: Hex, seat: str, *, unbroken: bool = True) -> Iterator[Unit]:
    """Known enemy units, that is in sight, in the hex itself or next to it (2.0)."""
    index = occupants(context, state)
    for there in (hex, *NEIGHBOURS[hex]):
        for unit in index.get(there, ()):
            if unit.side != seat and not (unbroken and unit.broken) and context.sees(state, hex, there):
                yield unit


@rule("3.2.3")
def desperate_neighbours(context: Context, play: Play, broken: Iterable[Unit]) -> None:
    """A broken unit that has become adjacent to a Known Enemy Unit comes under DM (3.2.3)."""
    state = play.state
    for unit in broken:
        if unit.on_map and unit.hex is not None:
            enemy = next(adjacent_enemies(context, state, unit.hex, unit.side, unbroken=False), None)
            if enemy is not None:
                play.emit(ev.Desperation(unit.id, f"adjacent to {enemy.id}"))
