"""1.1.1, 3.2.1: what stands in the way of lines of one direction, worked out hex by hex as it is needed.

Which terrain matters depends on the levels of the two ends only, through the lower of them and whether they differ:

* Ground above the lower end blocks. Between ends on one level that is a hill in the way of a unit not on it; between
  two levels it means that the higher end looks over the crest of its own hex and that no other crest is crossed.
* Woods and buildings block where their depiction is crossed, unless they stand lower than both ends.
* Grain and brush hinder ends on their own level, in hexes that hold more of them than a marginal overlap.
* An orchard hinders ends on its own level; between levels it blocks in season and hinders out of season. The whole
  hex counts, but for a road in it that the line never leaves.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.geo.drawing import DrawnShapes
from sandtable.geo.hex import Hex
from sandtable.geo.hexside import Hexside, hexes_of
from sandtable.geo.shapes.pieces import WHOLE, Pieces
from sandtable.geo.shapes.polygon import Point
from sandtable.geo.terrain_query import TerrainQuery
from sandtable.systems.aslsk.terrain.kinds import Role
from sandtable.systems.aslsk.terrain.line_path import Boxed, Span, boxed, spans
from sandtable.systems.aslsk.terrain.survey import Survey

__all__ = ["SEAMS", "Case", "Obstacles", "Sighted", "TerrainQueries"]

SEAMS = ((1, 0), (0, 1))
"""Directions in which boards are joined; the seam may run through the middle of a hex."""
MARGINAL = Fraction(1, 20)
"""Terrain that fills less of a hex than this is the overlap of a neighbour's (1.1.1): the hex is not of that kind."""


class Case(NamedTuple):
    """How the two ends of a line lie to one another."""

    low: int
    """Level of the lower end."""
    differs: bool


class TerrainQueries(NamedTuple):
    """What to look for."""

    obstacles: TerrainQuery
    hindrances: tuple[TerrainQuery, ...]
    off_road: TerrainQuery


Sighted = tuple[tuple[TerrainQuery | None, Pieces], ...]
"""What a look sees in a hex; None stands for inherent terrain, which is the whole hex but for its road."""


