"""7.7.5, 15.2.1 Where general supply reaches, in the short form: by any free path from a source on the edge of the map.

A path enters no hex that an enemy holds, at most two next to enemies, and goes into but not through a movement halt. It
goes where a unit of its class may go (15.2.1a, 15.2.1b); how long it is does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.goss.movement.front import Front
from sandtable.systems.goss.movement.ways import START, StepTable

__all__ = ["supplied"]

_MOST = 2
"""Hexes next to enemies that a path may enter."""


def supplied(front: Front, table: StepTable, sources: Iterable[Hex]) -> frozenset[Hex]:
    """The hexes that supply reaches, over the steps of a table."""
    held, adjacent = front.held, front.adjacent
    best: dict[Hex, int] = {}
    front_line = [(hex, int(hex in adjacent)) for hex in sources if hex not in held]
    while front_line:
        following: list[tuple[Hex, int]] = []
        for hex, met in front_line:
            if met > _MOST or best.get(hex, _MOST + 1) <= met:
                continue
            best[hex] = met
            if front.halt(hex) is not None:
                continue
            steps = table.steps((hex, START))
            for way, beyond in enumerate(NEIGHBOURS[hex]):
                if steps[way] and beyond not in held:
                    following.append((beyond, met + (beyond in adjacent)))
        front_line = following
    return frozenset(best)
