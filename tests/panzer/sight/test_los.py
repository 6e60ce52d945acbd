"""Line of sight of the Panzer Basic Game, rule by rule, on maps drawn here: the ground (3.5, 4.1.4, 4.1.4.1)."""

import pytest

from sandtable.core.errors import BadInput
from sandtable.geo.hex import Hex, disk
from sandtable.geo.hexside import Hexside
from sandtable.geo.line import Along, Corner, Through, relative
from sandtable.systems.panzer.edition import MBT, PANZER_NA, Edition
from sandtable.systems.panzer.hex.sight.sightline import sightline
from sandtable.systems.panzer.hex.sight.smoke import smoke_hexes_on_line
from tests.panzer.grounds import column, drawn_ground, look, seen

rules = pytest.mark.rules
both_books = pytest.mark.parametrize("edition", [PANZER_NA, MBT], ids=lambda edition: edition.id)


# --- 3.5, 4.1.4: range and the line ------------------------------------------------------------------


@rules("3.5", "3.5.1")
@both_books
def test_3_5_1_range_counts_the_target_hex_and_not_the_own(edition: Edition) -> None:
    ground = drawn_ground(". . . .\n. . . .\n. . . .", edition)
    assert look(ground, "A1", "A1").range_hexes == 0
    assert look(ground, "A1", "A3").range_hexes == 2
    assert look(ground, "A1", "D1").range_hexes == 3
    assert look(ground, "A1", "D3").range_hexes == 3
    assert look(ground, "A3", "D1").range_hexes == 4


@rules("4.1.4", "4.1.4.1")
@both_books
def test_4_1_4_every_step_of_the_line_is_told_with_its_verdict(edition: Edition) -> None:
    line = look(column(". T . 1 .", edition), "A1", "A5")
    assert [(step.label, step.top, step.blocks, step.rule) for step in line.steps] == [
        ("A1", 0, False, "4.1.4.2.5"),
        ("A2", 3, True, "4.1.4.2.1"),
        ("A3", 0, False, "4.1.4.1.1"),
        ("A4", 1, True, "4.1.4.2.1"),
        ("A5", 0, False, "4.1.4.2.5"),
    ]
    assert (line.at_label, line.rule, line.range_hexes, line.height_a, line.height_b) == ("A2", "4.1.4.2.1", 4, 0, 0)
    assert line.by == ("Medium Grove" if edition is PANZER_NA else "Woods")
    assert [step.top for step in line.profile] == [0, 3, 0, 1, 0]


@rules("4.1.4")
def test_4_1_4_hexes_on_the_line_are_those_of_the_exact_trace() -> None:
    for target in disk(Hex(0, 0), 14):
        stations, vertices = [], set()
        for element in relative(*target).elements:
            match element:
                case Through(hex):
                    stations.append({hex})
                case Along(_, hexes):
                    stations.append(set(hexes))
                case Corner(_, came_from, goes_to) if not isinstance(came_from, Hexside):
                    if not isinstance(goes_to, Hexside):
                        vertices.add(len(stations) - 1)
                case _:
                    pass
        line = sightline(*target)
        assert [set(station) for station in line.stations] == stations
        assert line.vertices == vertices


# --- 4.1.4.1: terrain --------------------------------------------------------------------------------


@rules("4.1.4.1.1")
@pytest.mark.parametrize(
    ("edition", "kind"),
    [(PANZER_NA, kind) for kind in ("clear", "rough", "scrub", "brush", "sand", "gully", "water")]
    + [(MBT, kind) for kind in ("clear", "brush", "crops", "rough", "scrub", "shellholes", "stream", "gully", "ford")],
    ids=str,
)
def test_4_1_4_1_1_terrain_at_height_0_or_less_does_not_block(edition: Edition, kind: str) -> None:
    assert seen(column(". x x .", edition, legend={"x": kind}), "A1", "A4")


@rules("4.1.4.1.1")
@pytest.mark.parametrize(("edition", "kind"), [(PANZER_NA, "wall"), (PANZER_NA, "defilade"), (MBT, "wall")])
def test_4_1_4_1_1_walls_do_not_block(edition: Edition, kind: str) -> None:
    assert seen(column(". . .", edition, features=[{"kind": kind, "sides": ["A1:S"]}]), "A1", "A3")


