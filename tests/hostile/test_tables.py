"""Damaged files of tables, and drawings that nobody meant: all is named or refused, nothing crashes."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.core.content.yaml_text import parse_yaml
from sandtable.core.errors import BadInput, Faults
from sandtable.geo.board import read_board
from sandtable.geo.plane.table import MOST_CORNERS, MOST_FEATURES, read_table
from tests.hostile.mutation import broken_plain
from tests.tabletop_system import FOOTINGS, PACK

MEADOW = PACK["boards/meadow.yaml"]


@pytest.mark.parametrize("seed", range(60))
def test_a_damaged_table_is_read_or_its_faults_are_named(seed: int) -> None:
    rng = Random(seed)
    plain = parse_yaml(MEADOW, "meadow.yaml")
    for _ in range(4):
        faults = Faults()
        with faults.gathering():
            read_table(broken_plain(plain, rng), "meadow.yaml", FOOTINGS)
        assert all(fault.where.startswith("meadow.yaml") and fault.wrong for fault in faults)


def test_outlines_without_end_are_not_even_looked_at() -> None:
    corners = [[x / 1000, 1] for x in range(30_000)]
    plain = {"id": "t", "table": {"width": 36, "depth": 30}, "features": [{"kind": "woods", "outline": corners}]}
    with pytest.raises(BadInput, match=rf"features\[0\]: has too many corners .*{MOST_CORNERS}"):
        read_table(plain, "t.yaml")
    many = {"id": "t", "table": {"width": 36, "depth": 30}, "features": [{"kind": "a", "point": "1,1"}] * 5000}
    with pytest.raises(BadInput, match=f"5000 of them .*{MOST_FEATURES}"):
        read_table(many, "t.yaml")


def test_who_wants_hexes_of_a_table_is_told_so() -> None:
    with pytest.raises(BadInput, match=r"meadow.yaml: table: a table without hexes"):
        read_board(MEADOW, "meadow.yaml")
