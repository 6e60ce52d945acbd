"""Open questions of fire on a table, beside those that need no place (8.4)."""

from __future__ import annotations

from sandtable.systems.panzer.frames import Frame
from sandtable.systems.panzer.mini.cards import Angle
from sandtable.systems.panzer.unit import Shot, UnitId

__all__ = ["AngleChoice", "Volley"]


class Volley(Frame, frozen=True):
    """8.4: announced fire on one target, shot after shot and hit after hit."""

    target: UnitId
    shots: tuple[Shot, ...]
    """Those that are not resolved yet; the first one is."""
    overwatch: bool
    moving: bool | None = None
    """Whether the target counts as moving; None until its owner was asked (8.4.2.2)."""
    hits: int = 0
    """Hits of the first shot that are not resolved yet."""
    struck: tuple[Angle, Angle] | None = None
    """Where its owner had to say so: the Hit Angles of hull and turret (8.4.5.1.1)."""
    lost: bool = False
    """Whether it is knocked out: it becomes a wreck when all of this fire is resolved, unless it burns (8.3.1)."""


class AngleChoice(Frame, frozen=True):
    """8.4.5.1.1: the target's owner picks the Hit Angle on the line between two."""

    target: UnitId
    firer: UnitId
    angles: tuple[tuple[Angle, Angle], ...]
    """Those that the line runs along: of the hull, and of the turret."""
