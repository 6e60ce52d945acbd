"""Panzer, Advanced Game: exact odds of AP and GP fire with their whole chains, beside 10,000 sampled resolutions.

A gun that hits up to three times (ROF F) fires on a truck with a squad aboard: ammunition, hits, their places,
penetration, damage and who bails out all count. The ratio is the samples' time over ours.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from sandtable import catalog
from sandtable.cli.bench.measure import Budget, best_of, times
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.core.odds import odds, settle
from sandtable.systems.panzer.cards import RateOfFire
from sandtable.systems.panzer.hex.actions import Engage
from sandtable.systems.panzer.hex.rules import PanzerRules
from sandtable.systems.panzer.hex.system import PanzerSystem
from sandtable.systems.panzer.unit import FireKind, UnitId, WeaponShot

__all__ = ["measure"]

SYSTEM = "panzer-na"
SAMPLES = 10_000
TAKEN = 1_000
"""Samples that are taken in fact; the time is that of ten times as many."""
RUNS = 5
RED = Seat("red")
SITUATION: dict[str, Any] = {
    "system": SYSTEM,
    "level": "advanced",
    "map": {"drawing": {"cells": "\n".join([". ."] * 6)}},
    "open": "direct fire",
    "sides": [
        {
            "id": "red",
            "title": "Red",
            "units": [{"id": "r1", "card": "flak-30", "at": "B1", "facing": "S", "command": "FIRE"}],
        },
        {
            "id": "blue",
            "title": "Blue",
            "units": [
                {"id": "b1", "card": "bedford-ql", "at": "B4", "facing": "N"},
                {"id": "b2", "card": "british-rifle-squad", "carried_by": "b1", "grade": "Green"},
            ],
        },
    ],
}


def measure() -> list[Budget]:
    """The odds of both kinds of fire."""
    return [_budget(kind) for kind in (FireKind.AP, FireKind.GP)]


def _budget(kind: FireKind) -> Budget:
    system = catalog.system(SYSTEM)
    assert isinstance(system, PanzerSystem)  # noqa: S101 - it is registered so
    position = system.position(SITUATION, catalog.library(SYSTEM), "bench")
    state, rules = position.state, _rapid(position.ruleset)
    moves = [(RED, Engage(UnitId("b1"), (WeaponShot(UnitId("r1"), 0, 0, kind),)))]
    dice = SeededDice("samples")

    def sample() -> None:
        for _ in range(TAKEN):
            settle(rules, state, moves, dice)

    ours = best_of(RUNS, lambda: odds(rules, state, moves))
    anchor = best_of(RUNS, sample) * (SAMPLES / TAKEN)
    note = f"seconds for exact odds, ROF F at a loaded truck; for {SAMPLES:,} samples"
    return times(f"exact odds, Advanced {kind.value}", ours, anchor, floor=10, goal=100, note=note)


def _rapid(rules: Any) -> PanzerRules:
    """The rules with a gun that hits up to three times."""
    context = rules.context
    scenario = context.scenario
    card = context.cards["flak-30"]
    armory = scenario.armories[RED]
    stocked = replace(armory, cards={**armory.cards, card.id: (replace(card.weapons[0], rof=RateOfFire.F),)})
    armed = replace(scenario, armories={**scenario.armories, RED: stocked})
    return PanzerRules(rules.card, replace(context, scenario=armed))
