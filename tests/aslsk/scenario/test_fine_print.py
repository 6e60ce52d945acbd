"""1.3, 2.0, 3.0, 3.9: half sentences of scenario cards, Control and the sequence of play that are easily forgotten."""

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable import catalog
from sandtable.core.content.scenario import read_draft
from sandtable.core.decision import Seat
from sandtable.core.dice import ScriptedDice, SeededDice
from sandtable.core.ruleset import Resolution
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Advance, Done, Fire, PlaceUnit, Rout, SetUpAsSuggested
from sandtable.systems.aslsk.common.fold import fold
from sandtable.systems.aslsk.common.known import adjacent_enemies
from sandtable.systems.aslsk.pieces.state import Phase, State, UnitId, WeaponId, Whereabouts
from sandtable.systems.aslsk.rules import AslskRules
from sandtable.systems.aslsk.victory import is_last_player_turn, points, settle_end
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
A, B, R = map(UnitId, ("a", "b", "r"))
S20 = "s20-joseph-351"


def _draft(name: str) -> dict[str, Any]:
    found = {key: (data, where) for key, data, where in catalog.library("aslsk3").section("scenarios")}
    return read_draft(*found[name])


def bound(name: str, **changes: Any) -> AslskRules:
    """The rules of a scenario with some fields of its card changed."""
    library = catalog.library("aslsk3")
    ruleset = catalog.system("aslsk3").ruleset({**_draft(name), **changes}, library, name)
    assert isinstance(ruleset, AslskRules)
    return ruleset


def set_up(game: AslskRules) -> State:
    """The state after both sides have set up as suggested."""
    state = game.begin(game.setup(), SeededDice(0)).state
    while state.phase is Phase.SETUP:
        decision = game.decision(state)
        assert decision is not None
        seat = decision.asked[0]
        action = SetUpAsSuggested() if game.refusal(state, seat, SetUpAsSuggested()) is None else Done()
        state = game.resolve(state, seat, action, SeededDice(1)).state
    return state


# --- areas ------------------------------------------------------------------------------------------------------


@rules("1.3", system="aslsk3")
@pytest.mark.parametrize(
    ("name", "force", "inside", "outside"),
    [
        (S20, "german", "vGG5", "uAA3"),
        ("s25-early-battles", "tanks", "uR0", "uR8"),
        ("s26-last-ally-last-victory", "rifles", "uL0", "uZ1"),
        ("s27-stand-for-new-zealand", "brigade", "uL1", "uL0"),
    ],
)
def test_1_3_half_hexes_between_two_boards_are_left_out_of_an_area_on_one_of_them_alone(
    name: str, force: str, inside: str, outside: str
) -> None:
    game = bound(name)
    area, find = game.context.scenario.zones[force], game.context.game_map.hex
    assert find(inside) in area
    assert find(outside) not in area


# --- turns and victory ------------------------------------------------------------------------------------------


@rules("3.9", system="aslsk3")
@pytest.mark.parametrize(
    ("half_turn", "turn", "attacker", "last"),
    [
        (False, 7, "allies", False),
        (False, 7, "german", True),
        (True, 7, "allies", True),
        (True, 6, "german", False),
    ],
)
def test_3_9_a_halved_last_turn_is_the_first_sides_alone(half_turn: bool, turn: int, attacker: str, last: bool) -> None:
    game = bound(S20, half_turn=half_turn)
    state = replace(game.setup(), turn=turn, attacker=Seat(attacker))
    assert is_last_player_turn(game.context, state) == last


@rules("1.3", "3.9", system="aslsk3")
@pytest.mark.parametrize(
    ("turn", "attacker", "hills", "won"),
    [(4, "german", 30, True), (4, "allies", 30, False), (3, "german", 30, False), (4, "german", 29, False)],
)
def test_1_3_joseph_351_ends_with_game_turn_4_if_the_allies_have_thirty_hill_hexes(
    turn: int, attacker: str, hills: int, won: bool
) -> None:
    game = bound(S20)
    names = list(game.context.scenario.places)[:hills]
    state = game.setup()
    control = {**state.control, **dict.fromkeys(names, "allies")}
    now = replace(state, turn=turn, attacker=Seat(attacker), control=control, dealt={"vp": 99})
    play: Resolution[State, ev.Event] = Resolution(now, fold, ScriptedDice(()))
    assert settle_end(game.context, play) == won
    assert play.state.winner == ("allies" if won else "")


@rules("1.3", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "worth"),
    [("4-6-7", 2), ("2-4-7", 1), ("2-2-8 crew", 1), ("6+1", 1), ("8-0", 1), ("8-1", 2), ("9-2", 3)],
)
def test_1_3_what_each_unit_is_worth(card: str, worth: int) -> None:
    clash = Clash(
        "PFPh", german=side(squad("a", f"german/{card}", at="A1")), russian=side(squad("r", "russian/4-4-7", at="C1"))
    )
    assert points(clash.context, clash.unit("a")) == worth


