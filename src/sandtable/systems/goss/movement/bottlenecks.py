"""7.10.2a Bridge bottlenecks, where a scenario has them: so many Mech units cross by road in a phase, and no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex
from sandtable.geo.hexside import Hexside
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.crossing import crossing
from sandtable.systems.goss.common.facts import Used
from sandtable.systems.goss.common.handler import Play
from sandtable.systems.goss.common.state import State, Use
from sandtable.systems.goss.movement.ways import Kind

__all__ = ["blocked_bridges", "count_crossings", "crossings_of"]

_MOST = 13
_CROSSED = "crossed a bridge"


@rule("7.10.2a")
def blocked_bridges(context: Context, state: State, kind: Kind) -> frozenset[Hexside]:
    """Bridges that no more units may cross by Mech road movement in this phase (7.10.2a)."""
    if kind is not Kind.ROAD or not context.scenario.draft.rules.bottlenecks:
        return frozenset()
    return frozenset(side for side, units in _crossed(state).items() if units >= _MOST)


def _crossed(state: State) -> Counter[Hexside]:
    return Counter(Hexside(use.hex, use.count) for use in state.used if use.what == _CROSSED and use.hex is not None)


def crossings_of(state: State, side: Hexside) -> tuple[int, int]:
    """Mech units that have crossed a bridge by road in this phase, and how many more may (7.10.2a)."""
    crossed = _crossed(state)[side]
    return crossed, max(_MOST - crossed, 0)


def count_crossings(context: Context, play: Play, kind: Kind, way: Sequence[Hex]) -> None:
    """Remember the bridges of a move by road."""
    if kind is not Kind.ROAD or not context.scenario.draft.rules.bottlenecks:
        return
    for here, there in pairwise(way):
        over = crossing(context, play.state, here, there)
        if over.has_bridge:
            play.emit(Used(Use(_CROSSED, hex=over.side.hex, count=over.side.dir)))
