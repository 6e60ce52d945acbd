"""5.0-5.2, 5.6, 5.8, 10.2: who may prepare an assault, be held back, be designated to attack."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.systems.goss.assault.adjusting import TakeBack
from sandtable.systems.goss.common.state import FormationState, FuelState
from sandtable.systems.goss.modes.designation import DesignateAssault
from sandtable.systems.goss.modes.mode_phase import SetModes
from sandtable.systems.goss.modes.reserve import DesignateReserves
from sandtable.systems.goss.movement.marching import EndMoves
from sandtable.systems.goss.pieces.card import FormationId
from sandtable.systems.goss.pieces.unit import Mode, UnitId
from sandtable.systems.goss.turn.segments import Part
from tests.goss.assaults import Fight
from tests.goss.moving import NON_ROAD, Field

FOOT, TRUCKS, GUNS, STAFF, ENEMY = "61-inf/1-481", "ccb/2-CCB", "61-inf/811 FA", "61-inf/HQ", "791-inf/I-1571"
MODES, RESERVE, ASSAULT = "modes", "combat reserve designation", "tactical assault designation"


def rules(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.rules(*numbers, system="goss")


def refused(field: Field, action: Any) -> str:
    refusal = field.rules.refusal(field.state, field.seat, action)
    return "" if refusal is None else str(refusal.rule)


def prepare(*names: str) -> SetModes:
    return SetModes(prepared=tuple(map(UnitId, names)))


@rules("5.0", "5.1.0", "5.2.0", "5.6.0")
def test_modes_are_set_for_all_at_once_and_back() -> None:
    field = Field(MODES, ". . .", {"0201": [FOOT, GUNS]}, {"0301": [ENEMY]})
    assert field.unit(GUNS).in_battery
    field.do(prepare(FOOT))
    assert (field.unit(FOOT).mode, field.unit(GUNS).in_battery) == (Mode.PREPARED_ASSAULT, False)
    marks = {FOOT: {"mode": "PA"}}
    again = Field(MODES, ". . .", {"0201": [FOOT, GUNS]}, {"0301": [ENEMY]}, markers=marks)
    again.do(SetModes(in_battery=(UnitId(GUNS),)))
    assert (again.unit(FOOT).mode, again.unit(GUNS).in_battery) == (Mode.TAC, True)


def test_other_modes_are_told_in_other_words() -> None:
    field = Field(MODES, ". . .", {"0201": [FOOT, GUNS]}, {"0301": [ENEMY]})
    answers = (SetModes(), prepare(FOOT), SetModes(in_battery=(UnitId(GUNS),)))
    assert [one.phrase(field.rules.context) for one in answers] == [
        "PA mode: nobody. In battery: nobody",
        "PA mode: 1-481, 61st Infantry Division. In battery: nobody",
        "PA mode: nobody. In battery: 811 FA, 61st Infantry Division",
    ]


@rules("5.6.0")
def test_guns_change_their_stance_in_tac_mode_only() -> None:
    for mode, rule in (("Tac", ""), ("Strat", "5.6.0"), ("MR", "5.6.0")):
        field = Field(MODES, ". . .", {"0201": [FOOT, GUNS]}, markers={GUNS: {"mode": mode}})
        assert refused(field, SetModes(in_battery=(UnitId(GUNS),))) == rule, mode


@rules("5.2.1", "3.5.3")
def test_who_may_not_prepare_an_assault() -> None:
    cells = ". . . . . .\n. . . . . ."
    front = {"0501": [FOOT, STAFF], "0602": [GUNS], "0301": ["61-inf/2-481", TRUCKS]}
    field = Field(MODES, cells, front, {"0601": [ENEMY]})
    assert refused(field, prepare(FOOT)) == ""
    assert refused(field, prepare(TRUCKS)) == ""
    for name in (STAFF, GUNS, "61-inf/2-481", ENEMY):
        assert refused(field, prepare(name)) == "5.2.1", name
    for marker in ({"supply": "OoS"}, {"fatigue": 2}, {"out_of_command": True}):
        unfit = Field(MODES, cells, front, {"0601": [ENEMY]}, markers={FOOT: marker})
        assert refused(unfit, prepare(FOOT)) == "5.2.1", marker
    night = Field(MODES, cells, front, {"0601": [ENEMY]}, part=Part.NIGHT)
    assert refused(night, prepare(FOOT)) == "3.5.3"


@rules("5.2.1", "16.3.3")
def test_more_may_prepare_than_there_are_assaults_for_and_the_adjustment_takes_it_back() -> None:
    us = {"sources": ["0101"], "adv": 1}
    two, other = "61-inf/2-481", "791-inf/II-1571"
    mine, theirs = {"0201": [FOOT], "0401": [two]}, {"0101": [ENEMY], "0501": [other]}
    field = Field(MODES, ". . . . .", mine, theirs, us=us)
    field.do(prepare(FOOT, two))
    assert {field.unit(one).mode for one in (FOOT, two)} == {Mode.PREPARED_ASSAULT}, "each forces an assault"
    marks = {one: {"mode": "PA"} for one in (FOOT, two)}
    fight = Fight(
        {"0201": [FOOT], "0401": [two]}, {"0101": [ENEMY], "0501": [other]}, ". . . . .", markers=marks, us=us
    )
    assert fight.title == "allied: Take back designations: not all can attack"
    assert set(fight.answers) == {TakeBack((UnitId(FOOT),)), TakeBack((UnitId(two),))}


@rules("5.2.1", "6.7.0")
def test_whoever_is_too_many_prepares_nothing() -> None:
    field = Field(MODES, ". . .", {"0101": [FOOT, "61-inf/2-481"], "0201": ["61-inf/3-481"]}, {"0301": [ENEMY]})
    crowd = {one: replace(unit, hex=field.rules.place("0201")) for one, unit in field.state.units.items()}
    field.state = replace(field.state, units=crowd | {UnitId(ENEMY): field.unit(ENEMY)})
    assert refused(field, prepare(FOOT)) == "5.2.1"


@rules("5.2.2")
def test_without_fuel_vehicles_prepare_no_assault() -> None:
    field = Field(MODES, ". . .", {"0201": [TRUCKS]}, {"0301": [ENEMY]})
    for value, rule in ((5, "5.2.1"), (6, "")):
        low = FormationState(FuelState.LOW, fuel_value=value)
        field.state = replace(field.state, formations={FormationId("ccb"): low})
        assert refused(field, prepare(TRUCKS)) == rule
    both = Field(MODES, ". . .", {"0201": [TRUCKS, "ccb/1-CCB"]}, {"0301": [ENEMY]})
    for value, rule in ((1, "5.2.2"), (2, "")):
        shared = FormationState(FuelState.LOW, fuel_value=value, is_by_units=True)
        both.state = replace(both.state, formations={FormationId("ccb"): shared})
        assert refused(both, prepare(TRUCKS)) == ""
        assert refused(both, prepare(TRUCKS, "ccb/1-CCB")) == rule
        answers = list(both.rules.decision(both.state).options(both.seat))
        assert (prepare(TRUCKS, "ccb/1-CCB") in answers) is (value == 2)


@rules("5.2.2")
def test_a_scenario_gives_fuel_and_what_it_is_used_for() -> None:
    names = [f"ccb/{name}" for name in ("1-CCB", "2-CCB", "3-CCB")]
    stacks = [{"hex": "0101", "units": ["1-CCB", "2-CCB"]}, {"hex": "0201", "units": ["3-CCB"]}]
    ccb = {"id": "ccb", "corps": "xl-corps", "fuel": "low", "fuel_for": "units", "set_up": stacks}
    for value, shares in ((2, 1), (3, 2), (4, 2)):
        us = {"sources": ["0101"], "formations": [{"id": "xl-corps"}, ccb | {"fuel_value": value}]}
        field = Field(NON_ROAD, ". . . . .", {}, us=us)
        assert field.reach(names[0])["0401"] == 3, "in full"
        assert bool(field.reach(names[:2])) is (shares == 2), "half of the value, for so small a group"
        for name in names[:shares]:
            field.go(name, "0201", "0301")
        assert field.rules.decision(field.state).rule != "7.11.0", "nobody else has fuel"


@rules("5.8.0", "7.5.1", "7.5.2")
def test_reserves_are_fit_battalions_away_from_the_enemy() -> None:
    cells = ". . . . ."
    held = {"0101": [FOOT, "61-inf/A-61 Eng", TRUCKS], "0401": ["61-inf/2-481"]}
    field = Field(RESERVE, cells, held, {"0501": [ENEMY]}, markers={"61-inf/2-481": {"reserve": True}})
    assert not field.unit("61-inf/2-481").in_reserve
    for name in ("61-inf/A-61 Eng", TRUCKS, "61-inf/2-481"):
        assert refused(field, DesignateReserves((UnitId(name),))) == "5.8.0", name
    field.do(DesignateReserves((UnitId(FOOT),)))
    assert field.unit(FOOT).in_reserve
    field.do(EndMoves())
    assert field.rules.decision(field.state).rule == "7.11.0"
    assert field.refused(FOOT, "0201") == "7.5.1"
    assert field.refused(TRUCKS, "0201") == ""
    for marker in ({"supply": "OoS"}, {"fatigue": 1}, {"out_of_command": True}):
        unfit = Field(RESERVE, cells, held, {"0501": [ENEMY]}, markers={FOOT: marker, "61-inf/2-481": {}})
        assert unfit.rules.decision(unfit.state).rule != "5.8.0", marker
        held_back = Field(RESERVE, cells, held, {"0501": [ENEMY]}, markers={FOOT: {"reserve": True, **marker}})
        held_back.do(DesignateReserves((UnitId(FOOT),)))
        assert held_back.unit(FOOT).in_reserve, f"nobody leaves the reserve for {marker}"


@rules("5.1.2", "10.2.0")
def test_whoever_stands_next_to_an_enemy_in_tac_mode_may_assault() -> None:
    cells, near = ". . . . .\n. . . . .", {"0401": [FOOT, STAFF], "0402": [GUNS], "0101": ["61-inf/2-481"]}
    field = Field(ASSAULT, cells, near, {"0501": [ENEMY]})
    for name in (STAFF, GUNS, "61-inf/2-481"):
        assert refused(field, DesignateAssault((UnitId(name),))) == "5.1.2", name
    assert refused(field, DesignateAssault()) == ""
    field.do(DesignateAssault((UnitId(FOOT),)))
    assert field.unit(FOOT).is_attacking
    for marker in ({"reserve": True}, {"fatigue": 2}, {"mode": "PA"}):
        other = Field(ASSAULT, cells, near, {"0501": [ENEMY]}, markers={FOOT: marker})
        asked = other.rules.decision(other.state)
        assert asked.rule != "10.2.0", marker
