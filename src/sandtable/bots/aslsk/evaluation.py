"""What a position is worth: men, ground, and how well the side's units stand for what is still to come (1.3)."""

from __future__ import annotations

from sandtable.bots.aslsk.sketch import Sketch
from sandtable.bots.aslsk.standing import Party
from sandtable.systems.aslsk.pieces.state import Unit, Whereabouts

__all__ = ["WON", "worth"]

WON = 40.0
"""Points for the game."""
SHAKEN = 0.85
"""What is left of a broken unit's worth under DM, which keeps it from rallying."""


def worth(sketch: Sketch) -> float:
    """Points by which the side is ahead."""
    state = sketch.state
    if state.ended:
        return WON if state.winner == sketch.seat else -WON
    total = 0.0
    for unit in state.units.values():
        if unit.place is not Whereabouts.ELIMINATED:
            value = _man(sketch, unit)
            total += value if unit.side == sketch.seat else -value
    for prize in sketch.book.prizes:
        points = sketch.points_of(prize) * sketch.ripeness()
        total += points if sketch.is_mine(prize) else -points
    return total


def _man(sketch: Sketch, unit: Unit) -> float:
    """A unit as it stands."""
    value = sketch.price(unit)
    if unit.broken:
        return value * (SHAKEN if unit.dm else 1.0)
    if unit.side == sketch.seat and unit.hex is not None:
        value += Party(sketch, (unit,)).value(unit.hex)
    return value
