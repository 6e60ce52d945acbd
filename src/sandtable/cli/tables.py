"""``sandtable tables``: the tables of a system, with their sources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from sandtable.cli.output import Json, PackFolders

if TYPE_CHECKING:
    from sandtable.core.content.table import Key, Table

__all__ = ["tables"]


def tables(
    system: Annotated[str, typer.Argument(help="A system, as `sandtable systems` lists them.")],
    name: Annotated[str | None, typer.Argument(help="One table, shown whole.")] = None,
    json: Json = False,
    pack: PackFolders = None,
) -> None:
    """List the tables of a system, or show one."""
    from sandtable import catalog
    from sandtable.cli.output import emit, grid, screen, the_packs

    found = catalog.library(system, the_packs(pack)).tables()
    if name is not None:
        if name not in found:
            raise catalog.unknown("table", name, found)
        if json:
            emit(found[name])
        else:
            _show(found[name])
        return
    if json:
        emit(
            [
                {"name": t.name, "title": t.title, "rule": t.rule, "source": t.source, "status": t.status}
                for t in found.values()
            ]
        )
        return
    listing = grid("name", "title", "rule", "status", "source")
    for table in found.values():
        listing.add_row(table.name, table.title, table.rule, table.status, table.source)
    screen().print(listing)


def _show(table: Table) -> None:
    """One table: the last axis across, the others down; cells known verbatim are bold."""
    from itertools import product

    from rich.markup import escape

    from sandtable.cli.output import grid, screen

    *down, across = table.axes
    heads = [axis.name for axis in down]
    drawn = grid(*heads, *map(str, across.values), title=f"{table.title} ({table.rule})")
    for keys in product(*(axis.values for axis in down)):
        cells = [_cell(table, *keys, key) for key in across.values]
        drawn.add_row(*map(str, keys), *cells)
    console = screen()
    console.print(drawn)
    console.print(f"Source: {escape(table.source)}. Status: {table.status}.")
    if table.verbatim:
        console.print("Cells in bold are stated in the rulebook.")
    if table.note:
        console.print(escape(table.note.strip()))


def _cell(table: Table, *keys: Key) -> str:
    from sandtable.core.content.table import Status

    value: Any = table.lookup(*keys)
    text = "-" if value is None else str(value)
    return f"[bold]{text}[/]" if table.cell_status(*keys) is Status.VERBATIM else text
