"""The positions that are measured: a shipped scenario with as many units as a budget asks for."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from sandtable import catalog
from sandtable.cli.bench.brought import brought_by
from sandtable.cli.bench.measure import Missing
from sandtable.core.dice import SeededDice
from sandtable.core.log import Header
from sandtable.core.ruleset import Ruleset

__all__ = ["AnyRuleset", "attack", "crowded", "first_scenario", "unit_count"]

AnyRuleset = Ruleset[Any, Any, Any]


def first_scenario() -> str:
    """The first scenario of the default system."""
    return catalog.scenarios(catalog.system_ids()[0])[0].id


def crowded(units: int, system_id: str | None = None) -> tuple[AnyRuleset, Header]:
    """The scenario that a system names, or that with the most units, doubled in their places until there are so many.

    A system that does not say how its forces grow gives the scenario that it names as it is, or the one that comes
    nearest.
    """
    key = system_id or catalog.system_ids()[0]
    named, crowd = brought_by(key).scenario, brought_by(key).crowd
    opened = [
        catalog.open_scenario(name) for name in ([named] if named else [one.id for one in catalog.scenarios(key)])
    ]
    if not opened:
        raise Missing(f"{key} has no scenario")
    if crowd is None:
        near = min(opened, key=lambda found: abs(unit_count(found.ruleset) - units))
        return near.ruleset, near.header
    header = max(opened, key=lambda found: unit_count(found.ruleset)).header
    draft = crowd(header.scenario, units)
    ruleset = catalog.system(key).ruleset(draft, catalog.library(key), "bench")
    return ruleset, msgspec.structs.replace(header, scenario=draft)


def unit_count(ruleset: AnyRuleset) -> int:
    """How many counters there are at the start."""
    return len(ruleset.view(ruleset.setup(), None).counters)


def attack(ruleset: AnyRuleset) -> tuple[Any, Any, Any]:
    """A state, a seat and an attack that is open to it, with several outcomes, met in random play."""
    from sandtable.bots.policy import Question

    for seed in range(50):
        rng = Random(f"attack {seed}")
        dice = SeededDice(f"attack {seed}")
        state = ruleset.begin(ruleset.setup(), dice).state
        while (decision := ruleset.decision(state)) is not None:
            seat = decision.asked[0]
            options = decision.options(seat)
            if any(branch.kind == "target" for branch in options.root.branches()):
                for action in (next(iter(options)), options.sample(rng)):
                    if len(Question(ruleset, state, seat).preview(action).chances) > 2:
                        return state, seat, action
            state = ruleset.resolve(state, seat, options.sample(rng), dice).state
    raise Missing("random play met no attack")