@rules("2.0", system="aslsk3")
def test_2_0_a_broken_mmc_gains_no_control() -> None:
    places = [{"id": "house", "zone": [{"hexes": ["B2"]}], "holder": "russian"}]
    house = ". . .\n. b .\n. . ."
    for broken, holder in ((True, "russian"), (False, "german")):
        men = side(squad("a", at="B2", broken=broken), squad("b", at="A1"))
        clash = Clash("APh", house, german=men, russian=side(squad("r", "russian/4-4-7", at="C1")), places=places)
        clash.play(Advance((B,), clash.hex("A2")))
        assert clash.state.control["house"] == holder


# --- set-up and entry -------------------------------------------------------------------------------------------


@rules("3.1", "3.3", system="aslsk3")
def test_3_1_reinforcements_of_a_later_turn_are_not_there_yet() -> None:
    sides = _draft(S20)["sides"]
    forces = [{**one, "enters": {**one["enters"], "turn": 2}} if "enters" in one else one for one in sides[0]["forces"]]
    late = bound(S20, sides=[{**sides[0], "forces": forces}, sides[1]])
    for game, place in ((late, Whereabouts.DUE_LATER), (bound(S20), Whereabouts.OFF_BOARD)):
        state = set_up(game)
        assert state.turn == 1
        assert {unit.place for unit in state.units.values() if unit.force == "rangers"} == {place}


@rules("1.3", "4.0", system="aslsk3")
def test_1_3_weapons_go_to_units_of_their_own_group() -> None:
    game = bound(S20)
    state = game.begin(game.setup(), SeededDice(0)).state
    for action in (SetUpAsSuggested(), Done(), SetUpAsSuggested()):
        decision = game.decision(state)
        assert decision is not None
        state = game.resolve(state, decision.asked[0], action, SeededDice(1)).state
    machine_gun = (WeaponId("A-W1"),)
    joseph = state.units[UnitId("Joseph")]
    refusal = game.refusal(state, joseph.side, PlaceUnit(joseph.id, joseph.hex, machine_gun))
    assert refusal is not None
    assert refusal.rule == "1.3"
    assert game.refusal(state, joseph.side, PlaceUnit(UnitId("A-2"), None, machine_gun)) is None


# --- the sequence of play ---------------------------------------------------------------------------------------


@rules("3.3.1", system="aslsk3")
def test_3_3_1_cx_counters_go_in_their_owners_mph_only() -> None:
    men = side(squad("a", at="A1", cx=True), squad("b", at="A2"))
    clash = Clash("PFPh", german=men, russian=side(squad("r", "russian/4-4-7", at="D1", cx=True)))
    clash.play(Done())
    assert clash.state.phase is Phase.MOVEMENT
    assert (clash.unit("a").cx, clash.unit("r").cx) == (False, True)


@rules("3.5", system="aslsk3")
def test_3_5_that_a_weapon_was_moved_is_forgotten_after_the_afph() -> None:
    gun = {"id": "w", "card": "german/MMG", "owner": "a", "moved": True}
    foe = side(squad("r", "russian/4-4-7", at="D1"))
    clash = Clash("AFPh", german=side(squad("a", at="A1"), weapons=[gun]), russian=foe)
    assert clash.why(Fire((), (WeaponId("w"),), clash.hex("D1"))) == "3.5"
    clash.play(Done())
    assert not clash.state.weapons[WeaponId("w")].moved


@rules("3.6", system="aslsk3")
def test_3_6_having_routed_is_forgotten_with_the_phase() -> None:
    men = side(squad("a", at="C3", broken=True), squad("b", at="G4"))
    clash = Clash("RtPh", german=men, russian=side(squad("r", "russian/4-4-7", at="A3")))
    clash.play(Rout(A, (clash.hex("D3"),), low_crawl=True))
    assert clash.unit("a").hex == clash.hex("D3")
    assert clash.state.phase is Phase.ADVANCE
    assert not clash.unit("a").routed


@rules("3.2.3", "3.3.3", system="aslsk3")
def test_3_2_3_a_pinned_unit_that_breaks_is_pinned_no_more() -> None:
    men = side(squad("a", "german/8-3-8", at="A1"), squad("l", "german/8-0", at="A1"))
    clash = Clash("PFPh", german=men, russian=side(squad("r", "russian/4-4-7", at="C1", pinned=True)))
    clash.play(Fire((A,), (), clash.hex("C1"), (UnitId("l"),)), (2, 6), (4, 5))
    assert (clash.unit("r").broken, clash.unit("r").pinned) == (True, False)


@rules("2.0", "3.2.1", system="aslsk3")
@pytest.mark.parametrize(("smoke", "known"), [({"A1": "smoke", "B1": "smoke"}, 0), ({"A1": "smoke"}, 1)])
def test_2_0_an_adjacent_enemy_in_impenetrable_smoke_is_not_known(smoke: dict[str, str], known: int) -> None:
    foe = side(squad("r", "russian/4-4-7", at="B1"), squad("s", "russian/4-4-7", at="D1"))
    clash = Clash("PFPh", german=side(squad("a", at="A1")), russian=foe, smoke=smoke)
    assert len(list(adjacent_enemies(clash.context, clash.state, clash.hex("A1"), "german"))) == known
