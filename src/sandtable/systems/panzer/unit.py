"""A vehicle in words: its commands, SPOT counters, status and shots (3.4, 4.2, 4.4), wherever it stands."""

from __future__ import annotations

from enum import StrEnum
from typing import NewType, Protocol

import msgspec

from sandtable.core.decision import Seat

__all__ = [
    "MOVING_COMMANDS",
    "Aspect",
    "Command",
    "Shot",
    "Spot",
    "Status",
    "UnitId",
    "Vehicle",
    "WreckKind",
]

UnitId = NewType("UnitId", str)


class Command(StrEnum):
    """The five commands of 4.2, and what an opponent sees of a face-down counter."""

    FIRE = "FIRE"
    MOVE = "MOVE"
    SHORT_HALT = "SHORT HALT"
    OVERWATCH = "OW"
    NONE = "N/C"
    HIDDEN = "?"


MOVING_COMMANDS = (Command.MOVE, Command.SHORT_HALT)
"""The commands that make a target a moving one (4.4.3.2.2)."""


class Spot(StrEnum):
    """The SPOT counter's active side (3.4)."""

    NONE = ""
    MOVE = "SPOT/MOVE"
    FIRE = "SPOT/FIRE"


class Status(StrEnum):
    """Where a vehicle stands in the scenario."""

    IN_PLAY = "in play"
    RESERVE = "reserve"
    """Held off the mapboard, not yet committed (4.5.1.1.9)."""
    EXITED = "exited"
    KNOCKED_OUT = "KO"
    BREWED_UP = "BU"


class WreckKind(StrEnum):
    """The two sides of the wreck counter (4.1.4.1.8)."""

    KO = "KO"
    BU = "BU"


class Aspect(StrEnum):
    """The armour aspect that a shot strikes (4.4.3.2.4)."""

    FRONT = "Front"
    REAR = "Rear"
    EITHER = "either"
    """Exactly on the dividing line: the target's owner chooses."""


class Shot(msgspec.Struct, frozen=True):
    """One announced shot: who, with which weapon and ammunition of his card."""

    firer: UnitId
    weapon: int = 0
    ammo: int = 0


class Vehicle(Protocol):
    """What needs no place of a vehicle counter with the counters on it."""

    @property
    def id(self) -> UnitId: ...
    @property
    def side(self) -> Seat: ...
    @property
    def status(self) -> Status: ...
    @property
    def command(self) -> Command: ...
    @property
    def known(self) -> bool:
        """Whether the opponent knows the command: it was revealed, or there is none on the map."""
        ...

    @property
    def fired(self) -> bool:
        """Has fired this turn."""
        ...

    @property
    def moved(self) -> bool:
        """Has executed its MOVE, or the move part of its SHORT HALT, this turn."""
        ...

    @property
    def enters_turn(self) -> int:
        """For a reserve: the first turn on which it may enter."""
        ...

    @property
    def in_play(self) -> bool:
        """On the map and working."""
        ...
