"""3.2, 3.4, 3.5: fire attacks: firepower, fire groups, direction, cowering, sight, and the fire phases."""

from typing import Any

import pytest

from sandtable.core.decision import Gather
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import DestroyWeapon, Done, Fire
from sandtable.systems.aslsk.pieces.state import Mark, Phase, UnitId, WeaponId
from tests.aslsk.desk import Desk, side, squad

rules = pytest.mark.rules
A, B, C, L = UnitId("a"), UnitId("b"), UnitId("c"), UnitId("l")
MG = WeaponId("mg")
ROW = "." + " ." * 17
NOTHING = (6, 5)
"""A DR that does nothing to the targets of these tests."""


def mg(card: str = "german/LMG", owner: str = "a", name: str = "mg", **flags: Any) -> dict[str, Any]:
    return {"id": name, "card": card, "owner": owner, **flags}


def prep(*units: dict[str, Any], at: str = "C1", cells: str = ROW, **fields: Any) -> Desk:
    """Germans fire at a Russian squad."""
    weapons = fields.pop("weapons", ())
    russian = fields.pop("russian", side(squad("r", "russian/4-4-7", at=at)))
    return Desk("PFPh", cells, german=side(*units, weapons=weapons), russian=russian, **fields)


def fired(desk: Desk) -> ev.FireResolved:
    return next(event for event in desk.events if isinstance(event, ev.FireResolved))


# --- firepower --------------------------------------------------------------------------------------------------


@rules("3.2.2", system="aslsk3")
@pytest.mark.parametrize(
    ("at", "fp", "column"),
    [("B1", 8, 8), ("C1", 4, 4), ("G1", 4, 4), ("H1", 2, 2), ("M1", 2, 2)],
)
def test_3_2_2_point_blank_normal_and_long_range(at: str, fp: int, column: int) -> None:
    desk = prep(squad("a", at="A1"), at=at)
    desk.play(Fire((A,), (), desk.hex(at)), NOTHING)
    assert (fired(desk).firepower.net, fired(desk).column) == (fp, column)


@rules("3.2.2", system="aslsk3")
def test_3_2_2_beyond_double_range_nobody_fires() -> None:
    desk = prep(squad("a", at="A1"), squad("b", at="B1"), at="N1")
    assert desk.why(Fire((A,), (), desk.hex("N1"))) == "3.2.2"
    assert desk.why(Fire((B,), (), desk.hex("N1"))) == ""


@rules("3.2.2", system="aslsk3")
def test_3_2_2_fractions_are_kept_until_the_total() -> None:
    units = [squad("a", "american/7-4-7", at="A1"), squad("b", "american/7-4-7", at="A1")]
    desk = prep(*units, at="F1")
    desk.play(Fire((A, B), (), desk.hex("F1")), NOTHING)
    assert fired(desk).firepower.net == 7
    assert fired(desk).firepower.terms[-1].label == "fractions together"


@rules("3.2.2.1", system="aslsk3")
def test_3_2_2_1_a_unit_with_an_enemy_in_its_hex_fires_there_at_triple_fp_and_nowhere_else() -> None:
    german = [squad("a", "german/5-4-8", at="A1")]
    russian = side(squad("r", "russian/4-4-7", at="A1"), squad("s", "russian/4-4-7", at="C1"))
    desk = prep(*german, russian=russian)
    assert desk.why(Fire((A,), (), desk.hex("C1"))) == "3.2.2.1"
    desk.play(Fire((A,), (), desk.hex("A1")), NOTHING)
    assert fired(desk).firepower.net == 15


@rules("3.2.3", system="aslsk3")
def test_3_2_3_a_pinned_unit_fires_at_half_fp() -> None:
    desk = prep(squad("a", at="A1", pinned=True))
    desk.play(Fire((A,), (), desk.hex("C1")), NOTHING)
    assert fired(desk).firepower.net == 2


# --- who may fire -----------------------------------------------------------------------------------------------


@rules("3.2", "3.2.5", system="aslsk3")
def test_3_2_5_each_unit_fires_once_and_is_marked() -> None:
    desk = prep(squad("a", at="A1"), squad("b", at="B2"), cells=f"{ROW}\n{ROW}")
    desk.play(Fire((A,), (), desk.hex("C1")), NOTHING)
    assert desk.unit("a").mark is Mark.PREP_FIRE
    assert desk.why(Fire((A,), (), desk.hex("C1"))) == "3.2"
    assert desk.why(Fire((B,), (), desk.hex("C1"))) == ""


