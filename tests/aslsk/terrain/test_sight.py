"""Line of sight by its rules, on boards drawn in the test (1.1.1, 3.2.1).

Hexes of the test boards: A1 lies in the upper left corner with its centre on the left edge, B1 half a hex lower;
outlines count from the upper left corner, 12 to a lattice unit, so that the centre of C1 is (72, 12) and a hex reaches
24 to either side and 12 up and down.
"""

import pytest

from sandtable.systems.aslsk.common.context import TerrainKind
from tests.aslsk.sight_grounds import SUMMER, WINTER, blocked_at, drawn, hindered, sees

rules = pytest.mark.rules

WOODS_C3 = {"kind": "woods", "hexes": ["C3"], "outline": [[66, 54], [78, 54], [78, 66], [66, 66]]}
"""A patch of woods about the centre of C3, which is (72, 60)."""


@rules("3.2.1", system="aslsk3")
def test_3_2_1_nothing_between_leaves_sight_clear() -> None:
    on = drawn()
    sight = on.sight(on.map.hex("A1"), on.map.hex("G5"))
    assert sight.clear
    assert sight.hindrance == 0
    assert sight.range_hexes == 7
    assert sees(on, "B2", "B2")


@rules("3.2.1", system="aslsk3")
def test_3_2_1_an_obstacle_blocks_where_its_depiction_is_crossed() -> None:
    on = drawn(WOODS_C3)
    assert blocked_at(on, "C1", "C5") == ("C3", "woods")
    # Through the same hex, beside the woods.
    assert "C3" in [on.map.label(hex) for hex in on.sight(on.map.hex("C2"), on.map.hex("D4")).between]
    assert sees(on, "C2", "D4")


@rules("3.2.1", system="aslsk3")
def test_3_2_1_a_thread_along_an_edge_shows_the_obstacle_on_one_side_only() -> None:
    """C1 to C5 runs along x = 72; a building that only touches it there does not block, two that meet there do."""
    east = {"kind": "stone_building", "hexes": ["C3"], "outline": [[72, 54], [84, 54], [84, 66], [72, 66]]}
    west = {"kind": "stone_building", "hexes": ["C3"], "outline": [[60, 58], [72, 58], [72, 62], [60, 62]]}
    higher = {"kind": "stone_building", "hexes": ["C3"], "outline": [[60, 50], [72, 50], [72, 54], [60, 54]]}
    assert sees(drawn(east), "C1", "C5")
    assert sees(drawn(west), "C1", "C5")
    assert not sees(drawn(east, west), "C1", "C5")
    # Side by side along the thread, but never on both sides of the same stretch.
    assert sees(drawn(east, higher), "C1", "C5")
    corner = {"kind": "woods", "hexes": ["C3"], "outline": [[72, 60], [84, 54], [84, 66]]}
    assert sees(drawn(corner), "C1", "C5")
    over = {"kind": "woods", "hexes": ["C3"], "outline": [[71, 60], [84, 54], [84, 66]]}
    assert not sees(drawn(over), "C1", "C5")


@rules("3.2.1", system="aslsk3")
def test_3_2_1_along_a_hexside_an_obstacle_must_stand_on_both_sides() -> None:
    """B2 to D2 runs along the side between C2 and C3, at y = 48."""
    upper = {"kind": "woods", "hexes": ["C2"], "outline": [[66, 36], [78, 36], [78, 48], [66, 48]]}
    lower = {"kind": "woods", "hexes": ["C3"], "outline": [[70, 48], [80, 48], [80, 60], [70, 60]]}
    apart = {"kind": "woods", "hexes": ["C3"], "outline": [[78, 48], [82, 48], [82, 60], [78, 60]]}
    assert sees(drawn(upper), "B2", "D2")
    assert sees(drawn(lower), "B2", "D2")
    assert not sees(drawn(upper, lower), "B2", "D2")
    assert sees(drawn(upper, apart), "B2", "D2")
    both = {"kind": "woods", "hexes": ["C2", "C3"], "outline": [[66, 40], [78, 40], [78, 56], [66, 56]]}
    on = drawn(both)
    sight = on.sight(on.map.hex("B2"), on.map.hex("D2"))
    assert sight.blocked
    assert sight.at_side is not None
    assert sight.by == "woods"


@rules("3.2.1", system="aslsk3")
def test_3_2_1_terrain_of_the_end_hexes_does_not_block() -> None:
    on = drawn(WOODS_C3)
    assert sees(on, "C3", "C1")
    assert sees(on, "C5", "C3")
    assert sees(drawn({"kind": "woods", "hexes": ["C3", "C4"]}), "C3", "C4")
    assert not sees(drawn({"kind": "woods", "hexes": ["C3", "C4", "C5"]}), "C3", "C5")


