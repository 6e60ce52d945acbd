"""Encoding and decoding a state of 60 vehicles, beside msgspec doing the same bytes without types.

The ratio is the anchor's time over ours.
"""

from __future__ import annotations

import msgspec

from sandtable.cli.bench.measure import Budget, best_of_each, times
from sandtable.cli.bench.scenes import crowded
from sandtable.core.codec import decode, encode
from sandtable.core.dice import SeededDice

__all__ = ["measure"]

RUNS = 30
ROUNDS = 50


def measure() -> list[Budget]:
    """There and back again."""
    ruleset, _ = crowded(60)
    state = ruleset.begin(ruleset.setup(), SeededDice(0)).state
    data = encode(state)
    plain = msgspec.json.decode(data)
    kind = ruleset.state_type

    def ours() -> None:
        for _ in range(ROUNDS):
            decode(data, kind)
            encode(state)

    def anchor() -> None:
        for _ in range(ROUNDS):
            msgspec.json.decode(data)
            msgspec.json.encode(plain)

    one, other = best_of_each(RUNS, ours, anchor)
    note = f"seconds for {len(data):,} bytes both ways; msgspec without types"
    return [times("encode and decode", one / ROUNDS, other / ROUNDS, floor=1, goal=1, note=note)]
