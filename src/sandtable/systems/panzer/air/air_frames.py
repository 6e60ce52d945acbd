"""Open questions of the Air Phases that need no place (6.7)."""

from __future__ import annotations

from sandtable.core.decision import Seat
from sandtable.systems.panzer.frames import Frame
from sandtable.systems.panzer.unit import UnitId

__all__ = ["AirPhase", "AntiAircraft", "Arming"]


class Arming(Frame, frozen=True):
    """6.7.1: these forces have not said yet what their aircraft carry."""

    waiting: tuple[Seat, ...]


class AirPhase(Frame, frozen=True):
    """6.4, 6.7: the force with local air superiority may fly."""

    player: Seat


class AntiAircraft(Frame, frozen=True):
    """6.7.4: this force may fire at the aircraft as it flies."""

    aircraft: UnitId
    asked: Seat
    after: bool = False
    """Whether the aircraft has announced its attack: the fire is resolved after that."""
