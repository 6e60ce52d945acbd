"""What a table tells of its scenario besides the game: how it is won, what the ground does."""

from __future__ import annotations

import pytest

from sandtable import catalog
from sandtable.geo.map import map_of
from sandtable.session.presenting.atlas import draw_map, legend_of
from sandtable.session.presenting.reference import objectives, sides, victory
from tests.toy_system import Toy


@pytest.mark.parametrize(
    ("scenario", "line"),
    [
        ("s20-joseph-351", "Allies at the end of turn 4: The Allies control thirty hill hexes."),
        ("s20-joseph-351", "German at the end of the game: wins if no condition of the other side is met."),
        ("sk-3-room-by-room", "Russian at any time: The garrison is destroyed."),
        (
            "sk-1-the-road-into-bretteville",
            "American at the end of the game: The Americans hold four",
        ),
        ("na-attack-on-asfar-ridge", "British: 85 % of the points of every enemy vehicle destroyed."),
        ("na-attack-on-asfar-ridge", "A lead of 10 points or less is a draw."),
        ("mbt-delay-at-lindenhof", "American: 50 points for each vehicle that leaves by 1A5, 1A6, 1A7"),
    ],
)
def test_how_a_game_is_won_is_told_in_lines(scenario: str, line: str) -> None:
    ruleset = catalog.open_scenario(scenario).ruleset
    told = victory(ruleset.view(ruleset.setup(), None).stakes)
    assert any(one.startswith(line) for one in told), told


def test_sides_have_the_titles_and_colours_of_their_scenario_or_the_system_s_own() -> None:
    system = catalog.system("aslsk3")
    _, header = catalog.open_scenario("sk-2-the-second-wave")
    told = sides(catalog.sides(system, header.scenario), ("german", "russian"))
    assert [(one.id, one.title, one.colour) for one in told] == [
        ("german", "Alarm company, Infanterie-Regiment 481", "grey"),
        ("russian", "3rd Battalion, 1215th Rifle Regiment", "brown"),
    ]
    situation = {"situation": {"sides": [{"id": "italian"}, {"id": "blue", "title": "The Blues", "colour": "blue"}]}}
    told = sides(catalog.sides(system, situation), ("italian", "blue", "west"))
    assert [(one.title, one.colour) for one in told] == [("Italian", "khaki"), ("The Blues", "blue"), ("West", "west")]


@pytest.mark.parametrize("draft", [{}, {"sides": 5}, {"sides": [{"title": "nobody"}]}, {"sides": {"west": {}}}])
def test_sides_that_cannot_be_read_are_not_told(draft: dict[str, object]) -> None:
    assert not catalog.sides(catalog.system("mbt"), draft)
    assert not catalog.sides(Toy(), draft), "a system need not name its sides"


def test_places_worth_points_are_told() -> None:
    ruleset = catalog.open_scenario("na-attack-on-asfar-ridge").ruleset
    told = objectives(ruleset.view(ruleset.setup(), None).stakes)
    assert told
    assert all(one.hexes and one.points for one in told)


def test_the_legend_has_what_the_terrain_chart_says() -> None:
    ruleset, _ = catalog.open_scenario("s20-joseph-351")
    game_map = map_of(ruleset)
    assert game_map is not None
    legend = draw_map(game_map, legend_of(catalog.system("aslsk3"), catalog.library("aslsk3"))).legend
    assert legend["woods"].facts["MF"] == "2"
    assert legend["woods"].facts["TEM"] == "+1"
    assert legend["grain"].facts["MF"] == "1.5"
    assert legend["orchard"].facts["season"] == "April to October"
    assert legend[""].facts["MF"] == "1"
