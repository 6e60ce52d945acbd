"""What a player says on a table, beside what needs no place. Actions hold his words only."""

from __future__ import annotations

from enum import StrEnum

from sandtable.core.tree.drawing import Strokes
from sandtable.systems.panzer.actions import Action, ChooseFirstPlayer, Decline, PlaceCommands
from sandtable.systems.panzer.mini.state import FieldOfFire
from sandtable.systems.panzer.unit import UnitId

__all__ = [
    "Action",
    "ChooseFirstPlayer",
    "ChooseZone",
    "Decline",
    "Deploy",
    "Move",
    "MoveOn",
    "Pattern",
    "Pivot",
    "PlaceCommands",
    "TurnTurrets",
]


class Pattern(StrEnum):
    """How vehicles that are set up together stand."""

    SINGLE = "single"
    COLUMN = "column"
    LINE = "line"
    WEDGE = "wedge"


class ChooseZone(Action, frozen=True):
    """23.1.3: the zone in which a force sets up."""

    zone: str


class Deploy(Action, frozen=True):
    """23.1.3: vehicles are set down, the first of them where the stroke says and the others by their pattern."""

    units: tuple[UnitId, ...]
    strokes: Strokes
    pattern: Pattern = Pattern.SINGLE


class Move(Action, frozen=True):
    """9.1: a vehicle executes its MOVE or the move part of its SHORT HALT; without strokes it stays."""

    unit: UnitId
    strokes: Strokes = ()


class MoveOn(Action, frozen=True):
    """9.1.1: how a vehicle goes on that was interrupted on its way; without strokes it stops."""

    unit: UnitId
    strokes: Strokes = ()


class Pivot(Action, frozen=True):
    """10.1: a vehicle with an unused MOVE faces another way."""

    unit: UnitId
    strokes: Strokes


class TurnTurrets(Action, frozen=True):
    """10.2: where turrets point from now on; those not named stay."""

    turrets: dict[UnitId, FieldOfFire]
