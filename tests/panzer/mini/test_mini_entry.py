"""9.8 Those that are held off the table; a MOVE that stays; bridges, slopes, streams and rubble in corner cases."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.core.decision import Seat
from sandtable.core.errors import BadInput
from sandtable.core.tree.drawing import Strokes, read_drawing_text
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.frames import Overwatch
from sandtable.systems.panzer.mini import events as ev
from sandtable.systems.panzer.mini.actions import Enter, Move, MoveOn, Pass, PlaceCommands
from sandtable.systems.panzer.mini.moves import Moving
from sandtable.systems.panzer.unit import Command, Spot, Status, UnitId
from tests.panzer.mini.range import GERMAN, SOVIET, Story, forces, of_kind, panzer, tank
from tests.panzer.mini.test_mini_movement import HILL, area, broken, drive, spent

SYSTEM = "panzer-mini"
rules = pytest.mark.rules
TANK = UnitId("tank")
ENTERS = {"turn": 2, "edge": "north", "stretch": [4, 12]}


def way(text: str) -> Strokes:
    found = read_drawing_text(text)
    assert found is not None
    return found


def reserve(**more: Any) -> dict[str, Any]:
    return tank(at="", **{"command": "MOVE", "enters": ENTERS, **more})


def coming(turn: int = 2, **more: Any) -> Story:
    """The Soviets' Movement Step, with a tank that is held off the table."""
    return moving([panzer(at="30,20")], [reserve(**more)], turn=turn)


def moving(german: list[dict[str, Any]], soviet: list[dict[str, Any]], **situation: Any) -> Story:
    return Story(forces(german, soviet, open="movement", player="soviet", **situation))


def broken_by(story: Story, seat: Seat, action: Any) -> str:
    """The rule that an action breaks, "" if none."""
    refusal = story.rules.refusal(story.state, seat, action)
    return "" if refusal is None else str(refusal.rule)


@rules("9.8", system=SYSTEM)
def test_9_8_a_reserve_is_ordered_to_come_on_and_nothing_else_and_not_before_its_turn() -> None:
    early, late = (Story(forces([panzer()], [reserve(command="N/C")], open="orders", turn=turn)) for turn in (1, 2))
    assert early.refused(SOVIET, PlaceCommands({TANK: Command.MOVE})) == "6.1"
    assert broken_by(late, SOVIET, PlaceCommands({TANK: Command.MOVE})) == ""
    for order in (Command.FIRE, Command.SHORT_HALT, Command.OVERWATCH):
        assert late.refused(SOVIET, PlaceCommands({TANK: order})) == "9.8"


@rules("9.8", system=SYSTEM)
@pytest.mark.parametrize(
    "text", ["put 3.9,0 facing 180", "put 8,1 facing 180", "put 8,0 facing 90", "put 8,0 facing 0", "go 8,4"]
)
def test_9_8_it_comes_on_by_its_stretch_of_the_edge_and_faces_onto_the_table(text: str) -> None:
    assert coming().refused(SOVIET, Enter(TANK, way(text))) == "9.8"


@rules("9.8", "9.1.1", system=SYSTEM)
def test_9_8_it_comes_to_the_edge_and_is_moved_from_there() -> None:
    story = coming()
    assert story.refused(SOVIET, Move(TANK, way("go 8,4"))) == "9.8"
    story.do(SOVIET, Enter(TANK, way("put 8,0 facing 180")))
    assert story.refused(SOVIET, Enter(TANK, way("put 8,0 facing 180"))) != ""
    assert story.refused(SOVIET, MoveOn(TANK, way("go 8,0.4"))) == "9.9", "not over the edge with its base"
    story.do(SOVIET, MoveOn(TANK, way("go 8,4")))
    unit = story.unit("tank")
    assert (unit.status, unit.at, unit.heading, unit.moved) == (Status.IN_PLAY, (8000, 4000), 1800, True)
    assert unit.new_spot is Spot.MOVE
    assert [event.spent for event in of_kind(story.events, shared.MoveEnded)] == [4]


@rules("9.8", system=SYSTEM)
def test_9_8_one_that_does_not_come_wholly_onto_the_table_is_still_held_off_it() -> None:
    story = coming()
    story.do(SOVIET, Enter(TANK, way("put 8,0 facing 180")))
    story.do(SOVIET, MoveOn(TANK))
    unit = story.unit("tank")
    assert (unit.status, unit.at, unit.new_spot, unit.moved) == (Status.RESERVE, None, Spot.NONE, True)
    assert of_kind(story.events, ev.UnitTurnedBack)


@rules("9.8", "9.5.1", system=SYSTEM)
def test_9_8_it_has_the_rate_of_a_road_by_which_it_comes_on() -> None:
    road = {"kind": "road", "text": "Road", "line": ["8,0", "8,24"], "width": 1}
    for features, rule in (([], "9.2.1"), ([road], "")):
        story = moving([panzer(at="30,20")], [reserve()], turn=2, features=features)
        story.do(SOVIET, Enter(TANK, way("put 8,0 facing 180")))
        assert broken_by(story, SOVIET, MoveOn(TANK, way("go 8,16"))) == rule


@rules("9.8", "8.3.2", system=SYSTEM)
def test_9_8_overwatch_fires_on_it_from_its_first_inch_on() -> None:
    waiting = panzer(at="8,10", heading=0, command="OW")
    story = moving([waiting], [reserve()], turn=2)
    story.do(SOVIET, Enter(TANK, way("put 8,0 facing 180")))
    assert isinstance(story.state.stack[-1], Moving), "nobody is asked at the edge"
    story.do(SOVIET, MoveOn(TANK, way("go 8,4")))
    assert isinstance(story.state.stack[-1], Overwatch)
    assert story.unit("tank").at == (8000, 1000)


