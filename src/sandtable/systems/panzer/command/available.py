"""6.2.1.1 How many commands a formation has, and how far apart those may be who share one."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.systems.panzer.unit import Grade

__all__ = ["available_commands", "command_range"]

BOOK = ("panzer-na",)


@rule("6.2.1", "6.2.1.1", "6.2.1.1.1", editions=BOOK)
def available_commands(table: Table, grade: Grade, active: int) -> int:
    """Commands of a formation with so many active units; never less than one (6.2.1.1.1)."""
    tens, rest = divmod(active, 10)
    commands = tens * table.number(grade.value, 10) + (table.number(grade.value, rest) if rest else 0)
    return max(1, commands)


@rule("6.2.1.1.2", editions=BOOK)
def command_range(table: Table, grade: Grade) -> int:
    """Command Range of a grade (6.2.1.1.2)."""
    return table.number(grade.value, "range")
