"""1.1.1 Terrain Types: what each word on a board is to the rules of sight, and when it is in season.

TEM and movement costs are in the Terrain Effects Chart among the tables; here is what the chart does not say.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

import msgspec

from sandtable.core.content.reading import read_yaml
from sandtable.core.errors import Faults

__all__ = ["HexPlace", "Role", "TerrainKind", "TerrainRow", "read_terrain"]


class TerrainKind(StrEnum):
    """The dominant terrain of a hex (1.1.1)."""

    OPEN = "open ground"
    WOODS = "woods"
    STONE_BUILDING = "stone building"
    WOODEN_BUILDING = "wooden building"
    ORCHARD = "orchard"
    GRAIN = "grain"
    BRUSH = "brush"


class HexPlace(NamedTuple):
    """What the rules ask of a hex, seasons and scenario rules applied (1.1.1)."""

    kind: TerrainKind
    level: int
    road: bool
    """Whether a road runs through it: woods-road, orchard-road, or plain road."""
    paved: bool
    building: str
    """Name of the building that it is part of, "" if none."""
    tem: int
    """TEM against fire other than a mortar's, Height Advantage aside."""
    open_ground: bool
    """Whether FFMO and interdiction may apply to it: open ground, plain road, out-of-season grain."""
    shelter: bool
    """Woods or building: rally and rout look for it."""


class Role(StrEnum):
    """What terrain does to a line of sight."""

    NONE = "none"
    OBSTACLE = "obstacle"
    """Blocks where the line crosses its depiction."""
    HINDRANCE = "hindrance"
    """Hinders, between units on its own level, where the line crosses its depiction."""
    INHERENT = "inherent"
    """The whole hex hinders, its hexsides and their ends included; in season it blocks between levels."""
    RELIEF = "relief"
    """Ground of another level."""
    ROAD = "road"


class TerrainRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"kind": "is"}):
    """One word of the boards."""

    title: str
    sight: Role
    status: str
    source: str
    kind: TerrainKind = TerrainKind.OPEN
    """The terrain that a hex of it is."""
    season: tuple[int, int] | None = None
    """First and last month in which it is in season; left out, always."""
    half_width: int = 0
    """Of a road: half its width, in thousandths of a hex's side."""
    paved: bool = False
    paint: str = ""
    note: str = ""

    def in_season(self, month: int) -> bool:
        """Whether it is in season in that month (1.1.1)"""
        return self.season is None or self.season[0] <= month <= self.season[1]


class _TerrainFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    book: str
    terrain: dict[str, TerrainRow]


def read_terrain(files: Mapping[str, bytes]) -> dict[str, TerrainRow]:
    """All words by name; a later file's replace an earlier one's. Raise ``BadInput`` with every fault."""
    faults = Faults()
    found: dict[str, TerrainRow] = {}
    for where, data in files.items():
        with faults.gathering():
            found |= read_yaml(data, _TerrainFile, where).terrain
    faults.check()
    return found
