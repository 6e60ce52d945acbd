"""4.0 Possession is unlimited, carrying is not; and weapons are dropped by any unbroken unit in its MPh or APh."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable import catalog
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.systems.aslsk.common.actions import (
    Advance,
    Continue,
    Done,
    DropWeapon,
    Exit,
    Fire,
    Move,
    PlaceUnit,
    RecoverWeapon,
    Rout,
    SetUpAsSuggested,
    TransferWeapon,
)
from sandtable.systems.aslsk.common.possession import portage
from sandtable.systems.aslsk.pieces.state import MovementPhase, MoveStep, Moving, Phase, StepKind, UnitId, WeaponId
from sandtable.systems.aslsk.rules import AslskRules
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
A, B, L, R = map(UnitId, ("a", "b", "l", "r"))
MG, LMG = WeaponId("mg"), WeaponId("lmg")
HMG: dict[str, Any] = {"id": "mg", "card": "german/HMG"}
LEADER = squad("l", "german/8-1", at="A1")


def clash_of(phase: str, *units: dict[str, Any], weapons: Any = (), **fields: Any) -> Clash:
    russian = fields.pop("russian", side(squad("r", "russian/4-4-7", at="B2", broken=True)))
    return Clash(phase, fields.pop("cells", SMALL), german=side(*units, weapons=weapons), russian=russian, **fields)


def enter(clash: Clash, label: str) -> MoveStep:
    return MoveStep(StepKind.ENTER, clash.hex(label))


SMALL = ". .\n. ."
ROW = ". . . . . .\n. . . . . ."
DROP = MoveStep(StepKind.DROP, weapon=MG)


@rules("4.0", system="aslsk3")
@pytest.mark.parametrize("phase", ["RPh", "APh"])
def test_4_0_a_leader_takes_over_any_mg(phase: str) -> None:
    step = {"step": "transfer"} if phase == "RPh" else {}
    clash = clash_of(phase, squad("a", at="A1"), LEADER, weapons=[{**HMG, "owner": "a"}], **step)
    assert TransferWeapon(MG, L) in clash.options()
    clash.play(TransferWeapon(MG, L))
    assert clash.state.weapons[MG].owner == L


@rules("4.0", "4.1", system="aslsk3")
def test_4_1_a_leader_fires_the_mg_that_he_took_over() -> None:
    clash = clash_of("PFPh", LEADER, weapons=[{**HMG, "owner": "l"}])
    assert clash.why(Fire((), (MG,), clash.hex("B2"))) == ""


@rules("3.1", "4.0", system="aslsk3")
def test_4_0_a_leader_recovers_any_weapon_in_the_rally_phase() -> None:
    clash = clash_of("RPh", LEADER, weapons=[{**HMG, "at": "A1"}])
    assert RecoverWeapon(L, MG) in clash.options()
    clash.play(RecoverWeapon(L, MG), 5)
    assert clash.state.weapons[MG].owner == L


@rules("4.0", system="aslsk3")
def test_4_0_a_leader_moves_with_no_more_than_two_pp() -> None:
    clash = clash_of("MPh", LEADER, squad("a", at="A1"), weapons=[{**HMG, "owner": "l"}])
    assert clash.why(Move((L,), (enter(clash, "B1"),))) == "4.0"
    assert clash.why(Move((A, L), (enter(clash, "B1"),))) == "4.0"
    assert clash.why(Move((A,), (enter(clash, "B1"),))) == ""
    assert clash.why(Move((L,), (DROP, enter(clash, "B1")))) == ""
    assert clash.why(Move((L,), (enter(clash, "B1"),), drop=(MG,))) == ""
    offered = [action for action in clash.options() if isinstance(action, Move) and action.units == (L,)]
    assert Move((L,), (DROP, enter(clash, "B1"))) in offered
    assert all(action.steps[0] == DROP for action in offered)
    assert all(clash.why(action) == "" for action in offered)


@rules("4.0", system="aslsk3")
def test_4_0_two_pp_are_carried() -> None:
    light = [{"id": name, "card": "german/LMG", "owner": "l"} for name in ("lmg", "mg")]
    clash = clash_of("MPh", LEADER, weapons=light)
    assert portage(clash.context, clash.state, L) == 2
    assert clash.why(Move((L,), (enter(clash, "B1"),))) == ""
    clash = clash_of("APh", LEADER, weapons=light)
    assert clash.why(Advance((L,), clash.hex("B1"))) == ""


@rules("3.3.1", "4.0", system="aslsk3")
def test_4_0_a_weapon_too_heavy_is_recovered_on_the_way_and_goes_no_farther() -> None:
    clash = clash_of("MPh", LEADER, weapons=[{**HMG, "at": "B1"}], cells=". . .", russian=side())
    recover = MoveStep(StepKind.RECOVER, None, L, MG)
    clash.play(Move((L,), (enter(clash, "B1"), recover, enter(clash, "C1"))), 1)
    assert clash.state.weapons[MG].owner == L
    assert clash.unit("l").hex == clash.hex("B1"), "he may not carry it on"
    assert isinstance(clash.state.stack[-1], Moving)
    assert clash.why(Continue((L,), (enter(clash, "C1"),))) == "4.0"
    on = Continue((L,), (DROP, enter(clash, "C1")))
    assert on in clash.options()
    clash.play(on)
    assert clash.unit("l").hex == clash.hex("C1")
    assert clash.state.weapons[MG].hex == clash.hex("B1")


@rules("3.7", "4.0", system="aslsk3")
def test_4_0_a_leader_advances_with_no_more_than_two_pp() -> None:
    clash = clash_of("APh", LEADER, squad("a", at="A1"), weapons=[{**HMG, "owner": "l"}])
    into = clash.hex("B1")
    assert clash.why(Advance((L,), into)) == "4.0"
    assert clash.why(Advance((A, L), into)) == "4.0"
    assert not any(isinstance(action, Advance) and L in action.units for action in clash.options())
    clash.play(DropWeapon(MG))
    assert clash.why(Advance((L,), into)) == ""
    assert Advance((L,), into) in clash.options()


@rules("3.3", "4.0", system="aslsk3")
@pytest.mark.parametrize("phase", ["MPh", "APh"])
def test_4_0_a_leader_carries_no_more_than_two_pp_off_the_map(phase: str) -> None:
    exits = [{"side": "german", "zone": [{"whole": True}]}]
    clash = clash_of(phase, LEADER, weapons=[{**HMG, "owner": "l"}], exits=exits)
    way = next(way for way in range(6) if _leads_off(clash, way))
    action = Exit((L,), way) if phase == "APh" else Move((L,), (MoveStep(StepKind.EXIT, way=way),))
    assert clash.why(action) == "4.0"


def _leads_off(clash: Clash, way: int) -> bool:
    from sandtable.geo.hex import NEIGHBOURS

    return NEIGHBOURS[clash.hex("A1")][way] not in clash.context.game_map.hexes


@rules("1.3", "4.0", system="aslsk3")
def test_4_0_at_set_up_a_leader_may_be_given_any_weapon() -> None:
    game = catalog.open_scenario("sk-1-the-road-into-bretteville").ruleset
    assert isinstance(game, AslskRules)
    state = game.begin(game.setup(), SeededDice(0)).state
    seat = Seat("german")
    state = game.resolve(state, seat, SetUpAsSuggested(), SeededDice(0)).state
    leader = state.units[UnitId("G-L1")]
    carried = tuple(weapon.id for weapon in state.weapons.values() if weapon.owner == leader.id)
    mmg = WeaponId("G-W1")
    assert game.context.weapon_card(state.weapons[mmg]).pp > 2
    action = PlaceUnit(leader.id, leader.hex, (*carried, mmg))
    assert game.refusal(state, seat, action) is None
    decision = game.decision(state)
    assert decision is not None
    assert action in list(decision.options(seat))


@rules("1.3", "4.0", system="aslsk3")
def test_4_0_a_leader_who_enters_later_is_given_no_more_than_he_carries() -> None:
    game = catalog.open_scenario("s20-joseph-351").ruleset
    assert isinstance(game, AslskRules)
    state = game.begin(game.setup(), SeededDice(0)).state
    for seat, action in (("german", SetUpAsSuggested()), ("german", Done()), ("allies", SetUpAsSuggested())):
        state = game.resolve(state, Seat(seat), action, SeededDice(0)).state
    mmg = next(weapon for weapon in state.weapons.values() if weapon.force == "rangers")
    assert game.context.weapon_card(mmg).pp > 2
    assert state.units[mmg.owner].hex is None, "the Rangers enter the map"
    squads, leader = UnitId("A-2"), UnitId("A-L1")
    assert game.refusal(state, Seat("allies"), PlaceUnit(squads, None, (mmg.id,))) is None
    refusal = game.refusal(state, Seat("allies"), PlaceUnit(leader, None, (mmg.id,)))
    assert refusal is not None
    assert "PP" in refusal.reason
    decision = game.decision(state)
    assert decision is not None
    assert PlaceUnit(leader, None, (mmg.id,)) not in list(decision.options(Seat("allies")))


@rules("3.6", "4.0", system="aslsk3")
def test_3_6_a_leader_who_routs_along_drops_what_exceeds_his_capacity_too() -> None:
    light = {"id": "lmg", "card": "german/LMG", "owner": "l"}
    clash = clash_of(
        "RtPh",
        squad("a", at="B1", broken=True, dm=True),
        squad("l", "german/8-1", at="B1"),
        weapons=[{**HMG, "owner": "l"}, light],
        russian=side(squad("r", "russian/4-4-7", at="A1")),
        cells=". . . w",
    )
    routs = [action for action in clash.options() if isinstance(action, Rout) and action.escort == L]
    assert routs
    assert all(action.keep == (LMG,) for action in routs), "one PP is what a SMC carries"
    assert clash.why(replace(routs[0], keep=(MG,))) == "3.6"
    assert clash.why(replace(routs[0], keep=())) == "3.6"
    clash.play(next(action for action in routs if action.low_crawl))
    assert clash.state.weapons[MG].owner == ""
    assert clash.state.weapons[MG].hex == clash.hex("B1")
    assert clash.state.weapons[LMG].owner == L


# --- dropping ---------------------------------------------------------------------------------------------------


@rules("4.0", system="aslsk3")
@pytest.mark.parametrize("flags", [{"mark": "Prep Fire", "used": ["mg"]}, {"pinned": True}, {"moved": True}, {}])
def test_4_0_any_unbroken_unit_drops_a_weapon_in_its_movement_phase(flags: dict[str, Any]) -> None:
    clash = clash_of("MPh", squad("a", at="A1", **flags), squad("b", at="A2"), weapons=[{**HMG, "owner": "a"}])
    assert DropWeapon(MG) in clash.options()
    clash.play(DropWeapon(MG))
    weapon = clash.state.weapons[MG]
    assert (weapon.owner, weapon.hex, weapon.moved) == ("", clash.hex("A1"), False)


@rules("3.3", "4.0", system="aslsk3")
def test_4_0_who_moves_nobody_is_asked_for_weapons_to_drop() -> None:
    guns = [{**HMG, "owner": "a"}, {"id": "lmg", "card": "german/LMG", "owner": "a"}]
    clash = clash_of("MPh", squad("a", at="A1", mark="Prep Fire", used=["mg"]), weapons=guns)
    assert isinstance(clash.state.stack[-1], MovementPhase), "there is something to decide"
    assert set(clash.options()) == {Done(), DropWeapon(MG), DropWeapon(LMG)}
    clash.play(DropWeapon(MG))
    assert set(clash.options()) == {Done(), DropWeapon(LMG)}
    clash.play(DropWeapon(LMG))
    assert not isinstance(clash.state.stack[-1], MovementPhase)


@rules("3.3", "4.0", system="aslsk3")
def test_4_0_after_the_last_move_nobody_is_asked_whether_he_drops_something() -> None:
    clash = clash_of("MPh", squad("a", at="A1", pinned=True), squad("b", at="A2"), weapons=[{**HMG, "owner": "a"}])
    assert DropWeapon(MG) in clash.options()
    clash.play(Move((B,), (enter(clash, "B1"),)))
    assert clash.state.phase is not Phase.MOVEMENT


@rules("3.7", "4.0", system="aslsk3")
def test_4_0_after_the_last_advance_nobody_is_asked_whether_he_drops_something() -> None:
    clash = clash_of("APh", squad("a", at="A1", pinned=True), squad("b", at="A2"), weapons=[{**HMG, "owner": "a"}])
    assert DropWeapon(MG) in clash.options()
    clash.play(Advance((B,), clash.hex("B1")))
    assert clash.state.phase is not Phase.ADVANCE


@rules("4.0", system="aslsk3")
@pytest.mark.parametrize("flags", [{"broken": True}, {"melee": True}])
def test_4_0_broken_units_and_those_in_melee_drop_nothing(flags: dict[str, Any]) -> None:
    russian = side(squad("r", "russian/4-4-7", at="A1" if "melee" in flags else "B2", **flags))
    clash = clash_of(
        "MPh", squad("a", at="A1", **flags), squad("b", at="A2"), weapons=[{**HMG, "owner": "a"}], russian=russian
    )
    assert clash.why(DropWeapon(MG)) == "4.0"
    assert DropWeapon(MG) not in clash.options()


@rules("4.0", system="aslsk3")
def test_4_0_nothing_is_dropped_off_board_nor_by_the_other_side() -> None:
    clash = clash_of(
        "MPh",
        squad("a"),
        squad("b", at="A2"),
        weapons=[{**HMG, "owner": "a"}],
        russian=side(
            squad("r", "russian/4-4-7", at="B2"), weapons=[{"id": "lmg", "card": "russian/LMG", "owner": "r"}]
        ),
    )
    for weapon in (MG, LMG):
        assert clash.why(DropWeapon(weapon)) == "4.0"
        assert DropWeapon(weapon) not in clash.options()


@rules("4.0", system="aslsk3")
def test_4_0_what_is_dropped_before_anybody_moves_may_be_carried_by_another() -> None:
    clash = clash_of(
        "MPh", squad("a", at="A1", mark="Prep Fire", used=["mg"]), squad("b", at="A1"), weapons=[{**HMG, "owner": "a"}]
    )
    clash.play(DropWeapon(MG))
    clash.play(Move((B,), (MoveStep(StepKind.RECOVER, None, B, MG), enter(clash, "B1"))), 1)
    assert clash.state.weapons[MG].owner == B
    assert clash.unit("b").hex == clash.hex("B1")


@rules("4.0", system="aslsk3")
def test_4_0_a_squad_that_drops_before_it_moves_has_the_mf_of_its_free_hands() -> None:
    clash = clash_of("MPh", squad("a", at="A1"), weapons=[{"id": "mg", "card": "russian/MMG", "owner": "a"}], cells=ROW)
    four = tuple(enter(clash, label) for label in ("B1", "C1", "D1", "E1"))
    assert clash.why(Move((A,), four)) == "3.3.1"
    clash.play(DropWeapon(MG))
    assert clash.why(Move((A,), four)) == ""


@rules("3.7", "4.0", system="aslsk3")
def test_4_0_a_pinned_unit_drops_in_the_advance_phase_though_nobody_advances() -> None:
    clash = clash_of("APh", squad("a", at="A1", pinned=True), weapons=[{**HMG, "owner": "a"}])
    assert clash.state.phase is Phase.ADVANCE
    assert set(clash.options()) == {Done(), DropWeapon(MG)}


@rules("4.0", system="aslsk3")
def test_4_0_weapons_are_dropped_in_the_movement_and_advance_phases_only() -> None:
    clash = clash_of("PFPh", squad("a", at="A1"), weapons=[{**HMG, "owner": "a"}])
    assert clash.why(DropWeapon(MG)) != ""


@rules("3.3", system="aslsk3")
def test_3_3_a_move_at_random_goes_somewhere_or_ends_the_phase() -> None:
    clash = clash_of("MPh", squad("a", at="A1"))
    options = clash.decision.options(clash.decision.asked[0])
    found = [options.sample(Random(seed)) for seed in range(20)]
    assert {type(action) for action in found} == {Move, Done}
    assert all(clash.why(action) == "" for action in found)
