"""6.6.3, 6.6.4.2, 6.6.9 What a move risks or may find: buildings, quickmarch, hull down positions."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.panzer.unit import Grade

__all__ = ["building_number", "hull_down_number", "quickmarch_number", "track_number"]

BOOK = ("panzer-na",)
TIMES_DEFENSE = 5
"""The GP Defense Factor counts so many times when a vehicle goes through a wall (6.6.3)."""


@rule("6.6.3", editions=BOOK)
def building_number(table: Table, building: str, defense: int) -> Breakdown:
    """The unmodified roll (100) or less by which a vehicle is harmed on its way into or out of a building (6.6.3)."""
    terms = (Modifier(-TIMES_DEFENSE * defense, "GP Defense Factor, five times", table.rule),)
    return Breakdown("Building", table.rule, terms, table.number(building, "hit"), f"into a {building} building")


@rule("6.6.3", editions=BOOK)
def track_number(table: Table, building: str) -> int:
    """The second roll (100) or less that is a Track hit; above it the vehicle is damaged (6.6.3)."""
    return table.number(building, "track")


@rule("6.6.4.2", editions=BOOK)
def quickmarch_number(table: Table, grade: Grade) -> int:
    """The roll (100) or less by which a quickmarch suppresses (6.6.4.2)."""
    return table.number(grade.value, "quickmarch")


@rule("6.6.9", editions=BOOK)
def hull_down_number(tables: Mapping[str, Table], terrain: int, size: int, grade: Grade, *, partial: bool) -> Breakdown:
    """The unmodified roll (100) or less that finds a position in terrain with such a range (6.6.9)."""
    table = tables["hull_down_search"]
    names = [f"size_{size}", grade.value, *(("partial",) if partial else ())]
    terms = tuple(term for name in names if (term := table.modifier(name, -1)).value)
    return Breakdown("Hull Down", table.rule, terms, terrain, "range of the terrain")
