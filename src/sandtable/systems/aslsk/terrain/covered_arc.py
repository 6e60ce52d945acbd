"""3.2.4 Covered arcs and target facing: what a Gun, hull or turret points at, and from where a vehicle is hit.

What points at a hexspine covers the two rows of hexes through the neighbours that it joins, and all between them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from sandtable.geo.hex import DIRECTIONS, Hex
from sandtable.systems.aslsk.pieces.spines import SPINES
from sandtable.systems.aslsk.pieces.vehicle_cards import Facing

__all__ = ["facings_struck", "in_covered_arc", "spines_covering"]


def in_covered_arc(origin: Hex, spine: int, target: Hex) -> bool:
    """Whether a hex lies in the arc of what points at a hexspine; its own hex never does (3.2.4)."""
    return spine in _spines_toward(target.q - origin.q, target.r - origin.r)


def spines_covering(origin: Hex, target: Hex) -> tuple[int, ...]:
    """The hexspines at which something must point to have a hex in its arc: one, or two along a row of hexes."""
    return _spines_toward(target.q - origin.q, target.r - origin.r)


@cache
def _spines_toward(q: int, r: int) -> tuple[int, ...]:
    """The hexspines between whose two directions a hex lies that is so far off.

    Every hex is so many steps in the one direction and so many in the next: both are counted by solving for them.
    """
    found: list[int] = []
    for spine in SPINES if q or r else ():
        (aq, ar), (bq, br) = DIRECTIONS[spine], DIRECTIONS[(spine + 1) % 6]
        # The two directions span the grid with a determinant of one, so the steps are whole.
        turn = aq * br - ar * bq
        if (q * br - r * bq) * turn >= 0 and (aq * r - ar * q) * turn >= 0:
            found.append(spine)
    return tuple(found)


def facings_struck(spine: int, sides: Iterable[int]) -> tuple[Facing, ...]:
    """The facings that a line of sight strikes which enters by these hexsides: along a hexspine by two (3.2.4).

    ``spine`` is what hull or turret points at. The two hexsides beside it are the front, the next two the sides, the
    last two the rear.
    """
    return tuple([_FACINGS[(side - spine) % 6] for side in sides])


_FACINGS = (Facing.FRONT, Facing.FRONT, Facing.SIDE, Facing.REAR, Facing.REAR, Facing.SIDE)
