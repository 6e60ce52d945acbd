"""Scenarios: sides, weather, dates, the first game turn, and every fault of a file at once."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.dice import RecordingDice, SeededDice
from sandtable.core.errors import BadInput
from sandtable.core.ruleset import Resolution
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
    ]
    axis["formations"].append({"id": "ccb"})
    changed["weather"] = [{"turn": 1}]
    changed["bridges_down"] = ["0904:NE", "0903:UP"]
    changed["calendar"]["dates"] = ["in autumn"]
    told = faults(changed)
    for words in (
        "61st Infantry Division without its HQ",
        "no unit 'nobody'",
        "61-inf/1-481 stands twice",
        "no hex '9999'",
        "ccb does not fight for axis",
        "3 battalions, at most 2",
        "nothing for the first game turn",
        "no bridge there",
        "'UP' is no direction",
        "one for each of 2 days",
    ):
        assert words in told, told


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
