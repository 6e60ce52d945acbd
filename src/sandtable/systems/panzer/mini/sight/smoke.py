"""5.5.1.2 Brew Up Smoke on a line: it blocks nothing, but each occurrence hinders fire (8.4.2.8)."""

from __future__ import annotations

from fractions import Fraction

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.geo.plane.lines import spans_inside, zones_of
from sandtable.systems.panzer.mini.ground import Ground
from sandtable.systems.panzer.mini.sight.heights import verdict
from sandtable.systems.panzer.mini.state import SMOKE

__all__ = ["smoke_on"]

BOOK = ("panzer-mini",)
Spot = tuple[int, int]


@rule("5.5.1.2", editions=BOOK)
def smoke_on(ground: Ground, table: Table, a: Spot, b: Spot) -> list[Fraction]:
    """Where a line enters each Brew Up Smoke that it passes through (5.5.1.2)

    It passes over smoke that would not block it as an obstacle of the same height; whoever is inside is always in it.
    """
    one, other = ground.at(a).height, ground.at(b).height
    found = []
    for patch in ground.layers.patches:
        if patch.kind == SMOKE and (spans := spans_inside(a, b, patch.outline)):
            across = zip(*patch.outline, strict=True)
            middle = tuple(sum(values) // len(patch.outline) for values in across)
            top = ground.at((middle[0], middle[1])).level + ground.layers.terrain[SMOKE].height
            zones = [zone for span in spans for zone in zones_of(a, b, span)]
            within = spans[0][0] == 0 or spans[-1][1] == 1
            if within or verdict(table, top, one, other, zones).blocks:
                found.append(spans[0][0])
    return sorted(found)
