"""What happened: facts enough to fold. Past tense, one event a fact.

``Opened``, ``Changed`` and ``Closed`` move the stack of open questions; everything else is what players would tell.
"""

from __future__ import annotations

from sandtable.core.frames import Changed, Closed, Opened
from sandtable.core.modifier import Breakdown
from sandtable.geo.hex import Hex
from sandtable.systems.panzer.events import (
    ArmourStruck,
    CommandConverted,
    CommandRevealed,
    CommandsPlaced,
    CommandsRemoved,
    Event,
    Fact,
    FireAnnounced,
    FirstPlayerChosen,
    GameEnded,
    InitiativeRolled,
    MoveEnded,
    ObjectivesReviewed,
    OverwatchDeclined,
    PhaseBegan,
    ShotResolved,
    ShotWasted,
    SmokeTookEffect,
    SpotMarked,
    SpottingDetermined,
    TurnBegan,
    VehicleDamaged,
)
from sandtable.systems.panzer.unit import UnitId

__all__ = [
    "ArmourStruck",
    "Changed",
    "Closed",
    "CommandConverted",
    "CommandRevealed",
    "CommandsPlaced",
    "CommandsRemoved",
    "Event",
    "Fact",
    "FireAnnounced",
    "FirstPlayerChosen",
    "GameEnded",
    "InitiativeRolled",
    "MoveEnded",
    "ObjectivesReviewed",
    "Opened",
    "OverwatchDeclined",
    "PhaseBegan",
    "ShotResolved",
    "ShotWasted",
    "SmokeTookEffect",
    "SpotMarked",
    "SpottingDetermined",
    "TurnBegan",
    "UnitEntered",
    "UnitExited",
    "UnitMoved",
    "UnitTurned",
    "VehicleBrewedUp",
    "VehicleDamaged",
    "VehicleKnockedOut",
]


class VehicleKnockedOut(Fact, frozen=True):
    """4.4.3.2.6: out of action; the hex holds a wreck."""

    unit: UnitId
    hex: Hex


class VehicleBrewedUp(Fact, frozen=True):
    """4.4.3.2.6: burning; the hex holds a wreck and Brew-Up Smoke."""

    unit: UnitId
    hex: Hex


class UnitEntered(Fact, frozen=True):
    """4.5.1.1.9: a vehicle held off the mapboard comes into play."""

    unit: UnitId
    hex: Hex
    facing: int
    cost: Breakdown


class UnitTurned(Fact, frozen=True):
    """4.5.1.1.4: a vehicle pivoted."""

    unit: UnitId
    facing: int
    cost: Breakdown


class UnitMoved(Fact, frozen=True):
    """4.5.1.1: a vehicle entered a hex."""

    unit: UnitId
    hex: Hex
    cost: Breakdown


class UnitExited(Fact, frozen=True):
    """4.5.1.1.9: a vehicle left the mapboard."""

    unit: UnitId
    hex: Hex
    """The last hex that it stood in."""
    direction: int
    cost: Breakdown
    way: str = ""
    """Number of the scenario's exit that it took, if it took one."""
