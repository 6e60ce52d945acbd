"""What a player says of aircraft and anti-aircraft fire, without a place (6.7)."""

from __future__ import annotations

import msgspec

from sandtable.systems.panzer.actions import Action
from sandtable.systems.panzer.air.aircraft import AirWeapon, Load
from sandtable.systems.panzer.unit import UnitId

__all__ = ["AaShot", "Arm", "FireAa", "FlyOn", "HoldAa", "ShowMoving", "Strike"]


class Arm(Action, frozen=True):
    """6.7.1: what aircraft carry whose cards leave a choice."""

    loads: dict[UnitId, Load]


class FlyOn(Action, frozen=True):
    """6.7.2.3: straight on so far, then one turn to the right (1), to the left (-1) or none; off the map it leaves."""

    steps: int
    turn: int = 0


class Strike(Action, frozen=True):
    """6.7.3: an attack on an acquired target, from where the aircraft is."""

    target: UnitId
    weapon: AirWeapon


class AaShot(msgspec.Struct, frozen=True):
    """6.7.4: a unit's AA fire with one of its weapons."""

    firer: UnitId
    weapon: int = 0


class FireAa(Action, frozen=True):
    """6.7.4.1.1: all AA fire at the aircraft now."""

    shots: tuple[AaShot, ...]


class HoldAa(Action, frozen=True):
    """6.7.4: no AA fire at this aircraft as long as it flies this time."""


class ShowMoving(Action, frozen=True):
    """6.5.4.3: the vehicles under attack whose moving commands their owner reveals."""

    units: tuple[UnitId, ...] = ()
