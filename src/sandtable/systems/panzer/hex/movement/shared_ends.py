"""6.2.1.1.4 Units that share a command end their moves within Command Range of one another."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex, distance
from sandtable.systems.panzer.command.sharing import sharers
from sandtable.systems.panzer.hex.movement.columns import column_ends, column_of
from sandtable.systems.panzer.hex.movement.mover import MovementRules, Mover
from sandtable.systems.panzer.hex.movement.reach import ends_of, route_ends
from sandtable.systems.panzer.hex.progress import MoveProgress
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.movement.speed import Gait

__all__ = ["is_among_sharers", "mover_among_sharers"]


def mover_among_sharers(
    rules: MovementRules, state: State, unit: Unit, gait: Gait = Gait.MARCH, progress: MoveProgress | None = None
) -> Mover:
    """A unit that moves, held to the hexes where those who share its command let it end."""
    mover = Mover(rules, state, unit, gait)
    if mover.facts is None:
        return mover
    others = _others(state, unit)
    order = column_of(rules, state, unit) if others else ()
    if order and unit.hex is not None:
        mover.column = True
        own = route_ends(mover, mover.start() if progress is None else progress)
        mover.ends = column_ends(mover, state, order, own)
    elif others:
        mover.ends = _ends(mover, state, others, _reached(mover, state, progress))
    return mover


def _others(state: State, unit: Unit) -> list[Unit]:
    return [other for other in sharers(state.units, unit) if other.id != unit.id and _counts(other)]


def _reached(mover: Mover, state: State, progress: MoveProgress | None = None) -> frozenset[Hex]:
    """Where a unit gets to by itself, worked out once for a position."""
    known = mover.rules.reached.at(mover.rules, state)
    key = mover.unit.id, mover.gait, progress
    found = known.get(key)
    if found is None:
        found = known[key] = frozenset(_own_ends(mover, state, progress))
    return found


@rule("6.2.1.1.4", "4.5.1.1.9", editions=("panzer-na",))
def _own_ends(mover: Mover, state: State, progress: MoveProgress | None) -> set[Hex]:
    """Where the unit itself may end; a reserve by all of its entry hexes (4.5.1.1.9)"""
    if progress is not None or mover.unit.hex is not None:
        return ends_of(mover, mover.start() if progress is None else progress)
    if state.turn < mover.unit.enters_turn:
        return set()
    ways = (mover.enter(hex, facing) for hex in mover.unit.entry for facing in range(6))
    return {end for entered in ways if entered is not None for end in ends_of(mover, entered)}


@rule("6.2.1.1.4", "6.6.11", editions=("panzer-na",))
def is_among_sharers(rules: MovementRules, state: State, unit: Unit, hex: Hex) -> bool:
    """Whether a unit that ends its move in a hex is where those who share its command can be with it (6.2.1.1.4)"""
    others = _others(state, unit)
    if not others:
        return True
    if _ends(Mover(rules, state, unit), state, others, {hex}, nearest=False) is not None:
        return True
    return mover_among_sharers(rules, state, unit).ends is None


def _counts(other: Unit) -> bool:
    """Who is not on the map does not count, and who has a Track Hit stays behind (6.5.2.2.1)."""
    return other.in_play and other.hex is not None and not other.markers.track


@rule("6.2.1.1.4", editions=("panzer-na",))
def _ends(
    mover: Mover, state: State, others: Sequence[Unit], own: AbstractSet[Hex], *, nearest: bool = True
) -> frozenset[Hex] | None:
    """Hexes within Command Range of those who have moved, and of an end of each who has still to move (6.2.1.1.4)

    Who cannot get there any more comes as near as it can, if the ``nearest`` will do.
    """
    if not own:
        return None
    rules, range_ = mover.rules, mover.rules.command_reach(mover.unit)
    gone = [other.hex for other in others if other.moved and other.hex is not None]
    near = {hex for hex in own if all(distance(hex, other) <= range_ for other in gone)}
    for other in others:
        if not other.moved and near:
            theirs = _reached(Mover(rules, state, other), state)
            near &= {hex for hex in near if any(distance(hex, end) <= range_ for end in theirs)}
    if near or not gone or not nearest:
        return frozenset(near) or None
    apart = {hex: max(distance(hex, other) for other in gone) for hex in own}
    least = min(apart.values())
    return frozenset(hex for hex, far in apart.items() if far == least)
