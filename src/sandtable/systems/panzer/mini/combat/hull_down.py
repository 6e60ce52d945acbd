"""5.5.3, 8.4.5.4 Heights between firer and target: hull down, and shots that fall."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.geo.plane.points import range_inches
from sandtable.systems.panzer.mini.ground import Ground

__all__ = ["is_falling", "is_hull_down"]

BOOK = ("panzer-mini",)
Spot = tuple[int, int]


@rule("5.5.3", "5.5.1.3", "5.5.1.12", "5.5.1.19", "5.5.1.23", editions=BOOK)
def is_hull_down(ground: Ground, measures: Table, firer: Spot, target: Spot) -> bool:
    """Whether a vehicle is hull down against a firer (5.5.3)

    In a brick or stone building or an improved position it is so from all sides; else against a lower firer no farther
    off than twice the difference in height.
    """
    place = ground.at(target)
    if place.hides_hull:
        return True
    advantage = place.height - ground.at(firer).height
    return advantage > 0 and range_inches(firer, target) <= measures.number("hull_down_factor", "value") * advantage


@rule("8.4.5.4", editions=BOOK)
def is_falling(ground: Ground, firer: Spot, target: Spot) -> bool:
    """Whether a shot comes from above (8.4.5.4)"""
    return ground.at(firer).height > ground.at(target).height
