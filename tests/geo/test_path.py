"""Cheapest ways."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from sandtable.geo.hex import DIRECTIONS, Hex, disk, distance, neighbour
from sandtable.geo.path import cheapest, hex_steps


def test_open_ground_costs_the_distance() -> None:
    start = Hex(0, 0)
    reach = cheapest([start], hex_steps(lambda _a, _direction, _b: 1), limit=4)
    assert set(reach.costs) == set(disk(start, 4))
    assert all(cost == distance(start, hex) for hex, cost in reach.costs.items())
    assert list(reach.costs.values()) == sorted(reach.costs.values())


def test_a_way_round_a_hexside_that_cannot_be_crossed() -> None:
    a, b = Hex(0, 0), Hex(0, -1)

    def cost(here: Hex, _direction: int, there: Hex) -> int | None:
        return None if {here, there} == {a, b} else 1

    reach = cheapest([a], hex_steps(cost), limit=3)
    assert reach.costs[b] == 2
    assert len(reach.way(b)) == 3
    assert reach.way(b)[0] == a
    assert reach.way(b)[-1] == b
    assert reach.way(Hex(9, 9)) == ()


def test_states_may_be_more_than_hexes() -> None:
    # A vehicle that pays 1 to go ahead and 1 for each turn of 60 degrees.
    def steps(state: tuple[Hex, int]) -> list[tuple[tuple[Hex, int], int]]:
        hex, facing = state
        return [
            ((neighbour(hex, facing), facing), 1),
            ((hex, (facing + 1) % 6), 1),
            ((hex, (facing - 1) % 6), 1),
        ]

    reach = cheapest([(Hex(0, 0), 0)], steps, limit=6)
    assert reach.costs[Hex(0, -3), 0] == 3
    assert reach.costs[Hex(*DIRECTIONS[3]), 3] == 4
    assert reach.way((Hex(0, -2), 0)) == ((Hex(0, 0), 0), (Hex(0, -1), 0), (Hex(0, -2), 0))


def test_starts_may_have_costs_and_the_search_may_stop() -> None:
    near, far = Hex(0, 0), Hex(10, 0)
    reach = cheapest({near: 5, far: 0}, hex_steps(lambda _a, _d, _b: 1), limit=20, until=lambda hex: hex == (4, 0))
    assert reach.costs[Hex(4, 0)] == 6
    assert reach.way(Hex(4, 0))[0] == far
    assert Hex(-9, 0) not in reach.costs
    assert cheapest({near: 5}, hex_steps(lambda _a, _d, _b: 1), limit=4).costs == {}


@given(st.dictionaries(st.integers(0, 200), st.integers(0, 9), min_size=20), st.integers(0, 25))
def test_no_step_betters_a_cost(prices: dict[int, int], limit: int) -> None:
    def cost(here: Hex, direction: int, there: Hex) -> int | None:
        return prices.get((here.q * 31 + here.r * 17 + direction * 7 + there.q) % 211)

    reach = cheapest([Hex(0, 0)], hex_steps(cost), limit)
    again = cheapest([Hex(0, 0)], hex_steps(cost), limit)
    assert list(reach.costs.items()) == list(again.costs.items())
    assert reach.came_from == again.came_from
    for hex, total in reach.costs.items():
        assert total <= limit
        way = reach.way(hex)
        paid = 0
        for a, b in pairwise(way):
            direction = next(d for d in range(6) if neighbour(a, d) == b)
            paid += cost(a, direction, b) or 0
        assert paid == total
        for direction in range(6):
            there = neighbour(hex, direction)
            price = cost(hex, direction, there)
            if price is not None and total + price <= limit:
                assert reach.costs[there] <= total + price
