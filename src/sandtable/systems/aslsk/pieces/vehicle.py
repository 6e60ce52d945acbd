"""7.0 Vehicles in play: a vehicle counter with the markers on it.

MP are counted in halves as MF are (the road rate is 1/2 MP), and names or descriptions say so.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NewType

import msgspec

from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.pieces.armament import Ammo
from sandtable.systems.aslsk.pieces.cards import CardId
from sandtable.systems.aslsk.pieces.counters import Mark, WeaponState, Whereabouts

__all__ = ["Bog", "Shock", "Stun", "Vehicle", "VehicleGun", "VehicleId"]

VehicleId = NewType("VehicleId", str)


class VehicleGun(StrEnum):
    """7.8 The weapons of a vehicle."""

    MAIN = "MA"
    BOW = "BMG"
    COAXIAL = "CMG"
    ANTI_AIRCRAFT = "AAMG"
    REAR = "RMG"


class Shock(StrEnum):
    """7.10 The Shock counter and its other side."""

    NONE = ""
    SHOCK = "Shock"
    UNCONFIRMED_KILL = "UK"


class Stun(StrEnum):
    """7.10 The Stun counters and their other sides."""

    NONE = ""
    STUN = "Stun"
    """This player turn; then +1."""
    STUN_AND_RECALL = "STUN"
    """This player turn; then Recall and +1."""
    PLUS_ONE = "+1"
    """For the rest of the game."""


class Bog(StrEnum):
    """7.6 The Bog counter and its other side."""

    NONE = ""
    BOGGED = "Bog"
    MIRED = "Mired"


_ON_MAP = Whereabouts.MAP
_SHOCKED = (Shock.SHOCK, Shock.UNCONFIRMED_KILL)
_STUNNED = (Stun.STUN, Stun.STUN_AND_RECALL)
_UNMARKED, _NOT_BOGGED = Mark.NONE, Bog.NONE
"""Names are looked up quicker than members of enums."""


class Vehicle(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """An AFV with its inherent crew, or the wreck of one."""

    id: VehicleId
    side: Seat
    force: str
    card: CardId
    hex: Hex | None = None
    """None while it is not on the map."""
    place: Whereabouts = Whereabouts.MAP
    vca: int = 0
    """The hexspine at which its front points (3.2.4)."""
    tca: int = 0
    """The hexspine at which its turret points; of a vehicle without a turret the same as its VCA."""
    exposed: bool = False
    """Crew Exposed (7.7)."""
    wreck: bool = False
    """Eliminated, and lying where it was (7.4)."""
    wrecked_moving: bool = False
    """Became a wreck on the move this player turn: no cover and no hindrance before the AFPh is over (7.4)."""
    motion: bool = False
    """Under a Motion counter (3.3.2)."""
    moving_target: bool = False
    """Has entered a hex this player turn (2.0)."""
    was_in_motion: bool = False
    """Began or ended its MPh in Motion this player turn (3.3.2)."""
    started: bool = False
    """Has spent a start MP in this MPh, and none to stop since (2.0)."""
    trail: tuple[tuple[Hex, int], ...] = ()
    """Hexes in which it has spent MP this player turn, and how many halves of MP in each: what it has spent in whose
    LOS follows from that (cases 14 and 24)."""
    bog: Bog = Bog.NONE
    immobilized: bool = False
    shock: Shock = Shock.NONE
    stun: Stun = Stun.NONE
    recalled: bool = False
    low_ammo: bool = False
    broken: dict[VehicleGun, WeaponState] = {}
    """Weapons that do not work: malfunctioned, or removed for good, which is called Disabled (7.2)."""
    mark: Mark = Mark.NONE
    """The fire marker of the MA: it has used up its ROF (3.2.4)."""
    repaired: tuple[VehicleGun, ...] = ()
    """Weapons that its crew has attempted to repair in this RPh (3.1)."""
    guns_fired: tuple[VehicleGun, ...] = ()
    """Weapons that have fired this player turn (7.8)."""
    fired_in: str = ""
    """The phase in which it has fired this player turn: all its weapons fire in the same (7.8)."""
    fired_hex: Hex | None = None
    """Where it has fired in its own MPh (3.3.2.2)."""
    turned: bool = False
    """Has changed a covered arc to fire in this phase (3.2.4)."""
    spines_turned: int = 0
    """Hexspines by which it was last turned to fire a turret weapon in this phase: the others suffer it too (7.8)."""
    turned_hull: bool = False
    """Whether it was the hull that was turned for it."""
    bow_spines: int = 0
    """The same of bow mounted weapons, for which its hull was turned (7.8)."""
    acquired: Hex | None = None
    """Hex of its Acquired Target counter (6.10, 6.11)."""
    acquisition: int = 0
    acquired_targets: tuple[str, ...] = ()
    """The units or vehicles that the 1/2" counter is on (6.10)."""
    awaits: tuple[str, ...] | None = None
    """Set while the 1/2" counter lies where its target was last seen, for the next enemy who enters (6.10).

    It names the enemies who are in the hex without having entered since.
    """
    exhausted: tuple[Ammo, ...] = ()
    """Special ammunition that it has no more of, or never had (6.2)."""
    dispensed: bool = False
    """Has tried its smoke dispenser this player turn (7.5)."""
    dispenser_empty: bool = False
    """Used up for the scenario."""
    tried_motion: bool = False
    """Has attempted Motion Status this MPh (3.3.2.1)."""
    turned_crew: bool = False
    """Has changed between CE and BU this phase (7.7)."""
    shut: bool = False
    """Buttoned up by a Pin or Stun: no CE again this player turn (3.2.3, 7.10)."""
    moved: bool = False
    """Has ended its MPh."""
    turn: int = 0
    """Of a reinforcement: the turn it is due."""
    away: bool = False
    """Left the map by a way that its scenario counts."""

    @property
    def on_map(self) -> bool:
        """On the map, as a wreck too."""
        return self.place is _ON_MAP

    @property
    def in_play(self) -> bool:
        """On the map and no wreck."""
        return self.place is _ON_MAP and not self.wreck

    @property
    def is_shocked(self) -> bool:
        """Under a Shock or UK counter (7.10)."""
        return self.shock in _SHOCKED

    @property
    def is_stunned(self) -> bool:
        """Stunned this player turn (7.10)."""
        return self.stun in _STUNNED

    @property
    def is_active(self) -> bool:
        """Whether its crew can do anything at all: in play, neither shocked nor stunned (7.10)."""
        return self.in_play and not self.is_shocked and not self.is_stunned

    @property
    def is_mobile(self) -> bool:
        """Neither immobilized nor bogged (7.6, 7.10)."""
        return not self.immobilized and self.bog is _NOT_BOGGED

    @property
    def has_fired(self) -> bool:
        """Has fired anything this player turn."""
        return self.mark is not _UNMARKED or bool(self.guns_fired)

    @property
    def is_stopped(self) -> bool:
        """Neither in Motion nor Non-Stopped in its MPh (2.0)."""
        return not self.motion and not self.started

    @property
    def is_moving_target(self) -> bool:
        """Has entered a hex this player turn, or is or began its MPh in Motion (2.0)."""
        return self.moving_target or self.motion or self.was_in_motion

    def works(self, gun: VehicleGun) -> bool:
        """Whether one of its weapons works."""
        return gun not in self.broken
