"""6.0, 7.2 Ordnance as the counters print it: what a Gun and the Main Armament of a vehicle have in common.

A barrel is named as the charts do: its caliber in mm and a length code, such as ``75*``, ``75``, ``75L`` or ``75LL``.
"""

from __future__ import annotations

import re
from enum import StrEnum

import msgspec
from msgspec.structs import replace

__all__ = ["SMOKE_SHELLS", "Ammo", "Armament", "Mount", "Size", "Supply", "TargetType", "Theatre"]


class TargetType(StrEnum):
    """3.2.4 What a shot is meant for."""

    INFANTRY = "ITT"
    AREA = "ATT"
    VEHICLE = "VTT"


class Ammo(StrEnum):
    """6.2 Kinds of ammunition."""

    HE = "HE"
    AP = "AP"
    APCR = "APCR"
    APDS = "APDS"
    HEAT = "HEAT"
    SMOKE = "smoke"
    WP = "WP"


SMOKE_SHELLS = frozenset((Ammo.SMOKE, Ammo.WP))
"""Ammunition that places Smoke and hurts nobody (6.2)."""


class Mount(StrEnum):
    """3.2.4, 7.2 How freely a weapon turns."""

    NON_TURRETED = "NT"
    FULL_CIRCLE = "360"
    """Of a Gun: the white circle."""
    FAST = "T"
    SLOW = "ST"
    RESTRICTED_SLOW = "RST"

    @property
    def is_turret(self) -> bool:
        """A turret, with a covered arc of its own."""
        return self in _TURRETS


_TURRETS = frozenset((Mount.FAST, Mount.SLOW, Mount.RESTRICTED_SLOW))


class Size(StrEnum):
    """6.7, 7.3 Target sizes."""

    VERY_LARGE = "very large"
    LARGE = "large"
    AVERAGE = "average"
    SMALL = "small"
    VERY_SMALL = "very small"


class Theatre(StrEnum):
    """6.2 Where a scenario is fought, which some ammunition depends on: dagger notes."""

    EUROPE = "ETO"
    ITALY = "Italy"
    """A part of the ETO."""
    NORTH_AFRICA = "North Africa"
    PACIFIC = "PTO"


class Supply(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """6.2 A depletion number of special ammunition, from a date on."""

    ammo: Ammo
    number: int
    since: str = ""
    """Year, or year and month as ``1944-06``; left out, always."""
    theatre: Theatre | None = None
    """Where alone it was issued; left out, everywhere."""
    except_in: Theatre | None = None
    """Where it was not."""

    def is_issued(self, theatre: Theatre) -> bool:
        """Whether a theatre had it; what the ETO had Italy had too, unless a note says otherwise."""
        wider = Theatre.EUROPE if theatre is Theatre.ITALY else theatre
        return self.theatre in (None, theatre, wider) and self.except_in is not theatre


_BARREL = re.compile(r"(\d+(?:\.\d+)?)(\*|L{0,2})")


class Armament(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The printed facts of a piece of ordnance (1.2.6, 6.0, 7.2)."""

    barrel: str
    """Caliber and length code, the row of the charts; ``MG`` of a vehicle whose MA is a machine gun."""
    rof: int = 0
    breakdown: int = 12
    low_ammo: int = 0
    """Circled B# (7.2.1), 0 if there is none."""
    ife: int = 0
    """Infantry Firepower Equivalent (6.8), 0 if it has none."""
    min_range: int = 0
    max_range: int = 0
    """0 if the map is no limit."""
    later_ranges: dict[str, tuple[int, int]] = {}
    """Least and greatest range from a later date on, such as ``1942-09``: notes."""
    ap: bool = True
    """False with an overlined caliber (6.0)."""
    he: bool = True
    """False with an underlined caliber (6.0): without a depletion number there is none."""
    supplies: tuple[Supply, ...] = ()
    intensive_fire: bool = True
    """False where the counter says No IF (3.2.4)."""
    chart: str = ""
    """Nationality whose rows of the To Hit and To Kill charts it uses, where that is not its own."""
    black_since: int = 0
    """Year from which on it uses black To Hit numbers, red ones before (``RED TH#s (Pre 44)`` on the counter)."""

    @property
    def caliber(self) -> int:
        """In mm; 0 of a machine gun."""
        found = _BARREL.fullmatch(self.barrel)
        return int(float(found[1])) if found else 0

    @property
    def is_mg(self) -> bool:
        """A machine gun as Main Armament (7.8)."""
        return self.barrel == "MG"

    def at(self, year: int, month: int) -> Armament:
        """The same at a date, with the ranges that it has then."""
        if not self.later_ranges:
            return self
        begun = [reach for since, reach in self.later_ranges.items() if _begun(since, year, month)]
        return replace(self, min_range=begun[-1][0], max_range=begun[-1][1]) if begun else self

    def supply(self, ammo: Ammo, year: int, month: int, theatre: Theatre) -> Supply | None:
        """The depletion number that holds at a date in a theatre, the last one listed; None if there is none (6.2)."""
        found = None
        for supply in self.supplies:
            if supply.ammo is ammo and supply.is_issued(theatre) and _begun(supply.since, year, month):
                found = supply
        return found


def _begun(since: str, year: int, month: int) -> bool:
    if not since:
        return True
    first, _, second = since.partition("-")
    return (int(first), int(second or 1)) <= (year, month)
