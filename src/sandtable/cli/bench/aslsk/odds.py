"""ASL: exact odds of an action beside 10,000 sampled resolutions of it: how the two are timed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable import catalog
from sandtable.cli.bench.measure import Budget, best_of, times
from sandtable.core.dice import SeededDice
from sandtable.core.odds import settle
from sandtable.systems.aslsk.common.actions import Action
from sandtable.systems.aslsk.rules import AslskRules

__all__ = ["odds_budget"]

SAMPLES = 10_000
TAKEN = 500
"""Samples that are taken in fact; the time is that of twenty times as many."""
RUNS = 5


def odds_budget(
    name: str, situation: dict[str, Any], act: Callable[[AslskRules], Action], what: str, *, floor: float, goal: float
) -> Budget:
    """The samples' time over ours, of an action of whoever is asked in a situation."""
    position = catalog.system("aslsk3").position(situation, catalog.library("aslsk3"), "bench")
    rules, state = position.ruleset, position.state
    assert isinstance(rules, AslskRules)  # noqa: S101 - that system's rules
    decision = rules.decision(state)
    assert decision is not None  # noqa: S101 - fire is asked for
    seat, action = decision.asked[0], act(rules)
    dice = SeededDice("samples")

    def sample() -> None:
        for _ in range(TAKEN):
            settle(rules, state, [(seat, action)], dice)

    ours = best_of(RUNS, lambda: rules.unit_odds(state, action))
    anchor = best_of(RUNS, sample) * (SAMPLES / TAKEN)
    note = f"seconds for exact odds of {what}; for {SAMPLES:,} samples"
    return times(name, ours, anchor, floor=floor, goal=goal, note=note)
