"""Bases that overlap, templates that strike, bodies on their way."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.geo.plane.bases import FINE, Base, is_half_inside, overlap, run_into
from tests.geo.plane.motions import Motion, close_points, headings, motions

sizes = st.integers(100, 1500).map(lambda half: 2 * half)
bases = st.builds(Base, close_points, headings, sizes, sizes)
squares = st.builds(Base, close_points, headings, st.just(1000), st.just(1000))


def moved(base: Base, motion: Motion) -> Base:
    return Base(motion.point(base.at), motion.heading(base.heading), base.width, base.depth)


def tank(x: int, y: int, heading: int = 0) -> Base:
    return Base((x, y), heading, 1000, 1000)


def test_corners_are_clockwise_from_the_front_left_one() -> None:
    half_squad = Base((2000, 3000), 900, 1000, 500)
    assert half_squad.outline == ((2250, 2500), (2250, 3500), (1750, 3500), (1750, 2500))
    assert half_squad.corners == tuple((x * FINE, y * FINE) for x, y in half_squad.outline)


@pytest.mark.parametrize(
    ("other", "is_over"),
    [
        (tank(1000, 0), False),
        (tank(999, 0), True),
        (tank(1000, 1000), False),
        (tank(999, 999), True),
        (tank(1200, 0, 450), True),
        (tank(1207, 0, 450), True),
        (tank(1208, 0, 450), False),
        (tank(853, 853, 450), True),
        (tank(854, 854, 450), False),
        (tank(90_000, 0), False),
    ],
)
def test_to_touch_is_not_to_overlap(other: Base, is_over: bool) -> None:
    assert overlap(tank(0, 0), other) is is_over


@given(bases, bases, motions)
def test_overlap_stays_as_it_is_however_the_table_lies(one: Base, other: Base, motion: Motion) -> None:
    found = overlap(one, other)
    assert overlap(other, one) is found
    assert overlap(moved(one, motion), moved(other, motion)) is found


@given(bases)
def test_a_base_overlaps_itself_and_lies_inside_itself(base: Base) -> None:
    assert overlap(base, base)
    assert is_half_inside(base, base)


@pytest.mark.parametrize(
    ("base", "is_struck"),
    [
        (tank(0, 0), True),
        (tank(1500, 0), True),  # its middle lies on the edge: half of it is inside
        (tank(1501, 0), False),
        (tank(1500, 1500), False),
        (tank(1200, 1200), True),  # 0.8 x 0.8 = 0.64
        (tank(1293, 1293), False),  # 0.707 x 0.707 = 0.49985
        (tank(1292, 1292), True),  # 0.708 x 0.708 = 0.50126
        (tank(1400, 0, 450), True),
    ],
)
def test_half_or_more_inside_a_template(base: Base, is_struck: bool) -> None:
    assert is_half_inside(base, Base((0, 0), 0, 3000, 3000)) is is_struck


@pytest.mark.parametrize(("depth", "is_struck"), [(500, True), (498, False)])
def test_exactly_half_inside_a_narrow_template_is_enough(depth: int, is_struck: bool) -> None:
    assert is_half_inside(tank(0, 0), Base((0, 0), 0, 3000, depth)) is is_struck


@given(squares, bases, motions)
def test_templates_stay_as_they_are_however_the_table_lies(base: Base, template: Base, motion: Motion) -> None:
    found = is_half_inside(base, template)
    assert is_half_inside(moved(base, motion), moved(template, motion)) is found
    if found:
        assert overlap(base, template)


@given(squares, bases)
def test_what_is_struck_by_area_is_struck(base: Base, template: Base) -> None:
    """The short cuts say what counting a grid of points says, wherever that is clear."""
    corners = base.corners
    steps = 12
    inside = 0
    for i in range(steps):
        for j in range(steps):
            u, v = Fraction(2 * i + 1, 2 * steps), Fraction(2 * j + 1, 2 * steps)
            (ax, ay), (bx, by), _, (dx, dy) = corners
            point = ax + u * (bx - ax) + v * (dx - ax), ay + u * (by - ay) + v * (dy - ay)
            inside += holds(template, point)
    share = inside / steps**2
    if abs(share - 0.5) > 0.2:
        assert is_half_inside(base, template) is (share > 0.5)


def holds(base: Base, point: tuple[Fraction, Fraction]) -> bool:
    corners = base.corners
    pairs = [(corners[index - 1], corner) for index, corner in enumerate(corners)]
    return all((b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]) >= 0 for a, b in pairs)


HOUSE = ((4000, -1000), (6000, -1000), (6000, 1000), (4000, 1000))


@pytest.mark.parametrize(
    ("start", "end", "meets"),
    [
        (tank(0, 0), tank(10_000, 0), True),
        (tank(0, 0), tank(3500, 0), False),  # up to its wall
        (tank(0, 0), tank(3501, 0), True),
        (tank(0, 1500), tank(10_000, 1500), False),  # along its wall
        (tank(0, 1499), tank(10_000, 1499), True),
        (tank(5000, 0), tank(5000, 0), True),
        (Base((5000, 0), 0, 2000, 2000), Base((5000, 0), 0, 2000, 2000), True),  # the very house
        (Base((5000, 0), 0, 9000, 9000), Base((5000, 0), 0, 9000, 9000), True),
    ],
)
def test_bodies_run_into_solid_things_on_their_way(start: Base, end: Base, meets: bool) -> None:
    assert run_into(start, end, HOUSE) is meets
    assert run_into(end, start, HOUSE) is meets


@given(squares, close_points, motions)
def test_a_way_past_a_house_is_free_however_the_table_lies(start: Base, goal: tuple[int, int], motion: Motion) -> None:
    end = Base(goal, start.heading, 1000, 1000)
    house = ((-500, -500), (700, -400), (400, 600))
    assert run_into(moved(start, motion), moved(end, motion), motion.points(house)) is run_into(start, end, house)