@rules("4.1.4.1.1")
def test_4_1_4_1_1_railroad_tracks_do_not_block() -> None:
    assert seen(column(". . .", MBT, features=[{"kind": "railroad_track", "line": ["A1", "A3"]}]), "A1", "A3")


@rules("4.1.4.1.2")
@pytest.mark.parametrize(
    ("edition", "kind", "height"),
    [
        (PANZER_NA, "light_grove", 3),
        (PANZER_NA, "medium_grove", 3),
        (PANZER_NA, "wood_building", 1),
        (PANZER_NA, "brick_building", 1),
        (PANZER_NA, "stone_building", 1),
        (MBT, "light_woods", 3),
        (MBT, "woods", 3),
        (MBT, "heavy_woods", 4),
        (MBT, "brick_building", 1),
        (MBT, "stone_building", 1),
    ],
    ids=str,
)
def test_4_1_4_1_2_terrain_at_height_1_or_more_may_block(edition: Edition, kind: str, height: int) -> None:
    ground = column(". x .", edition, legend={"x": kind})
    assert ground.places[ground.map.hex("A2")].obstacle == height
    assert not seen(ground, "A1", "A3")


VILLAGE_NA = """
    .  .  .  b  .
    .  b  b  b  .
    .  .  b  b  .
"""


@rules("4.1.4.1.3")
def test_4_1_4_1_3_a_street_is_seen_along_to_its_bend() -> None:
    """The road runs from X3 straight to AA1 and turns there, so that AA1 hides BB1."""
    ground = drawn_ground(
        VILLAGE_NA, first="X1", prefix="38", features=[{"kind": "road", "line": ["X3", "AA1", "AA3"]}]
    )
    assert seen(ground, "38X3", "38AA1")
    blocked = look(ground, "38X3", "38BB1")
    assert (blocked.at_label, blocked.by, blocked.rules) == ("AA1", "Wood Buildings", ("4.1.4.2.1",))
    straight = drawn_ground(VILLAGE_NA, first="X1", features=[{"kind": "road", "line": ["X3", "BB1"]}])
    assert seen(straight, "X3", "BB1")
    assert "4.1.4.1.3" in {step.rule for step in look(straight, "X3", "BB1").steps}


VILLAGE_MBT = """
    .  .  .  .  .
    .  .  .  .  .
    .  b  b  .  .
    .  b  b  b  .
    .  .  b  b  .
"""


@rules("4.1.4.1.3", system="mbt")
@pytest.mark.parametrize("kind", ["road", "path"])
def test_4_1_4_1_3_a_line_beside_the_street_is_blocked(kind: str) -> None:
    ground = drawn_ground(
        VILLAGE_MBT, MBT, first="M1", prefix="5", features=[{"kind": kind, "line": ["Q5", "N4", "M3"]}]
    )
    assert seen(ground, "5Q5", "5N4")
    blocked = look(ground, "5Q5", "5N3")
    assert blocked.by == "Brick Buildings"
    assert not seen(drawn_ground(VILLAGE_MBT, MBT, first="M1"), "Q5", "N4")


@rules("4.1.4.1.3")
@both_books
def test_4_1_4_1_3_buildings_have_one_storey_unless_the_scenario_says_so(edition: Edition) -> None:
    low = column("2 . . . b . . . .", edition)
    high = column("2 . . . b . . . .", edition, conditions={"building_storeys": {"A5": 2}})
    assert low.places[low.map.hex("A5")].obstacle == 1
    assert high.places[high.map.hex("A5")].obstacle == 2
    assert seen(low, "A1", "A9")
    assert look(high, "A1", "A9").rule == "4.1.4.2.2"


@rules("4.1.4.1.3")
@both_books
def test_4_1_4_1_3_vehicles_among_buildings_stand_in_an_alley(edition: Edition) -> None:
    ground = column("b", edition)
    place = ground.places[ground.map.hex("A1")]
    assert [row.title for row in place.footing] == ["Alley"]
    assert (place.height, place.obstacle) == (0, 1)


@rules("4.1.4.1.3")
def test_4_1_4_1_3_storeys_of_no_building_are_faults() -> None:
    with pytest.raises(BadInput) as caught:
        column("b .", conditions={"building_storeys": {"A1": 0, "A2": 2, "Z9": 2}})
    assert len(caught.value.faults) == 3


