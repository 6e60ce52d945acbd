"""2.0 Known Enemy Unit: an enemy to which there is a line of sight now; and what being adjacent to one means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sandtable.core.content.rule import rule
from sandtable.geo.hex import NEIGHBOURS, Hex, distance
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.hidden import veiled
from sandtable.systems.aslsk.common.stacking import occupants
from sandtable.systems.aslsk.pieces.state import State, Unit, Vehicle

__all__ = ["adjacent_enemies", "desperate_neighbours"]


@rule("2.0")
def adjacent_enemies(
    context: Context, state: State, hex: Hex, seat: str, *, unbroken: bool = True
) -> Iterator[Unit | Vehicle]:
    """Known enemy units and vehicles in the hex or next to it: in sight, and not hidden (2.0, 6.4)."""
    state = veiled(context, state, seat)
    index = occupants(context, state)
    for there in (hex, *NEIGHBOURS[hex]):
        for unit in index.get(there, ()):
            if unit.side != seat and not (unbroken and unit.broken) and context.sees(state, hex, there):
                yield unit
    if not state.vehicles:
        return
    for vehicle in state.vehicles.values():
        place = vehicle.hex if vehicle.side != seat and vehicle.in_play else None
        if place is not None and distance(hex, place) <= 1 and context.sees(state, hex, place):
            yield vehicle


@rule("3.2.3")
def desperate_neighbours(context: Context, play: Play, broken: Iterable[Unit]) -> None:
    """A broken unit that has become adjacent to a Known Enemy Unit comes under DM (3.2.3)."""
    state = play.state
    for unit in broken:
        if unit.on_map and unit.hex is not None:
            enemy = next(adjacent_enemies(context, state, unit.hex, unit.side, unbroken=False), None)
            if enemy is not None:
                play.emit(ev.Desperation(unit.id, f"adjacent to {enemy.id}"))
