"""Tables of terrain: what is read, what is refused with file and field, and what lines run through."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.cli.bench import plane_sight
from sandtable.core.content.yaml_text import parse_yaml
from sandtable.core.errors import BadInput
from sandtable.geo.plane.footing import Footing
from sandtable.geo.plane.lines import shared, spans_inside
from sandtable.geo.plane.points import Point
from sandtable.geo.plane.shapes import Shapes
from sandtable.geo.plane.strips import strip
from sandtable.geo.plane.table import TableMap, is_table, read_table
from sandtable.geo.shapes.polygon import is_simple, locate
from tests.geo.plane.motions import Motion, motions

FOOTINGS = {
    "bridge": Footing(over=frozenset({"stream", "river"})),
    "slope": Footing(edge_of=frozenset({"hill"})),
}
MEADOW = """
id: meadow
title: The meadow
table: {width: 48, depth: 36.5}
features:
- {kind: hill, level: 1, outline: [[4, 4], [16, 4], [16, 14], [4, 14]]}
- {kind: slope, outline: [[15, 8], [17, 8], [17, 10], [15, 10]]}
- {kind: woods, outline: [[20, 20], [26.125, 21], [25, 27], [19, 26]]}
- {kind: stream, line: ["30,0", "30,20", "34,36.5"], width: 1.5}
- {kind: bridge, line: ["28.5,10", "31.5,10"], width: 1}
- {kind: road, line: ["0,10", "48,10"], width: 0.75, text: high road}
- {kind: town, point: "24,33", text: Hamel}
"""


def table(text: str) -> TableMap:
    plain = parse_yaml(text, "meadow.yaml")
    assert is_table(plain)
    return read_table(plain, "meadow.yaml", FOOTINGS)


def test_a_table_has_places_ranges_and_features() -> None:
    meadow = table(MEADOW)
    assert (meadow.width, meadow.depth) == (48_000, 36_500)
    assert meadow.place("12.5,30") == Point(12_500, 30_000)
    assert meadow.label(Point(12_500, 30_000)) == "12.5,30"
    assert meadow.range(meadow.place("0,0"), meadow.place("3,4.999")) == 5
    assert meadow.spot("12.5,30") == (12.5, 30.0)
    assert [feature.kind for feature in meadow.at((16_000, 9000))] == ["hill", "slope"]
    assert [feature.kind for feature in meadow.at((30_000, 10_000))] == ["stream", "bridge", "road"]
    assert meadow.level((5000, 5000)) == 1
    assert meadow.level((40_000, 30_000)) == 0
    assert list(meadow.rails) == ["stream 3", "bridge 4", "high road"]
    assert meadow == table(MEADOW)
    assert meadow != table(MEADOW.replace("26.125", "26"))


def test_a_line_with_a_width_is_the_outline_of_its_strip() -> None:
    road = next(feature for feature in table(MEADOW).features if feature.kind == "road")
    assert set(road.outline) == {(0, 9625), (0, 10_375), (48_000, 9625), (48_000, 10_375)}
    bent = strip([(0, 0), (10_000, 0), (10_000, 10_000)], 1000)
    assert bent is not None
    assert set(bent) == {(0, -500), (0, 500), (10_500, -500), (9500, 500), (10_500, 10_000), (9500, 10_000)}


@pytest.mark.parametrize("label", ["49,3", "3,36.501", "-1,2", "x", "1.0001,2"])
def test_places_off_the_table_are_none(label: str) -> None:
    with pytest.raises(BadInput, match="place"):
        table(MEADOW).place(label)


@pytest.mark.parametrize(
    ("old", "new", "field", "wrong"),
    [
        ("[26.125, 21], [25, 27]", "[25, 27], [26.125, 21]", "features[2].outline", "no simple polygon"),
        (
            "[15, 8], [17, 8], [17, 10], [15, 10]",
            "[20, 8], [22, 8], [22, 10], [20, 10]",
            "features[1]",
            "no edge of a hill",
        ),
        ('["28.5,10", "31.5,10"]', '["38.5,10", "41.5,10"]', "features[4]", "lies on no river or stream"),
        ("26.125", "26.1255", "features[2].outline[1]", "26.1255"),
        ('"30,20"', '"30,20.0001"', "features[3].line[1]", "no place"),
        ("width: 0.75", "width: 0.7501", "features[5].width", "0.7501"),
        ("depth: 36.5", "depth: 36.5001", "table.depth", "36.5001"),
        ("depth: 36.5", "depth: 0.5", "table.depth", "0.5"),
        ("[4, 4], ", "[-4, 4], ", "features[0].outline[0]", "off the table"),
        ('"24,33"', '"24,63"', "features[6].point", "off the table"),
        ('"30,20"', '"30,0"', "features[3].line[1]", "stands twice"),
        ('"34,36.5"', '"30,1"', "features[3].line", "crosses itself"),
        ('point: "24,33"', 'point: "24,33", line: ["1,1", "2,2"]', "features[6]", "line and point together"),
        ('point: "24,33", ', "", "features[6]", "no geometry"),
        ('point: "24,33"', 'point: "24,33", width: 2', "features[6].width", "no line"),
        ("kind: town", 'kind: ""', "features[6].kind", "is empty"),
        ("kind: town", "sort: town", "features[6].sort", "unknown field"),
        ("text: high road", "text: high; road", "features[5].text", "has a semicolon"),
        ("id: meadow", 'id: ""', "id", "is empty"),
        ('line: ["0,10", "48,10"]', 'line: ["0,10"]', "features[5].line", "one place"),
    ],
)
def test_every_fault_has_its_file_and_field(old: str, new: str, field: str, wrong: str) -> None:
    assert old in MEADOW
    with pytest.raises(BadInput) as bad:
        table(MEADOW.replace(old, new, 1))
    assert any(fault.where == f"meadow.yaml: {field}" and wrong in fault.wrong for fault in bad.value.faults), bad.value


def test_all_faults_come_at_once() -> None:
    text = MEADOW.replace("26.125", "26.1255").replace('"24,33"', '"24,63"')
    with pytest.raises(BadInput) as bad:
        table(text)
    assert len(bad.value.faults) == 2


def _polygons(rng: Random, count: int, size: int) -> list[tuple[Point, ...]]:
    found: list[tuple[Point, ...]] = []
    while len(found) < count:
        x, y = rng.randrange(0, 30_000, 500), rng.randrange(0, 30_000, 500)
        corners = rng.randint(3, 7)
        one = tuple(Point(x + rng.randrange(0, size, 500), y + rng.randrange(0, size, 500)) for _ in range(corners))
        if is_simple(one):
            found.append(one)
    return found


@given(st.integers(0, 10_000))
def test_the_index_finds_what_a_look_at_every_outline_finds(seed: int) -> None:
    """On a raster of half inches, where corners and edges lie on lines all the time."""
    rng = Random(seed)
    outlines = _polygons(rng, 12, 12_000)
    shapes = Shapes(outlines)
    for _ in range(20):
        a, b = (Point(rng.randrange(-5000, 40_000, 500), rng.randrange(-5000, 40_000, 500)) for _ in "ab")
        plain: dict[int, Any] = {
            number: spans for number, one in enumerate(outlines) if (spans := spans_inside(a, b, one))
        }
        assert shapes.spans(a, b) == plain
        back = shapes.spans(b, a)
        assert {number: shared(spans) for number, spans in back.items()} == {
            number: shared(spans) for number, spans in plain.items()
        }
        assert shapes.at(a) == [number for number, one in enumerate(outlines) if locate(a, one) != "outside"]


@given(st.integers(0, 10_000))
def test_the_index_finds_the_same_of_short_lines(seed: int) -> None:
    """Those within an inch, which small squares answer; corners lie on their rims all the time."""
    rng = Random(seed)
    outlines = _polygons(rng, 12, 12_000)
    shapes = Shapes(outlines)
    for _ in range(40):
        a = Point(rng.randrange(-1000, 40_000, 250), rng.randrange(-1000, 40_000, 250))
        b = Point(a.x + rng.randrange(-1000, 1001, 250), a.y + rng.randrange(-1000, 1001, 250))
        plain = {number: spans for number, one in enumerate(outlines) if (spans := spans_inside(a, b, one))}
        assert shapes.spans(a, b) == plain
        held, edged = shapes.about(a, b)
        assert held & edged == 0
        for number, outline in enumerate(outlines):
            if not edged >> number & 1:
                places = {locate(end, outline) for end in (a, b)}
                assert places == {"inside" if held >> number & 1 else "outside"}


@given(st.integers(0, 10_000), motions)
def test_sight_over_a_table_is_the_same_however_it_lies(seed: int, motion: Motion) -> None:
    rng = Random(seed)
    outlines = _polygons(rng, 8, 9000)
    shapes, moved = Shapes(outlines), Shapes([motion.points(one) for one in outlines])
    for _ in range(5):
        a, b = (Point(rng.randrange(40_000), rng.randrange(40_000)) for _ in "ab")
        assert moved.spans(motion.point(a), motion.point(b)) == shapes.spans(a, b)


@given(
    st.lists(st.tuples(st.integers(0, 48), st.integers(0, 48)), min_size=2, max_size=4, unique=True),
    st.integers(100, 2000),
    motions,
)
def test_strips_lie_the_same_way_however_the_table_lies(
    line: list[tuple[int, int]], width: int, motion: Motion
) -> None:
    points = tuple(Point(1000 * x, 1000 * y) for x, y in line)
    one, other = strip(points, width), strip(motion.points(points), width)
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert set(motion.points(one)) == set(other)


def test_what_the_bench_compares_finds_the_same() -> None:
    outlines = plane_sight.outlines()
    rng, index = Random(0), Shapes(outlines)
    for _ in range(30):
        a, b = (Point(rng.randrange(72_000), rng.randrange(48_000)) for _ in "ab")
        found = {number: shared(spans) for number, spans in index.spans(a, b).items()}
        assert found == plane_sight.plain_spans(outlines, a, b)
