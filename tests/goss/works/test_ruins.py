"""17.4.1f Fortified areas fall to an advance after an assault, and to engineers; their ruins are improved positions."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.dice import ScriptedDice
from sandtable.core.ruleset import Resolution
from sandtable.systems.goss.assault.advancing import Advance
from sandtable.systems.goss.assault.frames import Stage
from sandtable.systems.goss.common.cover import ft_owner, works_of
from sandtable.systems.goss.common.facts import WorksTaken
from sandtable.systems.goss.common.state import WorkHere
from sandtable.systems.goss.ground.cover import Work
from sandtable.systems.goss.pieces.unit import UnitId
from sandtable.systems.goss.sequence import end_phase
from sandtable.systems.goss.support.struck import Choose
from sandtable.systems.goss.turn.segments import Step
from sandtable.systems.goss.works.ruins import take_ruins
from tests.goss.assaults import Fight
from tests.goss.battles import THEM, hit
from tests.goss.moving import ALLIED, AXIS, NON_ROAD, Field
from tests.goss.positions import position

FOOT, ENGINEERS, ENEMY = "61-inf/1-481", "61-inf/A-61 Eng", "791-inf/I-1571"
CELLS = ". . . .\n. . . ."


def rules(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.rules(*numbers, system="goss")


def area(hex: str) -> list[dict[str, Any]]:
    return [{"kind": "ft_area", "hexes": [hex], "attributes": {"owner": "axis"}}]


@rules("17.4.1f")
def test_17_4_1f_an_advance_after_an_assault_destroys_a_fortified_area() -> None:
    marks = {FOOT: {"designated": True}}
    fight = Fight({"0403": [FOOT], "0101": ["61-inf/2-481"]}, {}, features=area("0404"), markers=marks)
    fight.suffer("axis", 0, 0, frame={"attackers": [FOOT], "defenders": [], "stage": Stage.ADVANCE})
    fight.do(Advance(UnitId(FOOT), (fight.hex("0404"),)))
    assert any(isinstance(event, WorksTaken) for event in fight.events)
    work = fight.state.work_at(fight.hex("0404"))
    assert work is not None
    assert (work.kind.value, work.side) == ("IP", "allied")
    assert ft_owner(fight.rules.context, fight.state, fight.hex("0404")) == ""


@rules("17.4.1f", "7.9.1b")
def test_17_4_1f_engineers_destroy_the_one_they_stand_in_and_its_positions_last() -> None:
    found = position(CELLS, {"0202": [FOOT]}, {}, features=area("0202"), segment=Step.CONSTRUCTION)
    assert found.state.ruins == ()
    found = position(CELLS, {"0202": [ENGINEERS]}, {}, features=area("0202"), segment=Step.CONSTRUCTION)
    rules, state = found.ruleset, found.state
    hex = rules.place("0202")
    assert state.ruins == (hex,)
    assert works_of(rules.context, state, state.units[ENGINEERS]) == "IP"
    elsewhere = WorkHere(rules.place("0301"), Work.IP, ALLIED)
    gone = replace(state.units[ENGINEERS], hex=rules.place("0101"))
    left = replace(state, units=state.units | {gone.id: gone}, works=(*state.works, elsewhere), stack=())
    play: Resolution[Any, Any] = Resolution(left, rules.fold, ScriptedDice([]))
    end_phase(rules.context, play)
    assert [work.hex for work in play.state.works] == [hex], "other fieldworks do not last without a garrison"


@rules("17.4.1f")
def test_17_4_1f_who_comes_into_the_ruins_has_the_positions() -> None:
    field = Field(NON_ROAD, CELLS, {}, {"0101": [ENEMY]}, seat=AXIS, features=area("0202"))
    hex = field.rules.place("0202")
    field.state = field.rules.fold(field.state, WorksTaken(hex, ALLIED))
    assert field.state.work_at(hex).side == "allied"
    field.go(ENEMY, "0102", "0202")
    assert field.where(ENEMY) == "0202"
    assert field.state.work_at(hex).side == "axis"
    assert field.unit(ENEMY).in_works
    for state in (field.state, replace(field.state, units={})):
        play: Resolution[Any, Any] = Resolution(state, field.rules.fold, ScriptedDice([]))
        take_ruins(field.rules.context, play)
        assert not play.events, "they stay with who has them"


@rules("17.4.1f", "11.7.0")
@pytest.mark.parametrize("in_ruins", [False, True])
def test_17_4_1f_fieldworks_that_fire_has_emptied_are_gone_at_once_but_for_those_in_ruins(in_ruins: bool) -> None:
    for units, retreats in (([THEM], True), (["191-pz/1-191 Pz"], False)):
        field = hit(3, *map(UnitId, units), works=Work.IP)
        ruins = (field.hex("0401"),) if in_ruins else ()
        field.state = replace(field.state, ruins=ruins)
        if not retreats:
            field.mark(UnitId(units[0]), steps=0)
        field.play(AXIS, Choose(as_retreat=retreats))
        assert not field.state.on(field.hex("0401"))
        assert bool(field.state.works) is in_ruins, "driven out or eliminated"


@rules("17.4.1f", "13.12.1")
def test_17_4_1f_positions_in_ruins_outlast_an_assault_and_fall_to_who_advances_into_them() -> None:
    fight = Fight({"0403": [FOOT], "0101": ["61-inf/2-481"]}, {}, markers={FOOT: {"designated": True}})
    hex = fight.hex("0404")
    fight.state = replace(fight.state, ruins=(hex,), works=(WorkHere(hex, Work.IP, AXIS),))
    fight.suffer("axis", 0, 0, frame={"attackers": [FOOT], "defenders": [], "stage": Stage.ADVANCE})
    assert fight.state.work_at(hex).side == "axis", "nobody need be there"
    fight.do(Advance(UnitId(FOOT), (hex,)))
    assert fight.state.work_at(hex).side == "allied"
    assert isinstance(fight.events[1], WorksTaken), "at once, not before the next segment"
