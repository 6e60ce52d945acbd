"""``sandtable odds FILE``: the exact odds of a situation's first action, together and target by target."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sandtable.cli.output import Json, PackFolders, say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sandtable.catalog import OpenSituation
    from sandtable.core.odds import Chance

__all__ = ["odds"]

MOST_TOGETHER = 5_000
"""Ways for the dice to fall up to which several targets are told together."""


def odds(
    file: Annotated[Path, typer.Argument(help="A situation file with an action; its dice are not used.")],
    json: Json = False,
    pack: PackFolders = None,
) -> None:
    """Give the exact odds of a situation's action, and of what becomes of each of its targets."""
    from sandtable import catalog
    from sandtable.cli.output import emit, grid, screen, the_packs
    from sandtable.core.situation import situation_fates

    where = str(file)
    found = catalog.open_situation(catalog.read_text(file), where, the_packs(pack))
    fates = situation_fates(found.position, found.head, where)
    chances = _outcomes(found, where, fates)
    if json:
        answer: dict[str, object] = {"outcomes": _plain(chances)}
        if fates:
            answer["targets"] = {name: _plain(own) for name, own in fates.items()}
        emit(answer)
        return
    if chances:
        table = grid("outcome", "chance", "exactly", title=found.head.title or None)
        for chance in chances:
            table.add_row(chance.what, f"{chance.probability:.2%}", chance.exact)
        screen().print(table)
    if fates:
        table = grid("target", "what becomes of it", "chance", "exactly")
        for name, own in fates.items():
            for chance in own:
                table.add_row(name, chance.what, f"{chance.probability:.2%}", chance.exact)
        screen().print(table)


def _outcomes(found: OpenSituation, where: str, fates: Mapping[str, object]) -> list[Chance]:
    """What may come of it all together; nothing where that is too much and each target has its own odds."""
    from sandtable.core.errors import BadInput
    from sandtable.core.situation import situation_odds

    if len(fates) < 2:
        return situation_odds(found.position, found.head, where)
    try:
        return situation_odds(found.position, found.head, where, MOST_TOGETHER)
    except BadInput:
        say("too many outcomes to list them all; each target by itself:")
        return []


def _plain(chances: Sequence[Chance]) -> list[dict[str, object]]:
    return [{"what": chance.what, "probability": chance.probability} for chance in chances]
