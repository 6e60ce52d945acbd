"""``sandtable odds FILE``: the exact odds of a situation's first action, together and target by target."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer
from msgspec import to_builtins

from sandtable.cli.output import Json, PackFolders, say
from sandtable.cli.sheets import show_sheet

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sandtable.catalog import OpenSituation
    from sandtable.core.odds import Chance, Supposition

__all__ = ["odds"]

MOST_TOGETHER = 5_000
"""Ways for the dice to fall up to which several targets are told together."""
MOST_BESIDE_SHEET = 1_000
"""The same beside a sheet, which has the odds of the dice already."""


def odds(
    file: Annotated[Path, typer.Argument(help="A situation file with an action; its dice are not used.")],
    json: Json = False,
    pack: PackFolders = None,
) -> None:
    """Give the exact odds of a situation's action, of what becomes of each of its targets, and what they leave out."""
    from sandtable import catalog
    from sandtable.cli.output import emit, screen, the_packs
    from sandtable.core.situation import situation_sheet, situation_suppositions

    where = str(file)
    found = catalog.open_situation(catalog.read_text(file), where, the_packs(pack))
    sheet = situation_sheet(found.position, found.head, where)
    base = _odds(found, where, None, has_sheet=sheet is not None)
    supposed = [
        (one, None if one.state is None else _odds(found, where, one))
        for one in situation_suppositions(found.position, found.head, where)
    ]
    if json:
        what_ifs = [{"what": one.what, "rule": one.rule, **(_answer(its) if its else {})} for one, its in supposed]
        sheets = {"sheet": to_builtins(sheet)} if sheet is not None else {}
        emit({**_answer(base), **sheets, **({"what_ifs": what_ifs} if what_ifs else {})})
        return
    if sheet is not None:
        show_sheet(sheet, found.head.title)
    _show(base, found.head.title if sheet is None else "What comes of the first action, with plain answers")
    for one, its in supposed:
        screen().print(f"\nThese odds leave out {one.rule}. If {one.what}:" + ("" if its else " not worked out"))
        if its:
            _show(its, "")


class _Odds(NamedTuple):
    chances: list[Chance]
    unit_odds: dict[str, list[Chance]]


def _odds(found: OpenSituation, where: str, given: Supposition | None, *, has_sheet: bool = False) -> _Odds:
    from sandtable.core.situation import situation_unit_odds

    unit_odds = situation_unit_odds(found.position, found.head, where, given)
    return _Odds(_outcomes(found, where, unit_odds, given, has_sheet=has_sheet), unit_odds)


def _outcomes(
    found: OpenSituation, where: str, unit_odds: Mapping[str, object], given: Supposition | None, *, has_sheet: bool
) -> list[Chance]:
    """What may come of it all together; nothing where that is too much and there are odds of another kind."""
    from sandtable.core.errors import BadInput
    from sandtable.core.situation import situation_odds

    if len(unit_odds) < 2 and not has_sheet:
        return situation_odds(found.position, found.head, where, given=given)
    try:
        most = MOST_BESIDE_SHEET if has_sheet else MOST_TOGETHER
        return situation_odds(found.position, found.head, where, most, given)
    except BadInput:
        rest = "the dice by themselves" if has_sheet else "each target by itself"
        say(f"too many outcomes to list them all; {rest}:")
        return []


def _answer(told: _Odds) -> dict[str, object]:
    answer: dict[str, object] = {"outcomes": _plain(told.chances)}
    if told.unit_odds:
        answer["targets"] = {name: _plain(own) for name, own in told.unit_odds.items()}
    return answer


def _show(told: _Odds, title: str) -> None:
    from sandtable.cli.output import grid, screen

    if told.chances:
        table = grid("outcome", "chance", "exactly", title=title or None)
        for chance in told.chances:
            table.add_row(chance.what, f"{chance.probability:.2%}", chance.exact)
        screen().print(table)
    if told.unit_odds:
        table = grid("target", "what becomes of it", "chance", "exactly")
        for name, own in told.unit_odds.items():
            for chance in own:
                table.add_row(name, chance.what, f"{chance.probability:.2%}", chance.exact)
        screen().print(table)


def _plain(chances: Sequence[Chance]) -> list[dict[str, object]]:
    return [{"what": chance.what, "probability": chance.probability} for chance in chances]
