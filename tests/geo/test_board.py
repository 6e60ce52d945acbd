"""Boards: grids, labels, features, faults."""

from itertools import pairwise

import pytest

from sandtable.core.errors import BadInput
from sandtable.geo.board import Board, BoardDraft, read_board
from sandtable.geo.feature import FeatureDraft
from sandtable.geo.grid import BoardEdge, Grid, Layout
from sandtable.geo.hex import centre, direction_named, direction_to, neighbour, straight_line
from sandtable.geo.hexside import hexside
from sandtable.geo.labels import LabelScheme

PANZER = Layout.of(Grid(), 29, 14)
ASL = Layout.of(Grid(shifted="even"), 33, 10)
GOSS = Layout.of(Grid(shifted="even", half_columns=False, half_rows=False, labels=LabelScheme.NUMBERS), 60, 40)


def board(*features: FeatureDraft, columns: int = 9, rows: int = 6, scale: int = 1) -> Board:
    return Board.from_draft(BoardDraft("b", columns, rows, features=features, scale=scale))


@pytest.mark.parametrize("layout", [PANZER, ASL, GOSS])
def test_labels_of_a_whole_board_round_trip(layout: Layout) -> None:
    hexes = list(layout.hexes())
    labels = [layout.label(hex) for hex in hexes]
    assert len(set(hexes)) == len(set(labels)) == len(hexes)
    assert [layout.hex(label) for label in labels] == hexes


def test_neighbours_on_a_panzer_board() -> None:
    def way(a: str, b: str) -> int | None:
        return direction_to(PANZER.hex(a), PANZER.hex(b))

    # What the rulebooks' examples say: a chain of neighbours, two sides of a hexside, two straight roads.
    assert all(way(a, b) is not None for a, b in pairwise(["T7", "U6", "V6", "W5", "X5"]))
    assert way("V2", "W1") == direction_named("NE")
    assert straight_line(PANZER.hex("X3"), PANZER.hex("AA1")) == direction_named("NE")
    assert straight_line(PANZER.hex("Q5"), PANZER.hex("N4")) == direction_named("NW")
    assert way("C3", "D3") == direction_named("NE")
    assert way("C3", "D4") == direction_named("SE")
    assert way("D3", "C3") == direction_named("SW")
    assert way("D3", "E2") == direction_named("NE")


def test_half_hexes_of_a_panzer_board() -> None:
    assert PANZER.cut_by(PANZER.hex("C0")) == (BoardEdge.TOP,)
    assert PANZER.cut_by(PANZER.hex("C14")) == (BoardEdge.BOTTOM,)
    assert PANZER.cut_by(PANZER.hex("A5")) == (BoardEdge.LEFT,)
    assert PANZER.cut_by(PANZER.hex("CC0")) == (BoardEdge.TOP, BoardEdge.RIGHT)
    assert PANZER.cut_by(PANZER.hex("D1")) == ()
    with pytest.raises(BadInput, match="not on the board"):
        PANZER.hex("D0")


def test_half_hexes_of_an_asl_board() -> None:
    counts = {ASL.row_count(q) for q in range(0, 33, 2)}, {ASL.row_count(q) for q in range(1, 33, 2)}
    assert counts == ({10}, {11})
    assert ASL.label(ASL.hex("GG10")) == "GG10"
    assert ASL.cut_by(ASL.hex("B0")) == (BoardEdge.TOP,)
    assert ASL.cut_by(ASL.hex("B10")) == (BoardEdge.BOTTOM,)
    assert ASL.cut_by(ASL.hex("A1")) == (BoardEdge.LEFT,)
    assert direction_to(ASL.hex("A1"), ASL.hex("B0")) == direction_named("NE")


def test_a_numbered_map_of_whole_hexes() -> None:
    assert GOSS.label(GOSS.hex("0314")) == "0314"
    assert not any(GOSS.cut_by(hex) for hex in GOSS.hexes())
    assert direction_to(GOSS.hex("0101"), GOSS.hex("0201")) == direction_named("SE")


def test_edges_cut_hexes_at_places_that_a_half_turn_exchanges() -> None:
    for layout in (PANZER, ASL):
        turned = {
            (3 * (layout.columns - 1) - x, 2 * layout.top + layout.height - y) for x, y in map(centre, layout.hexes())
        }
        assert turned == set(map(centre, layout.hexes()))


