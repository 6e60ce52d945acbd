"""6.2.1.1.4 Units that share a command end their moves within Command Range of one another."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex, distance
from sandtable.geo.hexside import SIDES
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.command.sharing import sharers
from sandtable.systems.panzer.hex.movement.mover import MovementRules, Mover
from sandtable.systems.panzer.hex.movement.reach import ends_of
from sandtable.systems.panzer.hex.progress import MoveProgress
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.movement.speed import Gait
from sandtable.systems.panzer.terrain import Rate

__all__ = ["is_among_sharers", "mover_among_sharers"]


def mover_among_sharers(
    rules: MovementRules, state: State, unit: Unit, gait: Gait = Gait.MARCH, progress: MoveProgress | None = None
) -> Mover:
    """A unit that moves, held to the hexes where those who share its command let it end."""
    mover = Mover(rules, state, unit, gait)
    if mover.facts is None:
        return mover
    others = _others(state, unit)
    if others:
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
    column = _is_column(rules, (mover.unit, *others))
    near = {hex for hex in own if _together(rules, hex, gone, range_, column=column)}
    for other in others:
        if not other.moved and near:
            theirs = _reached(Mover(rules, state, other), state)
            near &= {hex for hex in near if any(distance(hex, end) <= max(range_, column) for end in theirs)}
    if near or not gone or not nearest:
        return frozenset(near) or None
    apart = {hex: max(distance(hex, other) for other in gone) for hex in own}
    least = min(apart.values())
    return frozenset(hex for hex, far in apart.items() if far == least)


def _together(rules: MovementRules, hex: Hex, gone: Sequence[Hex], range_: int, *, column: bool) -> bool:
    """Whether a unit in the hex is where it must be of those who have ended their moves."""
    if all(distance(hex, other) <= range_ for other in gone):
        return True
    return column and _on_route(rules, hex) and any(distance(hex, other) <= 1 for other in gone)


@rule("6.2.1.1.3", editions=("panzer-na",))
def _is_column(rules: MovementRules, units: Sequence[Unit]) -> bool:
    """Whether all are vehicles on roads and paths, which keep to the one before them alone (6.2.1.1.3)"""
    return all(
        rules.cards[unit.card].unit_class is UnitClass.VEHICLE and unit.hex is not None and _on_route(rules, unit.hex)
        for unit in units
    )


def _on_route(rules: MovementRules, hex: Hex) -> bool:
    ground = rules.ground
    kinds = {kind for side in SIDES[hex] for kind in ground.routes.get(side, ())}
    return any(ground.terrain[kind].rate in (Rate.ROAD, Rate.PATH) for kind in kinds)
