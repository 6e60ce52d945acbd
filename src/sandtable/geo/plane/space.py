"""What a map of hexes and a table without any have in common: places with labels, ranges, and a drawing."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from sandtable.geo.feature import Feature
from sandtable.geo.map import GameMap, map_of
from sandtable.geo.plane.table import TableMap

__all__ = ["AnyMap", "PlaysOnTable", "space_of", "table_of"]


class AnyMap(Protocol):
    """A map of hexes or a table in play: what both can say of themselves."""

    @property
    def digest(self) -> str:
        """What it is, in short: the same for the same map."""
        ...

    @property
    def scale(self) -> int:
        """Units of the features' points in one unit of a spot."""
        ...

    def place(self, label: str, where: str = "place") -> Any:
        """The place of a label; :class:`BadInput` if there is none that is played on."""
        ...

    def label(self, place: Any, /) -> str:
        """The label of a place."""
        ...

    def range(self, one: Any, other: Any) -> int:
        """The range between two places, as the rules count it."""
        ...

    def spot(self, label: str) -> tuple[float, float]:
        """Where a place is drawn."""
        ...

    def drawn(self) -> tuple[Feature, ...]:
        """The features as they are to be drawn."""
        ...


@runtime_checkable
class PlaysOnTable(Protocol):
    """A ruleset with a table: a capability as those of :mod:`sandtable.core.capabilities`."""

    @property
    def table(self) -> TableMap:
        """The table that is played on."""
        ...


def table_of(ruleset: object) -> TableMap | None:
    """The table that a ruleset plays on; None if it has none."""
    return ruleset.table if isinstance(ruleset, PlaysOnTable) else None


def space_of(ruleset: object) -> GameMap | TableMap | None:
    """What a ruleset plays on, a map of hexes or a table; None if it has neither."""
    return map_of(ruleset) or table_of(ruleset)
