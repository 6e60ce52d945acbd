"""The reference shelf of a table: scenario, rule titles, tables and unit cards, read from packs and drafts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sandtable.core.capabilities import HasCards
from sandtable.core.codec import to_plain
from sandtable.core.content.pack import Library
from sandtable.core.content.rule import RuleEntry, read_rule_index
from sandtable.core.errors import BadInput
from sandtable.core.ruleset import Ruleset
from sandtable.session.presenting.shelf import TableShown, WireObjective, WireSide

__all__ = ["card_of", "cards", "objectives", "rule_entries", "sides", "tables", "victory"]


def sides(draft: Mapping[str, Any], seats: Sequence[str]) -> tuple[WireSide, ...]:
    """The seats with the titles and colours that a scenario gives them."""
    given = draft.get("sides")
    named = {str(one.get("id")): one for one in given if isinstance(one, Mapping)} if isinstance(given, list) else {}
    return tuple(
        WireSide(seat, str(side.get("title") or seat.capitalize()), str(side.get("colour") or seat))
        for seat in seats
        for side in [named.get(seat, {})]
    )


def objectives(draft: Mapping[str, Any]) -> tuple[WireObjective, ...]:
    """The places worth points, where a scenario lists them."""
    given = draft.get("objectives")
    if not isinstance(given, list):
        return ()
    return tuple(
        WireObjective(
            str(one.get("id", "")),
            str(one.get("title", "")),
            tuple(map(str, one.get("hexes", ()))),
            {str(seat): int(points) for seat, points in (one.get("points") or {}).items()},
        )
        for one in given
        if isinstance(one, Mapping)
    )


def victory(draft: Mapping[str, Any]) -> tuple[str, ...]:
    """How the game is won, a line a condition; the points of objectives stand with these."""
    given = draft.get("victory")
    if isinstance(given, list):
        lines = [_condition(one) for one in given if isinstance(one, Mapping)]
        otherwise = str(draft.get("wins_otherwise") or "")
        return (*lines, f"{_side(otherwise)}: in any other case.") if otherwise else tuple(lines)
    if not isinstance(given, Mapping):
        return ()
    ways = [
        f"{_side(way.get('side'))}: {way.get('points', 0)} points for each vehicle that leaves the map by "
        f"{', '.join(map(str, way.get('hexes', ())))}."
        for way in given.get("exits") or ()
    ]
    losses = [
        f"{_side(seat)} scores {percent} % of the points of enemy losses."
        for seat, percent in (given.get("losses") or {}).items()
    ]
    draw = int(given.get("draw_within") or 0)
    return (*ways, *losses, *([f"A lead of {draw} points or less is a draw."] if draw else ()))


def _side(seat: Any) -> str:
    return str(seat or "").title()


_WHEN = {"at once": "at any time", "game end": "at the end of the game"}


def _condition(one: Mapping[str, Any]) -> str:
    when = str(one.get("when") or "game end")
    turn = int(one.get("turn") or 0)
    time = _WHEN.get(when) or (f"at the end of turn {turn}" if turn else "at the end of a turn")
    return f"{_side(one.get('side'))} {time}: {one.get('title', '')}."


def rule_entries(library: Library) -> tuple[RuleEntry, ...]:
    """The numbered sections of the book; none where a pack has no index."""
    try:
        return read_rule_index(*library.file("rules.yaml")).rules
    except BadInput:
        return ()


def tables(library: Library) -> tuple[TableShown, ...]:
    """All tables of the packs."""
    return tuple(
        TableShown(
            name=table.name,
            title=table.title,
            rule=table.rule,
            source=table.source,
            status=table.status,
            axes=table.axes,
            cells=table.cells,
            note=table.note,
            verbatim=table.verbatim,
        )
        for table in library.tables().values()
    )


def card_of(ruleset: Ruleset[Any, Any, Any], known: Any) -> dict[str, str]:
    """Card id by counter id, of all counters that the concealed state ``known`` has."""
    return dict(ruleset.card_of(known)) if isinstance(ruleset, HasCards) else {}


def cards(ruleset: Ruleset[Any, Any, Any], wanted: Sequence[str]) -> dict[str, Any]:
    """The cards of these ids as plain data."""
    found = ruleset.cards if isinstance(ruleset, HasCards) else {}
    return {key: to_plain(found[key]) for key in dict.fromkeys(wanted) if key in found}
