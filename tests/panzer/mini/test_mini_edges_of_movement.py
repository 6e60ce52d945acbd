"""9.0 The edges of movement: the last roll that harms, ground that is left, what lies on both sides of a line."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.core.decision import Stroke
from sandtable.core.tree.drawing import MOST_STROKES
from sandtable.geo.plane.ways import FACE
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.mini import events as ev
from sandtable.systems.panzer.mini.actions import Move, MoveOn, Pass
from sandtable.systems.panzer.mini.movement.drive import DrivePath
from sandtable.systems.panzer.unit import UnitId
from tests.panzer.mini.range import GERMAN, SOVIET, Story, fire, forces, of_kind, panzer, tank
from tests.panzer.mini.test_mini_examples import with_card
from tests.panzer.mini.test_mini_movement import ROAD, area, broken, drive, spent
from tests.panzer.mini.test_mini_reread import house, mover, way

SYSTEM = "panzer-mini"
CREST = {"kind": "crest", "line": ["13,6", "13,18"], "width": 1}


@pytest.mark.rules("9.3.1", "9.3.3", system=SYSTEM)
def test_9_3_1_ground_that_is_left_within_an_inch_is_paid_for_too() -> None:
    rough = area("rough", 9, 8, 10.5, 16)
    assert spent(drive([rough]), "go 11,12") == 4
    assert spent(drive([rough]), "go 12,12") == 4 + 1


@pytest.mark.rules("9.3.3", "5.5.1.17", system=SYSTEM)
def test_9_3_3_down_costs_as_up_and_a_crest_once_whatever_grows_on_it() -> None:
    plateau = [area("hill", 6, 6, 13, 18, level=1), {"kind": "slope", "line": ["13,11", "13,13"], "width": 1}]
    assert spent(drive(plateau), "go 16,12") == 6 + 1
    assert spent(drive([CREST]), "go 16,12") == 6 + 1
    scrub = area("scrub", 12.7, 6, 13.2, 18)
    assert spent(drive([CREST, scrub]), "go 16,12") == 6 + 1 + 2


@pytest.mark.rules("9.7.1", system=SYSTEM)
def test_9_7_1_a_turret_to_the_rear_may_enter_too() -> None:
    inn = area("brick_building", 13, 11, 15, 13)
    for turret, legal in (("front", True), ("rear", True), ("left", False), ("right", False)):
        path = drive([inn], turret=turret)
        assert spent(path, "go 13,12") if legal else broken(path, "go 13,12") == "9.7.1"


@pytest.mark.rules("9.7.3.1", "9.7.3.2", "9.7.4", system=SYSTEM)
@pytest.mark.parametrize(
    ("dice", "harmed", "track"), [((46,), False, False), ((45, 65), True, False), ((45, 66), True, True)]
)
def test_9_7_3_the_last_rolls_that_harm_and_that_damage(dice: tuple[int, ...], harmed: bool, track: bool) -> None:
    story = mover(house(11.2, 9, 14, 11), card="su-85")
    events = story.do(SOVIET, Move(UnitId("tank"), way("go 11,10")), *dice)
    assert of_kind(events, ev.WallRolled)[0].harmed is harmed
    unit = story.unit("tank")
    assert (unit.damaged, unit.markers.track) == (harmed and not track, track)


@pytest.mark.rules("9.3.3", "9.5.6", system=SYSTEM)
def test_9_5_6_heights_are_cheaper_only_along_a_road_and_at_most_2_in_an_inch() -> None:
    slope = {"kind": "slope", "line": ["13,11", "13,13"], "width": 1}
    top = {"kind": "road", "text": "Top", "line": ["13,12", "36,12"], "width": 1}
    assert spent(drive([area("hill", 13, 6, 22, 18, level=1), slope, top]), "go 16,12") == 6 + 1
    steps = [area("hill", left, 6, 22, 18, level=level) for level, left in enumerate((13.1, 13.3, 13.5), start=1)]
    slopes = [{"kind": "slope", "line": [f"{x},11", f"{x},13"], "width": 0.1} for x in (13.1, 13.3, 13.5)]
    assert spent(drive([*steps, *slopes]), "go 15,12") == 5 + 2


@pytest.mark.rules("9.3.3", "9.5.6", system=SYSTEM)
def test_9_5_6_all_heights_of_an_inch_on_a_road_cost_one_less_together() -> None:
    road = {"kind": "road", "text": "Road", "line": ["0,12", "36,12"], "width": 1}
    for edges, cost in (((13.1,), 0), ((13.1, 13.5), 1), ((13.1, 13.3, 13.5), 2), ((13.1, 14.1), 0)):
        hills = [area("hill", left, 6, 22, 18, level=level) for level, left in enumerate(edges, start=1)]
        slopes = [{"kind": "slope", "line": [f"{x},11", f"{x},13"], "width": 0.1} for x in edges]
        assert spent(drive([*hills, *slopes, road]), "go 15,12") == 5 + cost
    # A height that is changed beside the road is not cheaper for one on it: 1 and 1 less 1.
    top = {"kind": "road", "text": "Top", "line": ["13.3,12", "36,12"], "width": 1}
    hills = [area("hill", left, 6, 22, 18, level=level) for level, left in enumerate((13.1, 13.5), start=1)]
    slopes = [{"kind": "slope", "line": [f"{x},11", f"{x},13"], "width": 0.1} for x in (13.1, 13.5)]
    assert spent(drive([*hills, *slopes, top]), "go 15,12") == 5 + 1


@pytest.mark.rules("9.1.3", "9.4.3", system=SYSTEM)
def test_9_4_3_a_turn_costs_the_same_before_a_reverse_move() -> None:
    assert spent(drive(), "back 12,12") == 1 + 2 * 2


@pytest.mark.rules("9.5.1", system=SYSTEM)
def test_9_5_1_who_turns_off_the_route_before_a_bend_does_not_face_along_it() -> None:
    """An inch before the bend the road runs east; at its end the same heading is near enough to its other leg."""
    bent = {"kind": "road", "text": "Bent", "line": ["0,12", "20,12", "26,18"], "width": 1}
    assert spent(drive([bent]), "go 19.6,11.7; go 20.75,12.75; go 24.7,17") == 17
    for early in ("go 19,11.6; face 123.3; go 20.75,12.75", "go 19,11.6; go 20.75,12.75"):
        assert broken(drive([bent]), f"{early}; go 24.7,17") == "9.5.1"


@pytest.mark.rules("9.5.1", "9.5.3", "9.5.4", system=SYSTEM)
def test_9_5_1_along_a_route_is_along_its_line_either_way_and_round_its_bends() -> None:
    assert spent(drive([ROAD], at="30,12", heading=270), "go 10,12") == 20
    assert spent(drive([ROAD], heading=112.5), "go 25,12") == 15
    assert broken(drive([ROAD], heading=112.6), "go 25,12") == "9.2.1"
    assert broken(drive([ROAD], heading=0), "go 25,12") == "9.2.1"
    bent = {"kind": "road", "text": "Bent", "line": ["0,12", "20,12", "26,18"], "width": 1}
    assert spent(drive([bent]), "go 19.7,12; go 24.7,17") == 17
    first = {"kind": "path", "text": "Path", "line": ["0,12", "12,12"], "width": 1}
    then = {"kind": "road", "text": "Road", "line": ["12,12", "36,12"], "width": 1}
    assert spent(drive([first, then]), "go 24,12") == 14
    assert broken(drive([first, then]), "go 25,12") == "9.2.1"
    crossing = {"kind": "path", "text": "Crossing", "line": ["20,2", "20,22"], "width": 1}
    assert spent(drive([ROAD, crossing]), "go 31,12") == 21


@pytest.mark.rules("9.5.4", system=SYSTEM)
def test_9_5_4_a_bridge_drawn_as_an_area_is_a_path_if_a_path_runs_over_it() -> None:
    stream = {"kind": "stream", "line": ["16,4", "16,20"], "width": 1}
    bridge = area("bridge", 15, 11.5, 17, 12.5)
    west = {"kind": "road", "text": "West", "line": ["0,12", "16,12"], "width": 1}
    east = {"kind": "road", "text": "East", "line": ["16,12", "36,12"], "width": 1}
    assert spent(drive([stream, west, east, bridge]), "go 25,12") == 15
    lane = {"kind": "path", "text": "Lane", "line": ["16,12", "36,12"], "width": 1}
    assert broken(drive([stream, west, lane, bridge]), "go 25,12") == "9.2.1"
    west, lane = {**west, "line": ["0,12", "15.2,12"]}, {**lane, "line": ["16.8,12", "36,12"]}
    assert spent(drive([stream, west, lane, bridge], at="2,12"), "go 16,12") == 14
    assert broken(drive([stream, west, lane, bridge], at="1,12"), "go 16,12") == "9.2.1"


@pytest.mark.rules("9.5.5", system=SYSTEM)
def test_9_5_5_friends_take_no_bonus() -> None:
    friend = {"id": "S2", "card": "t-34-76-m42", "at": "14,12", "heading": 90, "command": "MOVE"}
    assert spent(drive([ROAD], friends=[friend]), "go 25,12") == 15


@pytest.mark.rules("9.1.2", system=SYSTEM)
def test_9_1_2_too_many_strokes_and_headings_of_a_whole_turn_are_none() -> None:
    path = drive()
    many = tuple(Stroke(FACE, heading=heading) for heading in range(MOST_STROKES + 1))
    for strokes, rule in ((many, "9.1.2"), (many[1:], ""), ((Stroke(FACE, heading=3600),), "9.1.2")):
        refusal = path.judge(strokes).refusal
        assert (refusal.rule if refusal is not None else "") == rule


@pytest.mark.rules("9.4", "9.4.1", system=SYSTEM)
def test_9_4_1_turns_that_are_paid_for_count_no_more() -> None:
    assert spent(drive(), "face 210; face 230") == 1
    assert spent(drive(), "face 210; face 330") == 2
    assert broken(drive(), "go 20.5,12; go 20,12") == "9.4.1"
    rough = area("rough", 20.2, 8, 24, 16)
    assert broken(drive([rough]), "go 20.5,12; go 20,12") == "9.2.1"


@pytest.mark.rules("9.4", "9.4.1", system=SYSTEM)
@pytest.mark.parametrize("x", [12.303, 12.34, 12.377, 12.414, 12.451])
def test_9_4_1_an_inch_on_whatever_way_it_came_is_an_inch_since_a_turn(x: float) -> None:
    """A leg aslant has no whole length, and its inch marks are rounded: the turn at its end lies where the leg ends."""
    assert spent(drive(), f"go {x},10.7; go {x},9.7; face 90") == 4
    assert spent(drive(), f"go {x},10.7; go {x},9.701; face 90") == 4 + 1


@pytest.mark.rules("9.4", "9.4.1", "9.1.1", system=SYSTEM)
@pytest.mark.parametrize(("driven", "cost"), [("10,13", 1), ("10,10.9", 1 + 1)])
def test_9_4_1_turns_add_up_over_fire_until_an_inch_was_driven(driven: str, cost: int) -> None:
    """It is fired on where it has driven an inch since it turned, or less, and turns again there."""
    german = [panzer(at="20,10", heading=270, command="OW", known=False)]
    soviet = [tank(command="MOVE", known=True)]
    story = Story(forces(german, soviet, open="movement", first="german", player="soviet"))
    story.do(SOVIET, Move(UnitId("tank"), way(f"face 180; go {driven}")))
    story.do(GERMAN, fire("tank", "panzer"), 100)
    ended = of_kind(story.do(SOVIET, MoveOn(UnitId("tank"), way("face 90"))), shared.MoveEnded)
    assert [event.spent for event in ended] == [cost]


@pytest.mark.rules("5.5.1.11", "5.5.1.17", system=SYSTEM)
def test_5_5_1_17_a_slope_leads_up_from_either_side_of_the_edge() -> None:
    hill = area("hill", 13, 6, 22, 18, level=1)
    for middle in (12.5, 13.5):
        slope = {"kind": "slope", "line": [f"{middle},11", f"{middle},13"], "width": 1}
        assert spent(drive([hill, slope]), "go 16,12") == 6 + 1
        assert spent(drive([hill, slope], at="16,12", heading=270), "go 10,12") == 6 + 1


@pytest.mark.rules("9.7.1", "9.7.2", system=SYSTEM)
def test_9_7_1_a_turret_to_the_side_keeps_nobody_inside() -> None:
    inn = area("brick_building", 9, 11, 10.6, 13)
    walk = drive([inn], turret="left").walk(way("go 12,12"))
    assert walk.refusal is None
    assert [wall.leaves for step in walk.steps for wall in step.walls] == [True]


@pytest.mark.rules("5.5.1.8", "5.5.1.6", "5.5.1.20", system=SYSTEM)
def test_5_5_1_8_a_ford_is_one_in_the_stream_alone_and_a_ditch_is_no_stream() -> None:
    stream = {"kind": "stream", "line": ["16,4", "16,20"], "width": 1}
    assert spent(drive([stream, area("ford", 12, 11, 18, 13)]), "go 15,12") == 5
    assert broken(drive([stream, area("ditch", 13, 8, 14, 16), area("ford", 12, 11, 18, 13)]), "go 15,12") == "9.3.2"
    path = drive([area("ditch", 13, 8, 14, 16)], conditions={"passable_streams": True})
    assert broken(path, "go 15,12") == "9.3.2"


@pytest.mark.rules("9.5.4", system=SYSTEM)
def test_9_5_4_a_move_that_ends_on_a_bridge_between_road_and_path_is_one_by_path() -> None:
    stream = {"kind": "stream", "line": ["16,4", "16,20"], "width": 1}
    bridge = {"kind": "bridge", "text": "Bridge", "line": ["14.5,12", "17.5,12"], "width": 1}
    west = {"kind": "road", "text": "West", "line": ["0,12", "14.5,12"], "width": 1}
    for kind, legal in (("road", True), ("path", False)):
        east = {"kind": kind, "text": "East", "line": ["17.5,12", "36,12"], "width": 1}
        path = drive([stream, west, east, bridge], at="1,12")
        assert spent(path, "go 16,12") == 15 if legal else broken(path, "go 16,12") == "9.2.1"


@pytest.mark.rules("9.3.2", "5.5.1.21", system=SYSTEM)
def test_9_3_2_wheels_leave_wire_and_do_not_enter_it() -> None:
    wire = area("wire", 9, 8, 11, 16)
    assert spent(drive([wire], card="ba-64b"), "go 13,12") == 3
    assert broken(drive([wire], card="ba-64b", at="7,12"), "go 10,12") == "9.3.2"


@pytest.mark.rules("9.7.2", system=SYSTEM)
def test_9_7_2_a_small_base_goes_in_and_out_within_an_inch() -> None:
    story = mover(house(10.4, 9, 10.5, 11))
    context, _ = with_card(story.rules.context, "t-34-76-m43", base=(0.2, 0.2))
    steps = DrivePath(context, story.state, story.unit("tank")).walk(way("go 11,10")).steps
    assert [[wall.leaves for wall in step.walls] for step in steps] == [[False, True]]


@pytest.mark.rules("9.7.4", "9.9", system=SYSTEM)
def test_9_7_4_a_wall_stops_who_cannot_go_on_and_loses_who_was_damaged() -> None:
    far = house(21.2, 9, 24, 11)
    story = mover(far)
    story.do(SOVIET, Move(UnitId("tank"), way("go 21,10")), 1, 1)
    # One inch was left: of it nothing remains.
    assert story.unit("tank").damaged
    assert story.unit("tank").at == (20_000, 10_000)
    story = mover(far, damaged=True, at="20,10")
    story.do(SOVIET, Move(UnitId("tank"), way("go 21,10")), 1, 1)
    assert story.unit("tank").status == "KO"
    assert [patch.kind for patch in story.state.patches] == ["wreck"]


@pytest.mark.rules("9.9", "8.4.5.3.1", system=SYSTEM)
def test_9_9_who_has_to_stop_upon_a_friend_goes_back_to_where_it_stood_upon_nobody() -> None:
    soviet = [tank(command="MOVE", known=True), tank(at="13,10") | {"id": "friend"}]
    step = {"open": "movement", "first": "german", "player": "soviet", "features": [house(14.2, 9, 17, 11)]}
    story = Story(forces([panzer(at="40,40")], soviet, **step))
    story.do(SOVIET, Move(UnitId("tank"), way("go 14,10")), 1, 100)
    assert story.unit("tank").markers.track
    assert story.unit("tank").at == (12_000, 10_000)


@pytest.mark.rules("9.8", system=SYSTEM)
def test_9_8_only_one_s_own_exits_count() -> None:
    ways = [{"side": side, "edge": edge, "points": 5} for side, edge in (("german", "east"), ("soviet", "south"))]
    for at, heading, end, exits in (("46,10", 90, "49,10", {}), ("10,46", 180, "10,49", {"1": 1})):
        soviet = [tank(at=at, heading=heading, command="MOVE", known=True), tank(at="5,5") | {"id": "other"}]
        step = {"open": "movement", "first": "german", "player": "soviet", "victory": {"exits": ways}}
        story = Story(forces([panzer(at="40,40")], soviet, **step))
        story.do(SOVIET, Move(UnitId("tank"), way(f"go {end}")))
        assert story.unit("tank").status == "exited"
        assert story.state.exits == exits


@pytest.mark.rules("9.8", system=SYSTEM)
def test_9_8_nobody_comes_back_or_turns_off_the_table_not_even_within_the_inch() -> None:
    path = drive(at="35.4,12")
    assert spent(path, "go 36.1,12") == 1
    for later in ("go 35.8,12", "go 36.2,12.1", "face 0", "back 35.9,12"):
        found = path.judge(way(f"go 36.1,12; {later}"))
        assert found.refusal is not None
        assert (found.refusal.rule, found.upto, found.marks[-1].at) == ("9.8", 1, (36_100, 12_000))


@pytest.mark.rules("9.1.3", system=SYSTEM)
def test_9_1_3_an_inch_that_is_partly_driven_in_reverse_counts_as_reverse() -> None:
    for drawn in ("back 9.5,12; go 9.8,12", "go 10.5,12; back 10.2,12", "back 9.6,12; back 9.3,12"):
        assert spent(drive(), drawn) == 2


@pytest.mark.rules("9.9", "9.1.1", system=SYSTEM)
def test_9_9_whoever_is_fired_on_as_he_passes_a_wreck_does_not_turn_and_stay_upon_it() -> None:
    wreck = [{"kind": "wreck", "at": "12,10"}]
    soviet = [tank(command="MOVE", known=True)]
    german = [panzer(at="20,10", heading=270, command="OW", known=False)]
    story = Story(forces(german, soviet, open="movement", first="german", player="soviet", patches=wreck))
    story.do(SOVIET, Move(UnitId("tank"), way("go 14,10")))
    story.do(GERMAN, Pass())
    assert story.unit("tank").at == (12_000, 10_000)
    story.do(GERMAN, fire("tank", "panzer"), 100)
    assert story.asked == (SOVIET, "9.1.1")
    assert story.refused(SOVIET, MoveOn(UnitId("tank"), way("face 135"))) == "9.9"
    story.do(SOVIET, MoveOn(UnitId("tank")))
    assert (story.unit("tank").at, story.unit("tank").heading) == ((11_000, 10_000), 900)


@pytest.mark.rules("9.8", "9.9", system=SYSTEM)
def test_9_8_whoever_leaves_does_not_stop_upon_another_at_the_edge() -> None:
    other = [{"id": "G1", "card": "pz-ivg", "at": "35.4,12"}]
    path = drive(others=other, at="30,12")
    assert spent(path, "go 36.3,12") == 7
    assert broken(path, "go 35,12") == "9.9"


@pytest.mark.rules("5.5.1.4", "5.5.1.8", "9.6", system=SYSTEM)
def test_5_5_1_4_a_bridge_over_a_ford_is_a_bridge_whichever_is_drawn_last() -> None:
    stream = {"kind": "stream", "line": ["16,4", "16,20"], "width": 1}
    ford = area("ford", 15, 11, 17, 13)
    bridge = {"kind": "bridge", "text": "Bridge", "line": ["15,12", "17,12"], "width": 1}
    for crossings in ([ford, bridge], [bridge, ford]):
        assert spent(drive([stream, ROAD, *crossings]), "go 18,12") == 8
        assert broken(drive([stream, ROAD, *crossings]), "go 16,12; go 16,11.2") == "9.6"


@pytest.mark.rules("5.5.1.3", "5.5.1.23", system=SYSTEM)
def test_5_5_1_3_a_scenario_may_say_how_many_storeys_a_building_has() -> None:
    inn = house(20, 9, 22, 11) | {"text": "Inn"}
    high = forces([panzer()], [tank()], features=[inn], conditions={"storeys": {"Inn": 3}})
    rules: Any = high.ruleset
    assert [one.height for one in rules.context.ground(high.state).obstacles] == [3]
