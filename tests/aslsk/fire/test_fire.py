"""3.2, 3.4, 3.5: fire attacks: firepower, fire groups, direction, cowering, sight, and the fire phases."""

from typing import Any

import pytest

from sandtable.core.decision import Gather
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import DestroyWeapon, Done, Fire
from sandtable.systems.aslsk.pieces.state import Mark, Phase, UnitId, WeaponId
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
A, B, C, L = UnitId("a"), UnitId("b"), UnitId("c"), UnitId("l")
MG = WeaponId("mg")
ROW = "." + " ." * 17
NOTHING = (6, 5)
"""A DR that does nothing to the targets of these tests."""


def mg(card: str = "german/LMG", owner: str = "a", name: str = "mg", **flags: Any) -> dict[str, Any]:
    return {"id": name, "card": card, "owner": owner, **flags}


def prep(*units: dict[str, Any], at: str = "C1", cells: str = ROW, **fields: Any) -> Clash:
    """Germans fire at a Russian squad."""
    weapons = fields.pop("weapons", ())
    russian = fields.pop("russian", side(squad("r", "russian/4-4-7", at=at)))
    return Clash("PFPh", cells, german=side(*units, weapons=weapons), russian=russian, **fields)


def fired(clash: Clash) -> ev.FireResolved:
    return next(event for event in clash.events if isinstance(event, ev.FireResolved))


# --- firepower --------------------------------------------------------------------------------------------------


@rules("3.2.2", system="aslsk3")
@pytest.mark.parametrize(
    ("at", "fp", "column"),
    [("B1", 8, 8), ("C1", 4, 4), ("G1", 4, 4), ("H1", 2, 2), ("M1", 2, 2)],
)
def test_3_2_2_point_blank_normal_and_long_range(at: str, fp: int, column: int) -> None:
    clash = prep(squad("a", at="A1"), at=at)
    clash.play(Fire((A,), (), clash.hex(at)), NOTHING)
    assert (fired(clash).firepower.net, fired(clash).column) == (fp, column)


@rules("3.2.2", system="aslsk3")
def test_3_2_2_beyond_double_range_nobody_fires() -> None:
    clash = prep(squad("a", at="A1"), squad("b", at="B1"), at="N1")
    assert clash.why(Fire((A,), (), clash.hex("N1"))) == "3.2.2"
    assert clash.why(Fire((B,), (), clash.hex("N1"))) == ""


@rules("3.2.2", system="aslsk3")
def test_3_2_2_fractions_are_kept_until_the_total() -> None:
    units = [squad("a", "american/7-4-7", at="A1"), squad("b", "american/7-4-7", at="A1")]
    clash = prep(*units, at="F1")
    clash.play(Fire((A, B), (), clash.hex("F1")), NOTHING)
    assert fired(clash).firepower.net == 7
    assert fired(clash).firepower.terms[-1].label == "fractions together"


@rules("3.2.2.1", system="aslsk3")
def test_3_2_2_1_a_unit_with_an_enemy_in_its_hex_fires_there_at_triple_fp_and_nowhere_else() -> None:
    german = [squad("a", "german/5-4-8", at="A1")]
    russian = side(squad("r", "russian/4-4-7", at="A1"), squad("s", "russian/4-4-7", at="C1"))
    clash = prep(*german, russian=russian)
    assert clash.why(Fire((A,), (), clash.hex("C1"))) == "3.2.2.1"
    clash.play(Fire((A,), (), clash.hex("A1")), NOTHING)
    assert fired(clash).firepower.net == 15


@rules("3.2.3", system="aslsk3")
def test_3_2_3_a_pinned_unit_fires_at_half_fp() -> None:
    clash = prep(squad("a", at="A1", pinned=True))
    clash.play(Fire((A,), (), clash.hex("C1")), NOTHING)
    assert fired(clash).firepower.net == 2


# --- who may fire -----------------------------------------------------------------------------------------------


@rules("3.2", "3.2.5", system="aslsk3")
def test_3_2_5_each_unit_fires_once_and_is_marked() -> None:
    clash = prep(squad("a", at="A1"), squad("b", at="B2"), cells=f"{ROW}\n{ROW}")
    clash.play(Fire((A,), (), clash.hex("C1")), NOTHING)
    assert clash.unit("a").mark is Mark.PREP_FIRE
    assert clash.why(Fire((A,), (), clash.hex("C1"))) == "3.2"
    assert clash.why(Fire((B,), (), clash.hex("C1"))) == ""


