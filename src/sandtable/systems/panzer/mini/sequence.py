"""3.0 Basic Sequence of Play: the phases of a turn, and the questions that there are in them."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.core.errors import RulesBug
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
from sandtable.systems.panzer.sequence import Phase

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
    elif state.phase is Phase.ADJUSTMENT:
        spotting_phase(context, play)
    elif state.phase is Phase.SPOTTING:
        play.emit(ev.PhaseBegan(Phase.COMMAND))
        play.emit(Opened(PlacingCommands(context.scenario.seats)))
    elif state.phase is Phase.COMMAND:
        play.emit(ev.PhaseBegan(Phase.INITIATIVE))
        play.emit(Opened(ChooseFirst(initiative(context, play))))
    elif state.phase is Phase.INITIATIVE:
        play.emit(ev.PhaseBegan(Phase.COMBAT))
        play.emit(Opened(DirectFire(Seat(state.first), first=True)))
    elif state.phase is Phase.COMBAT:
        play.emit(ev.PhaseBegan(Phase.MOVEMENT))
        play.emit(Opened(Movement(context.other(state.first), first=False)))
    elif state.phase is Phase.MOVEMENT:
        play.emit(ev.PhaseBegan(Phase.ADJUSTMENT))
        _adjustment(context, play)
    else:
        raise RulesBug(f"nothing follows {state.phase}")


@rule("3.6.1", "3.6.2", "10.0", editions=BOOK)
def _adjustment(context: Context, play: Play) -> None:
    """Pivots, then turrets, then the end of the turn (3.6)."""
    first = Seat(play.state.first)
    play.emit(Opened(EndingTurn()))
    play.emit(Opened(AdjustingTurrets((first, context.other(first)))))
    open_pivots(context, play)
