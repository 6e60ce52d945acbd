"""Quick moves for looking ahead: straight down the slope of the way to a goal, with every place to stop (4.5.1.1).

The rules' own mover says what each leg leads to, so whatever comes out is legal; it is only not a search over all
ways. A look ahead moves a dozen vehicles, and a full search for each would take most of its time.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from sandtable.bots.panzer.travel import FAR, Field
from sandtable.geo.hex import Hex
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.movement.move_path import entries
from sandtable.systems.panzer.hex.movement.mover import Mover
from sandtable.systems.panzer.hex.progress import MoveProgress
from sandtable.systems.panzer.hex.state import Leg, LegKind, State, Unit

__all__ = ["Entry", "Stop", "enter", "march"]

LONGEST = 14
"""Legs that are followed."""


class Stop(msgspec.Struct, frozen=True, gc=False):
    """A place where a quick move may end."""

    legs: tuple[Leg, ...]
    hex: Hex
    facing: int
    exited: bool = False


Entry = tuple[Hex, int, list[Stop]]
"""Where a reserve comes in, its facing there, and the places that it may go on to."""


def march(
    context: Context,
    state: State,
    unit: Unit,
    field: Field,
    progress: MoveProgress | None = None,
    *,
    off: bool = False,
) -> list[Stop]:
    """The places along the way down ``field``, the nearest first; ``off`` goes on over the edge of the map."""
    mover = Mover(context, state, unit)
    now = mover.start() if progress is None else progress
    return list(_stops(mover, now, field, off))


def _stops(mover: Mover, now: MoveProgress, field: Field, off: bool) -> Iterator[Stop]:
    legs: tuple[Leg, ...] = ()
    for _ in range(LONGEST):
        if off and field.get(now.hex) == 0:
            left = _over_the_edge(mover, now)
            if left is not None:
                yield Stop((*legs, left), now.hex, now.facing, exited=True)
            return
        after = None
        for way in field.ways_down(now.hex):
            leg = _LEGS[(way - now.facing) % 6]
            after = mover.leg(now, leg)
            if after is not None and (after.hex in mover.enemies or not mover.is_paid_for(after)):
                after = None
            if after is not None:
                legs = (*legs, leg)
                break
        if after is None:
            return
        now = after
        if mover.may_end(now):
            yield Stop(legs, now.hex, now.facing)
            for leg in _TURNS:
                turned = mover.turn(now, leg.turn)
                if turned is not None and mover.may_end(turned):
                    yield Stop((*legs, leg), now.hex, turned.facing)


def _over_the_edge(mover: Mover, now: MoveProgress) -> Leg | None:
    for turn in (0, 1, -1, 2, -2, 3):
        leg = Leg(turn, LegKind.FORWARD)
        after = mover.leg(now, leg)
        if after is not None and after.exited and mover.may_end(after):
            return leg
    return None


def enter(context: Context, state: State, unit: Unit, field: Field) -> Entry | None:
    """Where a reserve comes in, and the places that it may go on to (4.5.1.1.9)."""
    mover = Mover(context, state, unit)
    ways = sorted(entries(mover, state), key=lambda way: (field.get(way[0], FAR), way[:2]))
    if not ways:
        return None
    hex, facing, progress = ways[0]
    stops = list(_stops(mover, progress, field, off=False))
    if mover.may_end(progress):
        stops.insert(0, Stop((), hex, facing))
    return (hex, facing, stops) if stops else None


_TURNS = (Leg(1, LegKind.STAY), Leg(-1, LegKind.STAY))
_LEGS = tuple(Leg(turn if turn <= 3 else turn - 6, LegKind.FORWARD) for turn in range(6))