@rules("3.2.3", "3.8", system="aslsk3")
def test_3_2_3_broken_units_leaders_and_units_in_melee_have_no_fire_of_their_own() -> None:
    broken, leader = squad("a", at="A1", broken=True), squad("l", "german/8-1", at="A2")
    russian = side(squad("r", "russian/4-4-7", at="C1"), squad("s", "russian/4-4-7", at="B2", melee=True))
    melee = squad("m", at="B2", melee=True)
    clash = prep(broken, leader, squad("b", at="A2"), melee, cells=f"{ROW}\n{ROW}", russian=russian)
    assert clash.why(Fire((A,), (), clash.hex("C1"))) == "3.2.3"
    assert clash.why(Fire((L,), (), clash.hex("C1"))) == "1.2.1"
    assert clash.why(Fire((UnitId("m"),), (), clash.hex("C1"))) == "3.8"
    assert clash.why(Fire((), (), clash.hex("C1"))) == "3.2.2"
    assert clash.why(Fire((B, B), (), clash.hex("C1"))) == "3.2.2"
    assert clash.why(Fire((B,), (), clash.hex("D1"))) == "3.2"


@rules("3.2", "3.8", system="aslsk3")
def test_3_8_fire_into_a_melee_strikes_friend_and_foe() -> None:
    units = [squad("a", "german/8-3-8", at="A1"), squad("m", at="B1", melee=True)]
    russian = side(squad("r", "russian/4-4-7", at="B1", melee=True))
    clash = prep(*units, russian=russian)
    clash.play(Fire((A,), (), clash.hex("B1")), (3, 6), (1, 2), (1, 2))
    assert set(fired(clash).targets) == {"m", "r"}


# --- fire groups ------------------------------------------------------------------------------------------------


@rules("3.2.2", system="aslsk3")
def test_3_2_2_a_fire_group_is_joined_hex_by_hex() -> None:
    units = [squad("a", at="A1"), squad("b", at="B1"), squad("c", at="D1")]
    clash = prep(*units, at="F1")
    assert clash.why(Fire((A, C), (), clash.hex("F1"))) == "3.2.2"
    assert clash.why(Fire((A, B), (), clash.hex("F1"))) == ""
    assert clash.why(Fire((A, B, C), (), clash.hex("F1"))) == "3.2.2"


@rules("3.2.2", system="aslsk3")
def test_3_2_2_units_of_a_hex_attack_the_same_target_together_or_not_at_all() -> None:
    russian = side(squad("r", "russian/4-4-7", at="C1"), squad("s", "russian/4-4-7", at="C2"))
    clash = prep(squad("a", at="A1"), squad("b", at="A1"), cells=f"{ROW}\n{ROW}", russian=russian)
    clash.play(Fire((A,), (), clash.hex("C1")), NOTHING)
    assert clash.why(Fire((B,), (), clash.hex("C1"))) == "3.2.2"
    assert clash.why(Fire((B,), (), clash.hex("C2"))) == ""


@rules("3.2.2", "4.1", system="aslsk3")
def test_4_1_a_squad_and_its_mg_fire_at_one_target_as_a_group_unless_the_mg_keeps_its_rof() -> None:
    clash = prep(squad("a", at="A1"), weapons=[mg("german/HMG")])
    clash.play(Fire((A,), (MG,), clash.hex("C1")), (3, 6), (1, 2))
    assert fired(clash).firepower.net == 11
    assert clash.state.weapons[MG].mark is Mark.NONE
    clash.play(Fire((), (MG,), clash.hex("C1")), (5, 6))
    assert clash.state.weapons[MG].mark is Mark.PREP_FIRE
    apart = prep(squad("a", at="A1"), squad("b", at="E1"), weapons=[mg("german/HMG")])
    apart.play(Fire((), (MG,), apart.hex("C1")), (4, 6))
    assert apart.why(Fire((A,), (), apart.hex("C1"))) == "4.1"


# --- leaders ----------------------------------------------------------------------------------------------------