class Obstacles:
    """Looks at the drawing of a surveyed map and remembers what it saw."""

    def __init__(self, survey: Survey, drawing: DrawnShapes) -> None:
        self.survey = survey
        self.drawing = drawing
        self.looks = TerrainQueries(
            TerrainQuery.at(*survey.words(Role.OBSTACLE)),
            tuple(map(TerrainQuery.at, survey.words(Role.HINDRANCE))),
            TerrainQuery(frozenset(survey.words(Role.ROAD)), others=True),
        )
        self._pieces: dict[tuple[Hex, TerrainQuery], Pieces] = {}
        self._boxes: dict[int, tuple[tuple[Boxed, ...], Pieces]] = {}
        self._blocking: dict[tuple[Case, Hex], Sighted] = {}
        self._hindering: dict[tuple[Case, Hex], Sighted] = {}
        self._blocks: dict[tuple[Case, Hexside], bool] = {}
        self._hinders: dict[tuple[Case, Hexside], tuple[tuple[Hex, TerrainQuery | None], ...]] = {}

    def pieces(self, hex: Hex, look: TerrainQuery) -> Pieces:
        """What a look sees in a hex."""
        found = self._pieces.get((hex, look))
        if found is None:
            found = self._pieces[hex, look] = self.drawing.pieces(hex, look)
        return found

    def blocking(self, case: Case, hex: Hex) -> Sighted:
        """What in a hex blocks a line that crosses it (1.1.1, 3.2.1)"""
        found = self._blocking.get((case, hex))
        if found is None:
            found = self._blocking[case, hex] = tuple(one for one in self._find_blocking(case, hex) if one[1].pieces)
        return found

    def hindering(self, case: Case, hex: Hex) -> Sighted:
        """What in a hex hinders a line that crosses it (1.1.1, 3.2.1)"""
        found = self._hindering.get((case, hex))
        if found is None:
            found = self._hindering[case, hex] = tuple(one for one in self._find_hindering(case, hex) if one[1].pieces)
        return found

    @rule("1.1.1", "3.2.1")
    def _find_blocking(self, case: Case, hex: Hex) -> Iterator[tuple[TerrainQuery | None, Pieces]]:
        """Obstacles of a hex: woods and buildings, ground above the lower end, orchards in season (1.1.1, 3.2.1)"""
        if self.survey.places[hex].level >= case.low:
            yield self.looks.obstacles, self.pieces(hex, self.looks.obstacles)
            if case.differs and hex in self.survey.orchards and self.survey.orchards_in_season:
                yield None, self._inherent(hex)
        above = TerrainQuery(above=case.low)
        yield above, self.pieces(hex, above)

    @rule("1.1.1", "3.2.1")
    def _find_hindering(self, case: Case, hex: Hex) -> Iterator[tuple[TerrainQuery | None, Pieces]]:
        """Hindrances of a hex: orchards, and grain and brush on the level of both ends (1.1.1, 3.2.1)"""
        level = self.survey.places[hex].level
        if hex in self.survey.orchards:
            if (level == case.low and not case.differs) or (
                level >= case.low and case.differs and not self.survey.orchards_in_season
            ):
                yield None, self._inherent(hex)
        elif level == case.low and not case.differs:
            for look in self.looks.hindrances:
                pieces = self.pieces(hex, look)
                if pieces.share >= MARGINAL:
                    yield look, pieces

    def _inherent(self, hex: Hex) -> Pieces:
        """The part of an inherent hex that has its effect: all that is not road (1.1.1)"""
        return self.pieces(hex, self.looks.off_road) if self.survey.places[hex].road else WHOLE

    def is_sole(self, case: Case, hex: Hex) -> bool:
        """Whether only one thing in a hex can block a line, whichever way it crosses."""
        sighted = self.blocking(case, hex)
        if len(sighted) != 1:
            return False
        look = sighted[0][0]
        return (
            look is None
            or look.above is not None
            or sum(bool(self.pieces(hex, TerrainQuery.at(word)).pieces) for word in look.kinds) == 1
        )

    def spans(self, sighted: Sighted, hex: Hex, direction: Point) -> tuple[Span, ...]:
        """Where lines of a direction cross what was sighted in a hex."""
        if not sighted:
            return ()
        found: tuple[Span, ...] = ()
        for _, pieces in sighted:
            found += spans(self._boxed(pieces), direction)
        if direction in self.drawing.seams(hex):
            a, b = ((-2, 0), (2, 0)) if direction == (1, 0) else ((0, -1), (0, 1))
            if any(look is not None and self.drawing.crosses(hex, look, a, b, 1) for look, _ in sighted):
                found += ((0, 0),)
        return found

    def boxed(self, sighted: Sighted) -> tuple[Boxed, ...]:
        """What was sighted, made ready for many directions."""
        return tuple(piece for _, pieces in sighted for piece in self._boxed(pieces))

    def _boxed(self, pieces: Pieces) -> tuple[Boxed, ...]:
        """Pieces made ready for many directions; they are kept, so that their places in memory tell them apart."""
        found = self._boxes.get(id(pieces))
        if found is None:
            found = (boxed(pieces.pieces), pieces)
            self._boxes[id(pieces)] = found
        return found[0]

    @rule("3.2.1")
    def side_blocks(self, case: Case, side: Hexside) -> bool:
        """Whether a line that runs along a hexside is blocked there: an obstacle shows on both sides (3.2.1)"""
        found = self._blocks.get((case, side))
        if found is None:
            found = self._blocks[case, side] = any(True for _ in self.side_blocking(case, side))
        return found

    def side_blocking(self, case: Case, side: Hexside) -> Iterator[tuple[TerrainQuery | None, tuple[Hex, ...]]]:
        """What blocks a line along a hexside, and in which of the two hexes it stands."""
        hexes = [hex for hex in hexes_of(side) if hex in self.survey.places]
        per_hex = [dict(self.blocking(case, hex)) for hex in hexes]
        if not hexes:
            yield None, ()
            return
        for hex, found in zip(hexes, per_hex, strict=True):
            if None in found:
                yield None, (hex,)
        for look in per_hex[0]:
            if look is None or not all(look in found for found in per_hex):
                continue
            if self.drawing.runs_between(side, look):
                yield look, tuple(hexes)

    def side_hinders(self, case: Case, side: Hexside) -> tuple[tuple[Hex, TerrainQuery | None], ...]:
        """The hexes that hinder a line along a hexside, and with what (1.1.1, 3.2.1)"""
        found = self._hinders.get((case, side))
        if found is None:
            found = self._hinders[case, side] = tuple(self._find_side_hindering(case, side))
        return found

    @rule("1.1.1", "3.2.1")
    def _find_side_hindering(self, case: Case, side: Hexside) -> Iterator[tuple[Hex, TerrainQuery | None]]:
        """Along a hexside inherent terrain hinders by itself, a depiction that shows on both sides (1.1.1, 3.2.1)"""
        hexes = [hex for hex in hexes_of(side) if hex in self.survey.places]
        per_hex = [dict(self.hindering(case, hex)) for hex in hexes]
        for hex, found in zip(hexes, per_hex, strict=True):
            if None in found:
                yield hex, None
                continue
            for look in found:
                shared = look is not None and all(look in other for other in per_hex)
                if look is not None and shared and self.drawing.runs_between(side, look):
                    yield hex, look
                    break

    def touch_blocks(self, case: Case, hex: Hex) -> bool:
        """Whether a hex blocks a line that meets it in a corner only: inherent terrain does (1.1.1)"""
        return hex in self.survey.places and any(look is None for look, _ in self.blocking(case, hex))

    def touch_hinders(self, case: Case, hex: Hex) -> bool:
        """Whether a hex hinders a line that meets it in a corner only: inherent terrain does (1.1.1)"""
        return hex in self.survey.places and any(look is None for look, _ in self.hindering(case, hex))
