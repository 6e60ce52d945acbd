"""Roads, paths, bridges and tracks (4.5.1.1.5, 4.5.1.1.6, 4.5.1.1.11 of both books)."""

import pytest

from sandtable.systems.panzer.edition import MBT, PANZER_NA, Edition
from sandtable.systems.panzer.hex.movement.movement import Rate
from tests.panzer.movers import PLAIN, Field, line, on, reserve, sides, tracked

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
    assert road().wreck("B6").why("F F F F F") != "", "the hex that it starts from is part of the route"


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
    field = on(hill, edition, line("road", "B12-B1"), slopes).place("B12", card=tracked(edition))
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
    assert field.wreck("B18").end("F F").rate is Rate.CROSS_COUNTRY, "a wreck takes the speed away, not the road"


@pytest.mark.rules("4.5.1.1.5")
def test_4_5_1_1_5_a_route_passes_walls_and_hill_edges() -> None:
    field = on(". . .\n. . .\n. .1 .\n. . .", PANZER_NA, line("path", "B4-B1"), sides("wall", "B3:N"))
    assert field.place("B4", card="spw-251-1").why("F F F") == ""


@pytest.mark.rules("4.5.1.1", "4.5.1.1.5")
def test_4_5_1_1_5_an_interrupted_road_move_goes_on_by_its_own_account() -> None:
    field = on(TALL, PANZER_NA, line("road", "B20-B1")).place("B20", card="panzerjager-i")
    halted = field.walk("F F F F F")[-1].progress
    assert field.why("F F F F", progress=halted) == ""
    assert field.why("F F F F F", progress=halted) == "4.5.1.1.5"
    assert field.why("1F", progress=halted) == "4.5.1.1.5"
    assert field.why("", progress=halted) == ""


@pytest.mark.rules("4.5.1.1.9", "4.5.1.1.5")
def test_4_5_1_1_9_reserves_come_in_at_road_speed_along_a_road() -> None:
    field = reserve(on(TALL, PANZER_NA, line("road", "B20:S", "B20-B1")), "B20", card="panzerjager-i")
    end = field.end("F F F F F F F F", enter=field.hex("B20"), facing=0)
    assert (end.rate, end.spent) == (Rate.ROAD, 9)
    beside = reserve(on(TALL, PANZER_NA, line("road", "B20-B1")), "B20", card="panzerjager-i")
    assert beside.why("F F F", enter=beside.hex("B20"), facing=0) != ""


# --- bridges and tracks -------------------------------------------------------------------------------


@pytest.mark.rules("4.5.1.1.6")
@pytest.mark.parametrize("edition", [PANZER_NA, MBT])
def test_4_5_1_1_6_a_bridge_is_entered_and_left_along_its_routes(edition: Edition) -> None:
    features = (line("path", "B5-B3"), line("road", "B3-B1"), {"kind": "bridge", "hexes": ["B3"]})
    field = on(". . .\n. . .\no o o\n. . .\n. . .", edition, *features).place("B5", card=tracked(edition))
    walked = field.walk("F F F")
    assert [leg.progress.roads for leg in walked] == [0, 1, 2], "Path on one end, Road on the other: a Road hex"
    assert field.why("F F 1F") == "4.5.1.1.6"
    assert field.place("A3", "NE", card=tracked(edition)).why("F") == "4.5.1.1.6"
    assert field.place("C3", "NW", card=tracked(edition)).why("F") == "4.5.1.1.6"


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
    field = on(TALL, PANZER_NA, line("road", "B20-B1"), tracks=("road", "path")).place("B20", card="panzerjager-i")
    assert field.end("F F F F").rate is Rate.TRACK
    assert field.why("F F F F F") != ""


@pytest.mark.rules("4.5.1.1.5")
def test_4_5_1_1_5_at_route_speed_a_vehicle_faces_the_way_on_in_a_bend() -> None:
    field = on(PLAIN, PANZER_NA, line("road", "B6", "B5", "B4", "C3", "D3", "D2")).place("B6")
    assert field.end("F F 1F F -1").rate is Rate.ROAD
    assert field.end("F F").rate is Rate.CROSS_COUNTRY, "B4 bends to C3, and the vehicle still faces north"
    assert field.end("F F 1").rate is Rate.ROAD
