"""The pack and the System of the tabletop game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from sandtable import catalog
from sandtable.core.content.pack import Library, Pack
from sandtable.core.content.reading import convert
from sandtable.core.content.yaml_text import parse_yaml
from sandtable.core.dice import Dice, SeededDice
from sandtable.core.errors import BadInput, Fault
from sandtable.core.game import Game
from sandtable.core.log import FORMAT, Header
from sandtable.core.ruleset import Position, SightAnswers
from sandtable.geo.boards import Boards, scenario_table
from sandtable.geo.plane.footing import Footing
from sandtable.geo.plane.points import label
from sandtable.geo.plane.table import TableMap
from tests.tabletop import CARD, Action, Book, Event, State, Tabletop
from tests.tabletop_ground import Field, sight_of

FOOTINGS = {"bridge": Footing(over=frozenset({"stream"})), "slope": Footing(edge_of=frozenset({"hill"}))}

PACK = {
    "manifest.yaml": b"{id: tabletop, title: Tabletop, system: tabletop, edition: tabletop, version: 1}",
    "rules.yaml": b"""
book: The Book of the Table
rules:
- {number: "1.0", title: Placing, chapter: "1", level: basic, kind: container}
- {number: "1.1", title: Setting Down, chapter: "1", level: basic}
- {number: "1.2", title: Shells, chapter: "1", level: basic}
- {number: "2.0", title: Driving, chapter: "2", level: basic, kind: container}
- {number: "2.1", title: Ways, chapter: "2", level: basic}
- {number: "2.2", title: Inches, chapter: "2", level: basic}
- {number: "2.3", title: Hills and Streams, chapter: "2", level: basic}
- {number: "2.4", title: Houses and Others, chapter: "2", level: basic}
- {number: "3.1", title: Fire, chapter: "3", level: basic}
- {number: "4.1", title: Victory, chapter: "4", level: basic}
""",
    "boards/meadow.yaml": b"""
id: meadow
title: The meadow
table: {width: 36, depth: 30}
features:
- {kind: hill, level: 1, outline: [[3, 9], [12, 8], [13, 18], [4, 19]]}
- {kind: slope, outline: [[11, 11], [14, 11], [14, 14], [11, 14]]}
- {kind: woods, outline: [[15, 4], [20, 5], [19, 10.5], [14.5, 9]]}
- {kind: woods, outline: [[24, 18], [32, 17], [33, 22.125], [25, 23]]}
- {kind: stream, line: ["0,21", "16,20", "22,13", "36,12"], width: 1.25}
- {kind: bridge, line: ["18,13", "22,19"], width: 1.5}
- {kind: road, line: ["16,0", "18,13", "22,19", "22,30"], width: 1, text: mill road}
- {kind: house, outline: [[24, 7], [27, 7], [27, 9.5], [24, 9.5]]}
- {kind: mill, point: "20,24", text: The mill}
""",
    "scenarios/mill.yaml": b"""
id: mill
system: tabletop
title: The mill
turns: 3
status: original
map: {table: meadow}
tanks: 2
""",
}


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    system: str
    title: str
    turns: int
    status: str
    map: dict[str, str]
    tanks: int
    summary: str = ""


class TableSight:
    """Sight on a bare table."""

    def __init__(self, table: TableMap) -> None:
        self._field = Field(table, {})

    def __call__(self, a: str, b: str, /) -> dict[str, Any]:
        table = self._field.table
        line = sight_of(self._field, table.place(a, "a"), table.place(b, "b"))
        at = "" if line.at is None else label(line.at)
        told = {"a": a, "b": b, "range": line.range_inches, "blocked": line.blocked, "at": at, "by": line.by}
        return {**told, "hindrance": 0, "rule": next(iter(line.rules), "")}


class TabletopSystem:
    """The system: binds scenarios to the rules."""

    card = CARD

    def ruleset(self, scenario: Mapping[str, Any], library: Library, where: str) -> Tabletop:
        found = convert(dict(scenario), Scenario, where)
        return Tabletop(Book(scenario_table(found.map, library, where, FOOTINGS), found.turns, found.tanks))

    def position(self, situation: Mapping[str, Any], library: Library, where: str) -> Position:
        raise BadInput([Fault(where, "no situations of this game")])

    def answer(self, position: Position, question: Mapping[str, Any], where: str) -> dict[str, Any]:
        raise BadInput([Fault(where, "no questions of this game")])

    def sight(self, map_name: str, library: Library) -> SightAnswers:
        return TableSight(scenario_table({"table": map_name}, library, map_name, FOOTINGS))

    def check_pack(self, library: Library) -> None:
        Boards(library, FOOTINGS).check()


def tabletop_library(**changes: bytes) -> Library:
    return Library([Pack({**PACK, **changes}, "packs/tabletop")])


def tabletop_ruleset() -> Tabletop:
    """The shipped scenario, bound."""
    draft = parse_yaml(PACK["scenarios/mill.yaml"], "mill")
    return TabletopSystem().ruleset(draft, tabletop_library(), "mill")


def tabletop_game(dice: Dice | None = None) -> Game[State, Action, Event]:
    """A game at its first question."""
    draft = parse_yaml(PACK["scenarios/mill.yaml"], "mill")
    header = Header(FORMAT, "tabletop", CARD.version, tabletop_library().digests, draft)
    return Game.start(tabletop_ruleset(), header, dice or SeededDice(1))


def register_tabletop() -> None:
    """Let the catalog know the game."""
    catalog.register(catalog.Registration("tabletop", TabletopSystem, lambda: Pack(PACK, "packs/tabletop")))
