"""What the Advanced Game puts on a unit: suppression, damage by part, hull down, cover, passengers (5.0, 6.0).

One frozen struct of all of it, so that combat that knows no place sees it whole and a unit of the Basic Game, which has
none of it, is encoded as it always was.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from sandtable.systems.panzer.unit import UnitId

__all__ = ["NO_MARKERS", "Floor", "HullDown", "Suppression", "UnitMarkers"]


class Suppression(StrEnum):
    """The SUPPRESSION counter and its side (5.10)."""

    NONE = ""
    ON = "SUPPRESSION/ON"
    """Came about this turn: it is turned in the Adjustment Phase."""
    OFF = "SUPPRESSION/OFF"
    """May be recovered from (6.8.3)."""


class HullDown(StrEnum):
    """How much of a vehicle the ground hides (6.1.4.1)."""

    NONE = ""
    PARTIAL = "partial"
    FULL = "full"


class Floor(StrEnum):
    """Where in a building hex a unit is (6.1.4.3.1)."""

    GROUND = ""
    """Vehicles and towed units in the alleys, leg units in the buildings."""
    INSIDE = "inside"
    """A vehicle or gun inside a building: LOCATION/INB."""
    UP = "up"
    """A leg unit on the top floor, or on the roof of a Desert Building: LOCATION/UP."""


class UnitMarkers(msgspec.Struct, frozen=True, omit_defaults=True):
    """The counters of the Advanced Game that lie on a unit."""

    suppression: Suppression = Suppression.NONE
    turret_damaged: bool = False
    hull_damaged: bool = False
    track: bool = False
    """Has a TRACK hit: never moves or pivots again (6.5.2.2.1)."""
    bailed: bool = False
    """Its crew has left it (5.15)."""
    hull_down: HullDown = HullDown.NONE
    """A position that it has found, or an Improved Position that it is in (6.1.4.1, 6.1.4.3.7, 6.6.9)."""
    open_way: int = -1
    """The direction in which such a position does not protect: that of its rear as it came in, or of its front."""
    full_cover: bool = False
    """6.1.4.2."""
    crawling: bool = False
    """Crawls this turn (6.6.4.3)."""
    floor: Floor = Floor.GROUND
    carrier: UnitId = UnitId("")
    """The vehicle that transports it (6.6.7)."""
    passengers: tuple[UnitId, ...] = ()
    """The units that it transports."""
    reduced: bool = False
    """A squad that has become a half-squad (6.5.4.4.3)."""
    under_fire: bool = False
    """Was attacked this turn (6.8.3.1.2)."""
    shares: UnitId = UnitId("")
    """The unit whose command it shares this turn, "" if it has its own (6.2.1.1.3)."""
    arms: tuple[int, ...] = ()
    """Weapons that it has fired this turn, for Dual Fire at two targets (5.14)."""
    dug: int = 0
    """Turns of work on its Hasty Entrenchment so far, 4 when it is done (6.6.8)."""

    @property
    def is_suppressed(self) -> bool:
        """Suppressed, whichever side lies up (5.10)."""
        return self.suppression is not Suppression.NONE

    @property
    def is_damaged(self) -> bool:
        """Damaged in either part: a second result knocks it out (6.5.2.2.4)."""
        return self.turret_damaged or self.hull_damaged

    @property
    def is_mounted(self) -> bool:
        """Rides on a vehicle."""
        return bool(self.carrier)


NO_MARKERS = UnitMarkers()
