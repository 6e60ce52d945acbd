"""What changes in a game: units, wrecks, who spots whom, objectives, and the stack of open questions.

Frozen throughout; dicts are treated as immutable. No map, no cards and no dice in here. Defaults are left out of the
encoding, so that a field added later leaves the digests of old logs as they were.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from sandtable.core.codec import Digested
from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex
from sandtable.systems.panzer.air.acquiring import NOBODY, Watch
from sandtable.systems.panzer.air.air_actions import AaShot, FlyOn
from sandtable.systems.panzer.air.aircraft import Aircraft, AirWeapon, Pace
from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.command.sharing import holder_of, sharers
from sandtable.systems.panzer.fires.missions import Battery, BatteryId, Mission
from sandtable.systems.panzer.frames import Frame
from sandtable.systems.panzer.hex.features import Feature
from sandtable.systems.panzer.hex.progress import MoveProgress
from sandtable.systems.panzer.markers import NO_MARKERS, UnitMarkers
from sandtable.systems.panzer.objective import Objective
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.unit import Command, Spot, Status, UnitId, WreckKind

__all__ = [
    "AirStrike",
    "Charge",
    "CloseAttack",
    "DangerClose",
    "Flying",
    "Leg",
    "LegKind",
    "Moving",
    "MovingIn",
    "Responding",
    "State",
    "Unit",
    "Wreck",
    "fired_into",
]


class LegKind(StrEnum):
    """How a leg of a move leaves its hex."""

    FORWARD = "forward"
    REVERSE = "reverse"
    STAY = "stay"
    """Turn only: the last leg of a move."""
    UP = "up"
    """To the top floor or the roof of the buildings in the hex (6.6.4.1)."""
    DOWN = "down"
    IN = "in"
    """A vehicle: from the alley into a building of the hex (6.6.3)."""
    OUT = "out"
    INTO = "into"
    """A vehicle: forward, straight into a building of the next hex (6.6.3)."""


class Leg(msgspec.Struct, frozen=True):
    """Turn in the hex, then leave it: one element of a move."""

    turn: int = 0
    """Hexsides clockwise, -2 to 3; 0 keeps the facing."""
    step: LegKind = LegKind.FORWARD


_IN_PLAY = Status.IN_PLAY
"""Bound once: to look a member up in its enum takes as long as all the rest of the question."""


class Unit(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A vehicle counter with the counters on it."""

    id: UnitId
    side: Seat
    card: CardId
    hex: Hex | None
    """None while it is not on the mapboard."""
    facing: int
    status: Status = Status.IN_PLAY
    command: Command = Command.NONE
    known: bool = True
    """Whether the opponent knows the command: it was revealed, or there is none on the map."""
    spot: Spot = Spot.NONE
    """The SPOT counter as of the last Spotting Phase."""
    new_spot: Spot = Spot.NONE
    """A SPOT counter placed this turn, partly under the command (4.4.1)."""
    damaged: bool = False
    fired: bool = False
    """Has fired this turn."""
    moved: bool = False
    """Has executed its MOVE, or the move part of its SHORT HALT, this turn."""
    enters_turn: int = 0
    """For a reserve: the first turn on which it may enter."""
    entry: tuple[Hex, ...] = ()
    """For a reserve: the hexes through which it may enter."""
    markers: UnitMarkers = NO_MARKERS
    """The counters of the Advanced Game."""

    @property
    def in_play(self) -> bool:
        """On the mapboard and working."""
        return self.status is _IN_PLAY


class Wreck(msgspec.Struct, frozen=True, omit_defaults=True):
    """The one wreck counter of a hex (4.1.4.1.8)."""

    hex: Hex
    kind: WreckKind
    fresh: bool = False
    """Brew-Up Smoke of the current player step: no modifier yet (4.4.3.2.2)."""


class Moving(Frame, frozen=True):
    """4.5.1.1: a vehicle on its way."""

    unit: UnitId
    plan: tuple[Leg, ...]
    """Legs not yet executed: known to the owner alone."""
    progress: MoveProgress
    damaged: bool = False
    """Whether the allowance is already that of a damaged vehicle."""
    watched: bool = False
    """Whether the opponent has had his chance of overwatch fire since the last thing that the vehicle did."""
    interrupted: bool = False
    """Drew fire, or may take passengers on or off: the owner decides anew how to go on."""
    harm: int = 0
    """How often suppression and Hull Damage have halved its allowance (6.6.2)."""
    settled: bool = False
    """Its owner has said that the move ends here."""
    overrun: UnitId = UnitId("")
    """The unit that it is on its way to overrun (6.6.10)."""
    came_from: Hex | None = None
    """The hex from which it entered that of its Overrun."""
    trail: tuple[Hex, ...] = ()
    """Hexes of the move so far where Dust is raised (6.1.4.3.12)."""
    struck: tuple[str, ...] = ()
    """Barrages that have attacked it on this move: each does once (6.6.6)."""


class Charge(msgspec.Struct, frozen=True, omit_defaults=True):
    """6.6.1.1, 6.6.1.2: units of one hex that attack a target together."""

    units: tuple[UnitId, ...]
    """All of them, the primary attacker first."""
    hex: Hex
    """Where they attack from."""
    advanced: tuple[UnitId, ...] = ()
    """Those of them that moved up for it."""
    dismounted: bool = False
    """Got off a vehicle for it."""


class CloseAttack(Frame, frozen=True):
    """6.6.1: all attacks at arm's length that were announced on one target."""

    target: UnitId
    charges: tuple[Charge, ...]
    """Those not yet resolved."""
    moving: bool | None = None
    """Whether a target vehicle counts as moving in the first one; None until its owner was asked (6.6.1.1.2)."""
    led: bool = False
    """Whether its owner has said which is the next one, and who leads it."""
    begun: bool = False
    """Whether the units of the first one have shown themselves and moved up."""


