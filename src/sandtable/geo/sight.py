"""Sight: the shape of an answer, and the memory of answers.

What blocks sight is for each system's rules to say; here is what all systems share. A :class:`SightLine`
holds all that a player may ask about a line: whether it is blocked, by what and where, what hinders it place
by place, the heights along it and the rules that decided. :class:`HexSight` is one between hexes; the one on a table is
in :mod:`sandtable.geo.plane.sight`. A :class:`SightCache` remembers answers for one map
in one state of its terrain. A ruleset that :class:`ShowsSight` gives players the tools for it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

import msgspec

from sandtable.geo.hex import Hex
from sandtable.geo.hexside import Hexside

__all__ = ["HexSight", "Hindrance", "Profile", "ShowsSight", "SightCache", "SightLine"]

K = TypeVar("K", bound=Hashable)
P = TypeVar("P")
"""A place: a hex, or a point of a table."""
R = TypeVar("R")


class Hindrance(msgspec.Struct, Generic[P], frozen=True):
    """Something that makes a line harder without blocking it, where the line first meets it."""

    at: P
    what: str
    rule: str = ""
    value: int = 1


class Profile(msgspec.Struct, Generic[P], frozen=True):
    """The ground at one step along a line, for drawing it from the side."""

    at: P | None
    ground: int
    top: int
    """Height of whatever stands there, the ground included."""
    what: str = ""
    side: Hexside | None = None
    """The hexside, where the step is one."""


class SightLine(msgspec.Struct, Generic[P], frozen=True, kw_only=True):
    """All that is known of the line from one place to another; systems may add to it."""

    a: P
    b: P
    blocked: bool
    at: P | None = None
    """Where it is blocked: the hex, or the hex beside which the blocking hexside lies."""
    by: str = ""
    """What blocks."""
    reason: str = ""
    """Why it blocks, in one sentence."""
    height_a: int = 0
    height_b: int = 0
    hindrances: tuple[Hindrance[P], ...] = ()
    profile: tuple[Profile[P], ...] = ()
    """From ``a`` to ``b``."""
    rules: tuple[str, ...] = ()
    """Numbers of the rules that decided, the decisive one first."""

    @property
    def hindrance(self) -> int:
        """Sum of the hindrances."""
        return sum(one.value for one in self.hindrances)


class HexSight(SightLine[Hex], frozen=True, kw_only=True):
    """All that is known of the line from one hex to another."""

    range_hexes: int
    at_side: Hexside | None = None
    """The hexside that blocks, where one does."""


class SightCache(dict[K, R], Generic[K, R]):
    """Answers already worked out: ``cache[a, b]`` computes once, after that it is one look into a dict.

    It holds for one map and one version of the terrain on it.
    """

    __slots__ = ("_compute",)

    def __init__(self, compute: Callable[[K], R]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, key: K) -> R:
        result = self[key] = self._compute(key)
        return result


@runtime_checkable
class ShowsSight(Protocol):
    """A ruleset that answers questions of sight: a capability as those of :mod:`sandtable.core.capabilities`."""

    def sight(self, state: Any, a: Hex, b: Hex) -> HexSight:
        """All about the line between two hexes."""
        ...

    def field(self, state: Any, hex: Hex) -> frozenset[Hex]:
        """The hexes seen from a hex, itself among them."""
        ...
