"""3.7 The Pre-AFV Advance/Attack Task Check, before a MMC enters an enemy AFV's hex or attacks one on the move."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import roll_dr
from sandtable.systems.aslsk.common.experience import is_inexperienced, leadership, morale_level
from sandtable.systems.aslsk.common.stacking import friends_at
from sandtable.systems.aslsk.effects.morale import helper_of, pin
from sandtable.systems.aslsk.pieces.cards import Nationality, Quality
from sandtable.systems.aslsk.pieces.state import State, Unit, UnitId

__all__ = ["dares", "paatc_number"]


@rule("3.7", "5.4")
def paatc_number(context: Context, state: State, unit: Unit) -> Breakdown:
    """The highest DR that passes: morale, a leader of the stack, poor troops, Italian 1st Line (3.7)."""
    card, table = context.card(unit), context.tables["paatc"]
    terms = []
    helper = helper_of(context, friends_at(context, state, unit.hex, unit.side), unit, ())
    if helper is not None and leadership(context, helper) < 0:
        terms.append(Modifier(-leadership(context, helper), f"leadership of {helper.id}", "3.7"))
    if is_inexperienced(context, state, unit):
        terms.append(Modifier(-table.number("inexperienced"), "Inexperienced", "3.7"))
    if card.nationality is Nationality.ITALIAN and card.quality is Quality.FIRST_LINE:
        terms.append(Modifier(-table.number("italian_first_line"), "Italian 1st Line", "3.7"))
    return Breakdown("PAATC", "3.7", tuple(terms), morale_level(context, unit), "morale")


@rule("3.7")
def dares(context: Context, play: Play, unit_id: UnitId) -> bool:
    """Whether a unit passes its PAATC: a leader need not take it, and failure pins (3.7)."""
    unit = play.state.units[unit_id]
    if context.card(unit).is_leader:
        return True
    number = paatc_number(context, play.state, unit)
    roll = roll_dr(play, f"{unit_id} PAATC", (number.total,))
    passed = roll.total <= number.total
    play.emit(ev.MoraleChecked(unit_id, "PAATC", roll.faces, number, passed))
    if not passed:
        pin(play, unit_id)
    return passed
