"""11.6.0 Exact odds of a mission: the results of its volleys are convolved, never enumerated.

Six volleys fall in a million ways, but come to a few dozen sums of AS and numerical hits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from sandtable.systems.goss.tables.fire_support import NOTHING_HIT, FireResult, FireSupport

__all__ = ["mission_odds"]

_FACES = 10


def mission_odds(chart: FireSupport, volleys: Sequence[tuple[int, int]]) -> Mapping[FireResult, Fraction]:
    """The chance of every result of a mission; each volley is its points and its DRM (11.6.0)."""
    ways: dict[FireResult, int] = {NOTHING_HIT: 1}
    for points, drm in volleys:
        ways = _added(ways, Counter(chart.result(points + drm + roll) for roll in range(_FACES)))
    return {result: Fraction(count, _FACES ** len(volleys)) for result, count in ways.items()}


def _added(some: Mapping[FireResult, int], others: Mapping[FireResult, int]) -> dict[FireResult, int]:
    """Of how many ways each sum of two results comes about."""
    found: dict[FireResult, int] = {}
    for one, ways in some.items():
        for other, more in others.items():
            both = one + other
            found[both] = found.get(both, 0) + ways * more
    return found
