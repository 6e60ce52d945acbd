"""``sandtable systems``: the rulebooks that can be played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandtable.cli.output import Json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sandtable.core.ruleset import SystemCard

__all__ = ["systems"]

SHOWN = ("id", "title", "rulebook", "version", "players", "hidden", "chance", "simultaneous", "space")


def systems(json: Json = False) -> None:
    """List the rulebooks that can be played."""
    from sandtable import catalog
    from sandtable.cli.output import emit, grid, screen
    from sandtable.core.codec import to_plain

    cards = [catalog.system(key).card for key in catalog.system_ids()]
    if json:
        emit([{name: one for name, one in to_plain(card).items() if name in SHOWN} for card in cards])
        return
    table = grid("id", "title", "rulebook", "version", "players", "space", "what it is")
    for card in cards:
        numbers = (str(card.version), str(card.players))
        table.add_row(card.id, card.title, card.rulebook, *numbers, card.space, ", ".join(_traits(card)))
    screen().print(table)


def _traits(card: SystemCard) -> Iterator[str]:
    """What a system is, in words."""
    yield "hidden information" if card.hidden else "all is open"
    yield "dice" if card.chance else "no chance"
    yield "orders given at the same time" if card.simultaneous else "one player after the other"
