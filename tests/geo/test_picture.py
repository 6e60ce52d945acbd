"""Picture grids: read and packed exactly, cut into hexes exactly, and outlined for drawing."""

import zlib
from base64 import b64encode
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.core.content.reading import convert
from sandtable.core.errors import BadInput
from sandtable.geo.board import Board, BoardDraft
from sandtable.geo.drawing import DrawnShapes
from sandtable.geo.map import GameMap
from sandtable.geo.outlining import outlines
from sandtable.geo.placing import PlacementDraft
from sandtable.geo.shapes.convex import overlap
from sandtable.geo.shapes.picture import Picture, Shown, pack_cells
from sandtable.geo.shapes.pieces import HexWindow
from sandtable.geo.shapes.polygon import doubled_area, is_simple
from sandtable.geo.terrain_query import TerrainQuery

SHOWS = (Shown(), Shown("woods"), Shown("grain"), Shown("woods", 1))
WOODS = TerrainQuery.at("woods")


def picture(*columns: str) -> Picture:
    """A picture of letters: a dot is clear, w woods, g grain, W woods on level 1."""
    cells = tuple(bytes(".wgW".index(letter) for letter in column) for column in columns)
    return Picture(len(cells), len(cells[0]), (1, 1), SHOWS, cells)


def draft(**changes: Any) -> dict[str, Any]:
    """A board of 5 by 2 hexes, 24 by 8 cells on a scale of 2."""
    cells = [bytes(1 if 8 <= x < 16 and 2 <= y < 6 else 0 for y in range(8)) for x in range(24)]
    shown = {
        "wide": 24,
        "high": 8,
        "cell": [1, 1],
        "shows": [{}, {"kind": "woods"}],
        "cells": pack_cells(cells),
        "hexes": {"woods": ["C1"]},
    }
    return {
        "id": "p",
        "columns": 5,
        "rows": 2,
        "scale": 2,
        "grid": {"shifted": "even"},
        "picture": shown | changes,
    }


def test_a_board_may_be_a_picture() -> None:
    board = Board.from_draft(convert(draft(), BoardDraft, "p"))
    assert board.picture is not None
    assert board.picture.at(8, 2) == Shown("woods")
    assert board.picture.at(0, 0) == Shown()
    assert board.picture.at(24, 0) is None
    game_map = GameMap.of_board(board)
    assert game_map.at(game_map.hex("C1")).terrain == ("woods",)
    assert not any(feature.outline for feature in game_map.features)
    (drawn,) = game_map.drawn()
    # From the upper left corner, which lies at y = -1 of the lattice, in units of which the lattice has four.
    assert sorted(drawn.outline) == [(16, 0), (16, 8), (32, 0), (32, 8)]
    assert drawn.hexes == (game_map.hex("C1"),)


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"cells": "!!"}, "cannot be unpacked"),
        ({"cells": "AAAA"}, "cannot be unpacked"),
        ({"cells": pack_cells([bytes(8)] * 23)}, "184 cells"),
        ({"cells": pack_cells([bytes(8)] * 25)}, "too many cells"),
        ({"cells": b64encode(zlib.compress(bytes([2]) * 192)).decode()}, "a cell is 2"),
        ({"wide": 0}, "0 by 8"),
        ({"cell": [0, 1]}, r"is \(0, 1\)"),
        ({"shows": []}, "0 things"),
        ({"hexes": {"woods": ["ZZ9"]}}, "ZZ9"),
        ({"levels": [{"level": 1, "hexes": ["Q0"]}]}, "Q0"),
    ],
)
def test_what_is_wrong_with_a_picture_is_named(changes: dict[str, Any], wrong: str) -> None:
    with pytest.raises(BadInput, match=wrong):
        Board.from_draft(convert(draft(**changes), BoardDraft, "p"))


def test_a_look_sees_kinds_others_or_levels() -> None:
    assert [WOODS.sees(s.kind, s.level) for s in SHOWS] == [False, True, False, True]
    assert [TerrainQuery(frozenset({"woods"}), others=True).sees(s.kind, s.level) for s in SHOWS] == [
        True,
        False,
        True,
        False,
    ]
    assert [TerrainQuery(above=0).sees(s.kind, s.level) for s in SHOWS] == [False, False, False, True]


