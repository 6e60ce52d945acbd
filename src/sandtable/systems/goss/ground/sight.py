"""Line of sight between the centres of two hexes, and how far one sees (8.1).

Sight depends on the terrain alone and is kept for the map; range depends on light and sky too. A line along a hexside
is blocked only if both its hexes block, and meets rough ground only if both are rough (8.1.1; ruling B-1).
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex, distance
from sandtable.geo.line import Along, Line, Through, trace
from sandtable.systems.goss.ground.ground import Ground
from sandtable.systems.goss.ground.kinds import Height, Terrain
from sandtable.systems.goss.ground.weather import Sky

__all__ = ["Sight", "Sightline"]

_ROUGH = frozenset((Terrain.ROUGH, Terrain.ROUGH2))
_CAPS = {Sky.OVERCAST: 2, Sky.STORM: 1, Sky.SNOW: 1, Sky.FOG: 1}
_FAR_SIGHTED = (Sky.CLEAR, Sky.PARTIAL_OVERCAST)
_BASE, _BUILT_UP, _VANTAGE = 1, 2, 3


class Sightline(msgspec.Struct, frozen=True):
    """What lies between two hexes."""

    range: int
    blocked_at: Hex | None = None
    """The first hex that blocks the line, seen from its start."""
    is_rough: bool = False
    """Whether it passes through or into rough terrain (8.1.2a)."""


class Sight:
    """Sight over one map."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._kept: dict[tuple[Hex, Hex], Sightline] = {}
        self._seen: dict[tuple[Hex, Hex, int], bool] = {}

    def line(self, a: Hex, b: Hex) -> Sightline:
        """The line from ``a`` to ``b``."""
        kept = self._kept.get((a, b))
        if kept is None:
            kept = self._kept[a, b] = self._drawn(a, b)
        return kept

    @rule("8.1.0", "8.1.1", "8.1.2a")
    def _drawn(self, a: Hex, b: Hex) -> Sightline:
        """Walk the line: towns, cities and vantage points block it, for whoever stands no higher (8.1.1)."""
        ground = self._ground
        heights = (ground.at(a).height, ground.at(b).height)
        blocked = None
        is_rough = False
        for hexes in _met(trace(a, b)):
            is_rough = is_rough or all(ground.at(hex).terrain & _ROUGH for hex in hexes)
            if b not in hexes and blocked is None and all(self._blocks(hex, heights) for hex in hexes):
                blocked = hexes[0]
        return Sightline(distance(a, b), blocked, is_rough)

    def _blocks(self, hex: Hex, ends: tuple[Height | None, Height | None]) -> bool:
        """Whether a hex blocks a line between two such ends: sight goes both ways, so the higher one counts (8.0)."""
        here = self._ground.at(hex)
        if Height.HIGH_VANTAGE_POINT in ends:
            return here.height is Height.HIGH_VANTAGE_POINT
        if Height.VANTAGE_POINT in ends:
            return here.height is not None
        return here.height is not None or here.is_built_up

    @rule("8.1.2", "8.1.2b", "8.1.2c", "8.1.2d", "19.3.0", "19.3.1", "19.3.2", "19.3.3", "19.3.4")
    def reach(self, observer: Hex, sky: Sky, *, is_night: bool) -> int:
        """How many hexes one sees from a hex, before rough terrain is counted (8.1.2)."""
        here = self._ground.at(observer)
        reach = _BUILT_UP if here.is_built_up else _BASE
        if here.height is not None:
            reach = _VANTAGE
            if here.height is Height.HIGH_VANTAGE_POINT and sky in _FAR_SIGHTED:
                reach = here.reach
        reach = min(reach, _CAPS.get(sky, reach))
        return 1 if is_night else reach

    def sees(self, observer: Hex, target: Hex, sky: Sky, *, is_night: bool) -> bool:
        """Whether a valid line of sight leads from a hex into another (8.1.0)."""
        reach = self.reach(observer, sky, is_night=is_night)
        if distance(observer, target) > reach:
            return False
        key = (observer, target, reach)
        seen = self._seen.get(key)
        if seen is None:
            line = self.line(observer, target)
            is_near = line.range <= (max(reach - 1, 1) if line.is_rough else reach)
            seen = self._seen[key] = line.blocked_at is None and is_near
        return seen


def _met(line: Line) -> Iterator[tuple[Hex, ...]]:
    """What the line meets after its first hex: a hex, or the two hexes of a side that it runs along."""
    for element in line.elements:
        if isinstance(element, Through):
            if element.hex != line.a:
                yield (element.hex,)
        elif isinstance(element, Along):
            yield element.hexes
