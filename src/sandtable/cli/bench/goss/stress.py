"""GOSS: a front of 600 units on 2,500 hexes, made to measure what size costs; it is no scenario that anybody plays.

Two armies of twenty divisions face each other across a river, ten divisions of each in the line. Everything is worked
out from the numbers of hexes and divisions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from sandtable import catalog, packs
from sandtable.catalog import OpenScenario, Registration
from sandtable.core.content.pack import Pack

__all__ = ["ID", "SEATS", "open_stress", "register"]

ID = "goss-stress"
SYSTEM = "goss"
SEATS = ("allied", "axis")
SIZE = 50
"""Columns, and rows."""
FRONT = 25
"""The last column of the first side; a river runs east of it."""
SECTORS, DEPTH, TURNS = 10, 5, 5


class _Army(NamedTuple):
    side: str
    nation: str
    movement: str
    types: dict[str, str]


_ARMIES = (
    _Army(
        "allied",
        "US",
        "Mech",
        {
            "HQ": "us-hq",
            "battalion": "us-infantry",
            "guns": "us-105",
            "engineers": "us-engineer-company",
            "tanks": "us-m4-battalion",
            "scouts": "us-recon-company",
        },
    ),
    _Army(
        "axis",
        "German",
        "Leg",
        {
            "HQ": "de-hq",
            "battalion": "de-infantry",
            "guns": "de-105-horse",
            "engineers": "de-engineer-company",
            "tanks": "de-stug",
            "scouts": "de-fusilier-company",
        },
    ),
)
_BATTALIONS = [f"{number}-{regiment}" for regiment in "ABC" for number in (1, 2, 3)]


def _label(column: int, row: int) -> str:
    return f"{column:02}{row:02}"


def _division(army: _Army, index: int) -> dict[str, Any]:
    """The units of a division; that with the corps HQ has no scouts, so that there are 300 a side."""
    kinds = army.types
    units = [{"id": "HQ", "type": kinds["HQ"]}]
    units += [{"id": name, "type": kinds["battalion"], "regiment": name[-1]} for name in _BATTALIONS]
    units += [{"id": f"{number} Guns", "type": kinds["guns"], "regiment": "Guns"} for number in (1, 2)]
    units += [{"id": "Eng", "type": kinds["engineers"]}, {"id": "Tanks", "type": kinds["tanks"]}]
    units += [{"id": "Scouts", "type": kinds["scouts"]}] if index else []
    return _formation(army, f"{army.side}-{index}", f"Division {index + 1}", "division", units)


def _formation(army: _Army, key: str, title: str, echelon: str, units: list[dict[str, str]]) -> dict[str, Any]:
    return {
        "id": key,
        "title": f"{title}, {army.side}",
        "nation": army.nation,
        "echelon": echelon,
        "hq": "HQ",
        "type": army.movement,
        "source": "made by the bench",
        "units": units,
    }


def _cards() -> dict[str, Any]:
    found = []
    for army in _ARMIES:
        found.append(_formation(army, f"{army.side}-corps", "Corps", "corps", [{"id": "HQ", "type": army.types["HQ"]}]))
        found += [_division(army, index) for index in range(2 * SECTORS)]
    return {"book": "GOSS 2020", "formations": found}


def _set_up(army: _Army, index: int) -> Iterator[dict[str, Any]]:
    """A division in its sector: battalions in two columns, guns and HQ behind them."""
    sector, is_behind = index % SECTORS, index // SECTORS
    first = FRONT - 13 * is_behind
    top = 1 + DEPTH * sector

    def at(column: int, row: int, *names: str, **more: Any) -> dict[str, Any]:
        column = column if army.side == SEATS[0] else SIZE + 1 - column
        return {"hex": _label(column, top + row), "units": list(names), **more}

    for number, name in enumerate(_BATTALIONS):
        yield at(first - number // DEPTH, number % DEPTH, name)
    yield at(first - 1, DEPTH - 1, "Eng")
    yield at(first - 2, 0, "Tanks")
    if index:
        yield at(first - 2, 1, "Scouts")
    yield at(first - 5, 1, "1 Guns", in_battery=True)
    yield at(first - 5, 3, "2 Guns", in_battery=True)
    yield at(first - 8, 2, "HQ")


def _side(army: _Army) -> dict[str, Any]:
    edge = 1 if army.side == SEATS[0] else SIZE
    divisions = [
        {"id": f"{army.side}-{index}", "corps": f"{army.side}-corps", "set_up": list(_set_up(army, index))}
        for index in range(2 * SECTORS)
    ]
    rear = _label(edge, SIZE // 2)
    corps = {"id": f"{army.side}-corps", "set_up": [{"hex": rear, "units": ["HQ"]}]}
    return {
        "id": army.side,
        "sources": [_label(edge, row) for row in range(3, SIZE, 10)],
        "adv": 4,
        "amp": 20,
        "formations": [corps, *divisions],
        **({"rest": "Night"} if army.side == SEATS[0] else {}),
    }


def _board() -> dict[str, Any]:
    numbers = range(1, SIZE + 1)
    roads = range(3, SIZE, 10)
    scattered = {
        kind: [_label(column, row) for column in numbers for row in numbers if (7 * column + 13 * row) % 41 == rest]
        for kind, rest in (("woods", 3), ("forest", 11), ("rough", 19), ("village", 29), ("town", 37))
    }
    return {
        "id": ID,
        "title": "A long front",
        "columns": SIZE,
        "rows": SIZE,
        "grid": {"shifted": "odd", "half_columns": False, "half_rows": False, "labels": "numbers"},
        "status": "original",
        "source": "made by the bench",
        "features": [
            *({"kind": kind, "hexes": hexes} for kind, hexes in scattered.items()),
            {"kind": "river", "sides": [f"{_label(FRONT, row)}:NE/SE" for row in numbers]},
            *({"kind": "primary_road", "line": [_label(column, row) for column in numbers]} for row in roads),
            *({"kind": "secondary_road", "line": [_label(column, row) for row in numbers]} for column in (10, 41)),
            {"kind": "bridge", "sides": [_crossed(row) for row in roads]},
        ],
    }


def _crossed(row: int) -> str:
    """The side by which a road along a row of the map leaves the last column of the first side."""
    return f"{_label(FRONT, row)}:NE"


def _scenario() -> dict[str, Any]:
    return {
        "id": ID,
        "system": SYSTEM,
        "title": "A long front",
        "turns": TURNS,
        "status": "original",
        "summary": "Six hundred units, to measure with.",
        "map": {"placements": [{"board": ID}]},
        "calendar": {"first": "AM", "date": "1944-09-10"},
        "weather": [{"turn": 0, "sky": "Clear", "ground": "Dry"}],
        "sides": [_side(army) for army in _ARMIES],
        "victory": {"points": [], "steps_a_point": 1, "levels": [], "otherwise": SEATS[1]},
    }


def _pack() -> Pack:
    """The shipped pack, with this scenario in it."""
    made = {f"boards/{ID}.yaml": _board(), f"cards/{ID}.yaml": _cards(), f"scenarios/{ID}.yaml": _scenario()}
    files = {name: msgspec.json.encode(content) for name, content in made.items()}
    return Pack({**packs.shipped(SYSTEM).files, **files}, f"packs/{SYSTEM}")


def register() -> None:
    """Let the catalog of this process have it among the scenarios of its system."""
    system = catalog.system(SYSTEM)
    catalog.register(Registration(SYSTEM, lambda: system, _pack))


def open_stress() -> OpenScenario:
    """The scenario, ready to be played."""
    register()
    return catalog.open_scenario(ID)
