"""3.0-3.3: the order of phases and segments."""

from __future__ import annotations

import pytest

from sandtable.systems.goss.common.handler import SegmentHandler
from sandtable.systems.goss.sequence import HANDLERS
from sandtable.systems.goss.turn.segments import JOINT, PASSING, PLAYER, Calendar, Moment, Part, Phase, Step, following

PLAYERS = ("allied", "axis")


def walk(calendar: Calendar) -> list[Moment]:
    """Every moment of a scenario, in order."""
    moments, moment = [], following(Moment(0), calendar, PLAYERS)
    while moment is not None:
        moments.append(moment)
        moment = following(moment, calendar, PLAYERS)
    return moments


@pytest.mark.rules("3.0", "3.3.4", system="goss")
def test_a_day_has_three_turns_and_a_scenario_may_begin_in_its_middle() -> None:
    calendar = Calendar(Part.PM, 5)
    assert [calendar.part(turn) for turn in range(5)] == [Part.PM, Part.NIGHT, Part.AM, Part.PM, Part.NIGHT]
    assert [calendar.day(turn) for turn in range(5)] == [1, 1, 2, 2, 2]
    assert {moment.turn for moment in walk(calendar)} == set(range(5))


@pytest.mark.rules("3.2.1", "3.3.0", "3.3.2", "3.3.3", system="goss")
@pytest.mark.rules("3.3.1a", "3.3.1b", "3.3.1c", "3.3.1d", "3.3.1e", system="goss")
@pytest.mark.rules("3.3.2a", "3.3.2b", "3.3.2c", "3.3.2d", "3.3.2e", "3.3.2f", "3.3.2g", system="goss")
def test_joint_phases_then_the_allied_then_the_axis_turn() -> None:
    first = [moment for moment in walk(Calendar(Part.AM, 1)) if moment.turn == 0]
    assert [moment.player for moment in first] == [""] * len(JOINT) + ["allied"] * len(PLAYER) + ["axis"] * len(PLAYER)
    phases = list(dict.fromkeys(segment.phase for segment in (*JOINT, *PLAYER)))
    assert phases == list(Phase), "every phase comes once, in the order of the book"


@pytest.mark.rules("3.3.1", "3.3.5", system="goss")
def test_weather_and_fuel_value_come_every_turn_the_rest_once_a_day() -> None:
    moments = walk(Calendar(Part.AM, 4))
    joint = [[moment.step for moment in moments if moment.turn == turn and not moment.player] for turn in range(4)]
    assert len(joint[0]) == len(joint[3]) == len(JOINT)
    assert joint[1] == joint[2] == [Step.WEATHER, Step.INTERDICTION_VALUE, Step.FUEL_VALUE]
    turns = [[moment.step for moment in moments if moment.turn == turn and moment.player] for turn in range(3)]
    assert turns[2] == turns[0], "the night has the phases of the day (3.3.5)"
    begun_at_noon = [moment.step for moment in walk(Calendar(Part.PM, 1)) if not moment.player]
    assert len(begun_at_noon) == len(JOINT), "the first turn of a scenario has the phases of its day"


@pytest.mark.rules("3.3.0", system="goss")
def test_movement_comes_in_the_order_of_the_book() -> None:
    steps = [segment.step for segment in PLAYER]
    order = [Step.RESERVE, Step.ENTRY, Step.STRATEGIC, Step.COUP_DE_MAIN, Step.ROAD, Step.NON_ROAD, Step.PREPARED]
    assert [step for step in steps if step in order] == order
    assert Moment(0).step is None


@pytest.mark.rules("3.3.0", system="goss")
def test_what_always_passes_has_no_question_and_is_not_told() -> None:
    filled = {handler.step for handler in HANDLERS if issubclass(handler, SegmentHandler)}
    assert set(Step) - filled - {Step.WEATHER} == PASSING
