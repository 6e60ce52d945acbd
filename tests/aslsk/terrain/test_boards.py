"""The project's own boards agree with what is known of every printed hex (1.1, 1.1.1)."""

import json
from fractions import Fraction
from typing import Any

import pytest

from sandtable.geo.hex import DIRECTION_NAMES, neighbour
from sandtable.geo.placing import PlacementDraft
from sandtable.geo.terrain_query import TerrainQuery
from sandtable.systems.aslsk.common.context import HexPlace, TerrainKind
from tests.aslsk.sight_grounds import BOARDS, SHARED, blocked_at, ground, hindered, placed, sees, shipped

rules = pytest.mark.rules
facts = pytest.mark.skipif(
    not SHARED.is_dir(), reason="no ../shared with facts of the printed boards beside the checkout"
)

KINDS = {
    "open": TerrainKind.OPEN,
    "road": TerrainKind.OPEN,
    "woods": TerrainKind.WOODS,
    "woods_road": TerrainKind.WOODS,
    "orchard": TerrainKind.ORCHARD,
    "orchard_road": TerrainKind.ORCHARD,
    "grain": TerrainKind.GRAIN,
    "brush": TerrainKind.BRUSH,
    "stone_building": TerrainKind.STONE_BUILDING,
    "wooden_building": TerrainKind.WOODEN_BUILDING,
}
WORDS = {
    TerrainKind.WOODS: "woods",
    TerrainKind.GRAIN: "grain",
    TerrainKind.BRUSH: "brush",
    TerrainKind.STONE_BUILDING: "stone_building",
    TerrainKind.WOODEN_BUILDING: "wooden_building",
}


def place(label: str) -> HexPlace:
    """A hex by its board's letter and its label, such as tK2."""
    on = ground(label[0])
    return on.place(on.map.hex(label[1:]))


