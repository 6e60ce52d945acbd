"""What happened while a Gun was pushed (6.5)."""

from __future__ import annotations

from sandtable.core.modifier import Breakdown
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.fact import Fact, Numbered
from sandtable.systems.aslsk.pieces.state import UnitId, WeaponId

__all__ = ["GunManhandled", "ManhandlingRolled"]


class ManhandlingRolled(Numbered, frozen=True):
    """6.5: a manhandling DR: the Gun moves on, moves and stops, or stays."""

    units: tuple[UnitId, ...]
    weapon: WeaponId
    hex: Hex
    """The hex that they push it into."""
    faces: tuple[int, ...]
    number: Breakdown
    """Highest DR that moves it; equal to it, it stops there."""
    result: str
    """``moves``, ``moves and stops`` or ``stays``."""


class GunManhandled(Fact, frozen=True):
    """6.5: a Gun was pushed into the hex of those who man it, and points so."""

    weapon: WeaponId
    facing: int
