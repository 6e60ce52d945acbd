"""Some units among several: a choice that several steps of an assault ask for (13.4-13.8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sandtable.core.decision import Assign, Judge, Slot
from sandtable.core.errors import Refusal
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.handler import Action
from sandtable.systems.goss.pieces.unit import UnitId

__all__ = ["not_among", "subset"]

_YES, _NO = "yes", "no"


def subset(
    context: Context,
    units: Sequence[UnitId],
    build: Callable[[tuple[UnitId, ...]], Action],
    judge: Callable[[tuple[UnitId, ...]], Refusal | None],
    *,
    plain: frozenset[UnitId] = frozenset(),
    early: Callable[[tuple[UnitId, ...], tuple[UnitId, ...]], Refusal | None] | None = None,
) -> Assign[Action]:
    """Some of the units, or none: yes or no for each, as a judge of the whole allows.

    ``early`` judges a choice that is half made, by who is in it and who is not: it spares the search.
    """
    slots = [
        Slot(unit, "unit", context.title(unit), (_YES, _NO), plain=_YES if unit in plain else _NO) for unit in units
    ]

    def chosen(values: tuple[str, ...], said: str = _YES) -> tuple[UnitId, ...]:
        return tuple(unit for unit, value in zip(units, values, strict=True) if value == said)

    def judged(values: tuple[str, ...]) -> Refusal | None:
        if "" not in values:
            return judge(chosen(values))
        return None if early is None else early(chosen(values), chosen(values, _NO))

    found: Judge = judged
    return Assign(slots, lambda values: build(chosen(values)), judge=found, is_foretold=True)


def not_among(units: Sequence[UnitId], chosen: Sequence[UnitId], number: str) -> Refusal | None:
    """The refusal of units that are not asked about, or not in their order."""
    if [unit for unit in units if unit in chosen] == list(chosen):
        return None
    return Refusal(number, "other units are asked about", f"some of {', '.join(units)}, each once")
