"""5.4 Spotting ranges: by visibility, who spots, the target's Cover and size, and what multiplies them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.panzer.advanced_card import SizeClass
from sandtable.systems.panzer.terrain import Cover
from sandtable.systems.panzer.unit import Spot

__all__ = ["NORMAL", "SpottingFacts", "SpottingRanges"]

BOOK = ("panzer-mini",)
NORMAL = "Normal"
"""Visibility, unless the scenario says otherwise (5.4.1)."""
_SPOTS = {Spot.MOVE: "spot_move", Spot.FIRE: "spot_fire"}


class SpottingFacts(msgspec.Struct, frozen=True):
    """All that the table asks of a spotter and a target."""

    cover: Cover
    spot: Spot = Spot.NONE
    size: SizeClass = SizeClass.V
    """V of every vehicle, L or S by the card of any other unit (5.4.2.5)."""
    by_vehicle: bool = True
    leg_in_full_cover: bool = False
    spotter_full_cover: bool = False
    spotter_suppressed: bool = False
    conditions: str = NORMAL


class SpottingRanges:
    """How far off units are spotted, worked out once for each case (5.4)"""

    def __init__(self, tables: Mapping[str, Table]) -> None:
        self._ranges = tables["spotting_ranges"]
        self._factors = tables["spotting_factors"]
        self._known: dict[SpottingFacts, int] = {}

    def inches(self, facts: SpottingFacts) -> int:
        """The greatest range in inches (5.4.2)"""
        found = self._known.get(facts)
        if found is None:
            found = self._known[facts] = self.told(facts).total
        return found

    @rule("5.4.1", "5.4.2", "5.4.2.5", "4.7", editions=BOOK)
    def told(self, facts: SpottingFacts) -> Breakdown:
        """The same term by term: factors multiply, and the range is rounded down once (4.7)"""
        spotter = "vehicle" if facts.by_vehicle else "other"
        base = self._ranges.number(facts.conditions, spotter, facts.cover.value, facts.size.value)
        over, under, reached = base, 1, base
        terms = []
        for name in self._named(facts):
            numerator, denominator = (self._factors.number(name, field) for field in ("numerator", "denominator"))
            over, under = over * numerator, under * denominator
            times = f"x {numerator}" if denominator == 1 else f"x {numerator}/{denominator}"
            label, cited = (str(self._factors.lookup(name, field)) for field in ("label", "rule"))
            terms.append(Modifier(over // under - reached, f"{label}, {times}", cited))
            reached = over // under
        seen = f"{facts.size.value} in {facts.cover.value} Cover, seen by a {'vehicle' if facts.by_vehicle else 'unit'}"
        return Breakdown("Spotting range", self._ranges.rule, tuple(terms), base, seen)

    @rule("5.4.2.6", "5.4.3", editions=BOOK)
    def _named(self, facts: SpottingFacts) -> Iterator[str]:
        """The factors that apply: SPOT markers (5.4.2.6), Full Cover on either side (5.4.3), suppression (5.2)"""
        if facts.spot in _SPOTS:
            yield _SPOTS[facts.spot]
        if facts.leg_in_full_cover:
            yield "target_full_cover"
        if facts.spotter_full_cover:
            yield "spotter_full_cover"
        if facts.spotter_suppressed:
            yield "spotter_suppressed"
