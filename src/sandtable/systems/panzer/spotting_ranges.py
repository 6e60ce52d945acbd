"""The Spotting Ranges Table with its modifiers (4.1.3, 4.1.3.1).

The row is the sum of the target's Cover and its SPOT counter; the table reads anything beyond its ends as the end.
All vehicles use the V column whatever their size (4.1.3.1). The twelve answers there are, are worked out once.
"""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.modifier import Modifier
from sandtable.systems.panzer.terrain import Cover
from sandtable.systems.panzer.unit import Spot

__all__ = ["SpottingRanges"]

_COVERS = {
    Cover.NONE: "cover_none",
    Cover.LIGHT: "cover_light",
    Cover.MEDIUM: "cover_medium",
    Cover.HEAVY: "cover_heavy",
}
_SPOTS = {Spot.MOVE: "spot_move", Spot.FIRE: "spot_fire"}
_VEHICLES = "V"


class SpottingRanges:
    """How far off vehicles are spotted, by the tables of a book (4.1.3)"""

    def __init__(self, tables: Mapping[str, Table]) -> None:
        self._ranges = tables["spotting_ranges"]
        self._modifiers = tables["spotting_modifiers"]
        self.of: dict[tuple[Cover, Spot], int] = {
            (cover, spot): self.range(sum(term.value for term in self.modifiers(cover, spot)))
            for cover in _COVERS
            for spot in Spot
        }
        """Range by the target's Cover and SPOT counter."""

    @rule("4.1.3", "4.1.3.1")
    def range(self, row: int) -> int:
        """Greatest range at which a vehicle is spotted, of whatever size (4.1.3, 4.1.3.1)"""
        return self._ranges.number(row, _VEHICLES)

    @rule("3.7", "4.1.3")
    def modifiers(self, cover: Cover, spot: Spot) -> tuple[Modifier, ...]:
        """Rows up or down for Cover and for having moved or fired; all add up (3.7, 4.1.3)"""
        names = [_COVERS[cover]] if cover is not Cover.NONE else []
        if spot is not Spot.NONE:
            names.append(_SPOTS[spot])
        return tuple(
            Modifier(self._modifiers.number(name, "value"), str(self._modifiers.lookup(name, "label")), "4.1.3")
            for name in names
        )
