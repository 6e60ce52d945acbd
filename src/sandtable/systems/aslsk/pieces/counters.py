"""1.2 Counters in play: units and weapons with the markers on them, and the markers that lie in hexes.

MF are counted in halves (grain costs 1.5 MF), so every number of MF in states, actions and events is twice the
printed one and says so in its name or description (``halves``).
"""

from __future__ import annotations

from enum import StrEnum
from typing import NewType

import msgspec

from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.pieces.armament import Ammo
from sandtable.systems.aslsk.pieces.cards import CardId

__all__ = [
    "Hold",
    "Mark",
    "Phase",
    "Residual",
    "Smoke",
    "SmokeKind",
    "Unit",
    "UnitId",
    "Weapon",
    "WeaponId",
    "WeaponState",
    "Whereabouts",
]

UnitId = NewType("UnitId", str)
WeaponId = NewType("WeaponId", str)


class Phase(StrEnum):
    """The eight phases of 3.0, and what comes before them."""

    SETUP = "Set-up"
    RALLY = "RPh"
    PREP_FIRE = "PFPh"
    MOVEMENT = "MPh"
    DEFENSIVE_FIRE = "DFPh"
    ADVANCING_FIRE = "AFPh"
    ROUT = "RtPh"
    ADVANCE = "APh"
    CLOSE_COMBAT = "CCPh"


class Whereabouts(StrEnum):
    """Where a unit stands in the scenario."""

    MAP = "map"
    TO_SET_UP = "to set up"
    """Its side has not placed it yet."""
    DUE_LATER = "due later"
    """A reinforcement of a later turn."""
    HIDDEN = "hidden"
    """To those who may not know its hex: somewhere on the map, set up hidden (6.4)."""
    OFF_BOARD = "off board"
    """Set up off board, to enter this player turn (3.3)."""
    EXITED = "exited"
    ELIMINATED = "eliminated"


class Mark(StrEnum):
    """The fire marker on a unit or weapon."""

    NONE = ""
    PREP_FIRE = "Prep Fire"
    FIRST_FIRE = "First Fire"
    FINAL_FIRE = "Final Fire"
    ADVANCING_FIRE = "Advancing Fire"
    """Has fired in the AFPh: no printed marker, but it fires only once."""
    INTENSIVE_FIRE = "Intensive Fire"
    BOUNDING_FIRE = "Bounding Fire"
    """Of a vehicle: has fired in its own MPh (3.3.2.2)."""


class WeaponState(StrEnum):
    """The side of a weapon counter, or that it is gone (1.2.4)."""

    WORKING = "working"
    MALFUNCTIONED = "malfunctioned"
    REMOVED = "removed"


# Looking a member up in an enum takes several times as long as a name, and these are asked for all the time.
_ON_MAP = Whereabouts.MAP
_REMOVED = WeaponState.REMOVED


class SmokeKind(StrEnum):
    """The Smoke counters of 1.2.5."""

    GRENADE = "smoke grenades"
    FULL = "smoke"
    DISPERSED = "dispersed smoke"
    WP = "WP"
    DISPERSED_WP = "dispersed WP"


