"""6.1.4.3 Terrain counters as far as they need no place: kinds, sides, and who may not enter."""

from __future__ import annotations

from enum import StrEnum

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.terrain import Traction

__all__ = ["HINDERING", "CounterSide", "FeatureKind", "Sheaf", "entry_barred"]


class FeatureKind(StrEnum):
    """The terrain counters (1.7.4, 6.1.4.3)."""

    BLOCK = "block"
    DITCH = "ditch"
    ON_FIRE = "on fire"
    HASTY_ENTRENCHMENT = "hasty entrenchment"
    IMPROVED_POSITION = "improved position"
    MINES = "mines"
    RUBBLE = "rubble"
    SMOKE = "smoke"
    BARRAGE = "barrage"
    WIRE = "wire"
    DUST = "dust"


HINDERING = (FeatureKind.ON_FIRE, FeatureKind.SMOKE, FeatureKind.BARRAGE, FeatureKind.DUST)
"""Counters that hinder fire on a line and never block it (6.1.4.3.5, 6.1.4.3.10, 6.1.4.3.12)."""


class Sheaf(StrEnum):
    """How wide fire falls: Closed for all units on the map (6.5.1, 6.1.4.3.10)."""

    CLOSED = "closed"
    OPEN = "open"


class CounterSide(StrEnum):
    """The side of a SMOKE or DUST counter that lies up (6.1.4.3.10, 6.1.4.3.12)."""

    ON = "ON"
    """Came about this turn."""
    OFF = "OFF"
    """Goes at the end of this turn (6.8.4)."""


@rule(
    "6.1.4.3.3",
    "6.1.4.3.4",
    "6.1.4.3.5",
    "6.1.4.3.9",
    "6.1.4.3.11",
    editions=("panzer-na",),
)
def entry_barred(table: Table, kind: FeatureKind, unit_class: UnitClass, mode: Traction) -> str:
    """The rule by which a unit may not enter a hex with the counter, "" where it may (6.1.4.3.3 to 6.1.4.3.11)"""
    column = mode.value
    if unit_class.is_leg:
        column = "leg"
    elif unit_class is UnitClass.TOWED:
        column = "towed"
    return "" if table.number(kind.value, column) else str(table.lookup(kind.value, "rule"))
