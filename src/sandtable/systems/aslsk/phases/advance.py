"""3.7 Advance Phase: the ATTACKER transfers weapons and moves units one hex, even in among the enemy.

A hex that would take all of a unit's MF exhausts it (CX), and one that is exhausted already may not enter such a hex.
A leader who advances with a unit gives it his MF bonus and carrying capacity, so units may advance together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal, RulesBug
from sandtable.core.modifier import Breakdown
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Action, Advance, Done, DropWeapon, Exit, TransferWeapon
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.common.possession import (
    drop,
    portage,
    refuse_drop,
    refuse_gun,
    refuse_load,
    refuse_transfer,
    transfer,
)
from sandtable.systems.aslsk.common.refusals import refuse_melee, refuse_off_map, refuse_overstack
from sandtable.systems.aslsk.common.stacking import fits
from sandtable.systems.aslsk.common.vehicle_actions import ChangeCrew
from sandtable.systems.aslsk.common.vehicles_here import enemy_vehicles_at
from sandtable.systems.aslsk.effects.casualties import eliminate
from sandtable.systems.aslsk.movement.movement_costs import allowance, entry_cost, entry_halves
from sandtable.systems.aslsk.movement.stepping import exit_counts, refuse_exit
from sandtable.systems.aslsk.phases.paatc import dares
from sandtable.systems.aslsk.pieces.state import Advances, State, Unit, UnitId, Whereabouts
from sandtable.systems.aslsk.vehicles.vehicle_events import VehicleLost
from sandtable.systems.aslsk.vehicles.vehicle_moving import change_crew, refuse_change_crew

__all__ = [
    "apply_advance_phase",
    "end_advance_phase",
    "is_exhausted",
    "refuse_advance_into",
    "refuse_advance_off",
    "refuse_advance_phase",
    "refuse_laden",
]

_OFF_BOARD = Whereabouts.OFF_BOARD
"""A name is looked up quicker than a member of an enum."""


def refuse_laden(context: Context, state: State, unit: Unit) -> Refusal | None:
    """Why a unit may not advance with what it possesses: a Gun, or as a SMC too much (4.0, 6.5)."""
    if context.cards.units[unit.card].is_leader:
        refusal = refuse_load(context, unit, portage(context, state, unit.id))
        if refusal is not None:
            return refusal
    return refuse_gun(context, state, unit)


def is_exhausted(units: tuple[Unit, ...]) -> bool:
    """Whether one of them is CX."""
    for unit in units:  # noqa: SIM110 - a loop is twice as quick as any() over so few
        if unit.cx:
            return True
    return False


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
        refusal = _refuse_state(unit) or refuse_laden(context, state, unit)
        if refusal is not None:
            return refusal
        units.append(unit)
    if isinstance(action, Exit):
        return refuse_advance_off(context, state, tuple(units), action.way)
    return refuse_advance_into(context, state, tuple(units), action.hex)


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
def refuse_advance_off(context: Context, state: State, units: tuple[Unit, ...], way: int) -> Refusal | None:
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
def refuse_advance_into(context: Context, state: State, units: tuple[Unit, ...], hex: Hex) -> Refusal | None:
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
    if not is_exhausted(units):
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
