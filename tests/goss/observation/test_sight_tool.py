"""8.1 The tools of sight: what they show is what the rules go by, with the reason where one does not see."""

from typing import Any

import pytest

from sandtable.geo.sight import ShowsSight
from sandtable.systems.goss.observation.observing import sees
from tests.goss.positions import position

rules = pytest.mark.rules


def shown(cells: str, a: str, b: str, **more: Any) -> Any:
    """The line between two hexes of a column, drawn from left to right."""
    found = position(cells.replace(" ", " \n") + "\n", {"0101": ["61-inf/1-481"]}, {}, **more)
    return found.ruleset.sight(found.state, *map(found.ruleset.game_map.hex, (a, b)))


@rules("8.1.0", "8.1.1", system="goss")
def test_a_town_blocks_and_is_named_and_a_height_sees_over_it() -> None:
    line = shown("c t .", "0101", "0103")
    assert (line.blocked, line.by, line.rules, line.range_hexes) == (True, "a town", ("8.1.1",), 2)
    assert line.reason == "a town in 0102 stands in the way"
    assert not shown("V t .", "0101", "0103").blocked
    assert shown("V V .", "0101", "0103").reason == "a vantage point in 0102 stands in the way"


@rules("8.1.2", "8.1.2a", system="goss")
def test_the_range_is_told_and_what_rough_terrain_takes_off() -> None:
    line = shown(". . .", "0101", "0103")
    assert (line.blocked, line.at, line.by, line.rules) == (True, None, "the range", ("8.1.2",))
    assert line.reason == "one sees 1 hex from 0101"
    assert not shown(". . .", "0101", "0102").blocked
    line = shown("V r . .", "0101", "0104")
    assert (line.reason, line.rules) == ("one sees 2 hexes from 0101", ("8.1.2", "8.1.2a"))
    line = shown("V r . .", "0101", "0103")
    assert not line.blocked
    assert [one.rule for one in line.hindrances] == ["8.1.2a"]


@rules("8.1.2b", "8.1.2c", system="goss")
@pytest.mark.parametrize(
    ("hour", "reason", "rule"),
    [
        ({"part": "Night"}, "one sees 1 hex from 0101 by night", "8.1.2b"),
        ({"sky": "Storm"}, "one sees 1 hex from 0101 in a storm", "8.1.2c"),
        ({"sky": "Ovr"}, "one sees 2 hexes from 0101 with the sky overcast", "8.1.2c"),
    ],
)
def test_night_and_foul_weather_are_named(hour: dict[str, Any], reason: str, rule: str) -> None:
    line = shown("V . . .", "0101", "0104", **hour)
    assert (line.reason, line.rules[0]) == (reason, rule)
    assert not shown("V . . .", "0101", "0104").blocked
    line = shown(". . .", "0101", "0103", **hour)
    assert (line.reason, line.rules) == ("one sees 1 hex from 0101", ("8.1.2",)), "who sees one hex loses none"


def test_the_ruleset_offers_the_tools() -> None:
    assert isinstance(position(".", {"0101": ["61-inf/1-481"]}, {}).ruleset, ShowsSight)


def test_field_and_lines_agree_with_the_rules_on_every_pair() -> None:
    found = position("V t . r \n. c v . \nr . V . \n", {"0101": ["61-inf/1-481"]}, {})
    rules, state = found.ruleset, found.state
    hexes = rules.game_map.hexes
    for a in hexes:
        field = rules.field(state, a)
        assert a in field
        for b in hexes:
            line = rules.sight(state, a, b)
            assert line.blocked is (a != b and not sees(rules.context, state, a, b))
            assert (b in field) is not line.blocked
            assert bool(line.reason) is line.blocked