@rules("1.2.1", "3.2.2", system="aslsk3")
def test_3_2_2_a_leader_directs_once_a_player_turn() -> None:
    units = [squad("a", at="A1"), squad("b", at="A1"), squad("l", "german/9-2", at="A1")]
    russian = side(squad("r", "russian/4-4-7", at="C1"), squad("s", "russian/4-4-7", at="C2"))
    clash = prep(*units, cells=f"{ROW}\n{ROW}", russian=russian)
    clash.play(Fire((A,), (), clash.hex("C1"), (L,)), (6, 6))
    assert fired(clash).drm.total == -2
    assert clash.unit("l").mark is Mark.PREP_FIRE
    assert clash.why(Fire((B,), (), clash.hex("C2"), (L,))) == "3.2.2"
    assert clash.why(Fire((B,), (), clash.hex("C2"))) == ""


@rules("1.2.1", "4.0", system="aslsk3")
def test_1_2_1_a_leader_who_has_directed_does_not_fire_a_weapon_as_well() -> None:
    units = [squad("a", at="A1"), squad("b", at="B1"), squad("l", "german/8-1", at="A1")]
    clash = prep(*units, weapons=[mg(owner="l")], at="D1")
    clash.play(Fire((A,), (), clash.hex("D1"), (L,)), (6, 6))
    assert clash.why(Fire((), (MG,), clash.hex("D1"))) == "1.2.1"


@rules("1.2.1", "1.2.4.1", "3.2.2", system="aslsk3")
def test_1_2_1_a_leader_directs_the_rof_shots_of_what_he_directed() -> None:
    clash = prep(squad("a", at="A1"), squad("l", "german/8-1", at="A1"), weapons=[mg("german/MMG")])
    clash.play(Fire((A,), (MG,), clash.hex("C1"), (L,)), (2, 6), (2, 2))
    assert clash.why(Fire((), (MG,), clash.hex("C1"), (L,))) == ""


@rules("3.2.2", system="aslsk3")
def test_3_2_2_a_multi_hex_group_needs_a_leader_in_every_hex_and_has_the_worse_drm() -> None:
    leaders = [squad("l", "german/9-2", at="A1"), squad("k", "german/6+1", at="B1")]
    clash = prep(squad("a", at="A1"), squad("b", at="B1"), *leaders, at="D1")
    assert clash.why(Fire((A, B), (), clash.hex("D1"), (L,))) == "3.2.2"
    clash.play(Fire((A, B), (), clash.hex("D1"), (L, UnitId("k"))), NOTHING)
    assert fired(clash).drm.total == 1


@rules("1.2.1", "3.2.2", system="aslsk3")
@pytest.mark.parametrize("flags", [{"pinned": True}, {"broken": True}])
def test_1_2_1_pinned_and_broken_leaders_do_not_direct(flags: dict[str, bool]) -> None:
    clash = prep(squad("a", at="A1"), squad("l", "german/9-2", at="A1", **flags))
    assert clash.why(Fire((A,), (), clash.hex("C1"), (L,))) == "3.2.2"


@rules("1.2.1", "3.2.2", system="aslsk3")
def test_1_2_1_leadership_is_not_cumulative() -> None:
    leaders = [squad("l", "german/9-2", at="A1"), squad("k", "german/8-1", at="A1")]
    clash = prep(squad("a", at="A1"), *leaders)
    assert clash.why(Fire((A,), (), clash.hex("C1"), (L, UnitId("k")))) == "1.2.1"


@rules("3.3.1", "3.2.3", system="aslsk3")
def test_3_3_1_cx_firers_and_directors_add_one_together() -> None:
    units = [squad("a", at="A1", cx=True), squad("l", "german/8-0", at="A1", cx=True)]
    clash = prep(*units)
    clash.play(Fire((A,), (), clash.hex("C1"), (L,)), NOTHING)
    assert fired(clash).drm.total == 1


# --- cowering ---------------------------------------------------------------------------------------------------


@rules("3.2.2", system="aslsk3")
def test_3_2_2_doubles_without_a_leader_cower_one_column() -> None:
    clash = prep(squad("a", "german/8-3-8", at="A1"))
    clash.play(Fire((A,), (), clash.hex("C1")), (6, 6))
    assert (fired(clash).column, fired(clash).cowered) == (6, True)


