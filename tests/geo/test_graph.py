"""A graph finds just what the plain search finds, in the same order and by the same ways."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sandtable.geo.graph import Graph
from sandtable.geo.hex import Hex, disk
from sandtable.geo.path import cheapest, hex_steps

PLACES = 12
Steps = dict[int, list[tuple[int, int]]]
steps_of = st.dictionaries(
    st.integers(0, PLACES - 1),
    st.lists(st.tuples(st.integers(0, PLACES - 1), st.integers(0, 5)), max_size=5),
)
starts_of = st.dictionaries(st.integers(0, PLACES - 1), st.integers(0, 4), min_size=1, max_size=3)


@given(steps_of, starts_of, st.none() | st.integers(0, 12), st.frozensets(st.integers(0, PLACES - 1), max_size=4))
def test_the_graph_equals_the_plain_search(
    steps: Steps, starts: dict[int, int], limit: int | None, closed: frozenset[int]
) -> None:
    closed -= starts.keys()
    graph = Graph(range(PLACES), lambda place: steps.get(place, ()))
    plain = cheapest(starts, lambda place: [one for one in steps.get(place, ()) if one[0] not in closed], limit)
    found = graph.cheapest(starts, limit, closed)
    assert list(found.costs.items()) == list(plain.costs.items())
    assert found.came_from == plain.came_from


def test_ways_over_hexes_are_the_same() -> None:
    ground = set(disk(Hex(0, 0), 9))
    steps = hex_steps(lambda _, direction, to: 1 + (to.q * 3 + to.r * 5 + direction) % 4 if to in ground else None)
    graph = Graph(sorted(ground), steps)
    plain, found = cheapest([Hex(0, 0)], steps, 15), graph.cheapest([Hex(0, 0)], 15)
    assert len(found.costs) > 60
    assert all(found.way(to) == plain.way(to) for to in ground)


def test_starts_beyond_the_limit_are_out_of_reach() -> None:
    graph = Graph("ab", lambda place: [("b", 1)] if place == "a" else [])
    assert dict(graph.cheapest({"a": 3}, 2).costs) == {}
    assert dict(graph.cheapest({"a": 2}, 2).costs) == {"a": 2}