def known(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((SHARED / "aslsk3" / "boards" / f"board_{name}.json").read_text())["data"]
    return found


@rules("1.1", system="aslsk3")
@pytest.mark.parametrize("name", BOARDS)
def test_1_1_a_board_has_33_columns_and_half_hexes_at_its_edges(name: str) -> None:
    on = ground(name)
    assert len(on.map.hexes) == 17 * 10 + 16 * 11
    for label in ("A1", "A10", "B0", "B10", "GG1", "GG10", "FF10", "P5"):
        assert on.map.label(on.map.hex(label)) == label
    assert on.map.hex(f"{name}K2") == on.map.hex("K2")


@rules("1.1.1", system="aslsk3")
def test_1_1_1_the_hexes_that_the_rulebook_names() -> None:
    assert place("tC2").kind is TerrainKind.OPEN
    assert place("tC2").open_ground
    assert place("uH7").kind is TerrainKind.STONE_BUILDING
    assert place("uY2").road
    assert not place("uY2").paved
    assert place("uL6").paved
    assert place("vC8").kind is TerrainKind.WOODS
    assert (place("tC5").kind, place("tC5").road) == (TerrainKind.WOODS, True)
    assert place("vAA2").kind is TerrainKind.ORCHARD
    assert (place("vV4").kind, place("vV4").road) == (TerrainKind.ORCHARD, True)
    assert place("tP6").kind is TerrainKind.GRAIN
    assert place("uCC8").kind is TerrainKind.BRUSH
    assert place("vK8").level == 1
    crest = ground("v").sightings.pieces(ground("v").map.hex("AA8"), TerrainQuery(above=0)).share
    assert 0 < crest < 1


@rules("1.1.1", system="aslsk3")
@facts
@pytest.mark.parametrize("name", BOARDS)
def test_1_1_1_every_hex_is_what_is_printed(name: str) -> None:
    on = ground(name)
    wrong = []
    for label, fact in known(name)["hexes"].items():
        here = on.place(on.map.hex(label))
        if (here.kind, here.level) != (KINDS[fact["terrain"]], fact["elev"]):
            wrong.append((label, here, fact))
        if "road_type" in fact and here.paved is not (fact["road_type"] == "paved"):
            wrong.append((label, here, fact))
    assert not wrong


@rules("1.1.1", system="aslsk3")
@facts
@pytest.mark.parametrize("name", BOARDS)
def test_1_1_1_roads_cross_the_hexsides_that_are_printed(name: str) -> None:
    on = ground(name)
    wrong = []
    for label, fact in known(name)["hexes"].items():
        hex = on.map.hex(label)
        roads = {word for way, word in enumerate(DIRECTION_NAMES) if on.has_road(hex, way)}
        crossed, touched = set(fact.get("road_hexsides", ())), set(fact.get("road_touch_hexsides", ()))
        if not crossed <= roads <= crossed | touched:
            wrong.append((label, sorted(roads), sorted(crossed)))
    assert not wrong


@rules("1.1.1", system="aslsk3")
@facts
@pytest.mark.parametrize("name", BOARDS)
def test_1_1_1_depictions_stay_in_their_hexes_and_crests_run_through_the_hexes_that_have_them(name: str) -> None:
    on = ground(name)
    wrong = []
    for label, fact in known(name)["hexes"].items():
        hex = on.map.hex(label)
        here = on.place(hex)
        above = on.sightings.pieces(hex, TerrainQuery(above=0)).share
        if (0 < above < 1) is not bool(fact.get("crest")):
            wrong.append((label, "crest", above))
        for kind, word in WORDS.items():
            share = on.sightings.pieces(hex, TerrainQuery.at(word)).share
            if (kind is here.kind) is not (share >= Fraction(1, 20)) or (kind is not here.kind and share):
                wrong.append((label, word, share))
    assert not wrong


@rules("1.1.1", system="aslsk3")
@facts
@pytest.mark.parametrize("name", BOARDS)
def test_1_1_1_buildings_have_the_hexes_that_are_printed(name: str) -> None:
    on = ground(name)
    for building in known(name)["buildings"]:
        names = {on.place(on.map.hex(label)).building for label in building["hexes"]}
        assert len(names) == 1, building
        assert "" not in names


@rules("1.1", system="aslsk3")
@pytest.mark.parametrize("side", ["right_of", "below"])
@pytest.mark.parametrize("turned", [False, True])
def test_1_1_boards_join_on_every_edge(side: str, turned: bool) -> None:
    """Roads run on where they are joined long edge to long edge."""
    for name in "tuv":
        other = "v" if name == "t" else "t"
        right, below = (name, "") if side == "right_of" else ("", name)
        drafts = PlacementDraft(name), PlacementDraft(other, turned=turned, right_of=right, below=below)
        on = placed([shipped(name), shipped(other)], *drafts)
        assert len(on.map.hexes) == 2 * 346 - (10 if side == "right_of" else 16)
        if side == "below" and not turned:
            hex = on.map.hex(f"{name}I10")
            assert on.has_road(hex, 3) == ground(name).has_road(ground(name).map.hex("I10"), 3)


# --- the rulebook's examples ----------------------------------------------------------------------------


@rules("3.2.1", system="aslsk3")
def test_3_2_1_line_of_sight_example() -> None:
    on = ground("y")
    assert hindered(on, "I2", "F3") == []
    assert hindered(on, "I2", "J5") == ["J4"]
    assert blocked_at(on, "I2", "K4") == ("J3", "stone building")


@rules("1.1.1", system="aslsk3")
def test_1_1_1_orchard_example() -> None:
    summer, winter = ground("w"), ground("w", 12)
    assert blocked_at(summer, "W4", "W2") == ("W3", "orchard")
    assert blocked_at(summer, "W4", "X2") == ("W3", "orchard")
    assert hindered(winter, "W4", "W2") == ["W3"]
    assert hindered(winter, "W4", "X2") == ["W3"]
    for on in (summer, winter):
        assert hindered(on, "W4", "W3") == []


@rules("1.1.1", "3.2.1", system="aslsk3")
def test_1_1_1_height_advantage_and_hill_example() -> None:
    on = ground("w")
    label = on.map.hex
    assert hindered(on, "E9", "I7") == []
    assert on.place(label("F8")).kind is TerrainKind.GRAIN
    assert not sees(on, "E9", "I6")
    assert not sees(on, "I6", "E9")
    # H7 to I7 and to G7 lead uphill over a crest line, I6 to I7 does not.
    ways = {DIRECTION_NAMES[way]: way for way in range(6)}
    assert on.climbs(label("H7"), ways["SE"]) or on.climbs(label("H7"), ways["NE"])
    assert on.place(label("H7")).level == 0
    assert on.place(label("G7")).kind is TerrainKind.STONE_BUILDING
    assert on.place(label("I6")).level == on.place(label("I7")).level == on.place(label("G7")).level == 1
    # The line from E9 comes into I7 through the side to H7.
    sides = on.entry_side(label("E9"), label("I7"))
    assert label("H7") in [neighbour(label("I7"), way) for way in sides]


@rules("3.2.1", system="aslsk3")
def test_3_2_1_prep_fire_phase_example() -> None:
    on = ground("y")
    assert hindered(on, "N5", "P5") == ["O5"]
    assert hindered(on, "O6", "P5") == []
    assert hindered(on, "N5", "P1") == []
    assert hindered(on, "N4", "O5") == []


@rules("3.2.1", system="aslsk3")
def test_3_2_1_sight_in_the_movement_and_rout_examples() -> None:
    on = ground("z")
    for target in ("J3", "K3", "I5", "J5", "K6"):
        assert hindered(on, "K5", target) == [], target
    for interdictor in ("O6", "M6", "L7"):
        assert sees(on, "N7", interdictor)
    assert any(sees(on, "N8", interdictor) for interdictor in ("O6", "M6", "L7"))
    assert sees(on, "M9", "O6")
    assert sees(on, "M9", "L7")


@rules("3.2.1", system="aslsk3")
def test_3_2_1_sight_in_the_to_hit_examples() -> None:
    on = ground("x")
    assert hindered(on, "M3", "J5") == ["L3"]
    assert hindered(on, "M3", "O4") == ["N3"]
    for firer, target in (("E8", "C7"), ("E8", "B7"), ("E9", "C7"), ("E9", "B7"), ("D8", "B7")):
        assert hindered(on, firer, target) == [], (firer, target)
    assert hindered(ground("w"), "DD9", "DD7") == ["DD8"]


@rules("1.1.1", "3.2.1", system="aslsk3")
def test_3_2_1_sight_in_the_to_hit_to_kill_example() -> None:
    summer, winter = ground("v"), ground("v", 12)
    for target in ("C6", "C5", "D4", "E5", "F4"):
        assert blocked_at(summer, "E3", target)[1] == "orchard"
    assert hindered(summer, "E3", "G5") == []
    # D4 is crossed, E4 met along its hexside only.
    assert hindered(winter, "E3", "C6") == ["D4", "E4"]
    for target in ("O7", "N9"):
        assert hindered(summer, "L8", target) == []
