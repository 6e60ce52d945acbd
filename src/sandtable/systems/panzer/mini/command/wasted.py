"""6.1.3, 8.1.1.2.4 Orders to fire that cannot be carried out: they are revealed, and count as carried out."""

from __future__ import annotations

from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.mini import events as ev
from sandtable.systems.panzer.mini.handler import Play
from sandtable.systems.panzer.mini.state import Unit
from sandtable.systems.panzer.unit import Command, Spot

__all__ = ["must_fire", "waste_fire"]


def waste_fire(play: Play, unit: Unit) -> None:
    """A unit that must fire and cannot has fired: it is marked, and may be fired at in response (8.1.1.2.4)."""
    if not unit.known:
        play.emit(shared.CommandRevealed(unit.id, unit.command))
    play.emit(ev.OrderWasted(unit.id, unit.command))
    play.emit(shared.SpotMarked(unit.id, Spot.FIRE))


def must_fire(unit: Unit, player: str) -> bool:
    """Whether a unit of a player has an order to fire that it has not carried out."""
    ordered = unit.command in (Command.FIRE, Command.SHORT_HALT)
    return unit.side == player and unit.in_play and ordered and not unit.fired
