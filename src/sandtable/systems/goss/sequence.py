"""3.3 The Sequence of Play: from segment to segment, and the questions that there are in each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.systems.goss.assault.adjusting import AdjustingHandler
from sandtable.systems.goss.assault.advancing import AdvancingHandler
from sandtable.systems.goss.assault.declaring import AssaultsHandler, AttackersHandler, LineHandler
from sandtable.systems.goss.assault.leading import LeadsHandler, ReservesHandler
from sandtable.systems.goss.assault.removal import ShiftRemovalHandler
from sandtable.systems.goss.assault.resolving import AssaultHandler
from sandtable.systems.goss.assault.retreating import RetreatHandler
from sandtable.systems.goss.assault.status import DemolishingHandler, SparingHandler, StandOffHandler, StrandedHandler
from sandtable.systems.goss.assault.suffering import SufferingHandler
from sandtable.systems.goss.assault.taking import DiscretionHandler, LossesHandler, ReducingHandler, SettlingHandler
from sandtable.systems.goss.command.resting import RestingHandler
from sandtable.systems.goss.command.supplying import SupplyHandler, SurrenderHandler
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.facts import SegmentBegan, UsesCleared, WeatherCame, WorksGone
from sandtable.systems.goss.common.handler import Handler, Play, SegmentHandler
from sandtable.systems.goss.common.harm import is_lasting
from sandtable.systems.goss.fatigue.recovery import FatigueRecoveryHandler
from sandtable.systems.goss.modes.designation import DesignationHandler
from sandtable.systems.goss.modes.mode_phase import ModeHandler
from sandtable.systems.goss.modes.reserve import ReserveHandler
from sandtable.systems.goss.movement.entering import EntryHandler
from sandtable.systems.goss.movement.marching import NonRoadHandler, PreparedHandler, RoadHandler
from sandtable.systems.goss.movement.overstacked import OverstackedHandler
from sandtable.systems.goss.support.calling import AimingHandler, DefensiveHandler, OffensiveHandler
from sandtable.systems.goss.support.firing import LayingHandler, MissionHandler
from sandtable.systems.goss.support.occupying import OccupyingHandler
from sandtable.systems.goss.support.replenishing import ReplenishingHandler
from sandtable.systems.goss.support.struck import StruckHandler
from sandtable.systems.goss.turn.segments import Moment, Phase, Step
from sandtable.systems.goss.works.ruins import RuinHandler, take_ruins

__all__ = ["HANDLERS", "begin_segment", "end_phase"]

HANDLERS: tuple[type[Handler[Any]], ...] = (
    RestingHandler,
    SurrenderHandler,
    ModeHandler,
    RuinHandler,
    ReserveHandler,
    EntryHandler,
    RoadHandler,
    NonRoadHandler,
    PreparedHandler,
    OverstackedHandler,
    DesignationHandler,
    DefensiveHandler,
    OffensiveHandler,
    AimingHandler,
    LayingHandler,
    MissionHandler,
    StruckHandler,
    OccupyingHandler,
    AdjustingHandler,
    AssaultsHandler,
    AssaultHandler,
    LineHandler,
    AttackersHandler,
    StandOffHandler,
    SparingHandler,
    DemolishingHandler,
    StrandedHandler,
    LeadsHandler,
    ReservesHandler,
    SufferingHandler,
    ReducingHandler,
    LossesHandler,
    DiscretionHandler,
    SettlingHandler,
    RetreatHandler,
    AdvancingHandler,
    ShiftRemovalHandler,
    SupplyHandler,
    ReplenishingHandler,
    FatigueRecoveryHandler,
)
"""All about every question, in the order of the Sequence of Play."""


@rule("3.1.0", "3.3.0", "3.3.4", "19.1.0")
def begin_segment(context: Context, handlers: Mapping[Step, SegmentHandler[Any]], play: Play, at: Moment) -> None:
    """Begin a segment; one in which nobody has a choice passes by itself (3.3.0).

    In the first game turn those pass too that the scenario leaves out (3.1.0).
    """
    before = play.state.at
    take_ruins(context, play)
    if _phase(before) != _phase(at):
        end_phase(context, play)
    play.emit(SegmentBegan(at))
    if at.step is Step.WEATHER:
        play.emit(WeatherCame(context.scenario.weather[at.turn]))
    handler = handlers.get(at.step) if at.step is not None else None
    if handler is not None and not (at.turn == 0 and at.step in context.scenario.draft.rules.first_turn_without):
        handler.begin(play, Seat(at.player))


@rule("17.4.1f")
def end_phase(context: Context, play: Play) -> None:
    """What counts once a phase counts anew, and fieldworks that nobody holds are gone (17.4.1f)."""
    state = play.state
    if state.used:
        play.emit(UsesCleared())
    for work in state.works:
        if not is_lasting(state, work) and not context.deployment(state).held_by(work.hex, work.side):
            play.emit(WorksGone(work.hex))


def _phase(at: Moment) -> tuple[int, str, Phase | None]:
    segment = at.segment
    return at.turn, at.player, segment.phase if segment is not None else None
