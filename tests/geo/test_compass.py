"""Bearings and compass cards, checked against exact lines: what lies behind a hex or hexside is a run of bits."""

from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from sandtable.geo.compass import Compass
from sandtable.geo.hex import NEIGHBOURS, Hex, disk, distance
from sandtable.geo.hexside import SIDES, Hexside, hexes_of, side_between
from sandtable.geo.line import Along, Corner, Cross, Line, relative

HERE = Hex(0, 0)
RADIUS = 9
AROUND = sorted(disk(HERE, RADIUS))
SMALL = Compass(RADIUS, 2 * RADIUS)
FAR = 70
LARGE = Compass(FAR, 3 * FAR)


def passed(line: Line) -> set[Hex]:
    """The hexes between the ends that a line passes through or runs beside."""
    beside = {hex for element in line.elements if isinstance(element, Along) for hex in element.hexes}
    return {*line.hexes, *beside} - {line.a, line.b}


def crossed(line: Line) -> set[Hexside]:
    """The hexsides that a line crosses, those at a vertex between two hexes among them."""
    found = set()
    for element in line.elements:
        if isinstance(element, Cross):
            found.add(element.side)
        elif isinstance(element, Corner) and element.touched:
            assert not isinstance(element.came_from, Hexside)
            assert not isinstance(element.goes_to, Hexside)
            side = side_between(element.came_from, element.goes_to)
            assert side is not None
            found.add(side)
    return found


def bits_of(card: Compass, hexes: list[Hex]) -> int:
    return sum(card.bit_of(*hex) for hex in hexes)


def test_every_hex_within_reach_has_a_bit_of_its_own() -> None:
    bits = [SMALL.bit_of(*hex) for hex in AROUND]
    assert 0 not in bits
    assert len(set(bits)) == len(AROUND)
    assert SMALL.bit_of(RADIUS + 1, 0) == 0
    assert SMALL.bit_of(0, RADIUS + 1) == 0
    for hex in AROUND:
        away = distance(HERE, hex)
        assert SMALL.farther(away - 1) & SMALL.bit_of(*hex) if away else not SMALL.farther(0) & SMALL.bit_of(*hex)
        assert not SMALL.farther(away) & SMALL.bit_of(*hex)
    assert SMALL.farther(1000) == 0


def test_what_lies_behind_a_hex_is_where_lines_pass_through_it() -> None:
    behind: dict[Hex, int] = defaultdict(int)
    for there in AROUND:
        for hex in passed(relative(*there)):
            behind[hex] |= SMALL.bit_of(*there)
    everything = bits_of(SMALL, AROUND)
    for hex in AROUND:
        if hex != HERE:
            range_hexes, start, end = SMALL.behind(*hex)
            assert range_hexes == distance(HERE, hex)
            assert SMALL.bits((start, end)) & SMALL.farther(range_hexes) & everything == behind[hex]


def test_what_lies_behind_a_hexside_is_where_lines_cross_it() -> None:
    behind: dict[Hexside, int] = defaultdict(int)
    for there in AROUND:
        for side in crossed(relative(*there)):
            behind[side] |= SMALL.bit_of(*there)
    everything = bits_of(SMALL, AROUND)
    for hex in disk(HERE, RADIUS - 1):
        for direction, side in enumerate(SIDES[hex]):
            found = SMALL.crossing(*hex, direction)
            other = NEIGHBOURS[hex][direction]
            ranges = sorted((distance(HERE, hex), distance(HERE, other)))
            assert [found.near, found.far] == ranges
            beyond = SMALL.farther(distance(HERE, found.behind)) | SMALL.bit_of(*found.behind)
            assert SMALL.bits(found.run) & beyond & everything == behind[side]
            if behind[side]:
                assert found.behind == (other if found.leaves else hex)


def test_rays_are_the_lines_along_hexsides_and_each_side_knows_those_that_meet_it() -> None:
    along = [hex for hex in AROUND if any(isinstance(e, Along) for e in relative(*hex).elements)]
    assert SMALL.rays & bits_of(SMALL, AROUND) == bits_of(SMALL, along)
    for there in along:
        for element in relative(*there).elements:
            if isinstance(element, Along):
                assert any(
                    SMALL.bits(ray) & SMALL.bit_of(*there)
                    for ray in SMALL.crossing(*element.side.hex, element.side.dir).rays
                ), element


def test_hexes_that_lie_the_same_way_are_in_line() -> None:
    for hex in AROUND:
        if hex != HERE:
            q, r = hex
            same = [there for there in AROUND if q * there.r == r * there.q and q * there.q >= 0 and r * there.r >= 0]
            # The hex itself lies nowhere; its bit is with those to the north.
            found = SMALL.bits(SMALL.in_line(q, r)) & bits_of(SMALL, AROUND) & ~SMALL.bit_of(0, 0)
            assert found == bits_of(SMALL, [there for there in same if there != HERE])


@given(st.integers(-FAR, FAR), st.integers(-FAR, FAR))
def test_long_lines_pass_through_the_same_hexes(q: int, r: int) -> None:
    there = Hex(q, r)
    on_line = passed(relative(q, r))
    near = {hex for one in on_line for hex in (one, *NEIGHBOURS[one])} - {HERE, there}
    bit = LARGE.bit_of(q, r)
    for hex in near:
        range_hexes, start, end = LARGE.behind(*hex)
        assert bool(LARGE.bits((start, end)) & LARGE.farther(range_hexes) & bit) is (hex in on_line)


@given(st.integers(-FAR, FAR), st.integers(-FAR, FAR))
def test_long_lines_cross_the_same_hexsides(q: int, r: int) -> None:
    line = relative(q, r)
    over = crossed(line)
    bit = LARGE.bit_of(q, r)
    for side in {side for hex in line.hexes for side in SIDES[hex]}:
        found = LARGE.crossing(*side.hex, side.dir)
        beyond = LARGE.farther(distance(HERE, found.behind)) | LARGE.bit_of(*found.behind)
        assert bool(LARGE.bits(found.run) & beyond & bit) is (side in over)
        assert {found.near, found.far} == {distance(HERE, hex) for hex in hexes_of(side)}
