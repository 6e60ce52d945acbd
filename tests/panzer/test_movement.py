"""Movement of the Basic Game (3.3, 3.7, 4.5.1.1.1 to 4.5.1.1.11 of both books), rule by rule."""

import msgspec
import pytest

from sandtable.core.errors import Refused
from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.edition import MBT, PANZER_NA, Edition
from sandtable.systems.panzer.hex.movement import Progress, Rate, damaged_on_the_way, move_allowance
from sandtable.systems.panzer.hex.movement_costs import allowance
from sandtable.systems.panzer.hex.state import Command, Status, WreckKind
from tests.panzer.grounds import tables
from tests.panzer.movers import Field, X, cards, legs, line, on, reserve, sides

PLAIN = """
    . . . . .
    . . . . .
    . . . . .
    . . . . .
    . . . . .
    . . . . .
"""


def speed(card: str, command: Command, damaged: bool, rate: Rate, edition: Edition = PANZER_NA) -> int:
    told = allowance(cards(edition.id)[CardId(card)], command, damaged, rate, edition, tables(edition.id))
    assert told.total == told.base + sum(term.value for term in told.terms)
    return told.total


# --- allowances -----------------------------------------------------------------------------------------


@pytest.mark.rules("3.7")
def test_3_7_half_of_5_is_2_and_a_quarter_is_1() -> None:
    assert speed("crusader-i", Command.MOVE, False, Rate.CROSS_COUNTRY) == 5
    assert speed("crusader-i", Command.SHORT_HALT, False, Rate.CROSS_COUNTRY) == 2
    assert speed("crusader-i", Command.MOVE, True, Rate.CROSS_COUNTRY) == 2
    assert speed("crusader-i", Command.SHORT_HALT, True, Rate.CROSS_COUNTRY) == 1


@pytest.mark.rules("3.7")
def test_3_7_an_allowance_is_never_less_than_1() -> None:
    assert speed("matilda-ii", Command.SHORT_HALT, True, Rate.CROSS_COUNTRY) == 1
    assert speed("matilda-ii", Command.SHORT_HALT, True, Rate.PATH) == 1


@pytest.mark.rules("4.5.1.1.1")
def test_4_5_1_1_1_movement_factors_of_both_books() -> None:
    three = (Rate.CROSS_COUNTRY, Rate.PATH, Rate.ROAD)
    assert [speed("panzerjager-i", Command.MOVE, False, rate) for rate in three] == [4, 6, 9]
    assert [speed("t-80bv", Command.MOVE, False, rate, MBT) for rate in three] == [8, 10, 16]
    assert speed("panzerjager-i", Command.MOVE, False, Rate.TRACK) == 4


@pytest.mark.rules("3.7", "4.5.1.1.1", system="mbt")
def test_4_5_1_1_1_stabilisation_1_keeps_three_quarters_on_a_short_halt() -> None:
    assert speed("m1", Command.SHORT_HALT, False, Rate.CROSS_COUNTRY, MBT) == 6
    assert speed("m1", Command.SHORT_HALT, False, Rate.ROAD, MBT) == 12
    assert speed("t-80bv", Command.SHORT_HALT, False, Rate.CROSS_COUNTRY, MBT) == 4
    assert speed("m1", Command.SHORT_HALT, True, Rate.CROSS_COUNTRY, MBT) == 2


@pytest.mark.rules("4.5", "4.5.1.1")
def test_4_5_only_a_move_or_short_halt_moves_and_only_once() -> None:
    field = on(PLAIN).place("B5")
    assert field.why("F") == ""
    for command in (Command.FIRE, Command.OVERWATCH, Command.NONE):
        assert field.change(command=command).why("F") == "4.5"
    assert field.change(command=Command.SHORT_HALT).why("F F") == ""
    assert field.why("F F F") == "4.5.1.1.3"
    assert field.change(moved=True).why("F") == "4.5.1.1"
    assert field.change(status=Status.KNOCKED_OUT).why("F") == "4.5"


# --- facing and terrain ---------------------------------------------------------------------------------


@pytest.mark.rules("3.3", "4.5.1.1", "4.5.1.1.7")
def test_3_3_forward_is_through_the_front_and_reverse_through_the_rear() -> None:
    field = on(PLAIN).place("C3", "NE")
    ahead, back, turned = field.end("F"), field.end("R"), field.end("-1F")
    assert (ahead.hex, ahead.facing) == (field.hex("D3"), 1)
    assert (back.hex, back.facing) == (field.hex("B4"), 1)
    assert (turned.hex, turned.facing) == (field.hex("C2"), 0)


