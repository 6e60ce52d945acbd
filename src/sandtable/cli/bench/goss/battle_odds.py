"""GOSS: exact odds of a mission of six volleys, and the joint odds of an assault, beside 10,000 samples of each.

The samples roll and look up what the rules do, and add it up. The ratio is the samples' time over ours.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from sandtable import catalog
from sandtable.cli.bench.measure import Budget, best_of_each, times
from sandtable.systems.goss.assault.odds import joint_odds
from sandtable.systems.goss.support.odds import mission_odds
from sandtable.systems.goss.tables.charts import read_charts
from sandtable.systems.goss.tables.fire_support import NOTHING_HIT, FireResult
from sandtable.systems.goss.tables.ground_assault import AssaultResult

__all__ = ["measure"]

SAMPLES, RUNS = 10_000, 5
VOLLEYS = [(8, -1)] * 5 + [(3, 2)]
COLUMN, DRM = 7, 12


def measure() -> list[Budget]:
    """Both of them."""
    charts = read_charts(catalog.library("goss").tables())
    rng = Random(11)

    def fire() -> None:
        fell: Counter[FireResult] = Counter()
        for _ in range(SAMPLES):
            rolled = (charts.fire.result(points + drm + int(rng.random() * 10)) for points, drm in VOLLEYS)
            fell[sum(rolled, NOTHING_HIT)] += 1

    def assault() -> None:
        fell: Counter[tuple[AssaultResult, AssaultResult]] = Counter()
        table = charts.assault
        for _ in range(SAMPLES):
            attack, defence = int(rng.random() * 100) + DRM, int(rng.random() * 100) + DRM
            fell[table.defender_result(COLUMN, attack), table.attacker_result(COLUMN, defence)] += 1

    note = f"seconds for exact odds; for {SAMPLES:,} samples"
    mission = best_of_each(RUNS, lambda: mission_odds(charts.fire, VOLLEYS), fire)
    joint = best_of_each(RUNS, lambda: joint_odds(charts.assault, COLUMN, DRM), assault)
    return [
        times("exact odds of six volleys", *mission, floor=10, goal=100, note=note),
        times("joint odds of an assault", *joint, floor=10, goal=100, note=note),
    ]
