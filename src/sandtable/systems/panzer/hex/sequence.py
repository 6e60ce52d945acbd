"""4.0 Sequence of Play: what happens of itself, up to the next question.

Every question is a frame on the stack. :func:`advance` looks at the top frame: if somebody has to decide, it stops;
otherwise it does what comes next and looks again. With an empty stack the phase says what comes next.
"""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.core.errors import RulesBug
from sandtable.core.ruleset import Resolution
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.adjustment import adjustment_phase
from sandtable.systems.panzer.hex.combat.fire import aspect_of, direct_firers, resolve_hit, resolve_shot
from sandtable.systems.panzer.hex.combat.overwatch import may_be_asked, skip_overwatch
from sandtable.systems.panzer.hex.command.initiative import roll_initiative
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.movement.moving import advance_moving, waiting_to_move
from sandtable.systems.panzer.hex.spotting.spotting import determine_spotting, extraneous
from sandtable.systems.panzer.hex.state import (
    MOVING_COMMANDS,
    Aspect,
    AspectChoice,
    Attack,
    ChooseFirst,
    CommandReveal,
    DirectFire,
    Movement,
    Moving,
    Overwatch,
    Phase,
    PlacingCommands,
    Spot,
    State,
)

__all__ = ["advance", "begin", "finish_shot"]

Play = Resolution[State, ev.Event]


def begin(context: Context, play: Play) -> None:
    """The first turn."""
    play.emit(ev.TurnBegan(1))
    advance(context, play)


@rule("4.0")
def advance(context: Context, play: Play) -> None:
    """Do what needs no decision, in the order of the Sequence of Play (4.0)."""
    while not play.state.ended:
        stack = play.state.stack
        if not stack:
            _next_phase(context, play)
        elif not _advance_frame(context, play, stack[-1]):
            return


def _next_phase(context: Context, play: Play) -> None:
    """The phase after the present one; Spotting opens a turn."""
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
        _smoke_takes_effect(play)
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
    play.emit(ev.SpottingDetermined(spotted, extraneous(standing, spotted)))


def _advance_frame(context: Context, play: Play, frame: object) -> bool:
    """Go on from the top frame by itself; False if somebody has to decide."""
    match frame:
        case PlacingCommands():
            if frame.waiting:
                return False
            play.emit(ev.Closed())
        case DirectFire():
            if direct_firers(context, play.state, frame):
                return False
            _next_fire_step(context, play, frame)
        case Attack():
            _advance_attack(context, play, frame)
        case Overwatch():
            if may_be_asked(context, play.state, frame):
                return False
            skip_overwatch(context, play, frame)
        case Movement():
            if waiting_to_move(play.state, frame.player):
                return False
            _next_movement_step(context, play, frame)
        case Moving():
            return advance_moving(context, play, frame)
        case ChooseFirst() | CommandReveal() | AspectChoice():
            return False
        case _:
            raise RulesBug(f"no rule advances {frame!r}")
    return True


def _smoke_takes_effect(play: Play) -> None:
    if any(wreck.fresh for wreck in play.state.wrecks):
        play.emit(ev.SmokeTookEffect())


def _next_fire_step(context: Context, play: Play, frame: DirectFire) -> None:
    """First Player, Second Player, then overwatch at all that fired (4.4.1, 4.4.2)."""
    _smoke_takes_effect(play)
    if frame.first:
        play.emit(ev.Changed(DirectFire(context.other(frame.player), first=False)))
        return
    fired = tuple(unit.id for unit in play.state.units.values() if unit.fired and unit.in_play)
    if fired:
        play.emit(ev.Changed(Overwatch(context.other(frame.player), fired)))
    else:
        play.emit(ev.Closed())


@rule("4.5", "4.5.1")
def _next_movement_step(context: Context, play: Play, frame: Movement) -> None:
    """The Second Player moves all his vehicles, then the First Player (4.5)."""
    _smoke_takes_effect(play)
    if frame.first:
        play.emit(ev.Closed())
    else:
        play.emit(ev.Changed(Movement(context.other(frame.player), first=True)))


def _advance_attack(context: Context, play: Play, frame: Attack) -> None:
    """The next thing in announced fire: the moving question, a shot, or the end (4.4.3.2)."""
    if not frame.shots:
        play.emit(ev.Closed())
        return
    target = play.state.units[frame.target]
    if not target.in_play:
        wasted = frame.shots[0].firer
        play.emit(ev.ShotWasted(wasted, frame.target))
        play.emit(ev.SpotMarked(wasted, Spot.FIRE))
        play.emit(ev.Changed(replace(frame, shots=frame.shots[1:])))
        return
    if frame.moving is None:
        if target.known:
            moving = target.command in MOVING_COMMANDS
            play.emit(ev.Changed(replace(frame, moving=moving)))
        else:
            play.emit(ev.Opened(CommandReveal(frame.target)))
        return
    firer = play.state.units[frame.shots[0].firer]
    if not resolve_shot(context, play, frame):
        play.emit(ev.Changed(replace(frame, shots=frame.shots[1:])))
        return
    aspect = aspect_of(firer, target)
    if aspect is Aspect.EITHER:
        play.emit(ev.Opened(AspectChoice(frame.target, firer.id)))
    else:
        finish_shot(context, play, frame, aspect)


def finish_shot(context: Context, play: Play, frame: Attack, aspect: Aspect) -> None:
    """Resolve a hit on the aspect and go on to the next shot."""
    resolve_hit(context, play, frame, aspect)
    play.emit(ev.Changed(replace(frame, shots=frame.shots[1:])))