@pytest.mark.rules("4.5.1.1.2")
@pytest.mark.parametrize(("edition", "card"), [(PANZER_NA, "crusader-i"), (MBT, "t-80bv")])
def test_4_5_1_1_2_clear_costs_1_and_rough_4_for_tracks(edition: Edition, card: str) -> None:
    field = on(". . .\n. r .\n. . .\n. . .", edition).place("B4", card=card)
    assert [leg.spent for leg in field.walk("F F")] == [1, 5]
    assert field.step("F F").explain() == "Movement cost 4 (4.5.1.1.2): 4 Rough in B2"


@pytest.mark.rules("4.5.1.1.2")
@pytest.mark.parametrize("edition", [PANZER_NA, MBT])
def test_4_5_1_1_2_up_a_slope_into_scrub_costs_3(edition: Edition) -> None:
    field = on(". . .\n. s1 .\n. . .", edition, sides("slope", "B2:S")).place("B3", card=_tracked(edition))
    cost = field.step("F")
    assert cost.total == 3
    assert [(term.value, term.rule) for term in cost.terms] == [(1, "4.5.1.1.2")]


@pytest.mark.rules("4.5.1.1.2", "4.1.4.1.5")
def test_4_5_1_1_2_height_limits_slopes_and_cliffs() -> None:
    hill = ". .1 .\n. .3 .\n. .1 .\n. . .\n. .2 .\n. . ."
    field = on(hill, PANZER_NA, sides("slope", "B3:S", "B2:S", "B4:S", "B5:S"))
    assert field.place("B3", card="crusader-i").spent("F") == 3
    assert field.place("B3", card="sdkfz-222").why("F") == "4.5.1.1.2"
    assert field.place("B3", card="sdkfz-222").spent("R") == 3, "reverse 2, down one Height 1"
    assert field.place("B4", card="crusader-i", facing="S").spent("F") == 3
    assert field.place("B2", card="crusader-i").why("F") == "4.1.4.1.5", "no slope towards B1"
    tall = on(". .3 .\n. . .", PANZER_NA, sides("slope", "B1:S")).place("B2", card="crusader-i")
    assert tall.why("F") == "4.5.1.1.2"


@pytest.mark.rules("4.5.1.1.2")
def test_4_5_1_1_2_a_crest_between_equal_heights_costs_1() -> None:
    field = on(". .1 .\n. .1 .\n. .1 .", PANZER_NA, sides("crest", "B2:N")).place("B3")
    assert [leg.spent for leg in field.walk("F F")] == [1, 3]


@pytest.mark.rules("4.5.1.1.2")
@pytest.mark.parametrize("edition", [PANZER_NA, MBT])
def test_4_5_1_1_2_walls_are_for_tracked_vehicles_alone(edition: Edition) -> None:
    wall = on(". . .\n. s .\n. . .", edition, sides("wall", "B3:N"))
    assert wall.place("B3", card=_tracked(edition)).spent("F") == 3
    wheeled = "sdkfz-222" if edition is PANZER_NA else "btr-80"
    assert wall.place("B3", card=wheeled).why("F") == "4.5.1.1.2"
    if edition is PANZER_NA:
        assert wall.place("B3", card="spw-251-1").why("F") == "4.5.1.1.2"
        assert wall.place("B3", "NE", card="spw-251-1").why("F") == ""


@pytest.mark.rules("4.5.1.1.2", "4.5.1.1.3", system="mbt")
def test_4_5_1_1_2_a_hedgerow_takes_the_whole_allowance() -> None:
    field = on(PLAIN, MBT, sides("hedgerow", "B4:N")).place("B4", card="t-80bv")
    crossed = field.end("F")
    assert crossed.spent == 8
    assert crossed.step is not None
    assert crossed.step.total == 8
    assert field.why("1F -1F -1F") == "", "round it"
    assert field.why("F F") == "4.5.1.1.3"
    assert field.why("F 1") == "", "a free turn behind it"
    assert field.why("F 2") == "4.5.1.1.4"
    assert field.place("B5", card="t-80bv").why("F F") == "4.5.1.1.2", "only as the whole move"
    assert field.place("B4", card="btr-80").why("F") == "4.5.1.1.2"


