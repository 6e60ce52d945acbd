"""Scenarios: sides, weather, dates, the first game turn, and every fault of a file at once."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable import packs
from sandtable.core.content.pack import Library, Pack
from sandtable.core.dice import RecordingDice, SeededDice
from sandtable.core.errors import BadInput
from sandtable.core.ruleset import Resolution
from sandtable.geo.board import read_board
from sandtable.systems.goss.common.dice import roll_d10, roll_percent
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.ground.weather import GroundCondition, Sky
from sandtable.systems.goss.system import GOSS
from sandtable.systems.goss.turn.segments import Moment, Step
from tests.goss.lorn import header, lorn
from tests.goss.shelf import library


def draft() -> dict[str, Any]:
    """The Lorn Crossing as data of one's own."""
    return deepcopy(dict(header().scenario))


def faults(changed: dict[str, Any]) -> str:
    """What is wrong with a scenario."""
    with pytest.raises(BadInput) as bad:
        GOSS.ruleset(changed, library(), "test.yaml")
    return "\n".join(map(str, bad.value.faults))


@pytest.mark.rules("1.1.0", "2.1.0", "6.1.0", "9.3.3", system="goss")
def test_all_faults_are_told_at_once() -> None:
    changed = draft()
    allied, axis = changed["sides"]
    allied["formations"][1]["set_up"] = [
        {"hex": "0907", "units": ["1-481", "2-481", "3-481", "nobody"]},
        {"hex": "0806", "units": ["1-481"]},
        {"hex": "9999", "units": ["1-482"]},
        {"hex": "0803", "units": ["2-482"], "in_works": True},
    ]
    axis["formations"].append({"id": "ccb"})
    changed["weather"] = [{"turn": 1}]
    changed["bridges_down"] = ["0904:NE", "0903:UP"]
    allied["formations"][0]["corps"] = "ccb"
    changed["calendar"]["dates"] = ["in autumn"]
    told = faults(changed)
    for words in (
        "61st Infantry Division without its HQ",
        "no unit 'nobody'",
        "61-inf/1-481 stands twice",
        "no hex '9999'",
        "hex 0803: no works there for 61-inf/2-482",
        "ccb does not fight for axis",
        "3 battalions, at most 2",
        "nothing for the first game turn",
        "no bridge there",
        "'UP' is no direction",
        "one for each of 2 days",
        "sides[0].formations[0].corps: xl-corps under ccb under xl-corps",
        "sides[0].formations[2].corps: ccb under xl-corps under ccb",
    ):
        assert words in told, told


@pytest.mark.rules("1.1.0", system="goss")
@pytest.mark.parametrize("short", ["supply", "logistics"])
def test_a_short_form_that_there_is_not_is_a_fault(short: str) -> None:
    changed = draft()
    changed["rules"][short] = "full"
    assert f"rules.{short}" in faults(changed)


@pytest.mark.rules("21.1.0", "21.2.0", "21.3.1", "21.4.0", "11.4.1e", "2.2.0", system="goss")
def test_faults_of_zones_supply_fuel_and_what_comes_and_goes_are_told_with_their_places() -> None:
    changed = draft()
    allied, axis = changed["sides"]
    allied["sources"] = ["0507"]
    axis["sources"] = []
    allied["formations"][1] |= {"zone": ["0101..0814"], "losses": {"nobody": 1}, "fuel": "low"}
    axis["formations"][1] |= {"assets": ["nobody"], "fuel_value": 3, "zone": ["9901"]}
    allied["reinforcements"] = [
        {"turn": 9, "formation": "ccb", "units": ["HQ"], "entry": []},
        {"turn": 1, "formation": "ccb", "units": ["2-CCB"], "entry": ["0101", "0507"]},
    ]
    axis["withdrawals"] = [{"turn": 7, "formation": "791-inf", "units": ["1-481"]}]
    changed["surprise"] = [{"turn": 8, "side": "nobody"}]
    changed["weather"] = [{"turn": 0}, {"turn": 2}, {"turn": 2}]
    told = faults(changed)
    for words in (
        "sides[0].formations[1].set_up[1].hex: 0907 is out of its zone",
        "sides[1].formations[1].zone[0]",
        "sides[0].sources: 0507 is not on the edge",
        "sides[1].sources: no source of supply",
        "sides[0].formations[1].losses.nobody",
        "sides[0].formations[1].fuel_value: None in low fuel",
        "sides[1].formations[1].fuel_value: 3 in normal fuel",
        "sides[1].formations[1].assets: nobody of 791-inf arrives",
        "sides[0].reinforcements[0].turn: 9",
        "sides[0].reinforcements[0].entry: nowhere to enter",
        "sides[0].reinforcements[1].entry: 0507 is not on the edge",
        "sides[1].withdrawals[0].turn: 7",
        "791-inf/1-481 is not in the game",
        "surprise[0].turn: 8",
        "surprise[0].side: 'nobody'",
        "weather[2].turn: 2 stands twice",
    ):
        assert words in told, f"{words}: {told}"


