"""Maps: boards joined, turned and cropped, without changing what lies on them."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.core.content.reading import convert
from sandtable.core.errors import BadInput
from sandtable.geo.board import Board, read_board
from sandtable.geo.facts import HexFacts
from sandtable.geo.hex import Hex, N, S, centre, neighbour
from sandtable.geo.hexside import hexside
from sandtable.geo.line import trace
from sandtable.geo.map import Edge, GameMap
from sandtable.geo.placing import PlacementDraft

BOARD = """
id: ridge
prefix: "1"
columns: 9
rows: 6
features:
  - {kind: hill, hexes: [C2..E4], level: 1, attributes: {name: Hill 102}}
  - {kind: hill, hexes: [D3], level: 2}
  - {kind: building, hexes: [F2, F3], attributes: {storeys: 2}}
  - {kind: woods, outline: [[15, 6], [24, 6], [24, 12], [15, 12]]}
  - {kind: road, line: [A3, B3, C2, D2, E1, F1, G0]}
  - {kind: stream, line: [I4, H4, G4, F5, E5, E6]}
  - {kind: crest, sides: ["D3:N/NE", "C3:NE"]}
  - {kind: name, point: F3, text: Bir Sola}
"""

RIDGE = read_board(BOARD, "ridge.yaml")
PLAIN = read_board("{id: plain, prefix: '2', columns: 9, rows: 6, features: [{kind: scrub, hexes: [A0..I6]}]}", "plain")
BOARDS = {"ridge": RIDGE, "plain": PLAIN}
RULER = read_board("{id: wide, prefix: '3', columns: 13, rows: 6}", "wide")
WHOLE = read_board("{id: whole, columns: 8, rows: 5, grid: {half_columns: false, half_rows: false}}", "whole")


def joined(*placements: PlacementDraft, boards: dict[str, Board] | None = None) -> GameMap:
    return GameMap.from_boards(boards or BOARDS, placements)


ALONE = GameMap.of_board(RIDGE)


def test_facts_come_from_the_features() -> None:
    assert ALONE.facts[ALONE.hex("C2")] == HexFacts(("hill",), 1, ("road",), {"name": "Hill 102"})
    assert ALONE.facts[ALONE.hex("D3")].level == 2
    assert ALONE.at(ALONE.hex("F3")).attributes == {"storeys": 2}
    assert "woods" in ALONE.at(ALONE.hex("G4")).terrain
    assert ALONE.at(ALONE.hex("A6")) == HexFacts()
    assert ALONE.at(Hex(99, 99)) == HexFacts()
    assert ALONE.side(hexside(ALONE.hex("D3"), N)) == ("crest",)
    assert ALONE.side(hexside(ALONE.hex("A1"), N)) == ()


def test_routes_leave_hexes_through_sides() -> None:
    e5 = ALONE.hex("E5")
    assert ALONE.has_route("stream", e5, S)
    assert not ALONE.has_route("stream", e5, N)
    assert not ALONE.has_route("canal", e5, S)
    assert ALONE.at(e5).routes == ("stream",)
    assert set(ALONE.routes) == {"road", "stream"}


def test_names() -> None:
    assert ALONE.names["Bir Sola"] == (ALONE.hex("F3"),)
    assert len(ALONE.names["Hill 102"]) == 9


def test_labels_of_one_board_work_with_and_without_its_number() -> None:
    assert ALONE.hex("c3") == ALONE.hex("1C3") == ALONE.hex(" C3 ")
    assert ALONE.label(ALONE.hex("C3")) == "C3"
    with pytest.raises(BadInput, match="not on the map"):
        ALONE.hex("Z9")
    with pytest.raises(BadInput, match="not on the map"):
        ALONE.label(Hex(99, 99))


def test_labels_of_several_boards_need_the_number() -> None:
    map = joined(PlacementDraft("ridge"), PlacementDraft("plain", right_of="1"))
    assert map.label(map.hex("2c3")) == "2C3"
    with pytest.raises(BadInput, match="1C3 or 2C3"):
        map.hex("C3")


def test_halves_become_one_hex_of_the_board_that_prints_its_identifier() -> None:
    map = joined(PlacementDraft("ridge"), PlacementDraft("plain", right_of="1"))
    seam = map.hex("1I4")
    assert seam == map.hex("2A4")
    assert map.labels(seam) == ("2A4", "1I4")
    assert map.boards[seam] == ("2", "1")
    # Woods drawn as a shape and the stream reach the shared hex from the board that does not own it.
    assert map.at(seam).terrain == ("woods", "scrub")
    assert map.at(seam).routes == ("stream",)
    assert map.at(map.hex("1I1")).terrain == ("scrub",)


def test_hexes_named_by_a_board_that_does_not_own_them_stay_empty() -> None:
    map = joined(PlacementDraft("plain"), PlacementDraft("ridge", right_of="2"))
    seam = map.hex("2I1")
    assert map.label(seam) == "1A1"
    assert map.at(seam).terrain == ()
    assert not any(seam in feature.hexes for feature in map.features if feature.kind == "scrub")


def test_where_both_halves_print_an_identifier_the_first_board_has_the_hex() -> None:
    map = joined(PlacementDraft("ridge"), PlacementDraft("plain", left_of="1", turned=True))
    seam = map.hex("1A3")
    assert map.labels(seam) == ("1A3", "2A3")
    assert map.at(seam).terrain == ()
    assert map.at(neighbour(seam, 5)).terrain == ("scrub",)


SIDES = ("right_of", "left_of", "above", "below")


def beside(board: str, side: str, other: str, turned: bool = False) -> PlacementDraft:
    return convert({"board": board, side: other, "turned": turned}, PlacementDraft, "placement")


@given(st.sampled_from(SIDES), st.booleans(), st.booleans())
def test_any_edge_joins_any_other_of_its_length(side: str, first_turned: bool, second_turned: bool) -> None:
    second = beside("plain", side, "ridge", second_turned)
    map = joined(PlacementDraft("ridge", turned=first_turned), second)
    shared = [hex for hex, boards in map.boards.items() if len(boards) == 2]
    assert len(shared) == (7 if side in ("right_of", "left_of") else 5)
    total = len(list(RIDGE.layout.hexes())) + len(list(PLAIN.layout.hexes()))
    assert len(map.hexes) == total - len(shared)
    # No gap: a hex that a join surrounds has all six neighbours.
    inner = [hex for hex in shared if hex not in map.exits]
    assert len(inner) == len(shared) - 2


@given(st.sampled_from(SIDES), st.booleans(), st.booleans(), st.data())
def test_joining_and_turning_leave_the_facts_alone(side: str, turned: bool, first: bool, data: st.DataObject) -> None:
    if first:
        placements = [PlacementDraft("ridge", turned=turned), beside("plain", side, "1")]
    else:
        placements = [PlacementDraft("plain"), beside("ridge", side, "2", turned)]
    map = joined(*placements)
    inside = [hex for hex in RIDGE.layout.hexes() if not RIDGE.layout.cut_by(hex)]
    a, b = (data.draw(st.sampled_from(inside)) for _ in "ab")
    there_a, there_b = (map.hex(f"1{RIDGE.label(hex)}") for hex in (a, b))
    for here, there in ((a, there_a), (b, there_b)):
        assert map.facts[there] == ALONE.facts[here]
        for direction in range(6):
            way = (direction + 3) % 6 if turned else direction
            assert map.side(hexside(there, way)) == ALONE.side(hexside(here, direction))
            for kind in ("road", "stream"):
                assert map.has_route(kind, there, way) == ALONE.has_route(kind, here, direction)
    (placed,) = (one for one in map.placed if one.name == "1")
    line, there_line = trace(a, b), trace(there_a, there_b)
    assert there_line.hexes == tuple(placed.transform.hex(hex) for hex in line.hexes)
    assert there_line.sides == tuple(placed.transform.side(side) for side in line.sides)


@given(st.sampled_from(["A-D", "C-I", "B-F"]), st.sampled_from(["0-3", "2-6", ""]))
def test_cropping_leaves_the_facts_alone(columns: str, rows: str) -> None:
    map = joined(PlacementDraft("ridge", columns=columns, rows=rows))
    assert map.hexes < ALONE.hexes
    assert map.facts == ALONE.facts
    assert map.sides == ALONE.sides
    assert all(map.label(hex) == ALONE.label(hex) for hex in map.hexes)
    labels = {map.label(hex) for hex in map.hexes}
    assert all(columns[0] <= label[0] <= columns[2] for label in labels)
    beyond = next(hex for hex in ALONE.hexes if hex not in map.hexes)
    with pytest.raises(BadInput, match="outside the playable area"):
        map.hex(ALONE.label(beyond))


def test_a_board_on_each_side_of_a_corner() -> None:
    boards = dict.fromkeys("pqrs", PLAIN)
    map = joined(
        PlacementDraft("p", name="p"),
        PlacementDraft("q", name="q", right_of="p"),
        PlacementDraft("r", name="r", below="p", turned=True),
        PlacementDraft("s", name="s", below="q"),
        boards=boards,
    )
    corner = map.hex("pI6")
    assert set(map.labels(corner)) == {"pI6", "qA6", "rA6", "sA0"}
    assert map.label(corner) == "sA0"
    assert corner not in map.exits


def test_offsets_and_slides() -> None:
    by_offset = joined(PlacementDraft("ridge"), PlacementDraft("plain", offset=(8, 0)))
    beside = joined(PlacementDraft("ridge"), PlacementDraft("plain", right_of="1"))
    assert by_offset.facts == beside.facts
    boards = {**BOARDS, "wide": RULER}
    slid = joined(PlacementDraft("wide"), PlacementDraft("ridge", below="wide", slide=4), boards=boards)
    assert slid.labels(slid.hex("3E6")) == ("1A0", "3E6")


def test_boards_of_whole_hexes_interlock() -> None:
    boards = {"a": WHOLE, "b": WHOLE}
    beside = joined(PlacementDraft("a", name="a"), PlacementDraft("b", name="b", right_of="a"), boards=boards)
    assert len(beside.hexes) == 80
    assert neighbour(beside.hex("aH3"), 2) == beside.hex("bA3")
    below = joined(PlacementDraft("a", name="a"), PlacementDraft("b", name="b", below="a"), boards=boards)
    assert neighbour(below.hex("aC5"), S) == below.hex("bC1")
    assert neighbour(below.hex("aD5"), S) == below.hex("bD1")
    turned = joined(PlacementDraft("a", turned=True), boards=boards)
    assert len(turned.hexes) == 40


@pytest.mark.parametrize(
    ("placements", "wrong"),
    [
        ([], "is empty"),
        ([PlacementDraft("nowhere")], "is no board"),
        ([PlacementDraft("ridge"), PlacementDraft("plain")], "says not where"),
        ([PlacementDraft("ridge"), PlacementDraft("ridge", right_of="1")], "used twice"),
        ([PlacementDraft("ridge"), PlacementDraft("plain", right_of="7")], "no board placed before"),
        ([PlacementDraft("ridge"), PlacementDraft("plain", right_of="1", below="1")], "together"),
        ([PlacementDraft("ridge"), PlacementDraft("plain", below="1", slide=1)], "do not meet"),
        ([PlacementDraft("ridge"), PlacementDraft("plain", offset=(4, 0))], "both cover"),
        ([PlacementDraft("ridge"), PlacementDraft("wide", below="1")], "9 hexes long"),
        ([PlacementDraft("ridge"), PlacementDraft("whole", right_of="1")], "cuts its hexes"),
        ([PlacementDraft("ridge", columns="D-A")], "is empty"),
        ([PlacementDraft("ridge", columns="?")], "no column"),
        ([PlacementDraft("ridge", rows="low")], "no range of rows"),
        ([PlacementDraft("ridge", rows="40-50")], "no playable hex"),
    ],
)
def test_faults_of_placements(placements: list[PlacementDraft], wrong: str) -> None:
    with pytest.raises(BadInput, match=wrong):
        GameMap.from_boards({**BOARDS, "wide": RULER, "whole": WHOLE}, placements)


def test_all_faults_of_placements_are_listed_at_once() -> None:
    with pytest.raises(BadInput) as caught:
        joined(PlacementDraft("x"), PlacementDraft("ridge", rows="low", columns="9"), PlacementDraft("plain"))
    assert [fault.where for fault in caught.value.faults] == [
        "map: placements[0].board",
        "map: placements[1].columns",
        "map: placements[1].rows",
        "map: placements[2]",
    ]


def test_edges_of_the_map() -> None:
    assert Edge.WEST in ALONE.exits[ALONE.hex("A3")][5]
    assert N not in ALONE.exits[ALONE.hex("A3")]
    north = {ALONE.label(hex) for hex in ALONE.edge_hexes(Edge.NORTH)}
    assert north == {"A0", "B1", "C0", "D1", "E0", "F1", "G0", "H1", "I0"}
    east = {ALONE.label(hex) for hex in ALONE.edge_hexes(Edge.EAST)}
    assert east == {f"I{row}" for row in range(7)}
    assert ALONE.hex("D3") not in ALONE.exits


def test_features_stand_where_their_hexes_are() -> None:
    map = joined(PlacementDraft("plain"), PlacementDraft("ridge", turned=True, right_of="2"))
    (name,) = (feature for feature in map.features if feature.text == "Bir Sola")
    x, y = centre(map.hex("1F3"))
    assert name.at == (x * map.scale, y * map.scale)
    assert name.board == "1"
    (woods,) = (feature for feature in map.features if feature.kind == "woods")
    assert set(woods.hexes) == {map.hex(f"1{ALONE.label(h)}") for h in ALONE.hexes if "woods" in ALONE.at(h).terrain}


def test_boards_of_different_scale_share_one() -> None:
    fine = read_board("{id: fine, columns: 9, rows: 6, scale: 3, features: [{kind: name, point: C3, text: x}]}", "f")
    map = joined(PlacementDraft("ridge"), PlacementDraft("fine", right_of="1"), boards={**BOARDS, "fine": fine})
    assert map.scale == 6
    (name,) = (feature for feature in map.features if feature.text == "x")
    x, y = centre(map.hex("fineC3"))
    assert name.at == (6 * x, 6 * y)


def test_equal_maps_have_equal_digests() -> None:
    again = GameMap.of_board(read_board(BOARD, "elsewhere.yaml"))
    assert again == ALONE
    assert hash(again) == hash(ALONE)
    assert joined(PlacementDraft("ridge", turned=True)) != ALONE
    assert ALONE.hex("C3") in ALONE


def test_a_map_can_be_sent_to_another_process() -> None:
    sent = pickle.loads(pickle.dumps(ALONE))  # noqa: S301 - our own bytes
    assert sent == ALONE
    assert sent.facts == ALONE.facts