@rules("3.2.1", system="aslsk3")
def test_3_2_1_six_hindrances_block() -> None:
    grain = {"kind": "grain", "hexes": ["C2-C8"]}
    on = drawn(grain, rows=10)
    assert hindered(on, "C1", "C7") == ["C2", "C3", "C4", "C5", "C6"]
    assert blocked_at(on, "C1", "C9") == ("C7", "hindrances")
    assert on.measured[on.map.hex("C1"), on.map.hex("C8")] < 0


@rules("1.1.1", system="aslsk3")
def test_1_1_1_grain_hinders_in_season_where_its_depiction_is_crossed() -> None:
    field = {"kind": "grain", "hexes": ["C3"], "outline": [[60, 54], [84, 54], [84, 66], [60, 66]]}
    assert hindered(drawn(field), "C1", "C5") == ["C3"]
    # Passes through C3 below the field.
    assert hindered(drawn(field), "B3", "D3") == []
    winter = drawn(field, month=WINTER)
    assert hindered(winter, "C1", "C5") == []
    place = winter.place(winter.map.hex("C3"))
    assert place.kind is TerrainKind.OPEN
    assert place.open_ground


@rules("1.1.1", system="aslsk3")
@pytest.mark.parametrize(("month", "hinders"), [(5, False), (6, True), (9, True), (10, False)])
def test_1_1_1_grain_is_in_season_from_june_to_september(month: int, hinders: bool) -> None:
    on = drawn({"kind": "grain", "hexes": ["C3"]}, month=month)
    assert bool(hindered(on, "C1", "C5")) is hinders


@rules("1.1.1", system="aslsk3")
def test_1_1_1_terrain_that_marginally_overlaps_a_hex_does_not_make_it_of_that_kind() -> None:
    """A field of C3 that reaches a little into C2 hinders once."""
    field = {"kind": "grain", "hexes": ["C3"], "outline": [[64, 47], [80, 47], [80, 66], [64, 66]]}
    assert hindered(drawn(field), "C1", "C5") == ["C3"]
    # An obstacle blocks wherever it is drawn.
    wood = {"kind": "woods", "hexes": ["C3"], "outline": [[71, 47], [73, 47], [73, 49], [71, 49]]}
    assert blocked_at(drawn(wood), "C1", "C3") == ("C2", "woods")


@rules("1.1.1", system="aslsk3")
def test_1_1_1_brush_hinders_all_year() -> None:
    brush = {"kind": "brush", "hexes": ["C3"]}
    assert hindered(drawn(brush, month=WINTER), "C1", "C5") == ["C3"]
    assert drawn(brush).place(drawn(brush).map.hex("C3")).kind is TerrainKind.BRUSH


@rules("1.1.1", system="aslsk3")
def test_1_1_1_an_orchard_is_inherent_terrain() -> None:
    on = drawn({"kind": "orchard", "hexes": ["C3"]})
    assert hindered(on, "C1", "C5") == ["C3"]
    # Along its hexside: B2 to D2 runs between C2 and C3.
    assert hindered(on, "B2", "D2") == ["C3"]
    # Not in the hexes of firer and target.
    assert hindered(on, "C3", "C1") == []


@rules("1.1.1", system="aslsk3")
def test_1_1_1_a_hex_touched_in_a_corner_hinders_if_it_is_inherent() -> None:
    """A1 to E4 passes exactly through corners of B2 and D2 and goes on into other hexes."""
    assert hindered(drawn({"kind": "orchard", "hexes": ["B2"]}), "A1", "E4") == ["B2"]
    assert hindered(drawn({"kind": "orchard", "hexes": ["D2"]}), "A1", "E4") == ["D2"]
    # Grain that fills the hex is not crossed.
    assert hindered(drawn({"kind": "grain", "hexes": ["B2"]}), "A1", "E4") == []
    assert sees(drawn({"kind": "woods", "hexes": ["B2"]}), "A1", "E4")


ORCHARD_ROAD = [
    {"kind": "orchard", "hexes": ["C3"]},
    {"kind": "dirt_road", "line": ["C1", "C5"]},
]


@rules("1.1.1", system="aslsk3")
def test_1_1_1_an_orchard_road_does_not_hinder_a_line_that_never_leaves_the_road() -> None:
    on = drawn(*ORCHARD_ROAD)
    assert hindered(on, "C1", "C5") == []
    assert hindered(on, "B2", "D3") == ["C3"]
    assert on.place(on.map.hex("C3")).road
    assert on.on_road_only(on.map.hex("C1"), on.map.hex("C3"))
    assert not on.on_road_only(on.map.hex("B2"), on.map.hex("C3"))


