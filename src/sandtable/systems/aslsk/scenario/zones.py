"""Zones of a scenario card: parts of boards by hexes, hexrows and rows, edges, or the whole map (1.1, 1.3)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sandtable.core.content.rule import rule
from sandtable.core.errors import Faults
from sandtable.geo.hex import Hex
from sandtable.geo.map import GameMap
from sandtable.systems.aslsk.scenario.draft import Zone

__all__ = ["zone_hexes"]

_RANGE = re.compile(r"([A-Za-z]+|\d+)(?:\s*-\s*([A-Za-z]+|\d+))?")


@rule("1.1", "1.3")
def zone_hexes(zones: Iterable[Zone], game_map: GameMap, field: str, faults: Faults) -> frozenset[Hex]:
    """The playable hexes of some zones (1.1, 1.3).

    A half hex is no part of the one board that is named; where zones name both boards that mate there it is inside.
    """
    found: set[Hex] = set()
    seams: dict[Hex, set[str]] = {}
    for index, zone in enumerate(zones):
        place = f"{field}[{index}]"
        for label in zone.hexes:
            with faults.gathering():
                found.add(game_map.hex(label, f"{place}.hexes"))
        if zone.whole:
            found |= game_map.hexes
        if zone.edge is not None:
            found |= game_map.edge_hexes(zone.edge)
        if zone.board or zone.hexrows or zone.rows:
            found |= _board_hexes(zone, game_map, place, faults, seams)
    found.update(hex for hex, named in seams.items() if named.issuperset(game_map.boards[hex]))
    return frozenset(found)


def _board_hexes(zone: Zone, game_map: GameMap, field: str, faults: Faults, seams: dict[Hex, set[str]]) -> set[Hex]:
    """The hexes of a part of a board; the half hexes of a named one go to ``seams``, with its name."""
    boards = [one for one in game_map.placed if not zone.board or one.name == zone.board]
    if not boards:
        faults.add(f"{field}.board", f"no board {zone.board!r}", ", ".join(one.name for one in game_map.placed))
    found: set[Hex] = set()
    for one in boards:
        labels = one.board.layout.labels
        first_column, last_column = 1, one.board.layout.columns
        first_row, last_row = 0, 10**6
        with faults.gathering():
            if zone.hexrows:
                low, high = _bounds(zone.hexrows)
                first_column, last_column = labels.column_number(low, field), labels.column_number(high, field)
            if zone.rows:
                low, high = _bounds(zone.rows)
                if low.isdecimal() and high.isdecimal():
                    first_row, last_row = int(low), int(high)
                else:
                    faults.add(f"{field}.rows", f"{zone.rows!r} are no rows", "such as 3-7")
        for local in one.board.layout.hexes():
            hex = one.transform.hex(local)
            spot = one.board.layout.place_of(local)
            if spot is None or hex not in game_map.hexes:
                continue
            if not (first_column <= spot[0] <= last_column and first_row <= spot[1] <= last_row):
                continue
            if zone.board and len(game_map.boards[hex]) > 1:
                seams.setdefault(hex, set()).add(one.name)
            else:
                found.add(hex)
    return found


def _bounds(text: str) -> tuple[str, str]:
    match = _RANGE.fullmatch(text.strip())
    if match is None:
        return text, text
    return match[1], match[2] or match[1]
