"""1.x and 2.0: cards, tables and vehicles of the printed game as data, and a scenario made ready for play."""

import pytest

from sandtable import catalog
from sandtable.core.content.table import Status
from sandtable.geo.hex import NEIGHBOURS
from sandtable.systems.panzer.hex.rules import PanzerRules
from tests.rulebook.engine import both_books, play

SCENARIOS = {"panzer-na": "na-a-patrol-at-tamrad", "mbt": "mbt-a-crossroads-at-reinbach"}


def opened(book: str) -> PanzerRules:
    rules = catalog.open_scenario(SCENARIOS[book]).ruleset
    assert isinstance(rules, PanzerRules)
    return rules


@pytest.mark.rules("1.4", system="panzer-na")
@pytest.mark.rules("1.3", system="mbt")
@both_books
def test_the_game_cards_tables_say_their_rule_and_their_source(book: str) -> None:
    tables = opened(book).context.tables
    assert {"ap_hit", "ap_hit_modifiers", "ap_damage", "spotting_ranges", "movement_costs"} <= set(tables)
    for table in tables.values():
        assert table.rule
        assert table.source
        assert table.status in Status


@pytest.mark.rules("1.5", "1.6", "1.7", "1.7.1", system="panzer-na")
@pytest.mark.rules("1.4", "1.5", "1.6", "1.6.1", system="mbt")
@both_books
def test_every_vehicle_of_a_scenario_has_its_data_card(book: str) -> None:
    rules = opened(book)
    cards = rules.context.cards
    for unit in rules.setup().units.values():
        card = cards[unit.card]
        assert card.name
        assert card.nation
        assert card.provenance("armor.front")[0] in Status
        assert unit.side in rules.seats


@pytest.mark.rules("1.2")
@both_books
def test_1_2_hexes_have_identifiers_and_neighbours_on_the_board(book: str) -> None:
    game_map = opened(book).context.game_map
    labels = [game_map.label(hex) for hex in game_map.hexes]
    assert len(set(labels)) == len(labels)
    assert all(game_map.hex(label) == hex for label, hex in zip(labels, game_map.hexes, strict=True))
    assert all(any(near in game_map.hexes for near in NEIGHBOURS[hex]) for hex in game_map.hexes)


@pytest.mark.rules("2.0")
@both_books
def test_2_0_a_scenario_sets_up_its_forces_where_it_says(book: str) -> None:
    rules = opened(book)
    state = rules.setup()
    draft = rules.context.scenario.draft
    for side in draft.sides:
        for unit in side.units:
            placed = state.units[unit.id]  # type: ignore[index]
            assert placed.hex == (rules.context.game_map.hex(unit.at) if unit.at else None)


@pytest.mark.rules("2.0")
def test_2_0_special_conditions_change_the_ground() -> None:
    low = play("mbt", ".\nb\n.", "r1 tank A1 S\nb1 tank A3 N", legend={"b": "brick_building"})
    high = play(
        "mbt",
        ".\nb\n.",
        "r1 tank A1 S\nb1 tank A3 N",
        legend={"b": "brick_building"},
        conditions={"building_storeys": {"A2": 3}},
    )
    assert [game.context.ground.places[game.hex("A2")].obstacle for game in (low, high)] == [1, 3]
