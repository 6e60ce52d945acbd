"""The pack of the miniatures: index, tables, terrain and tables of terrain are whole."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from sandtable import packs
from sandtable.core.content.pack import Library
from sandtable.core.content.reading import read_yaml
from sandtable.core.content.rule import read_rule_index
from sandtable.geo.plane.table import read_table
from sandtable.systems.panzer.terrain import parse_terrain

LIBRARY = Library([packs.shipped("panzer-mini")])
INDEX = read_rule_index(*LIBRARY.file("rules.yaml"))
TERRAIN = parse_terrain(LIBRARY.every("terrain.yaml"))


def test_the_index_has_every_heading_of_the_book_once() -> None:
    assert len(INDEX.rules) == 935
    chapters = Counter(int(entry.number.split(".")[0]) for entry in INDEX.rules)
    assert set(chapters) == set(range(1, 24))
    assert sum(count for chapter, count in chapters.items() if chapter <= 10) == 273
    assert not [entry.number for entry in INDEX.rules if not entry.title.strip()]


def test_numbers_that_are_printed_twice_say_so() -> None:
    titles = {entry.number: entry.title for entry in INDEX.rules}
    printed = {
        "12.4.1.3": "12.4.1.2",
        "15.4.2.2.1": "15.4.2.1.1",
        "15.4.2.2.2": "15.4.2.1.2",
        "20.1.1.2a": "20.1.1.2",
    }
    assert {number: titles[number].rpartition("printed as ")[2].rstrip(")") for number in printed} == printed


def test_tables_and_terrain_cite_numbers_of_the_book() -> None:
    numbers = {entry.number for entry in INDEX.rules}
    cited = {table.rule for table in LIBRARY.tables().values()} | {row.rule for row in TERRAIN.values()}
    for table in LIBRARY.tables().values():
        last = table.axes[-1]
        for column, name in enumerate(last.values):
            if str(name).endswith("rule"):
                cited |= {row[column] for row in table.cells}
    assert cited <= numbers


@pytest.mark.rules("5.5.1", system="panzer-mini")
def test_5_5_1_there_are_24_features() -> None:
    assert {row.rule for row in TERRAIN.values()} == {f"5.5.1.{number}" for number in range(1, 25)}


@pytest.mark.parametrize("name", [name for name, _, _ in LIBRARY.section("boards")])
def test_every_feature_of_a_table_is_a_terrain(name: str) -> None:
    data, where = LIBRARY.file(f"boards/{name}.yaml")
    table = read_table(read_yaml(data, dict[str, Any], where), where)
    assert table.id == name
    assert {feature.kind for feature in table.features} <= set(TERRAIN)


@pytest.mark.rules("5.5.2.4.1", "5.5.2.4.4", system="panzer-mini")
def test_5_5_2_4_the_line_of_sight_table_is_the_same_from_both_ends() -> None:
    table = LIBRARY.table("line_of_sight")
    for one in range(-1, 6):
        for other in range(-1, 6):
            there = [table.number(one, other, zone) for zone in "CMF"]
            back = [table.number(other, one, zone) for zone in "FMC"]
            assert there == back
    assert [table.number(0, 3, zone) for zone in "CMF"] == [1, 2, 3]
    assert table.number(-1, -1, "M") == 99
