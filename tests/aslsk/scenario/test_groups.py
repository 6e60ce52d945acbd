"""1.3: groups that jump, groups that are chosen in secret, and the FP that covers a road (S22)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest

from sandtable.core.decision import Seat
from sandtable.core.dice import ScriptedDice, SeededDice
from sandtable.systems.aslsk.common.actions import Action, Done, PlaceUnit, SetUpAsSuggested
from sandtable.systems.aslsk.covering_fire import covering_fp
from sandtable.systems.aslsk.group_actions import BringGroup, ChooseRendezvous, JoinGroup, JumpTogether
from sandtable.systems.aslsk.pieces.state import Phase, State, UnitId, WeaponId, Whereabouts
from sandtable.systems.aslsk.rules import AslskRules
from tests.aslsk.clash import Clash, squad
from tests.aslsk.scenario.test_setup import begun, open_rules

rules = pytest.mark.rules
S22 = "s22-another-summers-day"
US, GER = Seat("american"), Seat("german")


def done(game: AslskRules, state: State, seat: Seat, actions: Iterable[Action], dice: Sequence[int] = ()) -> State:
    scripted = iter([dice[i : i + 2] for i in range(0, len(dice), 2)])
    for action in actions:
        refusal = game.refusal(state, seat, action)
        assert refusal is None, (action, refusal)
        rolls = list(scripted) if isinstance(action, Done) else []
        state = game.resolve(state, seat, action, ScriptedDice(rolls)).state
    return state


def why(game: AslskRules, state: State, seat: Seat, action: Action) -> str:
    refusal = game.refusal(state, seat, action)
    return refusal.reason if refusal is not None else ""


def at(game: AslskRules, state: State, unit: str) -> str:
    return game.context.label(state.units[UnitId(unit)].hex)


@rules("1.3", system="aslsk3")
def test_1_3_the_third_group_is_divided_and_stacks_hold_one_of_each() -> None:
    game = open_rules(S22)
    state = begun(game)
    assert "no group of american" in why(game, state, US, JoinGroup("C-1", "third"))
    state = done(game, state, US, [JoinGroup("C-1", "first"), JoinGroup("C-L1", "second"), JoinGroup("C-2", "second")])
    handed = [("A-1", "A-W1"), ("B-1", "B-W1"), ("B-2", "B-W2")]
    armed = done(game, state, US, [PlaceUnit(UnitId(unit), None, (WeaponId(arm),)) for unit, arm in handed])
    assert "first has no rendezvous" in why(game, armed, US, Done())
    assert "waits for no group" in why(game, state, US, JoinGroup("C-1", "second"))
    assert "no MMC of its group" in why(game, state, US, JumpTogether(UnitId("A-L1"), UnitId("C-2")))
    state = done(game, state, US, [JumpTogether(UnitId("B-L1"), UnitId("B-1"))])
    assert "another SMC" in why(game, state, US, JumpTogether(UnitId("C-L1"), UnitId("B-1")))
    state = done(game, state, US, [PlaceUnit(UnitId("B-1"), None, (WeaponId("B-W1"),))])
    both = PlaceUnit(UnitId("B-1"), None, (WeaponId("B-W1"), WeaponId("B-W2")))
    assert "would have 2 SW" in why(game, state, US, both)


def arranged(game: AslskRules) -> State:
    """The Americans have arranged everything but are not done."""
    return done(game, begun(game), US, [SetUpAsSuggested()])


@rules("1.3", system="aslsk3")
def test_1_3_each_group_has_a_rendezvous_of_its_own() -> None:
    game = open_rules(S22)
    state = arranged(game)
    taken = state.rendezvous["first"]
    assert "is a rendezvous already" in why(game, state, US, ChooseRendezvous("second", taken))
    assert why(game, state, US, ChooseRendezvous("second", game.context.game_map.hex("tF5"))) == ""


@rules("1.3", system="aslsk3")
def test_1_3_stacks_land_by_direction_and_distance_and_off_board_at_the_nearest_edge() -> None:
    game = open_rules(S22)
    state = arranged(game)
    state = done(game, state, US, [ChooseRendezvous("first", game.context.game_map.hex("vR3"))])
    # 1 is north: vR3 is two hexes from the edge; 4 is south.
    state = done(game, state, US, [Done()], [4, 2, 1, 6, 4, 1, 3, 1])
    assert (at(game, state, "A-1"), state.units[UnitId("A-1")].pinned) == ("vR5", False)
    strayed = state.units[UnitId("A-2")]
    assert (at(game, state, "A-2"), strayed.pinned, strayed.cx) == ("vR0", True, True)
    assert state.units[UnitId("A-L1")].hex == state.units[UnitId("A-1")].hex, "they jump together"
    assert state.units[UnitId("B-1")].place is Whereabouts.DUE_LATER, "the second group jumps after the Germans' choice"


@rules("1.3", system="aslsk3")
def test_1_3_the_second_rendezvous_is_known_to_nobody_before_its_group_lands() -> None:
    game = open_rules(S22)
    state = game.resolve(arranged(game), US, Done(), SeededDice(1)).state
    seen = game.conceal(state, GER)
    assert (seen.rendezvous, seen.companions) == ({}, {})
    assert game.conceal(state, US).rendezvous == state.rendezvous


def bringing(game: AslskRules) -> State:
    return game.resolve(arranged(game), US, Done(), SeededDice(1)).state


@rules("1.3", system="aslsk3")
@pytest.mark.parametrize(
    ("now", "later", "allowed"),
    [(3, 0, True), (2, 1, True), (2, 2, True), (1, 2, True), (1, 4, True), (2, 0, False), (1, 1, False), (0, 4, False)],
)
def test_1_3_three_groups_and_one_more_for_each_that_is_put_off(now: int, later: int, allowed: bool) -> None:
    game = open_rules(S22)
    gate = game.context.game_map.hex("vA5")
    turns = [1] * now + [3] * later
    some = [BringGroup(f"g{number + 1}", turn, gate) for number, turn in enumerate(turns)]
    weapons = [
        PlaceUnit(UnitId(unit), None, (WeaponId(weapon),))
        for unit, weapon in (("G-1", "G-W1"), ("G-2", "G-W2"), ("G-3", "G-W3"), ("H-1", "H-W1"), ("H-2", "H-W2"))
    ]
    state = done(game, bringing(game), GER, [*some, *weapons])
    assert (game.refusal(state, GER, Done()) is None) is allowed


@rules("1.3", system="aslsk3")
def test_1_3_what_cannot_come_is_refused() -> None:
    game = open_rules(S22)
    state, gate = bringing(game), game.context.game_map.hex("vA5")
    assert "no turn and edge hex" in why(game, state, GER, BringGroup("g1", 2, gate))
    assert "no turn and edge hex" in why(game, state, GER, BringGroup("g1", 1, game.context.game_map.hex("vR5")))
    three = [BringGroup(name, 1, gate) for name in ("g1", "g2", "g3")]
    state = done(game, state, GER, three)
    assert "too many groups" in why(game, state, GER, BringGroup("g4", 3, gate))
    assert "chosen already" in why(game, state, GER, BringGroup("g1", 3, gate))
    state = done(game, state, GER, [BringGroup("g3")])
    assert why(game, state, GER, BringGroup("g4", 3, gate)) == ""


@rules("1.3", system="aslsk3")
def test_1_3_chosen_groups_come_in_their_turn_beside_their_hex_and_nobody_else_knows() -> None:
    game = open_rules(S22)
    state = done(game, bringing(game), GER, [SetUpAsSuggested()])
    state = game.resolve(state, GER, Done(), SeededDice(2)).state
    assert state.phase is not Phase.SETUP
    due = {unit.force: unit.turn for unit in state.units.values() if unit.side == GER}
    due |= {one.force: one.turn for one in state.vehicles.values()}
    assert [due[f"g{number}"] for number in range(1, 7)] == [1, 3, 99, 1, 99, 3]
    gates = game.context.entry(state, "g1")
    assert {game.context.label(hex) for hex in gates} == {"vGG4", "vGG5", "vGG6"}
    seen = game.conceal(state, US)
    assert seen.brought == {}
    waiting = {unit.turn for unit in seen.units.values() if unit.side == GER}
    assert waiting | {vehicle.turn for vehicle in seen.vehicles.values()} == {1}
    assert all(unit.place is Whereabouts.MAP for unit in state.units.values() if unit.side == US)


# --- the FP that covers a road ----------------------------------------------------------------------------------


def covered(*units: dict[str, object], weapons: Sequence[dict[str, object]] = (), cells: str = "") -> int:
    row = " ".join("." * 20)
    clash = Clash("PFPh", cells or f"{row}\n{row}", german={"units": list(units), "weapons": list(weapons)})
    return covering_fp(clash.context, clash.state, "german", [clash.hex("A1")])


@rules("1.3", system="aslsk3")
@pytest.mark.parametrize(
    ("unit", "fp"),
    [
        (squad("a", at="A2"), 4),
        (squad("a", at="G1"), 4),
        (squad("a", at="H1"), 2),
        (squad("a", at="N1"), 0),
        (squad("a", at="A2", broken=True), 0),
        (squad("a", "german/9-1", at="A2"), 0),
    ],
)
def test_1_3_units_cover_by_their_own_fp_half_of_it_far_away_and_no_more_close_by(
    unit: dict[str, object], fp: int
) -> None:
    assert covered(unit) == fp


@rules("1.3", system="aslsk3")
@pytest.mark.parametrize(
    ("owner", "card", "at", "fp"),
    [
        ("german/4-6-7", "german/LMG", "F1", 7),
        ("german/2-4-7", "german/LMG", "D1", 3),
        ("german/4-6-7", "german/50mm MTR", "F1", 8),
        ("german/4-6-7", "german/50mm MTR", "B1", 4),
        ("american/7-4-7", "american/BAZ 43", "D1", 15),
        ("american/7-4-7", "american/BAZ 43", "E1", 7),
        ("american/7-4-7", "german/LMG", "D1", 7),
    ],
)
def test_1_3_what_weapons_add(owner: str, card: str, at: str, fp: int) -> None:
    assert covered(squad("a", owner, at=at), weapons=[{"id": "w", "card": card, "owner": "a"}]) == fp


@rules("1.3", system="aslsk3")
def test_1_3_only_what_is_in_los_and_every_unit_once() -> None:
    assert covered(squad("a", at="E1"), cells=". . b . .\n. . b . .") == 0
    assert covered(squad("a", at="A2"), squad("b", at="B2")) == 8
