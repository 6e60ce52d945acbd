"""Hexsides and vertices have one identity, whichever hex asks."""

from hypothesis import assume, given
from hypothesis import strategies as st

from sandtable.geo.hex import Hex, centre, distance, neighbour, opposite
from sandtable.geo.hexside import (
    hexes_of,
    hexside,
    hexsides,
    side_between,
    translate_side,
)
from sandtable.geo.vertex import (
    Vertex,
    ends_of,
    translate_vertex,
)
from tests.geo.turning import hexes_at, vertices

hexes = st.builds(Hex, st.integers(-20, 20), st.integers(-20, 20))
directions = st.integers(0, 5)


@given(hexes, directions)
def test_a_hexside_is_the_same_from_both_hexes(a: Hex, direction: int) -> None:
    b = neighbour(a, direction)
    side = hexside(a, direction)
    assert side == hexside(b, opposite(direction)) == side_between(a, b) == side_between(b, a)
    assert side.dir in (0, 1, 2)
    assert set(hexes_of(side)) == {a, b}
    assert hexsides(a)[direction] == side


@given(hexes)
def test_a_hex_has_six_sides_and_six_vertices_all_different(a: Hex) -> None:
    assert len(set(hexsides(a))) == 6
    assert len(set(vertices(a))) == 6
    assert side_between(a, a) is None
    assert side_between(a, Hex(a.q + 2, a.r)) is None


@given(hexes, directions)
def test_sides_run_between_the_vertices_of_their_number(a: Hex, direction: int) -> None:
    corners = vertices(a)
    expected = {corners[direction], corners[(direction + 1) % 6]}
    assert set(ends_of(hexside(a, direction))) == expected


@given(hexes, directions)
def test_three_hexes_meet_at_a_vertex(a: Hex, number: int) -> None:
    vertex = vertices(a)[number]
    around = hexes_at(vertex)
    assert a in around
    assert len(around) == 3
    assert all(distance(one, other) == 1 for one in around for other in around if one != other)
    assert all(vertex in vertices(hex) for hex in around)


@given(hexes, directions, hexes)
def test_sides_and_vertices_move_with_their_hexes(a: Hex, direction: int, by: Hex) -> None:
    assert translate_side(hexside(a, direction), by) == hexside(a + by, direction)
    assert translate_vertex(vertices(a)[direction], by) == vertices(a + by)[direction]


@given(st.integers(-40, 40), st.integers(-40, 40))
def test_every_lattice_point_is_a_centre_or_a_vertex(x: int, y: int) -> None:
    assume((x - y) % 2 == 0)
    if x % 3:
        assert all(Vertex(x, y) in vertices(hex) for hex in hexes_at(Vertex(x, y)))
    else:
        assert centre(Hex(x // 3, (y - x // 3) // 2)) == (x, y)
