"""What a player says. Actions hold his words only; everything else is worked out."""

from __future__ import annotations

import msgspec

from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex
from sandtable.systems.panzer.hex.state import Aspect, Command, Leg, Shot, UnitId

__all__ = [
    "Action",
    "ChooseAspect",
    "ChooseFirstPlayer",
    "Continue",
    "Fire",
    "Move",
    "Pass",
    "PlaceCommands",
    "RevealCommand",
    "spends",
]


class Action(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """What a player says; the handlers say which there are, and when."""


class PlaceCommands(Action, frozen=True):
    """4.2.1: a command for each vehicle; those not named get N/C."""

    commands: dict[UnitId, Command]


class ChooseFirstPlayer(Action, frozen=True):
    """4.3.1: who is First Player this turn."""

    first: Seat


class Fire(Action, frozen=True):
    """4.4.1, 4.4.2: all fire on one target, announced together."""

    target: UnitId
    shots: tuple[Shot, ...]


class Pass(Action, frozen=True):
    """4.4.2: no overwatch fire now."""


class RevealCommand(Action, frozen=True):
    """4.4.3.2.2: reveal the target's moving command, or say that it has no effect."""

    reveal: bool


class ChooseAspect(Action, frozen=True):
    """4.4.3.2.4: the aspect that is struck on the dividing line."""

    aspect: Aspect


class Move(Action, frozen=True):
    """4.5.1.1: reveal the vehicle's command and move it; no legs is a no move move (4.5.1.1.8)."""

    unit: UnitId
    legs: tuple[Leg, ...] = ()
    enter: Hex | None = None
    """For a reserve: the hex through which it enters, facing inwards (4.5.1.1.9)."""
    facing: int | None = None
    """For a reserve: its facing as it enters."""


class Continue(Action, frozen=True):
    """4.5.1.1: how to go on after drawing fire; no legs ends the move here."""

    legs: tuple[Leg, ...] = ()


def spends(action: Action) -> bool:
    """Whether the action uses up a shot or a move."""
    match action:
        case Fire():
            return True
        case Move() | Continue():
            return bool(action.legs)
        case _:
            return False
