"""5.3 Field Promotions: an original 2 by a MMC in a self rally or close combat may bring forth a leader."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import roll_single
from sandtable.systems.aslsk.common.experience import morale_level
from sandtable.systems.aslsk.pieces.cards import CardId
from sandtable.systems.aslsk.pieces.state import Unit, UnitId

__all__ = ["create_leader"]

HIGH_MORALE = 8
LOW_MORALE = 6


@rule("5.3")
def creation_drm(context: Context, unit: Unit, columns_below: int) -> Breakdown:
    """The drm of the Leader Creation table for a base unit (5.3)."""
    table = context.tables["leader_creation_drm"]
    nationality = context.card(unit).nationality.value
    level = morale_level(context, unit)
    causes = [
        (nationality if nationality in table.axes[0].values else "", nationality.capitalize(), 1),
        ("morale_8_or_more" if level >= HIGH_MORALE else "", "Morale Level of 8 or more", 1),
        ("morale_6_or_less" if level <= LOW_MORALE else "", "Morale Level of 6 or less", 1),
        ("broken" if unit.broken else "", "base unit broken", 1),
        ("odds_column_under_1-1" if columns_below else "", "odds columns under 1-1", columns_below),
    ]
    terms = tuple(Modifier(table.number(key) * times, label, "5.3") for key, label, times in causes if key)
    return Breakdown("Leader Creation drm", "5.3", terms)


@rule("5.3")
def create_leader(context: Context, play: Play, unit: Unit, columns_below: int = 0) -> Unit | None:
    """Roll on the Leader Creation table for a base unit as it was at its original 2; the leader, if any (5.3)."""
    drm = creation_drm(context, unit, columns_below)
    table = context.tables["leader_creation"]
    # Results change after 1, 3, 5 and 6, whatever the drm shift them by.
    roll = roll_single(play, f"leader creation by {unit.id}", [cut - drm.total for cut in (1, 3, 5, 6)])
    name = str(table.lookup(roll + drm.total) or "")
    card = CardId(f"{context.card(unit).nationality.value}/{name}")
    leader = None
    if name and card in context.cards.units and unit.hex is not None:
        leader_id = UnitId(f"{unit.side}-L{play.state.created + 1}")
        leader = Unit(leader_id, unit.side, unit.force, card, unit.hex, melee=unit.melee)
    play.emit(ev.LeaderCreated(unit.id, roll, drm, leader))
    return leader
