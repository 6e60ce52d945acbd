"""Line of sight of the Panzer Basic Game, rule by rule, on maps drawn here: heights and ties (4.1.4.2)."""

import pytest

from sandtable.systems.panzer.edition import MBT, PANZER_NA, Edition
from sandtable.systems.panzer.hex.sight.ground import Ground
from sandtable.systems.panzer.hex.sight.sightline import How
from tests.panzer.grounds import TREES, column, drawn_ground, look, seen

rules = pytest.mark.rules
both_books = pytest.mark.parametrize("edition", [PANZER_NA, MBT], ids=lambda edition: edition.id)


@rules("4.1.4.2", "4.1.4.2.1")
@both_books
def test_4_1_4_2_1_an_obstacle_higher_than_both_blocks_at_any_range(edition: Edition) -> None:
    ground = column("2 . . T . . . . . . . . . 1 .", edition)
    for target in ("A5", "A14", "A15"):
        assert look(ground, "A1", target).rule == "4.1.4.2.1"


@rules("4.1.4.2", "4.1.4.2.2")
@both_books
def test_4_1_4_2_2_an_obstacle_as_high_as_one_hides_all_behind_it(edition: Edition) -> None:
    ground = column("3 . . T . . . . . . . . . 2 .", edition)
    for target in ("A5", "A14", "A15"):
        assert look(ground, "A1", target).rule == "4.1.4.2.2"


@rules("4.1.4.2", "4.1.4.2.3")
@both_books
def test_4_1_4_2_3_an_obstacle_not_higher_than_either_does_not_block(edition: Edition) -> None:
    ground = column("3 . 2 T . 1 . 3 4", edition)
    assert seen(ground, "A1", "A8")
    assert seen(ground, "A1", "A9")
    assert {step.rule for step in look(ground, "A1", "A8").steps} == {"4.1.4.2.5", "4.1.4.1.1", "4.1.4.2.3"}
    assert look(ground, "A1", "A8").rules == ("4.1.4.2.3",)
    assert look(column(". . .", edition), "A1", "A3").rule == ""


@rules("4.1.4.2", "4.1.4.2.4")
@both_books
@pytest.mark.parametrize(
    ("below", "at", "last"), [(1, 14, 21), (2, 16, 20), (3, 18, 20), (4, 19, 20), (5, 19, 20), (1, 1, 2), (3, 5, 6)]
)
def test_4_1_4_2_4_blind_zones(edition: Edition, below: int, at: int, last: int) -> None:
    """Trees of Height 3 at range ``at`` from the higher vehicle hide what is behind them up to range ``last``."""
    words = [str(3 + below)] + ["."] * (at - 1) + ["T"] + ["."] * (last - at + 3)
    ground = column(" ".join(words), edition)
    hidden = [n for n in range(at + 1, len(words)) if not seen(ground, "A1", f"A{n + 1}")]
    assert hidden == list(range(at + 1, last + 1))
    first = look(ground, "A1", f"A{at + 2}")
    assert (first.rule, first.steps[at].zone) == ("4.1.4.2.4", last - at)


@rules("4.1.4.2.4", "4.1.4.2.4.1")
@both_books
@pytest.mark.parametrize(("lower", "divisors"), [(0, [2, 4, 8]), (1, [3, 5, 9]), (2, [4, 6, 10]), (-1, [2, 3, 7])])
def test_4_1_4_2_4_1_divisors(edition: Edition, lower: int, divisors: list[int]) -> None:
    zones = column(".", edition).blind_zones
    assert [zones.divisor(below, lower) for below in (1, 2, 3)] == divisors
    assert [zones.zone(4, lower, reach) for reach in (1, 16, 40)] == [1, 1, 1]


@rules("4.1.4.2.4.1")
@both_books
@pytest.mark.parametrize(
    ("below", "lower", "zone"), [(1, "1", 4), (2, "1", 2), (3, "1", 1), (1, "y", 7), (2, "y", 4), (3, "y", 2)]
)
def test_4_1_4_2_4_1_a_lower_vehicle_not_at_height_0(edition: Edition, below: int, lower: str, zone: int) -> None:
    words = [str(3 + below)] + ["."] * 13 + ["T"] + [lower] * 9
    ground = column(" ".join(words), edition)
    hidden = [n for n in range(15, len(words)) if not seen(ground, "A1", f"A{n + 1}")]
    assert hidden == list(range(15, 15 + zone))
    assert look(ground, "A1", "A16").rule == "4.1.4.2.4.1"


@rules("4.1.4.2.4")
@both_books
def test_4_1_4_2_4_hills_between_cast_blind_zones_too(edition: Edition) -> None:
    ground = column("2 . . . 1 . . . .", edition)
    assert [seen(ground, "A1", f"A{n}") for n in (6, 7, 8, 9)] == [False, False, True, True]


