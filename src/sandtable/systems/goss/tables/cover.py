"""8.2.0-8.2.2 Covering terrain: which features hide those who move, and which those who stand still."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from sandtable.systems.goss.tables.reading import TERRAIN, WORKS, Tables, numbers, shaped

__all__ = ["CoverChart", "read_cover"]

_FEATURES = (*TERRAIN, *WORKS, "destroyed Ft Area")


class CoverChart(msgspec.Struct, frozen=True):
    """The features that cover."""

    movement: frozenset[str]
    """MCT."""
    observation: frozenset[str]
    """OCT: all that is MCT, and more."""

    def is_movement_cover(self, features: Iterable[str]) -> bool:
        """Whether any feature of a hex is MCT: the best one counts for the whole hex (8.2.0)."""
        return not self.movement.isdisjoint(features)

    def is_observation_cover(self, features: Iterable[str]) -> bool:
        """Whether any feature of a hex is OCT."""
        return not self.observation.isdisjoint(features)


def read_cover(tables: Tables) -> CoverChart:
    """The chart of a pack; raise :class:`BadInput` with every fault."""
    found = numbers(shaped(tables, "cover", {"feature": _FEATURES, "cover": ("MCT", "OCT")}))
    movement = frozenset(feature for feature in _FEATURES if found[feature, "MCT"])
    return CoverChart(movement, movement | {feature for feature in _FEATURES if found[feature, "OCT"]})
