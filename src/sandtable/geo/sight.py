"""Sight: the shape of an answer, and the memory of answers.

What blocks sight is for each system's rules to say; here is what all systems share. A :class:`SightResult`
holds all that a player may ask about a line: whether it is blocked, by what and where, what hinders it hex
by hex, the heights along it and the rules that decided. A :class:`SightCache` remembers answers for one map
in one state of its terrain. A ruleset that :class:`ShowsSight` gives players the tools for it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

import msgspec

from sandtable.geo.hex import Hex
from sandtable.geo.hexside import Hexside

__all__ = ["Hindrance", "Profile", "ShowsSight", "SightCache", "SightResult"]

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")


class Hindrance(msgspec.Struct, frozen=True):
    """Something that makes a line harder without blocking it."""

    hex: Hex
    what: str
    rule: str = ""
    value: int = 1


class Profile(msgspec.Struct, frozen=True):
    """The ground at one step along a line, for drawing it from the side."""

    ground: int
    top: int
    """Height of whatever stands there, the ground included."""
    hex: Hex | None = None
    side: Hexside | None = None
    """The hexside, where the step is one."""
    what: str = ""


class SightResult(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known of the line from one hex to another; systems may add to it."""

    a: Hex
    b: Hex
    range_hexes: int
    blocked: bool
    at: Hex | None = None
    """The hex that blocks, or beside which the blocking hexside lies."""
    at_side: Hexside | None = None
    """The hexside that blocks, where one does."""
    by: str = ""
    """What blocks."""
    reason: str = ""
    """Why it blocks, in one sentence."""
    height_a: int = 0
    height_b: int = 0
    hindrances: tuple[Hindrance, ...] = ()
    profile: tuple[Profile, ...] = ()
    rules: tuple[str, ...] = ()
    """Numbers of the rules that decided, the decisive one first."""

    @property
    def hindrance(self) -> int:
        """Sum of the hindrances."""
        return sum(one.value for one in self.hindrances)


class SightCache(dict[K, R], Generic[K, R]):
    """Answers already worked out: ``cache[a, b]`` computes once, after that it is one look into a dict.

    It holds for one map and one version of the terrain on it; when terrain changes, ask :meth:`at_version`.
    """

    __slots__ = ("_compute", "version")

    def __init__(self, compute: Callable[[K], R], version: Hashable = None) -> None:
        super().__init__()
        self._compute = compute
        self.version = version

    def __missing__(self, key: K) -> R:
        result = self[key] = self._compute(key)
        return result

    def at_version(self, version: Hashable, compute: Callable[[K], R] | None = None) -> SightCache[K, R]:
        """The same cache if the terrain is still at ``version``, else an empty one for it."""
        if version == self.version:
            return self
        return SightCache(self._compute if compute is None else compute, version)


@runtime_checkable
class ShowsSight(Protocol):
    """A ruleset that answers questions of sight: a capability as those of :mod:`sandtable.core.capabilities`."""

    def sight(self, state: Any, a: Hex, b: Hex) -> SightResult:
        """All about the line between two hexes."""
        ...

    def field(self, state: Any, hex: Hex) -> frozenset[Hex]:
        """The hexes seen from a hex, itself among them."""
        ...
