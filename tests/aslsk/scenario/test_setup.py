"""1.3 Scenario cards and set-up: zones, weapons, order, secrecy, the scenario's own roll, reinforcements."""

from typing import Any

import pytest

from sandtable import catalog
from sandtable.core.content.scenario import read_draft
from sandtable.core.decision import Seat
from sandtable.core.dice import ScriptedDice, SeededDice
from sandtable.core.errors import BadInput
from sandtable.systems.aslsk.common.actions import Done, PlaceUnit, SetUpAsSuggested
from sandtable.systems.aslsk.pieces.state import Phase, SettingUp, State, UnitId, WeaponId, Whereabouts
from sandtable.systems.aslsk.rules import AslskRules

rules = pytest.mark.rules
FIRST = "sk-1-the-road-into-bretteville"
UNSEEN = "sk-3-room-by-room"


def open_rules(name: str) -> AslskRules:
    found = catalog.open_scenario(name).ruleset
    assert isinstance(found, AslskRules)
    return found


def draft_of(name: str) -> dict[str, Any]:
    library = catalog.library("aslsk3")
    found = {key: (data, where) for key, data, where in library.section("scenarios")}
    return read_draft(*found[name])


def begun(rules: AslskRules) -> State:
    return rules.begin(rules.setup(), SeededDice(0)).state


def seat_of(rules: AslskRules, state: State) -> Seat:
    decision = rules.decision(state)
    assert decision is not None
    return decision.asked[0]


@rules("1.3", system="aslsk3")
@pytest.mark.parametrize("head", catalog.scenarios("aslsk3"), ids=lambda head: head.id)
def test_1_3_every_scenario_sets_up_as_suggested(head: Any) -> None:
    game = open_rules(head.id)
    state = begun(game)
    while state.phase is Phase.SETUP:
        seat = seat_of(game, state)
        for action in (SetUpAsSuggested(), Done()):
            refusal = game.refusal(state, seat, action)
            assert refusal is None or isinstance(action, SetUpAsSuggested), refusal
            if refusal is None:
                state = game.resolve(state, seat, action, SeededDice(3)).state
    assert all(unit.place is not Whereabouts.TO_SET_UP for unit in state.units.values())
    assert all(weapon.owner in state.units for weapon in state.weapons.values())


@rules("1.3", "3.3.1", "4.0", system="aslsk3")
def test_1_3_units_set_up_in_their_zones_within_stacking_limits() -> None:
    game = open_rules(FIRST)
    state = begun(game)
    assert seat_of(game, state) == "german", "the side that does not move first"

    def why(unit: str, label: str, *weapons: str) -> str:
        action = PlaceUnit(UnitId(unit), game.context.game_map.hex(label), tuple(map(WeaponId, weapons)))
        refusal = game.refusal(state, Seat("german"), action)
        return refusal.rule if refusal is not None else ""

    assert why("G-1", "N4") == ""
    assert why("G-1", "S3") == "1.3"
    assert why("A-1", "N4") == "1.3"
    assert why("G-L1", "N4", "G-W1") == "4.0", "weapons are handed out once all are placed"
    for name in ("G-1", "G-2", "G-3"):
        action = PlaceUnit(UnitId(name), game.context.game_map.hex("N4"))
        state = game.resolve(state, Seat("german"), action, SeededDice(0)).state
    assert why("G-4", "N4") == "3.3.1"
    done = game.refusal(state, Seat("german"), Done())
    assert done is not None
    assert done.rule == "1.3"


@rules("1.3", "3.3.1", system="aslsk3")
def test_1_3_every_hex_with_room_in_it_is_offered_and_no_other() -> None:
    """Empty hexes, hexes with one squad or two; not one with three, and not that in which the unit stands."""
    game = open_rules(FIRST)
    state = begun(game)
    seat = Seat("german")
    german = next(side for side in draft_of(FIRST)["sides"] if side["id"] == "german")
    assert len(german["forces"]) == 1
    for name, label in (("G-1", "N4"), ("G-2", "N4"), ("G-3", "N6"), ("G-L1", "N6")):
        state = game.resolve(state, seat, PlaceUnit(UnitId(name), game.place(label)), SeededDice(0)).state
        decision = game.decision(state)
        assert decision is not None
        offered = {
            action.hex
            for action in decision.options(seat)
            if isinstance(action, PlaceUnit) and action.unit == "G-4" and not action.weapons
        }
        legal = {
            hex
            for hex in game.context.game_map.hexes
            if game.refusal(state, seat, PlaceUnit(UnitId("G-4"), hex)) is None
        }
        assert offered == legal
        assert game.place(label) in offered
    state = game.resolve(state, seat, PlaceUnit(UnitId("G-4"), game.place("P3")), SeededDice(0)).state
    decision = game.decision(state)
    assert decision is not None
    again = [action for action in decision.options(seat) if isinstance(action, PlaceUnit) and not action.weapons]
    for unit in (one for one in state.units.values() if one.side == seat and one.hex is not None):
        offered = {action.hex for action in again if action.unit == unit.id}
        placing = (PlaceUnit(unit.id, hex) for hex in game.context.game_map.hexes)
        assert offered == {action.hex for action in placing if game.refusal(state, seat, action) is None}
        assert unit.hex not in offered


