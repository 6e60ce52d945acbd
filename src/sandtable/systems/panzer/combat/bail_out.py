"""5.15, 6.5.2.6, 6.5.4.5 Bailing out: who leaves a vehicle that was hit, and who gets away from one that is lost."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.errors import Refusal
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.panzer.advanced_card import Damage
from sandtable.systems.panzer.unit import Grade, UnitId

__all__ = ["crew_leaves", "passenger_escapes", "passenger_leaves", "refuse_crewless", "suppressed_leaves"]

BOOK = ("panzer-na",)


def _number(tables: Mapping[str, Table], case: str, grade: Grade, *, at_least: bool) -> Breakdown:
    """The unmodified roll that decides: the grade's modifier is taken off the number instead of added to the roll."""
    modifier = tables["unit_grade"].number(grade.value, "bail_out")
    terms = (Modifier(-modifier, f"{grade.value} Unit Grade", "6.5.2.6.1"),) if modifier else ()
    told = f"roll (100), {'or more gets away' if at_least else 'or less leaves'}"
    return Breakdown("Bail Out", tables["bail_out"].rule, terms, tables["bail_out"].number(case), told)


@rule("5.15", "6.5.2.6.1", editions=BOOK)
def crew_leaves(tables: Mapping[str, Table], hit: Damage | None, grade: Grade) -> Breakdown:
    """The roll or less by which a crew abandons its vehicle after No Damage, Damage or (None) a Track hit."""
    return _number(tables, f"crew_{hit.value if hit is not None else 'TK'}", grade, at_least=False)


@rule("6.5.2.6.2", editions=BOOK)
def passenger_leaves(tables: Mapping[str, Table], hit: Damage | None, grade: Grade) -> Breakdown:
    """The roll or less by which a passenger leaves a vehicle whose crew stays (6.5.2.6.2)."""
    return _number(tables, f"passenger_{hit.value if hit is not None else 'TK'}", grade, at_least=False)


@rule("6.5.2.6.2", editions=BOOK)
def passenger_escapes(tables: Mapping[str, Table], lost: Damage, grade: Grade, *, is_towed: bool) -> Breakdown:
    """The roll or more by which a passenger gets away from a vehicle that is knocked out or brews up (6.5.2.6.2)."""
    return _number(tables, f"{'towed' if is_towed else 'leg'}_{lost.value}", grade, at_least=True)


@rule("6.5.4.5", editions=BOOK)
def suppressed_leaves(tables: Mapping[str, Table], grade: Grade, *, indirect: bool) -> Breakdown:
    """The roll or less by which a passenger that is suppressed leaves (6.5.4.5)."""
    return _number(tables, f"suppressed_{'IF' if indirect else 'DF'}", grade, at_least=False)


def refuse_crewless(unit: UnitId) -> Refusal:
    """Why a vehicle that was abandoned does nothing any more (5.15)."""
    return Refusal("5.15", f"the crew of {unit} has bailed out", "name another unit, it is out of action")
