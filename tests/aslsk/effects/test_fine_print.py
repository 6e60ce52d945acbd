"""3.1, 3.2.3, 4.0, 5.3: half sentences of rally, Morale Checks and casualties that are easily forgotten."""

from typing import Any

import pytest

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import (
    Done,
    Fire,
    FireOrdnance,
    Rally,
    RepairWeapon,
    SelfRally,
    TransferWeapon,
)
from sandtable.systems.aslsk.common.experience import is_inexperienced
from sandtable.systems.aslsk.effects.casualties import LeaderLoss
from sandtable.systems.aslsk.effects.morale import loss_checks
from sandtable.systems.aslsk.phases.rally import rally_number
from sandtable.systems.aslsk.pieces.state import Phase, Rallying, RallyStep, UnitId, WeaponId, WeaponState, Whereabouts
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
A, L = UnitId("a"), UnitId("l")
W = WeaponId("w")
FAR = side(squad("far", "russian/4-4-7", at="G5"))


def struck(*targets: dict[str, Any], weapons: Any = ()) -> Clash:
    """A German squad of 8 FP, directed so that it never cowers, fires two hexes across open ground."""
    german = side(squad("a", "german/8-3-8", at="A1"), squad("l", "german/8-0", at="A1"))
    return Clash("PFPh", german=german, russian=side(*targets, weapons=weapons, elr=5))


def hit(clash: Clash, *dice: int | tuple[int, int]) -> dict[str, int]:
    """Fire, and the number that each checking unit had to roll."""
    clash.play(Fire((A,), (), clash.hex("C1"), (L,)), *dice)
    return {event.unit: event.number.total for event in clash.events if isinstance(event, ev.MoraleChecked)}


def russian(name: str, card: str = "russian/4-4-7", **flags: Any) -> dict[str, Any]:
    return squad(name, card, at="C1", **flags)


# --- rally ------------------------------------------------------------------------------------------------------


@rules("3.1", system="aslsk3")
def test_3_1_a_broken_enemy_adjacent_keeps_dm_too() -> None:
    foes = side(squad("r", "russian/4-4-7", at="B3", broken=True, dm=True), squad("far", "russian/4-4-7", at="G5"))
    clash = Clash("RPh", german=side(squad("a", at="B2", broken=True, dm=True), squad("b", at="F1")), russian=foes)
    while clash.state.phase is Phase.RALLY:
        clash.play(Done())
    assert (clash.unit("a").dm, clash.unit("r").dm) == (True, True)


@rules("5.3", system="aslsk3")
def test_5_3_only_the_first_self_rally_of_a_mmc_may_create_a_leader() -> None:
    men = [squad(name, at="B2", broken=True) for name in ("a", "b")]
    clash = Clash("RPh", german=side(*men), russian=FAR, conditions={"self_rally": ["german"]})
    clash.play(SelfRally(A), (6, 5))
    clash.play(SelfRally(UnitId("b")), (1, 1))
    assert not clash.unit("b").broken
    assert not clash.saw(ev.LeaderCreated)


@rules("1.3", "3.1", system="aslsk3")
@pytest.mark.parametrize(("own_leaders", "number"), [(True, 5), (False, 6)])
def test_3_1_leaders_of_another_nationality_rally_without_their_drm_where_a_scenario_says_so(
    own_leaders: bool, number: int
) -> None:
    men = [squad("a", "russian/4-2-6", at="B2", broken=True), squad("l", "german/8-1", at="B2")]
    clash = Clash("RPh", german=side(*men), russian=FAR, conditions={"own_leaders": own_leaders})
    assert rally_number(clash.context, clash.unit("a"), clash.unit("l")).total == number


@rules("3.1", "3.8", system="aslsk3")
def test_3_8_broken_units_in_melee_do_not_rally() -> None:
    men = [
        squad("a", at="B2", broken=True, melee=True),
        squad("b", at="D5", broken=True),
        squad("l", "german/8-1", at="D5"),
    ]
    foes = side(squad("r", "russian/4-4-7", at="B2", melee=True))
    clash = Clash("RPh", german=side(*men), russian=foes)
    assert clash.why(SelfRally(A)) == "3.8"
    assert clash.why(SelfRally(UnitId("b"))) == ""