class MovingIn(Frame, frozen=True):
    """6.6.1.1.3, 6.6.1.2.3: the winners may move into the hex of a target that is gone."""

    units: tuple[UnitId, ...]
    hex: Hex


class Flying(Frame, frozen=True):
    """6.7.2: an aircraft over the mapboard."""

    aircraft: UnitId
    hex: Hex
    facing: int
    pace: Pace
    acquiring: Watch = NOBODY
    """Enemies that it has in sight since it appeared, or since its last attack (6.7.3.1.1)."""
    tracking: Watch = NOBODY
    """Enemy AA units that have it in sight (6.7.4.1.1)."""
    turned: bool = False
    """Whether it has made its turn (6.7.2.3.1)."""
    plan: FlyOn | None = None
    """What is left of how its owner would have it fly: known to him alone."""
    watched: bool = False
    """Whether the opponent has had his chance of AA fire since the last thing that it did."""
    held: bool = False
    """Whether he has said that he does not fire at it any more."""


class AirStrike(Frame, frozen=True):
    """6.7.3: an attack that an aircraft has announced."""

    aircraft: UnitId
    target: UnitId
    weapon: AirWeapon
    hexes: tuple[Hex, ...]
    """The pattern, the target's hex first."""
    units: tuple[UnitId, ...] = ()
    """Those in it, friend and enemy."""
    waiting: tuple[Seat, ...] = ()
    """Forces that have not said yet which of their vehicles move."""
    watched: bool = False
    """Whether the opponent has had his chance to announce AA fire."""
    held: bool = False
    """Whether he has said that he does not fire at the aircraft any more."""
    shots: tuple[AaShot, ...] = ()
    """AA fire that was announced after it, and is resolved after it (6.7.4.1.1)."""


class Responding(Frame, frozen=True):
    """6.5.1.12: every source of a call rolls whether it responds."""

    mission: Mission[Hex]
    """As it was called."""
    left: tuple[str, ...]
    """Sources that have not rolled yet."""
    came: tuple[str, ...] = ()
    """Those that respond."""
    firing: tuple[str, ...] = ()
    """Of an adjustment: those that fire already (6.5.1.8.2)."""
    astray: tuple[tuple[str, Hex], ...] = ()
    """Those that fall on their own, and where (6.5.1.10)."""


class DangerClose(Frame, frozen=True):
    """6.5.1.12: the opponent places the fire of a source on one of the spotted units of its side."""

    source: str
    hexes: tuple[Hex, ...]


class State(Digested, frozen=True, gc=False, omit_defaults=True):
    """Everything that changes."""

    turn: int
    phase: Phase
    first: str
    """First Player of the turn, "" until initiative is settled."""
    units: dict[UnitId, Unit]
    wrecks: tuple[Wreck, ...] = ()
    spotted: dict[UnitId, tuple[UnitId, ...]] = msgspec.field(default_factory=dict)
    """Spotter to targets, as fixed in the Spotting Phase (4.1)."""
    objectives: dict[str, Objective] = msgspec.field(default_factory=dict)
    exits: dict[str, int] = msgspec.field(default_factory=dict)
    """Vehicles that have left by each of the scenario's exits, by its number."""
    stack: tuple[Frame, ...] = ()
    fired_on: dict[UnitId, tuple[Hex, ...]] = msgspec.field(default_factory=dict)
    """Where the targets stood that sharers of a command have fired on this turn, by who has the counter (6.2.1.1.4)."""
    columns: dict[UnitId, tuple[UnitId, ...]] = msgspec.field(default_factory=dict)
    """Vehicles that share a MOVE in a column and have begun it, the head first, by who has the counter (6.2.1.1.3)."""
    bound_to: dict[UnitId, UnitId] = msgspec.field(default_factory=dict)
    """Whom sharers of a MOVE command attack this turn, by who has the counter (6.6.11)."""
    ended: str = ""
    """Why the game is over, "" while it runs."""
    sightings: str = ""
    """Fingerprint of ``spotted``: it grows with the square of the units and stays the same for a turn.

    Logs of version 1 have none, and their states are digested whole.
    """
    features: tuple[Feature, ...] = ()
    """Terrain counters of the Advanced Game (6.1.4.3)."""
    flights: dict[UnitId, Aircraft] = msgspec.field(default_factory=dict)
    """The aircraft of the scenario (6.7)."""
    guided: dict[UnitId, UnitId] = msgspec.field(default_factory=dict)
    """FO units that spot a target for aircraft this turn, and the target (6.7.3.1.2)."""
    batteries: dict[BatteryId, Battery[Hex]] = msgspec.field(default_factory=dict)
    """Off-map batteries (5.3)."""
    missions: tuple[Mission[Hex], ...] = ()
    """Indirect Fire missions that fire (6.5.1)."""

    def digested(self) -> State:
        """Who spots whom is in it by its fingerprint."""
        return replace(self, spotted={}) if self.sightings else self


def fired_into(state: State, firers: Iterable[UnitId], place: Hex) -> State:
    """The state after units have fired into a hex; of those who share their command it is kept (6.2.1.1.4)."""
    for firer in firers:
        unit = state.units[firer]
        holder = holder_of(unit)
        struck = state.fired_on.get(holder, ())
        if place not in struck and len(sharers(state.units, unit)) > 1:
            state = replace(state, fired_on={**state.fired_on, holder: (*struck, place)})
    return state
