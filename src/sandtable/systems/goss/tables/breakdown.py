"""4.4.3 Proficiency of breakdown companies, by nation, class and date."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from sandtable.core.content.rule import rule
from sandtable.systems.goss.tables.reading import Tables, numbers, shaped

__all__ = ["BreakdownRatings", "read_breakdown_ratings"]

_COMPANIES = ("German 1-2-6", "German Leg", "German Mech", "Allied Leg", "Allied Mech")
_SINCE = "1944-09-01"
_PERIODS = (f"before {_SINCE}", f"from {_SINCE}")
_RATINGS = ("offensive", "defensive")


class BreakdownRatings(msgspec.Struct, frozen=True):
    """The standard ratings; a scenario may have others for other nations."""

    ratings: Mapping[tuple[str, str], tuple[int, int]]

    @rule("4.4.3")
    def rating(self, date: str, *, is_german: bool, is_mech: bool, is_weak: bool = False) -> tuple[int, int]:
        """Offensive and defensive PR on a day such as ``1944-09-10``; ``is_weak`` is a 1-2-6 of infantry (4.4.3)."""
        if is_german:
            company = "German Mech" if is_mech else "German 1-2-6" if is_weak else "German Leg"
        else:
            company = "Allied Mech" if is_mech else "Allied Leg"
        return self.ratings[company, _PERIODS[date >= _SINCE]]


def read_breakdown_ratings(tables: Tables) -> BreakdownRatings:
    """The table of a pack; raise :class:`BadInput` with every fault."""
    axes = {"company": _COMPANIES, "period": _PERIODS, "rating": _RATINGS}
    found = numbers(shaped(tables, "breakdown_proficiency", axes))
    return BreakdownRatings(
        {
            (company, period): (found[company, period, "offensive"], found[company, period, "defensive"])
            for company in _COMPANIES
            for period in _PERIODS
        }
    )
