"""What the questions of situations have in common: units and hexes by their names, numbers with their reasons."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.core.content.questions import Answer
from sandtable.core.errors import BadInput, Fault
from sandtable.core.modifier import Breakdown
from sandtable.geo.hex import Hex
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.pieces.unit import Unit, UnitId

__all__ = ["hex_named", "number_told", "unit_named", "units_named"]


def unit_named(state: State, name: str, where: str) -> Unit:
    """A unit by formation and name."""
    unit = state.units.get(UnitId(name))
    if unit is None:
        raise BadInput([Fault(where, f"no unit {name!r}", "one that is set up, by formation and name")])
    return unit


def units_named(state: State, names: Iterable[str], where: str) -> tuple[Unit, ...]:
    """Units by their names, at least one."""
    found = tuple(unit_named(state, name, f"{where}[{index}]") for index, name in enumerate(names))
    if not found:
        raise BadInput([Fault(where, "nobody", "at least one unit")])
    return found


def hex_named(context: Context, label: str, where: str) -> Hex:
    """A hex of the map by its number."""
    try:
        return context.game_map.hex(label)
    except BadInput as bad:
        raise BadInput(Fault(where, fault.wrong, fault.right) for fault in bad.faults) from None


def number_told(breakdown: Breakdown) -> Answer:
    """A number with its reasons."""
    return {"total": breakdown.total, "terms": {term.label: term.value for term in breakdown.terms}}
