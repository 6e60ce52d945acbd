"""9.2 Movement Factor: what a vehicle may spend, across country, on paths and on roads."""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.systems.panzer.mini.cards import MiniCard
from sandtable.systems.panzer.mini.state import FieldOfFire, Unit
from sandtable.systems.panzer.terrain import Rate, Traction
from sandtable.systems.panzer.unit import Command

__all__ = ["Driver", "driver_of"]

BOOK = ("panzer-mini",)


class Driver(msgspec.Struct, frozen=True):
    """What a vehicle is to movement."""

    unit: Unit
    card: MiniCard
    cross_country: int
    path: int
    road: int

    @property
    def traction(self) -> Traction:
        """Mode of Traction (9.2)."""
        return self.card.movement.mode

    def allowance(self, rate: Rate | None) -> int:
        """What it may spend at a rate (9.2)."""
        return {None: self.cross_country, Rate.PATH: self.path}.get(rate, self.road)

    @property
    def terms(self) -> tuple[Any, ...]:
        """All of it that a way rests on."""
        unit = self.unit
        return unit.id, unit.card, unit.turret, unit.markers.track, self.cross_country, self.path, self.road

    @property
    def turret_is_lengthways(self) -> bool:
        """Its turret, if it has one, points straight ahead or to the rear (9.7.1)."""
        return self.unit.turret in (FieldOfFire.FRONT, FieldOfFire.REAR)


@rule("9.2", "9.2.1", "9.2.1.1", "9.2.1.2", "9.2.1.3", "9.2.2", "8.4.5.3.1", "8.4.7.4", "4.7", editions=BOOK)
def driver_of(unit: Unit, card: MiniCard, numbers: Table, hurt_at: int | None = None) -> Driver:
    """A vehicle with its allowances: halved on a SHORT HALT, halved again if it is damaged (9.2.1.1, 9.2.1.2).

    Of one that was damaged on its way, when it had spent so much, what was left is halved alone (8.4.7.4).
    """
    if unit.markers.track:
        return Driver(unit, card, 0, 0, 0)
    halt = numbers.number("short_halt_divisor", "value") if unit.command is Command.SHORT_HALT else 1
    damage = numbers.number("damaged_divisor", "value") if unit.damaged else 1
    spent = hurt_at or 0
    speeds = (card.movement.cross_country, card.movement.path, card.movement.road)
    return Driver(unit, card, *(spent + (speed // halt - spent) // damage for speed in speeds))