@rules("3.2.3", "3.8", system="aslsk3")
def test_3_2_3_broken_units_leaders_and_units_in_melee_have_no_fire_of_their_own() -> None:
    broken, leader = squad("a", at="A1", broken=True), squad("l", "german/8-1", at="A2")
    russian = side(squad("r", "russian/4-4-7", at="C1"), squad("s", "russian/4-4-7", at="B2", melee=True))
    melee = squad("m", at="B2", melee=True)
    desk = prep(broken, leader, squad("b", at="A2"), melee, cells=f"{ROW}\n{ROW}", russian=russian)
    assert desk.why(Fire((A,), (), desk.hex("C1"))) == "3.2.3"
    assert desk.why(Fire((L,), (), desk.hex("C1"))) == "1.2.1"
    assert desk.why(Fire((UnitId("m"),), (), desk.hex("C1"))) == "3.8"
    assert desk.why(Fire((), (), desk.hex("C1"))) == "3.2.2"
    assert desk.why(Fire((B, B), (), desk.hex("C1"))) == "3.2.2"
    assert desk.why(Fire((B,), (), desk.hex("D1"))) == "3.2"


@rules("3.2", "3.8", system="aslsk3")
def test_3_8_fire_into_a_melee_strikes_friend_and_foe() -> None:
    units = [squad("a", "german/8-3-8", at="A1"), squad("m", at="B1", melee=True)]
    russian = side(squad("r", "russian/4-4-7", at="B1", melee=True))
    desk = prep(*units, russian=russian)
    desk.play(Fire((A,), (), desk.hex("B1")), (3, 6), (1, 2), (1, 2))
    assert set(fired(desk).targets) == {"m", "r"}


# --- fire groups ------------------------------------------------------------------------------------------------


@rules("3.2.2", system="aslsk3")
def test_3_2_2_a_fire_group_is_joined_hex_by_hex() -> None:
    units = [squad("a", at="A1"), squad("b", at="B1"), squad("c", at="D1")]
    desk = prep(*units, at="F1")
    assert desk.why(Fire((A, C), (), desk.hex("F1"))) == "3.2.2"
    assert desk.why(Fire((A, B), (), desk.hex("F1"))) == ""
    assert desk.why(Fire((A, B, C), (), desk.hex("F1"))) == "3.2.2"


@rules("3.2.2", system="aslsk3")
def test_3_2_2_units_of_a_hex_attack_the_same_target_together_or_not_at_all() -> None:
    russian = side(squad("r", "russian/4-4-7", at="C1"), squad("s", "russian/4-4-7", at="C2"))
    desk = prep(squad("a", at="A1"), squad("b", at="A1"), cells=f"{ROW}\n{ROW}", russian=russian)
    desk.play(Fire((A,), (), desk.hex("C1")), NOTHING)
    assert desk.why(Fire((B,), (), desk.hex("C1"))) == "3.2.2"
    assert desk.why(Fire((B,), (), desk.hex("C2"))) == ""


@rules("3.2.2", "4.1", system="aslsk3")
def test_4_1_a_squad_and_its_mg_fire_at_one_target_as_a_group_unless_the_mg_keeps_its_rof() -> None:
    desk = prep(squad("a", at="A1"), weapons=[mg("german/HMG")])
    desk.play(Fire((A,), (MG,), desk.hex("C1")), (3, 6), (1, 2))
    assert fired(desk).firepower.net == 11
    assert desk.state.weapons[MG].mark is Mark.NONE
    desk.play(Fire((), (MG,), desk.hex("C1")), (5, 6))
    assert desk.state.weapons[MG].mark is Mark.PREP_FIRE
    apart = prep(squad("a", at="A1"), squad("b", at="E1"), weapons=[mg("german/HMG")])
    apart.play(Fire((), (MG,), apart.hex("C1")), (4, 6))
    assert apart.why(Fire((A,), (), apart.hex("C1"))) == "4.1"


# --- leaders ----------------------------------------------------------------------------------------------------


