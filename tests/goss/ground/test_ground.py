"""What hexes and hexsides are: roads that meet or not, bridges, contour lines, faults (1.2, 7.10, 7.11)."""

from __future__ import annotations

import pytest

from sandtable.core.errors import BadInput
from sandtable.geo.hexside import side_between
from sandtable.systems.goss.ground.kinds import Population, Road, Terrain, Water
from tests.goss.maps import board, drawn, ground_of

PLAIN = """
. . . .
. . . .
. . . .
"""


@pytest.mark.rules("1.2.0", system="goss")
def test_a_hex_may_be_several_things_at_once() -> None:
    game_map = drawn(". x .", legend={"x": ["forest", "rough2", "village"]})
    here = ground_of(game_map).at(game_map.hex("0201"))
    assert here.terrain == {Terrain.FOREST, Terrain.ROUGH2}
    assert here.population is Population.VILLAGE
    assert not here.is_clear
    assert ground_of(game_map).at(game_map.hex("0101")).is_clear


@pytest.mark.rules("7.10.1", system="goss")
def test_roads_meet_in_a_hex_unless_one_passes_the_other_by() -> None:
    across = {"kind": "primary_road", "line": ["0102", "0202", "0302"]}
    along = {"kind": "trail", "line": ["0201", "0202", "0203"]}
    joined = drawn(PLAIN, across, along)
    assert [len(ways) for ways in ground_of(joined).at(joined.hex("0202")).joints] == [4]
    apart = drawn(PLAIN, across, along | {"attributes": {"apart": "0202"}})
    here = ground_of(apart).at(apart.hex("0202"))
    assert sorted(len(ways) for ways in here.joints) == [2, 2]
    assert here.joined(0) == {0, 3}, "who comes by the trail stays on it"


@pytest.mark.rules("7.10.2", system="goss")
def test_a_bridge_is_wherever_a_road_crosses_water_without_a_ford() -> None:
    water = {"kind": "river", "sides": ["0202:N/S"]}
    road = {"kind": "secondary_road", "line": ["0201", "0202", "0203"]}
    game_map = drawn(PLAIN, water, road, {"kind": "ford", "sides": ["0202:S"]})
    ground = ground_of(game_map)
    north = side_between(game_map.hex("0201"), game_map.hex("0202"))
    south = side_between(game_map.hex("0202"), game_map.hex("0203"))
    assert ground.bridges == {north: Road.SECONDARY}
    assert ground.fords == {south}
    assert {ground.water[side] for side in (north, south) if side} == {Water.RIVER}


@pytest.mark.parametrize(
    ("feature", "told"),
    [
        ({"kind": "bridge", "sides": ["0202:N"]}, "a bridge on side N of 0202, where no water is"),
        (
            {"kind": "ford", "sides": ["0202:SE"]},
            r"test: features\[\d+\] \(ford\)\.sides: a ford on side SE of 0202, where no water is",
        ),
        ({"kind": "river", "hexes": ["0202"]}, "'river' in this shape is no terrain"),
        ({"kind": "jungle", "hexes": ["0202"]}, "'jungle' in this shape is no terrain"),
        ({"kind": "ft_area", "hexes": ["0202"]}, "a fortified area of ''"),
        ({"kind": "high_vantage_point", "hexes": ["0202"], "attributes": {"reach": 0}}, "sees 0 hexes"),
        ({"kind": "trail", "line": ["0201", "0202"], "attributes": {"apart": "9999"}}, "'9999' is not on the map"),
    ],
)
def test_what_cannot_be_is_named(feature: dict[str, object], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        ground_of(drawn(PLAIN, feature))


def test_the_valley_of_the_lorn_reads_as_it_was_drawn() -> None:
    game_map = board("lorn")
    ground = ground_of(game_map)
    assert len(ground.hexes) == 280
    over = {game_map.label(side.hex): road for side, road in ground.bridges.items()}
    assert over == {"0907": Road.PRIMARY, "1607": Road.PRIMARY, "0903": Road.SECONDARY, "1211": Road.TRAIL}
    assert ground.at(game_map.hex("1405")).contours == ground.at(game_map.hex("1405")).joints
    assert ground.at(game_map.hex("1506")).ft_area == "axis"