class Unit(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A squad, half-squad, crew or leader with the markers on it."""

    id: UnitId
    side: Seat
    force: str
    """The group of the order of battle, which has an ELR (5.1)."""
    card: CardId
    hex: Hex | None = None
    """None while it is not on the map."""
    place: Whereabouts = Whereabouts.MAP
    broken: bool = False
    dm: bool = False
    pinned: bool = False
    cx: bool = False
    wounded: bool = False
    melee: bool = False
    mark: Mark = Mark.NONE
    """Fire marker of its inherent FP."""
    forfeited: bool = False
    """Gave up its inherent FP for the player turn by using weapons (4.0)."""
    used: tuple[WeaponId, ...] = ()
    """Weapons that it has used this player turn (4.0)."""
    directed: tuple[str, ...] = ()
    """Of a leader: the units and weapons whose fire he has directed this player turn (3.2.2, 3.4)."""
    directing: str = ""
    """Of a leader: what he has directed this phase, fire or the one panzerfaust that is all he may (4.4.2)."""
    busy: bool = False
    """Of a leader: used a weapon this phase and lends no leadership (4.0)."""
    acted: bool = False
    """Has undertaken its one action of the RPh (3.1)."""
    rallied: bool = False
    """Has attempted to rally this player turn (3.1)."""
    moved: bool = False
    """Has ended its MPh (3.3.1)."""
    tired: bool = False
    """Lost its CX counter as this MPh began: no Double Time in it (3.3.1)."""
    threw_smoke: bool = False
    """Has attempted smoke grenades this MPh (3.3.1)."""
    hazardous: bool = False
    """Hazardous Movement this player turn (6.5)."""
    faced: tuple[str, ...] = ()
    """Vehicles for which it has passed its PAATC in this MPh (3.3.4)."""
    routed: bool = False
    """Has ended its RtPh (3.6)."""
    advanced: bool = False
    """Has advanced this APh (3.7)."""
    reduced: bool = False
    """What is left of a squad: a half-squad of it is lost."""
    turn: int = 0
    """Of a reinforcement: the turn it is due."""
    away: bool = False
    """Left the map by a way that its scenario counts."""
    hidden: bool = False
    """Set up hidden by a scenario's special rule; the crew of a hidden Gun is hidden with it (6.4)."""

    @property
    def on_map(self) -> bool:
        """On the map."""
        return self.place is _ON_MAP

    @property
    def good_order(self) -> bool:
        """Neither broken nor held in Melee (2.0)."""
        return not self.broken and not self.melee and self.place is _ON_MAP


class Weapon(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A support weapon."""

    id: WeaponId
    side: Seat
    """The side that brought it."""
    card: CardId
    owner: UnitId = UnitId("")
    """The unit that possesses it, "" if none does."""
    hex: Hex | None = None
    """Where it lies while nobody possesses it; a possessed one is with its owner."""
    state: WeaponState = WeaponState.WORKING
    mark: Mark = Mark.NONE
    fired: bool = False
    """Has fired this phase, whether or not it kept its ROF."""
    moved: bool = False
    """Was carried to another hex this MPh (3.5, 4.0)."""
    recovered: bool = False
    """Was recovered this phase: no transfer (4.0)."""
    acquired: Hex | None = None
    """Hex of a mortar's Acquired Target counter (6.11)."""
    acquisition: int = 0
    acquired_targets: tuple[str, ...] = ()
    """Of a Gun: the units or vehicles that its 1/2" Acquired Target counter is on and goes with (6.10)."""
    awaits: tuple[str, ...] | None = None
    """Of a Gun: as of a vehicle, those beside its 1/2" counter while that lies in a hex (6.10)."""
    facing: int = -1
    """Of a Gun: the hexspine at which its covered arc points (3.2.4), -1 of what has none."""
    turned: bool = False
    """Of a Gun: has changed its covered arc this phase, which lowers its ROF (3.2.4)."""
    emplaced: bool = False
    """Of a Gun: has not moved, and is manned by a crew (6.3)."""
    hidden: bool = False
    """Of a Gun: under Hidden Initial Placement, with its crew (6.4)."""
    exhausted: tuple[Ammo, ...] = ()
    """Of a Gun: special ammunition that it has no more of, or never had (6.2)."""
    manhandled: bool = False
    """Of a Gun: somebody has tried to move it this player turn: no fire in the AFPh (6.5)."""
    placed: Hex | None = None
    """Of a DC: the hex in which it lies operably placed (4.3)."""
    placer_cx: bool = False
    fails_at: int = 0
    """Of a placed DC: the original DR at which it fails, by who placed it."""
    placed_on: str = ""
    """Of a placed DC: the AFV that it is placed against (4.3)."""
    placed_side: int = -1
    """Of such a DC: the hexside of the AFV's hex through which it was placed."""
    force: str = ""

    @property
    def in_play(self) -> bool:
        """Not removed for good."""
        return self.state is not _REMOVED


class Smoke(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A Smoke counter in a hex (1.2.5)."""

    hex: Hex
    kind: SmokeKind
    side: Seat


class Residual(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A Residual FP counter in a hex (3.3.5)."""

    hex: Hex
    fp: int


class Hold(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A standing order for the rest of the MPh: hold fire until something happens."""

    open_within: int = 0
    """Ask again when a unit moves in Open Ground within so many hexes of a unit that could fire."""
    adjacent: bool = False
    """Ask again when a unit moves adjacent to a unit that could fire."""