@rules("1.2.1", "3.2.2", system="aslsk3")
def test_3_2_2_a_leader_directs_once_a_player_turn() -> None:
    units = [squad("a", at="A1"), squad("b", at="A1"), squad("l", "german/9-2", at="A1")]
    russian = side(squad("r", "russian/4-4-7", at="C1"), squad("s", "russian/4-4-7", at="C2"))
    desk = prep(*units, cells=f"{ROW}\n{ROW}", russian=russian)
    desk.play(Fire((A,), (), desk.hex("C1"), (L,)), (6, 6))
    assert fired(desk).drm.total == -2
    assert desk.unit("l").mark is Mark.PREP_FIRE
    assert desk.why(Fire((B,), (), desk.hex("C2"), (L,))) == "3.2.2"
    assert desk.why(Fire((B,), (), desk.hex("C2"))) == ""


@rules("1.2.1", "4.0", system="aslsk3")
def test_1_2_1_a_leader_who_has_directed_does_not_fire_a_weapon_as_well() -> None:
    units = [squad("a", at="A1"), squad("b", at="B1"), squad("l", "german/8-1", at="A1")]
    desk = prep(*units, weapons=[mg(owner="l")], at="D1")
    desk.play(Fire((A,), (), desk.hex("D1"), (L,)), (6, 6))
    assert desk.why(Fire((), (MG,), desk.hex("D1"))) == "1.2.1"


@rules("1.2.1", "1.2.4.1", "3.2.2", system="aslsk3")
def test_1_2_1_a_leader_directs_the_rof_shots_of_what_he_directed() -> None:
    desk = prep(squad("a", at="A1"), squad("l", "german/8-1", at="A1"), weapons=[mg("german/MMG")])
    desk.play(Fire((A,), (MG,), desk.hex("C1"), (L,)), (2, 6), (2, 2))
    assert desk.why(Fire((), (MG,), desk.hex("C1"), (L,))) == ""


@rules("3.2.2", system="aslsk3")
def test_3_2_2_a_multi_hex_group_needs_a_leader_in_every_hex_and_has_the_worse_drm() -> None:
    leaders = [squad("l", "german/9-2", at="A1"), squad("k", "german/6+1", at="B1")]
    desk = prep(squad("a", at="A1"), squad("b", at="B1"), *leaders, at="D1")
    assert desk.why(Fire((A, B), (), desk.hex("D1"), (L,))) == "3.2.2"
    desk.play(Fire((A, B), (), desk.hex("D1"), (L, UnitId("k"))), NOTHING)
    assert fired(desk).drm.total == 1


@rules("1.2.1", "3.2.2", system="aslsk3")
@pytest.mark.parametrize("flags", [{"pinned": True}, {"broken": True}])
def test_1_2_1_pinned_and_broken_leaders_do_not_direct(flags: dict[str, bool]) -> None:
    desk = prep(squad("a", at="A1"), squad("l", "german/9-2", at="A1", **flags))
    assert desk.why(Fire((A,), (), desk.hex("C1"), (L,))) == "3.2.2"


@rules("1.2.1", "3.2.2", system="aslsk3")
def test_1_2_1_leadership_is_not_cumulative() -> None:
    leaders = [squad("l", "german/9-2", at="A1"), squad("k", "german/8-1", at="A1")]
    desk = prep(squad("a", at="A1"), *leaders)
    assert desk.why(Fire((A,), (), desk.hex("C1"), (L, UnitId("k")))) == "1.2.1"


@rules("3.3.1", "3.2.3", system="aslsk3")
def test_3_3_1_cx_firers_and_directors_add_one_together() -> None:
    units = [squad("a", at="A1", cx=True), squad("l", "german/8-0", at="A1", cx=True)]
    desk = prep(*units)
    desk.play(Fire((A,), (), desk.hex("C1"), (L,)), NOTHING)
    assert fired(desk).drm.total == 1


# --- cowering ---------------------------------------------------------------------------------------------------


@rules("3.2.2", system="aslsk3")
def test_3_2_2_doubles_without_a_leader_cower_one_column() -> None:
    desk = prep(squad("a", "german/8-3-8", at="A1"))
    desk.play(Fire((A,), (), desk.hex("C1")), (6, 6))
    assert (fired(desk).column, fired(desk).cowered) == (6, True)


@rules("3.2.2", "5.4", system="aslsk3")
def test_5_4_inexperienced_troops_cower_two_columns_and_below_the_lowest_nothing_happens() -> None:
    desk = prep(squad("a", "german/2-3-6", at="A1"))
    desk.play(Fire((A,), (), desk.hex("C1")), (1, 1))
    assert (fired(desk).column, fired(desk).result) == (0, "")


