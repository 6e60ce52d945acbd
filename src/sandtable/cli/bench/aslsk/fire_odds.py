"""ASL: exact odds of a fire attack for every target of a full hex, beside 10,000 sampled resolutions of it.

Four MMC and two leaders are under fire, so that help, leader loss and random selection all count. The ratio is the
samples' time over ours.
"""

from __future__ import annotations

from typing import Any

from sandtable import catalog
from sandtable.cli.bench.measure import Budget, best_of, times
from sandtable.core.dice import SeededDice
from sandtable.core.odds import settle
from sandtable.systems.aslsk.common.actions import Fire
from sandtable.systems.aslsk.pieces.state import UnitId
from sandtable.systems.aslsk.rules import AslskRules

__all__ = ["measure"]

SAMPLES = 10_000
TAKEN = 500
"""Samples that are taken in fact; the time is that of twenty times as many."""
RUNS = 5
FIRERS = {"a": "german/4-6-7", "b": "german/4-6-7", "l": "german/9-1"}
TARGETS = {
    "r1": "russian/4-4-7",
    "r2": "russian/4-2-6",
    "r3": "russian/2-4-8",
    "r4": "russian/2-3-7",
    "k1": "russian/9-1",
    "k2": "russian/8-0",
}


def measure() -> list[Budget]:
    """The odds of an attack on a full hex."""
    position = catalog.system("aslsk3").position(_situation(), catalog.library("aslsk3"), "bench")
    rules, state = position.ruleset, position.state
    assert isinstance(rules, AslskRules)  # noqa: S101 - that system's rules
    decision = rules.decision(state)
    assert decision is not None  # noqa: S101 - fire is asked for
    seat = decision.asked[0]
    action = Fire((UnitId("a"), UnitId("b")), (), rules.context.game_map.hex("C1"), (UnitId("l"),))
    dice = SeededDice("samples")

    def sample() -> None:
        for _ in range(TAKEN):
            settle(rules, state, [(seat, action)], dice)

    ours = best_of(RUNS, lambda: rules.unit_odds(state, action))
    anchor = best_of(RUNS, sample) * (SAMPLES / TAKEN)
    note = f"seconds for exact odds of {len(TARGETS)} targets; for {SAMPLES:,} samples"
    return [times("exact odds, ASL", ours, anchor, floor=10, goal=100, note=note)]


def _situation() -> dict[str, Any]:
    sides = (("german", FIRERS, "A1"), ("russian", TARGETS, "C1"))
    return {
        "system": "aslsk3",
        "phase": "PFPh",
        "map": {"drawing": {"cells": "\n".join([". . ."] * 3), "shifted": "even"}},
        "sides": [
            {"id": side, "units": [{"id": name, "card": card, "at": at} for name, card in units.items()]}
            for side, units, at in sides
        ],
    }