@pytest.mark.rules("4.5.1.1.2")
def test_4_5_1_1_2_prohibited_terrain() -> None:
    water = on(". . .\n. o .\n. . .").place("B3")
    assert water.why("F") == "4.5.1.1.2"
    assert on(". . .\n. r .\n. . .").place("B3", card="sdkfz-222").why("F") == "4.5.1.1.2"
    woods = on(". . .\n. v .\n. . .", MBT).place("B3", card="t-80bv")
    assert woods.why("F") == "4.5.1.1.2"


@pytest.mark.rules("4.5.1.1.2")
def test_4_5_1_1_2_brew_up_smoke_adds_1_to_moving_and_turning() -> None:
    field = on(". . .\n. s .\n. . .\n. . .").place("B3", card="stuart-i").wreck("B2", WreckKind.BU)
    assert field.step("F").total == 3
    assert field.spent("F 2") == 5, "Scrub 2 and its turn 1, smoke in both"
    assert field.step("F F").total == 1
    backwards = on(". . .\n. s .\n. . .").place("B3", "S").wreck("B2", WreckKind.BU)
    assert backwards.step("R").total == 5, "twice the Scrub, smoke once"
    assert on(PLAIN).place("B3").wreck("B2", WreckKind.KO).step("F").total == 1


@pytest.mark.rules("4.1.4.1.3", "4.5.1.1.2")
def test_4_5_1_1_2_a_building_hex_is_entered_as_an_alley() -> None:
    assert on(". . .\n. b .\n. . .").place("B3").step("F").explain().endswith("1 Alley in B2")


@pytest.mark.rules("4.5.1.1.2", system="mbt")
def test_4_5_1_1_2_railroad_tracks_slow_wheels() -> None:
    field = on(PLAIN, MBT, line("railroad_track", "A3", "B3", "C3"))
    assert field.place("B4", card="btr-80").step("F").total == 2
    assert field.place("B4", card="t-80bv").step("F").total == 1


# --- exceeding and turning ------------------------------------------------------------------------------


@pytest.mark.rules("4.5.1.1.3")
def test_4_5_1_1_3_one_hex_may_exceed_the_allowance() -> None:
    field = on(". r .\n. r .\n. . .\n. r .").place("B3", card="matilda-ii")
    assert field.end("F").spent == 4
    assert field.step("F").terms[-1].rule == "4.5.1.1.3"
    assert field.why("1F") == ""
    assert field.spent("R") == 8
    assert field.why("F 1") == "", "a free turn is no expense"
    assert field.why("F F") == "4.5.1.1.3"
    assert field.why("F 2") == "4.5.1.1.4"
    assert field.place("B4", card="matilda-ii").why("F F") == "4.5.1.1.3"


@pytest.mark.rules("4.5.1.1.3")
def test_4_5_1_1_3_not_after_paying_for_a_turn() -> None:
    field = on(". r .\n. . .\n. . .").place("B2", "SE", card="matilda-ii")
    assert field.why("-2F") == "4.5.1.1.3"
    assert field.place("B2", "NE", card="matilda-ii").why("-1F") == ""


@pytest.mark.rules("4.5.1.1.4")
def test_4_5_1_1_4_one_hexside_is_free_in_every_hex() -> None:
    field = on(PLAIN).place("C4")
    walked = field.walk("1F -1F 1F -1F")
    assert [leg.spent for leg in walked] == [1, 2, 3, 4]
    assert all(leg.turn is not None and leg.turn.total == 0 for leg in walked)
    assert field.why("1F -1F 1F -1F 1") == "", "also at the very end"


@pytest.mark.rules("4.5.1.1.4")
def test_4_5_1_1_4_turn_cost_is_of_the_terrain_not_of_the_magnitude() -> None:
    for turn in ("2", "-2", "3"):
        assert on(PLAIN).place("C4").spent(turn) == 1
        assert on(". . .\n. r .\n. . .").place("B2").spent(turn) == 2
    assert on(". . .\n. r .\n. . .").place("B2").spent("3R") == 4, "2 for the turn, 2 for Clear in reverse"
    assert on(PLAIN).place("C4").why("4") == "4.5.1.1.4"


@pytest.mark.rules("4.5.1.1.4")
def test_4_5_1_1_4_into_a_grove_and_two_hexsides_costs_5() -> None:
    grove = ". . .\n. g .\n. . ."
    assert on(grove).place("B3", card="crusader-i").spent("F 2") == 5
    assert on(grove).place("B3", card="panzerjager-i").why("F 2") == "4.5.1.1.4", "its factor is 4T"
    woods = on(". . .\n. w .\n. . .", MBT).place("B3", card="t-80bv")
    assert woods.spent("F 3") == 5


