"""3.1 Rally Phase and 5.3 Field Promotions, step by step."""

import pytest

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import (
    Done,
    KeepDesperation,
    Rally,
    RecoverWeapon,
    RepairWeapon,
    SelfRally,
    TransferWeapon,
)
from sandtable.systems.aslsk.pieces.state import Rallying, RallyStep, UnitId, WeaponId, WeaponState
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
A, B, L, MG = UnitId("a"), UnitId("b"), UnitId("l"), WeaponId("mg")
WOODS = """
w . .
. . .
"""


def step_of(clash: Clash) -> RallyStep:
    frame = clash.state.stack[-1]
    assert isinstance(frame, Rallying)
    return frame.step


@rules("3.1", "4.0", system="aslsk3")
def test_3_1_recovery_needs_a_dr_under_6_and_is_the_units_one_action() -> None:
    gun = {"id": "mg", "card": "german/LMG", "at": "A1"}
    clash = Clash("RPh", german=side(squad("a", at="A1"), squad("b", at="A1", cx=True), weapons=[gun]), russian=side())
    assert step_of(clash) is RallyStep.RECOVERY
    clash.play(RecoverWeapon(B, MG), 5)
    assert clash.saw(ev.RecoveryAttempted, unit=B, recovered=False), "CX: +1 drm"
    assert clash.why(RecoverWeapon(B, MG)) == "3.1"
    clash.play(RecoverWeapon(A, MG), 5)
    assert clash.saw(ev.WeaponPossessed, weapon=MG, unit=A)
    assert clash.state.weapons[MG].owner == A


@rules("4.0", system="aslsk3")
def test_4_0_what_was_recovered_is_not_transferred_in_the_same_phase() -> None:
    guns = [{"id": "mg", "card": "german/LMG", "at": "A1"}, {"id": "other", "card": "german/LMG", "owner": "c"}]
    units = [squad("a", at="A1"), squad("b", at="A1"), squad("c", at="A1")]
    clash = Clash("RPh", german=side(*units, weapons=guns), russian=side())
    clash.play(RecoverWeapon(A, MG), 1)
    assert step_of(clash) is RallyStep.TRANSFER
    assert clash.why(TransferWeapon(MG, B)) == "4.0"
    assert clash.why(TransferWeapon(WeaponId("other"), A)) == "3.1", "has had its one action"
    clash.play(TransferWeapon(WeaponId("other"), B))
    assert clash.state.weapons[WeaponId("other")].owner == B


@rules("1.2.4", "3.1", system="aslsk3")
@pytest.mark.parametrize(("dr", "state"), [(2, "working"), (3, "malfunctioned"), (6, "removed")])
def test_3_1_repair(dr: int, state: str) -> None:
    gun = {"id": "mg", "card": "german/MMG", "owner": "a", "state": "malfunctioned"}
    clash = Clash("RPh", german=side(squad("a", at="A1"), weapons=[gun]), russian=side())
    clash.play(RepairWeapon(MG), dr)
    assert clash.state.weapons[MG].state is WeaponState(state)


@rules("3.1", "5.2", "5.5", system="aslsk3")
def test_3_1_a_captured_weapon_is_not_repaired() -> None:
    gun = {"id": "mg", "card": "russian/MMG", "owner": "a", "state": "malfunctioned"}
    other = {"id": "own", "card": "german/MMG", "owner": "b", "state": "malfunctioned"}
    clash = Clash("RPh", german=side(squad("a", at="A1"), squad("b", at="B1"), weapons=[gun, other]), russian=side())
    assert step_of(clash) is RallyStep.REPAIR
    assert clash.why(RepairWeapon(MG)) == "3.1"