@rules("3.2.2", "5.4", system="aslsk3")
def test_5_4_inexperienced_troops_cower_two_columns_and_below_the_lowest_nothing_happens() -> None:
    clash = prep(squad("a", "german/2-3-6", at="A1"))
    clash.play(Fire((A,), (), clash.hex("C1")), (1, 1))
    assert (fired(clash).column, fired(clash).result) == (0, "")


@rules("3.2.2", "5.4", system="aslsk3")
def test_5_4_a_good_order_leader_steadies_green_troops() -> None:
    units = [squad("a", "american/5-3-6", at="A1"), squad("l", "american/8-0", at="A1")]
    clash = prep(*units)
    clash.play(Fire((A,), (), clash.hex("C1")), (5, 5))
    assert fired(clash).column == 2


@rules("1.2.4.1", "3.2.2", system="aslsk3")
def test_3_2_2_a_mg_that_cowers_loses_its_rof() -> None:
    clash = prep(squad("a", at="A1"), weapons=[mg("german/HMG")])
    clash.play(Fire((), (MG,), clash.hex("C1")), (3, 3), (2, 2))
    assert fired(clash).cowered
    assert clash.state.weapons[MG].mark is Mark.PREP_FIRE


WALL = """
. .
b .
. .
"""


# --- sight ------------------------------------------------------------------------------------------------------


@rules("3.2.1", system="aslsk3")
def test_3_2_1_fire_without_a_los_is_lost() -> None:
    clash = prep(squad("a", at="A1"), cells=WALL, at="A3")
    clash.play(Fire((A,), (), clash.hex("A3")))
    assert clash.saw(ev.HexesBlocked)
    assert not clash.saw(ev.FireResolved)
    assert clash.unit("a").mark is Mark.PREP_FIRE


@rules("3.2.1", "4.1", system="aslsk3")
def test_3_2_1_weapons_may_break_down_though_they_see_nothing() -> None:
    clash = prep(squad("a", at="A1"), cells=WALL, at="A3", weapons=[mg()])
    clash.play(Fire((A,), (MG,), clash.hex("A3")), (6, 6))
    assert clash.saw(ev.WeaponMalfunctioned, weapon=MG)


@rules("3.2.1", "3.2.2", system="aslsk3")
def test_3_2_2_members_without_a_los_drop_out_of_a_group() -> None:
    clash = prep(squad("a", at="A1"), squad("b", at="B1"), cells=WALL, at="A3")
    clash.play(Fire((A, B), (), clash.hex("A3")), NOTHING)
    assert fired(clash).firepower.net == 4
    assert clash.unit("a").mark is Mark.PREP_FIRE


@rules("3.2.1", system="aslsk3")
def test_3_2_1_learners_are_told_before() -> None:
    clash = prep(squad("a", at="A1"), cells=WALL, at="A3", conditions={"free_sight": True})
    assert clash.state.phase is not Phase.PREP_FIRE


@rules("1.2.5", "3.2.1", system="aslsk3")
def test_1_2_5_smoke_hinders_through_into_and_out_of_its_hex() -> None:
    clash = prep(squad("a", at="A1"), at="D1", smoke={"C1": "dispersed smoke"})
    clash.play(Fire((A,), (), clash.hex("D1")), NOTHING)
    assert fired(clash).drm.total == 2
    out = prep(squad("a", at="A1"), at="C1", smoke={"A1": "dispersed smoke", "C1": "WP"})
    out.play(Fire((A,), (), out.hex("C1")), NOTHING)
    assert sorted(term.value for term in fired(out).drm.terms) == [1, 4]
    thick = prep(squad("a", at="A1"), at="D1", smoke={"B1": "smoke", "C1": "smoke"})
    thick.play(Fire((A,), (), thick.hex("D1")))
    assert thick.saw(ev.HexesBlocked)


# --- final and advancing fire -----------------------------------------------------------------------------------


def final(*units: dict[str, Any], at: str = "B1", **fields: Any) -> Clash:
    german = side(*units, weapons=fields.pop("weapons", ()))
    russian = side(squad("r", "russian/4-4-7", at=at))
    return Clash("DFPh", ROW, german=german, russian=russian, attacker="russian", **fields)