@rules("3.1", system="aslsk3")
@pytest.mark.parametrize(("broken", "why"), [(True, "3.1"), (False, "")])
def test_3_1_only_units_in_good_order_repair(broken: bool, why: str) -> None:
    guns = [
        {"id": name, "card": "german/LMG", "owner": owner, "state": "malfunctioned"} for name, owner in ("wa", "vb")
    ]
    clash = Clash(
        "RPh", german=side(squad("a", at="B2", broken=broken), squad("b", at="D5"), weapons=guns), russian=FAR
    )
    assert clash.why(RepairWeapon(W)) == why


# --- Morale Checks ----------------------------------------------------------------------------------------------


@rules("3.2.3", system="aslsk3")
def test_3_2_3_a_leader_helps_leaders_of_lower_morale_only() -> None:
    numbers = hit(
        struck(russian("x", "russian/8-1"), russian("y", "russian/8-0"), russian("z", "russian/7-0")),
        (1, 6),
        (1, 2),
        (1, 2),
        (1, 2),
    )
    assert numbers == {"x": 7, "y": 7, "z": 7}


@rules("3.2.3", system="aslsk3")
def test_3_2_3_pinned_units_take_no_ptc() -> None:
    numbers = hit(struck(russian("r", pinned=True), russian("s")), (3, 6), (1, 2))
    assert list(numbers) == ["s"]


@rules("3.2.3", system="aslsk3")
def test_3_2_3_a_leader_wounded_by_the_k_does_not_help_though_he_passes() -> None:
    numbers = hit(struck(russian("lead", "russian/9-2"), russian("r")), (1, 2), 1, 1, (1, 2), (1, 2))
    assert numbers == {"lead": 8 - 2, "r": 7 - 2}


@rules("3.2.3", system="aslsk3")
def test_3_2_3_a_poor_leader_lost_is_no_penalty() -> None:
    """Only a negative leadership DRM is reversed."""
    clash = struck(russian("r", broken=True))
    friends = (clash.unit("r"),)
    for drm, penalty in ((1, 0), (-1, 1)):
        loss = LeaderLoss(UnitId("x"), clash.unit("r").side, clash.hex("C1"), 9, drm, eliminated=True)
        assert loss_checks(clash.context, friends, loss)[UnitId("r")].penalty == penalty


@rules("4.0", "4.4.3", system="aslsk3")
@pytest.mark.parametrize(("fires", "number"), [(True, 7), (False, 8)])
def test_4_0_a_leader_at_a_weapon_lends_no_leadership_in_that_phase(fires: bool, number: int) -> None:
    guns = [{"id": "w", "card": "german/PSK", "owner": "a"}, {"id": "v", "card": "german/LMG", "owner": "l"}]
    men = side(squad("a", at="A1"), squad("l", "german/8-1", at="A1"), weapons=guns)
    foes = side(squad("r", "russian/4-4-7", at="C1"), squad("s", "russian/4-4-7", at="D2"))
    clash = Clash("PFPh", "b . b .\n. . . .", german=men, russian=foes)
    if fires:
        clash.play(Fire((), (WeaponId("v"),), clash.hex("D2")), (6, 5))
    clash.play(FireOrdnance(clash.hex("C1"), weapon=W, backblast=True), (4, 6), (1, 2), (1, 2))
    numbers = {event.unit: event.number.total for event in clash.events if isinstance(event, ev.MoraleChecked)}
    assert numbers[A] == number


@rules("4.0", system="aslsk3")
def test_4_0_a_weapon_that_cannot_be_repaired_is_destroyed_where_others_malfunction() -> None:
    clash = struck(russian("r"), weapons=[{"id": "w", "card": "russian/DC", "owner": "r"}])
    hit(clash, (1, 1), 3)
    assert clash.state.weapons[W].state is WeaponState.REMOVED


