"""``sandtable rules``: every numbered section of a book, how it stands, and the tests that show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from sandtable.cli.output import Json, PackFolders

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sandtable.core.content.rule import RuleCoverage

__all__ = ["rules"]

COLOURS = {"implemented": "green", "data": "cyan", "not-applicable": "dim", "missing": "yellow"}


def rules(
    system: Annotated[str, typer.Argument(help="A system, as `sandtable systems` lists them.")],
    number: Annotated[str | None, typer.Argument(help="One section, and those below it.")] = None,
    json: Json = False,
    pack: PackFolders = None,
) -> None:
    """Show how every rule stands, and which tests show it.

    A rule is implemented, data only, not applicable or missing.
    """
    from sandtable import catalog
    from sandtable.catalog import rule_coverage
    from sandtable.cli.output import emit, the_packs

    found = rule_coverage(system, the_packs(pack))
    if number is not None:
        chosen = [entry for entry in found if _is_below(entry.number, number)]
        if not chosen:
            raise catalog.unknown("rule", number, [entry.number for entry in found])
        found = chosen
    if json:
        emit(
            [
                {
                    "number": entry.number,
                    "title": entry.title,
                    "chapter": entry.chapter,
                    "status": entry.status,
                    "summary": entry.summary,
                    "waits": entry.waits,
                    "tests": entry.tests,
                }
                for entry in found
            ]
        )
    else:
        if number is not None and found[0].number == number:
            _show_one(found[0])
            found = found[1:]
        if found:
            _show(found)


def _is_below(number: str, heading: str) -> bool:
    stem = heading.removesuffix(".0")
    return number == heading or number.startswith(f"{stem}.")


def _show(found: Sequence[RuleCoverage]) -> None:
    from collections import Counter

    from rich.markup import escape

    from sandtable.cli.output import grid, screen

    table = grid("number", "title", "level", "status", "tests")
    for entry in found:
        colour = COLOURS[entry.status]
        tests = str(len(entry.tests) or "")
        table.add_row(entry.number, entry.title, entry.level, f"[{colour}]{entry.status}[/]", tests)
    console = screen()
    console.print(table)
    total = Counter(entry.status.value for entry in found)
    console.print(", ".join(f"{count} {status}" for status, count in sorted(total.items())))
    for entry in found:
        if entry.waits:
            console.print(f"[dim]{entry.number}[/] not yet: {escape(entry.waits)}")
    for reason in dict.fromkeys(entry.reason for entry in found if entry.reason):
        numbers = ", ".join(entry.number for entry in found if entry.reason == reason)
        console.print(f"[dim]{numbers}[/] {escape(reason)}")


def _show_one(entry: RuleCoverage) -> None:
    from rich.markup import escape

    from sandtable.cli.output import screen

    console = screen()
    console.print(f"[bold]{entry.number} {escape(entry.title)}[/] ({entry.level})")
    if entry.summary:
        console.print(escape(entry.summary))
    console.print(f"[{COLOURS[entry.status]}]{entry.status}[/]")
    if entry.reason:
        console.print(f"because {escape(entry.reason)}")
    if entry.waits:
        console.print(f"not yet: {escape(entry.waits)}")
    for place in dict.fromkeys(entry.places):
        console.print(f"  code  {place}")
    for test in entry.tests:
        console.print(f"  test  {test}")
