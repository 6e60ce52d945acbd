"""Sight on a table: :mod:`sandtable.geo.sight` with points for hexes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from sandtable.core.tree.drawing import Outline
from sandtable.geo.plane.points import Point
from sandtable.geo.sight import SightLine

__all__ = ["PlaneSight", "ShowsPlaneSight"]


class PlaneSight(SightLine[Point], frozen=True, kw_only=True):
    """All that is known of the line from one point of a table to another."""

    range_inches: int


@runtime_checkable
class ShowsPlaneSight(Protocol):
    """A ruleset with a table that answers questions of sight."""

    def sight_line(self, state: Any, a: Point, b: Point) -> PlaneSight:
        """All about the line between two places."""
        ...

    def sight_field(self, state: Any, at: Point) -> Sequence[Outline]:
        """What is seen from a place, as outlines for showing."""
        ...
