"""Points and headings without a grid."""

from math import atan2, ceil, degrees, hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.geo.shapes.plane import (
    HEADINGS,
    Arc,
    Heading,
    Point,
    compare_distance,
    distance_squared,
    is_within,
    units_between,
    vector_in_arc,
)

points = st.builds(Point, st.integers(-5000, 5000), st.integers(-5000, 5000))


@given(points, points, st.integers(0, 12000))
def test_distances_are_compared_exactly(a: Point, b: Point, reach: int) -> None:
    assert is_within(a, b, reach) == (distance_squared(a, b) <= reach**2)
    assert compare_distance(a, b, b, a) == 0
    assert not is_within(a, b, -1)


def test_a_distance_just_in_reach() -> None:
    assert is_within(Point(0, 0), Point(300, 400), 500)
    assert not is_within(Point(0, 0), Point(300, 401), 500)


@given(points, points, st.integers(1, 300))
def test_units_count_a_part_as_one(a: Point, b: Point, unit: int) -> None:
    units = units_between(a, b, unit)
    assert (units * unit) ** 2 >= distance_squared(a, b)
    assert units == 0 or ((units - 1) * unit) ** 2 < distance_squared(a, b)
    assert abs(units - ceil(hypot(a.x - b.x, a.y - b.y) / unit)) <= 1


def test_headings_go_round() -> None:
    assert len(set(HEADINGS)) == 24
    assert HEADINGS[6] == Heading(1_000_000, 0)
    for index, heading in enumerate(HEADINGS):
        assert HEADINGS[(index + 12) % 24] == heading.opposite()
        assert HEADINGS[(index + 6) % 24] == heading.quarter_right()
        # Millionths: within a unit of the true length.
        assert abs(hypot(*heading) - 1_000_000) < 1.5


@pytest.mark.parametrize(
    ("target", "arc"),
    [
        (Point(5, -5), Arc.D45),
        (Point(7, 0), Arc.D90),
        (Point(-7, 0), Arc.D90),
        (Point(5, 5), Arc.D135),
    ],
)
def test_edges_of_an_arc_belong_to_it(target: Point, arc: Arc) -> None:
    north = HEADINGS[0]
    beyond = Point(target.x * 1000, target.y * 1000 + 1)
    assert vector_in_arc(north, Point(0, 0), target, arc)
    assert not vector_in_arc(north, Point(0, 0), beyond, arc)
    assert vector_in_arc(north, Point(0, 0), Point(0, 0), arc)


@given(points, points, st.integers(0, 23), st.sampled_from(list(Arc)))
def test_arcs_agree_with_trigonometry(origin: Point, target: Point, index: int, arc: Arc) -> None:
    heading = HEADINGS[index]
    dx, dy = target.x - origin.x, target.y - origin.y
    if not (dx or dy):
        return
    dot = heading.dx * dx + heading.dy * dy
    cross = heading.dx * dy - heading.dy * dx
    angle = degrees(abs(atan2(cross, dot)))
    if abs(angle - arc) > 1e-4:
        assert vector_in_arc(heading, origin, target, arc) == (angle < arc)
