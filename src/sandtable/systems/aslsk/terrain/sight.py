"""3.2.1 Line of Sight, explained: everything that a line meets, what it does there, and by which rule.

:func:`line_of_sight` judges every stop on a line's way in order. It answers the same as the quick walk of
:mod:`~sandtable.systems.aslsk.terrain.ground` and says why. The line from b to a is the line from a to b: of several
things that block, the one named first is the nearest to the hex that comes first on the map.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex, distance
from sandtable.geo.hexside import Hexside
from sandtable.geo.shapes.pieces import Pieces
from sandtable.geo.sight import HexSight, Hindrance, Profile
from sandtable.geo.terrain_query import TerrainQuery
from sandtable.systems.aslsk.terrain.line_path import Stop, line_path
from sandtable.systems.aslsk.terrain.obstacles import Case, Obstacles

__all__ = ["MOST_HINDRANCE", "Finding", "Sight", "judge", "line_of_sight", "too_much"]

MOST_HINDRANCE = 6
"""A sum of hindrances that large blocks (3.2.1)."""
OFF_MAP = "the edge of the map"


class Finding(msgspec.Struct, frozen=True):
    """Something on the way and what it does."""

    hex: Hex
    what: str
    blocks: bool
    rule: str
    why: str
    side: Hexside | None = None
    """The hexside run along, where it was met there."""


class Sight(HexSight, frozen=True, kw_only=True):
    """A line of sight over terrain."""

    between: tuple[Hex, ...] = ()
    """Every hex that the line touches between its ends: smoke in one hinders (1.2.5)."""
    first: Finding | None = None
    """What blocks first."""
    findings: tuple[Finding, ...] = ()
    """All that blocks or hinders, in order from the first hex."""

    @property
    def clear(self) -> bool:
        """Not blocked by terrain."""
        return not self.blocked


@rule("3.2.1")
def line_of_sight(sightings: Obstacles, a: Hex, b: Hex) -> Sight:
    """The line of sight between two hexes, with all that lies in its way (3.2.1)"""
    if b < a:
        return _turned(line_of_sight(sightings, b, a))
    survey = sightings.survey
    one, other = survey.places[a].level, survey.places[b].level
    case = Case(min(one, other), one != other)
    line = line_path(b[0] - a[0], b[1] - a[1])
    found = [f for stop in line.stops for f in judge(sightings, case, stop, a, line.direction)]
    hindrances = tuple(Hindrance(f.hex, f.what, f.rule) for f in found if not f.blocks)
    first = next((f for f in found if f.blocks), None)
    if first is None and len(hindrances) >= MOST_HINDRANCE:
        first = too_much(hindrances[MOST_HINDRANCE - 1].at)
    return Sight(
        a=a,
        b=b,
        range_hexes=distance(a, b),
        blocked=first is not None,
        at=None if first is None else first.hex,
        at_side=None if first is None else first.side,
        by="" if first is None else first.what,
        reason="" if first is None else first.why,
        height_a=one,
        height_b=other,
        hindrances=hindrances,
        profile=tuple(_profile(sightings, a, line.between, b, found)),
        rules=tuple(dict.fromkeys(f.rule for f in ([first] if first else []) + found)) or ("3.2.1",),
        between=tuple(hex + a for hex in line.between),
        first=first,
        findings=tuple(found),
    )


def too_much(hex: Hex) -> Finding:
    """Hindrances that block together, told at the one that is too many (3.2.1)"""
    why = f"hindrances of +{MOST_HINDRANCE} or more block as much as an obstacle"
    return Finding(hex, "hindrances", blocks=True, rule="3.2.1", why=why)


def _turned(sight: Sight) -> Sight:
    return msgspec.structs.replace(
        sight,
        a=sight.b,
        b=sight.a,
        height_a=sight.height_b,
        height_b=sight.height_a,
        profile=sight.profile[::-1],
        between=sight.between[::-1],
    )


def judge(sightings: Obstacles, case: Case, stop: Stop, a: Hex, direction: tuple[int, int]) -> Iterator[Finding]:
    """What a stop does to the line: what blocks it first, then what hinders it."""
    hexes = [hex + a for hex in stop.hexes]
    known = [hex for hex in hexes if hex in sightings.survey.places]
    if not known:
        if stop.distance is not None or stop.side is not None:
            yield Finding(hexes[0], OFF_MAP, blocks=True, rule="3.2.1", why="no line is traced off the map")
    elif stop.side is not None:
        yield from _along(sightings, case, stop.side._replace(hex=stop.side.hex + a))
    elif stop.distance is None:
        yield from _touched(sightings, case, known[0])
    else:
        yield from _through(sightings, case, known[0], direction, stop.distance)


def _through(sightings: Obstacles, case: Case, hex: Hex, direction: tuple[int, int], aside: int) -> Iterator[Finding]:
    """A hex that the line passes through."""

    def crossed(look: TerrainQuery | None, pieces: Pieces) -> bool:
        spans = sightings.spans(((look, pieces),), hex, direction)
        return any(first <= aside <= last for first, last in spans)

    for look, pieces in sightings.blocking(case, hex):
        if crossed(look, pieces):
            parts = _parts(look, sightings)
            what = next((w for w, one in parts if crossed(one, sightings.pieces(hex, one))), "")
            yield _block(case, hex, what or _word(look), look)
    for look, pieces in sightings.hindering(case, hex):
        if crossed(look, pieces):
            yield _hinder(case, hex, _word(look), look)
            break


def _along(sightings: Obstacles, case: Case, side: Hexside) -> Iterator[Finding]:
    """A hexside that the line runs along."""
    for look, hexes in sightings.side_blocking(case, side):
        present = [w for w, one in _parts(look, sightings) if sightings.pieces(hexes[0], one).pieces]
        finding = _block(case, hexes[0], present[0] if present else _word(look), look)
        yield msgspec.structs.replace(finding, side=side)
    for hex, look in sightings.side_hinders(case, side):
        yield msgspec.structs.replace(_hinder(case, hex, _word(look), look), side=side)


def _touched(sightings: Obstacles, case: Case, hex: Hex) -> Iterator[Finding]:
    """A hex that the line meets in a corner only."""
    if sightings.touch_blocks(case, hex):
        yield _block(case, hex, "orchard", None)
    elif sightings.touch_hinders(case, hex):
        yield _hinder(case, hex, "orchard", None)


def _parts(look: TerrainQuery | None, sightings: Obstacles) -> list[tuple[str, TerrainQuery]]:
    """A look for several words taken apart."""
    if look is None or look.above is not None:
        return []
    terrain = sightings.survey.terrain
    return [(terrain[word].title.lower(), TerrainQuery.at(word)) for word in sorted(look.kinds)]


def _word(look: TerrainQuery | None) -> str:
    if look is None:
        return "orchard"
    if look.above is not None:
        return "hill"
    return " or ".join(sorted(look.kinds))


def _block(case: Case, hex: Hex, what: str, look: TerrainQuery | None) -> Finding:
    if look is None:
        why = "an orchard in season blocks sight between levels"
        return Finding(hex, what, blocks=True, rule="1.1.1", why=why)
    if look.above is not None:
        why = (
            "the line crosses a crest line other than that of the higher hex"
            if case.differs
            else "the line crosses a hill higher than both its ends"
        )
        return Finding(hex, what, blocks=True, rule="3.2.1", why=why)
    why = f"the line crosses the depiction of the {what}, which shows on both sides of it"
    return Finding(hex, what, blocks=True, rule="3.2.1", why=why)


def _hinder(case: Case, hex: Hex, what: str, look: TerrainQuery | None) -> Finding:
    if look is not None:
        why = f"the line crosses {what} on the level of both its ends"
    elif case.differs:
        why = "an orchard out of season hinders sight between levels"
    else:
        why = "the line meets an orchard hex, all of which hinders"
    return Finding(hex, what, blocks=False, rule="1.1.1", why=why)


def _profile(
    sightings: Obstacles, a: Hex, between: tuple[Hex, ...], b: Hex, found: list[Finding]
) -> Iterator[Profile[Hex]]:
    """The ground along the line, for drawing it from the side."""
    tall = {f.hex: f.what for f in found if f.blocks and f.what != "hill"}
    for hex in (a, *(one + a for one in between), b):
        place = sightings.survey.places.get(hex)
        if place is not None:
            yield Profile(hex, place.level, place.level + (hex in tall), tall.get(hex, place.kind.value))
