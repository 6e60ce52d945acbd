"""5.11 Fire, Smoke, Barrages and Dust that a line meets: of several in a place the worst alone counts.

A place is whatever geometry says that it is. Smoke or a Barrage of one mission covers many places and is one
occurrence; those of different missions, and each DUST or FIRE counter, are occurrences of their own (6.5.2.4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.systems.panzer.advanced_card import SizeClass
from sandtable.systems.panzer.facts import CLEAR, Hindrances
from sandtable.systems.panzer.features import FeatureKind, Sheaf

__all__ = ["Met", "coexisting", "in_heat_haze"]

_BOOK = ("panzer-na",)
_PRECEDENCE = ("on_fire", "smoke_closed", "smoke_open", "barrage_closed", "barrage_open", "dust")
"""Which counts of two that are equally bad: the Smoke of a mission goes before its Barrage (6.5.2.4)."""


class Met(NamedTuple):
    """A counter that hinders, met by a line."""

    kind: FeatureKind
    sheaf: Sheaf
    source: str
    """The mission that it belongs to, or a name of its own."""

    @property
    def name(self) -> str:
        """Its field of :class:`Hindrances`."""
        if self.kind in (FeatureKind.SMOKE, FeatureKind.BARRAGE):
            return f"{self.kind.value}_{self.sheaf.value}"
        return self.kind.value.replace(" ", "_")


@rule("5.11", editions=_BOOK)
def coexisting(places: Iterable[Iterable[Met]], tables: Mapping[str, Table]) -> Hindrances:
    """What a line meets, place by place: in each the one that is best for the target, each occurrence once (5.11)"""
    table = tables["ap_hit_modifiers_advanced"]
    occurrences = set()
    for place in places:
        worst = min(place, key=lambda met: (table.number(met.name, "value"), _PRECEDENCE.index(met.name)), default=None)
        if worst is not None:
            occurrences.add((worst.name, worst.source))
    return Hindrances(**Counter(name for name, _ in occurrences)) if occurrences else CLEAR


@rule("6.5.2.4", "6.5.4.3", editions=_BOOK)
def in_heat_haze(tables: Mapping[str, Table], size: SizeClass, distance: int) -> bool:
    """Whether Heat Haze hinders fire on a target of the size at that range (6.5.2.4, 6.5.4.3)"""
    return distance >= tables["heat_haze"].number(size.value)
