"""3.2.4 Covered arcs and target facing, beside the book's examples."""

from __future__ import annotations

import pytest

from sandtable import catalog
from sandtable.geo.boards import named_map
from sandtable.geo.hex import NEIGHBOURS, Hex, disk, distance
from sandtable.systems.aslsk.pieces.spines import SPINES, spine_between, spine_name, spine_named, spines_apart
from sandtable.systems.aslsk.pieces.vehicle_cards import Facing
from sandtable.systems.aslsk.terrain.covered_arc import facings_struck, in_covered_arc, spines_covering
from sandtable.systems.aslsk.terrain.line_path import line_path

HERE = Hex(0, 0)


def hexes(board: str, *labels: str) -> list[Hex]:
    game_map = named_map(board, catalog.library("aslsk3")).map
    return [game_map.hex(label, "test") for label in labels]


def test_a_hexspine_has_a_name_and_joins_two_neighbours() -> None:
    for spine in SPINES:
        around = NEIGHBOURS[HERE]
        assert spine_between(HERE, around[spine], around[(spine + 1) % 6]) == spine
        assert spine_between(HERE, around[spine], around[(spine + 2) % 6]) is None
        assert spine_named(spine_name(spine)) == spine
    assert spine_name(0) == "N/NE"
    assert spine_named("N/S") is None


def test_hexspines_are_counted_the_shorter_way() -> None:
    assert [spines_apart(0, spine) for spine in SPINES] == [0, 1, 2, 3, 2, 1]


@pytest.mark.parametrize(
    ("gun", "arc", "target", "covered"),
    [
        ("M3", "L3/M4", "J5", True),
        ("M3", "L3/M4", "O4", False),
        ("M3", "M4/N3", "O4", True),
        ("E8", "D7/E7", "C7", True),
        ("E8", "D7/E7", "B7", False),
        ("E8", "D7/D8", "B7", True),
        ("E8", "D7/D8", "C7", True),
        ("E9", "D8/E8", "C7", True),
        ("E9", "D8/E8", "B7", True),
    ],
)
def test_the_arcs_of_the_examples(gun: str, arc: str, target: str, covered: bool) -> None:
    here, a, b, there = hexes("x", gun, *arc.split("/"), target)
    spine = spine_between(here, a, b)
    assert spine is not None
    assert in_covered_arc(here, spine, there) is covered


def test_six_arcs_cover_everything_and_share_the_rows_between_them() -> None:
    for hex in disk(HERE, 6):
        found = spines_covering(HERE, hex)
        straight = 0 in hex or hex.q + hex.r == 0
        assert len(found) == (0 if hex == HERE else 2 if straight else 1)


def test_an_arc_is_a_sixth_of_the_circle_with_both_its_edges() -> None:
    for spine in SPINES:
        for reach in range(1, 6):
            covered = [
                hex for hex in disk(HERE, 6) if distance(HERE, hex) == reach and in_covered_arc(HERE, spine, hex)
            ]
            assert len(covered) == reach + 1


def test_facings_go_round_from_the_front() -> None:
    front, side, rear = Facing.FRONT, Facing.SIDE, Facing.REAR
    for spine in SPINES:
        struck = facings_struck(spine, [(spine + step) % 6 for step in range(6)])
        assert struck == (front, front, side, rear, rear, side)


def test_the_panzer_iii_of_the_example_shows_its_hull_rear_and_turret_front() -> None:
    here, a, b, c, d, there = hexes("v", "G5", "H4", "H5", "F4", "G4", "E3")
    vca, tca = spine_between(here, a, b), spine_between(here, c, d)
    assert vca is not None
    assert tca is not None
    sides = line_path(here.q - there.q, here.r - there.r).entry
    assert facings_struck(vca, sides) == (Facing.REAR,)
    assert facings_struck(tca, sides) == (Facing.FRONT,)
