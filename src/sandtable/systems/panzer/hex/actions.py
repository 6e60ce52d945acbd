"""What a player says. Actions hold his words only; everything else is worked out."""

from __future__ import annotations

from sandtable.geo.hex import Hex
from sandtable.systems.panzer.actions import (
    Action,
    ChooseAspect,
    ChooseFirstPlayer,
    Fire,
    Pass,
    PlaceCommands,
    RevealCommand,
)
from sandtable.systems.panzer.hex.state import Leg
from sandtable.systems.panzer.unit import UnitId

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
