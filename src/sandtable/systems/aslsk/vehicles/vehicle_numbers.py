"""1.1.1, 3.3.2: the numbers of the pack's charts for vehicles, read once and kept in the memory of the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sandtable.core.errors import BadInput, Fault
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.pieces.vehicle_cards import VehicleType

__all__ = ["ALL", "HALF", "NEVER", "VehicleNumbers", "vehicle_numbers"]

HALF, ALL, NEVER = -1, -2, -3
"""Terrain that costs half the MP allotment or all of it, and terrain that is never entered."""
_WORDS = {"half": HALF, "all": ALL, "never": NEVER}


class VehicleNumbers(NamedTuple):
    """What the charts say."""

    terrain: Mapping[tuple[str, VehicleType], int]
    """Halves of MP by terrain and vehicle, or one of the words above as a number."""
    costs: Mapping[str, int]
    """Other costs in halves of MP, and factors."""


def vehicle_numbers(context: Context) -> VehicleNumbers:
    """The numbers of the game's pack."""
    found: VehicleNumbers | None = context.memory.vehicle_numbers
    if found is None:
        found = context.memory.vehicle_numbers = _read(context)
    return found


def _read(context: Context) -> VehicleNumbers:
    chart, costs = context.tables["terrain_mp"], context.tables["mp_costs"]
    terrain = {}
    for name in chart.axes[0].values:
        for kind in VehicleType:
            cell = chart.lookup(name, kind.value)
            halves = cell if isinstance(cell, int) else _WORDS.get(str(cell))
            if halves is None:
                right = f"halves of MP, or one of {', '.join(_WORDS)}"
                raise BadInput([Fault(f"table {chart.name}", f"{name} is {cell!r}", right)])
            terrain[str(name), kind] = halves
    return VehicleNumbers(terrain, {str(key): costs.number(key) for key in costs.axes[0].values})
