"""``sandtable bench``: our budgets, each measured beside its anchor in the same run. One file a budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from sandtable.cli.output import FAILED, Json, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sandtable.cli.bench.measure import Budget

__all__ = ["bench"]

BUDGETS = (
    "random_play",
    "looks",
    "attack_odds",
    "replaying",
    "coding",
    "broadcast",
    "map_pan",
    "browser_size",
    "start_up",
    "two_cores",
    "memory",
    "size",
    "plane_sight",
    "dragging",
)
"""Modules of this package with a function ``measure() -> list[Budget]``; systems bring more."""


def bench(
    name: Annotated[
        str | None, typer.Argument(help=f"One of {', '.join(BUDGETS)}, or one that a system brings; all if left out.")
    ] = None,
    json: Json = False,
) -> None:
    """Measure the budgets beside their anchors.

    The ratio is ours to the anchor's, and more is better. Exits with 1 if a ratio is under its floor.
    """
    from importlib import import_module

    from sandtable import catalog
    from sandtable.cli.bench.brought import budgets
    from sandtable.cli.bench.measure import Missing
    from sandtable.cli.output import emit

    known = {own: f"{__name__}.{own}" for own in BUDGETS} | budgets()
    if name is not None and name not in known:
        raise catalog.unknown("budget", name, known)
    found: list[Budget] = []
    for chosen in (name,) if name is not None else known:
        say(f"measuring {chosen} ...")
        try:
            found += import_module(known[chosen]).measure()
        except Missing as missing:
            say(f"{chosen}: not measured: {missing}")
    if json:
        emit(
            [
                {
                    "name": b.name,
                    "ours": b.ours,
                    "anchor": b.anchor,
                    "ratio": b.ratio,
                    "floor": b.floor,
                    "goal": b.goal,
                }
                for b in found
            ]
        )
    else:
        _show(found)
    if any(budget.ratio < budget.floor for budget in found):
        raise typer.Exit(FAILED)


def _show(found: Sequence[Budget]) -> None:
    from sandtable.cli.output import grid, screen

    table = grid("budget", "ours", "anchor", "ratio", "floor", "goal", "", "measured")
    for budget in found:
        if budget.ratio < budget.floor:
            verdict = "[red]under its floor[/]"
        else:
            verdict = "[green]goal met[/]" if budget.ratio >= budget.goal else "floor met"
        figures = [f"{figure:,.3g}" if figure < 1000 else f"{figure:,.0f}" for figure in budget.figures]
        table.add_row(budget.name, *figures, verdict, budget.note)
    screen().print(table)
