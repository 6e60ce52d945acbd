"""Sight, warm: a pair of hexes that was asked for before, beside looking a tuple up in a dict.

The ratio is the dict's time over ours.
"""

from __future__ import annotations

from sandtable.cli.bench.measure import Budget, best_of_each, times
from sandtable.cli.bench.panzer.sight_cold import big_ground

__all__ = ["measure"]

RUNS = 15


def measure() -> list[Budget]:
    """One look at a known pair."""
    ground = big_ground()
    hexes = sorted(ground.map.hexes)
    middle = hexes[len(hexes) // 2]
    plain = {(middle, hex): ground.sees(middle, hex) for hex in hexes}
    fields = ground.fields

    def ours() -> None:
        for hex in hexes:
            _ = hex in fields[middle]

    def anchor() -> None:
        for hex in hexes:
            plain[middle, hex]

    one, other = best_of_each(RUNS, ours, anchor)
    count = len(hexes)
    note = "seconds a lookup; of a tuple in a dict"
    return [times("sight, warm", one / count, other / count, floor=0.5, goal=1, note=note)]
