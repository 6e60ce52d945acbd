"""Leaving the map: for points where a victory condition counts them, or from an enemy who needs losses to win (1.3).

Who leaves is no more in the fight, so nobody leaves for safety while there is ground that his side needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sandtable.core.errors import Refusal
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.aslsk.movement.mover import MoveProgress, Mover
from sandtable.systems.aslsk.pieces.state import MoveStep, StepKind, Unit
from sandtable.systems.aslsk.victory import exit_points, points

if TYPE_CHECKING:
    from sandtable.bots.aslsk.book import Gate
    from sandtable.bots.aslsk.sketch import Sketch

__all__ = ["leave_value", "way_out", "ways_off"]

SAFETY = 0.5
"""Share of its price that a unit is spared on average if it leaves an enemy who is after losses."""
AHEAD = 2
"""Turns before a gate opens in which units make for it."""


def _worth_of(sketch: Sketch, gate: Gate, units: Sequence[Unit]) -> float:
    """Points that it is worth to be off the map by a gate."""
    if gate.needed:
        if exit_points(sketch.context, sketch.state, sketch.seat) >= gate.needed:
            return 0.0
        counted = sum(points(sketch.context, unit) for unit in units)
        return 4 * sketch.weights.place * counted / gate.needed * sketch.style.drive
    if not sketch.book.hunts[sketch.enemy] or sketch.wanted() or sketch.guarded():
        return 0.0
    return SAFETY * sum(sketch.price(unit) for unit in units)


def leave_value(sketch: Sketch, units: Sequence[Unit], hex: Hex) -> float:
    """Points for leaving from a hex now."""
    open_now = [gate for gate in sketch.gates if hex in gate.hexes and sketch.state.turn >= gate.from_turn]
    return max((_worth_of(sketch, gate, units) for gate in open_now), default=0.0)


def ways_off(sketch: Sketch, units: Sequence[Unit]) -> frozenset[Hex]:
    """Hexes that units make for to leave: of gates that are open, or soon will be, and worth it."""
    due = [gate for gate in sketch.gates if sketch.state.turn >= gate.from_turn - AHEAD]
    return frozenset(hex for gate in due if _worth_of(sketch, gate, units) > 0 for hex in gate.hexes)


def way_out(sketch: Sketch, mover: Mover, now: MoveProgress) -> Iterator[MoveStep]:
    """The step off the map from where a move has come to, if there is one."""
    if now.hex is None or not any(now.hex in gate.hexes for gate in sketch.gates):
        return
    for way in range(len(NEIGHBOURS[now.hex])):
        step = MoveStep(StepKind.EXIT, way=way)
        if not isinstance(mover.take(now, step), Refusal):
            yield step
            return
