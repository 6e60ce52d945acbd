"""5.5 The section under a line: how high the ground and what stands on it are, stretch by stretch.

A stretch begins and ends where an outline is crossed. What an end stands on or in is settled here too: the level of its
own hill is no obstacle to it as far as it reaches (5.5), and one sees an inch into and out of what would block
(5.4.2.4).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise

import msgspec
from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.geo.plane.lines import Zone, cuts_of, is_longer, shared, zones_of
from sandtable.geo.plane.points import INCH
from sandtable.geo.shapes.convex import Stretch
from sandtable.systems.panzer.mini.ground import Ground, Obstacle

__all__ = ["Part", "Spans", "section"]

BOOK = ("panzer-mini",)
Spot = tuple[int, int]
Spans = Mapping[int, list[Stretch]]
"""Where a line runs through obstacles, by their numbers."""
_START, _END = Fraction(0), Fraction(1)


class Part(msgspec.Struct, frozen=True):
    """A stretch of a line on which nothing changes."""

    start: Fraction
    end: Fraction
    ground: int
    """Level of the ground."""
    top: int
    """Height of what stands there, the ground included."""
    what: Obstacle | None
    """What stands highest; None on bare ground."""
    hill: Obstacle | None
    """The feature that sets the level."""
    own: bool = False
    """On the level of the end that it reaches from: no obstacle to it."""
    seen_into: bool = False
    """Within an inch of that end in the terrain in which it stands."""

    def zones(self, a: Spot, b: Spot) -> tuple[Zone, ...]:
        """The zones of the line that it lies in (5.5.2.4.2)."""
        return zones_of(a, b, (self.start, self.end))

    @property
    def blocker(self) -> tuple[int, Obstacle] | None:
        """How high it stands in the way, and as what; None if it does not."""
        if self.what is not None and not self.seen_into:
            return self.top, self.what
        if self.hill is not None and self.ground > 0 and not self.own:
            return self.ground, self.hill
        return None


def section(ground: Ground, a: Spot, b: Spot, found: Spans) -> list[Part]:
    """All stretches of a line from ``a`` to ``b``; none where it meets nothing that sight has to do with."""
    if not found:
        return []
    met = []
    for number, spans in found.items():
        obstacle = ground.obstacles[number]
        met.append((obstacle, _over_ridge(obstacle, spans, a, b) if obstacle.ridge else spans))
    cuts = cuts_of(spans for _, spans in met)
    parts = [Part(start, end, 0, 0, None, None) for start, end in pairwise(cuts)]
    for obstacle, spans in met:
        for first, last in spans:
            for index in range(cuts.index(first), cuts.index(last)):
                parts[index] = _with(parts[index], obstacle)
    parts = _from_end(parts, ground.at(a).level, a, b)
    return _from_end(parts[::-1], ground.at(b).level, a, b)[::-1]


def _with(part: Part, obstacle: Obstacle) -> Part:
    """A stretch with one more obstacle on it: the last level holds, and the highest that stands there."""
    ground, what, hill = part.ground, part.what, part.hill
    height = part.top - ground
    if obstacle.level is not None:
        ground, hill = obstacle.level, obstacle
    if obstacle.height > height:
        height, what = obstacle.height, obstacle
    return Part(part.start, part.end, ground, ground + height, what, hill)


@rule("5.4.2.4", "5.5.1.11", editions=BOOK)
def _from_end(parts: list[Part], level: int, a: Spot, b: Spot) -> list[Part]:
    """What an end stands on and in, the parts given from it on (5.4.2.4, 5.5.1.11)

    Terrain in which it stands is looked through for an inch, measured along the line; what is deeper blocks whole.
    """
    on = inside = 0
    for part in parts:
        if part.ground != level:
            break
        on += 1
    for part in parts:
        if part.what is None or part.what.ridge:
            break
        inside += 1
    if inside and is_longer(a, b, shared((part.start, part.end) for part in parts[:inside]), INCH):
        inside = 0
    found = list(parts)
    for index in range(max(on, inside)):
        part = parts[index]
        found[index] = replace(part, own=part.own or index < on, seen_into=part.seen_into or index < inside)
    return found


@rule("5.5.1.17", editions=BOOK)
def _over_ridge(obstacle: Obstacle, spans: list[Stretch], a: Spot, b: Spot) -> list[Stretch]:
    """A unit on a crest is on one side of its ridge, and that side hides nothing from it (5.5.1.17)"""
    if spans[0][0] > _START and spans[-1][1] < _END:
        return spans
    if any(_crosses(a, b, one, other) for one, other in pairwise(obstacle.ridge)):
        return spans
    return [span for span in spans if span[0] > _START and span[1] < _END]


def _crosses(a: Spot, b: Spot, c: Spot, d: Spot) -> bool:
    """Whether a line passes from one side of a piece of a ridge to the other; to end upon it is not to pass."""
    return _side(a, b, c) * _side(a, b, d) <= 0 and _side(c, d, a) * _side(c, d, b) < 0


def _side(a: Spot, b: Spot, c: Spot) -> int:
    found = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (found > 0) - (found < 0)
