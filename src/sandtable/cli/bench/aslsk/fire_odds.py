"""ASL: exact odds of a fire attack for every target of a full hex, beside 10,000 sampled resolutions of it.

Four MMC and two leaders are under fire, so that help, leader loss and random selection all count. The ratio is the
samples' time over ours.
"""

from __future__ import annotations

from typing import Any

from sandtable.cli.bench.aslsk.odds import odds_budget
from sandtable.cli.bench.measure import Budget
from sandtable.systems.aslsk.common.actions import Fire
from sandtable.systems.aslsk.pieces.state import UnitId
from sandtable.systems.aslsk.rules import AslskRules

__all__ = ["measure"]

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
    what = f"{len(TARGETS)} targets"
    return [odds_budget("exact odds, ASL", _situation(), _attack, what, floor=10, goal=100)]


def _attack(rules: AslskRules) -> Fire:
    return Fire((UnitId("a"), UnitId("b")), (), rules.context.game_map.hex("C1"), (UnitId("l"),))


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
