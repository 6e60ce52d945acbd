"""3.2.4 The To Hit charts, as all that fires by them reads them: range bands, black or red numbers, Critical Hits."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.dice import SNAKE_EYES
from sandtable.systems.aslsk.common.experience import is_inexperienced
from sandtable.systems.aslsk.common.possession import is_captured
from sandtable.systems.aslsk.pieces.cards import Nationality
from sandtable.systems.aslsk.pieces.state import State, Unit, Weapon

__all__ = ["BLACK_AMERICANS", "CRITICAL", "has_red_numbers", "range_band"]

CRITICAL = SNAKE_EYES
"""The original DR that makes a hit critical, but on the ITT (6.1)."""
BLACK_AMERICANS = 1944
"""Year from which on Americans use black To Hit numbers (3.2.4)."""
_RED = frozenset((Nationality.RUSSIAN, Nationality.ITALIAN))


def range_band(table: Table, reach: int) -> int:
    """The range of a chart that a distance falls into; the same hex counts as the next (3.2.4)."""
    return max(value for value in table.axes[1].values if isinstance(value, int) and value <= max(1, reach))


@rule("3.2.4", "5.4", "5.5")
def has_red_numbers(
    context: Context, state: State, nation: Nationality, weapon: Weapon | None = None, user: Unit | None = None
) -> bool:
    """Red numbers: Russian, Italian, American before 1944, captured, Inexperienced (3.2.4, 5.4, 5.5)."""
    year = context.scenario.conditions.year
    if nation in _RED or (nation is Nationality.AMERICAN and year < BLACK_AMERICANS):
        return True
    if weapon is not None and is_captured(context, state, weapon):
        return True
    return user is not None and is_inexperienced(context, state, user)