@pytest.mark.rules("4.5.1.1.4")
def test_4_5_1_1_4_turning_never_exceeds_the_allowance() -> None:
    field = on(PLAIN).place("C5")
    assert field.why("F F F 2") == ""
    assert field.why("F F F F 2") == "4.5.1.1.4"
    assert field.why("F F F F 1") == ""
    assert on(". . .\n. r .\n. . .").place("B2", card="matilda-ii", damaged=True).why("2") == "4.5.1.1.4"


@pytest.mark.rules("4.5.1.1.4")
def test_4_5_1_1_4_turns_in_one_hex_add_up_and_are_paid_once() -> None:
    field = on(PLAIN).place("C5")
    mover = field.mover()
    first = mover.turn(mover.start(), 1)
    assert first is not None
    second = mover.turn(first, 1)
    assert second is not None
    third = mover.turn(second, 3)
    assert third is not None
    assert [first.spent, second.spent, third.spent] == [0, 1, 1]


# --- paths and roads ------------------------------------------------------------------------------------

TALL = "\n".join(["r r r"] * 20)


@pytest.mark.rules("4.5.1.1.5")
def test_4_5_1_1_5_six_road_and_three_path_hexes_use_the_road_allowance() -> None:
    field = on(TALL, PANZER_NA, line("road", "B20-B14"), line("path", "B14-B5")).place("B20", card="panzerjager-i")
    end = field.end(" ".join("F" * 9))
    assert (end.spent, end.rate, end.hex) == (9, Rate.ROAD, field.hex("B11"))
    assert field.why(" ".join("F" * 10)) == "4.5.1.1.5"
    mbt = on(TALL, MBT, line("road", "B20-B10"), line("path", "B10-B1")).place("B20", card="t-80bv")
    end = mbt.end(" ".join("F" * 16))
    assert (end.spent, end.rate) == (16, Rate.ROAD)
    assert mbt.why(" ".join("F" * 17)) == "4.5.1.1.5"


@pytest.mark.rules("4.5.1.1.5")
def test_4_5_1_1_5_when_equal_the_path_allowance_counts() -> None:
    field = on(TALL, PANZER_NA, line("road", "B20-B17"), line("path", "B17-B5")).place("B20", card="panzerjager-i")
    assert field.end("F F F F F F").rate is Rate.PATH
    assert field.why("F F F F F F F") == "4.5.1.1.5", "3 Road and 4 Path hexes have the Path allowance of 6"


@pytest.mark.rules("4.5.1.1.5")
def test_4_5_1_1_5_a_long_path_is_made_good_by_a_longer_road() -> None:
    field = on(TALL, PANZER_NA, line("path", "B20-B16"), line("road", "B16-B1")).place("B20", card="panzerjager-i")
    assert field.why("F F F F F F F") == "4.5.1.1.5", "4 Path and 3 Road hexes"
    assert field.end("F F F F F F F F F").rate is Rate.ROAD
    offered = {" ".join("F" * length) for length in range(1, 10)} - {"F F F F F F F", "F F F F F F F F"}
    assert {text for text in offered if field.why(text)} == set()


@pytest.mark.rules("4.5.1.1.5", "4.5.1.1.7")
def test_4_5_1_1_5_two_for_reverse_along_a_road() -> None:
    field = on(TALL, PANZER_NA, line("road", "B20-B1")).place("B20", "S", card="panzerjager-i")
    assert field.end("R R R R").spent == 8
    assert field.why("R R R R R") == "4.5.1.1.5"


@pytest.mark.rules("4.5.1.1.5")
def test_4_5_1_1_5_off_the_road_the_entire_move_is_cross_country() -> None:
    field = on(PLAIN, PANZER_NA, line("road", "B6-B1")).place("B6")
    assert field.why("F F F F 1F") == "4.5.1.1.5"
    assert field.end("F F F 1F").rate is Rate.CROSS_COUNTRY
    assert field.why("F F F F F") == ""
    onto = on(PLAIN, PANZER_NA, line("road", "B5-B1")).place("B6")
    assert onto.why("F F F F F") == "4.5.1.1.3", "did not start on it"


