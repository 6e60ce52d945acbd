"""``sandtable scenarios``: what there is to play."""

from __future__ import annotations

from typing import Annotated

import typer

from sandtable.cli.output import Json, PackFolders

__all__ = ["scenarios"]


def scenarios(
    system: Annotated[str | None, typer.Argument(help="Only those of one system.")] = None,
    json: Json = False,
    pack: PackFolders = None,
) -> None:
    """List the scenarios."""
    from sandtable import catalog
    from sandtable.cli.output import emit, grid, screen, the_packs

    heads = catalog.scenarios(system, the_packs(pack))
    if json:
        emit([{"id": h.id, "system": h.system, "title": h.title, "turns": h.turns, "status": h.status} for h in heads])
        return
    table = grid("id", "system", "title", "turns", "status", "summary", "balance (--option NAME=on)")
    for head in heads:
        balance = "; ".join(f"{one.id}: {one.title}" for one in head.balance)
        table.add_row(head.id, head.system, head.title, str(head.turns), head.status, head.summary.strip(), balance)
    screen().print(table)
