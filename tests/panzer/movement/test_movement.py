"""Movement of the Basic Game (3.3, 3.7, 4.5.1.1.1 to 4.5.1.1.11 of both books), rule by rule."""

import msgspec
import pytest

from sandtable.core.errors import Refused
from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.edition import MBT, PANZER_NA, Edition
from sandtable.systems.panzer.hex.movement.movement import MoveProgress, Rate, damaged_on_the_way
from sandtable.systems.panzer.hex.movement.movement_costs import allowance
from sandtable.systems.panzer.unit import Command, Status, WreckKind
from tests.panzer.grounds import tables
from tests.panzer.movers import PLAIN, cards, legs, line, on, reserve, sides, tracked


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
    field = on(". . .\n. s1 .\n. . .", edition, sides("slope", "B2:S")).place("B3", card=tracked(edition))
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
    assert wall.place("B3", card=tracked(edition)).spent("F") == 3
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
    stabilised = on(PLAIN, MBT, sides("hedgerow", "B4:N")).place("B4", card="m1", command=Command.SHORT_HALT)
    hit = damaged_on_the_way(stabilised.mover().start())
    across = stabilised.change(damaged=True).end("F", progress=hit)
    assert across.step is not None
    assert across.step.total == across.spent == 3, "half of the 6 that it had, not a quarter of 9"
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


# --- reverse, standing still -------------------------------------------------------------------------


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
    least = damaged_on_the_way(msgspec.structs.replace(start, cross_country=1))
    assert least.cross_country == 1


# --- words ----------------------------------------------------------------------------------------------


@pytest.mark.rules("4.5.1.1")
def test_walk_of_an_illegal_move_is_refused() -> None:
    with pytest.raises(Refused, match=r"4\.5\.1\.1\.3"):
        on(PLAIN).place("B6", card="matilda-ii").walk("F F F")


def test_progress_is_part_of_the_state_and_survives_encoding() -> None:
    progress = on(PLAIN).place("B5").walk("F 1F")[-1].progress
    assert msgspec.json.decode(msgspec.json.encode(progress), type=MoveProgress) == progress


def test_legs_in_words() -> None:
    assert [leg.turn for leg in legs("F -2R 3")] == [0, -2, 3]
