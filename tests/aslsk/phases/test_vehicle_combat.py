"""3.7, 3.8: the Task Check before an AFV, and close combat with vehicles."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Advance, ArrangeLeaders, CloseAttack, DeclareCloseCombat, Done
from sandtable.systems.aslsk.common.facts.melee_events import VehicleAssaulted, VehicleFought
from sandtable.systems.aslsk.pieces.state import CcAttack, UnitId, VehicleGun, VehicleId
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
V = VehicleId("V")
A, B, C, L, M = (UnitId(name) for name in "ABCLM")
CMG, MAIN, AAMG, RMG, BMG = (
    VehicleGun.COAXIAL,
    VehicleGun.MAIN,
    VehicleGun.ANTI_AIRCRAFT,
    VehicleGun.REAR,
    VehicleGun.BOW,
)
WOODS = ". . .\n. w .\n. . .\n"


def tank(card: str = "german/PzKpfw IIF", at: str = "B2", name: str = "V", **flags: Any) -> dict[str, Any]:
    return {"id": name, "card": card, "at": at, "vca": "N/NE", **flags}


def red(name: str, card: str = "russian/4-4-7", at: str = "B2", **flags: Any) -> dict[str, Any]:
    return squad(name, card, at, **flags)


def melee(*units: dict[str, Any], vehicle: dict[str, Any] | None = None, **fields: Any) -> Clash:
    """The CCPh of the Russian, whose units are in the hex of a German tank."""
    german = fields.pop("german", side(vehicles=[vehicle or tank()]))
    return Clash("CCPh", german=german, russian=side(*units), attacker="russian", player="russian", **fields)


def assault(clash: Clash) -> VehicleAssaulted:
    return next(event for event in clash.events if isinstance(event, VehicleAssaulted))


def fight(clash: Clash) -> VehicleFought:
    return next(event for event in clash.events if isinstance(event, VehicleFought))


# --- the Task Check ---------------------------------------------------------------------------------------------


def aph(*units: dict[str, Any], vehicle: dict[str, Any] | None = None, **fields: Any) -> Clash:
    german = side(vehicles=[vehicle or tank()])
    return Clash("APh", german=german, russian=side(*units), attacker="russian", **fields)


@rules("3.7", system="aslsk3")
@pytest.mark.parametrize(("roll", "passed"), [((3, 4), True), ((4, 4), False)])
def test_3_7_a_mmc_passes_with_its_morale_or_less(roll: tuple[int, int], passed: bool) -> None:
    clash = aph(red("A", at="B1"), red("B", at="A2"))
    clash.play(Advance((A,), clash.hex("B2")), roll)
    assert (clash.unit("A").hex == clash.hex("B2"), clash.unit("A").pinned) == (passed, not passed)


@rules("3.7", system="aslsk3")
def test_3_7_a_unit_that_fails_is_pinned_where_it_is() -> None:
    clash = aph(red("A", at="B1"), red("B", at="B1"))
    clash.play(Advance((A,), clash.hex("B2")), (6, 5))
    assert clash.unit("A").pinned
    assert clash.unit("A").hex == clash.hex("B1")
    assert clash.why(Advance((A,), clash.hex("B2"))) == "3.7"


@rules("3.7", system="aslsk3")
def test_3_7_a_leader_helps_those_in_his_stack_and_takes_no_check_himself() -> None:
    clash = aph(red("A", at="B1"), red("L", "russian/8-1", at="B1"), red("B", at="A2"))
    clash.play(Advance((A,), clash.hex("B2")), (4, 4))
    checked = next(event for event in clash.events if isinstance(event, ev.MoraleChecked))
    assert (checked.check, checked.number.total, checked.passed) == ("PAATC", 8, True)
    clash.play(Advance((L,), clash.hex("B2")))
    assert clash.unit("L").hex == clash.hex("B2")


@rules("3.7", system="aslsk3")
def test_3_7_a_pinned_leader_does_not_help() -> None:
    clash = aph(red("A", at="B1"), red("L", "russian/8-1", at="B1", pinned=True), red("B", at="A2"))
    clash.play(Advance((A,), clash.hex("B2")), (4, 4))
    assert clash.unit("A").pinned


@rules("3.7", "5.4", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "number"), [("russian/4-2-6", 5), ("italian/3-4-7", 6), ("german/4-4-7", 7), ("german/4-3-6", 5)]
)
def test_3_7_poor_troops_and_italian_first_line_add_one(card: str, number: int) -> None:
    clash = aph(red("A", card, at="B1"), red("B", at="A2"))
    clash.play(Advance((A,), clash.hex("B2")), (1, 1))
    checked = next(event for event in clash.events if isinstance(event, ev.MoraleChecked))
    assert checked.number.total == number


@rules("3.7", system="aslsk3")
def test_3_7_each_of_a_stack_checks_and_enters_by_itself() -> None:
    clash = aph(red("A", at="B1"), red("B", at="B1"), red("L", "russian/8-0", at="B1"), red("C", at="A2"))
    clash.play(Advance((A, B, L), clash.hex("B2")), (3, 4), (6, 6))
    assert [unit.hex == clash.hex("B2") for unit in map(clash.unit, "ABL")] == [True, False, True]
    order = [type(event).__name__ for event in clash.events if isinstance(event, ev.MoraleChecked | ev.UnitsAdvanced)]
    assert order == ["MoraleChecked", "UnitsAdvanced", "MoraleChecked", "UnitsAdvanced"]


@rules("3.7", system="aslsk3")
def test_3_7_no_check_before_a_wreck_or_a_friendly_afv() -> None:
    clash = aph(red("A", at="B1"), red("B", at="A2"), vehicle=tank(wreck=True))
    clash.play(Advance((A,), clash.hex("B2")))
    assert not clash.saw(ev.MoraleChecked)


# --- attacks on a vehicle ---------------------------------------------------------------------------------------


@rules("3.8", "5.4", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "value"),
    [("russian/4-4-7", 5), ("russian/2-2-8 crew", 4), ("russian/2-3-7", 3), ("russian/8-0", 2), ("russian/4-2-6", 4)],
)
def test_3_8_ccv_of_each_kind_of_unit(card: str, value: int) -> None:
    clash = melee(red("A", card))
    clash.play(CloseAttack((A,), at=V), (6, 5))
    assert assault(clash).value.total == value


@rules("3.8", system="aslsk3")
def test_3_8_a_pinned_unit_has_one_less() -> None:
    clash = melee(red("A", pinned=True))
    clash.play(CloseAttack((A,), at=V), (6, 5))
    assert assault(clash).value.total == 4


@rules("3.8", system="aslsk3")
@pytest.mark.parametrize(
    ("other", "by", "value"), [("russian/4-4-7", (A, L), 5), ("russian/9-1", (A, L), 2), ("russian/9-1", (L, A), 2)]
)
def test_3_8_an_attack_that_a_pinned_smc_joins_has_one_less(other: str, by: tuple[UnitId, UnitId], value: int) -> None:
    """Of two leaders whoever fights with the other."""
    clash = melee(red("A", other), red("L", "russian/8-1", pinned=True))
    clash.play(ArrangeLeaders({by[1]: by[0]}))
    clash.play(CloseAttack(by, at=V), (6, 5))
    assert assault(clash).value.total == value


@rules("3.8", system="aslsk3")
def test_3_8_a_smc_adds_one_and_his_leadership() -> None:
    clash = melee(red("A"), red("L", "russian/8-1"))
    clash.play(ArrangeLeaders({L: A}))
    clash.play(CloseAttack((A, L), at=V), (6, 5))
    assert (assault(clash).value.total, assault(clash).drm.total) == (6, -1)


@rules("3.8", system="aslsk3")
@pytest.mark.parametrize(
    ("flags", "drm"),
    [
        ({}, 0),
        ({"motion": True}, 2),
        ({"exposed": True}, -2),
        ({"immobilized": True}, -1),
        ({"bog": "Bog"}, -1),
        ({"broken": {"CMG": "malfunctioned"}}, -1),
        ({"shock": "Shock"}, -2),
        ({"stun": "Stun"}, -2),
        ({"stun": "+1"}, 0),
    ],
)
def test_3_8_drm_against_a_vehicle(flags: dict[str, Any], drm: int) -> None:
    """A CE IIF, whose turret is RST, cannot use its CMG either."""
    clash = melee(red("A"), red("B"), vehicle=tank(**flags))
    clash.play(CloseAttack((A,), at=V), (6, 5))
    assert assault(clash).drm.total == drm


@rules("3.8", system="aslsk3")
def test_3_8_a_ce_crew_at_an_aamg_has_a_usable_mg() -> None:
    clash = melee(red("A"), vehicle=tank("german/PzKpfw VG", exposed=True, broken={"CMG": "malfunctioned"}))
    clash.play(CloseAttack((A,), at=V), (6, 5))
    assert assault(clash).drm.total == -1


@rules("3.8", system="aslsk3")
def test_3_8_an_exhausted_attacker_adds_one() -> None:
    clash = melee(red("A", cx=True))
    clash.play(CloseAttack((A,), at=V), (6, 5))
    assert assault(clash).drm.total == 1


@rules("3.8", system="aslsk3")
@pytest.mark.parametrize(
    ("roll", "result"), [((1, 3), "eliminated"), ((1, 4), "immobilized"), ((3, 3), "none"), ((6, 5), "none")]
)
def test_3_8_under_the_ccv_eliminates_and_equal_immobilizes(roll: tuple[int, int], result: str) -> None:
    clash = melee(red("A"))
    clash.play(CloseAttack((A,), at=V), roll)
    assert assault(clash).result == result
    vehicle = clash.state.vehicles[V]
    assert (vehicle.wreck, vehicle.immobilized) == (result == "eliminated", result == "immobilized")


@rules("3.8", system="aslsk3")
@pytest.mark.parametrize(("die", "result"), [(2, "eliminated"), (3, "immobilized"), (4, "none")])
def test_3_8_an_original_2_that_would_fail_has_a_third_die(die: int, result: str) -> None:
    """A lone leader has CCV 2, and the vehicle is in Motion."""
    clash = melee(red("A", "russian/8-0"), vehicle=tank(motion=True))
    clash.play(CloseAttack((A,), at=V), (1, 1), die)
    assert (assault(clash).third, assault(clash).result) == (die, result)


@rules("3.8", system="aslsk3")
def test_3_8_an_original_2_that_equals_the_ccv_immobilizes_at_the_least() -> None:
    clash = melee(red("A", "russian/8-0"))
    clash.play(CloseAttack((A,), at=V), (1, 1), 6)
    assert assault(clash).result == "immobilized"


@rules("3.8", "5.3", system="aslsk3")
def test_5_3_an_original_2_against_an_afv_creates_a_leader_with_one_less() -> None:
    clash = melee(red("A"), vehicle=tank(motion=True))
    clash.play(CloseAttack((A,), at=V), (1, 1), 3)
    created = next(event for event in clash.events if isinstance(event, ev.LeaderCreated))
    assert created.number.total == 0
    assert created.leader is not None
    assert assault(clash).value.total == 6


@rules("3.8", system="aslsk3")
def test_3_8_an_original_12_costs_the_attackers() -> None:
    clash = melee(red("A"))
    clash.play(CloseAttack((A,), at=V), (6, 6))
    assert clash.unit("A").reduced


@rules("3.8", system="aslsk3")
@pytest.mark.parametrize("flags", [{"shock": "Shock"}, {"shock": "UK"}, {"stun": "Stun"}])
def test_3_8_not_against_a_shocked_or_stunned_crew(flags: dict[str, Any]) -> None:
    clash = melee(red("A"), red("B"), vehicle=tank(**flags))
    clash.play(CloseAttack((A,), at=V), (6, 6))
    assert not clash.unit("A").reduced


@rules("3.8", system="aslsk3")
def test_3_8_no_two_mmc_attack_a_vehicle_together_but_one_after_the_other() -> None:
    clash = melee(red("A"), red("B"))
    assert clash.why(CloseAttack((A, B), at=V)) == "3.8"
    clash.play(CloseAttack((A,), at=V), (6, 5))
    clash.play(Done())
    clash.play(CloseAttack((B,), at=V), (6, 5))


@rules("3.8", system="aslsk3")
def test_3_8_an_attack_is_on_a_vehicle_or_on_infantry() -> None:
    german = side(squad("G", at="B2"), vehicles=[tank()])
    clash = melee(red("A"), german=german)
    assert clash.why(CloseAttack((A,), against=(UnitId("G"),), at=V)) == "3.8"
    assert clash.why(CloseAttack((A,), at=VehicleId("X"))) == "3.8"


@rules("3.8", system="aslsk3")
def test_3_8_of_two_leaders_with_a_unit_one_joins() -> None:
    clash = melee(red("A"), red("L", "russian/8-1"), red("M", "russian/9-1"))
    clash.play(ArrangeLeaders({L: A, M: A}))
    assert clash.why(CloseAttack((A, L, M), at=V)) == "3.8"
    assert clash.why(CloseAttack((A,), at=V)) == "3.8"
    clash.play(CloseAttack((A, M), at=V), (6, 5))
    assert clash.asked == "german"
    clash.play(Done())
    # All that fight as one have attacked.
    assert clash.state.phase != "CCPh" or clash.unit("A").melee


# --- the sides in turn ------------------------------------------------------------------------------------------


@rules("3.8", system="aslsk3")
def test_3_8_the_side_without_a_vehicle_attacks_first() -> None:
    german = side(vehicles=[tank()])
    clash = Clash("CCPh", german=german, russian=side(red("A"), red("B")), attacker="german", player="german")
    assert clash.asked == "russian"
    clash.play(CloseAttack((A,), at=V), (6, 5))
    assert clash.asked == "german"
    clash.play(CloseAttack(vehicle=V, guns=(MAIN,), against=(B,)), (6, 5))
    assert clash.asked == "russian"


@rules("3.8", system="aslsk3")
def test_3_8_with_vehicles_on_both_sides_the_attacker_is_first() -> None:
    for attacker in ("german", "russian"):
        german = side(squad("G", at="B2"), vehicles=[tank()])
        russian = side(red("A"), vehicles=[tank("russian/T-34/85", name="T")])
        clash = Clash("CCPh", german=german, russian=russian, attacker=attacker, player=attacker)
        assert clash.asked == attacker


@rules("3.8", system="aslsk3")
def test_3_8_sequential_although_the_vehicle_takes_no_part() -> None:
    german = side(squad("G", at="B2"), vehicles=[tank(exposed=True)])
    clash = melee(red("A"), german=german)
    assert clash.why(DeclareCloseCombat((CcAttack((A,), (UnitId("G"),)),))) == "3.8"
    clash.play(CloseAttack((A,), against=(UnitId("G"),)), (1, 2))
    # The German was lost before he could attack.
    assert not clash.unit("G").on_map
    assert not clash.saw(ev.CloseCombatDeclared)


@rules("3.8", system="aslsk3")
def test_3_8_no_unit_attacks_or_is_attacked_twice() -> None:
    clash = melee(red("A"), red("B"))
    clash.play(CloseAttack((A,), at=V), (6, 5))
    clash.play(CloseAttack(vehicle=V, guns=(CMG,), against=(A,)), (6, 5))
    assert clash.why(CloseAttack((A,), at=V)) == "3.8"
    clash.play(CloseAttack((B,), at=V), (6, 5))
    assert clash.why(CloseAttack(vehicle=V, guns=(MAIN,), against=(A,))) == "3.8"
    assert clash.why(CloseAttack(vehicle=V, guns=(CMG,), against=(B,))) == "3.8"
    clash.play(CloseAttack(vehicle=V, guns=(MAIN,), against=(B,)), (6, 5))


@rules("3.8", system="aslsk3")
def test_3_8_an_ambusher_makes_all_his_attacks_first() -> None:
    clash = Clash("APh", WOODS, german=side(vehicles=[tank()]), russian=side(red("A", at="B1"), red("B", at="B1")))
    clash = Clash(
        "APh",
        WOODS,
        german=side(vehicles=[tank()]),
        russian=side(red("A", at="B1"), red("B", at="B1")),
        attacker="russian",
    )
    clash.play(Advance((A, B), clash.hex("B2")), (1, 1), (1, 1), 1, 4)
    rolled = next(event for event in clash.events if isinstance(event, ev.AmbushRolled))
    assert [number.total for number in rolled.numbers] == [0, 3]
    assert rolled.ambusher == "russian"
    clash.play(CloseAttack((A,), at=V), (6, 5))
    assert assault(clash).drm.total == -1
    assert clash.asked == "russian"
    clash.play(CloseAttack((B,), at=V), (6, 5))
    assert clash.asked == "german"
    clash.play(CloseAttack(vehicle=V, guns=(CMG,), against=(A,)), (6, 5))
    assert fight(clash).drm.total == 1


@rules("3.8", system="aslsk3")
def test_3_8_a_ce_vehicle_adds_two_to_the_ambush_dr() -> None:
    german = side(vehicles=[tank("german/PzKpfw VG", exposed=True)])
    clash = Clash("APh", WOODS, german=german, russian=side(red("A", at="B1")), attacker="russian")
    clash.play(Advance((A,), clash.hex("B2")), (1, 1), 1, 1)
    rolled = next(event for event in clash.events if isinstance(event, ev.AmbushRolled))
    assert [number.total for number in rolled.numbers] == [0, 2]


# --- a vehicle's attacks ----------------------------------------------------------------------------------------


def answered(*units: dict[str, Any], vehicle: dict[str, Any] | None = None, **fields: Any) -> Clash:
    """After a first attack that fails."""
    clash = melee(*units, vehicle=vehicle, **fields)
    clash.play(CloseAttack((A,), at=V), (6, 5))
    return clash


@rules("3.8", system="aslsk3")
@pytest.mark.parametrize(
    ("guns", "against", "odds"),
    [((MAIN, CMG), (B,), "3-2"), ((CMG,), (B,), "1-1"), ((MAIN,), (B,), "1-2"), ((MAIN, CMG), (A, B), "1-2")],
)
def test_3_8_a_vehicles_fp_against_the_ccv(
    guns: tuple[VehicleGun, ...], against: tuple[UnitId, ...], odds: str
) -> None:
    clash = answered(red("A"), red("B"))
    clash.play(CloseAttack(vehicle=V, guns=guns, against=against), (6, 5))
    assert fight(clash).odds == odds


@rules("3.8", system="aslsk3")
def test_3_8_its_fp_is_halved_in_motion() -> None:
    clash = answered(red("A"), red("B"), vehicle=tank(motion=True))
    clash.play(CloseAttack(vehicle=V, guns=(MAIN, CMG), against=(B,)), (6, 5))
    assert fight(clash).odds == "1-2"


@rules("3.8", system="aslsk3")
@pytest.mark.parametrize(
    ("vehicle", "guns"),
    [
        (tank(), (MAIN, CMG)),
        (tank(broken={"MA": "malfunctioned"}), (CMG,)),
        (tank(exposed=True), ()),
        (tank("german/PzKpfw VG"), (CMG,)),
        (tank("german/PzKpfw VG", exposed=True), (CMG, AAMG)),
        (tank("german/StuG IIIG(L)"), (AAMG,)),
        (tank("german/StuG IIIG(L)", exposed=True), ()),
        (tank("german/StuG IIIG", exposed=True), (AAMG,)),
        (tank("german/StuG IIIG"), ()),
        (tank("german/JgdPz IV/70"), ()),
        (tank(shock="Shock"), ()),
        (tank(stun="Stun"), ()),
        (tank(stun="+1"), (MAIN, CMG)),
    ],
)
def test_3_8_the_weapons_of_close_combat(vehicle: dict[str, Any], guns: tuple[VehicleGun, ...]) -> None:
    clash = melee(red("A"), red("B"), vehicle=vehicle, conditions={"year": 1944, "month": 12})
    clash.play(CloseAttack((A,), at=V), (6, 5))
    attacks = {action.guns for action in clash.options() if isinstance(action, CloseAttack) and action.vehicle}
    assert max(attacks, key=len, default=()) == guns


@rules("3.8", system="aslsk3")
@pytest.mark.parametrize(("roll", "result"), [((1, 3), "eliminated"), ((1, 4), "reduced"), ((3, 3), "none")])
def test_3_8_what_its_dr_does(roll: tuple[int, int], result: str) -> None:
    clash = answered(red("A"), red("B"))
    clash.play(CloseAttack(vehicle=V, guns=(CMG,), against=(B,)), roll)
    assert fight(clash).result == result
    assert (clash.unit("B").on_map, clash.unit("B").reduced) == (result != "eliminated", result == "reduced")


@rules("3.8", "7.10", system="aslsk3")
def test_3_8_drm_of_its_attacks() -> None:
    clash = answered(red("A"), red("B", broken=True, dm=True), red("C", cx=True), vehicle=tank(stun="+1"))
    clash.play(CloseAttack(vehicle=V, guns=(CMG,), against=(B,)), (6, 5))
    assert fight(clash).drm.total == -1
    clash.play(Done())
    clash.play(CloseAttack(vehicle=V, guns=(MAIN,), against=(C,)), (6, 5))
    assert fight(clash).drm.total == 0


PANTHER = {"card": "german/PzKpfw VG"}


def close(vehicle: dict[str, Any], *units: dict[str, Any], month: int = 7) -> Clash:
    german = side(*units, vehicles=[vehicle])
    return melee(red("A"), red("B"), german=german, conditions={"year": 1944, "month": month})


@rules("3.8", system="aslsk3")
def test_3_8_a_close_defence_weapon_strikes_all_infantry_in_the_hex() -> None:
    clash = close(tank(**PANTHER), squad("G", at="B2"))
    clash.play(CloseAttack((A,), at=V), (6, 5))
    clash.play(CloseAttack(vehicle=V), (3, 4), *[(1, 1)] * 3)
    struck = next(event for event in clash.events if isinstance(event, ev.FireResolved))
    assert (set(struck.targets), struck.column, struck.drm.terms) == ({"A", "B", "G"}, 16, ())
    assert struck.result == "2MC"


@rules("3.8", system="aslsk3")
def test_3_8_above_its_usage_number_it_has_no_effect() -> None:
    clash = close(tank(**PANTHER))
    clash.play(CloseAttack((A,), at=V), (6, 5))
    clash.play(CloseAttack(vehicle=V), (4, 4))
    struck = next(event for event in clash.events if isinstance(event, ev.FireResolved))
    assert struck.result == ""


@rules("3.8", system="aslsk3")
def test_3_8_not_before_an_attack_on_it() -> None:
    clash = close(tank(**PANTHER), squad("G", at="B2"))
    clash.play(CloseAttack((A,), against=(UnitId("G"),)), (6, 5))
    assert clash.why(CloseAttack(vehicle=V)) == "3.8"


@rules("3.8", system="aslsk3")
@pytest.mark.parametrize(("flags", "month"), [({"exposed": True}, 7), ({}, 6)])
def test_3_8_not_with_the_crew_exposed_nor_before_july_1944(flags: dict[str, Any], month: int) -> None:
    clash = close(tank(**PANTHER, **flags), month=month)
    clash.play(CloseAttack((A,), at=V), (6, 5))
    assert clash.why(CloseAttack(vehicle=V)) == "3.8"


@rules("3.8", system="aslsk3")
def test_3_8_once_in_a_ccph() -> None:
    clash = close(tank(**PANTHER))
    clash.play(CloseAttack((A,), at=V), (6, 5))
    clash.play(CloseAttack(vehicle=V), (4, 4))
    clash.play(CloseAttack((B,), at=V), (6, 5))
    assert clash.why(CloseAttack(vehicle=V)) == "3.8"


@rules("3.8", system="aslsk3")
def test_3_8_an_ambusher_need_not_wait_with_it() -> None:
    german = side(vehicles=[tank(**PANTHER)])
    clash = Clash(
        "APh", WOODS, german=german, russian=side(red("A", at="B1")), attacker="russian", conditions={"month": 7}
    )
    clash.play(Advance((A,), clash.hex("B2")), (1, 1), 6, 1)
    assert clash.asked == "russian"
    clash = Clash(
        "APh",
        WOODS,
        german=german,
        russian=side(red("A", at="B1", cx=True), red("B", "russian/4-2-6", at="B1")),
        attacker="russian",
        conditions={"month": 7},
    )
    clash.play(Advance((B,), clash.hex("B2")), (1, 1))
    clash.play(Done(), 6, 1)
    assert clash.asked == "german"
    assert clash.why(CloseAttack(vehicle=V)) == ""


@rules("3.2.3", "3.8", system="aslsk3")
def test_3_2_3_the_loss_of_a_leader_to_it_causes_no_check() -> None:
    """A 1KIA takes the leader; the squad with him breaks, and nobody takes a LLMC."""
    german = side(vehicles=[tank(**PANTHER)])
    clash = melee(red("A"), red("L", "russian/9-2"), german=german, conditions={"year": 1944, "month": 7})
    clash.play(ArrangeLeaders({L: A}))
    clash.play(CloseAttack((A, L), at=V), (6, 5))
    clash.play(CloseAttack(vehicle=V), (2, 1), 2)
    assert not clash.unit("L").on_map
    assert clash.unit("A").broken
    assert not clash.saw(ev.MoraleChecked)


# --- Melee ------------------------------------------------------------------------------------------------------


@rules("3.8", system="aslsk3")
@pytest.mark.parametrize(("flags", "held"), [({}, True), ({"motion": True}, False)])
def test_3_8_a_vehicle_that_is_not_in_motion_holds_infantry(flags: dict[str, Any], held: bool) -> None:
    clash = melee(red("A"), red("B", broken=True), red("C", at="A1"), vehicle=tank(**flags), turns=3)
    clash.play(Done())
    clash.play(Done())
    assert (clash.unit("A").melee, clash.unit("B").melee) == (held, held)


@rules("3.8", system="aslsk3")
def test_3_8_infantry_is_free_once_the_vehicle_is_a_wreck() -> None:
    clash = melee(red("A", melee=True), red("B", melee=True), turns=3)
    clash.play(CloseAttack((A,), at=V), (1, 2))
    assert not clash.unit("A").melee
    assert not clash.unit("B").melee


# --- odds -------------------------------------------------------------------------------------------------------


def _chances(clash: Clash, action: CloseAttack) -> dict[str, dict[str, str]]:
    found = clash.rules.unit_odds(clash.state, action)
    return {name: {chance.what: chance.exact for chance in chances} for name, chances in found.items()}


@rules("3.8", system="aslsk3")
def test_3_8_exact_odds_of_an_attack_on_a_vehicle() -> None:
    """Under 5 eliminates: 2, 3 and 4 are 6 of 36 rolls, a 5 is 4 of them; a 12 costs the half-squad."""
    clash = melee(red("A"), red("B"))
    chances = _chances(clash, CloseAttack((A,), at=V))
    assert chances["V"] == {"no effect": "13/18", "wrecked": "1/6", "immobilized": "1/9"}
    assert chances["A"] == {"no effect": "35/36", "reduced to 2-3-7": "1/36"}
    numbers = clash.rules.numbers_ahead(clash.state, CloseAttack((A,), at=V))
    assert [(number.title, number.total) for number in numbers] == [("CCV", 5), ("CC DRM", 0)]


@rules("3.8", system="aslsk3")
def test_3_8_exact_odds_of_a_vehicles_attack() -> None:
    clash = answered(red("A"), red("B"))
    action = CloseAttack(vehicle=V, guns=(MAIN, CMG), against=(B,))
    assert _chances(clash, action)["B"] == {"no effect": "7/12", "eliminated": "5/18", "reduced to 2-3-7": "5/36"}
    numbers = clash.rules.numbers_ahead(clash.state, action)
    assert [(number.title, number.total) for number in numbers] == [("Kill number", 6), ("CC DRM", 0)]