@pytest.mark.rules("4.5.1.1.5")
def test_4_5_1_1_5_facing_stays_along_the_route() -> None:
    bend = on(PLAIN, PANZER_NA, line("road", "B6", "B5", "B4", "B3", "C2", "D3")).place("B6", "SW")
    assert bend.why("2F F F") == "", "any facing at the start; the turn is paid"
    assert bend.change(facing=0).why("F F F 1") == "", "the way on"
    assert bend.end("F F F 1F 1").facing == 2, "the road bends again in C2"
    assert bend.why("F F F 1F 1F") == ""
    field = on(TALL, PANZER_NA, line("road", "B20-B1")).place("B20", card="panzerjager-i")
    assert field.why("F F F F F") == ""
    assert field.why("F F F F F 1") == "4.5.1.1.5", "not along the road"
    assert field.why("F F F F F 3") == "4.5.1.1.5", "nor back along it"
    assert field.why("F F 3F F") == "", "but it may drive back"


@pytest.mark.rules("4.5.1.1.5")
def test_4_5_1_1_5_sharp_bends_pay_the_turn() -> None:
    hook = on(PLAIN, PANZER_NA, line("road", "B5", "B4", "C4", "C5", "C6")).place("B5")
    end = hook.end("F 2F 1F F")
    assert end.rate is Rate.ROAD
    assert end.spent == 5


@pytest.mark.rules("4.5.1.1.5")
def test_4_5_1_1_5_wrecks_and_enemies_on_the_route_force_cross_country() -> None:
    def road() -> Field:
        return on(PLAIN, PANZER_NA, line("road", "B6-B1")).place("B6")

    assert road().end("F F F F F").rate is Rate.ROAD
    assert road().wreck("B4").why("F F F F F") != ""
    assert road().wreck("B4").end("F F F F").rate is Rate.CROSS_COUNTRY
    assert road().enemy("B4").why("F F F F F") != ""
    assert road().enemy("B4").end("F F F F").rate is Rate.CROSS_COUNTRY
    assert road().place("B4", unit="f").end("F F F F F").rate is Rate.ROAD
    assert road().wreck("B6").end("F F F F F").rate is Rate.ROAD, "the hex that it starts from is not entered"


@pytest.mark.rules("4.5.1.1.5", "3.8")
def test_4_5_1_1_5_an_over_stacked_hex_forces_cross_country() -> None:
    field = on(PLAIN, PANZER_NA, line("road", "B6-B1")).place("B6")
    for index in range(4):
        field.place("B4", unit=f"f{index}")
    assert field.end("F F F F F").rate is Rate.ROAD, "five with the mover"
    field.place("B4", unit="f4")
    assert field.why("F F F F F") != ""
    assert field.end("F F F F").rate is Rate.CROSS_COUNTRY


@pytest.mark.rules("4.5.1.1.5")
@pytest.mark.parametrize("edition", [PANZER_NA, MBT])
def test_4_5_1_1_5_a_road_takes_1_off_the_change_of_height(edition: Edition) -> None:
    hill = "\n".join([". .3 ."] * 4 + [". .1 .", ". . ."] + [". . ."] * 6)
    slopes = sides("slope", "B4:S", "B5:S")
    field = on(hill, edition, line("road", "B12-B1"), slopes).place("B12", card=_tracked(edition))
    walked = field.walk("F F F F F F F F")
    assert walked[-1].rate is Rate.ROAD
    assert [leg.step.total for leg in walked if leg.step] == [1, 1, 1, 1, 1, 1, 1, 2]


@pytest.mark.rules("4.5.1.1.5")
def test_4_5_1_1_5_height_discount_in_a_cross_country_move() -> None:
    """North Africa asks for a connected road only; MBT for a move at Path or Road speed."""
    hill = ". .1 .\n. .1 .\n. . .\n. . ."
    features = (line("road", "B3-B1"), sides("slope", "B2:S"))
    assert on(hill, PANZER_NA, *features).place("B4", card="crusader-i").step("F F").total == 1
    assert on(hill, MBT, *features).place("B4", card="t-80bv").step("F F").total == 2


@pytest.mark.rules("4.5.1.1.5", system="mbt")
def test_4_5_1_1_5_mbt_one_a_hex_along_a_road_without_having_started_on_it() -> None:
    features = line("road", "B5-B1")
    mbt = on(". r .\n. r .\n. r .\n. r .\n. r .\n. . .", MBT, features).place("B6", card="t-80bv")
    walked = mbt.walk("F F F F")
    assert [leg.step.total for leg in walked if leg.step] == [4, 1, 1, 1]
    assert walked[-1].rate is Rate.CROSS_COUNTRY
    na = on(". r .\n. r .\n. r .\n. r .\n. r .\n. . .", PANZER_NA, features).place("B6", card="stuart-i")
    assert na.why("F F") == "4.5.1.1.3"


