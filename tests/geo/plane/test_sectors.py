"""Fields of fire and hit angles: sectors between rays that have a width."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.geo.plane.headings import vector
from sandtable.geo.plane.points import Point
from sandtable.geo.plane.sectors import sectors_of
from tests.geo.plane.motions import Motion, close_points, headings, motions

QUARTERS = (-450, 450, 1350, 2250)
"""Front, right, rear, left."""
EIGHTHS = tuple(range(-225, 3375, 450))


@pytest.mark.parametrize(
    ("target", "found"),
    [
        (Point(0, -10_000), (0,)),
        (Point(10_000, 0), (1,)),
        (Point(0, 10_000), (2,)),
        (Point(-10_000, 0), (3,)),
        (Point(10_000, -10_000), (0, 1)),
        (Point(10_070, -10_000), (0, 1)),
        (Point(10_071, -10_000), (1,)),
        (Point(9_929, -10_000), (0,)),
        (Point(-10_000, -10_000), (0, 3)),
        (Point(0, 0), (0, 1, 2, 3)),
        (Point(-40, 20), (0, 1, 2, 3)),
    ],
)
def test_quarters_about_a_base_that_looks_north(target: Point, found: tuple[int, ...]) -> None:
    assert sectors_of((0, 0), 0, QUARTERS, target) == found


def test_a_line_of_22_and_a_half_degrees_has_a_width() -> None:
    assert sectors_of((0, 0), 0, EIGHTHS, (4142, -10_000)) == (0, 1)
    assert sectors_of((0, 0), 0, EIGHTHS, (4142 + 60, -10_000)) == (1,)
    assert sectors_of((0, 0), 0, EIGHTHS, (4142 - 60, -10_000)) == (0,)


def test_a_sector_wider_than_a_half_turn() -> None:
    rear = (450, -450)
    assert sectors_of((0, 0), 0, rear, (0, -9000)) == (1,)
    assert sectors_of((0, 0), 0, rear, (9000, 8000)) == sectors_of((0, 0), 0, rear, (-9000, -100)) == (0,)


@given(close_points, headings, close_points, motions, st.sampled_from([QUARTERS, EIGHTHS]))
def test_sectors_turn_with_the_table(
    at: Point, heading: int, target: Point, motion: Motion, rays: tuple[int, ...]
) -> None:
    found = sectors_of(at, heading, rays, target)
    moved = sectors_of(motion.point(at), motion.heading(heading), rays, motion.point(target))
    assert found
    count = len(rays)
    # In a mirror right is left, and the front stays the front.
    assert set(moved) == {(-one) % count if motion.mirrored else one for one in found}


@given(close_points, headings, headings)
def test_all_round_there_are_one_or_two_sectors_far_from_the_middle(at: Point, heading: int, way: int) -> None:
    x, y = vector(way)
    target = at[0] + x // 100_000, at[1] + y // 100_000
    found = sectors_of(at, heading, EIGHTHS, target)
    assert len(found) in (1, 2)
    assert len(found) == 1 or (found[1] - found[0]) % 8 in (1, 7)
