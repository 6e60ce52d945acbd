"""3.2.3 Casualty Reduction, wounds and elimination, and the loss of leaders that they bring about.

Leader losses are gathered while an attack is resolved and settled after it
(:mod:`sandtable.systems.aslsk.effects.morale`): the checks that they cause come "after resolving the initial attack".
"""

from __future__ import annotations

from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import roll_single
from sandtable.systems.aslsk.common.experience import leadership, morale_level
from sandtable.systems.aslsk.pieces.cards import UnitKind
from sandtable.systems.aslsk.pieces.state import Unit, UnitId

__all__ = ["LeaderLoss", "break_unit", "eliminate", "reduce_unit", "wound"]


class LeaderLoss(NamedTuple):
    """A leader who was eliminated or broke, as he was before (3.2.3)."""

    leader: UnitId
    side: Seat
    hex: Hex
    morale: int
    drm: int
    eliminated: bool


def _note(context: Context, unit: Unit, losses: list[LeaderLoss], *, eliminated: bool) -> None:
    if context.card(unit).is_leader and unit.hex is not None:
        level, drm = morale_level(context, unit), leadership(context, unit)
        losses.append(LeaderLoss(unit.id, unit.side, unit.hex, level, drm, eliminated))


def eliminate(
    context: Context, play: Play, unit_id: UnitId, losses: list[LeaderLoss], *, why: str, number: str = "3.2.3"
) -> None:
    """Take a unit out of the game; its weapons stay in the hex (3.2.3, 4.0)."""
    _note(context, play.state.units[unit_id], losses, eliminated=True)
    play.emit(ev.UnitEliminated(unit_id, why, number))


@rule("3.2.3")
def reduce_unit(
    context: Context,
    play: Play,
    unit_id: UnitId,
    losses: list[LeaderLoss],
    *,
    why: str = "casualty reduction",
    number: str = "3.2.3",
) -> bool:
    """Casualty Reduction: squad to half-squad, wound to a SMC, end of all else; whether it survives (3.2.3)."""
    unit = play.state.units[unit_id]
    card = context.card(unit)
    if card.kind is UnitKind.LEADER:
        return wound(context, play, unit_id, losses)
    if card.kind is UnitKind.SQUAD and card.half_squad:
        play.emit(ev.UnitReduced(unit_id, card.half_squad))
        return True
    eliminate(context, play, unit_id, losses, why=why, number=number)
    return False


@rule("3.2.3")
def wound(context: Context, play: Play, unit_id: UnitId, losses: list[LeaderLoss]) -> bool:
    """Wound severity dr of a SMC, +1 if wounded already; whether he survives (3.2.3)."""
    unit = play.state.units[unit_id]
    table = context.tables["wounds"]
    terms = (Modifier(1, "wounded already", "3.2.3"),) if unit.wounded else ()
    number = Breakdown("Wound severity drm", "3.2.3", terms)
    fatal = next((dr for dr in range(1, 7) if table.lookup(dr + number.total) == "eliminated"), 7)
    roll = roll_single(play, f"{unit_id} wound severity", (fatal - 1,))
    killed = roll >= fatal
    play.emit(ev.WoundRolled(unit_id, roll, number, killed))
    if killed:
        eliminate(context, play, unit_id, losses, why="wounds")
        return False
    if not unit.wounded:
        play.emit(ev.UnitWounded(unit_id))
    return True


def break_unit(context: Context, play: Play, unit_id: UnitId, losses: list[LeaderLoss]) -> None:
    """Turn an unbroken unit to its broken side, under DM (3.2.3)."""
    _note(context, play.state.units[unit_id], losses, eliminated=False)
    play.emit(ev.UnitBroke(unit_id))