@rules("1.3", "3.1", system="aslsk3")
@pytest.mark.parametrize(("unit", "rule"), [("german/2-2-8 crew", "3.1"), ("italian/3-4-7", "")])
def test_3_1_crews_used_to_a_captured_gun_do_not_repair_it(unit: str, rule: str) -> None:
    """S27 spares them the penalties of firing it; its nationality stays."""
    card = "italian/Cannone da 75/27"
    gun = {"id": "mg", "card": card, "owner": "a", "state": "malfunctioned", "facing": "N/NE"}
    other = {"id": "own", "card": "german/MMG", "owner": "b", "state": "malfunctioned"}
    german = side(squad("a", unit, at="A1"), squad("b", at="B1"), weapons=[gun, other])
    clash = Clash("RPh", german=german, russian=side(), conditions={"own_weapons": [card]})
    assert clash.why(RepairWeapon(MG)) == rule
    assert (RepairWeapon(MG) in clash.options()) is not bool(rule)


@rules("4.0", system="aslsk3")
def test_4_0_a_leader_takes_weapons_of_any_weight_into_his_possession() -> None:
    gun = {"id": "mg", "card": "german/MMG", "owner": "a"}
    light = {"id": "lmg", "card": "german/LMG", "owner": "a"}
    units = [squad("a", at="A1"), squad("l", "german/8-0", at="A1")]
    clash = Clash("RPh", german=side(*units, weapons=[gun, light]), russian=side())
    for weapon in (MG, WeaponId("lmg")):
        clash.play(TransferWeapon(weapon, L))
        assert clash.state.weapons[weapon].owner == L


@rules("1.2.3", "3.1", system="aslsk3")
def test_3_1_who_may_self_rally() -> None:
    broken = [
        squad("a", at="A1", broken=True),
        squad("b", at="B1", broken=True),
        squad("l", "german/8-0", at="C1", broken=True),
    ]
    foes = [
        squad("r", "russian/4-4-7", at="E1", broken=True),
        squad("crew", "russian/2-2-8 crew", at="F1", broken=True),
    ]
    clash = Clash("RPh", german=side(*broken), russian=side(*foes))
    assert step_of(clash) is RallyStep.SELF_RALLY
    clash.play(SelfRally(A), (3, 4))
    assert clash.why(SelfRally(B)) == "3.1", "one additional MMC"
    clash.play(SelfRally(L), (2, 2))
    assert not clash.unit("l").broken
    assert clash.why(SelfRally(A)) == "3.1", "one attempt a player turn"
    assert clash.asked == "russian", "nobody of the ATTACKER's is left to try"


@rules("3.1", system="aslsk3")
def test_3_1_the_defender_has_no_unboxed_self_rally() -> None:
    foes = [squad("r", "russian/4-4-7", at="E1", broken=True), squad("s", "russian/8-0", at="F1", broken=True)]
    clash = Clash("RPh", german=side(squad("a", at="A1")), russian=side(*foes))
    assert clash.asked == "russian"
    assert clash.why(SelfRally(UnitId("r"))) == "3.1"
    assert clash.why(SelfRally(UnitId("s"))) == ""


@rules("3.1", system="aslsk3")
def test_3_1_a_scenario_may_let_a_whole_force_self_rally() -> None:
    foes = [squad("r", "russian/4-2-6", at="E1", broken=True), squad("s", "russian/4-2-6", at="F1", broken=True)]
    clash = Clash("RPh", german=side(), russian=side(*foes), conditions={"self_rally": ["russian"]})
    clash.play(SelfRally(UnitId("r")), (6, 5))
    assert clash.why(SelfRally(UnitId("s"))) == ""


@rules("3.1", system="aslsk3")
def test_3_1_an_original_12_reduces() -> None:
    clash = Clash("RPh", german=side(squad("a", at="A1", broken=True)), russian=side())
    clash.play(SelfRally(A), (6, 6))
    assert clash.unit("a").card == "german/2-4-7"


