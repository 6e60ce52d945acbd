"""7.7.5, 15.2.1 Where general supply reaches, in the short form: by any free path from a source on the edge of the map.

A path enters no hex that an enemy holds, at most two next to enemies, and goes into but not through a movement halt. It
goes where a unit of its class may go (15.2.1a, 15.2.1b); how long it is does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.geo.hex import Hex
from sandtable.systems.goss.movement.front import Front
from sandtable.systems.goss.movement.ways import StepTable

__all__ = ["supplied"]

_MOST = 2
"""Hexes next to enemies that a path may enter."""


def supplied(front: Front, table: StepTable, sources: Iterable[Hex]) -> frozenset[Hex]:
    """The hexes that supply reaches, over the steps of a table."""
    adjacent, halting, open_from = front.adjacent, front.halting, table.open_from
    barred = set(front.held)
    """What a path does not enter, or has reached."""
    beside = adjacent.intersection(sources)
    """Where paths enter one more hex next to enemies."""
    entered = frozenset(sources) - adjacent
    for _ in range(_MOST + 1):
        entered -= barred
        while entered:
            barred |= entered
            beyond = frozenset().union(*map(open_from, entered - halting)) - barred
            near = beyond & adjacent
            beside |= near
            entered = beyond - near
        entered, beside = beside, frozenset()
    return frozenset(barred - front.held)
