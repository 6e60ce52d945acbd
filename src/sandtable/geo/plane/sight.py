"""Sight on a table: the shape of an answer. What blocks it is for each system's rules to say.

The counterpart of :mod:`sandtable.geo.sight`, with points for hexes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import msgspec

from sandtable.core.tree.drawing import Outline
from sandtable.geo.plane.points import Point

__all__ = ["PlaneHindrance", "PlaneProfile", "PlaneSight", "ShowsPlaneSight"]


class PlaneHindrance(msgspec.Struct, frozen=True):
    """Something that makes a line harder without blocking it, where the line first meets it."""

    at: Point
    what: str
    rule: str = ""
    value: int = 1


class PlaneProfile(msgspec.Struct, frozen=True):
    """The ground at one place along a line, for drawing it from the side."""

    at: Point
    ground: int
    top: int
    """Height of whatever stands there, the ground included."""
    what: str = ""


class PlaneSight(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known of the line from one place to another; systems may add to it."""

    a: Point
    b: Point
    range_inches: int
    blocked: bool
    at: Point | None = None
    """Where it is blocked."""
    by: str = ""
    """What blocks."""
    reason: str = ""
    """Why it blocks, in one sentence."""
    height_a: int = 0
    height_b: int = 0
    hindrances: tuple[PlaneHindrance, ...] = ()
    profile: tuple[PlaneProfile, ...] = ()
    """From ``a`` to ``b``."""
    rules: tuple[str, ...] = ()
    """Numbers of the rules that decided, the decisive one first."""

    @property
    def hindrance(self) -> int:
        """Sum of the hindrances."""
        return sum(one.value for one in self.hindrances)


@runtime_checkable
class ShowsPlaneSight(Protocol):
    """A ruleset with a table that answers questions of sight."""

    def sight_line(self, state: Any, a: Point, b: Point) -> PlaneSight:
        """All about the line between two places."""
        ...

    def sight_field(self, state: Any, at: Point) -> Sequence[Outline]:
        """What is seen from a place, as outlines for showing."""
        ...
