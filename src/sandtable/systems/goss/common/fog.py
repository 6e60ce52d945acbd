"""8.4.0 Which unit of a stack the enemy sees, and whose business the others are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.pieces.unit import Unit, UnitId

__all__ = ["first_of", "hidden_of", "is_hidden", "owner_if_hidden", "top_of"]


@rule("8.4.0")
def top_of(context: Context, stack: tuple[Unit, ...], tops: tuple[UnitId, ...]) -> Unit | None:
    """The unit that the enemy sees of a stack; none in works."""
    return first_of(context, [unit for unit in stack if not unit.in_works], tops)


def first_of(context: Context, units: Sequence[Unit], tops: tuple[UnitId, ...]) -> Unit | None:
    """The unit that lies on top of others: the owner's choice, else the first that is no HQ."""
    if tops:
        chosen = next((unit for unit in units if unit.id in tops), None)
        if chosen is not None:
            return chosen
    plain = next((unit for unit in units if not context.card(unit).is_headquarters), None)
    return plain or (units[0] if units else None)


def is_hidden(context: Context, state: State, unit: Unit) -> bool:
    """Whether a unit on the map lies where the enemy may not look (8.4.0, 8.4.4)."""
    if unit.hex is None or unit.id in state.shown:
        return False
    top = top_of(context, context.deployment(state).at(unit.hex), state.tops)
    return top is None or top.id != unit.id


def hidden_of(context: Context, state: State, units: Iterable[Unit]) -> tuple[UnitId, ...]:
    """Those of the units that lie where the enemy may not look: for facts that name several."""
    return tuple(unit.id for unit in units if is_hidden(context, state, unit))


def owner_if_hidden(context: Context, state: State, unit: UnitId) -> Seat:
    """Its owner if the enemy is not to hear of it; ``""`` if everybody sees it. For facts that name one unit."""
    found = state.units[unit]
    return found.side if is_hidden(context, state, found) else Seat("")
