"""What a player says of commands, initiative and fire. Actions hold his words only."""

from __future__ import annotations

import msgspec

from sandtable.core.decision import Seat
from sandtable.systems.panzer.unit import Aspect, Command, Shot, UnitId

__all__ = ["Action", "ChooseAspect", "ChooseFirstPlayer", "Fire", "Pass", "PlaceCommands", "RevealCommand"]


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
