"""``sandtable odds FILE``: the exact odds of a situation's first action."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sandtable.cli.output import Json, PackFolders

__all__ = ["odds"]


def odds(
    file: Annotated[Path, typer.Argument(help="A situation file with an action; its dice are not used.")],
    json: Json = False,
    pack: PackFolders = None,
) -> None:
    """Give the exact odds of a situation's action."""
    from sandtable import catalog
    from sandtable.cli.output import emit, grid, screen, the_packs
    from sandtable.core.situation import situation_odds

    where = str(file)
    found = catalog.open_situation(catalog.read_text(file), where, the_packs(pack))
    chances = situation_odds(found.position, found.head, where)
    if json:
        emit({"outcomes": [{"what": c.what, "probability": c.probability} for c in chances]})
        return
    table = grid("outcome", "chance", "exactly", title=found.head.title or None)
    for chance in chances:
        table.add_row(chance.what, f"{chance.probability:.2%}", chance.exact)
    screen().print(table)
