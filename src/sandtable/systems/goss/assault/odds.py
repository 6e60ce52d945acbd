"""13.9 Exact odds of an assault: both rolls in groups of equal results, and the two together."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from sandtable.core.content.rule import rule
from sandtable.systems.goss.tables.ground_assault import AssaultResult, GroundAssaultTable

__all__ = ["joint_odds"]

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