@rules("4.1.4.2.4")
@both_books
def test_4_1_4_2_4_behind_a_hexside_the_zone_begins_in_the_farther_hex(edition: Edition) -> None:
    """Range to the nearer hex 8, so the zone is four hexes, from range 9."""
    words = " ".join(["2"] + ["."] * 15)
    ground = column(words, edition, features=[{"kind": "hedgerow", "sides": ["A9:S"]}])
    assert [n for n in range(1, 16) if not seen(ground, "A1", f"A{n + 1}")] == [9, 10, 11, 12]


@rules("4.1.4.2.5")
@both_books
def test_4_1_4_2_5_one_sees_one_hex_into_and_out_of_an_obstacle(edition: Edition) -> None:
    ground = column(". . T T T . .", edition)
    assert seen(ground, "A1", "A3")
    assert not seen(ground, "A1", "A4")
    assert seen(ground, "A5", "A7")
    assert seen(ground, "A3", "A4")
    assert not seen(ground, "A3", "A5")


@rules("4.1.4.2.5")
@both_books
def test_4_1_4_2_5_unless_a_hexside_intervenes(edition: Edition) -> None:
    ground = column(". T T .", edition, features=[{"kind": "hedgerow", "sides": ["A1:S", "A2:S"]}])
    assert not seen(ground, "A1", "A2")
    assert not seen(ground, "A2", "A3")
    assert seen(ground, "A3", "A4")


# Between A2 and C2 the line runs along the hexside of B2 and B3.
@rules("4.1.4.2.6")
@both_books
@pytest.mark.parametrize("hidden_by", ["B2", "B3"])
def test_4_1_4_2_6_a_line_along_an_obstacles_hexside_is_blocked(edition: Edition, hidden_by: str) -> None:
    trees = TREES[edition.id]
    rows = [
        [".", ".", "."],
        [".", trees if hidden_by == "B2" else ".", "."],
        [".", trees if hidden_by == "B3" else ".", "."],
    ]
    ground = drawn_ground("\n".join(" ".join(row) for row in rows), edition)
    blocked = look(ground, "A2", "C2")
    assert (blocked.at_label, blocked.rules) == (hidden_by, ("4.1.4.2.1", "4.1.4.2.6"))
    assert next(step.how for step in blocked.steps if step.blocks) is How.ALONG


@rules("4.1.4.2.6")
@both_books
def test_4_1_4_2_6_a_hexside_run_along_blocks_and_one_met_at_its_end_does_not(edition: Edition) -> None:
    def with_hedges(*sides: str) -> Ground:
        return drawn_ground(". . .\n. . .\n. . .", edition, features=[{"kind": "hedgerow", "sides": list(sides)}])

    assert look(with_hedges("B2:S"), "A2", "C2").rules == ("4.1.4.2.1", "4.1.4.2.6")
    assert seen(with_hedges("A2:NE"), "A2", "C2")
    assert seen(with_hedges("A2:SE"), "A2", "C2")
    met = look(with_hedges("A2:NE", "A2:SE"), "A2", "C2")
    assert next(step.how for step in met.steps if step.blocks) is How.MEETING
    assert seen(with_hedges("A2:NE", "C2:SW"), "A2", "C2")


# From A1 to E4 the line passes A1, B2, C2, C3, D4 and E4: from B2 to C2 and from C3 to D4 exactly through a vertex,
# where it touches B3 and D3.
@rules("4.1.4", "4.1.4.2.6")
@both_books
def test_4_1_4_2_6_a_fraction_of_a_hex_is_enough_and_a_vertex_is_not(edition: Edition) -> None:
    def trees_in(label: str) -> Ground:
        return drawn_ground(_with(label, TREES[edition.id]), edition)

    for label in ("B2", "C2", "C3", "D4"):
        assert look(trees_in(label), "A1", "E4").at_label == label
    for label in ("B3", "D3", "C4", "B1"):
        assert seen(trees_in(label), "A1", "E4")


def _with(label: str, code: str) -> str:
    """Five columns, four rows, one hex with that code."""
    return "\n".join(" ".join(code if f"{name}{row}" == label else "." for name in "ABCDE") for row in range(1, 5))


@rules("4.1.4.2.6")
@both_books
def test_4_1_4_2_6_passing_a_vertex_from_hex_to_hex_crosses_the_hexside_between(edition: Edition) -> None:
    def with_hedges(*sides: str) -> Ground:
        return drawn_ground(_with("", ""), edition, features=[{"kind": "hedgerow", "sides": list(sides)}])

    blocked = look(with_hedges("B2:SE"), "A1", "E4")
    assert blocked.rules == ("4.1.4.2.1", "4.1.4.2.6")
    assert next(step.how for step in blocked.steps if step.blocks) is How.VERTEX
    assert seen(with_hedges("B3:N", "B3:NE"), "A1", "E4")
