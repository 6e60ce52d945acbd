"""Ground that a side must have under its fire when the game ends, as a scenario card may ask for (1.3).

It counts at the end alone: until then who is to fire there comes near, keeps out of harm's way, and stays Good Order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.covering_fire import covering_halves
from sandtable.systems.aslsk.pieces.state import Unit

if TYPE_CHECKING:
    from sandtable.bots.aslsk.sketch import Sketch

__all__ = ["Watch", "stand_value", "watch_value"]

SPARE = 0.3
"""How much FP counts beyond what is needed: the enemy may yet break those who have it."""


class Watch(NamedTuple):
    """What a side is to have under fire."""

    hexes: frozenset[Hex]
    needed: int
    """FP that win it the game."""


def _points(sketch: Sketch, watch: Watch, fp: float) -> float:
    """Points for so many FP: more, the nearer the end is."""
    counted = min(fp, watch.needed)
    share = (counted + SPARE * (fp - counted)) / watch.needed
    return 4 * sketch.weights.place * sketch.style.drive * share / max(1.0, sketch.turns_left())


def _fp(sketch: Sketch, seat: Seat, unit: Unit, hex: Hex | None) -> float:
    """FP that a unit of a side could bring to bear from a hex."""
    far = sketch.book.overlook(seat, hex) if hex is not None else None
    if far is None or not unit.good_order or not sketch.context.card(unit).is_mmc:
        return 0.0
    return covering_halves(sketch.context, sketch.state, unit, far) / 2


def watch_value(sketch: Sketch, seat: Seat) -> float:
    """Points for the fire that a side could bring to bear as it stands."""
    watch = sketch.book.watches.get(seat)
    if watch is None:
        return 0.0
    units = sketch.state.units.values()
    return _points(sketch, watch, sum(_fp(sketch, seat, unit, unit.hex) for unit in units if unit.side == seat))


def stand_value(sketch: Sketch, units: Sequence[Unit], hex: Hex) -> float:
    """Points that units of the side add to it if they stand in a hex."""
    watch = sketch.book.watches.get(sketch.seat)
    own = sum(_fp(sketch, sketch.seat, unit, hex) for unit in units) if watch is not None else 0.0
    if watch is None or not own:
        return 0.0
    names = {unit.id for unit in units}
    others = sum(_fp(sketch, sketch.seat, unit, unit.hex) for unit in sketch.mine if unit.id not in names)
    return _points(sketch, watch, others + own) - _points(sketch, watch, others)
