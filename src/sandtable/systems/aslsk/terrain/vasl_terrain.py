"""1.1.1 The terrain of VASL board files: what each code is there, and what it is in the Starter Kits.

The codes are those of all boards of the full game. What the kits lack becomes the nearest thing that they have, by its
properties: what it is built of, whether it blocks or hinders sight, and whether it fills its hex.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from sandtable.core.content.reading import read_yaml
from sandtable.core.content.rule import rule

__all__ = ["Category", "VaslCodes", "VaslTerrain", "read_codes"]

OPEN = "open"
"""The word for ground that shows nothing."""


class Category(StrEnum):
    """What VASL counts a terrain among."""

    OPEN = "open"
    WATER = "water"
    DEPRESSION = "depression"
    ENTRENCHMENT = "entrenchment"
    ROAD = "road"
    BRIDGE = "bridge"
    HEXSIDE = "hexside"
    WOODS = "woods"
    BUILDING = "building"
    FACTORY = "factory"
    MARKETPLACE = "marketplace"
    OTHER = "other"


class VaslTerrain(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"kit": "is", "nearest_kit": "as"}):
    """A terrain code of VASL."""

    name: str
    category: Category
    obstacle: bool = False
    hindrance: bool = False
    half_level: bool = False
    """Whether it stands half a level higher than ``height`` says."""
    inherent: bool = False
    """Whether it fills every hex whose centre shows it, however little of it is drawn."""
    height: int = 0
    """In levels."""
    kit: str = ""
    """The word for it, if the kits have it themselves."""
    nearest_kit: str = ""
    """The word for the nearest thing, where the properties alone do not say it."""

    @property
    def word(self) -> str:
        """The word of ``terrain.yaml`` for it, "" for Open Ground."""
        found = self.kit or self.nearest_kit or self._nearest()
        return "" if found == OPEN else found

    @property
    def is_lacking(self) -> bool:
        """Whether the kits do not have it."""
        return not self.kit

    @rule("1.1.1")
    def _nearest(self) -> str:
        """What comes nearest to it by its properties (1.1.1)"""
        built = self.category in (Category.BUILDING, Category.FACTORY, Category.MARKETPLACE)
        # Inside a factory sight is hindered only, but its walls block whoever looks in.
        if built and (self.obstacle or self.category is Category.FACTORY):
            return "wooden_building" if "wooden" in self.name.lower() else "stone_building"
        # Who stands behind a wall or a hedge looks over it; the kits have nothing that does so. Bocage is too high.
        if self.category is Category.HEXSIDE and not self.height:
            return OPEN
        if self.obstacle:
            whole_trees = self.inherent and self.height and self.category is not Category.WOODS
            return "orchard" if whole_trees else "woods"
        if self.hindrance:
            return "brush"
        return "dirt_road" if self.category is Category.ROAD else OPEN


class VaslCodes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the terrain codes of a board file are in this system."""

    source: str
    status: str
    codes: dict[int, VaslTerrain]
    note: str = ""


def read_codes(data: bytes, where: str) -> VaslCodes:
    """The terrain codes that a pack explains."""
    return read_yaml(data, VaslCodes, where)