@rules("4.1.4.1.3.1")
def test_4_1_4_1_3_1_desert_buildings_come_with_the_scenario() -> None:
    assert look(column(". b ."), "A1", "A3").by == "Wood Buildings"
    assert look(column(". b .", conditions={"desert_buildings": True}), "A1", "A3").by == "Desert Wood Buildings"
    with pytest.raises(BadInput, match=r"4\.1\.4\.1\.3\.1"):
        column(". b .", MBT, conditions={"desert_buildings": True})


@rules("4.1.4.1.4")
@both_books
def test_4_1_4_1_4_hills_add_height_and_keep_their_terrain(edition: Edition) -> None:
    ground = column(". r1 r2 .", edition)
    rough = ground.places[ground.map.hex("A2")]
    assert (rough.height, rough.level, rough.obstacle, rough.terrain) == (1, 1, 1, ("rough",))
    assert max(place.height for place in ground.places.values()) == 2
    assert look(ground, "A1", "A4").by == "Hill"


@rules("4.1.4.1.4", "4.1.4.1.7")
@both_books
def test_4_1_4_1_4_trees_stand_on_their_hill(edition: Edition) -> None:
    ground = column("3 . T1 . .", edition)
    assert ground.places[ground.map.hex("A3")].obstacle == 4
    assert look(ground, "A1", "A5").rule == "4.1.4.2.1"


@rules("4.1.4.1.5")
@both_books
def test_4_1_4_1_5_a_crest_on_a_level_1_hill_stands_at_height_2(edition: Edition) -> None:
    """As the hill that is divided by a crest: V2 and W1 lie on both sides of it."""
    crest = {"kind": "crest", "sides": ["V2:NE"]}
    ground = drawn_ground("1 1\n1 1", edition, first="V1", features=[crest])
    assert seen(ground, "V1", "W1")
    blocked = look(ground, "V2", "W1")
    assert (blocked.rule, blocked.by, blocked.steps[1].top) == ("4.1.4.2.1", "Crest", 2)


@rules("4.1.4.1.5")
@both_books
def test_4_1_4_1_5_a_slope_does_not_block_by_itself(edition: Edition) -> None:
    slopes = [{"kind": "slope", "sides": ["A1:S", "A3:S"]}]
    assert seen(column("1 . . 1", edition, features=slopes), "A1", "A4")
    assert seen(column(". 1 1 .", edition, features=slopes), "A1", "A2")


@rules("4.1.4.1.5")
@both_books
def test_4_1_4_1_5_a_hills_edge_without_a_slope_is_a_cliff(edition: Edition) -> None:
    ground = column(
        ". 1 . 1 .", edition, features=[{"kind": "slope", "sides": ["A1:S"]}, {"kind": "crest", "sides": ["A4:S"]}]
    )
    edges = [ground.side(ground.map.hex(label), 3) for label in ("A1", "A2", "A3", "A4")]
    assert [edge is not None and edge.cliff for edge in edges] == [False, True, True, False]


@rules("4.1.4.1.5.1")
@both_books
def test_4_1_4_1_5_1_a_continuous_slope_does_not_block(edition: Edition) -> None:
    slopes = [{"kind": "slope", "sides": ["A1:S", "A2:S", "A3:S"]}]
    falling = column("3 2 1 0 0", edition, features=slopes)
    for below in ("A2", "A3", "A4", "A5"):
        assert seen(falling, "A1", below)
    assert seen(falling, "A2", "A4")
    rules_used = {step.rule for step in look(falling, "A1", "A4").steps}
    assert "4.1.4.1.5.1" in rules_used
    assert seen(column("4 2 1 0", edition, features=slopes), "A1", "A4")


@rules("4.1.4.1.5.1")
@both_books
def test_4_1_4_1_5_1_a_shelf_a_cliff_or_trees_break_the_slope(edition: Edition) -> None:
    slopes = [{"kind": "slope", "sides": ["A1:S", "A2:S", "A3:S"]}]
    assert look(column("3 2 2 1 0", edition, features=slopes), "A1", "A4").at_label == "A3"
    cliff = column("2 1 0 0", edition, features=[{"kind": "slope", "sides": ["A1:S"]}])
    assert look(cliff, "A1", "A3").rule == "4.1.4.2.4"
    assert not seen(column("3 T2 1 0", edition, features=slopes), "A1", "A3")
    crest = column("2 1 0", edition, features=[*slopes, {"kind": "crest", "sides": ["A2:S"]}])
    assert look(crest, "A1", "A3").by == "Crest"


