"""Exact lines, checked against an independent calculation in fractions."""

from fractions import Fraction
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.geo.hex import Hex, centre, disk, distance
from sandtable.geo.hexside import Hexside, hexes_of, side_between
from sandtable.geo.line import Along, Corner, Cross, Line, Through, relative, trace
from sandtable.geo.shapes.polygon import orientation
from sandtable.geo.vertex import ends_of
from tests.geo.turning import has_ties, hexes_at, rotate, vertices

hexes = st.builds(Hex, st.integers(-14, 14), st.integers(-14, 14))
steps = st.integers(1, 5)


class Clip(NamedTuple):
    """The share of a line that lies in a closed hex, and whether its middle is strictly inside."""

    start: Fraction
    end: Fraction
    is_inside: bool


def clip(a: Hex, b: Hex, hex: Hex) -> Clip | None:
    """Clip the segment between two centres to the six half planes of a hex."""
    (ax, ay), (bx, by) = centre(a), centre(b)
    corners = vertices(hex)
    start, end = Fraction(0), Fraction(1)
    inside = True
    for index, corner in enumerate(corners):
        after = corners[(index + 1) % 6]
        one, other = orientation(corner, after, (ax, ay)), orientation(corner, after, (bx, by))
        if one < 0 and other < 0:
            return None
        if one == 0 == other:
            inside = False
        elif one < 0:
            start = max(start, Fraction(one, one - other))
        elif other < 0:
            end = min(end, Fraction(one, one - other))
    return None if start > end else Clip(start, end, inside and start < end)


def expected(a: Hex, b: Hex) -> tuple[list[Hex], set[Hex], set[Hex]]:
    """Hexes passed through in order, hexes run along, hexes touched in one point."""
    through: list[tuple[Fraction, Hex]] = []
    along, touched = set(), set()
    for hex in disk(a, distance(a, b) + 1):
        found = clip(a, b, hex)
        if found is None:
            continue
        if found.is_inside or a == b:
            through.append((found.start, hex))
        elif found.start < found.end:
            along.add(hex)
        else:
            touched.add(hex)
    return [hex for _, hex in sorted(through)], along, touched


@given(hexes)
def test_a_line_agrees_with_fractions(b: Hex) -> None:
    a = Hex(0, 0)
    if a == b:
        assert trace(a, b).elements == (Through(a),)
        return
    line = trace(a, b)
    through, along, touched = expected(a, b)
    assert list(line.hexes) == through
    assert {hex for element in line.elements if isinstance(element, Along) for hex in element.hexes} == along
    # A hex met in one point at an end of a hexside run along is the next hex of the line, never a touched one.
    assert {hex for element in line.elements if isinstance(element, Corner) for hex in element.touched} == touched


@given(hexes, hexes)
def test_elements_follow_one_another(a: Hex, b: Hex) -> None:
    line = trace(a, b)
    assert line.hexes[0] == a
    assert line.hexes[-1] == b
    assert len(line.hexes) >= 1
    before: Hex | Hexside | None = None
    for index, element in enumerate(line.elements):
        match element:
            case Through(hex):
                before = hex
            case Cross(side):
                after = line.elements[index + 1]
                assert isinstance(after, Through)
                assert isinstance(before, Hex)
                assert side == side_between(before, after.hex)
            case Along(side, both):
                assert before == side
                assert both == hexes_of(side)
            case Corner(vertex, came_from, goes_to, touched):
                assert came_from == before
                after = line.elements[index + 1]
                assert goes_to == (after.hex if isinstance(after, Through) else getattr(after, "side", None))
                for end in (came_from, goes_to):
                    if isinstance(end, Hexside):
                        assert vertex in ends_of(end)
                    else:
                        assert end in hexes_at(vertex)
                met = {came_from, goes_to, *touched}
                if not isinstance(came_from, Hexside) and not isinstance(goes_to, Hexside):
                    assert met == hexes_at(vertex)
                else:
                    assert touched == ()
                before = goes_to


@given(hexes, hexes)
def test_a_line_back_is_the_line_reversed(a: Hex, b: Hex) -> None:
    assert trace(b, a) == trace(a, b).reversed()
    assert trace(a, b).reversed().reversed() == trace(a, b)


@given(hexes, hexes, hexes)
def test_a_line_moves_with_its_hexes(a: Hex, b: Hex, by: Hex) -> None:
    assert trace(a + by, b + by) == trace(a, b).moved(by)


def turned(line: Line, step: int) -> list[tuple[object, ...]]:
    """What the line meets, turned about the origin; vertices by the hexes that meet there."""

    def hex(one: Hex) -> Hex:
        return rotate(one, step)

    def end(one: Hex | Hexside) -> object:
        return frozenset(map(hex, hexes_of(one))) if isinstance(one, Hexside) else hex(one)

    found: list[tuple[object, ...]] = []
    for element in line.elements:
        match element:
            case Through(one):
                found.append(("through", hex(one)))
            case Cross(side):
                found.append(("cross", end(side)))
            case Along(side, _):
                found.append(("along", end(side)))
            case Corner(vertex, came_from, goes_to, touched):
                at = frozenset(map(hex, hexes_at(vertex)))
                found.append(("corner", at, end(came_from), end(goes_to), tuple(map(hex, touched))))
    return found


@given(hexes, hexes, steps)
def test_a_line_turns_with_its_hexes(a: Hex, b: Hex, step: int) -> None:
    assert turned(trace(rotate(a, step), rotate(b, step)), 0) == turned(trace(a, b), step)


@given(hexes, hexes)
def test_lines_cover_the_distance(a: Hex, b: Hex) -> None:
    line = trace(a, b)
    along = sum(isinstance(element, Along) for element in line.elements)
    assert len(line.hexes) + along >= distance(a, b) + 1
    if not has_ties(line):
        assert len(line.sides) == len(line.hexes) - 1


def test_a_line_along_a_hexside() -> None:
    line = trace(Hex(0, 0), Hex(2, -1))
    assert [type(element) for element in line.elements] == [Through, Corner, Along, Corner, Through]
    along = line.elements[2]
    assert isinstance(along, Along)
    assert set(along.hexes) == {Hex(1, -1), Hex(1, 0)}
    assert has_ties(line)


def test_a_line_through_vertices_between_hexes() -> None:
    line = trace(Hex(0, 0), Hex(1, 4))
    touched = [element.touched for element in line.elements if isinstance(element, Corner)]
    assert touched == [(Hex(1, 1),), (Hex(0, 3),)]
    assert line.hexes == (Hex(0, 0), Hex(0, 1), Hex(0, 2), Hex(1, 2), Hex(1, 3), Hex(1, 4))


def test_a_line_down_a_hex_row_has_no_ties() -> None:
    line = trace(Hex(3, 2), Hex(3, 7))
    assert not has_ties(line)
    assert line.hexes == tuple(Hex(3, r) for r in range(2, 8))
    assert len(line.sides) == 5


def test_about_a_quarter_of_all_lines_have_ties() -> None:
    targets = [hex for hex in disk(Hex(0, 0), 24) if hex != (0, 0)]
    tied = sum(has_ties(trace(Hex(0, 0), hex)) for hex in targets)
    assert tied / len(targets) == pytest.approx(0.25, abs=0.05)


def test_one_line_for_each_offset_is_kept() -> None:
    assert relative(5, -2) is relative(5, -2)
    assert trace(Hex(0, 0), Hex(5, -2)) is relative(5, -2)
