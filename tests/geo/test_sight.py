"""The shape of sight results, and their cache."""

import msgspec

from sandtable.geo.hex import Hex, distance
from sandtable.geo.hexside import hexside
from sandtable.geo.sight import HexSight, Hindrance, Profile, SightCache


def test_a_result_is_data() -> None:
    a, b = Hex(0, 0), Hex(0, 4)
    result = HexSight(
        a=a,
        b=b,
        range_hexes=4,
        blocked=True,
        at=Hex(0, 2),
        at_side=hexside(Hex(0, 2), 0),
        by="hedgerow",
        reason="higher than both",
        hindrances=(Hindrance(Hex(0, 1), "smoke", "4.1.4.1.9", 2), Hindrance(Hex(0, 3), "dust")),
        profile=(Profile(Hex(0, 1), 0, 2, "smoke"), Profile(None, 0, 1, side=hexside(Hex(0, 2), 0))),
        rules=("4.1.4.2.1",),
    )
    assert result.hindrance == 3
    assert msgspec.json.decode(msgspec.json.encode(result), type=HexSight) == result


def test_an_answer_is_worked_out_once() -> None:
    asked = []

    def compute(pair: tuple[Hex, Hex]) -> int:
        asked.append(pair)
        return distance(*pair)

    cache: SightCache[tuple[Hex, Hex], int] = SightCache(compute)
    a, b = Hex(0, 0), Hex(3, 1)
    assert cache[a, b] == cache[a, b] == 4
    assert asked == [(a, b)]