@rules("4.1.4.1.5.1")
@both_books
def test_4_1_4_1_5_1_from_behind_the_edge_the_slope_is_not_seen(edition: Edition) -> None:
    slopes = [{"kind": "slope", "sides": ["A2:S", "A3:S"]}]
    assert look(column("2 2 1 0 0", edition, features=slopes), "A1", "A4").rule == "4.1.4.2.2"


@rules("4.1.4.1.6")
@pytest.mark.parametrize(("edition", "code"), [(PANZER_NA, "y"), (MBT, "y"), (MBT, "t"), (MBT, "f")], ids=str)
def test_4_1_4_1_6_from_a_bed_only_adjacent_hexes_one_above_are_seen(edition: Edition, code: str) -> None:
    ground = column(f". . {code} . .", edition)
    assert ground.height(ground.map.hex("A3")) == -1
    assert seen(ground, "A3", "A2")
    assert seen(ground, "A3", "A4")
    blocked = look(ground, "A3", "A1")
    assert (blocked.rule, blocked.at_label) == ("4.1.4.1.6", "A3")
    assert seen(ground, "A1", "A5")


@rules("4.1.4.1.6")
@both_books
def test_4_1_4_1_6_higher_ground_looks_into_a_gully(edition: Edition) -> None:
    ground = column("1 . . y . .", edition)
    assert seen(ground, "A1", "A4")
    assert not seen(column("1 . T y . .", edition), "A1", "A4")


@rules("4.1.4.1.6")
@both_books
def test_4_1_4_1_6_one_sees_along_a_straight_bed_only(edition: Edition) -> None:
    ground = drawn_ground("y . .\ny . .\ny y .\n. . y", edition)
    assert seen(ground, "A1", "A3")
    assert seen(ground, "A3", "B3")
    assert look(ground, "A1", "B3").rule == "4.1.4.1.6"
    assert not seen(column("y . y", edition), "A1", "A3")


@rules("4.1.4.1.6", system="mbt")
def test_4_1_4_1_6_a_ford_alone_carries_no_straight_line() -> None:
    assert seen(column("t t t", MBT), "A1", "A3")
    assert seen(column("t y t", MBT), "A1", "A3")
    assert not seen(column("t f t", MBT), "A1", "A3")
    both = column("t x t", MBT, legend={"x": ["stream", "ford"]})
    assert seen(both, "A1", "A3")


@rules("4.1.4.1.6")
@pytest.mark.parametrize(("edition", "code"), [(PANZER_NA, "y"), (MBT, "t")], ids=str)
def test_4_1_4_1_6_a_bridge_is_at_height_0(edition: Edition, code: str) -> None:
    cells = f". {code} .\n. {code} .\n. {code} ."
    bridge = [{"kind": "bridge", "line": ["A1", "B2", "C2"]}]
    ground = drawn_ground(cells, edition, features=bridge)
    place = ground.places[ground.map.hex("B2")]
    assert (place.height, place.bridge, place.sunken) == (0, True, False)
    assert not ground.places[ground.map.hex("A1")].bridge
    assert [row.title for row in place.footing] == ["Bridge"]
    assert seen(ground, "B1", "B3")


@rules("4.1.4.1.6")
@both_books
def test_4_1_4_1_6_from_a_bridge_one_looks_along_the_bed(edition: Edition) -> None:
    cells = ". y .\n. y .\n. y .\n. y ."
    ground = drawn_ground(cells, edition, features=[{"kind": "bridge", "line": ["A1", "B2", "C2"]}])
    assert seen(ground, "B2", "B4")
    assert not seen(ground, "A1", "B4")


@rules("4.1.4.1.6")
@both_books
def test_4_1_4_1_6_a_wide_bed_is_seen_across(edition: Edition) -> None:
    assert seen(drawn_ground("y y y\ny y y\ny y y", edition), "A1", "C3")
    assert not seen(drawn_ground("y y y\ny . y\ny y y", edition), "A1", "C2")


@rules("4.1.4.1.6")
def test_4_1_4_1_6_a_gully_may_be_drawn_as_a_line() -> None:
    ground = column(". . . .", features=[{"kind": "gully", "line": ["A2", "A3"]}])
    assert [ground.height(ground.map.hex(label)) for label in ("A1", "A2", "A3", "A4")] == [0, -1, -1, 0]


