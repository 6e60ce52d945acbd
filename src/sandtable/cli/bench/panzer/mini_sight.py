"""Sight on a table through the rules, cold and warm: heights, zones, an inch of woods and all.

Cold: pairs of places that nobody asked about, the index of the table included, beside a plain exact loop over all
outlines that does not even judge what it finds. Warm: a pair that was asked for before, beside looking a pair of tuples
up in a dict; the ratio is the dict's time over ours.
"""

from __future__ import annotations

from random import Random

from sandtable import packs
from sandtable.cli.bench.measure import Budget, best_of_each, rates, times
from sandtable.cli.bench.plane_sight import DEPTH, PAIRS, WIDTH, outlines, plain_spans
from sandtable.core.content.pack import Library
from sandtable.geo.feature import Feature
from sandtable.geo.plane.points import Point
from sandtable.geo.plane.table import TableMap
from sandtable.systems.panzer.mini.ground import Ground
from sandtable.systems.panzer.mini.sight.lines import Sights
from sandtable.systems.panzer.terrain import parse_terrain

__all__ = ["measure"]

RUNS = 3
KINDS = ("woods", "woods", "brick_building", "hill")


def measure() -> list[Budget]:
    """Lines between places at random, twice."""
    library = Library([packs.shipped("panzer-mini")])
    terrain, table = parse_terrain(library.every("terrain.yaml")), library.table("line_of_sight")
    shapes, rng = outlines(), Random("kinds")
    kinds = [rng.choice(KINDS) for _ in shapes]
    features = tuple(
        Feature(kind=kind, outline=outline, level=1 if kind == "hill" else None)
        for kind, outline in zip(kinds, shapes, strict=True)
    )
    pairs = [
        (Point(rng.randrange(WIDTH), rng.randrange(DEPTH)), Point(rng.randrange(WIDTH), rng.randrange(DEPTH)))
        for _ in range(PAIRS)
    ]

    def cold() -> Sights:
        sights = Sights(Ground(TableMap("bench", "", WIDTH, DEPTH, features, ""), terrain), table)
        for a, b in pairs:
            sights.sees(a, b)
        return sights

    def anchor() -> None:
        for a, b in pairs:
            plain_spans(shapes, a, b)

    known = cold()
    plain = {pair: known.sees(*pair) for pair in pairs}

    def warm() -> None:
        for a, b in pairs:
            known.sees(a, b)

    def looked_up() -> None:
        for a, b in pairs:
            plain[a, b]

    one, other = best_of_each(RUNS, cold, anchor)
    again, dict_time = best_of_each(5 * RUNS, warm, looked_up)
    note = f"pairs a second over {len(shapes)} outlines, by all rules; a plain exact loop over all of them"
    found = "seconds a pair; of two tuples in a dict"
    return [
        rates("sight by the miniatures rules, cold", PAIRS / one, PAIRS / other, floor=5, goal=20, note=note),
        times("sight by the miniatures rules, warm", again / PAIRS, dict_time / PAIRS, floor=0.1, goal=0.5, note=found),
    ]