@pytest.mark.rules("4.5.1.1.5", system="mbt")
def test_4_5_1_1_5_mbt_prohibited_terrain_is_open_along_a_road() -> None:
    cells = "v v v\nv v v\nv v v\n. . ."
    field = on(cells, MBT, line("road", "B4-B1")).place("B4", card="t-80bv")
    assert [leg.spent for leg in field.walk("F F F")] == [1, 2, 3]
    assert field.why("F 1F") == "4.5.1.1.2"
    assert field.place("A3", "NE", card="t-80bv").why("F") == "4.5.1.1.2", "B3 is entered along the road only"


@pytest.mark.rules("4.5.1.1.5", system="panzer-na")
def test_4_5_1_1_5_route_speed_ignores_prohibited_terrain_in_north_africa() -> None:
    field = on(TALL, PANZER_NA, line("road", "B20-B1")).place("B20", card="sdkfz-222")
    assert field.end("F F F F F F F F").rate is Rate.ROAD
    assert field.why("1F") == "4.5.1.1.2"
    assert field.wreck("B18").why("F F") == "4.5.1.1.5"


@pytest.mark.rules("4.5.1.1.5")
def test_4_5_1_1_5_a_route_passes_walls_and_hill_edges() -> None:
    field = on(". . .\n. . .\n. .1 .\n. . .", PANZER_NA, line("path", "B4-B1"), sides("wall", "B3:N"))
    assert field.place("B4", card="spw-251-1").why("F F F") == ""


# --- bridges, reverse, standing still -------------------------------------------------------------------


@pytest.mark.rules("4.5.1.1.6")
@pytest.mark.parametrize("edition", [PANZER_NA, MBT])
def test_4_5_1_1_6_a_bridge_is_entered_and_left_along_its_routes(edition: Edition) -> None:
    features = (line("path", "B5-B3"), line("road", "B3-B1"), {"kind": "bridge", "hexes": ["B3"]})
    field = on(". . .\n. . .\no o o\n. . .\n. . .", edition, *features).place("B5", card=_tracked(edition))
    walked = field.walk("F F F")
    assert [leg.progress.roads for leg in walked] == [0, 1, 2], "Path on one end, Road on the other: a Road hex"
    assert field.why("F F 1F") == "4.5.1.1.6"
    assert field.place("A3", "NE", card=_tracked(edition)).why("F") == "4.5.1.1.6"
    assert field.place("C3", "NW", card=_tracked(edition)).why("F") == "4.5.1.1.6"


@pytest.mark.rules("4.5.1.1.7")
def test_4_5_1_1_7_reverse_doubles_the_terrain_and_nothing_else() -> None:
    assert on(PLAIN).place("B3", "S").spent("R") == 2
    rough = on(". . .\n. r .\n. . .").place("B3", "S", card="stuart-i")
    assert rough.spent("R") == 8
    hill = on(". . .\n. s1 .\n. . .", PANZER_NA, sides("slope", "B2:S")).place("B3", "S", card="stuart-i")
    assert hill.spent("R") == 5, "twice 2 for the Scrub, 1 for the Height"
    wall = on(". . .\n. . .\n. . .", PANZER_NA, sides("wall", "B3:N")).place("B3", "S", card="stuart-i")
    assert wall.spent("R") == 3
    assert on(PLAIN).place("B3").spent("3R") == on(PLAIN).place("B3").spent("3") + 2


@pytest.mark.rules("4.5.1.1.8")
def test_4_5_1_1_8_no_move_moves_and_turning_in_place() -> None:
    field = on(PLAIN).place("B3")
    assert field.why("") == ""
    assert field.walk("") == []
    assert (field.end("1").hex, field.end("1").facing, field.end("1").spent) == (field.hex("B3"), 1, 0)
    assert field.why("0") == "4.5.1.1.8"
    assert field.why("1 F") == "4.5.1.1"


# --- the edge of the mapboard ---------------------------------------------------------------------------


