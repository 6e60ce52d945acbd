"""What changes in a game: units, wrecks, who spots whom, objectives, and the stack of open questions.

Frozen throughout; dicts are treated as immutable. No map, no cards and no dice in here. Defaults are left out of the
encoding, so that a field added later leaves the digests of old logs as they were.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec
from msgspec.structs import replace

from sandtable.core.codec import Digested
from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex
from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.frames import Frame
from sandtable.systems.panzer.hex.progress import MoveProgress
from sandtable.systems.panzer.objective import Objective
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.unit import Command, Spot, Status, UnitId, WreckKind

__all__ = [
    "Leg",
    "LegKind",
    "Moving",
    "State",
    "Unit",
    "Wreck",
]


class LegKind(StrEnum):
    """How a leg of a move leaves its hex."""

    FORWARD = "forward"
    REVERSE = "reverse"
    STAY = "stay"
    """Turn only: the last leg of a move."""


class Leg(msgspec.Struct, frozen=True):
    """Turn in the hex, then leave it: one element of a move."""

    turn: int = 0
    """Hexsides clockwise, -2 to 3; 0 keeps the facing."""
    step: LegKind = LegKind.FORWARD


_IN_PLAY = Status.IN_PLAY
"""Bound once: to look a member up in its enum takes as long as all the rest of the question."""


class Unit(msgspec.Struct, frozen=True, omit_defaults=True):
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
    """Drew fire: the owner decides anew how to go on."""


class State(Digested, frozen=True, omit_defaults=True):
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
    ended: str = ""
    """Why the game is over, "" while it runs."""
    sightings: str = ""
    """Fingerprint of ``spotted``: it grows with the square of the units and stays the same for a turn.

    Logs of version 1 have none, and their states are digested whole.
    """

    def digested(self) -> State:
        """Who spots whom is in it by its fingerprint."""
        return replace(self, spotted={}) if self.sightings else self
