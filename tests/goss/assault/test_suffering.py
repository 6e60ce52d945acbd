"""13.10-13.12: what results, retreats and advances are bound to."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.geo.hex import distance
from sandtable.systems.goss.assault.advancing import Advance
from sandtable.systems.goss.assault.frames import Stage, Stance
from sandtable.systems.goss.assault.retreating import WithdrawIntoWorks
from sandtable.systems.goss.assault.taking import Decide, Reduce, TakeHit
from sandtable.systems.goss.common.facts import Used
from sandtable.systems.goss.common.state import Use
from sandtable.systems.goss.pieces.unit import UnitId
from tests.goss.assaults import Fight
from tests.goss.positions import Units

rules = pytest.mark.rules
US, TOO, ENG, TD = (UnitId("61-inf/1-481"), UnitId("61-inf/2-481"), UnitId("61-inf/A-61 Eng"), UnitId("61-inf/688 TD"))
THEM = UnitId("791-inf/I-1571")


def defending(*units: str, **more: Any) -> tuple[Fight, dict[str, Any]]:
    """Units in 0404 with the enemy beside them, and the assault that they are in."""
    fight = Fight({"0304": [US], "0101": ["61-inf/HQ"]}, {"0404": list(units), "0807": ["791-inf/HQ"]}, **more)
    return fight, {"attackers": (US,), "defenders": units, "leads": (("axis", units[0]), ("allied", US))}


@rules("13.10.4c", "13.10.3", "13.11.1", "13.5.5", "13.11.2", system="goss")
def test_who_retreated_is_remembered() -> None:
    fight, frame = defending(THEM)
    fight.suffer("axis", 2, 3, frame=frame)
    fight.do(Decide(Stance.FULL))
    while "retreat into" in fight.title:
        fight.do(fight.answers[0])
    unit = fight.unit(THEM)
    assert (unit.steps, unit.fatigue) == (2, 2), "one step; two hexes; two fatigue hits"
    assert Used(Use("retreated", by=THEM)) in fight.events
    assert Used(Use("refuge", hex=unit.hex)) in fight.events, "nobody attacks them where they are alone"


@rules("13.10.4b", "13.10.4", system="goss")
def test_a_limited_retreat_goes_one_hex_and_takes_the_rest_as_it_likes() -> None:
    fight, frame = defending(THEM)
    fight.suffer("axis", 0, 2, frame=frame)
    assert [one.stance for one in fight.answers] == [Stance.HOLD, Stance.LIMITED, Stance.FULL]
    fight.do(Decide(Stance.LIMITED), 0)
    while "retreat into" in fight.title and len(fight.state.stack[-1].way.path) == 0:
        fight.do(fight.answers[0])
    fight.do(fight.answers[0])
    assert fight.title == "axis: Take a discretionary hit"
    fight.do(TakeHit())
    assert fight.unit(THEM).fatigue == 1


@rules("13.10.4b", "13.11.0", system="goss")
def test_without_a_way_there_is_no_limited_retreat() -> None:
    around: Units = {
        "0403": [US],
        "0503": [TOO],
        "0504": [ENG],
        "0405": [TD],
        "0304": ["61-inf/3-481"],
        "0303": ["61-inf/1-482"],
    }
    fight = Fight(around, {"0404": [THEM]})
    frame = {"attackers": (US,), "defenders": (THEM,), "leads": (("axis", THEM),)}
    fight.suffer("axis", 0, 3, frame=frame)
    assert [one.stance for one in fight.answers] == [Stance.HOLD, Stance.FULL]
    fight.do(Decide(Stance.FULL))
    unit = fight.unit(THEM)
    assert (fight.at(THEM), unit.steps, unit.fatigue) == ("0404", 2, 2), "a step, then two fatigue hits"


@rules("13.11.3", system="goss")
def test_beside_the_enemy_in_the_open_a_retreat_costs_a_step() -> None:
    around: Units = {"0304": [US], "0403": [TOO], "0303": [ENG], "0503": ["61-inf/1-482"], "0504": [TD]}
    frame = {"attackers": (US,), "defenders": (THEM,), "leads": (("axis", THEM),)}
    fight = Fight(around, {"0404": [THEM]}).suffer("axis", 0, 1, frame=frame).do(Decide(Stance.FULL))
    assert (fight.at(THEM), fight.unit(THEM).steps) == ("0405", 2), "the only way leads past the enemy"
    shaken = Fight(around, {"0404": [THEM]})
    marked = {one: replace(shaken.unit(one), shifts=1) for one in (US, TD)}
    shaken.state = replace(shaken.state, units=shaken.state.units | marked)
    shaken.suffer("axis", 0, 1, frame=frame).do(Decide(Stance.FULL))
    assert (shaken.at(THEM), shaken.unit(THEM).steps) == ("0405", 3), "who has an AS marker harms nobody"


@rules("13.11.5", "17.3.2a", system="goss")
@pytest.mark.parametrize(("die", "there"), [(0, "0404"), (9, "0405")])
def test_a_weak_bridge_may_break_under_retreating_tanks(die: int, there: str) -> None:
    tanks = "191-pz/1-191 Pz"
    around: Units = {"0304": [US], "0403": [TOO], "0303": [ENG], "0503": ["61-inf/1-482"], "0504": [TD]}
    water = [{"kind": "river", "sides": ["0404:S"]}, {"kind": "trail", "line": ["0404", "0405"]}]
    frame = {"attackers": (US,), "defenders": (tanks,), "leads": (("axis", tanks),)}
    fight = Fight(around, {"0404": [tanks]}, features=water).suffer("axis", 0, 1, frame=frame)
    fight.do(Decide(Stance.FULL), die)
    assert fight.at(tanks) == there


@rules("13.11.4", "13.10.4", system="goss")
def test_guns_that_cannot_go_are_lost_and_their_steps_count() -> None:
    guns = "791-inf/I-791 AR"
    fight, frame = defending(THEM, guns)
    fight.suffer("axis", 0, 2, frame=frame).do(Decide(Stance.FULL))
    while "retreat into" in fight.title:
        fight.do(fight.answers[0])
    only, frame = defending(THEM, guns)
    only.suffer("axis", 0, 1, frame=frame).do(Decide(Stance.FULL))
    assert (only.at(guns), only.at(THEM)) == ("", "0404"), "with the guns the only hit is taken"
    lost = fight.rules.context.card(fight.unit(guns)).steps
    assert fight.at(guns) == "", "horse-drawn and in battery"
    assert fight.at(THEM) != "0404" or lost > 1
    assert fight.unit(THEM).fatigue == 0


@rules("13.10.2", system="goss")
def test_recon_alone_may_convert_a_mandatory_hit() -> None:
    scouts = UnitId("61-inf/61 Rcn")
    fight = Fight({"0304": [scouts]}, {"0404": [THEM]})
    frame = {"attackers": (scouts,), "defenders": (THEM,), "leads": (("allied", scouts),)}
    fight.suffer("allied", 1, 0, frame=frame)
    assert fight.answers == [Reduce(), Reduce("convert")]
    fight.do(Reduce("convert"))
    assert fight.unit(scouts).steps == 1
    assert fight.title == "allied: Hold the position, or retreat"


@rules("13.10.4", "13.10.4a", "12.2.0", system="goss")
def test_attackers_may_withdraw_into_works_of_their_hex_instead() -> None:
    works = [{"hex": "0304", "kind": "IP", "side": "allied"}]
    fight = Fight({"0304": [US]}, {"0404": [THEM]}, works=works, markers={US: {"designated": True}})
    frame = {"attackers": (US,), "defenders": (THEM,), "leads": (("allied", US),)}
    fight.suffer("allied", 0, 1, frame=frame).do(Decide(Stance.FULL))
    assert WithdrawIntoWorks() in fight.answers
    fight.do(WithdrawIntoWorks())
    assert fight.at(US) == "0304"
    assert fight.unit(US).in_works
    assert (fight.unit(US).steps, fight.unit(US).fatigue) == (3, 0)


@rules("4.1.3", "13.10.3", system="goss")
def test_a_z_step_goes_with_each_mandatory_step() -> None:
    pak = UnitId("791-inf/791 Pak")
    fight, frame = defending(THEM, pak)
    worn = replace(fight.unit(pak), steps=0)
    fight.state = replace(fight.state, units=fight.state.units | {pak: worn})
    fight.suffer("axis", 1, 0, frame=frame)
    assert fight.unit(THEM).steps == 2
    assert fight.at(pak) == ""


@rules("13.10.3", system="goss")
def test_below_the_least_ratio_the_attacker_has_no_max_step_loss() -> None:
    fight = Fight({"0304": [US]}, {"0404": [THEM]})
    frame = {"attackers": (US,), "defenders": (THEM,), "leads": (("allied", US),), "is_below": True}
    fight.suffer("allied", 2, 0, frame=frame)
    assert fight.unit(US).steps == 1


@rules("13.12.0", "13.12.1", "13.12.2", "13.12.3", "13.12.4", "13.12.5", "13.12.5a", system="goss")
def test_attackers_advance_along_the_path_of_retreat() -> None:
    fight = Fight({"0304": [US], "0403": [TOO]}, {"0404": [THEM]}, markers={US: {"mode": "PA"}, TOO: {"mode": "PA"}})
    frame = {
        "attackers": (US, TOO),
        "defenders": (THEM,),
        "leads": (("axis", THEM),),
        "stage": Stage.ADVANCE,
        "stand_off": (TOO,),
    }
    fight.suffer("axis", 0, 2, frame=frame).do(Decide(Stance.FULL))
    while "retreat into" in fight.title:
        fight.do(fight.answers[0])
    assert fight.title == "allied: Advance after the assault"
    target = fight.hex("0404")
    ways = [one for one in fight.answers if isinstance(one, Advance)]
    assert {one.unit for one in ways} == {US}, "who stood off stays"
    assert ways[0].path == (target,)
    assert max(len(one.path) for one in ways) == 2, "a Leg unit in PA mode goes two hexes"
    fight.do(ways[-1])
    assert not fight.unit(US).is_attacking, "the designation is gone"


@rules("13.10.4a", "13.10.4c", "13.11.1", system="goss")
def test_13_10_4c_a_mixed_stack_takes_a_way_on_which_its_vehicles_go_furthest() -> None:
    # The way south, nearer to the HQ, ends after two hexes: as far as units on foot go, but not vehicles.
    pz = UnitId("191-pz/1-191 Pz")
    pocket = {"kind": "major_river", "sides": ["0405:NE/SE/SW/NW", "0406:NE/SE/S/SW/NW"]}
    fight = Fight({"0303": [US]}, {"0404": [THEM, pz], "0408": ["791-inf/HQ"]}, features=[pocket])
    frame = {"attackers": (US,), "defenders": (THEM, pz), "leads": (("axis", THEM), ("allied", US))}
    fight.suffer("axis", 0, 4, frame=frame).do(Decide(Stance.FULL))
    while "retreat into" in fight.title:
        fight.do(fight.answers[0])
    start, there = fight.hex("0404"), fight.unit(pz).hex
    assert there is not None
    assert distance(start, there) == 4
    alone = Fight({"0303": [US]}, {"0404": [THEM], "0408": ["791-inf/HQ"]}, features=[pocket])
    alone.suffer("axis", 0, 2, frame=frame | {"defenders": (THEM,)}).do(Decide(Stance.FULL))
    assert alone.at(THEM) == "0406"
