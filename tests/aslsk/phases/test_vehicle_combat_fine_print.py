"""3.7, 3.8: half sentences of the Task Check before an AFV and of close combat with vehicles."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Advance, ArrangeLeaders, CloseAttack, Done
from tests.aslsk.clash import Clash, side
from tests.aslsk.phases.test_vehicle_combat import (
    CMG,
    MAIN,
    WOODS,
    A,
    B,
    L,
    V,
    answered,
    aph,
    assault,
    fight,
    melee,
    red,
    tank,
)

rules = pytest.mark.rules


@rules("3.7", system="aslsk3")
def test_3_7_a_poor_leader_does_no_harm() -> None:
    clash = aph(red("A", at="B1"), red("L", "russian/6+1", "B1"))
    clash.play(Advance((A,), clash.hex("B2")), (3, 4))
    assert clash.unit("A").hex == clash.hex("B2")


@rules("3.8", "5.3", system="aslsk3")
def test_5_3_a_new_leader_adds_nothing_to_an_attack_that_a_smc_has_joined() -> None:
    clash = melee(red("A"), red("L", "russian/8-1"), red("B"), vehicle=tank(motion=True))
    clash.play(ArrangeLeaders({L: A}))
    clash.play(CloseAttack((A, L), at=V), (1, 1), 3)
    assert clash.saw(ev.LeaderCreated)
    assert assault(clash).value.total == 6


@rules("3.8", "5.3", system="aslsk3")
def test_5_3_a_new_leader_makes_no_attack_of_his_own_in_that_ccph() -> None:
    clash = melee(red("A", "russian/2-2-6"), red("B"), vehicle=tank(motion=True))
    clash.play(CloseAttack((A,), at=V), (1, 1), 3, 6)
    leader = next(event.leader for event in clash.events if isinstance(event, ev.LeaderCreated))
    assert leader is not None
    clash.play(Done(), seat="german")
    assert clash.asked == "russian"
    assert clash.why(CloseAttack((leader.id,), at=V)) == "3.8"


@rules("3.8", "5.3", system="aslsk3")
def test_5_3_nor_does_he_when_the_unit_that_brought_him_forth_is_gone() -> None:
    clash = melee(red("A", "russian/2-2-6"), red("B"), vehicle=tank(motion=True))
    clash.play(CloseAttack((A,), at=V), (1, 1), 3, 6)
    leader = next(event.leader for event in clash.events if isinstance(event, ev.LeaderCreated))
    assert leader is not None
    clash.play(CloseAttack(vehicle=V, guns=(CMG,), against=(A, leader.id)), (1, 3), 1)
    assert not clash.unit("A").on_map
    assert clash.unit(leader.id).on_map
    assert clash.asked == "russian"
    assert clash.why(CloseAttack((leader.id,), at=V)) == "3.8"
    assert clash.why(CloseAttack((B,), at=V)) == ""


@rules("3.8", system="aslsk3")
def test_3_8_an_exhausted_leader_adds_one_too() -> None:
    clash = melee(red("A"), red("L", "russian/8-1", cx=True))
    clash.play(ArrangeLeaders({L: A}))
    clash.play(CloseAttack((A, L), at=V), (6, 5))
    assert assault(clash).drm.total == 0


@rules("3.8", system="aslsk3")
def test_3_8_who_attacks_a_vehicle_that_has_ambushed_him_adds_one() -> None:
    german = side(vehicles=[tank("german/PzKpfw IIF", exposed=True)])
    troops = side(red("A", at="B1", cx=True))
    clash = Clash("APh", WOODS, german=german, russian=troops, attacker="russian")
    clash.play(Advance((A,), clash.hex("B2")), (1, 1), 6, 1)
    rolled = next(event for event in clash.events if isinstance(event, ev.AmbushRolled))
    assert rolled.ambusher == "german"
    # A one-man turret with its hatch open has nothing to fight with.
    clash.play(CloseAttack((A,), at=V), (6, 5))
    terms = {term.label: term.value for term in assault(clash).drm.terms}
    assert terms["on the ambusher"] == 1
    assert "no manned and usable MG" in terms


@rules("3.8", system="aslsk3")
@pytest.mark.parametrize("flags", [{"broken": True}, {"cx": True}])
def test_3_8_a_vehicles_dr_is_modified_only_by_what_all_its_targets_share(flags: dict[str, Any]) -> None:
    clash = answered(red("A"), red("B", **flags))
    clash.play(CloseAttack(vehicle=V, guns=(CMG,), against=(A, B)), (6, 5))
    assert fight(clash).drm.total == 0


@rules("3.8", "5.4", system="aslsk3")
def test_5_4_inexperienced_infantry_defends_with_a_ccv_of_one_less() -> None:
    clash = answered(red("A"), red("B", "russian/4-2-6"))
    clash.play(CloseAttack(vehicle=V, guns=(MAIN, CMG), against=(B,)), (6, 5))
    assert fight(clash).odds == "2-1", "9 to 4"


@rules("1.3", "3.8", system="aslsk3")
@pytest.mark.parametrize(("ccv", "value", "odds"), [({}, 5, "1-1"), ({"german/8-3-8": 1}, 6, "1-2")])
def test_1_3_a_ccv_that_a_scenario_increases_counts_in_attack_and_defence(
    ccv: dict[str, int], value: int, odds: str
) -> None:
    """The engineers of S24: a CMG attacks them at 5 to 6."""
    clash = answered(red("A", "german/8-3-8"), red("B", "german/8-3-8"), conditions={"ccv": ccv})
    assert assault(clash).value.total == value
    clash.play(CloseAttack(vehicle=V, guns=(CMG,), against=(B,)), (6, 5))
    assert fight(clash).odds == odds


@rules("3.8", "7.2", system="aslsk3")
def test_3_8_a_mg_that_is_the_main_armament_is_a_usable_mg() -> None:
    clash = melee(red("A"), vehicle=tank("italian/L3/35"))
    clash.play(CloseAttack((A,), at=V), (6, 5))
    assert "no manned and usable MG" not in [term.label for term in assault(clash).drm.terms]
