"""4.2, 14.1, 17.4.1f What befalls units in more than one chapter: they lose steps, tire, and leave their works."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.facts import (
    Depleted,
    StepsLost,
    StoodDown,
    SupplyBecame,
    Tired,
    UnitEliminated,
    WorksGone,
)
from sandtable.systems.goss.common.fog import owner_if_hidden
from sandtable.systems.goss.common.handler import Play
from sandtable.systems.goss.common.rest import is_resting
from sandtable.systems.goss.common.state import State, WorkHere
from sandtable.systems.goss.ground.cover import Work
from sandtable.systems.goss.pieces.steps import after_loss
from sandtable.systems.goss.pieces.unit import Box, Supply, Unit, UnitId

__all__ = [
    "MOST_FATIGUE",
    "abandon",
    "eliminate",
    "is_lasting",
    "living",
    "lose_step",
    "run_out",
    "stand_down",
    "tire",
]

MOST_FATIGUE = 2


def living(state: State, ids: Iterable[UnitId]) -> list[Unit]:
    """The units of these that are still on the map."""
    return [state.units[one] for one in ids if one in state.units and state.units[one].hex is not None]


@rule("4.2.2")
def eliminate(play: Play, units: Iterable[UnitId]) -> None:
    """Units are gone; whoever was isolated is kept apart from the others (4.2.2)."""
    for one in units:
        play.emit(UnitEliminated(one, Box.ISOLATED if play.state.units[one].is_isolated else Box.ELIMINATED))


@rule("4.2.1", "4.2.2", "17.6.0")
def lose_step(play: Play, context: Context, unit: UnitId) -> None:
    """Let a unit lose a step, or its last one (4.2.2); with a Fort its works are gone (17.6.0)."""
    found = play.state.units[unit]
    left = after_loss(context.card(found), found.steps)
    if left is None:
        eliminate(play, (unit,))
        if context.card(found).is_fort and found.hex is not None:
            play.emit(WorksGone(found.hex))
    else:
        play.emit(StepsLost(unit, left, owner=owner_if_hidden(context, play.state, unit)))


@rule("14.0", "14.1.0")
def tire(play: Play, context: Context, units: Iterable[UnitId], hits: int = 1) -> None:
    """Give units fatigue hits; two is the most that one can have (14.1.0)."""
    for unit in living(play.state, units):
        fatigue = min(MOST_FATIGUE, unit.fatigue + hits)
        if fatigue != unit.fatigue and not context.card(unit).is_fort:
            play.emit(Tired(unit.id, fatigue, owner=owner_if_hidden(context, play.state, unit.id)))


@rule("17.4.1f")
def is_lasting(state: State, work: WorkHere) -> bool:
    """Whether works last without a garrison: Forts, and improved positions in the ruins of a fortified area."""
    return work.kind is Work.FORT or work.hex in state.ruins


@rule("17.4.1f")
def abandon(play: Play, hex: Hex, side: Seat) -> None:
    """Fieldworks out of which fire or an assault has driven the last of a side are gone."""
    work = play.state.work_at(hex)
    is_left = work is not None and work.side == side and not play.state.on(hex)
    if work is not None and is_left and not is_lasting(play.state, work):
        play.emit(WorksGone(hex))


def run_out(play: Play, context: Context, unit: UnitId) -> None:
    """A unit has used up what it had on hand: it is out of supply, and guns are without ammunition (15.5.2, 15.6.0)."""
    found = play.state.units[unit]
    owner = owner_if_hidden(context, play.state, unit)
    play.emit(SupplyBecame(unit, Supply.OUT, owner=owner))
    if context.card(found).is_artillery and not found.is_depleted:
        play.emit(Depleted(unit, owner=owner))


@rule("5.2.5", "12.1.0", "13.12.1", "3.5.4")
def stand_down(play: Play, context: Context, side: Seat, units: Sequence[UnitId]) -> None:
    """Take attack designations back; a TA marker costs fatigue in a rest game turn (3.5.4b)."""
    marked = [unit for unit in living(play.state, units) if unit.is_attacking]
    if not marked:
        return
    play.emit(StoodDown(side, tuple(unit.id for unit in marked)))
    tire(play, context, [unit.id for unit in marked if unit.is_designated and is_resting(context, play.state, unit)])
