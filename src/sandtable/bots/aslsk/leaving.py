"""Leaving the map: for points where a victory condition counts them, or from an enemy who needs losses to win (1.3).

Who leaves is no more in the fight, so nobody leaves for safety while there is ground that his side needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp
from typing import TYPE_CHECKING

from sandtable.core.decision import Seat
from sandtable.core.errors import Refusal
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.aslsk.movement.mover import Mover
from sandtable.systems.aslsk.movement.stepping import MoveProgress
from sandtable.systems.aslsk.pieces.state import MoveStep, StepKind, Unit, Vehicle
from sandtable.systems.aslsk.victory import exit_points, points, vehicle_points

if TYPE_CHECKING:
    from sandtable.bots.aslsk.book import Gate
    from sandtable.bots.aslsk.sketch import Sketch

__all__ = [
    "AFV",
    "drive_out_value",
    "drive_outs",
    "hope_to_leave",
    "leave_value",
    "left_value",
    "way_out",
    "ways_off",
    "ways_to_score",
]

SAFETY = 0.5
"""Share of its price that a unit is spared on average if it leaves an enemy who is after losses."""
AFV = 4.0
"""Points for an AFV where the game is won by AFV lost: for one that is away, and on top of its price for one lost."""
AHEAD = 2
"""Turns before a gate opens in which units make for it."""
WEAR = 0.15
"""The chance to be held up for good in each turn of the way to a gate."""
DELAY, SPREAD = 0.5, 0.35
"""Turns that the way takes longer than it looks, about, and how far that varies."""
SURELY_LATE = 20.0
"""So many times that spread behind, nobody hopes."""


def _worth_of(sketch: Sketch, gate: Gate, units: Sequence[Unit]) -> float:
    """Points that it is worth to be off the map by a gate."""
    if gate.needed:
        return _counted(sketch, gate, sum(points(sketch.context, unit) for unit in units))
    if not sketch.book.hunts[sketch.enemy] or sketch.wanted() or sketch.guarded():
        return 0.0
    return SAFETY * sum(sketch.price(unit) for unit in units)


def _counted(sketch: Sketch, gate: Gate, leaving: int) -> float:
    """Points for so many victory points that leave by a gate."""
    if exit_points(sketch.context, sketch.state, sketch.seat) >= gate.needed:
        return 0.0
    return 4 * sketch.weights.place * leaving / gate.needed * sketch.style.drive


def hope_to_leave(sketch: Sketch, turns: float) -> float:
    """The chance to be off the map before the game ends for who is so many turns away from a gate."""
    late = (turns + DELAY - sketch.marches_left()) / SPREAD
    return (1 - WEAR) ** turns / (1 + exp(late)) if late < SURELY_LATE else 0.0


def left_value(sketch: Sketch, side: Seat) -> float:
    """Points for what a side has off the map by ways that count."""
    gates = sketch.book.gates[side]
    needed = max([gate.needed for gate in gates], default=0)
    total = 0.0
    if needed:
        total += 4 * sketch.weights.place * min(1.0, exit_points(sketch.context, sketch.state, side) / needed)
    if any(gate.counts_afv for gate in gates):
        total += AFV * sum(one.side == side and one.away for one in sketch.state.vehicles.values())
    return total


def _driven_out(sketch: Sketch, gate: Gate, vehicle: Vehicle) -> float:
    """Points for a vehicle that leaves by a gate."""
    if gate.counts_afv:
        return AFV * sketch.style.drive
    return _counted(sketch, gate, vehicle_points(sketch.context, vehicle)) if gate.needed else 0.0


def drive_out_value(sketch: Sketch, vehicle: Vehicle, hex: Hex | None) -> float:
    """Points for a vehicle that leaves from a hex now."""
    open_now = [gate for gate in sketch.gates if hex in gate.hexes and sketch.state.turn >= gate.from_turn]
    return max([_driven_out(sketch, gate, vehicle) for gate in open_now], default=0.0)


def drive_outs(sketch: Sketch, vehicle: Vehicle) -> tuple[float, frozenset[Hex]]:
    """Points for a vehicle that leaves, and the hexes that it makes for to do so."""
    return _best_of([(_driven_out(sketch, gate, vehicle), gate) for gate in _due(sketch)])


def ways_to_score(sketch: Sketch, units: Sequence[Unit]) -> tuple[float, frozenset[Hex]]:
    """Points for units that leave where that wins the game, and the hexes that they make for to do so."""
    return _best_of([(_worth_of(sketch, gate, units), gate) for gate in _due(sketch) if gate.needed])


def _due(sketch: Sketch) -> list[Gate]:
    """Gates that are open, or soon will be."""
    return [gate for gate in sketch.gates if sketch.state.turn >= gate.from_turn - AHEAD]


def _best_of(gates: Sequence[tuple[float, Gate]]) -> tuple[float, frozenset[Hex]]:
    paying = [(points, gate) for points, gate in gates if points > 0]
    hexes = frozenset(hex for _, gate in paying for hex in gate.hexes)
    return max([points for points, _ in paying], default=0.0), hexes


def leave_value(sketch: Sketch, units: Sequence[Unit], hex: Hex) -> float:
    """Points for leaving from a hex now."""
    open_now = [gate for gate in sketch.gates if hex in gate.hexes and sketch.state.turn >= gate.from_turn]
    return max((_worth_of(sketch, gate, units) for gate in open_now), default=0.0)


def ways_off(sketch: Sketch, units: Sequence[Unit]) -> frozenset[Hex]:
    """Hexes that units make for to leave for safety."""
    found = [(_worth_of(sketch, gate, units), gate) for gate in _due(sketch) if not gate.needed]
    return _best_of(found)[1]


def way_out(sketch: Sketch, mover: Mover, now: MoveProgress) -> Iterator[MoveStep]:
    """The step off the map from where a move has come to, if there is one."""
    if now.hex is None or not any(now.hex in gate.hexes for gate in sketch.gates):
        return
    for way in range(len(NEIGHBOURS[now.hex])):
        step = MoveStep(StepKind.EXIT, way=way)
        if not isinstance(mover.take(now, step), Refusal):
            yield step
            return
