"""3.2.1 Lines that are measured together measure what each does by itself: every pair of hexes of whole boards."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import combinations
from random import Random

import pytest

from sandtable.geo.hex import Hex
from sandtable.geo.map import GameMap
from sandtable.geo.shapes.pieces import Piece, hexagon
from sandtable.geo.shapes.polygon import Point
from sandtable.systems.aslsk.terrain.ground import Ground
from sandtable.systems.aslsk.terrain.line_path import Span, Stop, boxed, line_path, spans
from sandtable.systems.aslsk.terrain.obstacles import Case
from sandtable.systems.aslsk.terrain.sight import MOST_HINDRANCE
from tests.aslsk.sight_grounds import SHARED, WINTER, drawn, ground, ground_of, shipped, vasl_board

files = pytest.mark.skipif(not SHARED.is_dir(), reason="no ../shared with VASL board files beside the checkout")
rules = pytest.mark.rules


class Plain:
    """The walk along one line, stop by stop, without any bits."""

    def __init__(self, on: Ground) -> None:
        self.on = on
        self.spans = cache(self._spans)

    def _spans(self, case: Case, hex: Hex, direction: Point, *, hinders: bool) -> tuple[Span, ...]:
        sightings = self.on.sightings
        sighted = sightings.hindering(case, hex) if hinders else sightings.blocking(case, hex)
        return sightings.spans(sighted, hex, direction)

    def judge(self, a: Hex, b: Hex) -> tuple[tuple[Hex, ...], int]:
        """Where the line is blocked, the two hexes of a hexside perhaps, and its hindrances if it is not."""
        levels = [self.on.places[hex].level for hex in (a, b)]
        case = Case(min(levels), levels[0] != levels[1])
        line = line_path(b[0] - a[0], b[1] - a[1])
        for stop in line.stops:
            if self._blocks(case, stop, a, line.direction):
                return tuple(hex + a for hex in stop.hexes), 0
        met = [hex for stop in line.stops for hex in self._hinders(case, stop, a, line.direction)]
        return ((met[MOST_HINDRANCE - 1],), 0) if len(met) >= MOST_HINDRANCE else ((), len(met))

    def _blocks(self, case: Case, stop: Stop, a: Hex, direction: Point) -> bool:
        hex = stop.hexes[0] + a
        if stop.side is not None:
            return self.on.sightings.side_blocks(case, stop.side._replace(hex=stop.side.hex + a))
        if stop.distance is None:
            return self.on.sightings.touch_blocks(case, hex)
        spans = self.spans(case, hex, direction, hinders=False) if hex in self.on.places else ((-99, 99),)
        return any(first <= stop.distance <= last for first, last in spans)

    def _hinders(self, case: Case, stop: Stop, a: Hex, direction: Point) -> list[Hex]:
        hex = stop.hexes[0] + a
        if stop.side is not None:
            found = self.on.sightings.side_hinders(case, stop.side._replace(hex=stop.side.hex + a))
            return [hex for hex, _ in found]
        if stop.distance is None:
            return [hex] if self.on.sightings.touch_hinders(case, hex) else []
        spans = self.spans(case, hex, direction, hinders=True)
        return [hex] if any(first <= stop.distance <= last for first, last in spans) else []


def every_pair(on: Ground) -> list[tuple[Hex, Hex]]:
    pairs = list(combinations(sorted(on.map.hexes), 2))
    Random("pairs").shuffle(pairs)
    return pairs


def agrees(on: Ground, pairs: list[tuple[Hex, Hex]]) -> None:
    plain = Plain(on)
    blocked = hindered = 0
    for (a, b), measured in zip(pairs, on.measure_many(pairs), strict=True):
        at, hindrance = plain.judge(a, b)
        assert max(-1, measured) == (-1 if at else hindrance), (on.map.label(a), on.map.label(b))
        if at:
            assert on.reason(measured).hex in at
            blocked += 1
        hindered += hindrance > 0
    assert blocked > len(pairs) / 4
    assert hindered > len(pairs) / 100


@rules("3.2.1", system="aslsk3")
def test_3_2_1_every_pair_of_a_board_with_hills() -> None:
    on = ground("v")
    agrees(on, every_pair(on))


@rules("3.2.1", system="aslsk3")
@files
def test_3_2_1_every_pair_of_an_imported_board_in_summer() -> None:
    on = ground_of(GameMap.of_board(vasl_board("t")))
    agrees(on, every_pair(on))


@rules("3.2.1", system="aslsk3")
@files
def test_3_2_1_many_pairs_of_an_imported_board_with_hills_in_winter() -> None:
    on = ground_of(GameMap.of_board(vasl_board("v")), WINTER)
    agrees(on, every_pair(on)[:8000])


@rules("3.2.1", system="aslsk3")
def test_3_2_1_pairs_may_be_asked_in_any_order_again_and_the_other_way_round() -> None:
    on = ground("u")
    hexes = sorted(on.map.hexes)
    chance = Random("order")
    pairs = [(a, b) for a, b in (chance.choices(hexes, k=2) for _ in range(2000))]
    pairs += [(b, a) for a, b in pairs]
    together = on.measure_many(pairs)
    assert together[:2000] == together[2000:]
    for (a, b), measured in zip(pairs, together, strict=True):
        alone = on.measured[a, b]
        assert alone == measured or (alone < 0 and measured < 0 and on.reason(measured) == on.reason(alone))


@rules("3.2.1", system="aslsk3")
def test_3_2_1_a_sum_of_hindrances_blocks_where_it_becomes_six() -> None:
    on = drawn({"kind": "orchard", "hexes": [f"C{row}" for row in range(2, 10)]}, columns=5, rows=10)
    ends = [(on.map.hex("C1"), on.map.hex(f"C{row}")) for row in range(2, 11)]
    measured = on.measure_many(ends)
    assert measured[:6] == [0, 1, 2, 3, 4, 5]
    assert [on.map.label(on.reason(one).hex) for one in measured[6:]] == ["C7"] * 3
    assert {on.reason(one).what for one in measured[6:]} == {"hindrances"}


@rules("3.2.1", system="aslsk3")
def test_3_2_1_lines_measured_on_several_threads_are_what_they_are_on_one() -> None:
    """Odds are worked out beside the games, and all games of a scenario share its ground."""
    alone = ground("t")
    hexes = sorted(alone.places)[::6]
    pairs = list(combinations(hexes, 2))
    expected = {pair: alone.clear(*pair) for pair in pairs}
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for seed in range(3):
            shared = ground_of(GameMap.of_board(shipped("t")))

            def measure(number: int, shared: Ground = shared, seed: int = seed) -> dict[tuple[Hex, Hex], bool]:
                mixed = Random(f"{seed}/{number}").sample(pairs, len(pairs))
                return {pair: shared.clear(*pair) for pair in mixed}

            with ThreadPoolExecutor(4) as pool:
                for found in pool.map(measure, range(4)):
                    assert found == expected
    finally:
        sys.setswitchinterval(interval)


@rules("3.2.1")
def test_3_2_1_what_reaches_all_corners_of_a_hex_is_crossed_by_every_line_through_it() -> None:
    whole, most = boxed([Piece(hexagon(3), 3), Piece(hexagon(3)[1:], 3)])
    assert whole.fills_hex
    assert not most.fills_hex
    missed = 0
    for q, r in ((q, r) for q in range(-9, 10) for r in range(-9, 10) if (q, r) != (0, 0)):
        line = line_path(q, r)
        for stop in line.stops:
            if stop.distance is not None:
                assert any(first <= stop.distance <= last for first, last in spans([whole], line.direction))
                missed += not any(first <= stop.distance <= last for first, last in spans([most], line.direction))
    assert missed
