"""Smoke grenades: thrown where a party is about to cross ground under fire, for the fire that they keep off (3.3.1).

An attempt costs MF and may fail. It is worth the move that is left with the smoke in place, or without it, by the
chance of either, and part of the fire that it keeps off those nearby who have yet to follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.bots.aslsk.sketch import Sketch
from sandtable.core.errors import Refusal
from sandtable.geo.hex import Hex, distance
from sandtable.systems.aslsk.movement.mover import Mover
from sandtable.systems.aslsk.movement.stepping import MoveProgress
from sandtable.systems.aslsk.pieces.state import Mark, MoveStep, Smoke, SmokeKind, State, StepKind, Unit

__all__ = ["Outlook", "Throw", "throws"]

ENDS = 1 / 6
"""Chance that an attempt ends the move (3.3.1)."""
FOLLOWS, BESIDE = 0.5, 1
"""How likely somebody follows by the same way, and from how many hexes away."""


class Outlook(NamedTuple):
    """The best that is left to a move."""

    gain: float
    """Points over staying."""
    lost: float
    """Points of it lost to fire on the way."""


class Throw(NamedTuple):
    """An attempt that was weighed."""

    step: MoveStep
    gain: float
    chance: float


def throws(
    sketch: Sketch,
    units: Sequence[Unit],
    into: Sequence[Hex],
    look: Callable[[Sketch, Mover, MoveProgress], Outlook],
) -> Iterator[Throw]:
    """Attempts to place smoke in one of some hexes before the move goes on; ``look`` says what is left of it then."""
    context, state = sketch.context, sketch.state
    start = units[0].hex
    mover = Mover(context, state, tuple(units))
    thrower = max(units, key=mover.smoke_exponent)
    chance = min(6, mover.smoke_exponent(thrower) - thrower.cx) / 6
    if start is None or chance <= 0:
        return
    followers = sum(
        one.good_order and not one.moved and one.mark is Mark.NONE and context.card(one).is_mmc
        for one in sketch.mine
        if one not in units and one.hex is not None and distance(one.hex, start) <= BESIDE
    )
    for hex in into:
        step = MoveStep(StepKind.SMOKE, hex, thrower.id)
        after = mover.take(MoveProgress(start), step)
        if isinstance(after, Refusal):
            continue
        plain = look(sketch, mover, after)
        smoky = _with_smoke(state, hex, sketch)
        covered = look(sketch.of(smoky), Mover(context, smoky, tuple(units)), after)
        spared = FOLLOWS * followers * max(0.0, plain.lost - covered.lost)
        fails = max(0.0, 1 - ENDS - chance)
        yield Throw(step, chance * (covered.gain + spared) + fails * plain.gain, chance)


def _with_smoke(state: State, hex: Hex, sketch: Sketch) -> State:
    return replace(state, smoke=(*state.smoke, Smoke(hex, SmokeKind.GRENADE, sketch.seat)))
