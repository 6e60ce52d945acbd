"""11.6.0 Exact odds of a mission: the results of its volleys are convolved, never enumerated.

Six volleys fall in a million ways, but come to a few dozen sums of AS and numerical hits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from sandtable.systems.goss.tables.fire_support import NOTHING_HIT, FireResult, FireSupport

__all__ = ["mission_odds"]

_FACES = 10
_CERTAIN = Fraction(1)


def mission_odds(chart: FireSupport, volleys: Sequence[tuple[int, int]]) -> Mapping[FireResult, Fraction]:
    """The chance of every result of a mission; each volley is its points and its DRM (11.6.0)."""
    total: dict[FireResult, Fraction] = {NOTHING_HIT: _CERTAIN}
    for points, drm in volleys:
        one: dict[FireResult, Fraction] = {}
        for roll in range(_FACES):
            result = chart.result(points + drm + roll)
            one[result] = one.get(result, Fraction(0)) + Fraction(1, _FACES)
        total = _added(total, one)
    return total


def _added(some: Mapping[FireResult, Fraction], others: Mapping[FireResult, Fraction]) -> dict[FireResult, Fraction]:
    found: dict[FireResult, Fraction] = {}
    for one, chance in some.items():
        for other, further in others.items():
            both = one + other
            found[both] = found.get(both, Fraction(0)) + chance * further
    return found
