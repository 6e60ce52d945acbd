"""Ways over a table: straight legs and turns on the spot, how long they are, and their inch marks.

A way is laid from strokes: ``go`` to a place with the front ahead, ``back`` to one with the front behind, ``face`` a
heading, go ``along`` a road to a place on it. A leg is as long as its root rounded up, so that to cut a leg in two
never makes a way shorter. Inch marks run on through bends; their offsets are rounded alike in all directions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from sandtable.core.tree.drawing import Stroke
from sandtable.geo.plane.headings import heading_to, turn, turned
from sandtable.geo.plane.points import INCH, Point, length

__all__ = ["ALONG", "BACK", "FACE", "GO", "Inch", "Leg", "Way", "along", "lay"]

GO, BACK, FACE, ALONG = "go", "back", "face", "along"
_HALF_TURN = 1800

Rails = Mapping[str, Sequence[tuple[int, int]]]
"""Roads and the like by their names: the lines along which one may go."""


class Leg(msgspec.Struct, frozen=True):
    """A straight part of a way, or a turn on the spot."""

    stroke: int
    """Number of the stroke that it is of."""
    start: Point
    end: Point
    heading: int
    """After a turn, if there is one, and all along the leg."""
    pivot: int
    """How far one turns before it, in tenths of a degree."""
    length: int
    rail: str = ""
    """What it goes along."""

    def at(self, run: int) -> Point:
        """The place after so many units of it."""
        (ax, ay), (bx, by) = self.start, self.end
        return Point(ax + _part(bx - ax, run, self.length), ay + _part(by - ay, run, self.length))


class Inch(msgspec.Struct, frozen=True):
    """What is driven between two inch marks, or after the last one."""

    parts: tuple[tuple[Leg, Point, Point], ...]
    """The pieces of legs that it consists of, with their ends; turns among them."""
    length: int
    """An inch, except for what is left at the end."""

    @property
    def leg(self) -> Leg:
        """The leg on which it ends."""
        return self.parts[-1][0]

    @property
    def end(self) -> Point:
        """Where it ends."""
        return self.parts[-1][2]


class Way(msgspec.Struct, frozen=True):
    """The way of a base over a table, laid out in straight parts and turns."""

    start: Point
    heading: int
    legs: tuple[Leg, ...]

    @property
    def length(self) -> int:
        """The sum of the legs, in units."""
        return sum(leg.length for leg in self.legs)

    @property
    def end(self) -> tuple[Point, int]:
        """Where it leads, and the heading there."""
        return (self.legs[-1].end, self.legs[-1].heading) if self.legs else (self.start, self.heading)

    def inches(self) -> Iterator[Inch]:
        """Inch by inch; turns at the very end come with the last one, or by themselves if nothing was driven."""
        parts: list[tuple[Leg, Point, Point]] = []
        driven = 0
        for number, leg in enumerate(self.legs):
            at, run = leg.start, 0
            while leg.length - run > INCH - driven:
                run += INCH - driven
                mark = leg.at(run)
                yield Inch((*parts, (leg, at, mark)), INCH)
                parts, driven, at = [], 0, mark
            parts.append((leg, at, leg.end))
            driven += leg.length - run
            if driven == INCH and any(later.length for later in self.legs[number + 1 :]):
                yield Inch(tuple(parts), INCH)
                parts, driven = [], 0
        if parts:
            yield Inch(tuple(parts), driven)


def lay(start: tuple[int, int], heading: int, strokes: Sequence[Stroke], rails: Rails) -> Way | int:
    """The way of some strokes; where one of them makes no sense, its number."""
    at, facing = Point(*start), heading
    legs: list[Leg] = []
    for number, stroke in enumerate(strokes):
        laid = list(_legs(number, stroke, at, facing, rails))
        if not laid:
            return number
        legs += laid
        at, facing = laid[-1].end, laid[-1].heading
    return Way(Point(*start), heading, tuple(legs))


def _legs(number: int, stroke: Stroke, at: Point, facing: int, rails: Rails) -> Iterator[Leg]:
    """The legs of a stroke; none if it is wrong."""
    match stroke:
        case Stroke(verb="face", at=None, heading=int(heading), ref=""):
            yield Leg(number, at, at, heading, turn(facing, heading), 0)
        case Stroke(verb="go" | "back" as verb, at=(x, y), heading=None, ref=""):
            yield from _straight(number, [Point(x, y)], at, facing, back=verb == BACK)
        case Stroke(verb="along", at=(x, y), heading=None, ref=ref) if ref in rails:
            points = along(rails[ref], at, (x, y))
            yield from (replace(leg, rail=ref) for leg in _straight(number, points, at, facing, back=False))


def _straight(number: int, points: Sequence[Point], at: Point, facing: int, *, back: bool) -> Iterator[Leg]:
    for end in points:
        heading = heading_to(at, end)
        if heading is None:
            continue
        if back:
            heading = turned(heading, _HALF_TURN)
        yield Leg(number, at, end, heading, turn(facing, heading), length(at, end))
        at, facing = end, heading


def along(line: Sequence[tuple[int, int]], start: tuple[int, int], end: tuple[int, int]) -> list[Point]:
    """The places to go to one after another to get from beside a line to another place beside it."""
    first, last = _nearest(line, start), _nearest(line, end)
    between = line[first + 1 : last + 1] if first <= last else line[last + 1 : first + 1][::-1]
    return [Point(*corner) for corner in (*between, end)]


def _nearest(line: Sequence[tuple[int, int]], point: tuple[int, int]) -> int:
    """Number of the part of a line that lies nearest to a place."""
    return min(range(len(line) - 1), key=lambda index: _square_off(point, line[index], line[index + 1]))


def _square_off(p: tuple[int, int], a: tuple[int, int], b: tuple[int, int]) -> Fraction:
    """Square of the distance from a place to a segment."""
    dx, dy, px, py = b[0] - a[0], b[1] - a[1], p[0] - a[0], p[1] - a[1]
    whole, share = dx * dx + dy * dy, px * dx + py * dy
    if share <= 0:
        return Fraction(px * px + py * py)
    if share >= whole:
        return Fraction((px - dx) ** 2 + (py - dy) ** 2)
    return Fraction((px * dy - py * dx) ** 2, whole)


def _part(whole: int, over: int, under: int) -> int:
    """The share ``over / under`` of a number, rounded to the nearest and halves away from nothing."""
    size = (2 * abs(whole) * over + under) // (2 * under)
    return size if whole >= 0 else -size