@pytest.mark.rules("1.2.0", system="goss")
def test_roads_that_jump_and_a_river_off_the_grid_are_named() -> None:
    ((_, data, _),) = [one for one in library().section("boards") if one[0] == "lorn"]
    lines = data.decode().rstrip() + "\n"
    lines += "  - {kind: trail, line: ['0101', '0301']}\n  - {kind: river, sides: ['9901:NE']}\n"
    with pytest.raises(BadInput) as bad:
        read_board(lines.encode(), "lorn.yaml")
    told = "\n".join(map(str, bad.value.faults))
    for words in ("lorn.yaml: features[", "0101 to 0301", "'9901' is not on the board"):
        assert words in told


def test_tables_with_other_axes_are_told_with_their_files_beside_the_faults_of_boards_and_once() -> None:
    files = dict(packs.shipped("goss").files)
    files["tables/cover.yaml"] = files["tables/cover.yaml"].replace(b"[clear, rough,", b"[plain, rough,")
    files["tables/works.yaml"] = files["tables/works.yaml"].replace(b"[1, -1, 1, 0]", b"[many, -1, 1, 0]")
    files["boards/lorn.yaml"] += b"  - {kind: river, sides: ['9901:NE']}\n"
    with pytest.raises(BadInput) as bad:
        GOSS.check_pack(Library([Pack(files, "mine")]))
    assert [fault.where for fault in bad.value.faults] == [
        "mine/tables/works.yaml: IP, shifts",
        "mine/tables/cover.yaml: axes.feature",
        "mine/boards/lorn.yaml: features[37].sides[0]",
    ]


@pytest.mark.rules("19.0", "19.2.1", system="goss")
def test_the_weather_of_a_game_turn_lasts_until_the_next_entry() -> None:
    weather = lorn().context.scenario.weather
    dry, wet, mud = GroundCondition.DRY, GroundCondition.WET, GroundCondition.MUD
    assert [one.ground for one in weather] == [dry, dry, dry, wet, mud, mud]
    assert [one.sky for one in weather] == [Sky.CLEAR] * 3 + [Sky.PARTIAL_OVERCAST] + [Sky.OVERCAST] * 2


@pytest.mark.rules("19.4.0", system="goss")
def test_a_weather_zone_has_its_own_sky_and_ground() -> None:
    changed = draft()
    changed["zones"] = {"west": ["0101", "0201"]}
    changed["weather"] += [{"turn": 0, "zone": "west", "ground": "Mud"}, {"turn": 1, "zone": "west", "sky": "Ovr"}]
    context = GOSS.ruleset(changed, library(), "test.yaml").context
    here, beyond = context.game_map.hex("0101"), context.game_map.hex("0301")
    state = replace(lorn().setup(), weather=context.scenario.weather[0])
    assert context.weather_at(state, here).ground is GroundCondition.MUD
    assert context.weather_at(state, beyond).ground is GroundCondition.DRY
    later = replace(state, weather=context.scenario.weather[1])
    assert (context.weather_at(later, here).sky, context.weather_at(later, beyond).sky) == (Sky.OVERCAST, Sky.CLEAR)


def test_faults_of_weather_zones() -> None:
    changed = draft()
    changed["zones"] = {"west": ["0101", "9999"], "south": ["0101"]}
    changed["weather"] += [{"turn": 0, "zone": "west"}, {"turn": 0, "zone": "north"}]
    told = faults(changed)
    for words in (
        "no hex '9999'",
        "0101 is in west too",
        "no zone 'north'",
        "nothing for the first game turn in south",
    ):
        assert words in told, told


@pytest.mark.rules("1.4.0", "1.6.0", "3.1.1", system="goss")
def test_the_track_has_the_dates_and_counters_their_markers() -> None:
    rules = lorn()
    view = rules.view(rules.setup(), rules.seats[0])
    assert view.tracks[0].steps == ("10 Sep AM", "10 Sep PM", "10 Sep Night", "11 Sep AM", "11 Sep PM", "11 Sep Night")
    guns = next(one for one in view.counters if one.id == "61-inf/811 FA")
    assert [marker.text for marker in guns.markers] == ["IB"]


@pytest.mark.rules("3.1.0", system="goss")
def test_a_scenario_may_leave_segments_out_of_its_first_game_turn() -> None:
    changed = draft()
    changed["rules"]["first_turn_without"] = [Step.REST]
    at = Moment(0, "", 3)
    assert at.step is Step.REST
    asked = []
    for rules in (lorn(), GOSS.ruleset(changed, library(), "test.yaml")):
        play: Resolution[State, object] = Resolution(rules.setup(), rules.fold, SeededDice(1))
        rules.open_segment(play, at)
        asked.append(bool(play.state.stack))
    assert asked == [True, False]


@pytest.mark.rules("26.0", system="goss")
def test_dice_begin_at_nought() -> None:
    rules = lorn()
    play: Resolution[State, object] = Resolution(rules.setup(), rules.fold, RecordingDice(SeededDice(7)))
    rolled = {roll_d10(play, "test") for _ in range(300)}
    assert rolled == set(range(10))
    percent = {roll_percent(play, "test", lambda face: face) for _ in range(2000)}
    assert (min(percent), max(percent)) == (0, 99)