@pytest.mark.rules("4.5.1.1.9")
def test_4_5_1_1_9_leaving_pays_the_terrain_of_the_hex_left() -> None:
    field = on(". r .\n. . .").place("B1", card="crusader-i")
    gone = field.end("F")
    assert (gone.exited, gone.spent, gone.hex) == (True, 4, field.hex("B1"))
    assert field.end("R").exited is False
    assert field.why("F F") == "4.5.1.1.9"
    assert field.place("B2", card="crusader-i").why("F F") == "4.5.1.1.3", "8 of 5"
    assert field.place("B1", card="matilda-ii").why("F") == "", "a move of one hex"
    assert field.place("B1", "S", card="stuart-i").spent("R") == 8
    assert field.place("B1", card="crusader-i").wreck("B1", WreckKind.BU).spent("F") == 5


@pytest.mark.rules("4.5.1.1.9")
def test_4_5_1_1_9_leaving_along_a_road() -> None:
    ends = on(". r .\n. r .", PANZER_NA, line("road", "B2", "B1")).place("B2", card="stuart-i")
    assert ends.why("F F") != "", "the road ends in B1"
    leads_off = on(". r .\n. r .", PANZER_NA, line("road", "B2", "B1", "B1:N")).place("B2", card="stuart-i")
    gone = leads_off.end("F F")
    assert (gone.exited, gone.rate, gone.spent) == (True, Rate.ROAD, 2)


@pytest.mark.rules("4.5.1.1.9")
def test_4_5_1_1_9_those_who_left_do_not_return() -> None:
    field = on(PLAIN).place("", status=Status.EXITED)
    assert field.why("F") == "4.5.1.1.9"
    assert field.why("", enter=field.hex("B1")) == "4.5.1.1.9"


@pytest.mark.rules("4.5.1.1.9")
def test_4_5_1_1_9_reserves_enter_through_their_hexes_for_the_terrain() -> None:
    field = reserve(on(". . .\n. . .\n. r ."), "B3", "C3", turn=2)
    b3 = field.hex("B3")
    assert field.why("", enter=b3, facing=0) == "4.5.1.1.9", "not before turn 2"
    field.turn = 2
    entered = field.end("", enter=b3, facing=0)
    assert (entered.hex, entered.facing, entered.spent, entered.leg) == (b3, 0, 4, None)
    assert field.why("F", enter=b3, facing=0) == "4.5.1.1.3"
    assert field.spent("F F", enter=field.hex("C3"), facing=0) == 3
    assert field.why("", enter=field.hex("A3"), facing=0) == "4.5.1.1.9"
    assert field.why("", enter=b3, facing=3) == "4.5.1.1.9", "facing inwards"
    assert field.why("") == "", "held back"
    assert field.why("F") == "4.5.1.1.9", "enter first"
    assert on(PLAIN).place("B3").why("", enter=b3) == "4.5.1.1.9"


@pytest.mark.rules("4.5.1.1.9", "4.5.1.1.5")
def test_4_5_1_1_9_reserves_come_in_at_road_speed_along_a_road() -> None:
    field = reserve(on(TALL, PANZER_NA, line("road", "B20:S", "B20-B1")), "B20", card="panzerjager-i")
    end = field.end("F F F F F F F F", enter=field.hex("B20"), facing=0)
    assert (end.rate, end.spent) == (Rate.ROAD, 9)
    beside = reserve(on(TALL, PANZER_NA, line("road", "B20-B1")), "B20", card="panzerjager-i")
    assert beside.why("F F F", enter=beside.hex("B20"), facing=0) != ""


# --- others in the way ----------------------------------------------------------------------------------


@pytest.mark.rules("4.5.1.1.10")
def test_4_5_1_1_10_pass_through_enemies_and_never_end_with_them() -> None:
    field = on(PLAIN).place("B5").enemy("B4").wreck("B3").place("B2", unit="f")
    assert field.why("F") == "4.5.1.1.10"
    assert field.why("F 1") == "4.5.1.1.10"
    assert [leg.spent for leg in field.walk("F F F")] == [1, 2, 3]


@pytest.mark.rules("4.5.1.1.10")
def test_4_5_1_1_10_a_vehicle_stopped_among_enemies_must_leave_if_it_can() -> None:
    field = on(PLAIN).place("B5").enemy("B4")
    among = field.walk("F F")[0].progress
    assert field.why("", progress=among) == "4.5.1.1.10"
    assert field.why("F", progress=among) == ""
    crippled = msgspec.structs.replace(among, cross_country=1, track=1, path=1, road=1)
    assert field.why("", progress=crippled) == "", "it cannot go on"
    assert [branch.key for branch in field.path(crippled).branches()] == ["stop"]