@rules("1.2.1", "3.2.3", system="aslsk3")
@pytest.mark.parametrize(("pinned", "number"), [(True, 7), (False, 8)])
def test_3_2_3_a_leader_pinned_before_helps_nobody_though_he_passes(pinned: bool, number: int) -> None:
    numbers = hit(struck(russian("lead", "russian/8-1", pinned=pinned), russian("r")), (2, 6), (1, 2), (1, 2))
    assert numbers == {"lead": 8, "r": number}


@rules("1.3", "5.4", system="aslsk3")
@pytest.mark.parametrize(("seasoned", "green"), [(["american/5-3-6"], False), ([], True)])
def test_5_4_a_scenario_may_call_green_troops_seasoned(seasoned: list[str], green: bool) -> None:
    men = side(squad("a", "american/5-3-6", at="B2"))
    clash = Clash("MPh", german=men, russian=FAR, conditions={"seasoned": seasoned})
    assert is_inexperienced(clash.context, clash.state, clash.unit("a")) == green


@rules("3.2.3", system="aslsk3")
def test_3_2_3_a_kia_eliminates_as_many_as_it_says() -> None:
    """16 FP of two squads, directed, DR 2: 2KIA on three squads."""
    men = side(*(squad(name, "german/8-3-8", at="A1") for name in "ab"), squad("l", "german/8-0", at="A1"))
    clash = Clash("PFPh", german=men, russian=side(*(russian(name) for name in "rst")))
    clash.play(Fire((A, UnitId("b")), (), clash.hex("C1"), (L,)), (1, 1), 3, 1)
    assert [clash.unit(name).place is Whereabouts.ELIMINATED for name in "rst"] == [True, False, True]
    assert clash.unit("s").broken


@rules("3.1", system="aslsk3")
def test_3_1_who_rallies_is_under_dm_no_more() -> None:
    men = side(squad("a", at="B2", broken=True, dm=True), squad("l", "german/9-2", at="B2"))
    clash = Clash("RPh", german=men, russian=FAR)
    while not (isinstance(frame := clash.state.stack[-1], Rallying) and frame.step is RallyStep.UNIT_RALLY):
        clash.play(Done())
    clash.play(Rally(A, L), (1, 2))
    assert (clash.unit("a").broken, clash.unit("a").dm) == (False, False)


@rules("3.1", "3.7", system="aslsk3")
@pytest.mark.parametrize(
    ("giver", "taker", "why"), [({}, {"broken": True}, "3.1"), ({"broken": True}, {}, "3.1"), ({}, {}, "")]
)
def test_3_1_weapons_pass_between_units_in_good_order_only(
    giver: dict[str, Any], taker: dict[str, Any], why: str
) -> None:
    guns = [{"id": "w", "card": "german/LMG", "owner": "a"}]
    men = side(squad("a", at="B2", **giver), squad("b", at="B2", **taker), squad("c", at="D4"), weapons=guns)
    clash = Clash("APh", german=men, russian=FAR)
    assert clash.why(TransferWeapon(W, UnitId("b"))) == why


@rules("3.2.3", system="aslsk3")
def test_3_2_3_a_half_squad_that_rolls_an_original_12_is_gone_and_breaks_no_more() -> None:
    clash = struck(russian("r", "russian/2-3-7"))
    hit(clash, (2, 6), (6, 6))
    assert clash.unit("r").place is Whereabouts.ELIMINATED
    assert not clash.saw(ev.UnitBroke)


@rules("3.2.3", system="aslsk3")
def test_3_2_3_the_best_leader_checks_first_wherever_he_stands_in_the_stack() -> None:
    numbers = hit(struck(russian("low", "russian/7-0"), russian("best", "russian/9-2")), (2, 6), (1, 2), (1, 2))
    assert list(numbers.items()) == [("best", 9), ("low", 7 + 2)]


@rules("3.6", system="aslsk3")
def test_3_6_under_dm_alone_a_unit_may_stay() -> None:
    cells = ". . . . . . .\n. . . . . w .\n. . . . . . w"
    men = side(squad("a", at="F2", broken=True, dm=True), squad("b", at="G1"))
    clash = Clash("RtPh", cells, german=men, russian=side(squad("r", "russian/4-4-7", at="A2")))
    assert clash.state.phase is Phase.ROUT
    assert clash.why(Done()) == ""