@rules("3.2.2", "5.4", system="aslsk3")
def test_5_4_a_good_order_leader_steadies_green_troops() -> None:
    units = [squad("a", "american/5-3-6", at="A1"), squad("l", "american/8-0", at="A1")]
    desk = prep(*units)
    desk.play(Fire((A,), (), desk.hex("C1")), (5, 5))
    assert fired(desk).column == 2


@rules("1.2.4.1", "3.2.2", system="aslsk3")
def test_3_2_2_a_mg_that_cowers_loses_its_rof() -> None:
    desk = prep(squad("a", at="A1"), weapons=[mg("german/HMG")])
    desk.play(Fire((), (MG,), desk.hex("C1")), (3, 3), (2, 2))
    assert fired(desk).cowered
    assert desk.state.weapons[MG].mark is Mark.PREP_FIRE


WALL = """
. .
b .
. .
"""


# --- sight ------------------------------------------------------------------------------------------------------


@rules("3.2.1", system="aslsk3")
def test_3_2_1_fire_without_a_los_is_lost() -> None:
    desk = prep(squad("a", at="A1"), cells=WALL, at="A3")
    desk.play(Fire((A,), (), desk.hex("A3")))
    assert desk.saw(ev.HexesBlocked)
    assert not desk.saw(ev.FireResolved)
    assert desk.unit("a").mark is Mark.PREP_FIRE


@rules("3.2.1", "4.1", system="aslsk3")
def test_3_2_1_weapons_may_break_down_though_they_see_nothing() -> None:
    desk = prep(squad("a", at="A1"), cells=WALL, at="A3", weapons=[mg()])
    desk.play(Fire((A,), (MG,), desk.hex("A3")), (6, 6))
    assert desk.saw(ev.WeaponMalfunctioned, weapon=MG)


@rules("3.2.1", "3.2.2", system="aslsk3")
def test_3_2_2_members_without_a_los_drop_out_of_a_group() -> None:
    desk = prep(squad("a", at="A1"), squad("b", at="B1"), cells=WALL, at="A3")
    desk.play(Fire((A, B), (), desk.hex("A3")), NOTHING)
    assert fired(desk).firepower.net == 4
    assert desk.unit("a").mark is Mark.PREP_FIRE


@rules("3.2.1", system="aslsk3")
def test_3_2_1_learners_are_told_before() -> None:
    desk = prep(squad("a", at="A1"), cells=WALL, at="A3", conditions={"free_sight": True})
    assert desk.state.phase is not Phase.PREP_FIRE


@rules("1.2.5", "3.2.1", system="aslsk3")
def test_1_2_5_smoke_hinders_through_into_and_out_of_its_hex() -> None:
    desk = prep(squad("a", at="A1"), at="D1", smoke={"C1": "dispersed smoke"})
    desk.play(Fire((A,), (), desk.hex("D1")), NOTHING)
    assert fired(desk).drm.total == 2
    out = prep(squad("a", at="A1"), at="C1", smoke={"A1": "dispersed smoke", "C1": "WP"})
    out.play(Fire((A,), (), out.hex("C1")), NOTHING)
    assert sorted(term.value for term in fired(out).drm.terms) == [1, 4]
    thick = prep(squad("a", at="A1"), at="D1", smoke={"B1": "smoke", "C1": "smoke"})
    thick.play(Fire((A,), (), thick.hex("D1")))
    assert thick.saw(ev.HexesBlocked)


# --- final and advancing fire -----------------------------------------------------------------------------------


def final(*units: dict[str, Any], at: str = "B1", **fields: Any) -> Desk:
    german = side(*units, weapons=fields.pop("weapons", ()))
    russian = side(squad("r", "russian/4-4-7", at=at))
    return Desk("DFPh", ROW, german=german, russian=russian, attacker="russian", **fields)


@rules("3.4", system="aslsk3")
def test_3_4_first_fire_units_fire_again_only_at_adjacent_hexes_with_half_fp() -> None:
    desk = final(squad("a", at="A1", mark="First Fire"), at="B1")
    desk.play(Fire((A,), (), desk.hex("B1")), NOTHING)
    assert fired(desk).firepower.net == 4
    assert desk.unit("a").mark is Mark.FINAL_FIRE or desk.state.phase is not Phase.DEFENSIVE_FIRE
    far = final(squad("a", at="A1", mark="First Fire"), squad("b", at="A1"), at="C1")
    assert far.why(Fire((A,), (), far.hex("C1"))) == "3.4"


