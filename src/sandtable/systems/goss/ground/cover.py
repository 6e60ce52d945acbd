"""Covering terrain: what hides those who move and those who stand still (8.2, 8.1.2b)."""

from __future__ import annotations

from enum import IntEnum, StrEnum

from sandtable.core.content.rule import rule
from sandtable.systems.goss.ground.ground import HexGround
from sandtable.systems.goss.ground.kinds import Terrain
from sandtable.systems.goss.tables.cover import CoverChart

__all__ = ["Cover", "Work", "cover_of"]


class Work(StrEnum):
    """Defensive works that lie in a hex (17.3.3-17.6)."""

    IP = "IP"
    """Improved positions."""
    ET2 = "ET-2"
    ET3 = "ET-3"
    FORT = "Fort"


class Cover(IntEnum):
    """How well a hex hides a unit; each covers from all that the one before it does."""

    OPEN = 0
    OBSERVATION = 1
    """OCT: hides who stands still."""
    MOVEMENT = 2
    """MCT: hides who moves as well."""


_HEDGES = frozenset((Terrain.BOCAGE, Terrain.HEDGEROW))
_FT_AREA, _RUIN = "Ft Area", "destroyed Ft Area"


@rule("8.2.0", "8.2.1", "8.2.2", "8.1.2b")
def cover_of(
    chart: CoverChart,
    hex: HexGround,
    work: Work | None,
    *,
    is_ft_intact: bool,
    is_night: bool = False,
    is_watched: bool = False,
    over_hedges: bool = False,
) -> Cover:
    """The best cover that anything in a hex gives (8.2.0).

    ``is_watched``: an enemy entrenchment, fortified area or fort lies next to it, so that night hides nobody (8.1.2b).
    ``over_hedges``: seen from where bocage and hedgerow are no more than OCT (8.2.1).
    """
    features: set[str] = {*hex.features, *((work,) if work is not None else ())}
    if hex.ft_area:
        features.add(_FT_AREA if is_ft_intact else _RUIN)
    if chart.is_movement_cover(features - _HEDGES if over_hedges else features):
        cover = Cover.MOVEMENT
    else:
        cover = Cover.OBSERVATION if chart.is_observation_cover(features) else Cover.OPEN
    if is_night and not is_watched:
        return Cover(min(cover + 1, Cover.MOVEMENT))
    return cover
