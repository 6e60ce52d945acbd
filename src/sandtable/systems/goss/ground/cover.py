"""Covering terrain: what hides those who move and those who stand still (8.2, 8.1.2b)."""

from __future__ import annotations

from enum import IntEnum, StrEnum

from sandtable.core.content.rule import rule
from sandtable.systems.goss.ground.ground import HexGround
from sandtable.systems.goss.ground.kinds import Population, Terrain

__all__ = ["Cover", "Work", "cover_of"]


class Work(StrEnum):
    """Defensive works that lie in a hex (17.3.3-17.6)."""

    IP = "IP"
    """Improved positions."""
    ET2 = "ET-2"
    ET3 = "ET-3"
    FORT = "Fort"

    @property
    def is_entrenchment(self) -> bool:
        """ET-2 or ET-3."""
        return self is Work.ET2 or self is Work.ET3


class Cover(IntEnum):
    """How well a hex hides a unit; each covers from all that the one before it does."""

    OPEN = 0
    OBSERVATION = 1
    """OCT: hides who stands still."""
    MOVEMENT = 2
    """MCT: hides who moves as well."""


_MOVEMENT = frozenset((Terrain.WOODS, Terrain.FOREST, Terrain.BOCAGE, Terrain.HEDGEROW))
_HEDGES = frozenset((Terrain.BOCAGE, Terrain.HEDGEROW))


@rule("8.2.0", "8.2.1", "8.2.2", "8.1.2b")
def cover_of(
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
    hiding = _MOVEMENT - _HEDGES if over_hedges else _MOVEMENT
    if hex.terrain & hiding or hex.is_built_up or work in (Work.ET3, Work.FORT) or is_ft_intact:
        cover = Cover.MOVEMENT
    elif hex.terrain & _HEDGES or hex.population in (Population.LOCATION, Population.VILLAGE) or work or hex.ft_area:
        # A fortified area that is not intact is a destroyed one.
        cover = Cover.OBSERVATION
    else:
        cover = Cover.OPEN
    if is_night and not is_watched:
        return Cover(min(cover + 1, Cover.MOVEMENT))
    return cover
