"""17.2 Engineers take Leg units over the water."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.core.decision import Seat
from sandtable.systems.goss.common.facts import Used
from sandtable.systems.goss.movement.ferrying import FerryKept
from sandtable.systems.goss.movement.marching import Marched
from sandtable.systems.goss.pieces.unit import Mode, UnitId
from sandtable.systems.goss.support.occupying import MoveIn
from sandtable.systems.goss.support.struck import Choose
from tests.goss.battles import ALLIED, AXIS, GUN, GUN2, ROW, THEM, US, Battle
from tests.goss.moving import NON_ROAD, PREPARED, Field

FOOT, SECOND, ENGINEERS, COMPANY = "61-inf/1-481", "61-inf/2-481", "xl-corps/277 Eng", "61-inf/A-61 Eng"


def rules(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.rules(*numbers, system="goss")


def water(kind: str) -> list[dict[str, Any]]:
    return [{"kind": kind, "sides": ["0101:NE", "0101:SE"]}]


def spent(field: Field) -> int:
    found: int = field.told(Marched).spent
    return found


@rules("17.0", "17.2.0", "17.2.1", "7.11.0")
def test_17_2_1_a_step_of_engineers_takes_one_unit_over_a_river_for_a_point() -> None:
    bank = {"0101": [FOOT, SECOND, COMPANY]}
    alone = Field(NON_ROAD, ". . .", {"0101": [FOOT, SECOND]}, features=water("river"))
    assert alone.reach(FOOT)["0201"] == 4
    assert alone.refused(FOOT, "0201", "0301") == ""
    assert spent(alone.go(FOOT, "0201", "0301")) == 30
    longest = Field(NON_ROAD, ". . . . . .", bank, features=water("river"))
    assert longest.refused(FOOT, "0201", "0301", "0401", "0501") == ""
    assert spent(longest.go(FOOT, "0201", "0301", "0401", "0501")) == 30
    # The company has one step, and has used it.
    assert longest.refused(SECOND, "0201", "0301", "0401", "0501") == "7.2.0"
    assert longest.refused(SECOND, "0201", "0301", "0401") == ""


@rules("17.2.1")
def test_17_2_1_who_can_do_without_leaves_the_ferry_to_others() -> None:
    field = Field(NON_ROAD, ". . . . . .", {"0101": [FOOT, SECOND, COMPANY]}, features=water("river"))
    field.go(FOOT, "0201")
    assert field.state.used == ()
    assert field.refused(SECOND, "0201", "0301", "0401", "0501") == ""


@rules("17.2.1", "17.2.0", "5.1.3", "14.2.0")
def test_17_2_1_engineers_must_be_fit_and_start_on_the_bank() -> None:
    far = ("0201", "0301", "0401", "0501")
    cells = ". . . . . .\n. . . . . ."
    for marks in ({"fatigue": 1}, {"supply": "OoS"}, {"mode": "PA"}):
        field = Field(NON_ROAD, cells, {"0101": [FOOT, COMPANY]}, features=water("river"), markers={COMPANY: marks})
        assert field.refused(FOOT, *far) == "7.2.0", marks
    beside = Field(NON_ROAD, cells, {"0101": [FOOT], "0201": [COMPANY]}, features=water("river"))
    assert beside.refused(FOOT, *far) == ""
    away = Field(NON_ROAD, cells, {"0101": [FOOT], "0102": [COMPANY]}, features=water("river"))
    assert away.refused(FOOT, *far) == "7.2.0"
    moved = Field(NON_ROAD, cells, {"0101": [FOOT, COMPANY]}, features=water("river")).go(COMPANY, "0102")
    assert moved.refused(FOOT, *far) == "7.2.0"
    wheels = Field(NON_ROAD, cells, {"0101": ["ccb/2-CCB", COMPANY]}, features=water("river"))
    assert wheels.refused("ccb/2-CCB", "0201") == "7.2.0"


@rules("17.2.1", "6.2.0")
def test_17_2_1_engineers_take_themselves_over_unless_they_have_taken_others() -> None:
    far = ("0201", "0301", "0401", "0501")
    alone = Field(NON_ROAD, ". . . . . .", {"0101": [COMPANY]}, features=water("river"))
    assert alone.refused(COMPANY, *far) == ""
    together = Field(NON_ROAD, ". . . . . .", {"0101": [FOOT, COMPANY]}, features=water("river"))
    assert together.refused([FOOT, COMPANY], *far) == ""
    together.go(FOOT, *far)
    assert together.refused(COMPANY, *far) == "7.2.0"
    assert together.refused(COMPANY, "0201") == ""


@rules("17.2.1")
def test_17_2_1_a_stream_costs_who_is_ferried_nothing() -> None:
    far = ("0201", "0301", "0401", "0501", "0601", "0701")
    cells = ". . . . . . . ."
    assert Field(NON_ROAD, cells, {"0101": [FOOT]}, features=water("stream")).refused(FOOT, *far) == "7.2.0"
    assert Field(NON_ROAD, cells, {"0101": [FOOT, COMPANY]}, features=water("stream")).refused(FOOT, *far) == ""


@rules("17.2.2", "7.11.0")
def test_17_2_2_over_a_major_river_for_all_one_has_and_the_engineers_stay() -> None:
    bank = {"0101": [FOOT, SECOND, COMPANY]}
    assert Field(NON_ROAD, ". . .", {"0101": [FOOT]}, features=water("major_river")).reach(FOOT) == {}
    field = Field(NON_ROAD, ". . .", bank, features=water("major_river"))
    assert field.refused(FOOT, "0201", "0301") == "7.2.0"
    field.go(FOOT, "0201")
    assert spent(field) == 36
    assert field.told(FerryKept).units == (COMPANY,)
    assert field.unit(COMPANY).has_moved
    assert field.refused(SECOND, "0201") == "7.2.0"
    other = Field(NON_ROAD, ". . .", {"0101": [FOOT], "0201": [COMPANY]}, features=water("major_river"))
    assert other.refused(FOOT, "0201") == "7.2.0"
    themselves = Field(NON_ROAD, ". . .", {"0101": [COMPANY]}, features=water("major_river"))
    assert themselves.refused(COMPANY, "0201") == ""


@rules("17.2.3")
def test_17_2_3_nobody_is_ferried_over_a_great_river() -> None:
    field = Field(NON_ROAD, ". . .", {"0101": [FOOT, COMPANY]}, features=water("great_river"))
    assert field.reach(FOOT) == field.reach(COMPANY) == {}
    line = [{"kind": "trail", "line": ["0101", "0201"]}]
    bridged = Field(NON_ROAD, ". . .", {"0101": [FOOT, COMPANY]}, features=[*water("great_river"), *line])
    assert bridged.reach(FOOT)["0201"] == 1


@rules("17.2.2", "5.1.3", "5.2.3")
def test_17_2_2_in_a_prepared_assault_engineers_in_pa_mode_ferry_and_stay() -> None:
    ready = {name: {"mode": "PA"} for name in (FOOT, SECOND, COMPANY)}
    field = Field(PREPARED, ". . .", {"0101": [FOOT, SECOND, COMPANY]}, features=water("major_river"), markers=ready)
    assert field.reach(FOOT) == {"0201": 1}
    assert field.reach(COMPANY) == {}
    field.go(FOOT, "0201")
    assert field.reach(SECOND) == {}
    tactical = {FOOT: {"mode": "PA"}}
    other = Field(PREPARED, ". . .", {"0101": [FOOT, COMPANY]}, features=water("major_river"), markers=tactical)
    assert other.reach(FOOT) == {}


@rules("17.2.1")
def test_the_enemy_does_not_hear_which_engineers_ferried() -> None:
    field = Field(NON_ROAD, ". . . . . .", {"0101": [SECOND, FOOT, COMPANY]}, features=water("river"))
    field.go(FOOT, "0201", "0301", "0401", "0501")
    assert [use.by for use in field.state.used] == [COMPANY]
    assert field.rules.conceal(field.state, "axis").used == ()
    assert [event.known_to(Seat("axis")) for event in field.events if isinstance(event, Used)] == [None]


@rules("17.2.2", "11.7.0")
def test_17_2_2_after_fire_engineers_in_pa_mode_take_one_unit_over_a_major_river() -> None:
    def emptied(*ready: UnitId) -> Battle:
        units: dict[str, list[str]] = {"0301": [US, SECOND, COMPANY], "0101": [GUN, GUN2]}
        river = [{"kind": "major_river", "sides": ["0301:NE", "0301:SE"]}]
        marks = {name: {"mode": "PA"} for name in (US, SECOND, *ready)}
        field = Battle(ROW, units, {"0401": [THEM]}, features=river, markers=marks)
        field.play(ALLIED, field.fire("0401", (GUN, 3), (GUN2, 3)), 9)
        return field.play(AXIS, Choose(as_retreat=True), 0)

    field = emptied(UnitId(COMPANY))
    assert field.asked() == "11.7.0"
    assert field.refusal(ALLIED, MoveIn((UnitId(COMPANY),))) == "11.7.0"
    assert field.refusal(ALLIED, MoveIn((US, UnitId(SECOND)))) == "11.7.0"
    field.play(ALLIED, MoveIn((US,)))
    assert (field.at(US), field.state.units[US].mode) == ("0401", Mode.TAC)
    assert field.asked() != "11.7.0", "they have taken one over"
    assert emptied().asked() != "11.7.0", "nobody ferries"
