"""1.3: special rules of the kit's scenarios."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable import catalog
from sandtable.core.decision import Decision, Seat
from sandtable.core.dice import SeededDice
from sandtable.core.errors import BadInput
from sandtable.systems.aslsk.common.actions import Action, Done, PlaceUnit, SetUpAsSuggested
from sandtable.systems.aslsk.common.facts.gun_events import ShotResolved
from sandtable.systems.aslsk.common.possession import is_captured
from sandtable.systems.aslsk.common.vehicle_actions import FireGun, MoveVehicle
from sandtable.systems.aslsk.fire.drm import STANDING
from sandtable.systems.aslsk.fire.fire import own_terms
from sandtable.systems.aslsk.group_actions import BringGroup, JoinGroup
from sandtable.systems.aslsk.phases.close_combat_odds import ambush_drm
from sandtable.systems.aslsk.pieces.cards import CardId, Nationality, Quality, UnitCard, UnitKind
from sandtable.systems.aslsk.pieces.state import (
    State,
    Unit,
    UnitId,
    Vehicle,
    VehicleDeed,
    VehicleId,
    VehicleStep,
    WeaponId,
    Whereabouts,
)
from sandtable.systems.aslsk.rules import AslskRules
from sandtable.systems.aslsk.vehicles.driver import Driver
from tests.aslsk.clash import Clash
from tests.aslsk.scenario.test_setup import begun, draft_of, open_rules

GLARE = {"force": "russian", "turns": 2, "drm": 1}


def gun_clash(turn: int, **conditions: Any) -> Clash:
    return Clash(
        "PFPh",
        turn=turn,
        turns=9,
        attacker="german",
        german={
            "units": [{"id": "crew", "card": "german/2-2-8 crew", "at": "A3"}],
            "weapons": [{"id": "gun", "card": "german/7.5cm PaK 40", "owner": "crew", "facing": "NE/SE"}],
        },
        russian={"units": [{"id": "r", "card": "russian/4-4-7", "at": "E3"}]},
        conditions=conditions,
    )


@pytest.mark.parametrize(("turn", "hit"), [(2, ()), (3, ("r",))])
def test_glare_spoils_the_aim_in_its_turns(turn: int, hit: tuple[str, ...]) -> None:
    clash = gun_clash(turn, glare=GLARE)
    after = [[6, 5]] if hit else []
    clash.play(FireGun(clash.hex("E3"), WeaponId("gun")), [5, 3], *after)
    (shot,) = [event for event in clash.events if isinstance(event, ShotResolved)]
    assert shot.hit == hit


@pytest.mark.parametrize(("turn", "force", "drm"), [(2, "russian", 1), (3, "russian", 0), (2, "german", 0)])
def test_glare_adds_to_fire_at_one_force(turn: int, force: str, drm: int) -> None:
    clash = gun_clash(turn, glare={**GLARE, "force": force})
    own = own_terms(clash.context, clash.state, [clash.hex("A3")], [UnitId("r")], STANDING, tem=())
    assert sum(term.value for term in own.get(UnitId("r"), ())) == drm


@pytest.mark.rules("1.3", "5.5", system="aslsk3")
@pytest.mark.parametrize(
    ("own", "unit", "side", "captured"),
    [
        (True, "german/2-2-8 crew", "german", False),
        (False, "german/2-2-8 crew", "german", True),
        # Crews alone are used to it, and those of the side that has it.
        (True, "german/4-6-7", "german", True),
        (True, "russian/2-2-8 crew", "russian", True),
        (False, "italian/3-4-7", "german", False),
    ],
)
def test_1_3_captured_guns_that_crews_use_as_their_own(own: bool, unit: str, side: str, captured: bool) -> None:
    card = "italian/Cannone da 75/27"
    clash = Clash(
        "PFPh",
        german={
            "units": [{"id": "g", "card": "german/2-2-8 crew", "at": "A3"}],
            "weapons": [{"id": "gun", "card": card, "owner": "g", "facing": "NE/SE"}],
        },
        conditions={"own_weapons": [card] if own else []},
    )
    gunner = replace(clash.unit("g"), card=CardId(unit), side=Seat(side))
    state = replace(clash.state, units={gunner.id: gunner})
    assert is_captured(clash.context, state, state.weapons[WeaponId("gun")]) is captured


@pytest.mark.rules("1.3", "3.8", system="aslsk3")
def test_1_3_an_ambush_drm_of_several_forces_counts_once() -> None:
    """The New Zealanders of S27, whichever of their companies are in the hex."""
    units = [{"id": name, "card": "russian/4-4-7", "at": "A3"} for name in "ab"]
    clash = Clash("CCPh", russian={"units": units}, conditions={"ambush": {"russian": -1, "german": -1}})
    other = replace(clash.unit("b"), force="german")
    state = replace(clash.state, units={**clash.state.units, other.id: other})
    assert ambush_drm(clash.context, state, clash.hex("A3"), "russian").total == -1


@pytest.mark.parametrize("by_card", [True, False])
def test_grain_in_season_by_card(by_card: bool) -> None:
    clash = Clash("PFPh", ". g .\n. . .", conditions={"month": 5, "grain_in_season": by_card})
    assert clash.context.ground.place(clash.hex("B1")).open_ground is not by_card


@pytest.mark.parametrize(("barred", "rule"), [(True, "1.3"), (False, "")])
def test_vehicles_that_may_not_enter_buildings(barred: bool, rule: str) -> None:
    clash = Clash(
        "MPh",
        ". . . .\n. . b .\n. . . .",
        attacker="german",
        german={"vehicles": [{"id": "p", "card": "german/PzKpfw IVH", "at": "B2", "vca": "NE/SE"}]},
        conditions={"no_vehicles_in_buildings": barred},
    )
    steps = (VehicleStep(VehicleDeed.START), VehicleStep(to=clash.hex("C2")))
    assert clash.why(MoveVehicle(VehicleId("p"), steps, halt=True)) == rule


def of(state: State, force: str) -> list[Unit | Vehicle]:
    units = [unit for unit in state.units.values() if unit.force == force]
    return [*units, *(vehicle for vehicle in state.vehicles.values() if vehicle.force == force)]


S26 = "s26-last-ally-last-victory"
GER, RUS = Seat("german"), Seat("russian")


def asked(game: AslskRules, state: State) -> Decision[Action]:
    decision = game.decision(state)
    assert decision is not None
    return decision


def choosing(game: AslskRules) -> State:
    """The Russians have set up, and the Germans have armed their infantry."""
    state = begun(game)
    for action in (SetUpAsSuggested(), Done()):
        state = game.resolve(state, RUS, action, SeededDice(0)).state
    for unit, weapon in (("G-4", "G-W1"), ("G-5", "G-W2"), ("G-1", "G-W3"), ("G-2", "G-W4")):
        state = game.resolve(state, GER, PlaceUnit(UnitId(unit), None, (WeaponId(weapon),)), SeededDice(0)).state
    return state


@pytest.mark.rules("1.3", system="aslsk3")
@pytest.mark.parametrize(("first", "second"), [("first", "tigers"), ("tigers", "first")])
def test_1_3_which_of_two_groups_comes_first_is_chosen_in_secret(first: str, second: str) -> None:
    game = open_rules(S26)
    state = choosing(game)
    assert asked(game, state).secret
    assert game.refusal(state, GER, BringGroup(first, 2)) is not None, "only who comes first is named"
    somewhere = min(game.context.game_map.hexes)
    assert game.refusal(state, GER, BringGroup(first, 1, somewhere)) is not None, "it enters as its force does"
    assert game.refusal(state, GER, Done()) is not None, "one must be chosen"
    chosen = BringGroup(first, 1)
    assert chosen in asked(game, state).options(GER)
    resolution = game.resolve(state, GER, chosen, SeededDice(0))
    assert [game.redact(event, RUS) for event in resolution.events] == [None]
    assert game.redact_action(chosen, GER, RUS) is None
    state = resolution.state
    assert game.refusal(state, GER, BringGroup(second, 1)) is not None, "one group alone comes first"
    left = game.resolve(state, GER, BringGroup(first), SeededDice(0)).state
    assert game.refusal(left, GER, BringGroup(second, 1)) is None
    resolution = game.resolve(state, GER, Done(), SeededDice(0))
    state = resolution.state
    off = {force: {one.place for one in of(state, force)} for force in (first, second)}
    assert off == {first: {Whereabouts.OFF_BOARD}, second: {Whereabouts.DUE_LATER}}
    assert {one.turn for one in of(state, second)} == {2}
    assert game.context.entry(state, first) == game.context.scenario.entry[first]
    assert {one.turn for one in of(game.conceal(state, RUS), second)} == {2}, "who sees the first knows the second"


@pytest.mark.rules("1.3", system="aslsk3")
def test_1_3_before_a_group_is_off_board_nobody_else_can_tell_which_comes_first() -> None:
    game = open_rules(S26)
    either = []
    for first in ("first", "tigers"):
        state = game.resolve(choosing(game), GER, BringGroup(first, 1), SeededDice(0)).state
        either.append(game.conceal(state, RUS))
        assert game.conceal(state, GER).brought
    assert either[0] == either[1]
    header = catalog.open_scenario(S26).header
    assert "suggested" in game.conceal_scenario(header.scenario, GER)["muster"]
    assert "suggested" not in game.conceal_scenario(header.scenario, RUS)["muster"]
    drop = catalog.open_scenario("s22-another-summers-day")
    assert isinstance(drop.ruleset, AslskRules)
    assert "rendezvous" not in drop.ruleset.conceal_scenario(drop.header.scenario, GER)["drop"]


# --- S24: a leader who joins one of several forces ---------------------------------------------------------------


@pytest.mark.rules("1.3", system="aslsk3")
@pytest.mark.parametrize(("force", "turn"), [("pioneers", 3), ("tigers", 1)])
def test_1_3_the_leader_of_the_balance_line_joins_the_force_that_his_player_chooses(force: str, turn: int) -> None:
    game = catalog.open_scenario("s24-sherman-marches-west", options={"balance_german": "on"}).ruleset
    assert isinstance(game, AslskRules)
    state = begun(game)
    leader = next(unit.id for unit in state.units.values() if unit.card == "german/7-0")
    assert state.units[leader].force == "security"
    join = JoinGroup(leader, force)
    assert join in asked(game, state).options(GER)
    assert game.refusal(state, GER, JoinGroup(leader, "security")) is not None
    assert game.refusal(state, GER, JoinGroup("G-1", force)) is not None, "nobody else joins another force"
    resolution = game.resolve(state, GER, join, SeededDice(0))
    assert [game.redact(event, RUS) for event in resolution.events] == [None, None]
    assert game.redact_action(join, GER, RUS) is None
    assert game.conceal(resolution.state, RUS) == game.conceal(state, RUS)
    state = resolution.state
    joined = state.units[leader]
    assert (joined.force, joined.place, joined.turn) == (force, Whereabouts.DUE_LATER, turn)
    assert game.refusal(state, GER, join) is not None, "once"
    for action in (SetUpAsSuggested(), Done()):
        state = game.resolve(state, GER, action, SeededDice(0)).state
    assert game.conceal(state, RUS).units[leader].force == force, "the order of battle is no secret any more"


def test_who_may_join_what_is_checked_with_the_file() -> None:
    draft = draft_of("s24-sherman-marches-west")
    (side,) = [side for side in draft["sides"] if side["id"] == "german"]
    side["forces"][0]["units"][0]["joins"] = ["guards"]
    side["forces"][2]["units"][0]["joins"] = ["tigers"]
    with pytest.raises(BadInput) as bad:
        catalog.system("aslsk3").ruleset(draft, catalog.library("aslsk3"), "draft")
    told = [(fault.where.rpartition("forces")[2], fault.wrong) for fault in bad.value.faults]
    assert told == [
        ("[0].units[0].joins", "no force 'guards' of this side enters"),
        ("[2].units[0].joins", "only units that set up may join another force"),
    ]


@pytest.mark.parametrize(("turn", "times"), [(1, 1), (2, 2)])
def test_half_of_the_mp_are_spent_only_in_the_turn_of_entry(turn: int, times: int) -> None:
    game = open_rules("s21-clash-at-borisovka")
    state = replace(begun(game), turn=turn)
    vehicle = next(one for one in state.vehicles.values() if one.force == "guards")
    assert Driver(game.context, state, vehicle).allowance == times * game.context.vehicle_card(vehicle).mp


@pytest.mark.rules("1.3", "3.3.2", "7.6", system="aslsk3")
@pytest.mark.parametrize("turn", [1, 2])
def test_3_3_2_half_of_the_mp_are_not_all_of_them_for_woods_at_the_edge(turn: int) -> None:
    """Who has only half of them pays half for woods, which bogs him sooner; in a later turn he may pay all."""
    game = open_rules("s21-clash-at-borisovka")
    state = replace(begun(game), turn=turn)
    tank = next(one for one in state.vehicles.values() if one.force == "guards")
    driver = Driver(game.context, state, replace(tank, place=Whereabouts.OFF_BOARD))
    offered = {step.kind for step, _ in driver.entries(driver.begin()) if step.to == game.context.game_map.hex("tA4")}
    assert offered == ({VehicleDeed.ENTER} if turn == 1 else {VehicleDeed.ENTER, VehicleDeed.ALL})


@pytest.mark.rules("1.3", "3.2.2", system="aslsk3")
@pytest.mark.parametrize(
    ("scenario", "kinds"),
    [
        ("s23-montys-gamble", lambda card: card.quality in (Quality.ELITE, Quality.FIRST_LINE)),
        ("s27-stand-for-new-zealand", lambda card: card.kind is UnitKind.CREW or card.quality is Quality.FIRST_LINE),
    ],
)
def test_1_3_british_troops_that_do_not_cower(scenario: str, kinds: Callable[[UnitCard], bool]) -> None:
    """Crews and those whom ELR makes of others too: all that the card's words cover."""
    context = open_rules(scenario).context
    british = [card for card in context.cards.units.values() if card.nationality is Nationality.BRITISH and card.is_mmc]
    assert set(context.scenario.conditions.steady) == {card.id for card in british if kinds(card)}
