"""The Spotting Ranges Table with its modifiers (4.1.3, 4.1.3.1, 6.1.3, 6.1.3.1, 6.1.3.2).

The row is the sum of the target's Cover and its SPOT counter, and in the Advanced Game of Full Cover and of what ails
the spotter; the table reads anything beyond its ends as the end. All vehicles use the V column whatever their size
(4.1.3.1), leg and towed units L or S (6.1.3). Rows and ranges are worked out once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.modifier import Modifier
from sandtable.systems.panzer.advanced_card import SizeClass
from sandtable.systems.panzer.terrain import Cover
from sandtable.systems.panzer.unit import Spot

__all__ = ["Sightedness", "SpottingRanges"]

_BOOK = ("panzer-na",)
_COVERS = {
    Cover.NONE: "cover_none",
    Cover.LIGHT: "cover_light",
    Cover.MEDIUM: "cover_medium",
    Cover.HEAVY: "cover_heavy",
}
_SPOTS = {Spot.MOVE: "spot_move", Spot.FIRE: "spot_fire"}
_ADVANCED = "spotting_modifiers_advanced"


class Sightedness(NamedTuple):
    """What the Advanced Game asks of spotter and target beside Cover and SPOT counters (6.1.3.1, 6.1.3.2)."""

    spotter_suppressed: bool = False
    target_full_cover: bool = False
    spotter_full_cover: bool = False


class SpottingRanges:
    """How far off units are spotted, by the tables of a book (4.1.3)"""

    def __init__(self, tables: Mapping[str, Table]) -> None:
        self._ranges = tables["spotting_ranges"]
        self._modifiers = tables["spotting_modifiers"]
        self._advanced = tables.get(_ADVANCED)
        self._beside: dict[Sightedness, tuple[Modifier, ...]] = {}
        spots = (Spot.NONE, *_SPOTS, *((Spot.FIRE_SA,) if self._advanced is not None else ()))
        self.rows: dict[tuple[Cover, Spot], int] = {
            (cover, spot): sum(term.value for term in self.modifiers(cover, spot))
            for cover in _COVERS
            for spot in spots
        }
        """Row by the target's Cover and SPOT counter."""
        self.of: dict[tuple[Cover, Spot], int] = {key: self.range(row) for key, row in self.rows.items()}
        """Range of a vehicle by its Cover and SPOT counter."""

    @rule("4.1.3", "4.1.3.1")
    def range(self, row: int, size: SizeClass = SizeClass.V) -> int:
        """Greatest range at which a unit of a size class is spotted: V for all vehicles (4.1.3, 4.1.3.1, 6.1.3)"""
        return self._ranges.number(row, size.value)

    @rule("3.7", "4.1.3")
    def modifiers(self, cover: Cover, spot: Spot) -> tuple[Modifier, ...]:
        """Rows up or down for Cover and for having moved or fired; all add up (3.7, 4.1.3)"""
        names = [_COVERS[cover]] if cover is not Cover.NONE else []
        if spot in _SPOTS:
            names.append(_SPOTS[spot])
        found = tuple(self._modifiers.modifier(name) for name in names)
        return (*found, self._of_advanced("spot_fire_sa")) if spot is Spot.FIRE_SA else found

    @rule("6.1.3", "6.1.3.1", "6.1.3.2", editions=_BOOK)
    def beside(self, sightedness: Sightedness) -> tuple[Modifier, ...]:
        """Rows down for Full Cover and for a Suppressed spotter (6.1.3.1, 6.1.3.2)"""
        found = self._beside.get(sightedness)
        if found is None:
            names = [name for name, holds in sightedness._asdict().items() if holds]
            found = self._beside[sightedness] = tuple(map(self._of_advanced, names))
        return found

    def _of_advanced(self, name: str) -> Modifier:
        table = self._advanced
        assert table is not None  # noqa: S101 - counters of the Advanced Game come with its tables
        return table.modifier(name)
