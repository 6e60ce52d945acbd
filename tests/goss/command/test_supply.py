"""15 in its short form, 13.5.1: who has no free path to the edge lives on what he carries, and may surrender."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sandtable.core.dice import ScriptedDice
from sandtable.core.ruleset import Resolution
from sandtable.systems.goss.assault.eligibility import RETREATED
from sandtable.systems.goss.assault.resolving import AssaultRolled
from sandtable.systems.goss.common.checks import Checked, surrender
from sandtable.systems.goss.common.facts import Surrendered
from sandtable.systems.goss.common.state import FormationState, FuelState, Use, with_units
from sandtable.systems.goss.ground.weather import GroundCondition
from sandtable.systems.goss.movement.marching import Marched
from sandtable.systems.goss.pieces.card import FormationId
from sandtable.systems.goss.pieces.unit import Box, Supply, UnitId
from sandtable.systems.goss.tables.movement_costs import ONE_MP
from sandtable.systems.goss.turn.segments import Step
from tests.goss.assaults import Fight
from tests.goss.moving import NON_ROAD, Field

FOOT, SECOND, ENEMY = "61-inf/1-481", "61-inf/2-481", "791-inf/I-1571"
POCKET = {"supply": "OoS", "isolated": True}


def rules(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.rules(*numbers, system="goss")


@rules("3.3.2g", "7.7.5")
def test_15_5_2_who_is_cut_off_lives_on_what_he_carries_and_then_on_nothing() -> None:
    cells = "\n".join([". . . . . . . ."] * 3)
    wall = {"0301": [ENEMY], "0302": ["791-inf/II-1571"], "0303": ["791-inf/I-1572"]}
    field = Field(Step.SUPPLY, cells, {"0101": [SECOND], "0801": [FOOT]}, wall)
    assert (field.unit(SECOND).supply, field.unit(FOOT).supply) == (Supply.GENERAL, Supply.ON_HAND)
    assert (field.unit(SECOND).is_isolated, field.unit(FOOT).is_isolated) == (False, True)
    near = Field(Step.SUPPLY, cells, {"0101": [SECOND], "0401": [FOOT]}, wall)
    assert (near.unit(FOOT).supply, near.unit(FOOT).is_isolated) == (Supply.ON_HAND, False)
    for way, supply in ((("0201", "0301", "0401"), Supply.ON_HAND), (("0201", "0301", "0401", "0501"), Supply.OUT)):
        moving = Field(NON_ROAD, ". . . . . . .", {"0101": [FOOT, SECOND]}, markers={FOOT: {"supply": "OhS"}})
        assert moving.go(FOOT, *way).unit(FOOT).supply is supply
    home = Field(Step.SUPPLY, cells, {"0201": [FOOT]}, markers={FOOT: POCKET})
    assert (home.unit(FOOT).supply, home.unit(FOOT).is_isolated) == (Supply.GENERAL, False)


@rules("7.3.0", "15.5.2")
def test_7_3_0_a_minimum_move_on_foot_takes_all_the_printed_ma_however_little_is_left() -> None:
    tired = {FOOT: {"supply": "OhS", "fatigue": 1}}
    for cells, way, supply in (
        (". m", ("0201",), Supply.OUT),
        (". f", ("0201",), Supply.ON_HAND),
        (". . .", ("0201", "0301"), Supply.ON_HAND),
    ):
        field = Field(NON_ROAD, cells, {"0101": [FOOT, SECOND]}, markers=tired, ground=GroundCondition.MUD)
        marched = field.go(FOOT, *way).told(Marched)
        assert (marched.spent, marched.allowance.total) == (2 * ONE_MP, 2), "half of a half of the printed six"
        assert field.unit(FOOT).supply is supply, cells


@rules("7.3.0", "15.5.2")
def test_7_3_0_a_minimum_move_of_vehicles_takes_no_more_than_they_have() -> None:
    trucks = "ccb/2-CCB"
    marks = {trucks: {"supply": "OhS"}}
    field = Field(NON_ROAD, ". f", {"0101": [trucks, SECOND]}, markers=marks, ground=GroundCondition.MUD)
    low = FormationState(FuelState.LOW, fuel_value=6)
    field.state = replace(field.state, formations={FormationId("ccb"): low})
    assert field.go(trucks, "0201").told(Marched).spent == 3 * ONE_MP
    assert field.unit(trucks).supply is Supply.ON_HAND, "a quarter of the printed twelve"


@rules("21.0")
def test_21_0_reinforcements_are_supplied_for_three_game_turns() -> None:
    cells = "\n".join([". . . . . . . ."] * 3)
    wall = {"0301": [ENEMY], "0302": ["791-inf/II-1571"], "0303": ["791-inf/I-1572"]}
    for arrived, turn, supply in ((0, 2, Supply.GENERAL), (0, 3, Supply.ON_HAND), (-1, 0, Supply.ON_HAND)):
        field = Field(NON_ROAD, cells, {"0101": [SECOND], "0801": [FOOT]}, wall)
        units = field.state.units | {UnitId(FOOT): replace(field.unit(FOOT), arrived=arrived)}
        at = replace(field.state.at, turn=turn, index=field.state.at.index)
        play = Resolution(replace(field.state, units=units, at=at, stack=()), field.rules.fold, ScriptedDice([]))
        segment = next(index for index in range(60) if replace(at, index=index).step is Step.SUPPLY)
        field.rules.open_segment(play, replace(at, index=segment))
        assert play.state.units[UnitId(FOOT)].supply is supply, (arrived, turn)


@rules("13.5.0", "13.5.1")
def test_13_5_1_defenders_who_are_cut_off_may_surrender_before_the_dice_fall() -> None:
    for die, gone in ((5, False), (6, True)):
        fight = Fight({"0403": [FOOT]}, {"0404": [ENEMY]}, markers={FOOT: {"designated": True}, ENEMY: POCKET})
        assert fight.rules.cards[ENEMY].defensive == 6
        fight.do(fight.answers[0], die, 50, 50, 0, 0)
        checked = next(event for event in fight.events if isinstance(event, Checked))
        assert (checked.why, checked.is_passed) == ("surrender", not gone)
        if gone:
            assert fight.unit(ENEMY).box is Box.ISOLATED
            assert fight.title == "allied: Advance after the assault"
        else:
            assert fight.unit(ENEMY).hex is not None
    for marks in ({"supply": "OoS"}, {"isolated": True, "supply": "OhS"}):
        fight = Fight({"0403": [FOOT]}, {"0404": [ENEMY]}, markers={FOOT: {"designated": True}, ENEMY: marks})
        fight.do(fight.answers[0], 50, 50, 0, 0)
        assert not any(isinstance(event, Checked) and event.why == "surrender" for event in fight.events)


@rules("13.5.1", "13.5.5")
def test_13_5_5_if_all_defenders_surrender_who_has_retreated_there_is_not_attacked_by_himself() -> None:
    other = UnitId("791-inf/II-1571")
    marks = {FOOT: {"designated": True}, ENEMY: POCKET}
    fight = Fight({"0403": [FOOT]}, {"0404": [ENEMY, other]}, markers=marks)
    fight.state = replace(fight.state, used=(*fight.state.used, Use(RETREATED, by=other)))
    fight.do(fight.answers[0], 9)
    assert fight.unit(ENEMY).box is Box.ISOLATED
    assert not any(isinstance(event, AssaultRolled) for event in fight.events)
    assert fight.at(other) == "0404"
    assert not fight.unit(FOOT).is_attacking, "the assault is over"


@rules("13.5.1", "6.7.0")
def test_13_5_1_who_was_too_many_defends_in_place_of_those_who_surrender() -> None:
    second, third = UnitId("791-inf/II-1571"), UnitId("791-inf/I-1572")
    marks = {FOOT: {"designated": True}, ENEMY: POCKET, second: POCKET}
    fight = Fight({"0403": [FOOT]}, {"0404": [ENEMY, second], "0606": [third]}, markers=marks)
    fight.state = with_units(fight.state, replace(fight.unit(third), hex=fight.hex("0404")))
    fight.do(fight.answers[0], 9, 9, 0, 99)
    (rolled,) = [event for event in fight.events if isinstance(event, AssaultRolled)]
    assert rolled.ratio[1] == fight.rules.cards[third].full.defence


@rules("13.5.1", "3.3.1c")
def test_example_15_7_1_two_more_for_each_morning_and_one_for_neighbours_who_gave_up() -> None:
    field = Field(NON_ROAD, ". . . . . .", {"0101": [FOOT], "0301": [SECOND]}, markers={FOOT: POCKET, SECOND: POCKET})
    play = Resolution(field.state, field.rules.fold, ScriptedDice([[0 + 1]] * 6))
    context, foot = field.rules.context, UnitId(FOOT)
    for drm in (0, 2, 4):
        surrender(play, context, [play.state.units[foot]], is_morning=True)
        told = [event for event in play.events if isinstance(event, Checked)][-1]
        assert sum(term.value for term in told.terms) == drm
    surrender(play, context, [play.state.units[foot]], is_morning=False)
    assert [event for event in play.events if isinstance(event, Checked)][-1].terms[0].value == 4
    play = Resolution(field.state, field.rules.fold, ScriptedDice([[9 + 1], [0 + 1]]))
    surrender(play, context, [play.state.units[foot], play.state.units[UnitId(SECOND)]], is_morning=True)
    assert [event.unit for event in play.events if isinstance(event, Surrendered)] == [foot]
    assert [term.value for term in play.events[-2].terms] == [1]
