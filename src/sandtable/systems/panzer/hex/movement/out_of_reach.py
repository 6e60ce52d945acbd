"""4.5.1.1 Why a vehicle does not get to a hex in one move: what a player asks who presses one that is not offered."""

from __future__ import annotations

from sandtable.core.errors import BadInput, Refusal
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.movement.mover import Mover
from sandtable.systems.panzer.hex.movement.shared_ends import mover_among_sharers
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.unit import UnitId

__all__ = ["out_of_reach"]


def out_of_reach(context: Context, state: State, unit_id: str, ref: str, *, is_hex: bool) -> Refusal | None:
    """Why a vehicle does not get to a hex; one that is pressed while another moves stands for the hex that it is in."""
    unit = state.units.get(UnitId(unit_id))
    label = ref if is_hex else _place_of(context, state, ref)
    return _unreached(context, state, unit, label) if unit is not None and label else None


def _place_of(context: Context, state: State, name: str) -> str:
    unit = state.units.get(UnitId(name))
    return context.game_map.label(unit.hex) if unit is not None and unit.hex is not None else ""


def _unreached(context: Context, state: State, unit: Unit, label: str) -> Refusal | None:
    """Why a vehicle does not get to a hex in one move."""
    try:
        hex = context.game_map.hex(label)
    except BadInput:
        return None
    if unit.hex is None:
        return Refusal("4.5.1.1.9", f"{unit.id} enters through its entry hexes only", "choose one of them")
    mover = Mover(context, state, unit)
    if hex in mover.enemies:
        return Refusal("4.5.1.1.10", f"a move may not end in {label} with an opposing unit", "pass through it")
    ends = mover_among_sharers(context, state, unit).ends
    if ends is not None and hex not in ends:
        reason = f"{unit.id} shares its command, and {label} is too far from where those who share it end"
        return Refusal("6.2.1.1.4", reason, "an end within Command Range of all of them")
    if hex in mover.closed:
        return Refusal(mover.closed[hex], f"terrain counters bar {label} to {unit.id}", "choose a hex without them")
    barred = _barred_all_round(mover, hex)
    if barred is not None:
        return barred
    cross_country, path, road = mover.allowances()
    reason = f"{label} is out of reach of {unit.id}: it may spend {cross_country}, {path} on paths or {road} on roads"
    return Refusal("4.5.1.1.1", reason, "choose a nearer hex")


def _barred_all_round(mover: Mover, hex: Hex) -> Refusal | None:
    """The reason, if no neighbour leads into the hex."""
    refusals = []
    for direction, neighbour in enumerate(NEIGHBOURS[hex]):
        if neighbour in mover.rules.ground.map.hexes:
            step = mover.table.explained(neighbour, (direction + 3) % 6)
            if not isinstance(step, Refusal):
                return None
            refusals.append(step)
    return refusals[0] if refusals else None
