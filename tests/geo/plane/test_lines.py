"""Lines over outlines: where they run inside, how far, and in which zone."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.geo.plane.lines import Zone, is_crossed, is_longer, shared, spans_inside, zone_at, zones_of
from sandtable.geo.plane.points import Point, length, square
from sandtable.geo.shapes.polygon import PointPosition, is_simple, locate, orientation
from tests.geo.plane.motions import Motion, motions, points

HALF = Fraction(1, 2)
WOODS = ((2000, 0), (6000, 0), (6000, 4000), (2000, 4000))
HORSESHOE = ((0, 0), (6, 0), (6, 6), (4, 6), (4, 2), (2, 2), (2, 6), (0, 6))
small = st.builds(Point, st.integers(-6, 6), st.integers(-6, 6))
outlines = st.lists(small, min_size=3, max_size=7, unique=True).map(tuple).filter(is_simple)


@pytest.mark.parametrize(
    ("a", "b", "spans"),
    [
        ((0, 2000), (8000, 2000), [(Fraction(1, 4), Fraction(3, 4))]),
        ((4000, 2000), (8000, 2000), [(0, HALF)]),
        ((3000, 1000), (5000, 3000), [(0, 1)]),
        ((0, 0), (8000, 0), [(Fraction(1, 4), Fraction(3, 4))]),  # along an edge
        ((0, 2000), (4000, -2000), []),  # a single corner
        ((0, 2000), (2000, 2000), []),  # up to the edge
        ((0, 5000), (8000, 5000), []),
        ((4000, 2000), (4000, 2000), []),
    ],
)
def test_where_a_line_runs_inside_woods(a: Point, b: Point, spans: list[object]) -> None:
    assert spans_inside(a, b, WOODS) == spans
    assert spans_inside(a, b, WOODS[::-1]) == spans


def test_a_line_may_leave_and_come_back() -> None:
    assert spans_inside((-1, 5), (7, 5), HORSESHOE) == [
        (Fraction(1, 8), Fraction(3, 8)),
        (Fraction(5, 8), Fraction(7, 8)),
    ]
    assert spans_inside((-1, 2), (7, 2), HORSESHOE) == [(Fraction(1, 8), Fraction(7, 8))]


@given(small, small, outlines, st.integers(0, 3))
def test_a_line_is_crossed_where_a_span_begins_or_ends(
    a: Point, b: Point, outline: tuple[Point, ...], off: int
) -> None:
    crossed = is_crossed(a, b, outline, off)
    ends = [share for span in spans_inside(a, b, outline) for share in span]
    beyond = [not is_at_most(a, b, share, off) and not is_at_most(a, b, 1 - share, off) for share in ends]
    assert crossed <= any(beyond)
    if all(orientation(a, b, corner) for corner in outline):
        assert crossed is any(beyond)


def is_at_most(a: Point, b: Point, share: Fraction, units: int) -> bool:
    return share**2 * square(a, b) <= units**2


@given(small, small, outlines)
def test_spans_are_where_points_of_the_line_lie_inside(a: Point, b: Point, outline: tuple[Point, ...]) -> None:
    spans = spans_inside(a, b, outline)
    assert all(0 <= start < end <= 1 for start, end in spans)
    assert all(one[1] < other[0] for one, other in pairwise(spans))
    if a == b:
        return
    steps = 97
    for step in range(1, steps):
        share = Fraction(step, steps)
        place = locate(
            (a[0] * steps + (b[0] - a[0]) * step, a[1] * steps + (b[1] - a[1]) * step),
            [(x * steps, y * steps) for x, y in outline],
        )
        held = any(start <= share <= end for start, end in spans)
        if place is PointPosition.INSIDE:
            assert held
        if place is PointPosition.OUTSIDE:
            assert not any(start < share < end for start, end in spans)


@given(small, small, outlines)
def test_sight_is_the_same_from_both_ends(a: Point, b: Point, outline: tuple[Point, ...]) -> None:
    there, back = spans_inside(a, b, outline), spans_inside(b, a, outline)
    assert [(1 - end, 1 - start) for start, end in reversed(back)] == there
    assert shared(there) == shared(back)


@given(small, small, outlines, motions)
def test_sight_stays_as_it_is_however_the_table_lies(
    a: Point, b: Point, outline: tuple[Point, ...], motion: Motion
) -> None:
    moved = spans_inside(motion.point(a), motion.point(b), motion.points(outline))
    assert moved == spans_inside(a, b, outline)


def test_an_inch_of_woods_is_measured_exactly() -> None:
    a, b = (0, 0), (3000, 4000)
    assert is_longer(a, b, Fraction(1, 5) + Fraction(1, 10**12), 1000)
    assert not is_longer(a, b, Fraction(1, 5), 1000)
    # The root of 2 is no whole number, and nothing of it is lost.
    assert is_longer((0, 0), (1000, 1000), Fraction(1), 1414)
    assert not is_longer((0, 0), (1000, 1000), Fraction(1), 1415)


@given(points, points, st.fractions(0, 1))
def test_shares_are_as_long_as_the_ruler_says(a: Point, b: Point, share: Fraction) -> None:
    whole = length(a, b)
    assert is_longer(a, b, share, int(share * whole) - 2) or int(share * whole) < 2
    assert not is_longer(a, b, share, whole)


@pytest.mark.parametrize(
    ("at", "zone"),
    [
        (0, Zone.CLOSE),
        (8999, Zone.CLOSE),
        (9000, Zone.MIDWAY),
        (11000, Zone.MIDWAY),
        (11001, Zone.FAR),
        (20000, Zone.FAR),
    ],
)
def test_midway_is_an_inch_before_and_behind_the_middle(at: int, zone: Zone) -> None:
    assert zone_at((0, 0), (20_000, 0), Fraction(at, 20_000)) is zone
    assert zone_at((0, 0), (0, 20_000), Fraction(at, 20_000)) is zone


def test_zones_of_a_span() -> None:
    line = (0, 0), (20_000, 0)
    assert zones_of(*line, (Fraction(0), Fraction(1))) == (Zone.CLOSE, Zone.MIDWAY, Zone.FAR)
    assert zones_of(*line, (Fraction(1, 4), Fraction(9, 20))) == (Zone.CLOSE, Zone.MIDWAY)
    assert zones_of(*line, (Fraction(3, 4), Fraction(4, 5))) == (Zone.FAR,)
