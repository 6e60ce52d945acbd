"""A list of units, each with a marker to put on it or not: the answers of the questions of this chapter."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sandtable.core.decision import Assign, Node, Slot
from sandtable.core.errors import Refusal
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.handler import Action
from sandtable.systems.goss.pieces.unit import Unit, UnitId

__all__ = ["NO", "marker_slots", "marks", "unlisted"]

NO = "no"


def marker_slots(
    context: Context, units: Sequence[Unit], marker: str, has: Callable[[Unit], bool], otherwise: str = ""
) -> list[Slot]:
    """A slot for each unit: the marker, or none (``otherwise`` in words); it stands at what the unit has."""
    return [
        Slot(
            unit.id,
            "order",
            context.card(unit).title,
            (NO, marker),
            words=(otherwise or f"no {marker}", marker),
            plain=marker if has(unit) else NO,
            group=context.formation(context.formation_of(unit)).title,
        )
        for unit in units
    ]


def marks(
    context: Context,
    units: Sequence[Unit],
    marker: str,
    has: Callable[[Unit], bool],
    build: Callable[[tuple[UnitId, ...]], Action],
) -> Node[Action]:
    """Which of the units have the marker."""

    def chosen(values: tuple[str, ...]) -> Action:
        return build(tuple(unit.id for unit, value in zip(units, values, strict=True) if value == marker))

    return Assign(marker_slots(context, units, marker, has), chosen)


def unlisted(ids: Sequence[UnitId], units: Sequence[Unit], refusal: Refusal) -> Refusal | None:
    """The refusal of what is not a choice among the units, each named once."""
    known = {unit.id for unit in units}
    return None if len(set(ids)) == len(ids) and known.issuperset(ids) else refusal
