"""What commands share: exit codes, JSON on standard output alone, messages on standard error, common options."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from sandtable.core.content.pack import Pack

__all__ = [
    "BAD_INPUT",
    "DONE",
    "FAILED",
    "Json",
    "PackFolders",
    "Switches",
    "emit",
    "grid",
    "say",
    "screen",
    "the_packs",
    "the_switches",
]

DONE, FAILED, BAD_INPUT = 0, 1, 2

Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs, and nothing else.")]
PackFolders = Annotated[
    list[Path] | None, typer.Option("--pack", metavar="DIR", help="A pack of your own; may be repeated.")
]

Switches = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=on|off", help="A switch of the scenario; may be repeated."),
]


def the_switches(option: Sequence[str] | None) -> dict[str, str]:
    """What ``--option`` says, as a mapping."""
    from sandtable.core.errors import BadInput, Fault

    found = {}
    for text in option or ():
        name, sign, value = text.partition("=")
        if not sign:
            raise BadInput([Fault("--option", repr(text), "NAME=on or NAME=off")])
        found[name] = value
    return found


def say(message: str) -> None:
    """A message to the person: standard error."""
    print(message, file=sys.stderr)


def emit(value: object) -> None:
    """A value as JSON on standard output."""
    import msgspec

    print(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def screen() -> Console:
    """Where tables for people are drawn. A pipe gets whole lines, however long."""
    from rich.console import Console

    if sys.stdout.isatty():
        return Console(highlight=False)
    return Console(highlight=False, width=200, soft_wrap=True)


def grid(*columns: str, title: str | None = None) -> Table:
    """An empty table for people."""
    from rich import box
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column)
    return table


def the_packs(folders: Sequence[Path] | None) -> list[Pack]:
    """The packs of ``--pack``; every one that cannot be read is named."""
    from sandtable import packs
    from sandtable.core.errors import Faults

    faults = Faults()
    found = []
    for folder in folders or ():
        with faults.gathering():
            found.append(packs.read_folder(folder))
    faults.check()
    return found
