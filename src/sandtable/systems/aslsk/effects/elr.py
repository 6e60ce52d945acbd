"""5.1 Experience Level Rating: an unbroken unit that fails a Morale Check by too much is replaced by a lesser one."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.pieces.cards import UnitKind
from sandtable.systems.aslsk.pieces.state import Unit, UnitId

__all__ = ["is_elr_immune", "replace_by_elr"]


@rule("5.1")
def is_elr_immune(context: Context, unit: Unit) -> bool:
    """Crews and MMC with underlined morale, printed or by SSR, are not subject to ELR (5.1)."""
    card = context.card(unit)
    return card.elr_immune or card.kind is UnitKind.CREW or card.id in context.scenario.conditions.elr_immune


@rule("5.1")
def replace_by_elr(context: Context, play: Play, unit_id: UnitId, failed_by: int) -> None:
    """Replace a unit that has failed by more than its ELR, if there is a lower quality of it (5.1)."""
    unit = play.state.units[unit_id]
    if failed_by <= context.scenario.elr(unit) or is_elr_immune(context, unit):
        return
    lower = context.card(unit).replacement
    if lower:
        play.emit(ev.UnitReplaced(unit_id, lower))