@pytest.mark.rules("4.5.1.1.10")
def test_4_5_1_1_10_no_leg_is_offered_that_would_be_stuck_among_enemies() -> None:
    field = on(PLAIN).place("B5", card="matilda-ii", command=Command.SHORT_HALT).enemy("B4")
    assert "+0 forward" not in {branch.key for branch in field.path().branches()}


# --- tracks ---------------------------------------------------------------------------------------------


@pytest.mark.rules("4.5.1.1.11", system="panzer-na")
def test_4_5_1_1_11_a_track_costs_1_a_hex_whoever_joins_it() -> None:
    field = on("r r r\nr r r\nr r r\nr r r\n. . .", PANZER_NA, line("track", "B4-B1")).place("B5", card="stuart-i")
    assert [leg.step.total for leg in field.walk("F F F") if leg.step] == [4, 1, 1]
    assert field.place("B4", "S", card="stuart-i").spent("R") == 2
    assert field.place("B3", card="stuart-i").spent("F 1F") == 5, "off the track Rough costs 4"
    assert field.place("A3", "NE", card="stuart-i").spent("F") == 4, "not through a track hexside"


@pytest.mark.rules("4.5.1.1.11", system="panzer-na")
def test_4_5_1_1_11_track_with_road_uses_the_track_rate_for_the_entire_move() -> None:
    features = (line("road", "B20-B17"), line("track", "B17-B1"))
    field = on(TALL, PANZER_NA, *features).place("B20", card="panzerjager-i")
    end = field.end("F F F F")
    assert (end.rate, end.spent, end.progress.allowance(end.rate)) == (Rate.TRACK, 4, 4)
    assert field.why("F F F F F") == "4.5.1.1.5"
    assert field.end("F F F").rate is Rate.ROAD


@pytest.mark.rules("4.5.1.1.11", system="panzer-na")
def test_4_5_1_1_11_a_scenario_may_make_tracks_of_roads() -> None:
    field = on(TALL, PANZER_NA, line("road", "B20-B1"), roads_are_tracks=True).place("B20", card="panzerjager-i")
    assert field.end("F F F F").rate is Rate.TRACK
    assert field.why("F F F F F") != ""


# --- damage on the way ----------------------------------------------------------------------------------


@pytest.mark.rules("4.4.3.2.6", "3.7")
def test_4_4_3_2_6_damage_halves_what_is_left() -> None:
    field = on(PLAIN).place("B6", card="crusader-i")
    start = field.mover().start()
    assert damaged_on_the_way(start).cross_country == 2
    after_two = field.walk("F F")[-1].progress
    damaged = damaged_on_the_way(after_two)
    assert damaged.cross_country == 3, "2 spent, half of 3 rounded down left"
    assert field.change(damaged=True).why("F", progress=damaged) == ""
    assert field.why("F F", progress=damaged) == "4.5.1.1.3"
    told = move_allowance(field, field.state, X, damaged, Rate.CROSS_COUNTRY)
    assert told.total == 3
    assert told.terms[-1].rule == "4.4.3.2.6"
    least = damaged_on_the_way(msgspec.structs.replace(start, cross_country=1))
    assert least.cross_country == 1


@pytest.mark.rules("4.5.1.1", "4.5.1.1.5")
def test_4_5_1_1_5_an_interrupted_road_move_goes_on_by_its_own_account() -> None:
    field = on(TALL, PANZER_NA, line("road", "B20-B1")).place("B20", card="panzerjager-i")
    halted = field.walk("F F F F F")[-1].progress
    assert field.why("F F F F", progress=halted) == ""
    assert field.why("F F F F F", progress=halted) == "4.5.1.1.5"
    assert field.why("1F", progress=halted) == "4.5.1.1.5"
    assert field.why("", progress=halted) == ""


# --- words ----------------------------------------------------------------------------------------------


@pytest.mark.rules("4.5.1.1")
def test_walk_of_an_illegal_move_is_refused() -> None:
    with pytest.raises(Refused, match=r"4\.5\.1\.1\.3"):
        on(PLAIN).place("B6", card="matilda-ii").walk("F F F")


def test_progress_is_part_of_the_state_and_survives_encoding() -> None:
    progress = on(PLAIN).place("B5").walk("F 1F")[-1].progress
    assert msgspec.json.decode(msgspec.json.encode(progress), type=Progress) == progress


def test_legs_in_words() -> None:
    assert [leg.turn for leg in legs("F -2R 3")] == [0, -2, 3]


def _tracked(edition: Edition) -> str:
    return "crusader-i" if edition is PANZER_NA else "t-80bv"
