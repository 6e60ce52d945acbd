"""3.0 Basic Sequence of Play: the phases of a turn, and the questions that there are in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.core.frames import Opened
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.frames import ChooseFirst, DirectFire, Movement, PlacingCommands
from sandtable.systems.panzer.mini.adjustment.ending import EndingTurnHandler
from sandtable.systems.panzer.mini.adjustment.frames import AdjustingTurrets, EndingTurn
from sandtable.systems.panzer.mini.adjustment.pivots import PivotStepHandler, open_pivots
from sandtable.systems.panzer.mini.adjustment.turrets import AdjustingTurretsHandler
from sandtable.systems.panzer.mini.combat.direct_fire import DirectFireHandler
from sandtable.systems.panzer.mini.combat.overwatch import OverwatchHandler
from sandtable.systems.panzer.mini.combat.volley import AngleChoiceHandler, MiniCommandRevealHandler, VolleyHandler
from sandtable.systems.panzer.mini.command.initiative import MiniChooseFirstHandler, initiative
from sandtable.systems.panzer.mini.command.orders import PlacingOrdersHandler
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.handler import Play
from sandtable.systems.panzer.mini.movement.moving import MovementHandler, MovingHandler
from sandtable.systems.panzer.mini.objectives import initial_objectives
from sandtable.systems.panzer.mini.setup.handlers import ChoosingZoneHandler, DeployingHandler
from sandtable.systems.panzer.mini.spotting.phase import spotting_phase
from sandtable.systems.panzer.sequence import Phase, begin_next

__all__ = ["HANDLERS", "next_phase"]

BOOK = ("panzer-mini",)
HANDLERS = (
    ChoosingZoneHandler,
    DeployingHandler,
    PlacingOrdersHandler,
    MiniChooseFirstHandler,
    DirectFireHandler,
    VolleyHandler,
    MiniCommandRevealHandler,
    AngleChoiceHandler,
    OverwatchHandler,
    MovementHandler,
    MovingHandler,
    PivotStepHandler,
    AdjustingTurretsHandler,
    EndingTurnHandler,
)
"""All about every question, in the order of the Sequence of Play."""


@rule("3.0", "3.1", "3.2", "3.3", "3.4", "3.5", "3.6", "8.0", editions=BOOK)
def next_phase(context: Context, play: Play) -> None:
    """The phase after the present one; Spotting opens a turn (3.0)."""
    state = play.state
    if state.turn == 0:
        play.emit(ev.ObjectivesReviewed(initial_objectives(state, context.scenario, context.cards)))
        play.emit(ev.TurnBegan(1))
    else:
        begin_next(PHASES, state.phase, context, play)


def _spotting(context: Context, play: Play) -> bool:
    spotting_phase(context, play)
    return True


def _command(context: Context, play: Play) -> bool:
    play.emit(ev.PhaseBegan(Phase.COMMAND))
    play.emit(Opened(PlacingCommands(context.scenario.seats)))
    return True


def _initiative(context: Context, play: Play) -> bool:
    play.emit(ev.PhaseBegan(Phase.INITIATIVE))
    play.emit(Opened(ChooseFirst(initiative(context, play))))
    return True


def _combat(context: Context, play: Play) -> bool:  # noqa: ARG001 - every phase is given it
    play.emit(ev.PhaseBegan(Phase.COMBAT))
    play.emit(Opened(DirectFire(Seat(play.state.first), first=True)))
    return True


def _movement(context: Context, play: Play) -> bool:
    play.emit(ev.PhaseBegan(Phase.MOVEMENT))
    play.emit(Opened(Movement(context.other(play.state.first), first=False)))
    return True


@rule("3.6.1", "3.6.2", "10.0", editions=BOOK)
def _adjustment(context: Context, play: Play) -> bool:
    """Pivots, then turrets, then the end of the turn (3.6)."""
    play.emit(ev.PhaseBegan(Phase.ADJUSTMENT))
    first = Seat(play.state.first)
    play.emit(Opened(EndingTurn()))
    play.emit(Opened(AdjustingTurrets((first, context.other(first)))))
    open_pivots(context, play)
    return True


PHASES: Mapping[Phase, Callable[[Context, Play], bool]] = {
    Phase.SPOTTING: _spotting,
    Phase.COMMAND: _command,
    Phase.INITIATIVE: _initiative,
    Phase.COMBAT: _combat,
    Phase.MOVEMENT: _movement,
    Phase.ADJUSTMENT: _adjustment,
}
"""How each phase of a turn begins, in their order (3.0)."""