@rules("3.4", system="aslsk3")
def test_3_4_final_fire_units_do_not_fire() -> None:
    desk = final(squad("a", at="A1", mark="Final Fire"), squad("b", at="A1"), at="B1")
    assert desk.why(Fire((A,), (), desk.hex("B1"))) == "3.2"


@rules("3.4", "4.1", system="aslsk3")
def test_3_4_a_first_fire_mg_fires_at_half_with_its_breakdown_number_lowered() -> None:
    gun = mg("german/MMG", mark="First Fire")
    desk = final(squad("a", at="A1", mark="First Fire"), squad("b", at="A1"), at="B1", weapons=[gun])
    desk.play(Fire((A,), (MG,), desk.hex("B1")), (4, 6))
    assert fired(desk).firepower.net == 9
    assert desk.saw(ev.WeaponMalfunctioned, weapon=MG)
    gone = final(squad("a", at="A1", mark="First Fire"), squad("b", at="A1"), at="B1", weapons=[gun])
    gone.play(Fire((A,), (MG,), gone.hex("B1")), (6, 6))
    assert gone.saw(ev.WeaponRemoved, weapon=MG)


def advancing(*units: dict[str, Any], at: str = "C1", **fields: Any) -> Desk:
    german = side(*units, weapons=fields.pop("weapons", ()))
    return Desk("AFPh", ROW, german=german, russian=side(squad("r", "russian/4-4-7", at=at)), **fields)


@rules("3.5", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "at", "fp"),
    [
        ("german/4-6-7", "C1", 2),
        ("american/6-6-6", "C1", 4),
        ("american/7-4-7", "C1", 5),
        ("american/7-4-7", "B1", 8),
        ("american/7-4-7", "F1", 1),
        ("american/3-4-7", "C1", 1),
    ],
)
def test_3_5_advancing_fire_is_halved_and_squads_with_underlined_fp_add_one(card: str, at: str, fp: int) -> None:
    desk = advancing(squad("a", card, at="A1"), at=at)
    desk.play(Fire((A,), (), desk.hex(at)), NOTHING)
    assert fired(desk).firepower.net == fp


@rules("3.5", system="aslsk3")
def test_3_5_moved_mmg_and_prep_fired_units_do_not_fire() -> None:
    units = [squad("a", at="A1"), squad("b", at="A1", mark="Prep Fire")]
    weapons = [mg("german/MMG", moved=True), mg("german/LMG", owner="b", name="lmg", moved=True)]
    desk = advancing(*units, weapons=weapons)
    assert desk.why(Fire((), (MG,), desk.hex("C1"))) == "3.5"
    assert desk.why(Fire((B,), (), desk.hex("C1"))) == "3.2"
    desk.play(Fire((), (WeaponId("lmg"),), desk.hex("C1")), (1, 6))
    assert fired(desk).firepower.net == 1
    assert desk.saw(ev.MarksPlaced, mark=Mark.ADVANCING_FIRE, weapons=("lmg",))


@rules("3.2.5", "3.3", system="aslsk3")
def test_3_3_units_that_used_a_weapon_in_the_pfph_do_not_move() -> None:
    desk = prep(squad("a", at="A1"), squad("b", at="B1"), weapons=[mg("german/HMG")], at="D1")
    desk.play(Fire((), (MG,), desk.hex("D1")), (3, 6))
    desk.play(Done())
    assert desk.state.phase is Phase.MOVEMENT
    assert all(A not in getattr(action, "units", ()) for action in desk.options())


# --- weapons in the fire phases ---------------------------------------------------------------------------------


@rules("4.0", system="aslsk3")
def test_4_0_two_weapons_cost_a_squad_its_own_fp() -> None:
    guns = [mg(name="m1"), mg(name="m2"), mg(name="m3")]
    m1, m2, m3 = WeaponId("m1"), WeaponId("m2"), WeaponId("m3")
    desk = prep(squad("a", at="A1"), squad("b", at="A1"), weapons=guns)
    assert desk.why(Fire((A,), (m1, m2), desk.hex("C1"))) == "4.0"
    assert desk.why(Fire((), (m1, m2, m3), desk.hex("C1"))) == "4.0"
    desk.play(Fire((), (m1, m2), desk.hex("C1")), (6, 5))
    assert desk.unit("a").forfeited
    assert desk.unit("a").mark is Mark.PREP_FIRE