def test_flanks_of_a_thread_over_cells() -> None:
    drawn = picture("....", ".ww.", ".ww.", "....")
    for a, b, both in (
        ((0, 2), (4, 2), True),  # between two rows of woods
        ((0, 1), (4, 1), False),  # along the upper edge
        ((1, 0), (1, 4), False),  # along the left edge
        ((2, 0), (2, 4), True),
        ((0, 0), (4, 4), True),
        ((0, 2), (2, 0), False),  # by a corner
        ((0, 3), (2, 0), True),
        ((3, 0), (3, 4), False),
    ):
        left, right = drawn.flanks(WOODS, a, b)
        assert overlap(left, right) is both, (a, b)
        assert drawn.has_on_both_sides(WOODS, a, b) is both, (a, b)
        assert drawn.has_on_both_sides(WOODS, b, a) is both, (a, b)


@given(
    st.lists(st.text(".w", min_size=6, max_size=6), min_size=6, max_size=6),
    st.tuples(st.integers(0, 12), st.integers(0, 12)),
    st.tuples(st.integers(0, 12), st.integers(0, 12)),
)
def test_the_quick_answer_for_a_thread_is_that_of_its_flanks(
    columns: list[str], a: tuple[int, int], b: tuple[int, int]
) -> None:
    if a != b:
        drawn = picture(*columns)
        assert drawn.has_on_both_sides(WOODS, a, b, 2) is overlap(*drawn.flanks(WOODS, a, b, 2))


def test_a_hex_window_takes_in_cells_cut_by_its_sides() -> None:
    """A hex of size 4 about (8, 4): 16 wide, 8 high."""
    whole = picture(*["w" * 8] * 16)
    window = HexWindow(whole, (8, 4), 4)
    (piece,) = window.pieces(whole.table(WOODS)).pieces
    assert set(piece.hull) == {(-4, -4), (4, -4), (8, 0), (4, 4), (-4, 4), (-8, 0)}
    assert HexWindow(whole, (8, 4), 4).pieces(whole.table(TerrainQuery.at("grain"))).pieces == ()
    two = picture(*["." * 8] * 6, "wwww....", *["........"] * 2, "....wwww", *["." * 8] * 6)
    pieces = HexWindow(two, (8, 4), 4).pieces(two.table(WOODS)).pieces
    assert len(pieces) == 2


def test_pieces_inside_the_hull_of_another_are_left_out() -> None:
    ring = picture(*["........"] * 4, "wwwwwwww", "w......w", "w..w...w", "w......w", "wwwwwwww", *["........"] * 7)
    pieces = HexWindow(ring, (6, 4), 4).pieces(ring.table(WOODS)).pieces
    assert len(pieces) == 1


def test_outlines_go_round_shapes_with_holes() -> None:
    rows = ["." * 20] * 4 + ["." * 4 + "w" * 12 + "." * 4] * 3 + ["." * 4 + "www" + "." * 6 + "www" + "." * 4] * 5
    rows += ["." * 4 + "w" * 12 + "." * 4] * 3 + ["." * 20]
    (ring,) = outlines(picture(*rows), WOODS)
    assert doubled_area(ring) == 2 * (12 * 11 - 6 * 5)
    solid = picture(*[row.replace("......", "wwwwww", 1) if "w" in row else row for row in rows])
    assert all(is_simple(one) for one in outlines(solid, WOODS))


@given(st.lists(st.text(".w", min_size=8, max_size=8), min_size=24, max_size=24))
@settings(max_examples=20)
def test_a_turned_picture_shows_the_same_the_other_way_round(columns: list[str]) -> None:
    changes = {"cells": pack_cells([bytes(".w".index(c) for c in column) for column in columns]), "hexes": {}}
    board = Board.from_draft(convert(draft(**changes), BoardDraft, "p"))
    plain = GameMap.of_board(board)
    turned = GameMap.from_boards({"p": board}, [PlacementDraft("p", turned=True)])
    one, other = DrawnShapes(plain, {}), DrawnShapes(turned, {})
    for label in ("B1", "C1", "C2", "D1"):
        here = one.pieces(plain.hex(label), WOODS)
        there = other.pieces(turned.hex(label), WOODS)
        assert sorted(map(sorted, (piece.turned().hull for piece in here.pieces))) == sorted(
            map(sorted, (piece.hull for piece in there.pieces))
        )
        assert here.share == there.share
