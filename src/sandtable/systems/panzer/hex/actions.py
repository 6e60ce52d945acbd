"""What a player says. Actions hold his words only; everything else is worked out."""

from __future__ import annotations

import msgspec

from sandtable.geo.hex import Hex
from sandtable.systems.panzer.actions import (
    Action,
    AdjustCover,
    ChooseAngle,
    ChooseAspect,
    ChooseFirstPlayer,
    Decline,
    DesignatePosition,
    Engage,
    Fire,
    MoveIn,
    NamePrimary,
    Pass,
    PlaceCommands,
    PlaceOrders,
    RevealCommand,
    SpreadHits,
)
from sandtable.systems.panzer.fires.missions import BatteryId, MissionKind, Pattern
from sandtable.systems.panzer.hex.state import Leg
from sandtable.systems.panzer.markers import HullDown
from sandtable.systems.panzer.movement.speed import Gait
from sandtable.systems.panzer.unit import UnitId

__all__ = [
    "Action",
    "AdjustCover",
    "AdjustFire",
    "AttackClose",
    "BailOut",
    "CallFire",
    "CheckFire",
    "ChooseAngle",
    "ChooseAspect",
    "ChooseFirstPlayer",
    "Continue",
    "ContinueFire",
    "Decline",
    "DesignatePosition",
    "DismountAttack",
    "Engage",
    "Fire",
    "FireSmoke",
    "Landing",
    "Load",
    "LoadGun",
    "March",
    "Move",
    "MoveIn",
    "NamePrimary",
    "Overrun",
    "Pass",
    "Pivot",
    "PlaceCommands",
    "PlaceImpact",
    "PlaceOrders",
    "PlanFire",
    "RegisterPoint",
    "RevealCommand",
    "SearchHullDown",
    "SpreadHits",
    "StartPlan",
    "UnloadGun",
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


class March(Action, frozen=True):
    """6.6.4.2, 6.6.4.3: a leg unit's quickmarch, or its crawl in Full Cover."""

    unit: UnitId
    gait: Gait
    legs: tuple[Leg, ...] = ()


class FireSmoke(Action, frozen=True):
    """6.1.4.3.10: smoke rounds by Direct Fire into a hex; weapon -1 are the means of engineers."""

    firer: UnitId
    weapon: int
    hex: Hex


class AttackClose(Action, frozen=True):
    """6.6.1: all Close Assaults, or all Hand-to-Hand attacks, on one target.

    Units attack from the hex where they are, or from one to which they move up; those in one hex attack together.
    """

    target: UnitId
    attackers: dict[UnitId, Hex]


class Landing(msgspec.Struct, frozen=True):
    """Where a passenger gets off."""

    unit: UnitId
    hex: Hex
    facing: int


class Load(Action, frozen=True):
    """6.6.7.1.1: a vehicle mounts and dismounts passengers in its hex, all at once."""

    carrier: UnitId
    mount: tuple[UnitId, ...] = ()
    dismount: tuple[Landing, ...] = ()


class UnloadGun(Action, frozen=True):
    """5.2.1: the gun of a Portée is put on the ground; truck and gun face any way."""

    unit: UnitId
    facing: int
    gun_facing: int


class LoadGun(Action, frozen=True):
    """5.2.1: the truck of a Portée takes its gun up again; the Portée faces any way."""

    unit: UnitId
    facing: int


class BailOut(Action, frozen=True):
    """6.6.7.1.2: passengers leave a moving vehicle in an emergency; each with the facing that it takes."""

    units: dict[UnitId, int]


class Overrun(Action, frozen=True):
    """6.6.10: a vehicle moves into the hex of a leg or towed unit and attacks it there."""

    unit: UnitId
    target: UnitId
    legs: tuple[Leg, ...]
    """The way; the last leg enters the target's hex."""
    others: tuple[UnitId, ...] = ()
    """Vehicles that will overrun the same target after this one: all are announced at once."""


class DismountAttack(Action, frozen=True):
    """6.6.1.1, 6.6.1.2: a passenger gets off its vehicle straight into close combat."""

    carrier: UnitId
    landing: Landing
    target: UnitId


class SearchHullDown(Action, frozen=True):
    """6.6.9: a vehicle spends its move on searching its hex for a hull down position."""

    unit: UnitId
    position: HullDown
    facing: int
    """The facing that it takes."""
    reverse: bool = False
    """Whether it backs into the position."""


class Continue(Action, frozen=True):
    """4.5.1.1: how to go on after drawing fire; no legs ends the move here."""

    legs: tuple[Leg, ...] = ()


class Pivot(Action, frozen=True):
    """6.8.1: the facings that units on foot and guns take; those not named keep theirs."""

    facings: dict[UnitId, int]


class RegisterPoint(Action, frozen=True):
    """6.5.1.4: a Pre-Registered Point of a battery, plotted before the first turn."""

    battery: BatteryId
    hex: Hex


class PlanFire(Action, frozen=True):
    """6.5.1.11.1: the next line of a battery's plot; the first one says the turn of arrival."""

    battery: BatteryId
    hex: Hex
    kind: MissionKind
    pattern: Pattern
    way: int = -1
    turns: int = 1
    turn: int = 0


class CallFire(Action, frozen=True):
    """6.5.1.7: an observer calls fire from batteries and units on the map."""

    observer: UnitId
    sources: tuple[str, ...]
    hex: Hex
    kind: MissionKind
    pattern: Pattern
    way: int = -1


class AdjustFire(Action, frozen=True):
    """6.5.1.8.2: an observer adjusts his fire, and may call more of it."""

    mission: str
    sources: tuple[str, ...]
    hex: Hex
    kind: MissionKind
    pattern: Pattern
    way: int = -1


class ContinueFire(Action, frozen=True):
    """6.5.1.8.1: fire goes on where it falls."""

    mission: str
    kind: MissionKind


class CheckFire(Action, frozen=True):
    """6.5.1.9: fire is checked."""

    mission: str


class StartPlan(Action, frozen=True):
    """6.5.1.11.2: the Planned fire of a battery arrives."""

    battery: BatteryId


class PlaceImpact(Action, frozen=True):
    """6.5.1.12: where the opponent has fire fall on its own side."""

    hex: Hex


def spends(action: Action) -> bool:
    """Whether the action uses up a shot or a move."""
    match action:
        case Fire() | Engage() | FireSmoke():
            return True
        case Move() | March() | Continue():
            return bool(action.legs)
        case (
            Load()
            | LoadGun()
            | UnloadGun()
            | BailOut()
            | AttackClose()
            | SearchHullDown()
            | Overrun()
            | DismountAttack()
        ):
            return True
        case CallFire() | AdjustFire() | ContinueFire() | StartPlan():
            return True
        case _:
            return False
