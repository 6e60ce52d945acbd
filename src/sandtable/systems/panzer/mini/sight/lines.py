"""5.5 Line of sight between two places: whether there is one, kept for each pair, and all about it for the tool."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.geo.plane.lines import is_crossed
from sandtable.geo.plane.points import INCH, Point, label, range_inches, within
from sandtable.geo.plane.shapes import bits
from sandtable.geo.plane.sight import PlaneSight
from sandtable.geo.sight import Hindrance, Profile
from sandtable.systems.panzer.mini.ground import Ground
from sandtable.systems.panzer.mini.sight.heights import CLOSE_BY, ZONES, sunk, verdict
from sandtable.systems.panzer.mini.sight.section import Part, section
from sandtable.systems.panzer.mini.sight.smoke import smoke_on

__all__ = ["LineOfSight", "SightStep", "Sights"]

BOOK = ("panzer-mini",)
Spot = tuple[int, int]
_MOST_PAIRS = 200_000
"""Answers remembered at a time."""


class SightStep(msgspec.Struct, frozen=True):
    """A stretch of a line, for drawing it from the side."""

    start: Point
    end: Point
    ground: int
    top: int
    what: str
    zones: str
    """Of C, M and F those that it lies in."""
    blocks: bool
    rule: str
    reason: str


class LineOfSight(PlaneSight, frozen=True, kw_only=True):
    """All about a line between two places."""

    steps: tuple[SightStep, ...] = ()
    at_label: str = ""


class Sights:
    """The lines of sight of one version of the ground."""

    def __init__(self, ground: Ground, table: Table) -> None:
        self.ground = ground
        self.table = table
        self._known: dict[tuple[Spot, Spot], bool] = {}
        self._latest = self

    def now(self, ground: Ground) -> Sights:
        """The sights of the ground as patches have changed it; smoke and wrecks block nothing, so mostly the same."""
        if ground is not self._latest.ground:
            found = Sights(ground, self.table)
            if ground.layers.ruined == self.ground.layers.ruined:
                found._known = self._known
            self._latest = found
        return self._latest

    def sees(self, a: Spot, b: Spot) -> bool:
        """Whether there is a line of sight, the same from both ends (5.5)"""
        key = (a, b) if a <= b else (b, a)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _MOST_PAIRS:
                self._known.clear()
            found = self._known[key] = self._is_clear(*key)
        return found

    @rule("5.5", "5.4.2.7", editions=BOOK)
    def _is_clear(self, a: Spot, b: Spot) -> bool:
        """From centre to centre, over everything in between (5.5); adjacent units always see each other (5.4.2.7)"""
        if within(a, b, CLOSE_BY):
            return True
        ground = self.ground
        one, other = ground.at(a).height, ground.at(b).height
        if sunk(one, other):
            return False
        shapes = ground.shapes
        near = shapes.near(a, b)
        if not near:
            return True
        walls = near & ground.walls(max(one, other))
        # Terrain that is looked into lies within an inch of an end (5.4.2.4), so what reaches farther from both blocks.
        if walls and any(is_crossed(a, b, shapes.outlines[number], INCH) for number in bits(walls)):
            return False
        found = shapes.among(near, a, b)
        for part in section(ground, a, b, found) if found else ():
            blocker = part.blocker
            if blocker is not None and verdict(self.table, blocker[0], one, other, part.zones(a, b)).blocks:
                return False
        return True

    def line(self, a: Spot, b: Spot) -> LineOfSight:
        """The line with its section of heights, its zones, and what blocks or hinders it (5.5)"""
        a, b = Point(*a), Point(*b)
        one, other = self.ground.at(a).height, self.ground.at(b).height
        near = within(a, b, CLOSE_BY)
        parts = section(self.ground, a, b, self.ground.shapes.spans(a, b))
        steps = tuple(self._step(part, a, b, one, other, near=near) for part in parts)
        blocking = next((step for step in steps if step.blocks), None)
        by, reason, rules, at = "", "", _rules(steps), None
        if near:
            rules = ("5.4.2.7",)
        elif sunk(one, other):
            by, at = "low ground", b
            reason, rules = "nobody at Height -1 sees another at Height -1", ("5.5.2.4.4",)
        elif blocking is not None:
            by, at, rules = blocking.what, blocking.start, (blocking.rule,)
            reason = f"{by} at Height {blocking.top}: {blocking.reason}"
        hindrances = tuple(
            Hindrance(_along(a, b, share), "Brew Up Smoke", "8.4.2.8")
            for share in smoke_on(self.ground, self.table, a, b)
        )
        return LineOfSight(
            a=a,
            b=b,
            range_inches=range_inches(a, b),
            blocked=at is not None,
            at=at,
            at_label=label(at) if at is not None else "",
            by=by,
            reason=reason,
            height_a=one,
            height_b=other,
            hindrances=hindrances,
            profile=_profile(steps, a, b, one, other),
            rules=rules,
            steps=steps,
        )

    def _step(self, part: Part, a: Point, b: Point, one: int, other: int, *, near: bool) -> SightStep:
        zones = part.zones(a, b)
        start, end = _along(a, b, part.start), _along(a, b, part.end)
        shown = part.what or part.hill
        blocker = part.blocker
        letters = "".join(ZONES[zone] for zone in zones)
        if blocker is None or near:
            cited, why = ("5.4.2.4", "one sees an inch into it and out of it") if part.seen_into else ("", "")
            return SightStep(start, end, part.ground, part.top, shown.name if shown else "", letters, False, cited, why)
        found = verdict(self.table, blocker[0], one, other, zones)
        name = blocker[1].name
        return SightStep(start, end, part.ground, part.top, name, letters, found.blocks, found.rule, found.reason)


def _rules(steps: tuple[SightStep, ...]) -> tuple[str, ...]:
    """The rules under which a clear line passes what it meets."""
    return tuple(dict.fromkeys(step.rule for step in steps if step.rule))


def _profile(steps: tuple[SightStep, ...], a: Point, b: Point, one: int, other: int) -> tuple[Profile[Point], ...]:
    """Both ends and every stretch at its start and its end."""
    found = [Profile(a, one, one)]
    for step in steps:
        found += [Profile(at, step.ground, step.top, step.what) for at in (step.start, step.end)]
    return (*found, Profile(b, other, other))


def _along(a: Point, b: Point, share: Fraction) -> Point:
    return Point(a.x + round((b.x - a.x) * share), a.y + round((b.y - a.y) * share))
