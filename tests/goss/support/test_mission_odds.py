"""11.6.0, 13.9.0: the odds of missions and assaults are exact, and agree with dice that were really rolled."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from sandtable.systems.goss.assault.odds import joint_odds
from sandtable.systems.goss.support.odds import mission_odds
from sandtable.systems.goss.tables.fire_support import NOTHING_HIT, FireResult
from sandtable.systems.goss.tables.ground_assault import AssaultResult
from tests.goss.shelf import charts

rules = pytest.mark.rules
CHART = charts().fire
SAMPLES = 100_000


@rules("11.6.0", system="goss")
def test_one_volley_by_hand() -> None:
    found = mission_odds(CHART, [(8, -1)])
    assert found == {
        NOTHING_HIT: Fraction(1, 10),
        FireResult(1, 0): Fraction(2, 10),
        FireResult(0, 1): Fraction(2, 10),
        FireResult(1, 1): Fraction(2, 10),
        FireResult(0, 2): Fraction(3, 10),
    }


@rules("11.6.0", system="goss")
@pytest.mark.parametrize("count", range(1, 7))
def test_up_to_six_volleys_agree_with_samples(count: int) -> None:
    volleys = [(8, -1)] * (count - 1) + [(3, 2)]
    exact = mission_odds(CHART, volleys)
    assert sum(exact.values()) == 1
    rng = Random(count)
    values = [points + drm for points, drm in volleys]
    table = {value: [CHART.result(value + roll) for roll in range(10)] for value in set(values)}
    seen: Counter[tuple[int, int]] = Counter()
    for _ in range(SAMPLES):
        results = [table[value][int(rng.random() * 10)] for value in values]
        seen[sum(one.shifts for one in results), sum(one.hits for one in results)] += 1
    for result, chance in exact.items():
        spread = (float(chance * (1 - chance)) / SAMPLES) ** 0.5
        share = seen[result.shifts, result.hits] / SAMPLES
        assert abs(share - float(chance)) <= 5 * spread + 1e-9, result
    assert set(seen) <= {(one.shifts, one.hits) for one in exact}


@rules("13.9.0", "13.9.1", system="goss")
@pytest.mark.parametrize(("column", "drm"), [(2, -25), (2, -15), (6, 0), (7, 0), (10, 35), (12, 30)])
def test_assaults_agree_with_samples(column: int, drm: int) -> None:
    table = charts().assault
    exact = joint_odds(table, column, drm)
    assert sum(exact.values()) == 1
    rng = Random(column)
    suffered = [(table.defender_result(column, dr + drm), table.attacker_result(column, dr + drm)) for dr in range(100)]
    seen: Counter[tuple[AssaultResult, AssaultResult]] = Counter()
    for _ in range(SAMPLES):
        seen[suffered[int(rng.random() * 100)][0], suffered[int(rng.random() * 100)][1]] += 1
    assert set(seen) <= set(exact)
    for pair, chance in exact.items():
        spread = (float(chance * (1 - chance)) / SAMPLES) ** 0.5
        assert abs(seen[pair] / SAMPLES - float(chance)) <= 5 * spread + 1e-9, pair
