"""What a position is worth: men, ground, and how well the side's units stand for what is still to come (1.3)."""

from __future__ import annotations

from sandtable.bots.aslsk.armour.tanks import vehicle_value
from sandtable.bots.aslsk.leaving import left_value
from sandtable.bots.aslsk.sketch import Sketch
from sandtable.bots.aslsk.standing import Party
from sandtable.bots.aslsk.watching import watch_value
from sandtable.systems.aslsk.pieces.state import Unit, Whereabouts

__all__ = ["WON", "worth"]

WON = 40.0
"""Points for the game."""
SHAKEN = 0.85
"""What is left of a broken unit's worth under DM, which keeps it from rallying."""
LEAST = 0.35
"""The most of its price that one loses by where it stands: less than a unit does that breaks."""
HOPE = 3.0
"""Turns of march by which one that goes on its way is ahead of one that will never come."""


def worth(sketch: Sketch) -> float:
    """Points by which the side is ahead."""
    state = sketch.state
    if state.ended:
        return WON if state.winner == sketch.seat else -WON
    total = _force(sketch) - _force(sketch.across())
    for prize in sketch.book.prizes:
        points = sketch.points_of(prize) * sketch.ripeness()
        total += points if sketch.is_mine(prize) else -points
    for side, sign in ((sketch.seat, 1), (sketch.enemy, -1)):
        total += sign * (left_value(sketch, side) + watch_value(sketch, side))
    return total


def _force(sketch: Sketch) -> float:
    """What the side has, as it stands."""
    state, seat = sketch.state, sketch.seat
    hope = min(HOPE, sketch.turns_left() + 1)
    men = [
        _man(sketch, unit, hope)
        for unit in state.units.values()
        if unit.side == seat and unit.place is not Whereabouts.ELIMINATED
    ]
    vehicles = [
        _standing(sketch.price_of(vehicle), vehicle_value(sketch, vehicle, hope))
        for vehicle in state.vehicles.values()
        if vehicle.side == seat and vehicle.place is not Whereabouts.ELIMINATED
    ]
    return sum(men) + sum(vehicles)


def _man(sketch: Sketch, unit: Unit, hope: float) -> float:
    """A unit as it stands."""
    price = sketch.price(unit)
    if unit.broken:
        return price * (SHAKEN if unit.dm else 1.0)
    if unit.hex is None:
        return price
    party = Party(sketch, (unit,))
    return _standing(price, party.value(unit.hex) + hope * party.pace())


def _standing(price: float, place: float) -> float:
    """What somebody is worth where he stands: no place is so bad that he had better be broken, or lost."""
    return price + max(-LEAST * price, place)
