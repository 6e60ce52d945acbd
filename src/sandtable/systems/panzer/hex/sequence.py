"""4.0 Sequence of Play: the phases of a turn, and the questions that there are in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from msgspec.structs import replace

from sandtable.core.codec import digest
from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.core.frames import Opened
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.combat.wreck_smoke import smoke_takes_effect
from sandtable.systems.panzer.command.initiative import ChooseFirstHandler, roll_graded_initiative, roll_initiative
from sandtable.systems.panzer.command.revealing import CommandRevealHandler
from sandtable.systems.panzer.edition import Module
from sandtable.systems.panzer.frames import ChooseFirst, Frame, IndirectFire, PlacingCommands, PlacingOrders
from sandtable.systems.panzer.hex.adjustment import adjustment_phase
from sandtable.systems.panzer.hex.adjustment_steps import (
    AdjustingCoverHandler,
    EndingTurnHandler,
    PivotingHandler,
    open_steps,
)
from sandtable.systems.panzer.hex.air.aa_fire import AntiAircraftHandler
from sandtable.systems.panzer.hex.air.air_phase import AirPhaseHandler, ArmingHandler, air_phase
from sandtable.systems.panzer.hex.air.flying import FlyingHandler
from sandtable.systems.panzer.hex.air.strike import AirStrikeHandler
from sandtable.systems.panzer.hex.combat.attack import AspectChoiceHandler, AttackHandler
from sandtable.systems.panzer.hex.combat.direct_fire import DirectFireHandler
from sandtable.systems.panzer.hex.combat.engagement import EngagementHandler
from sandtable.systems.panzer.hex.combat.engaging import EngagingHandler, direct_fire_step
from sandtable.systems.panzer.hex.combat.hit_choices import AngleChoiceHandler, SpreadingHandler
from sandtable.systems.panzer.hex.combat.overwatch import OverwatchHandler
from sandtable.systems.panzer.hex.command.commands import PlacingCommandsHandler
from sandtable.systems.panzer.hex.command.orders import PlacingOrdersHandler
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.fires.impact import ImpactHandler
from sandtable.systems.panzer.hex.fires.indirect_fire import IndirectFireHandler
from sandtable.systems.panzer.hex.fires.plotting import PlottingHandler
from sandtable.systems.panzer.hex.fires.responding import DangerCloseHandler, RespondingHandler
from sandtable.systems.panzer.hex.fires.sources import has_indirect_fire
from sandtable.systems.panzer.hex.handler import Play
from sandtable.systems.panzer.hex.movement.close_combat.announcing import CloseCombatHandler, first_step
from sandtable.systems.panzer.hex.movement.close_combat.attacks import CloseAttackHandler, PrimaryChoiceHandler
from sandtable.systems.panzer.hex.movement.close_combat.moving_in import MovingInHandler
from sandtable.systems.panzer.hex.movement.movement_step import MovementHandler
from sandtable.systems.panzer.hex.movement.moving import MovingHandler
from sandtable.systems.panzer.hex.movement.positions import PositionChoiceHandler
from sandtable.systems.panzer.hex.spotting.spotting import determine_spotting, extraneous
from sandtable.systems.panzer.sequence import Phase, begin_next
from sandtable.systems.panzer.unit import Grade, Spot

__all__ = ["HANDLERS", "next_phase", "placing"]

HANDLERS = (
    PlottingHandler,
    PlacingCommandsHandler,
    PlacingOrdersHandler,
    ChooseFirstHandler,
    IndirectFireHandler,
    RespondingHandler,
    DangerCloseHandler,
    ImpactHandler,
    DirectFireHandler,
    AttackHandler,
    CommandRevealHandler,
    AspectChoiceHandler,
    EngagingHandler,
    EngagementHandler,
    SpreadingHandler,
    AngleChoiceHandler,
    OverwatchHandler,
    CloseCombatHandler,
    CloseAttackHandler,
    PrimaryChoiceHandler,
    MovingInHandler,
    MovementHandler,
    MovingHandler,
    PositionChoiceHandler,
    PivotingHandler,
    AdjustingCoverHandler,
    EndingTurnHandler,
    ArmingHandler,
    AirPhaseHandler,
    FlyingHandler,
    AirStrikeHandler,
    AntiAircraftHandler,
)
"""All about every question, in the order of the Sequence of Play."""


@rule("4.0")
@rule("6.0", editions=("panzer-na",))
def next_phase(context: Context, play: Play) -> None:
    """The phase after the present one; Spotting opens a turn (4.0)."""
    begin_next(PHASES, play.state.phase, context, play)


@rule("4.1", "4.1.5")
def _spotting(context: Context, play: Play) -> bool:
    """New SPOT counters count, then it is settled who spots whom this turn (4.1)."""
    play.emit(ev.PhaseBegan(Phase.SPOTTING))
    state = play.state
    units = {
        unit_id: replace(unit, spot=unit.new_spot) if unit.new_spot is not Spot.NONE else unit
        for unit_id, unit in state.units.items()
    }
    standing = replace(state, units=units)
    spotted = determine_spotting(context, standing)
    play.emit(ev.SpottingDetermined(spotted, extraneous(standing, spotted), digest(spotted)))
    return True


def _command(context: Context, play: Play) -> bool:
    play.emit(ev.PhaseBegan(Phase.COMMAND))
    play.emit(Opened(placing(context)))
    return True


def placing(context: Context) -> Frame:
    """The question of the Command Phase: commands for all, or orders within those that formations have (4.2, 6.2)."""
    seats = context.scenario.seats
    return PlacingOrders(seats) if context.plays(Module.COMMAND_CONTROL) else PlacingCommands(seats)


def _initiative(context: Context, play: Play) -> bool:
    play.emit(ev.PhaseBegan(Phase.INITIATIVE))
    play.emit(Opened(ChooseFirst(_winner(context, play))))
    return True


def _winner(context: Context, play: Play) -> Seat:
    """The winner of the roll, with Force Grades in the Advanced Game (4.3, 6.3); Seasoned changes nothing."""
    tie = context.scenario.draft.conditions.initiative_tie
    if context.is_advanced:
        given = context.scenario.grades
        grades = {seat: given.get(seat, Grade.SEASONED) for seat in context.scenario.seats}
        return roll_graded_initiative(play, grades, context.tables["force_grade"], tie)
    return roll_initiative(play, context.scenario.seats, tie)


@rule("6.4", "6.7", editions=("panzer-na",))
def _air(phase: Phase, context: Context, play: Play) -> bool:  # noqa: ARG001 - every phase is given it
    """An Air Phase takes place if a force has aircraft (6.4, 6.7)."""
    flying = air_phase(play.state)
    if flying is not None:
        play.emit(ev.PhaseBegan(phase))
        play.emit(Opened(flying))
    return flying is not None


def _combat(context: Context, play: Play) -> bool:
    first = Seat(play.state.first)
    play.emit(ev.PhaseBegan(Phase.COMBAT))
    play.emit(Opened(direct_fire_step(context, first, first=True)))
    if context.plays(Module.INDIRECT_FIRE) and has_indirect_fire(context):
        play.emit(Opened(IndirectFire(first, first=True)))
    return True


def _movement(context: Context, play: Play) -> bool:
    smoke_takes_effect(play)
    play.emit(ev.PhaseBegan(Phase.MOVEMENT))
    play.emit(Opened(first_step(context, Seat(play.state.first))))
    return True


def _adjustment(context: Context, play: Play) -> bool:
    play.emit(ev.PhaseBegan(Phase.ADJUSTMENT))
    if context.is_advanced:
        open_steps(context, play)
    else:
        adjustment_phase(context, play)
    return True


PHASES: Mapping[Phase, Callable[[Context, Play], bool]] = {
    Phase.SPOTTING: _spotting,
    Phase.COMMAND: _command,
    Phase.INITIATIVE: _initiative,
    Phase.FIRST_AIR: partial(_air, Phase.FIRST_AIR),
    Phase.COMBAT: _combat,
    Phase.MOVEMENT: _movement,
    Phase.SECOND_AIR: partial(_air, Phase.SECOND_AIR),
    Phase.ADJUSTMENT: _adjustment,
}
"""How each phase of a turn begins, in their order, and whether it takes place (4.0)."""
