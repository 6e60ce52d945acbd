"""3.7 What may be chosen in the APh: units alone or together, where they advance, weapons, and the end of the phase."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from functools import partial
from itertools import combinations

from sandtable.core.decision import Branch, Leaf, Node, Pick
from sandtable.geo.hex import DIRECTION_NAMES, Hex
from sandtable.systems.aslsk.common.actions import Action, Advance, Done, DropWeapon, Exit
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.menu import LazyBranch, Menu, Spread
from sandtable.systems.aslsk.common.possession import droppable, owners, transfers
from sandtable.systems.aslsk.common.stacking import fits, may_stack, occupants
from sandtable.systems.aslsk.movement.move_groups import MOST_SUBSETS, parts_of
from sandtable.systems.aslsk.movement.movement_costs import allowance, ways_out
from sandtable.systems.aslsk.phases.advance import is_exhausted, refuse_advance_into, refuse_advance_off, refuse_laden
from sandtable.systems.aslsk.phases.rally import transfer_branch
from sandtable.systems.aslsk.pieces.state import Advances, State, Unit, Weapon, Whereabouts
from sandtable.systems.aslsk.vehicles.vehicle_moving import crew_branches

__all__ = ["advance_options", "has_advance"]

_ON_MAP, _OFF_BOARD = Whereabouts.MAP, Whereabouts.OFF_BOARD
"""Names are looked up quicker than members of enums."""


def _able(context: Context, state: State, player: str) -> Iterator[Unit]:
    """Units that may still advance: unpinned, in Good Order, or waiting off board, and not too laden."""
    carried = owners(context, state)
    for unit in state.units.values():
        if unit.side != player or unit.advanced or unit.pinned or unit.broken or unit.melee or unit.hazardous:
            continue
        if unit.place is not _ON_MAP and unit.place is not _OFF_BOARD:
            continue
        if unit.id not in carried or refuse_laden(context, state, unit) is None:
            yield unit


def has_advance(context: Context, state: State, frame: Advances) -> bool:
    """Whether a unit of the player may advance, or a weapon be transferred or, where nobody advances, dropped."""
    for unit in _able(context, state, frame.player):
        if _has_target(context, state, (unit,)):
            return True
    if state.vehicles and next(crew_branches(context, state, frame.player), None) is not None:
        return True
    # As in the MPh: who has advanced somebody was asked, and could drop what he liked.
    if any(unit.advanced and unit.side == frame.player for unit in state.units.values()):
        return next(transfers(context, state, frame.player), None) is not None
    return next(droppable(state, frame.player), None) is not None


def advance_options(context: Context, state: State, frame: Advances) -> Node[Action]:
    """A unit or a stack and the hex that it advances into; a transfer; or the end of the phase (3.7)."""

    def ways() -> Iterator[LazyBranch]:
        yield _no_more
        able = list(_able(context, state, frame.player))
        there = occupants(context, state)
        for unit in able:
            if _is_beside_empty(context, there, unit) or _has_target(context, state, (unit,)):
                yield partial(_unit_branch, context, state, unit)
        for units in _stacks(able):
            if next(_party_ways(context, state, units), None) is not None:
                yield partial(_stack_branch, context, state, units)
        if next(droppable(state, frame.player), None) is not None:
            yield partial(_weapons_branch, context, state, frame)
        if state.vehicles and next(crew_branches(context, state, frame.player), None) is not None:
            yield partial(_crews_branch, context, state, frame)

    return Menu(ways)


def _no_more() -> Branch[Action]:
    return Branch("done", "done", "No more advances", Leaf[Action](Done()))


def _unit_branch(context: Context, state: State, unit: Unit) -> Branch[Action]:
    label = f"{context.card(unit).name} {unit.id}"
    return Branch(unit.id, "unit", label, _target_choice(context, state, (unit,)), unit.id)


def _stack_branch(context: Context, state: State, units: list[Unit]) -> Branch[Action]:
    then = Menu(partial(_party_ways, context, state, units))
    if units[0].hex is None:
        return Branch(f"{units[0].force}+", "stack", "Units off board together", then)
    label = context.label(units[0].hex)
    return Branch(f"{label}+", "stack", f"Units in {label} together", then, label, is_hex=True)


def _crews_branch(context: Context, state: State, frame: Advances) -> Branch[Action]:
    return Branch(
        "crew", "order", "Crew Exposed or buttoned up", Pick(partial(crew_branches, context, state, frame.player))
    )


def _weapons_branch(context: Context, state: State, frame: Advances) -> Branch[Action]:
    then = Menu(partial(_weapon_ways, context, state, frame))
    return Branch("weapons", "order", "Transfer or drop a weapon", then)


def _stacks(able: Iterable[Unit]) -> Iterator[list[Unit]]:
    """Units that may advance together: of a hex, or of a force that is still off board."""
    found: dict[object, list[Unit]] = {}
    for unit in able:
        found.setdefault(unit.force if unit.hex is None else unit.hex, []).append(unit)
    return (units for units in found.values() if len(units) > 1)


def _party_ways(context: Context, state: State, units: list[Unit]) -> Iterator[LazyBranch]:
    """Two or more that advance together, the whole stack first; of a force off board as in the MPh."""
    # Where all may go, so may any of them.
    free = _takes_all(context, state, tuple(units))
    for some in _parties(context, units):
        if free or _has_target(context, state, some):
            yield partial(_party_branch, context, state, some)
    is_large = units[0].hex is None and len(units) > MOST_SUBSETS
    if is_large and next(_company(context, state, (), tuple(units)), None) is not None:
        yield partial(_company_branch, context, state, tuple(units))


def _parties(context: Context, units: list[Unit]) -> Iterator[tuple[Unit, ...]]:
    if units[0].hex is None:
        return (some for some in parts_of(context, units) if len(some) > 1)
    return (some for size in range(len(units), 1, -1) for some in combinations(units, size))


def _company_branch(context: Context, state: State, units: tuple[Unit, ...]) -> Branch[Action]:
    """Of a force too large for every part of it to be listed, those who advance together are named one by one."""
    return Branch("company", "stack", "Name them one by one", Menu(partial(_company, context, state, (), units)))


def _company(context: Context, state: State, chosen: tuple[Unit, ...], rest: tuple[Unit, ...]) -> Iterator[LazyBranch]:
    """Into a hex together, or one more of those that stand behind them in the force, within the limits of a stack."""
    if len(chosen) > 1:
        yield from (partial(_hex_branch, context, chosen, hex) for hex in _targets(context, state, chosen))
    for index, unit in enumerate(rest, start=1):
        more, later = (*chosen, unit), rest[index:]
        if may_stack(context, state, more) and next(_company(context, state, more, later), None) is not None:
            yield partial(_one_more_branch, context, state, more, later)


def _one_more_branch(
    context: Context, state: State, chosen: tuple[Unit, ...], rest: tuple[Unit, ...]
) -> Branch[Action]:
    unit = chosen[-1]
    label = f"{context.card(unit).name} {unit.id}"
    return Branch(unit.id, "unit", label, Menu(partial(_company, context, state, chosen, rest)), unit.id)


def _party_branch(context: Context, state: State, some: tuple[Unit, ...]) -> Branch[Action]:
    key = "+".join(unit.id for unit in some)
    label = " + ".join(f"{context.card(unit).name} {unit.id}" for unit in some)
    return Branch(key, "stack", label, _target_choice(context, state, some), some[0].id)


def _targets(context: Context, state: State, units: tuple[Unit, ...]) -> list[Hex]:
    """The hexes that units of one hex, or off board, may advance into: :func:`refuse_advance_into` for all at once."""
    start, side = units[0].hex, units[0].side
    if start is None:
        gates = sorted(context.entry(state, units[0].force))
        return [hex for hex in gates if refuse_advance_into(context, state, units, hex) is None]
    ways = ways_out(context, start)
    if is_exhausted(units):
        factors = allowance(context, state, units)
        most = min([factors[unit.id] for unit in units if unit.cx])
        ways = tuple([way for way in ways if way.halves < most])
    # An empty hex takes anybody alone.
    there: Container[Hex] | None = occupants(context, state) if len(units) == 1 else None
    found: list[Hex] = []
    for way in ways:
        if (there is not None and way.to not in there) or fits(context, state, way.to, side, units):
            found.append(way.to)  # noqa: PERF401 - a loop is quicker than a comprehension over so few
    return found


def _has_target(context: Context, state: State, units: tuple[Unit, ...]) -> bool:
    """Whether there is a hex that units may advance into together."""
    return (
        _takes_all(context, state, units)
        or bool(_targets(context, state, units))
        or next(_exits(context, state, units), None) is not None
    )


def _is_beside_empty(context: Context, there: Container[Hex], unit: Unit) -> bool:
    """Whether a unit that is not exhausted stands next to an empty hex, into which it may advance."""
    if unit.hex is None or unit.cx:
        return False
    for way in ways_out(context, unit.hex):  # noqa: SIM110 - a loop is twice as quick as any() over so few
        if way.to not in there:
            return True
    return False


def _takes_all(context: Context, state: State, units: tuple[Unit, ...]) -> bool:
    """Whether an empty hex is adjacent, which takes any of a stack that are not exhausted."""
    start = units[0].hex
    if start is None or is_exhausted(units):
        return False
    there = occupants(context, state)
    for way in ways_out(context, start):
        if way.to not in there:
            return len(units) == 1 or fits(context, state, way.to, units[0].side, units)
    return False


def _target_choice(context: Context, state: State, units: tuple[Unit, ...]) -> Node[Action]:
    if context.scenario.exits:
        return Menu(partial(_ways_on_or_off, context, state, units))
    return Spread(partial(_targets, context, state, units), partial(_hex_branch, context, units))


def _ways_on_or_off(context: Context, state: State, units: tuple[Unit, ...]) -> Iterator[LazyBranch]:
    yield from (partial(_hex_branch, context, units, hex) for hex in _targets(context, state, units))
    yield from (partial(_exit_branch, units, way) for way in _exits(context, state, units))


def _exits(context: Context, state: State, units: tuple[Unit, ...]) -> Iterator[int]:
    """The directions in which units may leave the map."""
    if context.scenario.exits and units[0].hex is not None:
        yield from (way for way in range(6) if refuse_advance_off(context, state, units, way) is None)


def _exit_branch(units: tuple[Unit, ...], way: int) -> Branch[Action]:
    action: Action = Exit(tuple(unit.id for unit in units), way)
    name = DIRECTION_NAMES[way]
    return Branch(f"exit {name}", "order", f"Leave the map {name}", Leaf(action))


def _hex_branch(context: Context, units: tuple[Unit, ...], hex: Hex) -> Branch[Action]:
    label = context.label(hex)
    action: Action = Advance(tuple([unit.id for unit in units]), hex)
    return Branch(label, "hex", f"Into {label}", Leaf(action), label, is_hex=True)


def _weapon_ways(context: Context, state: State, frame: Advances) -> Iterator[LazyBranch]:
    for weapon, unit in transfers(context, state, frame.player):
        yield partial(transfer_branch, context, weapon, unit)
    for weapon in droppable(state, frame.player):
        yield partial(_drop_branch, context, weapon)


def _drop_branch(context: Context, weapon: Weapon) -> Branch[Action]:
    label = f"{weapon.owner} drops {context.weapon_title(weapon)}"
    return Branch(f"{weapon.id}!", "weapon", label, Leaf[Action](DropWeapon(weapon.id)), weapon.id)
