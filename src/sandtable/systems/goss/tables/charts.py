"""All charts of a game's packs, read at once (1.3.0)."""

from __future__ import annotations

import msgspec

from sandtable.core.errors import Faults
from sandtable.systems.goss.tables.breakdown import BreakdownRatings, read_breakdown_ratings
from sandtable.systems.goss.tables.bridges import Bridges, read_bridges
from sandtable.systems.goss.tables.cover import CoverChart, read_cover
from sandtable.systems.goss.tables.fire_support import FireSupport, read_fire_support
from sandtable.systems.goss.tables.ground_assault import GroundAssaultTable, read_ground_assault
from sandtable.systems.goss.tables.movement_costs import Costs, read_costs
from sandtable.systems.goss.tables.reading import Tables
from sandtable.systems.goss.tables.works import Defences, read_defences

__all__ = ["Charts", "read_charts"]


class Charts(msgspec.Struct, frozen=True):
    """What the player aids say."""

    assault: GroundAssaultTable
    defences: Defences
    fire: FireSupport
    costs: Costs
    cover: CoverChart
    bridges: Bridges
    breakdown: BreakdownRatings


_READERS = (
    read_ground_assault,
    read_defences,
    read_fire_support,
    read_costs,
    read_cover,
    read_bridges,
    read_breakdown_ratings,
)


def read_charts(tables: Tables) -> Charts:
    """The charts of a library's tables; raise :class:`BadInput` with the faults of all."""
    faults = Faults()
    for reader in _READERS:
        with faults.gathering():
            reader(tables)
    faults.check()
    return Charts(
        assault=read_ground_assault(tables),
        defences=read_defences(tables),
        fire=read_fire_support(tables),
        costs=read_costs(tables),
        cover=read_cover(tables),
        bridges=read_bridges(tables),
        breakdown=read_breakdown_ratings(tables),
    )