@rules("4.1.4.1.7")
@pytest.mark.parametrize(
    ("edition", "kind"),
    [
        (PANZER_NA, "light_grove"),
        (PANZER_NA, "medium_grove"),
        (MBT, "light_woods"),
        (MBT, "woods"),
        (MBT, "heavy_woods"),
    ],
    ids=str,
)
def test_4_1_4_1_7_a_straight_road_or_path_opens_trees(edition: Edition, kind: str) -> None:
    cells = ". x x x ."
    legend = {"x": kind}
    assert not seen(column(cells, edition, legend=legend), "A1", "A5")
    for route in ("road", "path"):
        opened = column(cells, edition, legend=legend, features=[{"kind": route, "line": ["A1", "A5"]}])
        assert seen(opened, "A1", "A5")
    beside = column(f". {cells} .", edition, legend=legend, features=[{"kind": "road", "line": ["A2", "A6"]}])
    assert seen(beside, "A1", "A7")
    short = column(cells, edition, legend=legend, features=[{"kind": "road", "line": ["A1", "A3"]}])
    assert look(short, "A1", "A5").at_label == "A3"


@rules("4.1.4.1.7")
@both_books
def test_4_1_4_1_7_the_hill_under_opened_trees_still_blocks(edition: Edition) -> None:
    ground = column(". T1 .", edition, features=[{"kind": "road", "line": ["A1", "A3"]}])
    blocked = look(ground, "A1", "A3")
    assert (blocked.rule, blocked.by) == ("4.1.4.2.1", "Hill")


@rules("4.1.4.1.7")
@both_books
def test_4_1_4_1_7_vehicles_among_trees_are_on_the_ground(edition: Edition) -> None:
    ground = column("T1", edition)
    place = ground.places[ground.map.hex("A1")]
    assert (place.height, place.obstacle) == (1, 4)


@rules("4.1.4.1.7")
def test_4_1_4_1_7_tracks_open_nothing_but_roads_designated_so_do() -> None:
    track = column(". T .", features=[{"kind": "track", "line": ["A1", "A3"]}])
    assert not seen(track, "A1", "A3")
    road = column(". T .", features=[{"kind": "road", "line": ["A1", "A3"]}], conditions={"tracks": ["road", "path"]})
    assert seen(road, "A1", "A3")
    assert road.routes_through(road.map.hex("A2"), 0) == ("track",)


@rules("4.1.4.1.8", "4.1.4.1.9")
def test_4_1_4_1_9_smoke_hexes_on_a_line_count_once_each() -> None:
    line = [Hex(0, r) for r in range(5)]
    assert smoke_hexes_on_line(line[0], line[4], ()) == ()
    assert smoke_hexes_on_line(line[0], line[4], {*line, Hex(1, 1)}) == tuple(line)
    assert smoke_hexes_on_line(line[4], line[0], {line[0], line[4]}) == (line[4], line[0])
    along = {Hex(1, 0), Hex(0, 1)}
    assert set(smoke_hexes_on_line(Hex(0, 0), Hex(1, 1), along)) == along
    corner = next(one for one in relative(4, 1).elements if isinstance(one, Corner) and one.touched)
    assert smoke_hexes_on_line(Hex(0, 0), Hex(4, 1), set(corner.touched)) == ()


@rules("4.1.4.1.10")
@both_books
def test_4_1_4_1_10_a_hedgerow_stands_1_above_its_ground(edition: Edition) -> None:
    hedge = [{"kind": "hedgerow", "sides": ["A4:S"]}]
    flat = column(". . . . . .", edition, features=hedge)
    assert look(flat, "A4", "A5").rule == "4.1.4.2.1"
    assert look(flat, "A1", "A6").at_label == "A5:N"
    above = column("2 . . . . . .", edition, features=hedge)
    assert look(above, "A1", "A5").rule == "4.1.4.2.4"
    assert seen(above, "A1", "A6")
    assert look(column("1 . . . . .", edition, features=hedge), "A1", "A6").rule == "4.1.4.2.2"


@rules("4.1.4.1.10")
@both_books
def test_4_1_4_1_10_on_a_hills_edge_it_stands_on_the_higher_ground(edition: Edition) -> None:
    ground = column("1 . .", edition, features=[{"kind": "hedgerow", "sides": ["A1:S"]}])
    blocked = look(ground, "A1", "A3")
    assert (blocked.rule, blocked.steps[1].top) == ("4.1.4.2.1", 2)
