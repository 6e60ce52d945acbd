"""The ground with its lines of sight taken for something else: what else it shows is plain to see (3.2.1)."""

from __future__ import annotations

from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.context import HexPlace, Terrain

__all__ = ["Veil"]


class Veil:
    """Everything about a ground but sight, as it is; who lays the veil says what is seen."""

    def __init__(self, ground: Terrain) -> None:
        self._ground = ground

    def place(self, hex: Hex) -> HexPlace:
        """Facts of a hex."""
        return self._ground.place(hex)

    def has_road(self, hex: Hex, direction: int) -> bool:
        """Whether a road crosses that hexside."""
        return self._ground.has_road(hex, direction)

    def climbs(self, hex: Hex, direction: int) -> bool:
        """Whether that way leads across a crest line uphill."""
        return self._ground.climbs(hex, direction)

    def descends(self, hex: Hex, direction: int) -> bool:
        """Whether that way leads across a crest line downhill."""
        return self._ground.descends(hex, direction)

    def entry_side(self, a: Hex, b: Hex) -> tuple[int, ...]:
        """Hexsides of ``b`` that the line crosses."""
        return self._ground.entry_side(a, b)
