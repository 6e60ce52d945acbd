"""The words of the boards: terrain, population features, heights, watercourses, roads (1.2, 26.0)."""

from __future__ import annotations

from enum import IntEnum, StrEnum

__all__ = [
    "BRIDGE",
    "CONSTRICTED",
    "CONTOUR",
    "EMBANKMENT",
    "FORD",
    "FT_AREA",
    "FT_DESTROYED",
    "Height",
    "Population",
    "Road",
    "Terrain",
    "Water",
]


class Terrain(StrEnum):
    """What the ground of a hex is; a hex may be several at once, and is clear if it is none of them."""

    ROUGH = "rough"
    ROUGH2 = "rough2"
    HEDGEROW = "hedgerow"
    BOCAGE = "bocage"
    WOODS = "woods"
    FOREST = "forest"
    SOFT_GROUND = "soft_ground"
    MARSH = "marsh"
    SWAMP = "swamp"


class Population(StrEnum):
    """A population feature, the smallest first."""

    LOCATION = "location"
    VILLAGE = "village"
    TOWN = "town"
    CITY = "city"


class Height(StrEnum):
    """Vantage points (8.1.2, 8.1.2d)."""

    VANTAGE_POINT = "vantage_point"
    HIGH_VANTAGE_POINT = "high_vantage_point"


class Water(StrEnum):
    """Watercourses on hexsides; a stream is no river."""

    STREAM = "stream"
    RIVER = "river"
    MAJOR_RIVER = "major_river"
    GREAT_RIVER = "great_river"


class Road(IntEnum):
    """Kinds of road, the best first; a railroad is a trail to those who move (26.0)."""

    PRIMARY = 0
    SECONDARY = 1
    TRAIL = 2
    RAILROAD = 3

    @property
    def kind(self) -> str:
        """The word of the boards."""
        return _ROADS[self]

    @property
    def is_good(self) -> bool:
        """Whether it is a primary or a secondary road."""
        return self <= Road.SECONDARY

    @classmethod
    def of(cls, kind: str) -> Road | None:
        """The road of a word of the boards, if it is one."""
        return _NAMED.get(kind)


_ROADS = {
    Road.PRIMARY: "primary_road",
    Road.SECONDARY: "secondary_road",
    Road.TRAIL: "trail",
    Road.RAILROAD: "railroad",
}
_NAMED = {kind: road for road, kind in _ROADS.items()}

CONSTRICTED = "constricted"
EMBANKMENT = "rr_embankment"
CONTOUR = "contour"
"""A dashed line through constricted hexes or along an embankment, parallel to the obstacle (7.11.2)."""
BRIDGE = "bridge"
FORD = "ford"
FT_AREA = "ft_area"
FT_DESTROYED = "ft_area_destroyed"
