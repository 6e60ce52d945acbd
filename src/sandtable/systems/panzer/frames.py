"""Open questions that need no place: of commands, initiative, fire and whose step it is (4.2 to 4.5)."""

from __future__ import annotations

import msgspec

from sandtable.core.decision import Seat
from sandtable.systems.panzer.unit import Shot, UnitId

__all__ = [
    "AspectChoice",
    "Attack",
    "ChooseFirst",
    "CommandReveal",
    "DirectFire",
    "Frame",
    "Movement",
    "Overwatch",
    "PlacingCommands",
]


class Frame(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """An open question; the handlers of a ruleset say which there are."""


class PlacingCommands(Frame, frozen=True):
    """4.2.1: these forces have not placed their commands yet."""

    waiting: tuple[Seat, ...]


class ChooseFirst(Frame, frozen=True):
    """4.3.1: the winner of the roll says who is First Player."""

    winner: Seat


class DirectFire(Frame, frozen=True):
    """4.4.1: this player's Direct Fire step."""

    player: Seat
    first: bool
    engaged: tuple[UnitId, ...] = ()
    """Targets that were fired on in this step: all fire on one is announced at once."""


class Attack(Frame, frozen=True):
    """4.4.3.2: announced fire on one target, shot after shot."""

    target: UnitId
    shots: tuple[Shot, ...]
    overwatch: bool
    moving: bool | None = None
    """Whether the target counts as moving; None until its owner was asked (4.4.3.2.2)."""


class CommandReveal(Frame, frozen=True):
    """4.4.3.2.2: the target's owner may reveal a moving command."""

    target: UnitId


class AspectChoice(Frame, frozen=True):
    """4.4.3.2.4: the target's owner picks the aspect on the dividing line."""

    target: UnitId
    firer: UnitId


class Overwatch(Frame, frozen=True):
    """4.4.2: overwatch at those who acted, force by force until both have passed."""

    asked: Seat
    triggers: tuple[UnitId, ...]
    """Vehicles that fired, or the one that moves: the possible targets."""
    passed: bool = False
    """Whether the other force has just passed."""
    engaged: tuple[UnitId, ...] = ()
    """Targets that were fired on already: all fire on one is announced at once."""


class Movement(Frame, frozen=True):
    """4.5: this player's Movement step."""

    player: Seat
    first: bool