@rules("1.1.1", system="aslsk3")
def test_1_1_1_the_road_of_a_woods_road_does_not_block() -> None:
    woods = {"kind": "woods", "hexes": ["C3"]}
    assert sees(drawn(woods, ORCHARD_ROAD[1]), "C1", "C5")
    assert not sees(drawn(woods, ORCHARD_ROAD[1]), "B2", "D3")
    # Later features lie on top: here the woods hide the road.
    assert not sees(drawn(ORCHARD_ROAD[1], woods), "C1", "C5")
    on = drawn(woods, ORCHARD_ROAD[1])
    assert on.on_road_only(on.map.hex("C5"), on.map.hex("C3"))
    assert not on.on_road_only(on.map.hex("A3"), on.map.hex("C3"))
    assert on.has_road(on.map.hex("C3"), 0)
    assert not on.has_road(on.map.hex("C3"), 1)


HILL = {"kind": "hill", "level": 1, "hexes": ["C3", "C4"], "outline": [[60, 52], [84, 52], [84, 92], [60, 92]]}
"""A hill with its crest inside C3 and C4, whose centres are (72, 60) and (72, 84)."""


@rules("1.1.1", "3.2.1", system="aslsk3")
def test_3_2_1_a_hill_blocks_units_that_are_not_on_it() -> None:
    on = drawn(HILL)
    assert blocked_at(on, "C1", "C6") == ("C3", "hill")
    # Through the part of C3 that is still ground level.
    assert sees(on, "B2", "D2")


@rules("1.1.1", "3.2.1", system="aslsk3")
def test_3_2_1_a_unit_sees_down_only_over_the_crest_of_its_own_hex() -> None:
    on = drawn(HILL)
    assert sees(on, "C3", "C1")
    assert sees(on, "C1", "C3")
    # C4 stands behind C3: its line does not leave the hill in its own hex.
    assert blocked_at(on, "C4", "C1") == ("C3", "hill")
    assert sees(on, "C4", "C6")
    other = {"kind": "hill", "level": 1, "hexes": ["G3"], "outline": [[204, 52], [228, 52], [228, 68], [204, 68]]}
    two = drawn(HILL, other)
    # Over the second hill's crest as well.
    assert blocked_at(two, "C3", "I3") == ("G3", "hill")


@rules("1.1.1", system="aslsk3")
def test_1_1_1_two_units_on_hills_see_over_what_stands_lower() -> None:
    east = {"kind": "hill", "level": 1, "hexes": ["G3"]}
    west = {"kind": "hill", "level": 1, "hexes": ["C3"]}
    woods = {"kind": "woods", "hexes": ["E3"]}
    grain = {"kind": "grain", "hexes": ["E3"]}
    assert sees(drawn(east, west, woods), "C3", "G3")
    assert hindered(drawn(east, west, grain), "C3", "G3") == []
    upper = {"kind": "hill", "level": 1, "hexes": ["E3"]}
    assert not sees(drawn(east, west, upper, woods), "C3", "G3")
    assert hindered(drawn(east, west, upper, grain), "C3", "G3") == ["E3"]
    assert sees(drawn(east, west, upper), "C3", "G3")


@rules("1.1.1", "3.2.1", system="aslsk3")
def test_1_1_1_between_levels_obstacles_block_and_low_hindrances_do_not() -> None:
    hill = {"kind": "hill", "level": 1, "hexes": ["C3"]}
    assert blocked_at(drawn(hill, {"kind": "woods", "hexes": ["C4"]}), "C3", "C6") == ("C4", "woods")
    assert blocked_at(drawn(hill, {"kind": "wooden_building", "hexes": ["C4"]}), "C6", "C3") == (
        "C4",
        "wooden building",
    )
    assert hindered(drawn(hill, {"kind": "grain", "hexes": ["C4"]}), "C3", "C6") == []
    assert hindered(drawn(hill, {"kind": "brush", "hexes": ["C4"]}), "C3", "C6") == []
    # It may see into what it cannot see past.
    assert sees(drawn(hill, {"kind": "woods", "hexes": ["C4"]}), "C3", "C4")


@rules("1.1.1", system="aslsk3")
@pytest.mark.parametrize(("month", "blocks"), [(3, False), (4, True), (10, True), (11, False)])
def test_1_1_1_an_orchard_blocks_between_levels_in_season_and_hinders_out_of_season(month: int, blocks: bool) -> None:
    hill = {"kind": "hill", "level": 1, "hexes": ["C3"]}
    on = drawn(hill, {"kind": "orchard", "hexes": ["C4"]}, month=month)
    if blocks:
        assert blocked_at(on, "C3", "C5") == ("C4", "orchard")
    else:
        assert hindered(on, "C3", "C5") == ["C4"]
    assert hindered(on, "C3", "C4") == []


