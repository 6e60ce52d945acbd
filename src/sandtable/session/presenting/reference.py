"""The reference shelf of a table: scenario, rule titles, tables and unit cards, read from packs and drafts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core.capabilities import HasCards
from sandtable.core.codec import to_plain
from sandtable.core.content.pack import Library
from sandtable.core.content.rule import RuleEntry, read_rule_index
from sandtable.core.content.scenario import SideHead
from sandtable.core.errors import BadInput
from sandtable.core.ruleset import Ruleset
from sandtable.core.stakes import Aim, Stakes
from sandtable.session.presenting.shelf import TableShown, WireObjective, WireSide

__all__ = ["card_of", "cards", "objectives", "rule_entries", "sides", "tables", "victory"]


def sides(heads: Sequence[SideHead], seats: Sequence[str]) -> tuple[WireSide, ...]:
    """The seats with the titles and colours that a scenario gives them."""
    named = {one.id: one for one in heads}
    return tuple(
        WireSide(seat, side.title or seat.capitalize(), side.colour or seat)
        for seat in seats
        for side in [named.get(seat, SideHead(seat))]
    )


def objectives(stakes: Stakes) -> tuple[WireObjective, ...]:
    """The places worth points."""
    worth = (one for one in stakes.holdings if one.points)
    return tuple(WireObjective(one.id, one.title, one.hexes, dict(one.points)) for one in worth)


def victory(stakes: Stakes) -> tuple[str, ...]:
    """How the game is won, a line an aim; the points of objectives stand with these."""
    return tuple(map(_aim_text, stakes.aims))


def _aim_text(aim: Aim) -> str:
    who = " ".join(filter(None, (aim.side.title(), aim.when)))
    text = f"{who}: {aim.text}" if who else aim.text
    return f"{text[:1].upper()}{text[1:]}."


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
