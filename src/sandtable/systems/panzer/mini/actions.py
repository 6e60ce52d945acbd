"""What a player says on a table, beside what needs no place. Actions hold his words only."""

from __future__ import annotations

from enum import StrEnum

from sandtable.core.tree.drawing import Strokes
from sandtable.systems.panzer.actions import (
    Action,
    ChooseFirstPlayer,
    Decline,
    Fire,
    Pass,
    PlaceCommands,
    RevealCommand,
)
from sandtable.systems.panzer.mini.cards import Angle
from sandtable.systems.panzer.mini.state import FieldOfFire, Until
from sandtable.systems.panzer.unit import UnitId

__all__ = [
    "Action",
    "ChooseAngle",
    "ChooseFirstPlayer",
    "ChooseZone",
    "Decline",
    "Deploy",
    "Enter",
    "Fire",
    "HoldFire",
    "Move",
    "MoveOn",
    "Pass",
    "Pattern",
    "Pivot",
    "PlaceCommands",
    "RevealCommand",
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


class Enter(Action, frozen=True):
    """9.8: a vehicle that is held off the table comes to its edge, and is then moved from there."""

    unit: UnitId
    strokes: Strokes


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


class HoldFire(Action, frozen=True):
    """8.3.2: no overwatch fire on a vehicle that moves, and no question about it until something happens."""

    until: Until
    inches: int = 0
    all_movers: bool = False
    """Whether it holds for all that move in this step, not only for this one."""


class ChooseAngle(Action, frozen=True):
    """8.4.5.1.1, 8.4.5.2: the Hit Angles that count on the line between two."""

    hull: Angle
    turret: Angle
