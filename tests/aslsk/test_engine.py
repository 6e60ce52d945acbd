"""3.0 Sequence of Play, victory (1.3, 2.0, 3.9), markers, views, words, undo: the engine as a whole."""

from random import Random

import pytest

from sandtable import catalog
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game
from sandtable.core.odds import odds
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Advance, DeclareCloseCombat, Done
from sandtable.systems.aslsk.pieces.state import CcAttack, Mark, Phase, UnitId, WeaponState
from sandtable.systems.aslsk.victory import casualty_points
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
A, R = UnitId("a"), UnitId("r")
FIRST = "sk-1-the-road-into-bretteville"
HOUSE = """
. . .
. b .
. . .
"""
PHASES = ("RPh", "PFPh", "MPh", "DFPh", "AFPh", "RtPh", "APh", "CCPh")


def random_game(name: str, seed: int) -> Game:  # type: ignore[type-arg]
    found = catalog.open_scenario(name)
    game = Game.start(found.ruleset, found.header, SeededDice(seed))
    rng = Random(seed)
    while (decision := game.decision) is not None:
        game.play(decision.asked[0], decision.options(decision.asked[0]).sample(rng))
    return game


@rules("3.0", "3.9", system="aslsk3")
def test_3_0_eight_phases_twice_a_turn_in_their_order() -> None:
    game = random_game(FIRST, 1)
    seen = [event for line in game.lines for event in getattr(line, "events", ())]
    turns = [(event.turn, event.attacker) for event in seen if isinstance(event, ev.TurnBegan)]
    assert turns == [(turn, seat) for turn in range(1, 8) for seat in ("american", "german")]
    phases = [event.phase.value for event in seen if isinstance(event, ev.PhaseBegan)]
    assert phases == list(PHASES) * 14


@rules("3.9", system="aslsk3")
def test_3_9_the_game_ends_after_the_last_turn() -> None:
    game = random_game(FIRST, 2)
    outcome = game.outcome
    assert outcome is not None
    assert outcome.winner in ("american", "german")
    assert game.state.turn == 7


@rules("2.0", system="aslsk3")
def test_2_0_control_needs_a_good_order_mmc_and_no_enemy() -> None:
    places = [{"id": "house", "zone": [{"hexes": ["B2"]}], "holder": "russian"}]
    units = [squad("a", at="A2"), squad("l", "german/8-0", at="A3")]
    clash = Clash("APh", HOUSE, german=side(*units), russian=side(), places=places)
    clash.play(Advance((UnitId("l"),), clash.hex("B2")))
    assert clash.state.control["house"] == "russian", "a leader gains no control"
    clash.play(Advance((A,), clash.hex("B2")))
    assert clash.saw(ev.ControlGained, place="house", seat="german")


@rules("2.0", system="aslsk3")
def test_2_0_an_enemy_in_the_building_keeps_control() -> None:
    cells = ". b b\n. . .\n. . ."
    places = [{"id": "house", "zone": [{"hexes": ["B1", "C1"]}], "holder": "russian"}]
    foe = squad("r", "russian/4-4-7", at="C1", broken=True, dm=True)
    clash = Clash("APh", cells, german=side(squad("a", at="A1"), squad("b", at="A2")), russian=side(foe), places=places)
    clash.play(Advance((A,), clash.hex("B1")))
    assert clash.state.control["house"] == "russian"


@rules("1.3", system="aslsk3")
def test_1_3_a_victory_at_once_ends_the_game() -> None:
    victory = [{"side": "german", "when": "at once", "goals": [{"kind": "casualties", "at_least": 2}]}]
    clash = Clash(
        "CCPh",
        HOUSE,
        german=side(squad("a", at="B2", melee=True)),
        russian=side(squad("r", "russian/4-4-7", at="B2", melee=True)),
        victory=victory,
    )
    clash.play(DeclareCloseCombat((CcAttack((A,), (R,)),)))
    clash.play(DeclareCloseCombat(), (1, 2))
    assert clash.state.ended
    assert clash.state.winner == "german"
    assert clash.rules.decision(clash.state) is None


@rules("1.3", system="aslsk3")
def test_1_3_points_for_losses() -> None:
    clash = Clash(
        "CCPh",
        HOUSE,
        german=side(squad("a", at="B2", melee=True)),
        russian=side(squad("r", "russian/4-4-7", at="B2", melee=True)),
    )
    clash.play(DeclareCloseCombat((CcAttack((A,), (R,)),)))
    clash.play(DeclareCloseCombat(), (2, 3))
    assert casualty_points(clash.context, clash.state, "russian") == 1, "half a squad"


