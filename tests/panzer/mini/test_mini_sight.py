"""5.5 Line of sight on a table: features, heights, zones, and what holds however the table is turned."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.geo.plane.lines import Zone
from sandtable.geo.plane.points import Point
from sandtable.systems.panzer.mini.ground import Ground
from sandtable.systems.panzer.mini.sight.heights import verdict
from sandtable.systems.panzer.mini.sight.lines import Sights
from sandtable.systems.panzer.mini.sight.smoke import smoke_on
from sandtable.systems.panzer.mini.state import Patch
from tests.panzer.mini.tables import TABLES, TERRAIN, box, inch, patch, sights_on, table_of

MINI = "panzer-mini"
A, B = inch(10, 20), inch(30, 20)


def hill(left: float, top: float, right: float, bottom: float, level: int) -> dict[str, Any]:
    return box("hill", left, top, right, bottom, level=level)


# --- features -----------------------------------------------------------------------------------------


@pytest.mark.rules("5.5.1.3", "5.5.1.10", "5.5.1.19", "5.5.1.23", "5.5.1.24", system=MINI)
@pytest.mark.parametrize("kind", ["woods", "heavy_woods", "wood_building", "brick_building", "stone_building"])
def test_5_5_1_woods_and_buildings_block(kind: str) -> None:
    sights = sights_on(box(kind, 18, 18, 22, 22))
    line = sights.line(A, B)
    assert (line.blocked, line.rules[0]) == (True, "5.5.2.1")
    assert not sights.sees(A, B)
    assert sights.sees(A, inch(30, 30))
    top = 4 if kind == "heavy_woods" else 3 if kind == "woods" else 1
    assert max(step.top for step in line.steps) == top


LOW = sorted(kind for kind, row in TERRAIN.items() if not row.blocks)


@pytest.mark.rules("5.5.1.1", "5.5.1.2", "5.5.1.4", "5.5.1.5", "5.5.1.6", "5.5.1.7", "5.5.1.8", "5.5.1.9", system=MINI)
@pytest.mark.rules("5.5.1.11", "5.5.1.12", "5.5.1.13", "5.5.1.14", "5.5.1.15", "5.5.1.16", "5.5.1.18", system=MINI)
@pytest.mark.rules("5.5.1.20", "5.5.1.21", "5.5.1.22", system=MINI)
@pytest.mark.parametrize("kind", LOW)
def test_5_5_1_what_is_low_or_thin_blocks_nothing(kind: str) -> None:
    level = {"level": -1} if kind == "depression" else {}
    below = [box("stream", 17, 17, 23, 23)] if kind in ("ford", "bridge") else []
    assert sights_on(*below, box(kind, 18, 18, 22, 22, **level)).sees(A, B)


@pytest.mark.rules("5.5.1.3", system=MINI)
def test_5_5_1_3_a_storey_is_a_height() -> None:
    sights = sights_on(box("brick_building", 19, 18, 21, 22, attributes={"storeys": 2}))
    assert max(step.top for step in sights.line(A, B).steps) == 2


@pytest.mark.rules("5.5", system=MINI)
def test_5_5_a_touch_is_enough_but_a_corner_is_none() -> None:
    assert not sights_on(box("woods", 18, 20, 22, 24)).sees(A, B)  # along an edge
    corner = {"kind": "woods", "outline": [[20, 20], [24, 26], [16, 26]]}
    assert sights_on(corner).sees(A, B)
    assert not sights_on({**corner, "outline": [[20, 19.999], [24, 26], [16, 26]]}).sees(A, B)


@pytest.mark.rules("5.5.1.17", system=MINI)
def test_5_5_1_17_a_crest_hides_one_side_from_the_other() -> None:
    sights = sights_on({"kind": "crest", "line": ["20,10", "20,30"], "width": 1})
    assert not sights.sees(A, B)
    near, far, on = inch(19.7, 20), inch(20.3, 20), inch(20, 20)
    assert sights.sees(A, near)
    assert not sights.sees(A, far)
    assert sights.sees(B, far)
    assert sights.sees(A, on)
    assert sights.sees(B, on)


@pytest.mark.rules("5.5.1.11", "5.5.1.17", system=MINI)
def test_5_5_1_11_hills_block_and_slopes_are_no_higher() -> None:
    slope = {"kind": "slope", "line": ["18,18", "18,22"], "width": 1}
    assert not sights_on(hill(18, 18, 22, 22, 1), slope).sees(A, B)
    assert sights_on(hill(18, 18, 22, 22, 1), slope).sees(inch(17.7, 16), inch(17.7, 26))


@pytest.mark.rules("5.5.1.11", system=MINI)
def test_5_5_1_11_a_hill_is_not_in_the_way_of_those_upon_it() -> None:
    sights = sights_on(hill(18, 10, 34, 30, 1))
    assert sights.sees(A, B)
    assert sights.sees(inch(20, 20), inch(33, 25))
    # Beyond it the plateau is an obstacle again.
    assert not sights.sees(A, inch(40, 20))
    # A gap between two hills ends the own one.
    assert not sights_on(hill(28, 10, 34, 30, 1), hill(20, 10, 24, 30, 1)).sees(A, B)


@pytest.mark.rules("5.5.1.11", system=MINI)
def test_5_5_1_11_what_stands_on_a_hill_stands_higher() -> None:
    sights = sights_on(hill(15, 10, 25, 30, 1), box("woods", 18, 18, 20, 22))
    line = sights.line(A, inch(24, 20))
    assert [step.top for step in line.steps] == [0, 1, 4, 1]
    assert line.by == "Woods and Groves"


@pytest.mark.rules("5.5.1.11", "5.5.2", "5.5.2.3", system=MINI)
def test_5_5_1_11_what_stands_in_a_depression_stands_lower() -> None:
    ends = [hill(8, 18, 12, 22, 2), hill(28, 18, 32, 22, 2)]
    woods, hollow = box("woods", 18, 18, 22, 22), box("depression", 17, 17, 23, 23, level=-1)
    for features, blocked in (([woods], True), ([hollow, woods], False)):
        sights = sights_on(*ends, *features)
        assert sights.line(A, B).blocked is blocked
        assert sights.sees(A, B) is not blocked


@pytest.mark.rules("5.5.1.17", system=MINI)
def test_5_5_1_17_a_line_over_a_bend_of_the_ridge_crosses_it() -> None:
    sights = sights_on({"kind": "crest", "line": ["20,10", "20,20", "20,30"], "width": 1})
    assert sights.sees(A, inch(19.7, 20))
    assert not sights.sees(A, inch(20.3, 20))


# --- heights ------------------------------------------------------------------------------------------


@pytest.mark.rules("5.5.2.1", "5.5.2.2", "5.5.2.3", "5.5.2.4", "5.5.2.4.1", "5.5.2.4.3", system=MINI)
@pytest.mark.parametrize(
    ("top", "heights", "zones", "blocks", "number"),
    [
        (3, (0, 2), "M", True, "5.5.2.1"),
        (2, (0, 2), "M", True, "5.5.2.2"),
        (2, (2, 2), "M", False, "5.5.2.3"),
        (1, (2, 3), "M", False, "5.5.2.3"),
        (1, (0, 3), "C", True, "5.5.2.4"),
        (1, (0, 3), "M", False, "5.5.2.4"),
        (2, (0, 3), "M", True, "5.5.2.4"),
        (2, (0, 3), "F", False, "5.5.2.4"),
        (1, (0, 3), "MC", True, "5.5.2.4"),
        (1, (3, 0), "F", True, "5.5.2.4"),
    ],
)
def test_5_5_2_the_four_cases(top: int, heights: tuple[int, int], zones: str, blocks: bool, number: str) -> None:
    named = {"C": Zone.CLOSE, "M": Zone.MIDWAY, "F": Zone.FAR}
    found = verdict(TABLES["line_of_sight"], top, *heights, [named[zone] for zone in zones])
    assert (found.blocks, found.rule) == (blocks, number)


@pytest.mark.rules("5.5.2", system=MINI)
def test_5_5_2_the_line_runs_to_the_unit_and_its_highest_obstacle_counts() -> None:
    """A hill of 1 hides nothing between hills of 1; the house upon it does, and woods about the house still more."""
    ends = [hill(8, 18, 12, 22, 1), box("woods", 29.5, 18, 32, 22), hill(29, 18, 33, 22, 1)]
    middle = hill(18, 18, 22, 22, 1)
    house, woods = box("brick_building", 19.5, 19, 20.5, 21), box("woods", 19, 19, 21, 21)
    bare = sights_on(*ends, middle).line(A, B)
    # The target stands in the woods at the height of its ground, not up in the trees.
    assert (bare.blocked, bare.height_a, bare.height_b) == (False, 1, 1)
    tops = []
    for features in ([house], [house, woods], [woods, house]):
        line = sights_on(*ends, middle, *features).line(A, B)
        assert (line.blocked, line.rules) == (True, ("5.5.2.1",))
        tops.append(max(step.top for step in line.steps if step.blocks))
    assert tops == [2, 4, 4]


@pytest.mark.rules("5.5.2.4.5", "5.5.2.4.1", "5.5.2.4.2", system=MINI)
def test_5_5_2_4_5_three_obstacles_at_20_inches() -> None:
    """A at height 0, B on a hill of height 3: of three obstacles of height 1 only the closer one blocks."""
    target = box("hill", 29.5, 19, 31, 21, level=3)
    blocking = {}
    for name, x in (("closer", 14), ("midway", 19.5), ("farther", 25)):
        sights = sights_on(target, box("hill", x, 19, x + 1, 21, level=1))
        line = sights.line(A, B)
        assert (line.range_inches, line.height_a, line.height_b) == (20, 0, 3)
        blocking[name] = line.blocked
    assert blocking == {"closer": True, "midway": False, "farther": False}


@pytest.mark.rules("5.5.2.4.2", system=MINI)
def test_5_5_2_4_2_midway_is_an_inch_on_either_side_of_the_middle() -> None:
    target = box("hill", 29.5, 19, 31, 21, level=3)
    zones = {}
    for x in (18.5, 19.0, 20.9, 21.001):
        line = sights_on(target, box("hill", x, 19, round(x + 0.1, 3), 21, level=1)).line(A, B)
        zones[x] = line.steps[1].zones
    assert zones == {18.5: "C", 19.0: "M", 20.9: "M", 21.001: "F"}


@pytest.mark.rules("5.5.2.4.4", system=MINI)
def test_5_5_2_4_4_low_ground_does_not_see_low_ground() -> None:
    sights = sights_on(box("depression", 8, 18, 12, 22, level=-1), box("stream", 28, 18, 32, 22))
    line = sights.line(A, B)
    assert (line.blocked, line.rules) == (True, ("5.5.2.4.4",))
    assert sights.sees(A, inch(20, 20))
    assert sights.sees(A, inch(11.9, 20))
    # A stream in a depression lies lower still: the table ends at -1.
    deep = sights_on(box("depression", 8, 18, 32, 22, level=-1), box("stream", 8, 19, 32, 21))
    assert deep.line(A, B).height_a == -2
    assert (deep.line(A, B).blocked, deep.sees(A, B)) == (True, False)


# --- an inch of woods ---------------------------------------------------------------------------------


@pytest.mark.rules("5.4.2.4", system=MINI)
def test_5_4_2_4_an_inch_into_and_out_of_woods() -> None:
    sights = sights_on(box("woods", 20, 10, 30, 30))
    assert sights.sees(A, inch(21, 20))
    assert not sights.sees(A, inch(21.001, 20))
    assert sights.line(A, inch(21, 20)).rules == ("5.4.2.4",)
    # Two woods that touch are one; two that do not each have their inch.
    assert not sights_on(box("woods", 20, 10, 20.5, 30), box("woods", 20.5, 10, 30, 30)).sees(A, inch(21.5, 20))
    apart = sights_on(box("woods", 9, 10, 11, 30), box("woods", 29, 10, 31, 30))
    assert apart.sees(A, B)


@pytest.mark.rules("5.4.2.4", "5.4.2.7", system=MINI)
def test_5_4_2_7_within_an_inch_nothing_hides() -> None:
    sights = sights_on(box("heavy_woods", 10, 10, 40, 30))
    assert sights.sees(inch(20, 20), inch(21.999, 20))
    assert not sights.sees(inch(20, 20), inch(22, 20))
    line = sights.line(inch(20, 20), inch(21.999, 20))
    assert line.rules == ("5.4.2.7",)
    assert not any(step.blocks for step in line.steps)


# --- what lies upon what ------------------------------------------------------------------------------


@pytest.mark.rules("5.5.1.11", system=MINI)
def test_5_5_1_11_a_hollow_in_a_hill_lies_low_and_a_knoll_in_a_hollow_high() -> None:
    hollow, knoll = box("depression", 18, 18, 22, 22, level=-1), box("hill", 19, 19, 21, 21, level=2)
    ground = sights_on(hill(10, 10, 30, 30, 1), hollow, knoll).ground
    assert [ground.at(inch(x, 20)).height for x in (5, 15, 18.5, 20)] == [0, 1, -1, 2]


@pytest.mark.rules("5.5.1.3", "5.5.1.12", "5.5.3", system=MINI)
def test_5_5_1_3_a_building_hides_hulls_whatever_is_drawn_over_it() -> None:
    ground = sights_on(box("brick_building", 9, 18, 12, 22), box("scrub", 8, 17, 13, 23)).ground
    assert ground.at(A).hides_hull
    assert not ground.at(inch(12.5, 20)).hides_hull


# --- smoke and memory ---------------------------------------------------------------------------------


@pytest.mark.rules("5.5.1.2", "8.4.2.8", system=MINI)
def test_5_5_1_2_each_smoke_on_the_line_counts_unless_it_lies_below() -> None:
    patches = (patch("brew_up_smoke", 15, 20), patch("wreck", 15, 20), patch("brew_up_smoke", 20, 20.5))
    sights = sights_on(patches=patches)
    assert sights.sees(A, B)
    assert len(smoke_on(sights.ground, sights.table, A, B)) == 2
    assert sights.line(A, B).hindrance == 2
    high = sights_on(hill(8, 18, 12, 22, 2), hill(28, 18, 32, 22, 2), patches=patches)
    assert high.line(A, B).hindrance == 0


@pytest.mark.rules("5.5.1.2", "8.4.2.8", system=MINI)
def test_5_5_1_2_smoke_on_a_hill_rises_from_its_ground() -> None:
    ends = hill(8, 18, 12, 22, 3), hill(28, 18, 32, 22, 3)
    smoke = [patch("brew_up_smoke", 20, 20)]
    assert sights_on(*ends, patches=smoke).line(A, B).hindrance == 0
    assert sights_on(*ends, hill(18, 18, 22, 22, 2), patches=smoke).line(A, B).hindrance == 1


@pytest.mark.rules("5.5.1.2", "8.4.2.8", system=MINI)
def test_5_5_1_2_who_is_inside_is_in_the_smoke_however_high_he_stands() -> None:
    """Smoke of a wreck below the edge of a hill reaches over those upon it."""
    smoke = patch("brew_up_smoke", 10, 20)
    hills = hill(10.1, 18, 12, 22, 2), hill(28, 18, 32, 22, 2)
    sights = sights_on(*hills, patches=[smoke])
    inside = inch(10.2, 20)
    assert sights.ground.at(inside).height == 2
    assert len(smoke_on(sights.ground, sights.table, inside, B)) == 1
    assert len(smoke_on(sights.ground, sights.table, B, inside)) == 1
    assert not smoke_on(sights.ground, sights.table, inch(11, 20), B)


def test_what_is_known_outlasts_smoke_and_ends_with_a_building() -> None:
    house = box("wood_building", 19, 18, 21, 22)
    sights = sights_on(house)
    assert not sights.sees(A, B)
    smoky = sights.now(sights.ground.now((patch("brew_up_smoke", 15, 20),)))
    assert smoky._known is sights._known
    rubble = patch("rubble", 20, 20)
    fallen = Patch(rubble.kind, tuple(Point(*corner) for corner in sights.ground.layers.table.areas[0].outline))
    ruined = sights.now(sights.ground.now((fallen,)))
    assert ruined.sees(A, B)
    assert not sights.sees(A, B)


# --- however the table lies ---------------------------------------------------------------------------

KINDS = st.sampled_from(["woods", "brick_building", "hill", "hill 2", "depression", "crest"])
LEVELS = {"hill": 1, "hill 2": 2, "depression": -1}
SPOTS = st.tuples(st.integers(2000, 28000), st.integers(2000, 28000))


@st.composite
def grounds(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Rectangles and triangles in the middle of a table of 30 inches."""
    found: list[dict[str, Any]] = []
    for _ in range(draw(st.integers(1, 5))):
        kind = draw(KINDS)
        x, y, w, h = (draw(st.integers(*limits)) for limits in ((3, 20), (3, 20), (1, 7), (1, 7)))
        if kind == "crest":
            found.append({"kind": "crest", "corners": [(x, y), (x + w, y + h)]})
        else:
            corners = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)][: draw(st.integers(3, 4))]
            level = {"level": LEVELS[kind]} if kind in LEVELS else {}
            found.append({"kind": kind.split()[0], "corners": corners, **level})
    return found