def test_runs_and_blocks_of_hexes() -> None:
    def labels(*items: str) -> list[str]:
        made = board(FeatureDraft("woods", hexes=items))
        return [made.label(hex) for hex in made.features[0].hexes]

    assert labels("C3-C5") == ["C3", "C4", "C5"]
    assert labels("C5-C3") == ["C5", "C4", "C3"]
    assert labels("C3-F3") == ["C3", "D3", "E3", "F3"]
    assert labels("B2-D3") == ["B2", "C2", "D3"]
    assert labels("C3..D4") == ["C3", "C4", "D3", "D4"]
    assert labels("c3", "C3-C4") == ["C3", "C4"]


def test_hexsides() -> None:
    made = board(FeatureDraft("wall", sides=("C4:N/NE", "C3:S")))
    c4 = made.hex("C4")
    assert made.features[0].sides == (hexside(c4, 0), hexside(c4, 1))


def test_a_road_crosses_hexsides_and_leads_off() -> None:
    made = board(FeatureDraft("road", line=("B1:N", "B3", "C3", "D4", "D6:SE")))
    (road,) = made.features
    b1, b3, c3, d4, d6 = map(made.hex, ("B1", "B3", "C3", "D4", "D6"))
    assert road.is_route
    assert {hexside(b1, 0), hexside(b1, 3), hexside(b3, 2), hexside(d6, 2)} <= set(road.sides)
    assert set(road.hexes) >= {b1, neighbour(b1, 3), b3, c3, d4, neighbour(d4, 3), d6}
    scale = made.scale
    x, y = centre(b1)
    assert road.line[0] == (x * scale, (y - 1) * scale)
    assert road.line[1] == (x * scale, y * scale)
    assert len(road.line) == 7


def test_an_outline_counts_for_the_hexes_whose_centres_it_holds() -> None:
    # Scale 2: the corner of the board is the centre of A0, the centre of B1 is three units right and one down.
    outline = ((0, 0), (8, 0), (8, 4), (0, 4))
    made = board(FeatureDraft("woods", outline=outline), scale=2)
    assert [made.label(hex) for hex in made.features[0].hexes] == ["A0", "A1", "B1"]
    named = board(FeatureDraft("woods", outline=outline, hexes=("B1",)), scale=2)
    assert [named.label(hex) for hex in named.features[0].hexes] == ["B1"]
    assert named.features[0].outline == made.features[0].outline


BROKEN = """
id: broken
columns: 5
rows: 4
features:
  - {kind: woods, hexes: [Z9, Q, A1-C3, D3..B1]}
  - {kind: road}
  - {kind: wall, sides: [A1, "B2:EAST"]}
  - {kind: road, line: [A1]}
  - {kind: road, line: [A1, C1]}
  - {kind: road, line: [A1, "B1:N", C1]}
  - {kind: building, outline: [[0, 0], [4, 4], [4, 0], [0, 4]]}
  - {kind: "", hexes: [A1]}
  - {kind: woods, hexes: [A1], sides: ["A1:N"]}
  - {kind: name, point: K9}
"""


def test_all_faults_of_a_board_are_listed_at_once() -> None:
    with pytest.raises(BadInput) as caught:
        read_board(BROKEN, "boards/broken.yaml")
    faults = caught.value.faults
    places = [fault.where.removeprefix("boards/broken.yaml: ") for fault in faults]
    assert places == [
        "features[0].hexes[0]",
        "features[0].hexes[1]",
        "features[0].hexes[2]",
        "features[0].hexes[3]",
        "features[1]",
        "features[2].sides[0]",
        "features[2].sides[1]",
        "features[3].line",
        "features[4].line[1]",
        "features[5].line[1]",
        "features[6].outline",
        "features[7].kind",
        "features[8]",
        "features[9].point",
    ]
    assert all(fault.where.startswith("boards/broken.yaml: ") for fault in faults)


def test_faults_of_size_and_shape() -> None:
    with pytest.raises(BadInput) as caught:
        Board.from_draft(BoardDraft("", 0, -1, scale=0))
    assert [fault.where for fault in caught.value.faults] == [
        "board : id",
        "board : columns",
        "board : rows",
        "board : scale",
    ]
    with pytest.raises(BadInput) as caught:
        read_board("{id: b, columns: many, colour: red, grid: {shifted: both}}", "b.yaml")
    assert {fault.where for fault in caught.value.faults} == {
        "b.yaml: columns",
        "b.yaml: colour",
        "b.yaml: grid.shifted",
        "b.yaml: rows",
    }