@rules("4.0", system="aslsk3")
def test_4_0_a_half_squad_uses_one_weapon_or_its_own_fp() -> None:
    desk = prep(squad("a", "german/2-4-7", at="A1"), squad("b", at="A1"), weapons=[mg()])
    assert desk.why(Fire((A,), (MG,), desk.hex("C1"))) == "4.0"
    desk.play(Fire((), (MG,), desk.hex("C1")), (6, 5))
    assert desk.unit("a").mark is Mark.PREP_FIRE


@rules("4.0", system="aslsk3")
def test_4_0_a_weapon_may_be_destroyed_as_a_use_of_it() -> None:
    desk = prep(squad("a", "german/2-4-7", at="A1"), squad("b", at="A1"), weapons=[mg()])
    desk.play(DestroyWeapon(MG))
    assert desk.saw(ev.WeaponRemoved, weapon=MG)
    assert desk.why(Fire((A,), (), desk.hex("C1"))) in {"3.2", "4.0"}


@rules("3.2.2", system="aslsk3")
def test_3_2_2_every_offered_group_is_legal_and_every_legal_one_offered() -> None:
    units = [squad("a", at="A1"), squad("b", at="B1"), squad("l", "german/8-1", at="A1"), squad("c", at="C1")]
    desk = prep(*units, at="D1", weapons=[mg()])
    offered = {action for action in desk.options() if isinstance(action, Fire)}
    names, guns, leaders = (A, B, C), ((), (MG,)), ((), (L,))
    target = desk.hex("D1")
    for mask in range(8):
        chosen = tuple(name for bit, name in enumerate(names) if mask >> bit & 1)
        for gun in guns:
            for leader in leaders:
                action = Fire(chosen, gun, target, leader)
                assert (desk.why(action) == "") == (action in offered), action


@rules("3.2.2", system="aslsk3")
def test_3_2_2_whoever_is_ticked_the_answer_is_a_legal_group() -> None:
    units = [
        squad("a", at="A1"),
        squad("b", at="D1"),
        squad("l", "german/8-1", at="A1"),
        squad("k", "german/8-0", at="A1"),
    ]
    desk = prep(*units, at="F1", weapons=[mg(), mg(name="m2")])
    node = desk.decision.options(desk.decision.asked[0]).at("F1")
    assert isinstance(node, Gather)
    options = desk.decision.options(desk.decision.asked[0])
    keys = options.settled(("F1", *(slot.values[0] for slot in node.slots), "done"))
    (action,) = options.at(*keys)
    assert action == Fire((A,), (WeaponId("m2"),), desk.hex("F1"), (L,))
    assert desk.why(action) == ""


@rules("3.2.2", system="aslsk3")
def test_3_2_2_a_leader_who_is_ticked_alone_directs_those_of_his_hex() -> None:
    units = [squad("a", at="A1"), squad("b", at="D1"), squad("l", "german/8-1", at="A1")]
    desk = prep(*units, at="F1")
    options = desk.decision.options(desk.decision.asked[0])
    node = options.at("F1")
    assert isinstance(node, Gather)
    alone = ["direct" if slot.key == "l" else "-" for slot in node.slots]
    (action,) = options.at(*options.settled(("F1", *alone, "done")))
    assert action == Fire((A,), (), desk.hex("F1"), (L,))


@rules("3.2.2", system="aslsk3")
@pytest.mark.parametrize(("middle", "why"), [("german/4-6-7", ""), ("german/8-0", "3.2.2")])
def test_3_2_2_a_leader_alone_links_no_fire_group(middle: str, why: str) -> None:
    units = [squad("a", at="A2"), squad("b", middle, at="B2"), squad("c", at="C2")]
    gun = {"id": "mg", "card": "german/LMG", "owner": "b"}
    desk = Desk("PFPh", german=side(*units, weapons=[gun]), russian=side(squad("r", "russian/4-4-7", at="B5")))
    shot = Fire((UnitId("a"), UnitId("c")), (WeaponId("mg"),), desk.hex("B5"))
    assert desk.why(shot) == why
    assert desk.why(Fire((UnitId("a"),), (WeaponId("mg"),), desk.hex("B5"))) == ""
    assert (shot in desk.options()) == (not why)