@rules("9.8", "2.0", system=SYSTEM)
@pytest.mark.parametrize(
    ("enters", "field"),
    [
        ({"turn": 0, "edge": "north"}, "enters.turn"),
        ({"turn": 99, "edge": "north"}, "enters.turn"),
        ({"turn": 2, "edge": "north", "stretch": [12, 4]}, "enters.stretch"),
        ({"turn": 2, "edge": "west", "stretch": [0, 49]}, "enters.stretch"),
        ({"turn": 2, "edge": "south", "stretch": [4, 8]}, "tank.enters"),
    ],
)
def test_9_8_an_entry_that_cannot_be_is_named(enters: dict[str, Any], field: str) -> None:
    woods = {"kind": "heavy_woods", "outline": [[3, 40], [9, 40], [9, 48], [3, 48]]}
    with pytest.raises(BadInput) as bad:
        moving([panzer()], [reserve(enters=enters)], features=[woods])
    assert any(field in fault.where for fault in bad.value.faults)


@rules("9.1.4", "3.5", "8.3.2", system=SYSTEM)
def test_9_1_4_a_move_that_stays_draws_overwatch_once() -> None:
    story = moving([panzer(at="8,10", heading=0, command="OW")], [tank(at="8,4", command="MOVE")])
    story.do(SOVIET, Move(TANK))
    assert isinstance(story.state.stack[-1], Overwatch)
    story.do(GERMAN, Pass())
    assert story.unit("tank").moved
    assert not any(isinstance(frame, Moving | Overwatch) for frame in story.state.stack)


@rules("9.6", "9.5.4", system=SYSTEM)
def test_9_6_a_bridge_is_entered_and_left_by_the_road_that_it_joins() -> None:
    stream = {"kind": "stream", "text": "Brook", "line": ["14,0", "14,24"], "width": 1}
    road = {"kind": "road", "text": "Road", "line": ["0,12", "36,12"], "width": 1}
    bridge = {"kind": "bridge", "line": ["12,12", "16,12"], "width": 1}
    path = {"kind": "path", "text": "Path", "line": ["13,6", "13,11.5"], "width": 0.5}
    features = [stream, road, bridge, path]
    assert spent(drive(features), "go 20,12") == 10
    assert broken(drive([stream, bridge, path], at="13,9", heading=180), "go 13,12") == "9.6", "the path joins it not"
    assert broken(drive(features), "go 13,12; go 13,14") == "9.6"
    outlined = {"kind": "bridge", "outline": [[12, 11], [16, 11], [16, 13], [12, 13]]}
    assert spent(drive([stream, road, outlined]), "go 20,12") == 10, "a bridge drawn as an outline, wider than its road"
    assert broken(drive([stream, road, outlined], at="13,9", heading=180), "go 13,12") == "9.6"


@rules("5.5.1.17", "5.5.1.11", system=SYSTEM)
def test_5_5_1_17_a_slope_leads_up_one_height() -> None:
    assert spent(drive(HILL), "go 15,12") == 6
    steep = [area("hill", 13, 6, 22, 18, level=2), HILL[1]]
    assert broken(drive(steep), "go 15,12") == "5.5.1.17"


@rules("5.5.1.20", system=SYSTEM)
def test_5_5_1_20_a_stream_is_passable_along_the_part_that_a_scenario_names() -> None:
    def crosses(where: str, **conditions: Any) -> bool:
        streams = [
            {"kind": "stream", "text": "Upper brook", "line": ["14,0", "14,12"], "width": 1},
            {"kind": "stream", "text": "Lower brook", "line": ["14,12", "14,24"], "width": 1},
        ]
        mover = tank(at=f"12,{where}", command="MOVE")
        story = moving([panzer(at="30,20")], [mover], features=streams, conditions=conditions)
        return broken_by(story, SOVIET, Move(TANK, way(f"go 16,{where}"))) == ""

    assert [crosses(at) for at in ("6", "18")] == [False, False]
    assert [crosses(at, passable_streams=True) for at in ("6", "18")] == [True, True]
    assert [crosses(at, passable_streams=["Lower brook"]) for at in ("6", "18")] == [False, True]
    with pytest.raises(BadInput, match="no stream 'Rhine'"):
        crosses("6", passable_streams=["Rhine"])


@rules("5.5.1.1", "9.3.2", system=SYSTEM)
def test_5_5_1_1_where_a_building_is_rubble_there_is_no_wall_for_sight_and_movement_alike() -> None:
    house = area("wood_building", 13, 11, 15, 13)
    ruin = {"kind": "rubble", "outline": house["outline"]}
    whole, fallen = drive([house], card="marder-ii"), drive([house], card="marder-ii", patches=[ruin])
    assert broken(whole, "go 13,12") == "9.7.1"
    assert spent(fallen, "go 13,12") == 2 + 4


@rules("5.5.1.4", "9.3.2", system=SYSTEM)
def test_5_5_1_4_a_bridge_that_is_rubble_leads_nobody_over_its_stream() -> None:
    river, bridge = area("stream", 12, 4, 20, 20), area("bridge", 10, 8, 22, 16)
    ruin = {"kind": "rubble", "outline": bridge["outline"]}
    assert spent(drive([river, bridge], at="16,12"), "go 17,12") == 1
    for start in ("16,12", "11,12"):
        assert broken(drive([river, bridge], at=start, patches=[ruin]), "go 17,12") == "9.3.2"
