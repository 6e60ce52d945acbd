"""Exact odds of one attack with its whole chain, beside 10,000 sampled resolutions of it.

The ratio is the samples' time over ours.
"""

from __future__ import annotations

from sandtable.cli.bench.measure import Budget, best_of, times
from sandtable.cli.bench.scenes import attack, crowded
from sandtable.core.dice import SeededDice
from sandtable.core.odds import odds, settle

__all__ = ["measure"]

SAMPLES = 10_000
TAKEN = 1_000
"""Samples that are taken in fact; the time is that of ten times as many."""
RUNS = 5


def measure() -> list[Budget]:
    """The odds of an attack."""
    ruleset, _ = crowded(30)
    state, seat, action = attack(ruleset)
    dice = SeededDice("samples")

    def sample() -> None:
        for _ in range(TAKEN):
            settle(ruleset, state, [(seat, action)], dice)

    ours = best_of(RUNS, lambda: odds(ruleset, state, [(seat, action)]))
    anchor = best_of(RUNS, sample) * (SAMPLES / TAKEN)
    note = f"seconds for exact odds; for {SAMPLES:,} samples"
    return [times("exact odds", ours, anchor, floor=10, goal=100, note=note)]
