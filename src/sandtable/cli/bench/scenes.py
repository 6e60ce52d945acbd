"""The positions that are measured: a shipped scenario with as many vehicles as a budget asks for, and a big map."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from sandtable import catalog
from sandtable.cli.bench.measure import Missing
from sandtable.core.dice import SeededDice
from sandtable.core.log import Header
from sandtable.core.ruleset import Ruleset

__all__ = ["AnyRuleset", "attack", "crowded", "drawn_cells", "unit_count"]

AnyRuleset = Ruleset[Any, Any, Any]
COLUMNS, ROWS = 64, 48


def crowded(units: int, system_id: str | None = None) -> tuple[AnyRuleset, Header]:
    """The scenario of a system with the most units, doubled in their places until there are so many.

    A system whose sides are not simply lists of units gives the scenario that comes nearest.
    """
    opened = [catalog.open_scenario(head.id) for head in catalog.scenarios(system_id or catalog.system_ids()[0])]
    if not opened:
        raise Missing("there is no scenario")
    if not all("units" in side for found in opened for side in found.header.scenario["sides"]):
        near = min(opened, key=lambda found: abs(unit_count(found.ruleset) - units))
        return near.ruleset, near.header
    header = max(opened, key=lambda found: unit_count(found.ruleset)).header
    sides = header.scenario["sides"]
    draft = {**header.scenario, "sides": [_filled(side, units // len(sides)) for side in sides]}
    system = catalog.system(header.system)
    ruleset = system.ruleset(draft, catalog.library(header.system), "bench")
    return ruleset, msgspec.structs.replace(header, scenario=draft)


def unit_count(ruleset: AnyRuleset) -> int:
    """How many counters there are at the start."""
    return len(ruleset.view(ruleset.setup(), None).counters)


def _filled(side: dict[str, Any], wanted: int) -> dict[str, Any]:
    """A force with copies of its vehicles, until it has so many."""
    own = side["units"]
    copies = [{**own[n % len(own)], "id": f"{own[n % len(own)]['id']}-{n}"} for n in range(len(own), wanted)]
    return {**side, "units": [*own, *copies]}


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
                action = next(iter(options)) if decision.rule == "4.4.1" else options.sample(rng)
                if len(Question(ruleset, state, seat).preview(action).chances) > 2:
                    return state, seat, action
            state = ruleset.resolve(state, seat, options.sample(rng), dice).state
    raise Missing("random play met no attack")


def drawn_cells(seed: str = "64 x 48") -> str:
    """A map of 64 x 48 hexes as text: hills in blobs, woods and villages scattered."""
    rng = Random(seed)
    hills = [(rng.randrange(COLUMNS), rng.randrange(ROWS), rng.randint(3, 7)) for _ in range(14)]
    rows = []
    for y in range(ROWS):
        row = []
        for x in range(COLUMNS):
            heights = [max(0, size - max(abs(x - cx), abs(y - cy))) for cx, cy, size in hills]
            level = min(3, max(heights) // 2)
            code = rng.choices(("", "w", "b"), (0.85, 0.11, 0.04))[0]
            row.append(f"{code}{level or ''}" or ".")
        rows.append(" ".join(row))
    return "\n".join(rows)