@rules("4.0", system="aslsk3")
def test_4_0_no_weapon_is_without_a_possessor_at_the_start() -> None:
    game = open_rules(FIRST)
    state = begun(game)
    for name, label in (("G-1", "N4"), ("G-2", "N4"), ("G-3", "N6"), ("G-4", "P3"), ("G-L1", "N4")):
        action = PlaceUnit(UnitId(name), game.context.game_map.hex(label))
        state = game.resolve(state, Seat("german"), action, SeededDice(0)).state
    refusal = game.refusal(state, Seat("german"), Done())
    assert refusal is not None
    assert refusal.rule == "4.0"


@rules("1.3", system="aslsk3")
def test_1_3_a_secret_set_up_is_seen_by_its_owner_alone() -> None:
    game = open_rules(UNSEEN)
    state = begun(game)
    first = seat_of(game, state)
    assert first == "german"
    resolution = game.resolve(state, first, SetUpAsSuggested(), SeededDice(0))
    placed = resolution.state
    other = game.context.other(first)
    assert all(unit.hex is None for unit in game.conceal(placed, other).units.values())
    assert all(game.redact(event, other) is None for event in resolution.events)
    own = game.conceal(placed, first)
    assert any(unit.hex is not None for unit in own.units.values())
    view = game.view(placed, other)
    assert all(not counter.hex for counter in view.counters)
    after = game.resolve(placed, first, Done(), SeededDice(0)).state
    assert all(unit.hex is None for unit in game.conceal(after, other).units.values() if unit.side == first)


@rules("1.3", system="aslsk3")
def test_1_3_a_scenarios_roll_fixes_forces_and_victory_points() -> None:
    game = open_rules("s20-joseph-351")
    state = begun(game)
    assert seat_of(game, state) == "german"
    state = game.resolve(state, Seat("german"), SetUpAsSuggested(), SeededDice(0)).state
    state = game.resolve(state, Seat("german"), Done(), ScriptedDice((4,))).state
    assert state.dealt == {"vp": 19}
    cards = [unit.card for unit in state.units.values() if unit.force == "rangers"]
    assert cards.count(next(card for card in cards if card == "american/6-6-7")) == 6
    assert [str(card) for card in cards].count("american/5-3-6") == 5
    assert [str(card) for card in cards].count("american/2-2-6") == 0


@rules("3.1", "3.3", system="aslsk3")
def test_3_1_reinforcements_wait_off_board_from_the_rally_phase_on() -> None:
    game = open_rules("s20-joseph-351")
    state = begun(game)
    for dice in ((), (1,), (), ()):
        seat = seat_of(game, state)
        action = SetUpAsSuggested() if game.refusal(state, seat, SetUpAsSuggested()) is None else Done()
        state = game.resolve(state, seat, action, ScriptedDice(dice)).state
    assert state.turn == 1
    rangers = [unit for unit in state.units.values() if unit.force == "rangers"]
    assert rangers
    assert all(unit.place is Whereabouts.OFF_BOARD for unit in rangers)


@rules("1.1", "1.3", system="aslsk3")
@pytest.mark.parametrize("force", ["brigade", "petrol"])
def test_1_3_half_hexes_shared_by_boards_are_no_part_of_either(force: str) -> None:
    game = open_rules("s27-stand-for-new-zealand")
    zone = game.context.scenario.zones[force]
    shared = {hex for hex in game.context.game_map.hexes if len(game.context.game_map.boards[hex]) > 1}
    assert shared
    assert not zone & shared


