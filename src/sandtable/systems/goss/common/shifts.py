"""11.6.1 Artillery shifts: two at most on a unit, shared by a stack."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.facts import ReserveSpent, Shifted
from sandtable.systems.goss.common.fog import owner_if_hidden
from sandtable.systems.goss.common.handler import Play
from sandtable.systems.goss.pieces.unit import UnitId

__all__ = ["shake", "share_shifts"]

_MOST = 2


@rule("11.6.1")
def shake(play: Play, context: Context, units: Iterable[UnitId], shifts: int) -> None:
    """Units suffer AS hits: two at most are on any of them, and none stays in Combat Reserve (11.6.1)."""
    for one in units:
        unit = play.state.units[one]
        if unit.hex is None:
            continue
        owner = owner_if_hidden(context, play.state, one)
        now = min(_MOST, unit.shifts + shifts)
        if now != unit.shifts:
            play.emit(Shifted(one, now, owner=owner))
        if shifts and unit.in_reserve:
            play.emit(ReserveSpent((one,), owner=owner))


@rule("11.6.1")
def share_shifts(play: Play, context: Context, hex: Hex) -> None:
    """Who joins a shaken stack, or a stack that the shaken join, suffers as they do (11.6.1)."""
    stack = context.deployment(play.state).at(hex)
    most = max((unit.shifts for unit in stack), default=0)
    for unit in stack:
        shake(play, context, (unit.id,), most - unit.shifts)
