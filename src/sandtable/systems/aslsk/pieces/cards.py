"""1.2 Counters: what is printed on the personnel and weapon counters.

A card is a kind of counter (1.2.1-1.2.4); units and weapons of a game name theirs. Ids are
``nationality/name`` such as ``german/4-6-7``, ``german/8-1``, ``russian/2-2-8 crew`` or ``german/LMG``.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NewType

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Status
from sandtable.systems.aslsk.pieces.armament import Armament, Mount, Size

__all__ = [
    "COLOURS",
    "CardId",
    "GunFacts",
    "GunType",
    "Nationality",
    "Quality",
    "UnitCard",
    "UnitKind",
    "WeaponCard",
    "WeaponKind",
]

CardId = NewType("CardId", str)


@rule("5.2")
class Nationality(StrEnum):
    """The nations, told by the colours of the counters (5.2)."""

    GERMAN = "german"
    AMERICAN = "american"
    RUSSIAN = "russian"
    BRITISH = "british"
    ITALIAN = "italian"
    ALLIED_MINOR = "allied-minor"
    AXIS_MINOR = "axis-minor"


COLOURS: dict[str, str] = {
    Nationality.GERMAN: "grey",
    Nationality.AMERICAN: "green",
    Nationality.RUSSIAN: "brown",
    Nationality.BRITISH: "green",
    Nationality.ITALIAN: "khaki",
}
"""Colours of sides that are called like a nation, where a scenario gives none."""


class UnitKind(StrEnum):
    """What the silhouettes show (1.2.1, 1.2.2)."""

    SQUAD = "squad"
    HALF_SQUAD = "half-squad"
    CREW = "crew"
    LEADER = "leader"


class Quality(StrEnum):
    """The class of a MMC (1.2.2)."""

    ELITE = "E"
    FIRST_LINE = "1"
    SECOND_LINE = "2"
    GREEN = "G"
    CONSCRIPT = "C"


class WeaponKind(StrEnum):
    """The support weapons of section 4."""

    LMG = "LMG"
    MMG = "MMG"
    HMG = "HMG"
    FT = "FT"
    DC = "DC"
    BAZ = "BAZ"
    PSK = "PSK"
    PIAT = "PIAT"
    ATR = "ATR"
    MTR = "MTR"
    GUN = "Gun"
    """Any Gun (1.2.6): a 5/8" counter, possessed like a support weapon."""


class GunType(StrEnum):
    """The five types of Guns (1.2.6)."""

    MORTAR = "MTR"
    ANTI_TANK = "AT"
    INFANTRY = "INF"
    ARTILLERY = "ART"
    ANTI_AIRCRAFT = "AA"


class GunFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a Gun counter prints beyond what all weapons have (1.2.6)."""

    type: GunType
    main: Armament
    manhandling: int
    """M# (6.5)."""
    mount: Mount = Mount.NON_TURRETED
    size: Size = Size.AVERAGE
    qsu: bool = True
    """Quick Set Up: may be manhandled."""
    counters: int = 0
    """How many the kit has."""
    note: str = ""

    @property
    def gunshield(self) -> bool:
        """All AT and INF Guns have one (6.6)."""
        return self.type in _SHIELDED

    @property
    def fits_building(self) -> bool:
        """Small Guns, and AT and INF Guns that are not large, may be in a building hex (1.2.6)."""
        return self.size in _SMALL or (self.type in _SHIELDED and self.size is Size.AVERAGE)


_SHIELDED = frozenset((GunType.ANTI_TANK, GunType.INFANTRY))
_SMALL = frozenset((Size.SMALL, Size.VERY_SMALL))


@rule("1.2.1", "1.2.2", "1.2.3")
class UnitCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A personnel counter, front and broken side (1.2.1, 1.2.2, 1.2.3)."""

    id: CardId
    nationality: Nationality
    kind: UnitKind
    morale: int
    broken_morale: int
    source: str
    status: Status
    fp: int = 0
    range: int = 0
    quality: Quality = Quality.ELITE
    leadership: int = 0
    """Leadership DRM of a SMC."""
    boxed: bool = False
    """Broken morale in a square: may rally itself."""
    smoke: int = 0
    """Smoke exponent."""
    assault_fire: bool = False
    """Underlined FP."""
    elr_immune: bool = False
    """Underlined morale, or a crew (5.1)."""
    half_squad: CardId = CardId("")
    """What a casualty reduction leaves of a squad."""
    replacement: CardId = CardId("")
    """The next lower quality (5.1), "" if there is none."""

    @property
    def name(self) -> str:
        """The strength factor as players say it."""
        return self.id.partition("/")[2]

    @property
    def is_leader(self) -> bool:
        """A SMC."""
        return self.kind is _SMC

    @property
    def is_mmc(self) -> bool:
        """A squad, half-squad or crew."""
        return self.kind is not _SMC


@rule("1.2.4")
class WeaponCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A support weapon counter, front and malfunctioned side (1.2.4)."""

    id: CardId
    nationality: Nationality
    kind: WeaponKind
    pp: int
    source: str
    status: Status
    fp: int = 0
    range: int = 0
    """Normal range; of a mortar its greatest range."""
    min_range: int = 0
    rof: int = 0
    breakdown: int = 12
    """B#: malfunctions at this original DR or more; 13 if it never does."""
    removal: int = 13
    """X#: removed at this original DR or more; 13 if it never is."""
    repair: int = 0
    """R#: repaired at this dr or less; 0 if it cannot be."""
    caliber: int = 0
    """In mm, of a mortar."""
    to_hit: tuple[int, ...] = ()
    """To Hit numbers of the counter's back, by range from 0."""
    to_kill: int = 0
    infantry_column: int = 0
    """IFT column of a hit on Infantry in a building."""
    gun: GunFacts | None = None
    """Of a Gun."""

    @property
    def name(self) -> str:
        """The weapon as players say it."""
        return self.id.partition("/")[2]

    @property
    def is_mg(self) -> bool:
        """A machine gun."""
        return self.kind in _MACHINE_GUNS


_SMC = UnitKind.LEADER
"""A name is looked up quicker than a member of an enum, and this is asked for all the time."""
_MACHINE_GUNS = frozenset((WeaponKind.LMG, WeaponKind.MMG, WeaponKind.HMG))
