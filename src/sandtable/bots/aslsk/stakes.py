"""What a position is worth: men, ground, and how likely the victory conditions are to be met (1.3)."""

from __future__ import annotations

from sandtable.bots.aslsk.sketch import Sketch
from sandtable.systems.aslsk.state import Place, Unit

__all__ = ["worth"]

WON = 40.0
"""Points for the game."""


def worth(sketch: Sketch) -> float:
    """Points by which the side is ahead."""
    state = sketch.state
    if state.ended:
        return WON if state.winner == sketch.seat else -WON
    total = 0.0
    for unit in state.units.values():
        if unit.place is Place.ELIMINATED:
            continue
        value = _man(sketch, unit)
        total += value if unit.side == sketch.seat else -value
    for prize in sketch.book.prizes:
        points = sketch.points_of(prize)
        total += points if sketch.is_mine(prize) else -points
    return total


def _man(sketch: Sketch, unit: Unit) -> float:
    """A unit as it stands."""
    value = sketch.price(unit)
    if not unit.on_map or unit.hex is None:
        return value
    if unit.broken:
        return value * (0.85 if unit.dm else 1.0)
    if unit.pinned:
        value *= 0.95
    foe = sketch.book.other(unit.side)
    danger = sketch.exposure(unit.hex, 7, foe)
    return value * (1 - 0.25 * danger)
