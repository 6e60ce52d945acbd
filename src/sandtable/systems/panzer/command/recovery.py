"""6.8.3 Getting over suppression."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.modifier import Breakdown
from sandtable.systems.panzer.unit import Grade

__all__ = ["recovery_number"]


@rule("6.8.3", "6.8.3.1", "6.8.3.1.1", "6.8.3.1.2", "6.8.3.2", editions=("panzer-na",))
def recovery_number(tables: Mapping[str, Table], grade: Grade, *, commanded: bool, under_fire: bool) -> Breakdown:
    """The unmodified roll (100) or less that takes a SUPPRESSION/OFF counter off a unit (6.8.3).

    What the book adds to the roll is taken off the number, which comes to the same.
    """
    table = tables["suppression_recovery"]
    names = [name for name, holds in (("command", commanded), ("under_fire", under_fire)) if holds]
    terms = tuple(table.modifier(name, -1) for name in names)
    base = tables["unit_grade"].number(grade.value, "recovery")
    return Breakdown("Suppression Recovery", "6.8.3", terms, base, f"{grade.value} Unit Grade")
