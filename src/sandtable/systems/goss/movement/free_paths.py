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
    held, adjacent = front.held, front.adjacent
    reached: set[Hex] = set()
    waiting: list[list[Hex]] = [[] for _ in range(_MOST + 2)]
    """By the hexes next to enemies that a path has entered; those of the last have entered too many."""
    for hex in sources:
        if hex not in held:
            waiting[hex in adjacent].append(hex)
    for met in range(_MOST + 1):
        while waiting[met]:
            hex = waiting[met].pop()
            if hex in reached:
                continue
            reached.add(hex)
            if not (front.has_forts or hex in adjacent) or front.halt(hex) is None:
                for beyond in table.open_from(hex):
                    if beyond not in held and beyond not in reached:
                        waiting[met + (beyond in adjacent)].append(beyond)
    return frozenset(reached)
