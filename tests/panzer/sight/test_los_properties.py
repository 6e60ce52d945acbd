"""Sight on any map: the same both ways, by both ways of asking, and wherever and however the board lies (4.1.4)."""

from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.core.content.reading import convert
from sandtable.geo.board import Board, read_board
from sandtable.geo.draw import DrawingDraft, drawn_board
from sandtable.geo.hex import DIRECTION_NAMES, Hex
from sandtable.geo.map import GameMap
from sandtable.geo.placing import PlacementDraft
from sandtable.systems.panzer.edition import MBT, PANZER_NA, Edition
from sandtable.systems.panzer.hex.sight.ground import Ground
from sandtable.systems.panzer.hex.sight.los import line_of_sight
from sandtable.systems.panzer.hex.sight.sightline import sightline
from tests.panzer.grounds import LEGEND, PACKS, ground_of

rules = pytest.mark.rules

COLUMNS, ROWS = 6, 5
LABELS = [f"{column}{row}" for row in range(1, ROWS + 1) for column in "ABCDEF"]
# Open ground comes first, so that failing maps shrink to it.
CODES = [".", ".", ".", ".", "w", "b", "y", "t", "f", "v"]


@st.composite
def boards(draw: st.DrawFn, name: str = "1") -> Board:
    """A small board of MBT with everything on it that matters to sight."""
    words = [
        draw(st.sampled_from(CODES)) + draw(st.sampled_from(["", "", "1", "2", "3"])) for _ in range(COLUMNS * ROWS)
    ]
    cells = "\n".join(" ".join(words[row * COLUMNS : (row + 1) * COLUMNS]) for row in range(ROWS))
    features = []
    side = st.tuples(st.sampled_from(LABELS), st.sampled_from(DIRECTION_NAMES)).map(":".join)
    for kind in ("hedgerow", "crest", "slope", "slope"):
        sides = draw(st.lists(side, max_size=10))
        if sides:
            features.append({"kind": kind, "sides": sides})
    roads = draw(st.lists(st.sampled_from("ABCDEF"), max_size=2))
    features += [{"kind": "road", "line": [f"{column}1", f"{column}{ROWS}"]} for column in roads]
    draft = {"cells": cells, "legend": LEGEND[MBT.id], "features": features, "prefix": name}
    return Board.from_draft(drawn_board(convert(draft, DrawingDraft, "drawing")))


def placed(*drafts: PlacementDraft, **given_boards: Board) -> Ground:
    """The ground of boards in their places, named by their keys without the underscore."""
    return ground_of(GameMap.from_boards({board.id: board for board in given_boards.values()}, drafts), MBT)


def hexes_of_line(a: Hex, b: Hex) -> set[Hex]:
    return {a + hex for station in sightline(b[0] - a[0], b[1] - a[1]).stations for hex in station}


def sights(ground: Ground, name: str, among: list[str]) -> dict[tuple[str, str], bool]:
    """What is seen between hexes of one board, for lines that stay on the hexes given."""
    hexes = {label: ground.map.hex(name + label) for label in among}
    inside = set(hexes.values())
    return {
        (one, other): ground.sees(hexes[one], hexes[other])
        for one, other in combinations_with_replacement(among, 2)
        if hexes_of_line(hexes[one], hexes[other]) <= inside
    }


@rules("4.1.4", "4.1.4.2")
@settings(max_examples=25)
@given(board=boards())
def test_4_1_4_sight_is_the_same_both_ways_and_by_both_ways_of_asking(board: Board) -> None:
    ground = placed(PlacementDraft("1"), one=board)
    for a, b in product(sorted(ground.map.hexes), repeat=2):
        told = line_of_sight(ground, a, b)
        assert ground.sees(a, b) is not told.blocked
        back = line_of_sight(ground, b, a)
        assert back.blocked == told.blocked
        assert sorted((step.label, step.blocks, step.rule) for step in back.steps) == sorted(
            (step.label, step.blocks, step.rule) for step in told.steps
        )


@rules("4.1.4")
@settings(max_examples=15)
@given(board=boards("1"), other=boards("2"))
def test_4_1_4_sight_does_not_change_when_boards_are_joined_moved_or_turned(board: Board, other: Board) -> None:
    alone = sights(placed(PlacementDraft("1"), one=board), "1", LABELS)
    for first, second in (
        (PlacementDraft("2"), PlacementDraft("1", right_of="2")),
        (PlacementDraft("2"), PlacementDraft("1", below="2")),
        (PlacementDraft("2"), PlacementDraft("1", above="2", slide=2)),
        (PlacementDraft("2"), PlacementDraft("1", offset=(10, 3))),
    ):
        assert sights(placed(first, second, one=board, two=other), "1", LABELS) == alone
    assert sights(placed(PlacementDraft("1", turned=True), one=board), "1", LABELS) == alone


@rules("4.1.4")
@settings(max_examples=15)
@given(board=boards())
def test_4_1_4_sight_does_not_change_when_a_board_is_cropped(board: Board) -> None:
    whole = placed(PlacementDraft("1"), one=board)
    cropped = placed(PlacementDraft("1", columns="B-E", rows="2-4"), one=board)
    labels = [label for label in LABELS if label[0] in "BCDE" and label[1] in "234"]
    for one, other in combinations_with_replacement(labels, 2):
        asked = [ground.sees(ground.map.hex(f"1{one}"), ground.map.hex(f"1{other}")) for ground in (whole, cropped)]
        assert asked[0] is asked[1]


@rules("4.1.4")
@pytest.mark.parametrize("edition", [PANZER_NA, MBT], ids=lambda edition: edition.id)
def test_4_1_4_sight_is_symmetric_over_the_shipped_boards(edition: Edition) -> None:
    for file in sorted((PACKS / edition.id / "boards").glob("*.yaml")):
        ground = ground_of(GameMap.of_board(read_board(file.read_bytes(), file.name)), edition)
        hexes = sorted(ground.map.hexes)
        for a in hexes[::23]:
            for b in hexes[::7]:
                told = line_of_sight(ground, a, b)
                assert told.blocked is line_of_sight(ground, b, a).blocked is not ground.sees(a, b)
        assert ground.field_of_sight(hexes[0]) == {hex for hex in hexes if ground.sees(hexes[0], hex)}
