"""1.0, 2.0, 5.2: what a game is made of, the words that are rules by themselves, and what nations differ in."""

from typing import Any

import pytest

from sandtable import catalog
from sandtable.systems.aslsk.common.actions import Done, Fire, Rally, TransferWeapon
from sandtable.systems.aslsk.common.events import FireResolved
from sandtable.systems.aslsk.common.possession import is_captured
from sandtable.systems.aslsk.common.stacking import may_stack
from sandtable.systems.aslsk.pieces.card_files import parse_cards
from sandtable.systems.aslsk.pieces.cards import Nationality, UnitKind, WeaponKind
from sandtable.systems.aslsk.pieces.state import Phase, UnitId, WeaponId
from sandtable.systems.aslsk.rules import AslskRules
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
A, B, L, R = map(UnitId, ("a", "b", "l", "r"))
MG = WeaponId("mg")


def cards() -> Any:
    return parse_cards({place: data for _, data, place in catalog.library("aslsk3").section("cards")})


# --- 1.0 --------------------------------------------------------------------------------------------------------


@rules("1.0", "1.2", system="aslsk3")
def test_1_0_the_counters_are_leaders_mmc_and_support_weapons() -> None:
    found = cards()
    assert {card.kind for card in found.units.values()} == set(UnitKind)
    assert {card.kind for card in found.weapons.values()} == set(WeaponKind)
    minors = {Nationality.AXIS_MINOR, Nationality.ALLIED_MINOR}
    assert {card.nationality for card in found.units.values()} == set(Nationality) - minors


@rules("1.0", "1.1", "1.3", system="aslsk3")
@pytest.mark.parametrize("head", catalog.scenarios("aslsk3"), ids=lambda head: head.id)
def test_1_0_a_scenario_has_a_map_two_sides_counters_and_an_end(head: Any) -> None:
    game = catalog.open_scenario(head.id).ruleset
    assert isinstance(game, AslskRules)
    scenario = game.context.scenario
    assert len(game.seats) == 2
    assert scenario.draft.turns > 0
    sides = {piece.side for pieces in (scenario.units, scenario.vehicles) for piece in pieces.values()}
    assert sides == set(game.seats)
    for zone in scenario.zones.values():
        assert zone <= game.context.game_map.hexes
    labels = [game.context.label(hex) for hex in game.context.game_map.hexes]
    assert len(set(labels)) == len(labels), "every hex has a name of its own"


# --- 2.0 --------------------------------------------------------------------------------------------------------


@rules("2.0", system="aslsk3")
@pytest.mark.parametrize(
    ("flags", "good"),
    [({}, True), ({"pinned": True}, True), ({"cx": True}, True), ({"broken": True}, False), ({"melee": True}, False)],
)
def test_2_0_good_order_is_neither_broken_nor_in_melee(flags: dict[str, Any], good: bool) -> None:
    held = side(squad("r", "russian/4-4-7", at="A1", melee=True)) if "melee" in flags else side()
    clash = Clash(
        "RPh",
        german=side(
            squad("a", at="A1", **flags),
            squad("b", at="A1"),
            weapons=[{"id": "mg", "card": "german/LMG", "owner": "b"}],
        ),
        russian=held,
        step="transfer",
    )
    assert clash.unit("a").good_order == good
    assert (clash.why(TransferWeapon(MG, A)) == "") == good


@rules("2.0", "3.3.1", system="aslsk3")
@pytest.mark.parametrize(
    ("squads", "halves", "leaders", "fits"),
    [
        (3, 0, 4, True),
        (3, 1, 0, False),
        (2, 2, 0, True),
        (2, 3, 0, False),
        (0, 6, 4, True),
        (0, 7, 0, False),
        (0, 0, 5, False),
    ],
)
def test_2_0_two_half_squads_are_a_squad_equivalent(squads: int, halves: int, leaders: int, fits: bool) -> None:
    units = [squad(f"s{n}", at="A1") for n in range(squads)]
    units += [squad(f"h{n}", "german/2-4-7", at="A1") for n in range(halves)]
    units += [squad(f"l{n}", "german/8-0", at="A1") for n in range(leaders)]
    clash = Clash("MPh", german=side(*units), russian=side())
    assert may_stack(clash.context, clash.state, clash.state.units.values()) == fits


