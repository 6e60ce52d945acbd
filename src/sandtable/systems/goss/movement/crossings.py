"""Roads, bridges and fords of hexsides as they stand now (7.10.2, 17.3.1d, 17.3.2)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex
from sandtable.geo.hexside import SIDES, Hexside, hexes_of
from sandtable.systems.goss.common.state import BridgeChange, BridgeKind
from sandtable.systems.goss.ground.ground import Ground
from sandtable.systems.goss.ground.kinds import Road, Water

__all__ = ["Crossings"]


class Crossings:
    """What leads across each hexside."""

    def __init__(self, ground: Ground, changes: Sequence[BridgeChange]) -> None:
        self._ground = ground
        self.changes = changes
        self._down = {change.side for change in changes if change.kind is BridgeKind.DOWN}
        self._built = {change.side for change in changes if change.kind is BridgeKind.BUILT}

    @rule("7.10.2")
    def is_bridged(self, side: Hexside) -> bool:
        """Whether a bridge stands: one wherever a road crosses water, drawn or not, and what has been built (7.10.2)."""
        return side in self._built or (side in self._ground.bridges and side not in self._down)

    def is_ford(self, side: Hexside) -> bool:
        """Whether there is a ford."""
        return side in self._ground.fords

    def water(self, side: Hexside) -> Water | None:
        """The watercourse on a side."""
        return self._ground.water.get(side)

    def road(self, side: Hexside) -> Road | None:
        """The road that leads over a side; none where its bridge is down, a new one over a bridge that was built."""
        road = self._ground.roads.get(side)
        if side in self._built:
            return road if road is not None else self._joined(side)
        if road is not None and side in self._down:
            return None
        return road

    @rule("17.3.1d")
    def _joined(self, side: Hexside) -> Road | None:
        """The road over a bridge that was built joins the roads on both banks (17.3.1d)."""
        banks = [self._best(hex) for hex in hexes_of(side)]
        if None in banks:
            return None
        return Road.SECONDARY if all(road is not None and road.is_good for road in banks) else Road.TRAIL

    def _best(self, hex: Hex) -> Road | None:
        return min((road for side in SIDES[hex] if (road := self._ground.roads.get(side)) is not None), default=None)