@rules("3.2.3", system="aslsk3")
def test_3_2_3_a_broken_unit_next_to_a_known_enemy_comes_under_dm() -> None:
    foe = squad("r", "russian/4-4-7", at="C2", broken=True)
    clash = Clash("APh", HOUSE, german=side(squad("a", at="A2"), squad("b", at="A1")), russian=side(foe))
    assert not clash.unit("r").dm
    clash.play(Advance((A,), clash.hex("B2")))
    assert clash.unit("r").dm


@rules("3.3.1", "3.8", system="aslsk3")
def test_3_8_pins_go_at_the_end_of_the_phase() -> None:
    clash = Clash("APh", german=side(squad("a", at="A1", pinned=True), squad("b", at="A2")), russian=side())
    clash.play(Done())
    assert not clash.unit("a").pinned


@rules("1.2", "1.2.4", system="aslsk3")
def test_1_2_counters_show_what_the_kit_prints() -> None:
    gun = {"id": "mg", "card": "german/MMG", "owner": "a"}
    units = [
        squad("a", "german/4-6-8", at="A1", mark="Prep Fire", pinned=True),
        squad("l", "german/9-1", at="A1"),
        squad("b", "german/4-6-7", at="B1", broken=True, dm=True),
    ]
    clash = Clash("APh", german=side(*units, weapons=[gun]), russian=side(squad("r", "russian/4-4-7", at="E5")))
    counters = {counter.id: counter for counter in clash.rules.view(clash.state, Seat("german")).counters}
    assert [value.text for value in counters["a"].face.values] == ["4^2", "6", "8"]
    assert {marker.text for marker in counters["a"].markers} == {"Prep", "Pin"}
    assert [value.text for value in counters["l"].face.values] == ["9", "-1"]
    assert [value.text for value in counters["b"].face.values] == ["7"]
    assert "DM" in {marker.text for marker in counters["b"].markers}
    assert counters["mg"].face.values[0].text == "5-12"
    assert counters["mg"].hex == "A1"


@rules("3.8", system="aslsk3")
def test_3_8_exact_odds_of_a_close_combat() -> None:
    clash = Clash(
        "CCPh",
        HOUSE,
        german=side(squad("a", at="B2", melee=True)),
        russian=side(squad("r", "russian/4-4-7", at="B2", melee=True, broken=True, dm=True)),
    )
    attack = DeclareCloseCombat((CcAttack((A,), (R,)),))
    chances = {chance.what: chance.exact for chance in odds(clash.rules, clash.state, [(Seat("german"), attack)])}
    assert chances["no effect"] == "5/12", "more than 7 after the -2 for a broken unit"
    eliminated = sum(
        float(chance.probability)
        for chance in odds(clash.rules, clash.state, [(Seat("german"), attack)])
        if "r eliminated" in chance.what
    )
    assert eliminated == pytest.approx(15 / 36)


@rules("3.0", system="aslsk3")
def test_3_0_markers_go_with_their_phases() -> None:
    units = [squad("a", at="A1", mark="First Fire"), squad("b", at="B1", mark="Prep Fire", used=["mg"], forfeited=True)]
    clash = Clash("DFPh", german=side(*units), russian=side(squad("r", "russian/4-4-7", at="G5", mark="Final Fire")))
    while clash.state.phase is not Phase.ADVANCE:
        clash.play(Done())
    assert all(unit.mark is Mark.NONE for unit in clash.state.units.values())
    assert not clash.unit("b").forfeited


@rules("4.0", system="aslsk3")
def test_4_0_the_weapons_of_the_eliminated_stay_in_the_hex() -> None:
    gun = {"id": "mg", "card": "russian/LMG", "owner": "r"}
    clash = Clash(
        "CCPh",
        HOUSE,
        german=side(squad("a", at="B2", melee=True)),
        russian=side(squad("r", "russian/4-4-7", at="B2", melee=True), weapons=[gun]),
    )
    clash.play(DeclareCloseCombat((CcAttack((A,), (R,)),)))
    clash.play(DeclareCloseCombat(), (1, 2))
    weapon = next(iter(clash.state.weapons.values()))
    assert weapon.state is WeaponState.WORKING
    assert weapon.owner == ""
    assert weapon.hex == clash.hex("B2")


@pytest.mark.parametrize("scenario", ["sk-4-tools-of-the-trade", "sk-6-steel-in-the-corn"])
def test_every_event_and_action_has_words(scenario: str) -> None:
    game = random_game(scenario, 3)
    for line in game.lines[1:]:
        assert game.ruleset.describe(line.action)  # type: ignore[union-attr]
        for event in line.events:  # type: ignore[union-attr]
            told = game.ruleset.narrate(event)
            assert told == "" or told.endswith(".")