@rules("2.0", "3.1", system="aslsk3")
def test_2_0_a_known_enemy_is_one_in_sight() -> None:
    """DM stays on next to a Known Enemy Unit, a broken one too."""
    clash = Clash(
        "RPh",
        german=side(squad("a", at="A1", broken=True, dm=True), squad("l", "german/8-0", at="A1")),
        russian=side(squad("r", "russian/4-4-7", at="B1", broken=True)),
        step="unit rally",
    )
    assert clash.why(Rally(A, L)) == ""
    while clash.state.phase is Phase.RALLY:
        clash.play(Done() if clash.why(Done()) == "" else clash.options()[0])
    assert clash.unit("a").dm


@rules("2.0", "3.0", system="aslsk3")
def test_2_0_the_attacker_is_whose_player_turn_it_is() -> None:
    clash = Clash(
        "APh", german=side(squad("a", at="A1")), russian=side(squad("r", "russian/4-4-7", at="G5")), turns=2, victory=[]
    )
    assert clash.state.attacker == "german"
    clash.play(Done())
    assert clash.state.attacker == "russian"
    assert clash.asked == "russian"


@rules("2.0", "3.2.2", system="aslsk3")
@pytest.mark.parametrize(("at", "fp"), [("B1", 8), ("C1", 4), ("G1", 4), ("H1", 2)])
def test_2_0_point_blank_doubles_and_area_fire_halves(at: str, fp: int) -> None:
    clash = Clash(
        "PFPh",
        ". . . . . . . .",
        german=side(squad("a", at="A1")),
        russian=side(squad("r", "russian/4-4-7", at=at)),
    )
    clash.play(Fire((A,), (), clash.hex(at)), (6, 5))
    resolved = next(event for event in clash.events if isinstance(event, FireResolved))
    assert resolved.firepower.net == fp


# --- 5.2 --------------------------------------------------------------------------------------------------------


@rules("5.2", system="aslsk3")
def test_5_2_a_unit_keeps_its_nation_whatever_becomes_of_it() -> None:
    found = cards()
    for card in found.units.values():
        for other in (card.half_squad, card.replacement):
            if other:
                assert found.units[other].nationality is card.nationality


@rules("5.2", system="aslsk3")
@pytest.mark.parametrize(
    ("nation", "numbers"),
    [
        ("german", {(4, 6, 7), (4, 6, 8), (5, 4, 8), (4, 4, 7)}),
        ("russian", {(4, 4, 7), (4, 5, 8), (5, 2, 7), (4, 2, 6)}),
        ("american", {(6, 6, 6), (7, 4, 7)}),
        ("british", {(4, 5, 7)}),
        ("italian", {(3, 4, 6), (3, 4, 7)}),
    ],
)
def test_5_2_nations_differ_in_the_numbers_of_their_squads(nation: str, numbers: set[tuple[int, int, int]]) -> None:
    squads = {
        (card.fp, card.range, card.morale)
        for card in cards().units.values()
        if card.kind is UnitKind.SQUAD and card.nationality.value == nation
    }
    assert numbers <= squads


@rules("5.2", "5.5", system="aslsk3")
@pytest.mark.parametrize(("card", "captured"), [("german/LMG", False), ("russian/LMG", True)])
def test_5_2_a_weapon_belongs_to_a_nation(card: str, captured: bool) -> None:
    weapons = [{"id": "mg", "card": card, "owner": "a"}]
    clash = Clash(
        "PFPh", german=side(squad("a", at="A1"), weapons=weapons), russian=side(squad("r", "russian/4-4-7", at="C1"))
    )
    assert is_captured(clash.context, clash.state, clash.state.weapons[MG]) == captured
