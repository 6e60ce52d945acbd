"""Ways: legs and turns, lengths that no cut makes shorter, inch marks that run on through bends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.core.tree.drawing import Stroke
from sandtable.geo.plane.points import INCH, Point, square
from sandtable.geo.plane.ways import Way, along, lay
from tests.geo.plane.motions import Motion, headings, motions, points

ROAD = ((0, 10_000), (10_000, 10_000), (20_000, 20_000), (20_000, 40_000))
RAILS = {"road": ROAD}

strokes = st.one_of(
    st.builds(Stroke, st.sampled_from(["go", "back"]), at=points),
    st.builds(Stroke, st.just("face"), heading=headings),
    st.builds(Stroke, st.just("along"), at=points, ref=st.just("road")),
)


def laid(start: tuple[int, int], heading: int, *drawn: Stroke) -> Way:
    way = lay(start, heading, drawn, RAILS)
    assert isinstance(way, Way)
    return way


def go(x: int, y: int) -> Stroke:
    return Stroke("go", (x, y))


def test_a_tank_turns_to_where_it_goes() -> None:
    way = laid((0, 0), 0, go(3000, 0), go(3000, 4000), Stroke("face", heading=450))
    assert [(leg.heading, leg.pivot, leg.length) for leg in way.legs] == [
        (900, 900, 3000),
        (1800, 900, 4000),
        (450, 1350, 0),
    ]
    assert way.length == 7000
    assert way.end == ((3000, 4000), 450)


def test_a_tank_that_goes_back_keeps_its_front_behind() -> None:
    way = laid((0, 0), 0, Stroke("back", (0, 2000)))
    assert [(leg.heading, leg.pivot) for leg in way.legs] == [(0, 0)]
    assert way.end == ((0, 2000), 0)


def test_inch_marks_run_on_through_bends() -> None:
    way = laid((0, 0), 900, go(1500, 0), go(1500, 1700))
    inches = list(way.inches())
    assert [inch.end for inch in inches] == [(1000, 0), (1500, 500), (1500, 1500), (1500, 1700)]
    assert [inch.length for inch in inches] == [1000, 1000, 1000, 200]
    assert [(start, end) for _, start, end in inches[1].parts] == [((1000, 0), (1500, 0)), ((1500, 0), (1500, 500))]


def test_a_turn_belongs_to_the_inch_that_follows_or_to_the_last() -> None:
    face = Stroke("face", heading=0)
    way = laid((0, 0), 900, go(1000, 0), face, go(1000, -1000), face)
    assert [[leg.stroke for leg, _, _ in inch.parts] for inch in way.inches()] == [[0], [1, 2, 3]]
    assert [[leg.stroke for leg, _, _ in inch.parts] for inch in laid((0, 0), 0, face).inches()] == [[0]]
    assert list(laid((0, 0), 0).inches()) == []


@pytest.mark.parametrize(
    ("stroke", "why"),
    [
        (Stroke("go"), "no place"),
        (Stroke("go", (0, 0)), "nowhere"),
        (Stroke("go", (1, 1), heading=3), "a heading too"),
        (Stroke("face"), "no heading"),
        (Stroke("fly", (1, 1)), "no such verb"),
        (Stroke("along", (1, 1), ref="river"), "no such road"),
    ],
)
def test_strokes_that_make_no_sense_are_named(stroke: Stroke, why: str) -> None:
    assert lay((0, 0), 0, [Stroke("face", heading=10), stroke], RAILS) == 1, why


@pytest.mark.parametrize(
    ("start", "end", "places"),
    [
        ((1000, 10_100), (8000, 9900), [(8000, 9900)]),
        ((1000, 10_000), (15_000, 15_000), [(10_000, 10_000), (15_000, 15_000)]),
        ((1000, 10_000), (20_000, 30_000), [(10_000, 10_000), (20_000, 20_000), (20_000, 30_000)]),
        ((20_100, 30_000), (9000, 10_000), [(20_000, 20_000), (10_000, 10_000), (9000, 10_000)]),
    ],
)
def test_along_a_road_one_goes_by_its_bends(
    start: tuple[int, int], end: tuple[int, int], places: list[tuple[int, int]]
) -> None:
    assert along(ROAD, start, end) == places


@given(points, headings, st.lists(strokes, max_size=5), motions)
def test_a_way_is_as_long_however_the_table_lies(
    start: Point, heading: int, drawn: list[Stroke], motion: Motion
) -> None:
    way = lay(start, heading, drawn, RAILS)
    turned = [
        Stroke(
            one.verb,
            None if one.at is None else motion.point(one.at),
            None if one.heading is None else motion.heading(one.heading),
            one.ref,
        )
        for one in drawn
    ]
    other = lay(motion.point(start), motion.heading(heading), turned, {"road": motion.points(ROAD)})
    if isinstance(way, int) or isinstance(other, int):
        assert way == other
        return
    assert other.length == way.length
    assert [leg.pivot for leg in other.legs] == [leg.pivot for leg in way.legs]
    marks, others = list(way.inches()), list(other.inches())
    assert [motion.point(inch.end) for inch in marks] == [inch.end for inch in others]
    assert [motion.heading(inch.leg.heading) for inch in marks] == [inch.leg.heading for inch in others]


@given(points, st.lists(points, min_size=1, max_size=4), st.data())
def test_to_cut_a_leg_never_makes_a_way_shorter(start: Point, goals: list[Point], data: st.DataObject) -> None:
    drawn = [Stroke("go", goal) for goal in goals]
    way = lay(start, 0, drawn, {})
    cut = data.draw(st.integers(0, len(goals) - 1))
    longer = lay(start, 0, [*drawn[:cut], Stroke("go", data.draw(points)), *drawn[cut:]], {})
    if isinstance(way, Way) and isinstance(longer, Way):
        assert longer.length >= way.length


@given(points, headings, st.lists(strokes, max_size=5))
def test_inches_hang_together_and_none_is_longer_than_an_inch(start: Point, heading: int, drawn: list[Stroke]) -> None:
    way = lay(start, heading, drawn, RAILS)
    if isinstance(way, int):
        return
    inches = list(way.inches())
    assert sum(inch.length for inch in inches) == way.length
    assert all(inch.length == INCH for inch in inches[:-1])
    at = start
    for inch in inches:
        assert inch.parts[0][1] == at
        # A place is rounded to the nearest unit, so a piece may be a unit or so longer than what is counted.
        assert sum(square(a, b) ** 0.5 for _, a, b in inch.parts) <= inch.length + 1 + len(inch.parts)
        at = inch.end
    assert at == way.end[0]
