"""What a player says of commands, initiative and fire. Actions hold his words only."""

from __future__ import annotations

import msgspec

from sandtable.core.decision import Seat
from sandtable.systems.panzer.advanced_card import HitAngle
from sandtable.systems.panzer.markers import HullDown
from sandtable.systems.panzer.unit import Aspect, Command, Order, Shot, UnitId, WeaponShot

__all__ = [
    "Action",
    "AdjustCover",
    "ChooseAngle",
    "ChooseAspect",
    "ChooseFirstPlayer",
    "Decline",
    "DesignatePosition",
    "Engage",
    "Fire",
    "MoveIn",
    "NamePrimary",
    "Pass",
    "PlaceCommands",
    "PlaceOrders",
    "RevealCommand",
    "SpreadHits",
]


class Action(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """What a player says; the handlers say which there are, and when."""


class PlaceCommands(Action, frozen=True):
    """4.2.1: a command for each vehicle; those not named get N/C."""

    commands: dict[UnitId, Command]


class PlaceOrders(Action, frozen=True):
    """6.2.1.1.3: an order for each unit; those not named get N/C."""

    orders: dict[UnitId, Order]


class AdjustCover(Action, frozen=True):
    """6.8.2: the units that are in Full Cover from now on, of all that may go in or out."""

    covered: tuple[UnitId, ...]


class ChooseFirstPlayer(Action, frozen=True):
    """4.3.1: who is First Player this turn."""

    first: Seat


class Fire(Action, frozen=True):
    """4.4.1, 4.4.2: all fire on one target, announced together."""

    target: UnitId
    shots: tuple[Shot, ...]


class Engage(Action, frozen=True):
    """6.5.2, 6.5.3, 6.5.4: all AP and GP fire on one target, announced together."""

    target: UnitId
    shots: tuple[WeaponShot, ...]


class SpreadHits(Action, frozen=True):
    """6.5.2.1: where the hits after the first one of a shot go."""

    targets: tuple[UnitId, ...]


class ChooseAngle(Action, frozen=True):
    """6.5.2.2: the Hit Angle that counts on the dividing line."""

    angle: HitAngle


class Pass(Action, frozen=True):
    """4.4.2: no overwatch fire now."""


class RevealCommand(Action, frozen=True):
    """4.4.3.2.2: reveal the target's moving command, or say that it has no effect."""

    reveal: bool


class Decline(Action, frozen=True):
    """6.5.4, 6.6.1, 6.6.7.1.1: no more fire, no attack at arm's length, or nobody gets on or off, in this step."""


class NamePrimary(Action, frozen=True):
    """6.6.1.2.3: who leads a Hand-to-Hand combat on."""

    unit: UnitId


class MoveIn(Action, frozen=True):
    """6.6.1.1.3, 6.6.1.2.3: which of the winners move into the hex of the target; none of them may."""

    units: tuple[UnitId, ...] = ()


class DesignatePosition(Action, frozen=True):
    """6.1.4.1.2: how much of a vehicle its Improved Position hides."""

    position: HullDown


class ChooseAspect(Action, frozen=True):
    """4.4.3.2.4: the aspect that is struck on the dividing line."""

    aspect: Aspect
