"""3.7 Advance Phase: the ATTACKER transfers weapons and moves units one hex, even in among the enemy.

A hex that would take all of a unit's MF exhausts it (CX), and one that is exhausted already may not enter such a hex.
A leader who advances with a unit gives it his MF bonus and carrying capacity, so units may advance together.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick
from sandtable.core.errors import Refusal, RulesBug
from sandtable.core.modifier import Breakdown
from sandtable.geo.hex import DIRECTION_NAMES, NEIGHBOURS, Hex
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Action, Advance, Done, DropWeapon, Exit, TransferWeapon
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.menu import LazyBranch, Menu, Spread
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.common.possession import (
    drop,
    droppable,
    owners,
    portage,
    refuse_drop,
    refuse_gun,
    refuse_load,
    refuse_transfer,
    transfer,
    transfers,
)
from sandtable.systems.aslsk.common.refusals import refuse_melee, refuse_off_map, refuse_overstack
from sandtable.systems.aslsk.common.stacking import fits, may_stack, occupants
from sandtable.systems.aslsk.common.vehicle_actions import ChangeCrew
from sandtable.systems.aslsk.common.vehicles_here import enemy_vehicles_at
from sandtable.systems.aslsk.effects.casualties import eliminate
from sandtable.systems.aslsk.movement.move_groups import MOST_SUBSETS, parts_of
from sandtable.systems.aslsk.movement.movement_costs import allowance, entry_cost, entry_halves, ways_out
from sandtable.systems.aslsk.movement.stepping import exit_counts, refuse_exit
from sandtable.systems.aslsk.phases.paatc import dares
from sandtable.systems.aslsk.phases.rally import transfer_branch
from sandtable.systems.aslsk.pieces.state import Advances, State, Unit, UnitId, Weapon, Whereabouts
from sandtable.systems.aslsk.vehicles.vehicle_events import VehicleLost
from sandtable.systems.aslsk.vehicles.vehicle_moving import change_crew, crew_branches, refuse_change_crew

__all__ = [
    "advance_options",
    "apply_advance_phase",
    "end_advance_phase",
    "has_advance",
    "refuse_advance_phase",
]

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
        if unit.id not in carried or _refuse_weapons(context, state, unit) is None:
            yield unit


def _refuse_weapons(context: Context, state: State, unit: Unit) -> Refusal | None:
    """Why a unit may not advance with what it possesses: a Gun, or as a SMC too much (4.0, 6.5)."""
    if context.cards.units[unit.card].is_leader:
        refusal = refuse_load(context, unit, portage(context, state, unit.id))
        if refusal is not None:
            return refusal
    return refuse_gun(context, state, unit)


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
    """The hexes that units of one hex, or off board, may advance into together: :func:`_refuse_hex` for all at once."""
    start, side = units[0].hex, units[0].side
    if start is None:
        gates = sorted(context.entry(state, units[0].force))
        return [hex for hex in gates if _refuse_hex(context, state, units, hex) is None]
    ways = ways_out(context, start)
    if _is_exhausted(units):
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
    if start is None or _is_exhausted(units):
        return False
    there = occupants(context, state)
    for way in ways_out(context, start):
        if way.to not in there:
            return len(units) == 1 or fits(context, state, way.to, units[0].side, units)
    return False


def _is_exhausted(units: tuple[Unit, ...]) -> bool:
    """Whether one of them is CX."""
    for unit in units:  # noqa: SIM110 - a loop is twice as quick as any() over so few
        if unit.cx:
            return True
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
        yield from (way for way in range(6) if _refuse_exit(context, state, units, way) is None)


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


@rule("3.7", "4.0")
def refuse_advance_phase(context: Context, state: State, frame: Advances, action: Action) -> Refusal | None:
    """Why an action is not allowed in the APh (3.7)."""
    match action:
        case Done():
            return None
        case TransferWeapon():
            return refuse_transfer(state, frame.player, action.weapon, action.to)
        case DropWeapon():
            return refuse_drop(state, frame.player, action.weapon)
        case ChangeCrew():
            return refuse_change_crew(context, state, frame.player, action)
        case Advance() | Exit():
            return _refuse_advance(context, state, frame, action)
        case _:
            return Refusal("3.7", f"{type(action).__name__} is no action of the APh", "advance, transfer or end it")


def _refuse_advance(context: Context, state: State, frame: Advances, action: Advance | Exit) -> Refusal | None:
    if not action.units or len(set(action.units)) != len(action.units):
        return Refusal("3.7", "no unit advances, or one is named twice", "name each once")
    units = []
    for unit_id in action.units:
        unit = state.units.get(unit_id)
        if unit is None or unit.side != frame.player or unit.place not in (Whereabouts.MAP, Whereabouts.OFF_BOARD):
            return Refusal("3.7", f"{unit_id!r} is no unit of {frame.player} in play", "name one of your own")
        refusal = _refuse_state(unit) or _refuse_weapons(context, state, unit)
        if refusal is not None:
            return refusal
        units.append(unit)
    if isinstance(action, Exit):
        return _refuse_exit(context, state, tuple(units), action.way)
    return _refuse_hex(context, state, tuple(units), action.hex)


def _refuse_state(unit: Unit) -> Refusal | None:
    if unit.broken:
        return Refusal("3.7", f"{unit.id} is broken", "only units in Good Order advance")
    if unit.melee:
        return refuse_melee(unit.id)
    if unit.pinned:
        return Refusal("3.7", f"{unit.id} is pinned and does not advance this player turn", "advance another")
    if unit.advanced:
        return Refusal("3.7", f"{unit.id} has advanced in this APh", "advance another")
    if unit.hazardous:
        return Refusal(
            "6.5", f"{unit.id} has manhandled a Gun and does not advance this player turn", "advance another"
        )
    return None


@rule("3.3", "3.7")
def _refuse_exit(context: Context, state: State, units: tuple[Unit, ...], way: int) -> Refusal | None:
    """Why units may not leave the map in the APh: where victory asks for it, as if into Open Ground (3.3, 3.7)."""
    start = units[0].hex
    if start is None or any(unit.hex != start for unit in units):
        return Refusal(
            "3.7", "units that leave together stand in the same hex of the map", "let them leave one after another"
        )
    refusal = refuse_exit(context, state, units[0].side, start, way)
    if refusal is not None or not any(unit.cx for unit in units):
        return refusal
    cost, factors = numbers_of(context).cost_halves["exit"], allowance(context, state, units)
    for unit in units:
        if unit.cx and cost >= factors[unit.id]:
            return Refusal("3.7", f"{unit.id} is CX, and leaving would take all its MF", "drop weapons")
    return None


@rule("3.3", "3.7")
def _refuse_hex(context: Context, state: State, units: tuple[Unit, ...], hex: Hex) -> Refusal | None:
    """Why units may not advance into a hex together: distance, stacking, or all their MF while CX (3.7)."""
    start = units[0].hex
    if len(units) > 1 and any(unit.hex != start for unit in units):
        return Refusal("3.7", "units that advance together start in the same hex", "advance them one after another")
    if hex not in context.game_map.hexes:
        return refuse_off_map("3.7")
    if start is None:
        if any(hex not in context.entry(state, unit.force) for unit in units):
            return Refusal(
                "3.3", f"{context.label(hex)} is no hex through which it enters", "name a hex where its group enters"
            )
    elif hex not in NEIGHBOURS[start]:
        return Refusal("3.7", f"{context.label(hex)} is not adjacent", "name a hex beside it")
    if not fits(context, state, hex, units[0].side, units):
        return refuse_overstack(context.label(hex))
    if not _is_exhausted(units):
        return None
    for unit, strained in _strained(context, state, units, hex):
        if strained and unit.cx:
            reason = f"{unit.id} is CX, and {context.label(hex)} would take all its MF"
            return Refusal("3.7", reason, "advance with a leader, or drop weapons")
    return None


@rule("3.7")
def _strained(context: Context, state: State, units: tuple[Unit, ...], hex: Hex) -> Iterator[tuple[Unit, bool]]:
    """Each unit, and whether the hex would take all its MF in the MPh; smoke costs nothing here (1.2.5, 3.7)."""
    clear = replace(state, smoke=()) if state.smoke else state
    cost = entry_halves(context, clear, units[0].hex, hex)
    factors = allowance(context, clear, units)
    for unit in units:
        yield unit, cost >= factors[unit.id]


def apply_advance_phase(context: Context, play: Play, frame: Advances, action: Action) -> None:  # noqa: ARG001
    """Transfer, drop or advance (3.7)."""
    match action:
        case TransferWeapon():
            transfer(play, action.weapon, action.to)
        case DropWeapon():
            drop(play, action.weapon)
        case ChangeCrew():
            change_crew(play, action)
        case Advance():
            _advance(context, play, action)
        case Exit():
            _exit(context, play, action)
        case _:
            raise RulesBug(f"{action!r} is no action of the APh")


@rule("3.7")
def _advance(context: Context, play: Play, action: Advance) -> None:
    """Units enter the hex; those whose MF it takes entirely become CX (3.7).

    Before an enemy AFV each MMC takes its PAATC and, if it passes, enters before the next one does.
    """
    state = play.state
    units = tuple([state.units[unit_id] for unit_id in action.units])
    tired = [unit.id for unit, strained in _strained(context, state, units, action.hex) if strained]
    clear = replace(state, smoke=()) if state.smoke else state
    cost = entry_cost(context, clear, units[0].hex, action.hex)
    if not enemy_vehicles_at(state, action.hex, units[0].side):
        _enter(play, action.units, action.hex, cost, tired)
        return
    for unit in sorted(units, key=lambda unit: context.card(unit).is_leader):
        if dares(context, play, unit.id):
            _enter(play, (unit.id,), action.hex, cost, tired)


def _enter(play: Play, units: tuple[UnitId, ...], hex: Hex, cost: Breakdown, tired: Sequence[UnitId]) -> None:
    play.emit(ev.UnitsAdvanced(units, hex, cost))
    if tired:
        exhausted = tuple([unit_id for unit_id in units if unit_id in tired])
        if exhausted:
            play.emit(ev.CounterExhausted(exhausted))


@rule("3.3", "3.7")
def _exit(context: Context, play: Play, action: Exit) -> None:
    """Units leave the map (3.3, 3.7)."""
    unit = play.state.units[action.units[0]]
    assert unit.hex is not None  # noqa: S101 - the action was checked
    counts = bool(exit_counts(context, play.state, unit.side, unit.hex))
    play.emit(ev.UnitsExited(action.units, unit.hex, action.way, counts))


@rule("3.3")
def end_advance_phase(context: Context, play: Play, player: str) -> None:
    """Units that were due this player turn and have not entered are eliminated (3.3)."""
    for unit in list(play.state.units.values()):
        if unit.side == player and unit.place is _OFF_BOARD:
            eliminate(context, play, unit.id, [], why="did not enter", number="3.3")
    for vehicle in list(play.state.vehicles.values()):
        if vehicle.side == player and vehicle.place is _OFF_BOARD:
            play.emit(VehicleLost(vehicle.id, "did not enter", "3.3"))
