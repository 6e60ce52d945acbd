"""13.9 Exact odds of an assault: both rolls in groups of equal results, and the two together."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from sandtable.core.content.rule import rule
from sandtable.systems.goss.assault.frames import Assault
from sandtable.systems.goss.assault.measure import measure
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.tables.ground_assault import AssaultResult, GroundAssaultTable

__all__ = ["assault_odds", "joint_odds"]

_WAYS = 100 * 100

Joint = Mapping[tuple[AssaultResult, AssaultResult], Fraction]
"""The chance of each pair of results: on the defender, and on the attacker."""


@rule("13.9.0")
def joint_odds(table: GroundAssaultTable, column: int, drm: int) -> Joint:
    """The joint table of a column with a DRM: the sides roll apart, so chances multiply."""
    on_defender, on_attacker = table.chances(column, drm)
    return {
        (hit, struck): Fraction(ways * other, _WAYS)
        for hit, ways in on_defender.items()
        for struck, other in on_attacker.items()
    }


def assault_odds(context: Context, state: State, assault: Assault) -> Joint:
    """The joint table of an assault as it stands."""
    sheet = measure(context, state, assault)
    return joint_odds(context.charts.assault, sheet.column, sheet.drm.total)
