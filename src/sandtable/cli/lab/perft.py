"""``sandtable perft``: counts the ways in which a game can go on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sandtable.cli.output import Json, PackFolders

__all__ = ["perft"]


def perft(
    scenario: Annotated[str, typer.Argument(help="A scenario, or a situation file.")],
    depth: Annotated[int, typer.Option("--depth", min=0, help="How many decisions deep.")] = 1,
    divide: Annotated[bool, typer.Option("--divide", help="The count below each first action.")] = False,
    json: Json = False,
    pack: PackFolders = None,
) -> None:
    """Count the ways in which a game can go on.

    So many questions answered, and the dice fallen between them.
    """
    from sandtable import catalog
    from sandtable.cli.output import emit, the_packs
    from sandtable.core.dice import SeededDice
    from sandtable.sim.perft import divide as count_below
    from sandtable.sim.perft import has_open_questions
    from sandtable.sim.perft import perft as count

    extra = the_packs(pack)
    ruleset: Any
    state: Any
    if Path(scenario).is_file() and "steps" in (text := catalog.read_text(Path(scenario))):
        ruleset, state = catalog.open_situation(text, scenario, extra).position
    else:
        ruleset = catalog.open_scenario(scenario, extra).ruleset
        state = ruleset.begin(ruleset.setup(), SeededDice(0)).state
    parts = list(count_below(ruleset, state, depth)) if divide and depth else []
    nodes = sum(number for _, number in parts) if parts else count(ruleset, state, depth)
    suggested = has_open_questions(ruleset, state, depth)
    below = [{"action": ruleset.describe(action), "nodes": number} for action, number in parts]
    if json:
        emit(
            {
                "scenario": scenario,
                "depth": depth,
                "nodes": nodes,
                **({"divide": below} if divide else {}),
                **({"suggestions": True} if suggested else {}),
            }
        )
        return
    for part in below:
        print(f"{part['nodes']:>12}  {part['action']}")
    print(f"{nodes} at depth {depth}{', suggestions only where something is drawn' if suggested else ''}")