@rules("1.2.1", "3.1", system="aslsk3")
def test_3_1_a_leader_rallies_all_he_is_stacked_with_each_once() -> None:
    units = [
        squad("l", "german/9-2", at="A1"),
        squad("a", at="A1", broken=True, dm=True),
        squad("b", at="A1", broken=True),
    ]
    clash = Clash("RPh", WOODS, german=side(*units), russian=side(), step="unit rally")
    clash.play(Rally(A, L), (3, 3))
    assert clash.unit("a").broken is False, "7 + 2 + 1 - 4 = 6"
    clash.play(Rally(B, L), (6, 4))
    assert not clash.unit("b").broken


@rules("3.1", system="aslsk3")
def test_3_1_only_a_good_order_leader_in_the_hex_rallies() -> None:
    units = [
        squad("l", "german/9-2", at="B1"),
        squad("m", "german/8-0", at="A1", broken=True),
        squad("a", at="A1", broken=True),
        squad("b", at="B1", broken=True),
    ]
    clash = Clash("RPh", german=side(*units), russian=side(), step="unit rally")
    assert clash.why(Rally(A, L)) == "3.1"
    assert clash.why(Rally(A, UnitId("m"))) == "3.1"
    assert clash.why(Rally(B, L)) == ""


@rules("5.3", system="aslsk3")
@pytest.mark.parametrize(("dr", "card"), [(1, "german/8-1"), (2, "german/8-0"), (4, "german/7-0"), (6, "german/6+1")])
def test_5_3_an_original_2_of_a_self_rally_may_create_a_leader(dr: int, card: str) -> None:
    clash = Clash("RPh", german=side(squad("a", "german/4-4-7", at="A1", broken=True)), russian=side())
    clash.play(SelfRally(A), (1, 1), dr)
    created = clash.unit("german-L1")
    assert created.card == card, "-1 German, +1 broken"
    assert created.hex == clash.hex("A1")


@rules("3.1", system="aslsk3")
def test_3_1_dm_goes_unless_a_known_enemy_is_adjacent_or_it_is_kept() -> None:
    units = [
        squad("a", at="A1", broken=True, dm=True, rallied=True),
        squad("b", at="B1", broken=True, dm=True, rallied=True),
        squad("c", at="C2", broken=True, dm=True, rallied=True),
    ]
    clash = Clash("RPh", WOODS, german=side(*units), russian=side(squad("r", "russian/4-4-7", at="C1")))
    assert not clash.unit("a").dm, "in woods it goes"
    assert clash.unit("b").dm
    assert clash.unit("c").dm


@rules("3.1", system="aslsk3")
def test_3_1_a_broken_unit_in_the_open_may_keep_its_dm() -> None:
    units = [
        squad("a", at="A1", broken=True, dm=True, rallied=True),
        squad("b", at="B2", broken=True, dm=True, rallied=True),
    ]
    clash = Clash("RPh", WOODS, german=side(*units), russian=side())
    assert step_of(clash) is RallyStep.DM_REMOVAL
    assert clash.why(KeepDesperation((A,))) == "3.1"
    clash.play(KeepDesperation((B,)))
    assert not clash.unit("a").dm
    assert clash.unit("b").dm


@rules("1.2.1", "3.1", "4.0", system="aslsk3")
def test_3_1_a_leader_who_has_recovered_or_repaired_a_weapon_rallies_nobody() -> None:
    """Recovery is a unit's sole action of the RPh; only rallying, himself and others, may be done more than once."""
    clash = Clash(
        "RPh",
        german=side(
            squad("l", "german/8-1", at="B2"),
            squad("m", "german/8-0", at="B2"),
            squad("a", at="B2", broken=True),
            weapons=[{"id": "mg", "card": "german/LMG", "at": "B2"}],
        ),
        russian=side(squad("r", "russian/4-4-7", at="G5")),
    )
    clash.play(RecoverWeapon(UnitId("l"), WeaponId("mg")), 3)
    while not (isinstance(frame := clash.state.stack[-1], Rallying) and frame.step is RallyStep.UNIT_RALLY):
        clash.play(Done())
    assert clash.why(Rally(UnitId("a"), UnitId("l"))) == "3.1"
    assert [action.leader for action in clash.options() if isinstance(action, Rally)] == ["m"]
