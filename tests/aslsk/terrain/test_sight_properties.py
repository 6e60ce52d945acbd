"""Sight on any map: the same both ways and by every way of asking, and wherever and however a board lies (3.2.1)."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.geo.board import Board
from sandtable.geo.hex import Hex
from sandtable.geo.map import GameMap
from sandtable.geo.placing import PlacementDraft
from sandtable.systems.aslsk.terrain.ground import Ground
from tests.aslsk.sight_grounds import (
    BRUSH,
    DIRT,
    GRAIN,
    ORCHARD,
    SHARED,
    STONE,
    SUMMER,
    WINTER,
    WOODS,
    Grid,
    board_of,
    ground,
    ground_of,
    placed,
    shipped,
    vasl_board,
)
from tests.aslsk.sight_oracle import Oracle

rules = pytest.mark.rules
files = pytest.mark.skipif(not SHARED.is_dir(), reason="no ../shared with VASL board files beside the checkout")

CODES = (WOODS, STONE, GRAIN, BRUSH, ORCHARD, DIRT, 0)


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    """A small picture with rectangles of everything that matters to sight."""
    grid = Grid(5, 4)
    for _ in range(draw(st.integers(1, 3))):
        grid.raise_ground(*draw(boxes(grid)))
    for _ in range(draw(st.integers(1, 8))):
        grid.fill(draw(st.sampled_from(CODES)), *draw(boxes(grid)))
    return grid


def boxes(grid: Grid) -> st.SearchStrategy[tuple[int, int, int, int]]:
    def box(values: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
        x, y, wide, high = values
        return x, y, x + wide, y + high

    return st.tuples(st.integers(0, grid.wide), st.integers(0, grid.high), st.integers(1, 90), st.integers(1, 90)).map(
        box
    )


@st.composite
def drawings(draw: st.DrawFn) -> Board:
    """A small board of outlines, hexes and roads, one over another."""
    features = []
    for _ in range(draw(st.integers(1, 7))):
        kind = draw(st.sampled_from(["woods", "stone_building", "grain", "brush", "hill", "dirt_road", "orchard"]))
        feature: dict[str, object] = {"kind": kind}
        if kind == "dirt_road":
            column = draw(st.sampled_from("BCD"))
            feature["line"] = [f"{column}1", f"{column}4"]
        elif kind == "orchard":
            feature["hexes"] = [draw(st.sampled_from("BCD")) + str(draw(st.integers(1, 4)))]
        else:
            x, y = draw(st.integers(0, 44)), draw(st.integers(0, 28))
            wide, high = draw(st.integers(1, 20)), draw(st.integers(1, 14))
            corners = [[x, y], [x + wide, y], [x + wide, y + high], [x, y + high]]
            # A rectangle, or what is left of it without one corner.
            without = draw(st.sampled_from([None, *corners]))
            feature["outline"] = [corner for corner in corners if corner != without]
            if kind == "hill":
                feature["level"] = 1
        features.append(feature)
    return board_of(*features, columns=5, rows=4, scale=4)


def answers(on: Ground, pairs: list[tuple[Hex, Hex]]) -> list[int]:
    """Sums of hindrances, -1 for blocked."""
    return [max(-1, on.measured[a, b]) for a, b in pairs]


def pairs_of(on: Ground, seed: int, count: int) -> list[tuple[Hex, Hex]]:
    hexes = sorted(on.map.hexes)
    chance = Random(seed)
    return [(a, b) for a, b in (chance.sample(hexes, 2) for _ in range(count))]


def agrees_with_itself(on: Ground, pairs: list[tuple[Hex, Hex]]) -> None:
    """Both directions, the quick answer, the explained one and the report say the same."""
    for a, b in pairs:
        there, back = on.sight(a, b), on.sight(b, a)
        measured = on.measured[a, b]
        assert measured == on.measured[b, a]
        assert there.clear == back.clear == (measured >= 0)
        if there.clear:
            assert there.hindrance == back.hindrance == measured
        else:
            first = on.reason(measured)
            assert (first.hex, first.what, first.rule) == (there.at, there.by, there.rules[0])
            assert (back.at, back.by) == (there.at, there.by)


def agrees_with_the_oracle(on: Ground, pairs: list[tuple[Hex, Hex]]) -> None:
    oracle = Oracle(on)
    for a, b in pairs:
        want = oracle.judge(a, b)
        assert max(-1, on.measured[a, b]) == (-1 if want is None else want), (on.map.label(a), on.map.label(b))


@rules("3.2.1", system="aslsk3")
@given(grids(), st.sampled_from([SUMMER, WINTER]), st.integers(0, 1000))
@settings(max_examples=12)
def test_3_2_1_on_a_picture_sight_is_exact_to_the_cell(grid: Grid, month: int, seed: int) -> None:
    on = grid.ground(month)
    pairs = pairs_of(on, seed, 12)
    agrees_with_the_oracle(on, pairs)
    agrees_with_itself(on, pairs)


@rules("3.2.1", system="aslsk3")
@given(drawings(), st.sampled_from([SUMMER, WINTER]), st.integers(0, 1000))
@settings(max_examples=40)
def test_3_2_1_on_a_drawing_sight_agrees_with_itself(board: Board, month: int, seed: int) -> None:
    on = ground_of(GameMap.of_board(board), month)
    agrees_with_itself(on, pairs_of(on, seed, 60))


@rules("3.2.1", system="aslsk3")
@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 18), st.integers(1, 9), st.integers(1, 9)), max_size=5))
@settings(max_examples=15)
def test_3_2_1_a_drawing_and_a_picture_of_the_same_shapes_see_the_same(shapes: list[tuple[int, int, int, int]]) -> None:
    """Rectangles of six pixels a step as outlines on the lattice and as cells of a picture."""
    grid = Grid(5, 2)
    features = []
    for x, y, wide, high in shapes:
        box = 6 * x, 6 * y, min(6 * (x + wide), grid.wide), min(6 * (y + high), grid.high)
        if box[0] < box[2] and box[1] < box[3]:
            grid.fill(WOODS, *box)
            (x0, y0), (x1, y1) = ((172 * box[0], 100 * box[1]), (172 * box[2], 100 * box[3]))
            features.append({"kind": "woods", "outline": [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]})
    pictured = grid.ground()
    drawn = ground_of(GameMap.of_board(board_of(*features, columns=5, rows=2, scale=3225)))
    pairs = list(combinations(sorted(pictured.map.hexes), 2))
    assert answers(pictured, pairs) == answers(drawn, pairs)


@rules("3.2.1", system="aslsk3")
@given(grids(), drawings(), st.integers(0, 1000))
@settings(max_examples=5)
def test_3_2_1_sight_does_not_change_when_a_board_is_joined_turned_or_cropped(
    grid: Grid, drawn: Board, seed: int
) -> None:
    for board, other in ((grid.board("p"), drawn), (drawn, grid.board("p"))):
        unchanged_by_placing(board, other, seed, 25)


def unchanged_by_placing(board: Board, other: Board, seed: int, count: int) -> None:
    """Pairs of hexes that belong to one board alone see the same, however it lies."""
    alone = ground_of(GameMap.of_board(board))
    inner = [hex for hex in sorted(alone.map.hexes) if not board.layout.cut_by(hex)]
    chance = Random(seed)
    labels = [(alone.map.label(a), alone.map.label(b)) for a, b in (chance.sample(inner, 2) for _ in range(count))]
    want = told(alone, labels, "")
    both, name = [board, other], board.id
    first, second = PlacementDraft(board.id), PlacementDraft(other.id)
    layouts = [
        [PlacementDraft(board.id, turned=True)],
        [first, PlacementDraft(other.id, right_of=name)],
        [first, PlacementDraft(other.id, below=name, turned=True)],
        [second, PlacementDraft(board.id, above=other.id, turned=True)],
    ]
    for layout in layouts:
        assert told(placed(both, *layout), labels, name) == want, layout
    columns = "B-D" if board.layout.columns < 9 else "B-P"
    cropped = placed([board], PlacementDraft(board.id, columns=columns))
    kept = [pair for pair in labels if all(cropped.map._find(label, "") in cropped.map.hexes for label in pair)]
    assert told(cropped, kept, "") == told(alone, kept, "")


def told(on: Ground, labels: list[tuple[str, str]], name: str) -> list[tuple[int, str]]:
    """For each pair the sum of hindrances or -1, and what blocks."""
    found = []
    prefix = name if len(on.map.placed) > 1 else ""
    for a, b in labels:
        sight = on.sight(on.map.hex(prefix + a), on.map.hex(prefix + b))
        found.append((max(-1, on.measured[sight.a, sight.b]), "" if sight.clear else "blocked"))
    return found


@rules("3.2.1", system="aslsk3")
@pytest.mark.parametrize("name", ["t", "u", "v"])
def test_3_2_1_the_shipped_boards_agree_with_themselves(name: str) -> None:
    on = ground(name)
    agrees_with_itself(on, pairs_of(on, 3, 300))


@rules("1.1", "3.2.1", system="aslsk3")
@pytest.mark.parametrize(("name", "other"), [("t", "u"), ("u", "v"), ("v", "t")])
def test_3_2_1_the_shipped_boards_see_the_same_wherever_they_lie(name: str, other: str) -> None:
    unchanged_by_placing(shipped(name), shipped(other), 5, 60)


@rules("3.2.1", system="aslsk3")
@files
@pytest.mark.parametrize("name", ["t", "u", "v"])
@pytest.mark.parametrize("month", [SUMMER, WINTER])
def test_3_2_1_imported_boards_are_exact_to_the_cell(name: str, month: int) -> None:
    on = ground_of(GameMap.of_board(vasl_board(name)), month)
    agrees_with_the_oracle(on, pairs_of(on, month, 10))
    agrees_with_itself(on, pairs_of(on, month + 1, 250))


@rules("1.1", "3.2.1", system="aslsk3")
@files
@pytest.mark.parametrize(("name", "other"), [("t", "v"), ("u", "t"), ("v", "u")])
def test_3_2_1_imported_boards_see_the_same_wherever_they_lie(name: str, other: str) -> None:
    unchanged_by_placing(vasl_board(name), vasl_board(other), 7, 60)


@rules("1.1.1", "3.2.1", system="aslsk3")
@files
def test_3_2_1_imported_boards_show_what_the_examples_say() -> None:
    from tests.aslsk.sight_grounds import blocked_at, hindered

    summer = ground_of(GameMap.of_board(vasl_board("v")), SUMMER)
    for target in ("C6", "C5", "D4", "E5", "F4"):
        assert blocked_at(summer, "E3", target)[1] == "orchard"
    assert hindered(summer, "E3", "G5") == []
    for target in ("O7", "N9"):
        assert hindered(summer, "L8", target) == []
    winter = ground_of(GameMap.of_board(vasl_board("v")), 12)
    assert hindered(winter, "E3", "C6") == ["D4", "E4"]


def test_lines_are_not_traced_off_the_map() -> None:
    """Three boards in an L: between the ends of the L a line would leave the map."""
    boards = [board_of(columns=5, rows=4, name=name) for name in ("a", "b", "c")]
    on = placed(boards, PlacementDraft("a"), PlacementDraft("b", right_of="a"), PlacementDraft("c", below="a"))
    a, b = on.map.hex("bE4"), on.map.hex("cE4")
    sight = on.sight(a, b)
    assert sight.blocked
    assert sight.by == "the edge of the map"
    assert on.measured[a, b] < 0
    assert on.clear(on.map.hex("aC2"), on.map.hex("cC3"))
