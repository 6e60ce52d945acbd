"""``sandtable resolve FILE``: plays a situation file and shows what happens."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sandtable.cli.output import FAILED, Json, PackFolders, say

if TYPE_CHECKING:
    from sandtable.core.modifier import Breakdown
    from sandtable.core.situation import StepResult

__all__ = ["plain_breakdown", "resolve"]


def resolve(
    file: Annotated[Path, typer.Argument(help="A situation file; see docs/situations.md.")],
    json: Json = False,
    pack: PackFolders = None,
) -> None:
    """Play a situation file: what happens if.

    Exits with 1 if a step is refused, or if what comes out is not what the file expects.
    """
    from sandtable import catalog
    from sandtable.cli.output import emit, the_packs
    from sandtable.core.situation import run

    where = str(file)
    found = catalog.open_situation(catalog.read_text(file), where, the_packs(pack))
    results, state = run(found.system, found.position, found.head, where)
    if json:
        emit(_plain(results, state))
    else:
        _show(results, found.head.title)
    faults = [f"{where}: steps[{i}]: {fault}" for i, result in enumerate(results) for fault in result.faults]
    for fault in faults:
        say(fault)
    if faults:
        raise typer.Exit(FAILED)


def plain_breakdown(breakdown: Breakdown) -> dict[str, Any]:
    """A breakdown for programs: its total and net with its terms."""
    from sandtable.core.codec import to_plain

    plain: dict[str, Any] = to_plain(breakdown)
    return {
        "title": breakdown.title,
        "rule": breakdown.rule,
        "total": breakdown.total,
        "net": breakdown.net,
        **plain,
        "text": breakdown.explain(),
    }


def _plain(results: list[StepResult], state: object) -> dict[str, Any]:
    answers = [result.answer for result in results if result.answer]
    refused = [{"rule": r.refused_rule, "reason": r.refused} for r in results if r.refused]
    return {
        "events": [event for result in results for event in result.events],
        "breakdowns": [plain_breakdown(b) for result in results for b in result.breakdowns],
        "state": state,
        **({"answers": answers} if answers else {}),
        **({"refused": refused} if refused else {}),
    }


def _show(results: list[StepResult], title: str) -> None:
    from rich.markup import escape

    from sandtable.cli.output import screen

    console = screen()
    if title:
        console.print(f"[bold]{escape(title)}[/]")
    for result in results:
        for text in result.narration:
            console.print(escape(text))
        for breakdown in result.breakdowns:
            console.print(f"  [dim]{escape(breakdown.explain())}[/]")
        for key, value in result.answer.items():
            console.print(f"{escape(str(key))}: {escape(str(value))}")
        if result.refused:
            console.print(f"[yellow]Refused: {escape(result.refused)}[/]")