class Lie(NamedTuple):
    """How a table lies: mirrored, then turned by quarters about its middle, then shifted by inches."""

    turn: int = 0
    mirror: bool = False
    dx: int = 0
    dy: int = 0

    def of(self, point: tuple[float, float]) -> tuple[float, float]:
        x, y = point[0] - 15, point[1] - 15
        x = -x if self.mirror else x
        for _ in range(self.turn):
            x, y = -y, x
        return x + 15 + self.dx, y + 15 + self.dy


LIES = st.builds(Lie, st.integers(0, 3), st.booleans(), st.integers(0, 20), st.integers(0, 20))


def sights_after(features: list[dict[str, Any]], lie: Lie) -> Sights:
    placed = []
    for feature in features:
        rest = {key: value for key, value in feature.items() if key != "corners"}
        corners = [lie.of(corner) for corner in feature["corners"]]
        if feature["kind"] == "crest":
            placed.append({**rest, "line": [f"{x:g},{y:g}" for x, y in corners], "width": 1})
        else:
            placed.append({**rest, "outline": [list(corner) for corner in corners]})
    return Sights(Ground(table_of(placed, 60, 60), TERRAIN), TABLES["line_of_sight"])


@settings(max_examples=60, deadline=None)
@given(grounds(), SPOTS, SPOTS, LIES)
def test_sight_is_the_same_from_both_ends_and_however_the_table_lies(
    features: list[dict[str, Any]], a: Point, b: Point, lie: Lie
) -> None:
    def place(point: tuple[int, int]) -> Point:
        return inch(*lie.of((point[0] / 1000, point[1] / 1000)))

    sights = sights_after(features, Lie())
    line, back = sights.line(a, b), sights.line(b, a)
    assert line.blocked == back.blocked
    assert sights.sees(a, b) is not line.blocked
    assert sights_after(features, lie).line(place(a), place(b)).blocked == line.blocked
