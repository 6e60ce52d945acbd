"""3.3.1 Stacking: three squad-equivalents and four SMC a side in a hex; and who is where.

Occupants are looked up far more often than units change, so the index of the last few sets of units is
kept in the memory of the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.memory import Changes, Gunners, Held, Memory, Positions
from sandtable.systems.aslsk.pieces.cards import UnitKind
from sandtable.systems.aslsk.pieces.state import State, Unit, UnitId, Whereabouts

__all__ = [
    "at",
    "changed_pieces",
    "changed_units",
    "enemy_hexes",
    "fits",
    "friends_at",
    "held",
    "may_stack",
    "occupants",
]

_SIZES = {UnitKind.SQUAD: 2, UnitKind.HALF_SQUAD: 1, UnitKind.CREW: 1, UnitKind.LEADER: 0}
MOST_SQUAD_HALVES = 6
MOST_LEADERS = 4
_NEVER_TOO_MANY = 3
"""So many of whatever kind are within both limits."""

_Index = dict[Hex, tuple[Unit, ...]]
_Units = dict[UnitId, Unit]
K = TypeVar("K")
P = TypeVar("P")
_KEPT = 3
"""Of the sets of units before the last."""
_ON_MAP = Whereabouts.MAP
"""A name is looked up quicker than a member of an enum."""


def changed_pieces(before: dict[K, P], after: dict[K, P]) -> list[tuple[P, P]]:
    """Units, or weapons, that are not the same in two states of equally many, as they were and as they are."""
    changed = []
    # Nothing is run so often, and a loop over so few is quicker than a comprehension.
    for old, new in zip(before.values(), after.values(), strict=False):
        if old is not new:
            changed.append((old, new))
    return changed


def changed_units(memory: Memory, before: _Units, after: _Units) -> list[tuple[Unit, Unit]]:
    """The units that have changed: several ask for the same one after another."""
    known = memory.changes
    if known.before is before and known.after is after:
        return known.units
    found = changed_pieces(before, after)
    memory.changes = Changes(before, after, found)
    return found


def _positions(memory: Memory, units: _Units) -> Positions:
    # The last set is asked about far more often than all others together.
    last = memory.positions
    if last.units is units:
        return last
    earlier = memory.earlier_positions
    for known in earlier:
        if known.units is units:
            return known
    found = _follow(memory, last, units) if len(last.units) == len(units) else None
    if found is None:
        found = Positions(units, _index(units), {}, {})
    memory.earlier_positions = (last, *earlier[: _KEPT - 1])
    memory.positions = found
    return found


def _index(units: _Units) -> _Index:
    found: _Index = {}
    for unit in units.values():
        hex = unit.hex
        if hex is not None and unit.place is _ON_MAP:
            there = found.get(hex)
            found[hex] = (unit,) if there is None else (*there, unit)
    return found


def _follow(memory: Memory, before: Positions, units: _Units) -> Positions | None:
    """The positions after changes to as many units; None if they are not the same units."""
    changes = changed_units(memory, before.units, units)
    moved: list[tuple[Unit, Unit]] = []
    for old, new in changes:
        if old.id != new.id:
            return None
        if (old.hex is not new.hex and old.hex != new.hex) or old.place is not new.place:
            moved.append((old, new))
    if not moved:
        # Of many the index is quicker made anew.
        few = 3 * len(changes) < len(units)
        index = _in_their_places(before.at, changes) if few else _index(units)
        return Positions(units, index, before.held, before.enemies)
    # Hexes and units have an order, which follows nobody: the index is made anew.
    index = _index(units)
    side: str = moved[0][1].side
    if len(moved) > 1 and [new for _, new in moved if new.side != side]:
        return Positions(units, index, {}, {})
    held_now: dict[str, Held] = {}
    now: frozenset[Hex] | None = None
    for seat, (own, other) in before.held.items():
        # Hexes of a side are those with enemies of the other.
        if now is None:
            now = _now_held(own if seat == side else other, index, moved, side)
        held_now[seat] = (now, other) if seat == side else (own, now)
    # Those who have not moved are where they were.
    enemies = {side: before.enemies[side]} if side in before.enemies else {}
    return Positions(units, index, held_now, enemies)


def _in_their_places(before: _Index, changes: Iterable[tuple[Unit, Unit]]) -> _Index:
    """The index after changes to units none of which has moved."""
    index = before.copy()
    for old, new in changes:
        hex = new.hex
        if hex is not None and new.place is _ON_MAP:
            there = index[hex]
            index[hex] = (new,) if len(there) == 1 else tuple([new if unit is old else unit for unit in there])
    return index


def _now_held(before: frozenset[Hex], index: _Index, moved: Iterable[tuple[Unit, Unit]], side: str) -> frozenset[Hex]:
    """The hexes with units of a side, after some of them have moved."""
    left, entered = [], []
    for old, new in moved:
        if old.hex is not None and not _stands_in(index.get(old.hex, ()), side):
            left.append(old.hex)
        if new.hex is not None and new.place is _ON_MAP:
            entered.append(new.hex)
    return before.difference(left).union(entered)


def _stands_in(units: Iterable[Unit], side: str) -> bool:
    for unit in units:  # noqa: SIM110 - a loop is twice as quick as any() over so few
        if unit.side == side:
            return True
    return False


def occupants(context: Context, state: State) -> _Index:
    """The units in every occupied hex, in the order of the state."""
    units = state.units
    last = context.memory.positions
    return last.at if last.units is units else _positions(context.memory, units).at


def held(context: Context, state: State, seat: str) -> Held:
    """Hexes with units of a side, and hexes with enemies of it."""
    last = context.memory.positions
    positions = last if last.units is state.units else _positions(context.memory, state.units)
    found = positions.held.get(seat)
    if found is None:
        own: set[Hex] = set()
        other: set[Hex] = set()
        for hex, there in positions.at.items():
            for unit in there:
                (own if unit.side == seat else other).add(hex)
        found = positions.held[seat] = frozenset(own), frozenset(other)
    return found


def enemy_hexes(context: Context, state: State, seat: str) -> tuple[Hex, ...]:
    """Hexes with enemies of a side, in their order."""
    known = _positions(context.memory, state.units).enemies
    found = known.get(seat)
    if found is None:
        found = known[seat] = tuple(sorted(held(context, state, seat)[1]))
    return found


def at(context: Context, state: State, hex: Hex | None) -> tuple[Unit, ...]:
    """The units in a hex."""
    return occupants(context, state).get(hex, ()) if hex is not None else ()


def friends_at(context: Context, state: State, hex: Hex | None, seat: str) -> tuple[Unit, ...]:
    """The units of a side in a hex."""
    return tuple([unit for unit in at(context, state, hex) if unit.side == seat])


@rule("3.3.1")
def fits(context: Context, state: State, hex: Hex, seat: str, newcomers: Sequence[Unit]) -> bool:
    """Whether newcomers of a side may stack in a hex: three squad-equivalents, four SMC (3.3.1)."""
    there = occupants(context, state).get(hex, ())
    if len(newcomers) + len(there) <= _NEVER_TOO_MANY:
        return True
    stack = list(newcomers)
    if there:
        named = [unit.id for unit in newcomers]
        stack += [unit for unit in there if unit.side == seat and unit.id not in named]
    return len(stack) <= _NEVER_TOO_MANY or may_stack(context, state, stack)


@rule("3.3.1")
def may_stack(context: Context, state: State, stack: Iterable[Unit]) -> bool:
    """Whether units of a side may be in one hex at a time; a crew or HS with a Gun counts as a squad (3.3.1)."""
    halves = leaders = 0
    cards, gunners = context.cards.units, _gunners(context, state)
    for unit in stack:
        size = _SIZES[cards[unit.card].kind]
        if size == 1 and unit.id in gunners:
            size = 2
        halves += size
        leaders += not size
    return halves <= MOST_SQUAD_HALVES and leaders <= MOST_LEADERS


def _gunners(context: Context, state: State) -> frozenset[UnitId]:
    """The units that possess Guns."""
    known = context.memory.gunners
    if known.weapons is state.weapons:
        return known.units
    cards = context.cards.weapons
    found = frozenset([weapon.owner for weapon in state.weapons.values() if cards[weapon.card].gun is not None])
    context.memory.gunners = Gunners(state.weapons, found)
    return found
