"""5.5.2 Determining line of sight by heights: the four cases, and the Line of Sight Table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.content.table import Table
from sandtable.geo.plane.lines import Zone

__all__ = ["CLOSE_BY", "LOW", "ZONES", "Verdict", "sunk", "verdict"]

BOOK = ("panzer-mini",)
ZONES = {Zone.CLOSE: "C", Zone.MIDWAY: "M", Zone.FAR: "F"}
_WORDS = {Zone.CLOSE: "closer", Zone.MIDWAY: "midway", Zone.FAR: "farther"}
LOW = -1
"""The height from which nobody sees another at the same height, nor lower (5.5.2.4.4)."""
CLOSE_BY = 1
"""Inches within which units always spot each other (5.4.2.7)."""


class Verdict(NamedTuple):
    """Whether an obstacle blocks, and by which rule."""

    blocks: bool
    rule: str
    reason: str
    zone: str = ""
    """C, M or F, where the Line of Sight Table was asked: the zone that is best for the target."""


@rule("5.5.2", "5.5.2.1", "5.5.2.2", "5.5.2.3", "5.5.2.4", editions=BOOK)
def verdict(table: Table, top: int, spotter: int, target: int, zones: Iterable[Zone]) -> Verdict:
    """Whether an obstacle of a height blocks between two heights, lying in some zones of the line (5.5.2)"""
    low, high = (spotter, target) if spotter <= target else (target, spotter)
    if top <= low:
        return Verdict(False, "5.5.2.3", "it is no higher than either unit")
    if top > high:
        return Verdict(True, "5.5.2.1", "it is higher than both units")
    if top == high:
        return Verdict(True, "5.5.2.2", "it is as high as one unit and higher than the other")
    return _between(table, top, spotter, target, zones)


@rule("5.5.2.4.1", "5.5.2.4.2", "5.5.2.4.3", editions=BOOK)
def _between(table: Table, top: int, spotter: int, target: int, zones: Iterable[Zone]) -> Verdict:
    """By the table; of several zones the one that is best for the target, which is one that blocks (5.5.2.4.3)"""
    needs = [(table.number(spotter, target, ZONES[zone]), zone) for zone in zones]
    need, zone = min(needs)
    where = f"{_WORDS[zone]} it blocks from Height {need} on"
    return Verdict(top >= need, "5.5.2.4", where, ZONES[zone])


@rule("5.5.2.4.4", editions=BOOK)
def sunk(one: int, other: int) -> bool:
    """Nobody at height -1 sees another at height -1; a stream in a depression is read as -1 (5.5.2.4.4)"""
    return max(one, other) <= LOW
