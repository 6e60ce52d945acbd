"""A unit in words: its commands, SPOT counters, status, grade and shots (3.4, 4.2, 4.4, 5.8), wherever it stands."""

from __future__ import annotations

from enum import StrEnum
from typing import NewType, Protocol

import msgspec

from sandtable.core.decision import Seat
from sandtable.core.errors import Refusal

__all__ = [
    "FIRING_COMMANDS",
    "MOVING_COMMANDS",
    "Aspect",
    "Command",
    "FireKind",
    "Grade",
    "Order",
    "Shot",
    "Spot",
    "Status",
    "UnitId",
    "Vehicle",
    "WeaponShot",
    "WreckKind",
    "portee_gun",
    "refuse_no_target",
    "refuse_stranger",
]

UnitId = NewType("UnitId", str)


def portee_gun(portee: UnitId) -> UnitId:
    """The gun of a Portée, which is a unit of its own once it is unloaded (5.2.1)."""
    return UnitId(f"{portee}-gun")


class Command(StrEnum):
    """The five commands of 4.2, and what an opponent sees of a face-down counter."""

    FIRE = "FIRE"
    MOVE = "MOVE"
    SHORT_HALT = "SHORT HALT"
    OVERWATCH = "OW"
    NONE = "N/C"
    HIDDEN = "?"


FIRING_COMMANDS = (Command.FIRE, Command.SHORT_HALT)
"""The commands that fire in the Combat Phase (4.4.1)."""
MOVING_COMMANDS = (Command.MOVE, Command.SHORT_HALT)
"""The commands that make a target a moving one (4.4.3.2.2)."""


class Spot(StrEnum):
    """The SPOT counter's active side (3.4)."""

    NONE = ""
    MOVE = "SPOT/MOVE"
    FIRE_SA = "SPOT/FIRE SA"
    """Fired Small Arms only (5.7, 6.1.3)."""
    FIRE = "SPOT/FIRE"


class Status(StrEnum):
    """Where a vehicle stands in the scenario."""

    IN_PLAY = "in play"
    RESERVE = "reserve"
    """Held off the mapboard, not yet committed (4.5.1.1.9)."""
    EXITED = "exited"
    ABOARD = "aboard"
    """The gun of a Portée that is not unloaded: a part of that counter (5.2.1)."""
    KNOCKED_OUT = "KO"
    BREWED_UP = "BU"


class Grade(StrEnum):
    """Troop quality, from best to worst (5.8)."""

    ELITE = "Elite"
    VETERAN = "Veteran"
    SEASONED = "Seasoned"
    REGULARS = "Regulars"
    GREEN = "Green"


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


class FireKind(StrEnum):
    """How a weapon of the Advanced Game fires (6.5.2, 6.5.4)."""

    AP = "AP"
    GP = "GP"


class WeaponShot(msgspec.Struct, frozen=True):
    """One announced shot of the Advanced Game: who, with which of his weapons, and which row of it (6.5.2, 6.5.4)."""

    firer: UnitId
    weapon: int = 0
    """Weapons of the card, then attached ones."""
    row: int = 0
    """The ammo type of AP fire, the GP row of GP fire."""
    fire: FireKind = FireKind.AP


class Order(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a unit is to do, with a command of its own or with that of another (6.2.1.1.3)."""

    command: Command
    shares: UnitId = UnitId("")
    """The unit of its formation that has the counter; "" if it has one of its own."""

    def __str__(self) -> str:
        return f"{self.command.value} with {self.shares}" if self.shares else self.command.value


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


def refuse_stranger(name: str, seat: Seat, kind: str = "unit", number: str = "3.1") -> Refusal:
    """Why a force cannot act with what is no unit of its own in play (3.1)."""
    return Refusal(number, f"{name!r} is no {kind} of {seat} in play", f"name a {kind} of yours that is in play")


def refuse_no_target(name: str, number: str) -> Refusal:
    """Why nobody can attack what is no opposing unit in play."""
    return Refusal(number, f"{name!r} is no opposing unit in play", "name a spotted opposing unit")
