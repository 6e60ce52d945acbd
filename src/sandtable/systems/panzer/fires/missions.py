"""6.5.1 Missions of Indirect Fire, off-map batteries and plots; their targets are places of whatever space is played.

How many places an area holds is for whoever knows the space to say.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Generic, NewType, TypeVar

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.core.errors import Refusal
from sandtable.systems.panzer.features import Sheaf
from sandtable.systems.panzer.unit import UnitId

__all__ = [
    "Battery",
    "BatteryId",
    "Mission",
    "MissionKind",
    "Pattern",
    "Plot",
    "PlotStep",
    "refuse_pattern",
    "sheaf_of",
]

BOOK = ("panzer-na",)
P = TypeVar("P")
BatteryId = NewType("BatteryId", str)
_WAYS = 6
"""Directions in which a line of fire may run."""


class MissionKind(StrEnum):
    """What is fired (6.5.1.6)."""

    GP = "GP"
    SMOKE = "Smoke"
    ILLUMINATION = "Illumination"


class Pattern(StrEnum):
    """The SHEAF Patterns (6.5.1.5)."""

    ON_MAP = "on-map Closed"
    """The Target Point alone: of units on the map."""
    CLOSED = "Closed"
    LINEAR = "Closed Linear"
    OPEN = "Open"


@rule("6.5.1.5", editions=BOOK)
def sheaf_of(pattern: Pattern) -> Sheaf:
    """Whether a pattern is an Open or a Closed SHEAF (6.5.1.5)."""
    return Sheaf.OPEN if pattern is Pattern.OPEN else Sheaf.CLOSED


@rule("6.5.1.5", "6.5.1.6.1", "6.5.1.6.2", editions=BOOK)
def refuse_pattern(kind: MissionKind, pattern: Pattern, way: int, *, off_map: bool) -> Refusal | None:
    """Why a SHEAF does not fit: by who fires, what is fired, and its direction (6.5.1.5, 6.5.1.6)."""
    if off_map == (pattern is Pattern.ON_MAP):
        if off_map:
            return Refusal("6.5.1.5", "the single hex is for units on the map", "Closed, Closed Linear or Open")
        return Refusal("6.5.1.5", f"{pattern.value} is for off-map batteries", f"{Pattern.ON_MAP.value}")
    if kind is MissionKind.ILLUMINATION and pattern in (Pattern.LINEAR, Pattern.OPEN):
        return Refusal("6.5.1.6.2", f"Illumination in a {pattern.value} SHEAF", "a Closed SHEAF")
    if not (0 <= way < _WAYS if pattern is Pattern.LINEAR else way == -1):
        wanted = f"one of 0 to {_WAYS - 1}" if pattern is Pattern.LINEAR else "none, which is -1"
        return Refusal("6.5.1.5", f"a {pattern.value} SHEAF in direction {way}", wanted)
    return None


class Mission(msgspec.Struct, Generic[P], frozen=True, kw_only=True, omit_defaults=True):
    """An Indirect Fire mission: an ARTILLERY IMPACT counter on the map, or a call for it (6.5.1)."""

    id: str
    side: Seat
    observer: UnitId = UnitId("")
    """"" of Planned fire."""
    sources: tuple[str, ...]
    """Batteries, and units on the map, by their ids."""
    target: P
    """The Target Point."""
    pattern: Pattern
    """Of the batteries; units on the map have their own."""
    way: int = -1
    """The direction of a Closed Linear SHEAF."""
    kind: MissionKind = MissionKind.GP
    turn: int = 0
    """The turn in which it fired last."""
    begun: int = 0
    """Of Planned fire: the turn in which it arrived."""
    danger_close: bool = False
    """Fell on friends: checks in the next turn (6.5.1.10)."""
    place: P | None = None
    """Where the observer was when it fired last; ranges are measured from there (6.5.1.13)."""

    @property
    def is_planned(self) -> bool:
        """Fired by a plot, without an observer (6.5.1.11)."""
        return not self.observer


class PlotStep(msgspec.Struct, Generic[P], frozen=True, kw_only=True, omit_defaults=True):
    """One line of a plot: what falls where, and for how many turns (6.5.1.11.1)."""

    kind: MissionKind
    pattern: Pattern
    target: P
    way: int = -1
    turns: int = 1


class Plot(msgspec.Struct, Generic[P], frozen=True):
    """The plot of a battery's Planned fire (6.5.1.11.1)."""

    turn: int
    """The turn of arrival."""
    steps: tuple[PlotStep[P], ...]

    @property
    def turns(self) -> int:
        """How long all of it lasts."""
        return sum(step.turns for step in self.steps)


class Battery(msgspec.Struct, Generic[P], frozen=True, kw_only=True, omit_defaults=True):
    """What changes of an off-map battery (5.3)."""

    id: BatteryId
    side: Seat
    used: int = 0
    """The last turn in which it fired, did not respond, or was checked."""
    registered: tuple[P, ...] = ()
    """Its Pre-Registered Points, which its owner alone knows (6.5.1.4)."""
    plot: Plot[P] | None = None
    """Its Planned fire, likewise (6.5.1.11.1)."""
    begun: int = 0
    """The turn in which its Planned fire arrived, 0 before."""