@rules("1.3", system="aslsk3")
def test_1_3_faults_of_a_scenario_are_told_at_once() -> None:
    draft = draft_of(FIRST)
    draft["moves_first"] = "british"
    draft["victory"][0]["goals"][0]["places"] = ["castle"]
    with pytest.raises(BadInput) as bad:
        catalog.system("aslsk3").ruleset(draft, catalog.library("aslsk3"), "draft")
    wheres = [fault.where for fault in bad.value.faults]
    assert any("moves_first" in where for where in wheres)
    assert any("victory[0].goals[0].places" in where for where in wheres)
    draft = draft_of(FIRST)
    draft["sides"][0]["forces"][0]["units"][0]["card"] = "american/9-9-9"
    draft["sides"][1]["forces"][0]["set_up"] = [{"hexes": ["A-99"]}]
    with pytest.raises(BadInput) as bad:
        catalog.system("aslsk3").ruleset(draft, catalog.library("aslsk3"), "draft")
    assert len(bad.value.faults) >= 2


@rules("1.3", system="aslsk3")
@pytest.mark.parametrize("rows", ["A-C", "3-x", "x"])
def test_1_3_rows_of_a_zone_are_numbers(rows: str) -> None:
    draft = draft_of(FIRST)
    draft["sides"][0]["forces"][0]["set_up"][0]["rows"] = rows
    with pytest.raises(BadInput) as bad:
        catalog.system("aslsk3").ruleset(draft, catalog.library("aslsk3"), "draft.yaml")
    assert [fault.where for fault in bad.value.faults] == ["draft.yaml: sides[0].forces[0].set_up[0].rows"]


@rules("1.3", system="aslsk3")
def test_1_3_zones_of_a_secret_set_up_lie_apart() -> None:
    draft = draft_of(UNSEEN)
    draft["sides"][0]["forces"][0]["set_up"] = [{"whole": True}]
    with pytest.raises(BadInput, match="both sides may set up"):
        catalog.system("aslsk3").ruleset(draft, catalog.library("aslsk3"), "draft")


def test_a_frame_of_the_set_up_names_its_side() -> None:
    game = open_rules(FIRST)
    frame = begun(game).stack[-1]
    assert isinstance(frame, SettingUp)
    assert frame.seat == "german"


@rules("1.3", "4.0", system="aslsk3")
def test_4_0_weapons_are_handed_out_one_by_one_and_may_change_hands_until_the_set_up_is_finished() -> None:
    game = open_rules(FIRST)
    state = begun(game)
    seat = seat_of(game, state)
    state = game.resolve(state, seat, SetUpAsSuggested(), SeededDice(0)).state
    weapon = next(one for one in state.weapons.values() if one.side == seat)
    owner = state.units[weapon.owner]
    bare = PlaceUnit(owner.id, owner.hex)
    assert game.refusal(state, seat, bare) is not None, "nobody lays a weapon down"
    decision = game.decision(state)
    assert decision is not None
    gifts = [
        action
        for action in decision.options(seat)
        if isinstance(action, PlaceUnit) and weapon.id in action.weapons and action.unit != owner.id
    ]
    assert gifts
    after = game.resolve(state, seat, gifts[0], SeededDice(0)).state
    assert after.weapons[weapon.id].owner == gifts[0].unit


@rules("1.3", system="aslsk3")
def test_1_3_who_is_set_up_moves_once_all_are_and_elsewhere() -> None:
    game = open_rules(FIRST)
    state = begun(game)
    seat, one = Seat("german"), UnitId("G-1")
    here, there = (game.context.game_map.hex(label) for label in ("N4", "N5"))

    def moved(to: Any) -> PlaceUnit:
        return PlaceUnit(one, to, tuple(weapon.id for weapon in state.weapons.values() if weapon.owner == one))

    assert game.refusal(state, seat, moved(there)) is None
    state = game.resolve(state, seat, moved(here), SeededDice(0)).state
    refusal = game.refusal(state, seat, moved(there))
    assert refusal is not None, "others are not set up yet"
    assert refusal.rule == "1.3"
    state = game.resolve(state, seat, SetUpAsSuggested(), SeededDice(0)).state
    assert game.refusal(state, seat, moved(there)) is None
    refusal = game.refusal(state, seat, moved(state.units[one].hex))
    assert refusal is not None, "he is there already"
    assert refusal.rule == "1.3"
