"""``sandtable systems``: the rulebooks that can be played."""

from __future__ import annotations

from sandtable.cli.output import Json

__all__ = ["systems"]


def systems(json: Json = False) -> None:
    """List the rulebooks that can be played."""
    from sandtable import catalog
    from sandtable.cli.output import emit, grid, screen

    cards = [catalog.system(key).card for key in catalog.system_ids()]
    if json:
        emit([{"id": c.id, "title": c.title, "rulebook": c.rulebook, "version": c.version} for c in cards])
        return
    table = grid("id", "title", "rulebook", "version")
    for card in cards:
        table.add_row(card.id, card.title, card.rulebook, str(card.version))
    screen().print(table)
