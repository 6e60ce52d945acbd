"""Hexes that terrain counters and wrecks bar or fill with smoke (4.5.1.1.2, 6.1.4.3): worked out when those change.

Every unit that looks where it may go asks, and few moves change a counter. Threads may meet here: what is kept is
replaced as a whole, and what two of them find out twice is the same.
"""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.geo.hex import Hex
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.edition import Edition
from sandtable.systems.panzer.features import FeatureKind, entry_barred
from sandtable.systems.panzer.hex.features import Feature
from sandtable.systems.panzer.hex.state import Wreck
from sandtable.systems.panzer.terrain import Traction
from sandtable.systems.panzer.unit import WreckKind

__all__ = ["Obstacles"]

_SLOWING = (FeatureKind.SMOKE, FeatureKind.DUST)
_BREWED_UP = WreckKind.BU
_NO_SMOKE: frozenset[Hex] = frozenset()

_Closed = dict[tuple[UnitClass, Traction], Mapping[Hex, str]]


class Obstacles:
    """What is known of the counters and wrecks that were asked about last."""

    __slots__ = ("_closed", "_smoke")

    def __init__(self) -> None:
        self._smoke: tuple[tuple[Wreck, ...], tuple[Feature, ...], frozenset[Hex]] = ((), (), _NO_SMOKE)
        self._closed: tuple[tuple[Feature, ...], _Closed] = ((), {})

    def smoke(self, edition: Edition, wrecks: tuple[Wreck, ...], features: tuple[Feature, ...]) -> frozenset[Hex]:
        """Hexes whose Brew-Up Smoke slows a move; smoke of shells and Dust are like it (6.1.4.3.12)."""
        known_wrecks, known_features, found = self._smoke
        if known_wrecks is wrecks and known_features is features:
            return found
        at_once = edition.fresh_smoke_slows
        hexes = [wreck.hex for wreck in wrecks if wreck.kind is _BREWED_UP and (at_once or not wreck.fresh)]
        hexes += [one.hex for one in features if one.kind in _SLOWING and (at_once or not one.fresh)]
        found = frozenset(hexes)
        self._smoke = wrecks, features, found
        return found

    @rule("6.1.4.3.3", "6.1.4.3.4", "6.1.4.3.5", "6.1.4.3.9", "6.1.4.3.11", editions=("panzer-na",))
    def closed(
        self, table: Table, features: tuple[Feature, ...], unit_class: UnitClass, mode: Traction
    ) -> Mapping[Hex, str]:
        """Hexes whose terrain counters a unit may not enter, with the rule of each (6.1.4.3)"""
        known, by_unit = self._closed
        if known is not features:
            by_unit = {}
            self._closed = features, by_unit
        found = by_unit.get((unit_class, mode))
        if found is None:
            barred = ((one.hex, entry_barred(table, one.kind, unit_class, mode)) for one in features)
            found = by_unit[unit_class, mode] = {hex: number for hex, number in barred if number}
        return found
