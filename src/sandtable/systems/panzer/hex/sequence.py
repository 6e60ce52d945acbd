"""4.0 Sequence of Play: the phases of a turn, and the questions that there are in them."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.core.codec import digest
from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.core.errors import RulesBug
from sandtable.systems.panzer.combat.wreck_smoke import smoke_takes_effect
from sandtable.systems.panzer.command.initiative import ChooseFirstHandler, roll_initiative
from sandtable.systems.panzer.frames import ChooseFirst, DirectFire, Movement, PlacingCommands
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.adjustment import adjustment_phase
from sandtable.systems.panzer.hex.combat.attack import AspectChoiceHandler, AttackHandler, CommandRevealHandler
from sandtable.systems.panzer.hex.combat.direct_fire import DirectFireHandler
from sandtable.systems.panzer.hex.combat.overwatch import OverwatchHandler
from sandtable.systems.panzer.hex.command.commands import PlacingCommandsHandler
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.handler import Play
from sandtable.systems.panzer.hex.movement.moving import MovementHandler, MovingHandler
from sandtable.systems.panzer.hex.spotting.spotting import determine_spotting, extraneous
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.unit import Spot

__all__ = ["HANDLERS", "next_phase"]

HANDLERS = (
    PlacingCommandsHandler,
    ChooseFirstHandler,
    DirectFireHandler,
    AttackHandler,
    CommandRevealHandler,
    AspectChoiceHandler,
    OverwatchHandler,
    MovementHandler,
    MovingHandler,
)
"""All about every question, in the order of the Sequence of Play."""


@rule("4.0")
def next_phase(context: Context, play: Play) -> None:
    """The phase after the present one; Spotting opens a turn (4.0)."""
    state = play.state
    if state.phase is Phase.ADJUSTMENT:
        _spotting_phase(context, play)
        play.emit(ev.PhaseBegan(Phase.COMMAND))
        play.emit(ev.Opened(PlacingCommands(context.scenario.seats)))
    elif state.phase is Phase.COMMAND:
        play.emit(ev.PhaseBegan(Phase.INITIATIVE))
        tie = context.scenario.draft.conditions.initiative_tie
        play.emit(ev.Opened(ChooseFirst(roll_initiative(play, context.scenario.seats, tie))))
    elif state.phase is Phase.INITIATIVE:
        play.emit(ev.PhaseBegan(Phase.COMBAT))
        play.emit(ev.Opened(DirectFire(Seat(state.first), first=True)))
    elif state.phase is Phase.COMBAT:
        smoke_takes_effect(play)
        play.emit(ev.PhaseBegan(Phase.MOVEMENT))
        play.emit(ev.Opened(Movement(context.other(state.first), first=False)))
    elif state.phase is Phase.MOVEMENT:
        play.emit(ev.PhaseBegan(Phase.ADJUSTMENT))
        adjustment_phase(context, play)
    else:
        raise RulesBug(f"nothing follows {state.phase}")


@rule("4.1", "4.1.5")
def _spotting_phase(context: Context, play: Play) -> None:
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
