"""21 Reinforcements and withdrawals: who comes with whom, in which state, and who has to leave."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.systems.goss.common.state import FormationState, FuelState
from sandtable.systems.goss.ground.weather import GroundCondition
from sandtable.systems.goss.movement.entering import EndEntry, Enter
from sandtable.systems.goss.movement.marching import EndMoves, Halted
from sandtable.systems.goss.movement.withdrawing import Withdrawn
from sandtable.systems.goss.pieces.card import FormationId
from sandtable.systems.goss.pieces.unit import Box, Mode, UnitId
from sandtable.systems.goss.turn.segments import Part, Step
from tests.goss.moving import NON_ROAD, ROAD, Field
from tests.goss.positions import position

FOOT, SECOND, ENEMY, TRUCKS = "61-inf/1-481", "61-inf/2-481", "791-inf/I-1571", "ccb/2-CCB"
CELLS = "\n".join([". . . . . ."] * 3)


def rules(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.rules(*numbers, system="goss")


def division(**more: Any) -> dict[str, Any]:
    """A division of which two regiments arrive apart, with seven support units between them."""
    coming = [
        {"turn": 0, "formation": "61-inf", "units": ["1-481"], "entry": ["0101"]},
        {"turn": 0, "formation": "61-inf", "units": ["1-482"], "entry": ["0103"]},
    ]
    assets = ["HQ", "A-61 Eng", "61 Rcn", "811 FA", "812 FA", "813 FA"]
    formations = [{"id": "xl-corps"}, {"id": "61-inf", "corps": "xl-corps", "assets": assets, **more}]
    return {"sources": ["0101"], "formations": formations, "reinforcements": coming}


def brought(cells: str, segment: str, *names: str, **more: Any) -> Field:
    """Units that have come onto the map in its first hex, when it is theirs to move by a kind of movement."""
    coming = {"turn": 0, "formation": names[0].partition("/")[0], "entry": ["0101"]}
    coming["units"] = [name.partition("/")[2] for name in names]
    given = {"ground": GroundCondition.WET, "us": {"sources": ["0101"], "reinforcements": [coming]}, **more}
    field = Field(Step.ENTRY, cells, {"0302": ["ccb/1-CCB", SECOND]}, **given)
    for name in names:
        field.do(Enter(UnitId(name), field.rules.place("0101")))
    while field.rules.decision(field.state).title != f"Move units: {segment}":
        field.do(EndMoves())
    return field


@rules("21.2.0", "7.2.0", "7.6.1f")
def test_21_2_0_the_hex_of_entry_costs_more_at_night() -> None:
    cells = "w w w\n. . ."
    trail = [{"kind": "trail", "line": ["0101", "0201"]}]
    by_road = brought(cells, ROAD, TRUCKS, "ccb/3-CCB", features=trail, part=Part.NIGHT)
    assert [by_road.reach(one)["0201"] for one in (TRUCKS, "ccb/3-CCB")] == [5, 6.5], "a point a hex, none in the queue"
    for part, cost in ((Part.AM, 3), (Part.NIGHT, 5)):
        assert brought(cells, NON_ROAD, FOOT, part=part).reach(FOOT)["0201"] == cost


@rules("21.2.0", "7.2.0", "7.7.0", "7.7.2", "7.8.0")
def test_21_2_0_the_hex_of_entry_costs_more_beside_enemies_and_may_halt() -> None:
    guns, cells = "944-flak/3-944 Flak", ". w w\n. . ."
    beside = brought(cells, NON_ROAD, FOOT, axis={"0102": [ENEMY]})
    assert beside.reach(FOOT)["0201"] == 3.5, "two points for the first hex"
    seen = brought(cells, NON_ROAD, FOOT, axis={"0102": [guns]})
    assert seen.reach(FOOT) == {}
    assert seen.refused(FOOT, "0201") == "7.7.0"
    hidden = brought(cells, NON_ROAD, FOOT, axis={"0102": [ENEMY, guns]}).go(FOOT, "0201")
    assert hidden.where(FOOT) == "0101"
    assert hidden.told(Halted).halt.rule == "7.7.2"


@rules("6.2.0", "21.2.0")
def test_6_2_0_who_has_just_come_does_not_move_as_one_with_who_was_there() -> None:
    host, rider, other = FOOT, "61-inf/A-61 Eng", SECOND
    coming = [{"turn": 0, "formation": "61-inf", "units": ["1-481", "2-481"], "entry": ["0101"]}]
    us = {"sources": ["0101"], "reinforcements": coming}
    field = Field(Step.ENTRY, "w w w\n. . .", {"0101": [rider]}, ground=GroundCondition.WET, us=us)
    for name in (host, other):
        field.do(Enter(UnitId(name), field.rules.place("0101")))
    while field.rules.decision(field.state).title != f"Move units: {NON_ROAD}":
        field.do(EndMoves())
    for party in ((host, rider), (rider, host), (host, rider, other), (rider, host, other)):
        assert field.reach(party) == {}, "they did not begin the phase together"
    assert field.refused((host, rider), "0201") != ""
    assert all(field.reach(able) != {} for able in ([host, other], [host], [rider]))


@rules("21.2.0", "7.11.3", "7.6.1e")
@pytest.mark.parametrize(("ground", "most"), [(GroundCondition.SNOW, 5), (GroundCondition.MUD, 4)])
def test_21_2_0_guns_enter_constricted_ground_by_road_while_they_have_the_points(
    ground: GroundCondition, most: int
) -> None:
    guns, trucks = "ccb/CCB AFA", [TRUCKS, "ccb/3-CCB", "61-inf/799 Tk", "61-inf/61 Rcn", "61-inf/688 TD"]
    coming = [
        {"turn": 0, "formation": "ccb", "units": ["2-CCB", "3-CCB", "CCB AFA"], "entry": ["0101"]},
        {"turn": 0, "formation": "61-inf", "units": ["799 Tk", "61 Rcn", "688 TD"], "entry": ["0101"]},
    ]
    us = {"sources": ["0101"], "reinforcements": coming}
    trail = [{"kind": "trail", "line": ["0101", "0201"]}, {"kind": "constricted", "hexes": ["0101"]}]
    field = Field(Step.ENTRY, "w w w\n. . .", {"0302": ["ccb/1-CCB", SECOND]}, ground=ground, features=trail, us=us)
    here = field.rules.place("0101")
    for before, name in enumerate(trucks):
        is_open = field.rules.refusal(field.state, field.seat, Enter(UnitId(guns), here)) is None
        assert is_open is (before < most), f"a point and a half for each of {before + 1} vehicles"
        field.do(Enter(UnitId(name), here))
    off = Field(Step.ENTRY, "w w w\n. . .", {"0302": ["ccb/1-CCB", SECOND]}, ground=ground, features=trail[1:], us=us)
    assert off.rules.refusal(off.state, off.seat, Enter(UnitId(guns), here)) is not None, "by road alone"


@rules("7.7.5", "21.0")
def test_7_7_5_supply_of_the_first_game_turns_opens_no_hex_that_no_path_reaches() -> None:
    coming = [{"turn": 0, "formation": "61-inf", "units": ["1-481"], "entry": ["0102"]}]
    us = {"sources": ["0501"], "reinforcements": coming}
    wall = {"0301": [ENEMY], "0302": ["791-inf/II-1571"]}
    field = Field(Step.ENTRY, ". . . . .\n. . . . .", {"0501": [SECOND]}, wall, us=us)
    field.do(Enter(UnitId(FOOT), field.rules.place("0102")))
    while field.rules.decision(field.state).title != f"Move units: {NON_ROAD}":
        field.do(EndMoves())
    assert field.refused(FOOT, "0101") == "7.7.5", "fed, but no path leads there (B-111)"
    assert field.refused(FOOT, "0202") == "", "towards its source"


def entered(field: Field, name: str, label: str) -> bool:
    action = Enter(UnitId(f"61-inf/{name}"), field.rules.place(label))
    if field.rules.refusal(field.state, field.seat, action) is not None:
        return False
    field.do(action)
    return True


@rules("21.0", "21.1.0", "21.3.0")
def test_21_1_0_support_units_come_in_equal_parts_and_what_is_over_with_one() -> None:
    field = Field(Step.ENTRY, CELLS, {"0501": [TRUCKS]}, us=division())
    assert field.rules.decision(field.state).rule == "21.0"
    assert entered(field, "A-61 Eng", "0101")
    assert entered(field, "61 Rcn", "0101")
    assert entered(field, "811 FA", "0101"), "five of them: two each, and one over"
    assert not entered(field, "812 FA", "0101")
    assert entered(field, "HQ", "0101"), "the HQ with anybody"
    assert entered(field, "812 FA", "0103")
    assert entered(field, "813 FA", "0103")
    other = Field(Step.ENTRY, CELLS, {"0501": [TRUCKS]}, us=division())
    assert [entered(other, name, "0103") for name in ("A-61 Eng", "61 Rcn")] == [True, True]
    assert [entered(other, name, "0101") for name in ("811 FA", "812 FA", "813 FA")] == [True, True, True]


@rules("21.1.0")
def test_21_1_0_what_is_over_goes_with_one_group_and_the_others_keep_their_part() -> None:
    us = division()
    us["reinforcements"].append({"turn": 0, "formation": "61-inf", "units": ["2-481"], "entry": ["0102"]})
    field = Field(Step.ENTRY, CELLS, {"0501": [TRUCKS]}, us=us)
    assert all(entered(field, name, "0101") for name in ("A-61 Eng", "61 Rcn", "811 FA")), "one, and two over"
    assert entered(field, "812 FA", "0103")
    assert not entered(field, "813 FA", "0103")
    assert entered(field, "813 FA", "0102")


@rules("21.3.1")
def test_21_3_1_units_arrive_with_the_losses_that_the_list_names() -> None:
    field = Field(Step.ENTRY, CELLS, {"0501": [TRUCKS]}, us=division(losses={"1-481": 1}))
    assert entered(field, "1-481", "0101")
    assert field.unit(FOOT).steps == 2


@rules("21.0", "5.1.3")
def test_21_0_reinforcements_have_fuel_for_the_day_and_choose_their_mode() -> None:
    coming = [{"turn": 0, "formation": "ccb", "units": ["2-CCB"], "entry": ["0101"]}]
    us = {"sources": ["0101"], "reinforcements": coming}
    field = Field(Step.ENTRY, CELLS, {"0102": ["ccb/1-CCB"], "0202": [FOOT]}, {"0301": [ENEMY]}, us=us)
    none = FormationState(FuelState.NONE, fuel_value=0)
    field.state = replace(field.state, formations={FormationId("ccb"): none})
    entry = field.rules.place("0101")
    ready = Field(Step.ENTRY, CELLS, {"0102": ["ccb/1-CCB"]}, {"0301": [ENEMY]}, us=us)
    ready.do(Enter(UnitId(TRUCKS), entry, Mode.PREPARED_ASSAULT))
    assert (ready.unit(TRUCKS).mode, ready.unit(TRUCKS).arrived) == (Mode.PREPARED_ASSAULT, 0)
    assert set(ready.do(EndMoves()).do(EndMoves()).reach(TRUCKS)) == {"0102", "0201", "0202"}, "the entry is a hex"
    field.do(Enter(UnitId(TRUCKS), entry))
    assert field.reach(TRUCKS)
    assert field.reach("ccb/1-CCB") == {}
    field.state = replace(field.state, at=replace(field.state.at, turn=3))
    assert field.reach(TRUCKS) == {}
    far = Field(Step.ENTRY, CELLS, {"0102": ["ccb/1-CCB"]}, {"0601": [ENEMY]}, us=us)
    assert far.rules.refusal(far.state, far.seat, Enter(UnitId(TRUCKS), entry, Mode.PREPARED_ASSAULT)) is not None


def leaving(*units: str) -> dict[str, Any]:
    return {"sources": ["0101"], "withdrawals": [{"turn": 0, "formation": "61-inf", "units": list(units)}]}


@rules("21.4.0")
def test_21_4_0_who_is_to_leave_and_can_is_taken_off_at_once() -> None:
    found = position(CELLS, {"0201": [FOOT], "0401": [SECOND]}, {"0501": [ENEMY]}, segment=Step.ENTRY, us=leaving())
    assert found.state.units[FOOT].box is Box.WITHDRAWN
    assert found.state.units[SECOND].hex is not None


@rules("21.4.0")
def test_21_4_0_who_stands_beside_an_enemy_goes_where_he_can_leave_from_and_leaves() -> None:
    us = leaving("1-481")
    field = Field(NON_ROAD, CELLS, {"0401": [FOOT], "0101": [SECOND]}, {"0501": [ENEMY]}, us=us)
    assert field.rules.refusal(field.state, field.seat, EndMoves()).rule == "21.4.0"
    assert field.refused(FOOT, "0402") == "21.4.0"
    assert "0402" not in field.reach(FOOT)
    field.go(FOOT, "0301").do(EndMoves())
    assert field.told(Withdrawn).unit == FOOT
    stuck = (
        {"0401": [FOOT], "0101": [SECOND]},
        {"0301": [ENEMY], "0501": ["791-inf/II-1571"], "0402": ["791-inf/I-1572"]},
    )
    field = Field(NON_ROAD, ". . . . . .\nw w w w w w", *stuck, us=us)
    assert field.rules.refusal(field.state, field.seat, EndMoves()) is None
    field.do(EndMoves())
    assert field.unit(FOOT).hex is not None


@rules("21.4.0")
def test_21_4_0_vehicles_that_can_leave_by_road_alone_must_take_it() -> None:
    line = [{"kind": "primary_road", "line": ["0401", "0301", "0201", "0101"]}]
    us = {"sources": ["0101"], "withdrawals": [{"turn": 0, "formation": "ccb", "units": ["2-CCB"]}]}
    for fatigue, refused in ((0, ""), (2, "21.4.0")):
        units, marks = {"0401": [TRUCKS], "0101": ["ccb/1-CCB"]}, {TRUCKS: {"fatigue": fatigue}}
        cells = "f f f f .\nf f f . ."
        field = Field(ROAD, cells, units, {"0402": [ENEMY]}, us=us, features=line, markers=marks)
        refusal = field.rules.refusal(field.state, field.seat, EndMoves())
        assert (refusal.rule if refusal else "") == refused, "fresh they may go across country later"
        assert set(field.reach(TRUCKS)) == ({"0201"} if fatigue else {"0101", "0201"})


@rules("21.4.0")
def test_21_4_0_who_has_not_come_yet_stays_away() -> None:
    us = {
        "sources": ["0101"],
        "reinforcements": [{"turn": 1, "formation": "61-inf", "units": ["1-481"], "entry": ["0101"]}],
        "withdrawals": [{"turn": 0, "formation": "61-inf", "units": ["1-481"]}],
    }
    field = Field(Step.ENTRY, CELLS, {"0401": [SECOND]}, {}, us=us)
    assert field.unit(FOOT).box is Box.WITHDRAWN
    assert not isinstance(field.rules.decision(field.state), EndEntry)