@rules("3.4", system="aslsk3")
def test_3_4_first_fire_units_fire_again_only_at_adjacent_hexes_with_half_fp() -> None:
    clash = final(squad("a", at="A1", mark="First Fire"), at="B1")
    clash.play(Fire((A,), (), clash.hex("B1")), NOTHING)
    assert fired(clash).firepower.net == 4
    assert clash.unit("a").mark is Mark.FINAL_FIRE or clash.state.phase is not Phase.DEFENSIVE_FIRE
    far = final(squad("a", at="A1", mark="First Fire"), squad("b", at="A1"), at="C1")
    assert far.why(Fire((A,), (), far.hex("C1"))) == "3.4"


@rules("3.4", system="aslsk3")
def test_3_4_final_fire_units_do_not_fire() -> None:
    clash = final(squad("a", at="A1", mark="Final Fire"), squad("b", at="A1"), at="B1")
    assert clash.why(Fire((A,), (), clash.hex("B1"))) == "3.2"


@rules("3.4", "4.1", system="aslsk3")
def test_3_4_a_first_fire_mg_fires_at_half_with_its_breakdown_number_lowered() -> None:
    gun = mg("german/MMG", mark="First Fire")
    clash = final(squad("a", at="A1", mark="First Fire"), squad("b", at="A1"), at="B1", weapons=[gun])
    clash.play(Fire((A,), (MG,), clash.hex("B1")), (4, 6))
    assert fired(clash).firepower.net == 9
    assert clash.saw(ev.WeaponMalfunctioned, weapon=MG)
    gone = final(squad("a", at="A1", mark="First Fire"), squad("b", at="A1"), at="B1", weapons=[gun])
    gone.play(Fire((A,), (MG,), gone.hex("B1")), (6, 6))
    assert gone.saw(ev.WeaponRemoved, weapon=MG)


def advancing(*units: dict[str, Any], at: str = "C1", **fields: Any) -> Clash:
    german = side(*units, weapons=fields.pop("weapons", ()))
    return Clash("AFPh", ROW, german=german, russian=side(squad("r", "russian/4-4-7", at=at)), **fields)


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
    clash = advancing(squad("a", card, at="A1"), at=at)
    clash.play(Fire((A,), (), clash.hex(at)), NOTHING)
    assert fired(clash).firepower.net == fp


@rules("3.5", system="aslsk3")
def test_3_5_moved_mmg_and_prep_fired_units_do_not_fire() -> None:
    units = [squad("a", at="A1"), squad("b", at="A1", mark="Prep Fire")]
    weapons = [mg("german/MMG", moved=True), mg("german/LMG", owner="b", name="lmg", moved=True)]
    clash = advancing(*units, weapons=weapons)
    assert clash.why(Fire((), (MG,), clash.hex("C1"))) == "3.5"
    assert clash.why(Fire((B,), (), clash.hex("C1"))) == "3.2"
    clash.play(Fire((), (WeaponId("lmg"),), clash.hex("C1")), (1, 6))
    assert fired(clash).firepower.net == 1
    assert clash.saw(ev.MarksPlaced, mark=Mark.ADVANCING_FIRE, weapons=("lmg",))


@rules("3.2.5", "3.3", system="aslsk3")
def test_3_3_units_that_used_a_weapon_in_the_pfph_do_not_move() -> None:
    clash = prep(squad("a", at="A1"), squad("b", at="B1"), weapons=[mg("german/HMG")], at="D1")
    clash.play(Fire((), (MG,), clash.hex("D1")), (3, 6))
    clash.play(Done())
    assert clash.state.phase is Phase.MOVEMENT
    assert all(A not in getattr(action, "units", ()) for action in clash.options())


# --- weapons in the fire phases ---------------------------------------------------------------------------------


@rules("4.0", system="aslsk3")
def test_4_0_two_weapons_cost_a_squad_its_own_fp() -> None:
    guns = [mg(name="m1"), mg(name="m2"), mg(name="m3")]
    m1, m2, m3 = WeaponId("m1"), WeaponId("m2"), WeaponId("m3")
    clash = prep(squad("a", at="A1"), squad("b", at="A1"), weapons=guns)
    assert clash.why(Fire((A,), (m1, m2), clash.hex("C1"))) == "4.0"
    assert clash.why(Fire((), (m1, m2, m3), clash.hex("C1"))) == "4.0"
    clash.play(Fire((), (m1, m2), clash.hex("C1")), (6, 5))
    assert clash.unit("a").forfeited
    assert clash.unit("a").mark is Mark.PREP_FIRE


