"""10.1, 10.2: whose pivots and turrets are asked for; the First Player's come first (a ruling: 7.2 leaves it open)."""

from __future__ import annotations

from sandtable.core.decision import Seat
from sandtable.systems.panzer.frames import Frame
from sandtable.systems.panzer.unit import UnitId

__all__ = ["AdjustingTurrets", "EndingTurn", "PivotStep"]


class PivotStep(Frame, frozen=True):
    """10.1: these forces have not pivoted yet, and the vehicles of the first one that may."""

    waiting: tuple[Seat, ...]
    units: tuple[UnitId, ...]


class AdjustingTurrets(Frame, frozen=True):
    """10.2: these forces have not adjusted their turrets yet."""

    waiting: tuple[Seat, ...]


class EndingTurn(Frame, frozen=True):
    """10.3, 10.4: what is left of the turn."""
