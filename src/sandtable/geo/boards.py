"""The boards of a library, and the maps that scenarios and commands name.

A board is read when it is first asked for: most commands need one or two of many.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sandtable.core.content.pack import Library
from sandtable.core.content.reading import convert
from sandtable.core.content.scenario import read_draft
from sandtable.core.content.yaml_text import parse_yaml
from sandtable.core.errors import BadInput, Fault, Faults
from sandtable.geo.board import Board, read_board
from sandtable.geo.draw import DrawingDraft, read_drawing
from sandtable.geo.map import GameMap, MapDraft
from sandtable.geo.plane.footing import Footing
from sandtable.geo.plane.table import TableMap, is_table, read_table

__all__ = ["Boards", "NamedMap", "checked_map", "named_map", "scenario_map", "scenario_table", "situation_map"]


class Boards(Mapping[str, Board]):
    """Boards by id; a later pack's replaces an earlier one's. A board's file has the name of its id.

    Tables without hexes stand among them and are asked for by :meth:`table`; ``footings`` say what must lie on what.
    """

    def __init__(self, library: Library, footings: Mapping[str, Footing] | None = None) -> None:
        self._footings = footings
        self._files = {name: (data, where) for name, data, where in library.section("boards")}
        self._read: dict[str, Board] = {}

    def __getitem__(self, name: str) -> Board:
        board = self._read.get(name)
        if board is None:
            board = self._read[name] = read_board(*self._files[name])
        return board

    def table(self, name: str) -> TableMap:
        """The table of a name."""
        data, where = self._files[name]
        return read_table(parse_yaml(data, where), where, self._footings)

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def __contains__(self, name: object) -> bool:
        return name in self._files

    def check(self) -> None:
        """Read all; raise ``BadInput`` with every fault, an id that is not the file's name among them."""
        faults = Faults()
        for name, (data, where) in self._files.items():
            with faults.gathering():
                known = self.table(name) if is_table(parse_yaml(data, where)) else self[name]
                if known.id != name:
                    faults.add(f"{where}: id", repr(known.id), f"{name}, the name of its file")
                if isinstance(known, Board):
                    known.check_hulls(where, faults)
        faults.check()


def scenario_map(draft: object, library: Library, where: str) -> GameMap:
    """The map of a scenario's ``map`` field."""
    placements = convert(draft, MapDraft, f"{where}: map").placements
    return GameMap.from_boards(Boards(library), placements, f"{where}: map")


def scenario_table(
    draft: Mapping[str, Any], library: Library, where: str, footings: Mapping[str, Footing] | None = None
) -> TableMap:
    """The table of a scenario's ``map`` field: ``{table: NAME}``."""
    boards = Boards(library, footings)
    name = draft.get("table")
    if set(draft) != {"table"} or name not in boards:
        raise BadInput([Fault(f"{where}: map", f"{dict(draft)}", f"table: one of {', '.join(boards)}")])
    return boards.table(str(name))


def checked_map(scenario: Mapping[str, Any], kind: type[Any], system_id: str, library: Library, where: str) -> GameMap:
    """The map of a scenario of a system, whose draft is a ``kind``; all faults of draft and map at once."""
    if scenario.get("system") != system_id:
        raise BadInput([Fault(f"{where}: system", repr(scenario.get("system")), system_id)])
    faults = Faults()
    with faults.gathering():
        convert(dict(scenario), kind, where)
    game_map = None
    if isinstance(scenario.get("map"), Mapping):
        with faults.gathering():
            game_map = scenario_map(scenario["map"], library, where)
    faults.check()
    assert game_map is not None  # noqa: S101 - else there were faults
    return game_map


def situation_map(draft: Mapping[str, Any], library: Library, where: str) -> GameMap:
    """The map of a situation: drawn inline, one board, or boards side by side."""
    match draft:
        case {"drawing": drawing, **rest} if not rest:
            return read_drawing(convert(drawing, DrawingDraft, f"{where}: map.drawing"), f"{where}: map")
        case {"board": str(name), **rest} if not rest:
            boards = Boards(library)
            if name not in boards:
                raise BadInput([Fault(f"{where}: map.board", f"no board {name!r}", f"one of {', '.join(boards)}")])
            return GameMap.of_board(boards[name])
        case {"placements": _, **rest} if not rest:
            return scenario_map(draft, library, where)
    raise BadInput([Fault(f"{where}: map", f"fields {sorted(draft)}", "one of drawing, board or placements")])


class NamedMap(NamedTuple):
    """A board, or the map of a scenario with the rest of its draft."""

    map: GameMap
    draft: Mapping[str, Any]
    """Of a board there is none."""
    where: str


def named_map(name: str, library: Library) -> NamedMap:
    """The board or the scenario's map of a name."""
    boards = Boards(library)
    if name in boards:
        return NamedMap(GameMap.of_board(boards[name]), {}, name)
    scenarios = {known: (data, place) for known, data, place in library.section("scenarios")}
    if name not in scenarios:
        names = ", ".join([*sorted(boards), *sorted(scenarios)])
        raise BadInput([Fault("map", f"no board or scenario {name!r}", f"one of {names}")])
    data, where = scenarios[name]
    draft = read_draft(data, where)
    return NamedMap(scenario_map(draft.get("map"), library, where), draft, where)
