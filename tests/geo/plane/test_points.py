"""Places, ranges and headings of a table."""

from __future__ import annotations

from math import cos, isqrt, radians, sin

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sandtable.geo.plane.headings import LENGTH, heading_to, turn, turned, vector
from sandtable.geo.plane.points import Point, label, length, range_inches, read_inches, read_point, within
from tests.geo.plane.motions import Motion, headings, motions, points


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("36.25,24", Point(36250, 24000)),
        ("0,0.001", Point(0, 1)),
        (" 1 , 2.5", Point(1000, 2500)),
        ("-1,0", (-1000, 0)),
    ],
)
def test_places_are_written_in_inches(text: str, place: Point) -> None:
    assert read_point(text) == place


@pytest.mark.parametrize("text", ["", "3", "1,2,3", "1,x", "1.2345,0", "nan,0", "1e3,0", "9999,0", "1,", "\u0661,0"])
def test_what_is_no_place(text: str) -> None:
    assert read_point(text) is None


@pytest.mark.parametrize(("value", "units"), [(12.5, 12500), (3, 3000), (0.125, 125), (0.1234, None), (1e9, None)])
def test_numbers_of_a_file_have_three_decimals_at_most(value: float, units: int | None) -> None:
    assert read_inches(value) == units


@given(points)
def test_a_label_reads_back(point: Point) -> None:
    assert read_point(label(point)) == point


def test_ranges_are_rounded_down_and_an_inch_and_a_half_is_within_one() -> None:
    assert range_inches((0, 0), (1999, 0)) == 1
    assert range_inches((0, 0), (3000, 4000)) == 5
    assert within((0, 0), (1999, 0), 1)
    assert not within((0, 0), (2000, 0), 1)
    assert within((0, 0), (0, 999), 0)


@given(points, points, motions)
def test_ranges_stay_as_they_are_however_the_table_lies(a: Point, b: Point, motion: Motion) -> None:
    assert range_inches(motion.point(a), motion.point(b)) == range_inches(a, b) == range_inches(b, a)
    assert length(motion.point(a), motion.point(b)) == length(a, b)


@given(points, points, st.integers(0, 90))
def test_within_is_by_range(a: Point, b: Point, inches: int) -> None:
    assert within(a, b, inches) == (range_inches(a, b) <= inches)


@example(Point(0, 0), Point(1, 1), Point(3, 3))
@given(points, points, points)
def test_no_cut_makes_a_leg_shorter(a: Point, b: Point, c: Point) -> None:
    assert length(a, c) <= length(a, b) + length(b, c)


def test_vectors_are_the_nearest_whole_ones() -> None:
    for heading in range(3600):
        x, y = vector(heading)
        angle = radians(heading / 10)
        assert abs(x - LENGTH * sin(angle)) < 0.51
        assert abs(y + LENGTH * cos(angle)) < 0.51
        assert abs(isqrt(x * x + y * y) - LENGTH) <= 1
    assert [vector(heading) for heading in (0, 900, 1800, 2700)] == [
        (0, -LENGTH),
        (LENGTH, 0),
        (0, LENGTH),
        (-LENGTH, 0),
    ]


@given(headings, motions)
def test_vectors_turn_and_are_mirrored_with_their_headings(heading: int, motion: Motion) -> None:
    still = motion._replace(shift=(0, 0))
    assert vector(motion.heading(heading)) == still.point(vector(heading))


@given(headings)
def test_the_heading_to_where_a_vector_leads_is_its_own(heading: int) -> None:
    assert heading_to((0, 0), vector(heading)) == heading


@given(points, points, motions)
def test_the_heading_to_a_place_moves_with_both(a: Point, b: Point, motion: Motion) -> None:
    found = heading_to(a, b)
    moved = heading_to(motion.point(a), motion.point(b))
    assert (found is None) == (a == b) == (moved is None)
    if found is not None:
        assert moved == motion.heading(found)


@given(headings, headings)
def test_turns(one: int, other: int) -> None:
    assert turn(one, other) == turn(other, one) <= 1800
    assert other in (turned(one, turn(one, other)), turned(one, -turn(one, other)))