@rules("1.1.1", system="aslsk3")
def test_1_1_1_a_road_through_an_orchard_frees_sight_between_levels_too() -> None:
    hill = {"kind": "hill", "level": 1, "hexes": ["C1"]}
    on = drawn(hill, *ORCHARD_ROAD, month=SUMMER)
    assert sees(on, "C1", "C5")
    assert hindered(on, "C1", "C5") == []


@rules("1.1.1", system="aslsk3")
def test_1_1_1_brush_counts_as_orchard_where_the_scenario_says_so() -> None:
    from sandtable.geo.map import GameMap
    from tests.aslsk.sight_grounds import board_of, ground_of

    board = board_of({"kind": "hill", "level": 1, "hexes": ["C3"]}, {"kind": "brush", "hexes": ["C4"]})
    on = ground_of(GameMap.of_board(board), SUMMER, brush_is_orchard=True)
    assert on.place(on.map.hex("C4")).kind is TerrainKind.ORCHARD
    assert blocked_at(on, "C3", "C5") == ("C4", "orchard")


@rules("1.1.1", system="aslsk3")
def test_1_1_1_crest_lines_and_the_hexside_that_a_line_crosses() -> None:
    on = drawn(HILL)
    c2, c3 = on.map.hex("C2"), on.map.hex("C3")
    assert on.climbs(c2, 3)
    assert not on.climbs(c3, 3)
    assert on.descends(c3, 0)
    assert on.entry_side(on.map.hex("C1"), c3) == (0,)
    assert on.entry_side(on.map.hex("C5"), c3) == (3,)
    # From A3, which lies level with C3, the line comes in by the corner between two sides.
    assert set(on.entry_side(on.map.hex("A3"), c3)) == {4, 5}
    assert on.entry_side(c3, c3) == ()


@rules("3.2.1", system="aslsk3")
def test_3_2_1_the_answer_names_every_hex_and_rule() -> None:
    on = drawn({"kind": "grain", "hexes": ["C2"]}, WOODS_C3, {"kind": "orchard", "hexes": ["C4"]})
    sight = on.sight(on.map.hex("C1"), on.map.hex("C6"))
    told = [(on.map.label(f.hex), f.what, f.blocks, f.rule) for f in sight.findings]
    assert told == [
        ("C2", "grain", False, "1.1.1"),
        ("C3", "woods", True, "3.2.1"),
        ("C4", "orchard", False, "1.1.1"),
    ]
    assert sight.rules[0] == "3.2.1"
    assert [on.map.label(hex) for hex in sight.between] == ["C2", "C3", "C4", "C5"]
    assert [step.top for step in sight.profile] == [0, 0, 1, 0, 0, 0]
    assert "woods" in sight.reason


@rules("1.1", "1.1.1", system="aslsk3")
def test_1_1_1_a_building_is_one_from_end_to_end() -> None:
    on = drawn(
        {"kind": "stone_building", "hexes": ["C3", "C4"], "outline": [[66, 54], [78, 54], [78, 90], [66, 90]]},
        {"kind": "stone_building", "hexes": ["E3"], "outline": [[138, 54], [150, 54], [150, 66], [138, 66]]},
    )
    one, other, third = (on.place(on.map.hex(label)) for label in ("C3", "C4", "E3"))
    assert one.building == other.building != third.building
    assert one.kind is TerrainKind.STONE_BUILDING
    assert one.tem == 3
    assert one.shelter


def test_a_board_with_terrain_of_another_game_is_named() -> None:
    from sandtable.core.errors import BadInput

    with pytest.raises(BadInput, match="no terrain 'wadi'"):
        drawn({"kind": "wadi", "hexes": ["C3"]})


@rules("1.2.5", system="aslsk3")
def test_1_2_5_every_hex_that_the_line_touches_may_hold_smoke() -> None:
    on = drawn()
    for a, b in (("A1", "E4"), ("B2", "D2"), ("C1", "C5"), ("D3", "D4")):
        one, other = on.map.hex(a), on.map.hex(b)
        between = [on.map.label(hex) for hex in on.between(one, other) if hex in on.places]
        assert between == [on.map.label(hex) for hex in on.sight(one, other).between if hex in on.places]
    assert [on.map.label(hex) for hex in on.between(on.map.hex("B2"), on.map.hex("D2"))] == ["C3", "C2"]