@rules("4.0", system="aslsk3")
def test_4_0_a_half_squad_uses_one_weapon_or_its_own_fp() -> None:
    clash = prep(squad("a", "german/2-4-7", at="A1"), squad("b", at="A1"), weapons=[mg()])
    assert clash.why(Fire((A,), (MG,), clash.hex("C1"))) == "4.0"
    clash.play(Fire((), (MG,), clash.hex("C1")), (6, 5))
    assert clash.unit("a").mark is Mark.PREP_FIRE


@rules("4.0", system="aslsk3")
def test_4_0_a_weapon_may_be_destroyed_as_a_use_of_it() -> None:
    clash = prep(squad("a", "german/2-4-7", at="A1"), squad("b", at="A1"), weapons=[mg()])
    clash.play(DestroyWeapon(MG))
    assert clash.saw(ev.WeaponRemoved, weapon=MG)
    assert clash.why(Fire((A,), (), clash.hex("C1"))) in {"3.2", "4.0"}


@rules("3.2.2", system="aslsk3")
def test_3_2_2_every_offered_group_is_legal_and_every_legal_one_offered() -> None:
    units = [squad("a", at="A1"), squad("b", at="B1"), squad("l", "german/8-1", at="A1"), squad("c", at="C1")]
    clash = prep(*units, at="D1", weapons=[mg()])
    offered = {action for action in clash.options() if isinstance(action, Fire)}
    names, guns, leaders = (A, B, C), ((), (MG,)), ((), (L,))
    target = clash.hex("D1")
    for mask in range(8):
        chosen = tuple(name for bit, name in enumerate(names) if mask >> bit & 1)
        for gun in guns:
            for leader in leaders:
                action = Fire(chosen, gun, target, leader)
                assert (clash.why(action) == "") == (action in offered), action


@rules("3.2.2", system="aslsk3")
def test_3_2_2_whoever_is_ticked_the_answer_is_a_legal_group() -> None:
    units = [
        squad("a", at="A1"),
        squad("b", at="D1"),
        squad("l", "german/8-1", at="A1"),
        squad("k", "german/8-0", at="A1"),
    ]
    clash = prep(*units, at="F1", weapons=[mg(), mg(name="m2")])
    node = clash.decision.options(clash.decision.asked[0]).at("F1")
    assert isinstance(node, Gather)
    options = clash.decision.options(clash.decision.asked[0])
    keys = options.settled(("F1", *(slot.values[0] for slot in node.slots), "done"))
    (action,) = options.at(*keys)
    assert action == Fire((A,), (WeaponId("m2"),), clash.hex("F1"), (L,))
    assert clash.why(action) == ""


@rules("3.2.2", system="aslsk3")
def test_3_2_2_a_leader_who_is_ticked_alone_directs_those_of_his_hex() -> None:
    units = [squad("a", at="A1"), squad("b", at="D1"), squad("l", "german/8-1", at="A1")]
    clash = prep(*units, at="F1")
    options = clash.decision.options(clash.decision.asked[0])
    node = options.at("F1")
    assert isinstance(node, Gather)
    alone = ["direct" if slot.key == "l" else "-" for slot in node.slots]
    (action,) = options.at(*options.settled(("F1", *alone, "done")))
    assert action == Fire((A,), (), clash.hex("F1"), (L,))


@rules("3.2.2", system="aslsk3")
@pytest.mark.parametrize(("middle", "why"), [("german/4-6-7", ""), ("german/8-0", "3.2.2")])
def test_3_2_2_a_leader_alone_links_no_fire_group(middle: str, why: str) -> None:
    units = [squad("a", at="A2"), squad("b", middle, at="B2"), squad("c", at="C2")]
    gun = {"id": "mg", "card": "german/LMG", "owner": "b"}
    clash = Clash("PFPh", german=side(*units, weapons=[gun]), russian=side(squad("r", "russian/4-4-7", at="B5")))
    shot = Fire((UnitId("a"), UnitId("c")), (WeaponId("mg"),), clash.hex("B5"))
    assert clash.why(shot) == why
    assert clash.why(Fire((UnitId("a"),), (WeaponId("mg"),), clash.hex("B5"))) == ""
    assert (shot in clash.options()) == (not why)
