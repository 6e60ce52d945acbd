"""Points, segments and polygons in whole numbers."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sandtable.geo.shapes.polygon import (
    Point,
    PointPosition,
    Relation,
    doubled_area,
    is_simple,
    locate,
    orientation,
    segment_and_polygon,
)

SQUARE = ((0, 0), (4, 0), (4, 4), (0, 4))
HORSESHOE = ((0, 0), (6, 0), (6, 6), (4, 6), (4, 2), (2, 2), (2, 6), (0, 6))

points = st.tuples(st.integers(-6, 6), st.integers(-6, 6))
polygons = st.lists(points, min_size=3, max_size=7, unique=True).map(tuple).filter(is_simple)


@pytest.mark.parametrize(
    ("point", "place"),
    [
        ((2, 2), PointPosition.INSIDE),
        ((0, 2), PointPosition.BOUNDARY),
        ((4, 4), PointPosition.BOUNDARY),
        ((5, 4), PointPosition.OUTSIDE),
        ((-1, 0), PointPosition.OUTSIDE),
        ((2, 5), PointPosition.OUTSIDE),
    ],
)
def test_points_in_a_square(point: Point, place: PointPosition) -> None:
    assert locate(point, SQUARE) is place
    assert locate(point, SQUARE[::-1]) is place


@pytest.mark.parametrize(
    ("a", "b", "relation"),
    [
        ((-1, 2), (5, 2), Relation.CROSSES),
        ((1, 1), (2, 3), Relation.CROSSES),
        ((0, 0), (4, 4), Relation.CROSSES),
        ((-1, 0), (5, 0), Relation.ALONG),
        ((1, 0), (2, 0), Relation.ALONG),
        ((-2, 2), (0, 2), Relation.EDGE),
        ((-1, 1), (1, -1), Relation.VERTEX),
        ((4, 4), (7, 7), Relation.VERTEX),
        ((-3, 0), (-1, 4), Relation.APART),
        ((5, 0), (9, 0), Relation.APART),
        ((0, 0), (0, 0), Relation.VERTEX),
        ((0, 1), (0, 1), Relation.EDGE),
        ((1, 1), (1, 1), Relation.CROSSES),
        ((9, 9), (9, 9), Relation.APART),
    ],
)
def test_segments_and_a_square(a: Point, b: Point, relation: Relation) -> None:
    for polygon in (SQUARE, SQUARE[::-1]):
        assert segment_and_polygon(a, b, polygon) is relation
        assert segment_and_polygon(b, a, polygon) is relation


def test_a_line_between_the_arms_is_outside() -> None:
    assert segment_and_polygon((3, 8), (3, 3), HORSESHOE) is Relation.APART
    assert segment_and_polygon((3, 8), (3, 2), HORSESHOE) is Relation.EDGE
    assert segment_and_polygon((2, 8), (2, 5), HORSESHOE) is Relation.ALONG


def test_areas() -> None:
    assert doubled_area(SQUARE) == 32
    assert doubled_area(SQUARE[::-1]) == -32
    assert doubled_area(HORSESHOE) == 2 * (36 - 8)


@pytest.mark.parametrize(
    "polygon",
    [
        ((0, 0), (1, 1)),
        ((0, 0), (2, 0), (4, 0)),
        ((0, 0), (4, 4), (4, 0), (0, 4)),
        ((0, 0), (4, 0), (4, 4), (4, 0), (2, 2)),
        ((0, 0), (4, 0), (2, 0), (2, 4)),
    ],
)
def test_polygons_that_are_not_simple(polygon: tuple[Point, ...]) -> None:
    assert not is_simple(polygon)


def test_simple_polygons() -> None:
    assert is_simple(SQUARE)
    assert is_simple(HORSESHOE)
    assert is_simple(((0, 0), (2, 0), (4, 0), (4, 4)))


def crossings(point: tuple[Fraction, Fraction], polygon: tuple[Point, ...]) -> bool:
    """Whether a point off the boundary is inside: signed crossings of the ray to the right, in fractions."""
    x, y = point
    winding = 0
    for index, (x1, y1) in enumerate(polygon):
        x0, y0 = polygon[index - 1]
        if (y0 <= y) != (y1 <= y):
            meets = x0 + Fraction(y - y0, 1) / (y1 - y0) * (x1 - x0)
            if meets > x:
                winding += 1 if y1 > y0 else -1
    return winding != 0


@given(points, polygons)
def test_places_agree_with_winding(point: Point, polygon: tuple[Point, ...]) -> None:
    place = locate(point, polygon)
    on_an_edge = any(
        orientation(polygon[i - 1], corner, point) == 0
        and min(polygon[i - 1][0], corner[0]) <= point[0] <= max(polygon[i - 1][0], corner[0])
        and min(polygon[i - 1][1], corner[1]) <= point[1] <= max(polygon[i - 1][1], corner[1])
        for i, corner in enumerate(polygon)
    )
    assert (place is PointPosition.BOUNDARY) == on_an_edge
    if not on_an_edge:
        assert (place is PointPosition.INSIDE) == crossings((Fraction(point[0]), Fraction(point[1])), polygon)


@given(points, points, polygons)
def test_relations_agree_with_points_on_the_segment(a: Point, b: Point, polygon: tuple[Point, ...]) -> None:
    assume(a != b)
    relation = segment_and_polygon(a, b, polygon)
    assert relation is segment_and_polygon(b, a, polygon[::-1])
    # Refine both segment and polygon so that points of the segment become whole.
    fine = 12
    finer = tuple((x * fine, y * fine) for x, y in polygon)
    places = {locate((a[0] * (fine - k) + b[0] * k, a[1] * (fine - k) + b[1] * k), finer) for k in range(fine + 1)}
    if PointPosition.INSIDE in places:
        assert relation is Relation.CROSSES
    if PointPosition.BOUNDARY in places:
        assert relation is not Relation.APART


@given(points, points, polygons, points)
def test_relations_move_with_everything(a: Point, b: Point, polygon: tuple[Point, ...], by: Point) -> None:
    def moved(point: Point) -> Point:
        return point[0] + by[0], point[1] + by[1]

    there = tuple(map(moved, polygon))
    assert segment_and_polygon(moved(a), moved(b), there) is segment_and_polygon(a, b, polygon)
    assert doubled_area(there) == doubled_area(polygon)
