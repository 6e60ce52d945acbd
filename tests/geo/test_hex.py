"""Hexes: distance, rings, rotation, arcs."""

from math import acos, degrees

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.geo.hex import (
    DIRECTION_NAMES,
    DIRECTIONS,
    NE,
    Hex,
    N,
    S,
    centre,
    direction_named,
    direction_to,
    disk,
    distance,
    hex_at,
    in_arc,
    neighbour,
    neighbours,
    on_arc_edge,
    opposite,
    sector,
    straight_line,
)
from tests.geo.turning import rotate

hexes = st.builds(Hex, st.integers(-30, 30), st.integers(-30, 30))
directions = st.integers(0, 5)


@given(hexes, hexes, hexes)
def test_distance_is_a_metric(a: Hex, b: Hex, c: Hex) -> None:
    assert distance(a, b) == distance(b, a) >= 0
    assert (distance(a, b) == 0) == (a == b)
    assert distance(a, c) <= distance(a, b) + distance(b, c)
    assert distance(a, b) == (abs(a.q - b.q) + abs(a.r - b.r) + abs(a.q + a.r - b.q - b.r)) // 2


@given(hexes, directions)
def test_neighbours_lead_back(a: Hex, direction: int) -> None:
    b = neighbour(a, direction)
    assert distance(a, b) == 1
    assert direction_to(a, b) == direction
    assert neighbour(b, opposite(direction)) == a
    assert neighbours(a)[direction] == b == a + DIRECTIONS[direction]
    assert b - a == DIRECTIONS[direction] == -DIRECTIONS[opposite(direction)]


@given(hexes, st.integers(0, 6))
def test_a_disk_is_all_within_its_radius(a: Hex, radius: int) -> None:
    found = list(disk(a, radius))
    assert len(found) == len(set(found)) == 1 + 3 * radius * (radius + 1)
    assert all(distance(a, hex) <= radius for hex in found)


@given(hexes)
def test_centre_and_hex_at_are_inverse(a: Hex) -> None:
    assert hex_at(*centre(a)) == a
    x, y = centre(a)
    assert hex_at(x, y + 1) is None
    assert hex_at(x + 1, y + 1) is None


@given(hexes, directions, st.integers(1, 12))
def test_straight_lines(a: Hex, direction: int, length: int) -> None:
    b = a
    for _ in range(length):
        b = neighbour(b, direction)
    assert straight_line(a, b) == direction
    assert straight_line(a, a) is None
    aside = neighbour(b, (direction + 2) % 6)
    assert straight_line(a, aside) == ((direction + 1) % 6 if length == 1 else None)


def test_direction_names() -> None:
    assert [direction_named(name) for name in DIRECTION_NAMES] == list(range(6))
    assert direction_named("ne") == NE
    assert direction_named("east") is None
    assert direction_to(Hex(0, 0), Hex(2, 0)) is None


def angle_from(facing: int, offset: Hex) -> float:
    x, y = centre(offset)
    fx, fy = centre(DIRECTIONS[facing])
    cosine = (x * fx + 3 * y * fy) / ((x * x + 3 * y * y) * 12) ** 0.5
    return degrees(acos(max(-1.0, min(1.0, cosine))))


@given(hexes, directions, hexes, st.sampled_from([30, 60, 90, 120, 150]))
def test_arcs_agree_with_trigonometry(origin: Hex, facing: int, target: Hex, half_angle: int) -> None:
    if origin == target:
        assert in_arc(origin, facing, target, half_angle)
        assert not on_arc_edge(origin, facing, target, half_angle)
        return
    angle = angle_from(facing, target - origin)
    if abs(angle - half_angle) > 1e-6:
        assert in_arc(origin, facing, target, half_angle) == (angle < half_angle)
        assert not on_arc_edge(origin, facing, target, half_angle)
    else:
        assert in_arc(origin, facing, target, half_angle)
        assert on_arc_edge(origin, facing, target, half_angle)


@pytest.mark.parametrize(
    ("target", "half_angle"),
    [
        (Hex(1, -2), 30),
        (Hex(-1, -1), 30),
        (Hex(2, -4), 30),
        (Hex(1, -1), 60),
        (Hex(-3, 0), 60),
        (Hex(2, -1), 90),
        (Hex(-2, 1), 90),
        (Hex(1, 0), 120),
        (Hex(1, 1), 150),
    ],
)
def test_targets_exactly_on_the_edge_of_an_arc(target: Hex, half_angle: int) -> None:
    for facing in range(6):
        turned = rotate(target, facing)
        assert in_arc(Hex(0, 0), facing, turned, half_angle)
        assert on_arc_edge(Hex(0, 0), facing, turned, half_angle)


@given(hexes, directions, hexes)
def test_sectors_share_only_their_edges(origin: Hex, facing: int, target: Hex) -> None:
    held = sector(origin, facing, target)
    if origin == target:
        assert held == ()
        return
    assert all(in_arc(origin, (facing + step) % 6, target, 30) for step in held)
    on_edge = any(on_arc_edge(origin, (facing + step) % 6, target, 30) for step in range(6))
    assert len(held) == (2 if on_edge else 1)
    if on_edge:
        assert (held[0] + 1) % 6 == held[1]


def test_sectors_ahead_and_behind() -> None:
    assert sector(Hex(0, 0), N, Hex(0, -5)) == (0,)
    assert sector(Hex(0, 0), N, Hex(0, 5)) == (3,)
    assert sector(Hex(0, 0), S, Hex(0, -5)) == (3,)
    assert sector(Hex(0, 0), N, Hex(1, -2)) == (0, 1)
    assert sector(Hex(0, 0), N, Hex(-1, -1)) == (5, 0)
