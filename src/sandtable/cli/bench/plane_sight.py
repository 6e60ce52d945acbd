"""Sight over a table, cold: what lines between places run through, beside a plain exact loop over all shapes.

The table is 72 by 48 inches with 60 outlines of woods, hills and houses. The anchor asks every outline exactly, one
after the other. The ratio is ours to the anchor's, in pairs of places a second.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from sandtable.cli.bench.measure import Budget, best_of_each, rates
from sandtable.geo.plane.headings import CIRCLE, vector
from sandtable.geo.plane.points import INCH, Point
from sandtable.geo.plane.shapes import Shapes
from sandtable.geo.shapes.polygon import PointPosition, is_simple, stretches

__all__ = ["measure", "outlines", "plain_spans"]

RUNS = 3
PAIRS = 300
WIDTH, DEPTH, SHAPES = 72 * INCH, 48 * INCH, 60


def outlines(seed: str = "72 x 48") -> list[tuple[Point, ...]]:
    """Ragged outlines of 4 to 14 corners, from houses of 2 inches to woods of 12."""
    rng = Random(seed)
    found: list[tuple[Point, ...]] = []
    while len(found) < SHAPES:
        x, y, size = rng.randrange(WIDTH), rng.randrange(DEPTH), rng.randint(INCH, 6 * INCH)
        turns = sorted(rng.sample(range(CIRCLE), rng.randint(4, 14)))
        reaches = [(vector(turn), rng.randint(size // 2, size)) for turn in turns]
        outline = tuple(Point(x + dx * reach // 10**9, y + dy * reach // 10**9) for (dx, dy), reach in reaches)
        if is_simple(outline):
            found.append(outline)
    return found


def plain_spans(shapes: list[tuple[Point, ...]], a: Point, b: Point) -> dict[int, Fraction]:
    """How much of a line runs through each outline, asked of all of them."""
    found: dict[int, Fraction] = {}
    for number, outline in enumerate(shapes):
        inside = [
            Fraction(*end) - Fraction(*start)
            for start, end, place in stretches(a, b, outline)
            if place is not PointPosition.OUTSIDE
        ]
        if inside:
            found[number] = sum(inside, Fraction(0))
    return found


def measure() -> list[Budget]:
    """Lines between places at random."""
    shapes = outlines()
    rng = Random("pairs")
    pairs = [
        (Point(rng.randrange(WIDTH), rng.randrange(DEPTH)), Point(rng.randrange(WIDTH), rng.randrange(DEPTH)))
        for _ in range(PAIRS)
    ]

    def ours() -> None:
        index = Shapes(shapes)
        for a, b in pairs:
            index.spans(a, b)

    def anchor() -> None:
        for a, b in pairs:
            plain_spans(shapes, a, b)

    one, other = best_of_each(RUNS, ours, anchor)
    note = f"pairs of places a second over {SHAPES} outlines, index included; a plain exact loop over all of them"
    return [rates("sight over a table, cold", PAIRS / one, PAIRS / other, floor=5, goal=20, note=note)]
