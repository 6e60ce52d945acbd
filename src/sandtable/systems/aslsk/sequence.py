"""3.0 Sequence of Play: what happens of itself, up to the next question.

Every question is a frame on the stack. :func:`advance` looks at the top frame: if somebody has to decide, it stops;
otherwise it does what comes next and looks again. With an empty stack the phase says what comes next. Between steps
the things are settled that hold at any moment: DM next to the enemy, Melee, Control, victory at once.
"""

from __future__ import annotations

from collections.abc import Callable

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.core.errors import RulesBug
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.known import desperate_neighbours
from sandtable.systems.aslsk.common.stacking import changed_pieces
from sandtable.systems.aslsk.movement.move_choices import can_move
from sandtable.systems.aslsk.movement.moving import advance_moving
from sandtable.systems.aslsk.phases.advance import end_advance_phase, has_advance
from sandtable.systems.aslsk.phases.close_combat import advance_close_combat, combat_hexes, open_combat, release
from sandtable.systems.aslsk.phases.firing import begin_fire_phase, end_fire_phase, has_fire
from sandtable.systems.aslsk.phases.first_fire import hold_fire, may_be_asked
from sandtable.systems.aslsk.phases.rally import has_rally_step, lift_desperation
from sandtable.systems.aslsk.phases.rout import advance_routing, begin_rout_phase, fail_to_rout, has_rout
from sandtable.systems.aslsk.pieces.state import (
    Advances,
    CloseCombat,
    CloseCombats,
    FirePhase,
    FirstFire,
    Frame,
    MovementPhase,
    Moving,
    Phase,
    Rallying,
    RallyStep,
    Routing,
    RoutPhase,
    SettingUp,
    State,
    Unit,
    UnitId,
    Whereabouts,
)
from sandtable.systems.aslsk.setup import finish_set_up, needs_set_up
from sandtable.systems.aslsk.victory import gain_control, met_now, settle_end

__all__ = ["advance", "begin", "end_part"]

_ORDER = (
    Phase.RALLY,
    Phase.PREP_FIRE,
    Phase.MOVEMENT,
    Phase.DEFENSIVE_FIRE,
    Phase.ADVANCING_FIRE,
    Phase.ROUT,
    Phase.ADVANCE,
    Phase.CLOSE_COMBAT,
)
_STEPS = tuple(RallyStep)


def begin(context: Context, play: Play) -> None:
    """The set-up."""
    advance(context, play)


@rule("3.0")
def advance(context: Context, play: Play) -> None:
    """Do what needs no decision, in the order of the Sequence of Play (3.0)."""
    settled: dict[UnitId, Unit] | None = None
    while True:
        if play.state.units is not settled:
            _settle(context, play)
            settled = play.state.units
        if play.state.ended:
            return
        stack = play.state.stack
        if not stack:
            _next_phase(context, play)
        elif not _advance_frame(context, play, stack[-1]):
            return


def _unsettled(context: Context, state: State) -> set[Hex | None] | None:
    """Where something has changed since the last settled state that could call for anything, off board too.

    None if that cannot be told hex by hex.
    """
    before = context.memory.settled
    if before is None or before.smoke is not state.smoke or before.control is not state.control:
        return None
    hexes = set[Hex | None]()
    if before.units is state.units:
        return hexes
    if len(before.units) != len(state.units):
        return None
    for one, other in changed_pieces(before.units, state.units):
        if (
            one.hex != other.hex
            or one.broken is not other.broken
            or one.dm is not other.dm
            or one.melee is not other.melee
            or one.place is not other.place
            or one.card != other.card
            or one.reduced is not other.reduced
            or one.away is not other.away
        ):
            hexes.add(one.hex)
            hexes.add(other.hex)
    return hexes


def _settle(context: Context, play: Play) -> None:
    """What holds at any moment once both sides have set up."""
    if play.state.phase is Phase.SETUP or play.state.ended:
        return
    hexes = _unsettled(context, play.state)
    if hexes is None or hexes:
        _settle_changes(context, play, hexes)
    if not play.state.ended:
        context.memory.settled = play.state


def _settle_changes(context: Context, play: Play, hexes: set[Hex | None] | None) -> None:
    """Melee, DM next to the enemy, Control, and victory at once; ``hexes`` says where, if that is known."""
    state = play.state
    melee = False
    shaken = []
    for unit in state.units.values():
        if unit.melee:
            melee = True
        if unit.broken and not unit.dm and unit.hex is not None:
            near = hexes is None or unit.hex in hexes or not hexes.isdisjoint(NEIGHBOURS[unit.hex])
            if near:
                shaken.append(unit)
    if melee:
        for hex in tuple(release(context, state)):
            play.emit(ev.MeleeHeld(hex, ()))
    if shaken:
        desperate_neighbours(context, play, shaken)
    # Those who are released from a Melee may take Control of what they had not.
    if hexes is None or melee or not hexes.isdisjoint(context.scenario.places_at):
        gain_control(context, play)
    victory = met_now(context, play.state)
    if victory is not None:
        play.emit(ev.GameEnded(victory.title or f"{victory.side} meets the victory conditions", victory.side))


# --- phases -----------------------------------------------------------------------------------------------------


@rule("3.0", "3.9")
def _next_phase(context: Context, play: Play) -> None:
    """The phase after the present one; after the CCPh the other side becomes the ATTACKER (3.0, 3.9)."""
    state = play.state
    if state.phase is Phase.SETUP:
        _next_set_up(context, play)
        return
    _end_phase(context, play)
    if state.phase is not Phase.CLOSE_COMBAT:
        _begin_phase(context, play, _ORDER[_ORDER.index(state.phase) + 1])
        return
    if settle_end(context, play):
        return
    first = context.scenario.seats[0]
    other = context.other(state.attacker)
    play.emit(ev.TurnBegan(state.turn + (other == first), other))
    _begin_phase(context, play, Phase.RALLY)


@rule("1.3")
def _next_set_up(context: Context, play: Play) -> None:
    """The sides set up in the order of the scenario card, then the first player turn begins (1.3)."""
    for seat in context.scenario.set_up_order:
        if seat in play.state.set_up:
            continue
        play.emit(ev.Opened(SettingUp(seat)))
        if not needs_set_up(play.state, seat):
            finish_set_up(context, play, seat)
        return
    play.emit(ev.TurnBegan(1, context.scenario.seats[0]))
    _begin_phase(context, play, Phase.RALLY)


def _end_phase(context: Context, play: Play) -> None:
    state = play.state
    match state.phase:
        case Phase.PREP_FIRE | Phase.DEFENSIVE_FIRE | Phase.ADVANCING_FIRE:
            end_fire_phase(context, play)
        case Phase.ADVANCE:
            end_advance_phase(context, play, state.attacker)
        case _:
            pass
    play.emit(ev.PhaseEnded(state.phase))


def _begin_phase(context: Context, play: Play, phase: Phase) -> None:
    play.emit(ev.PhaseBegan(phase))
    _OPENERS[phase](context, play, play.state.attacker)


@rule("3.1")
def _rally_phase(context: Context, play: Play, attacker: Seat) -> None:  # noqa: ARG001
    """Reinforcements of the ATTACKER are set up off board, then the steps of the RPh follow (3.1 a)."""
    due = tuple(
        unit.id
        for unit in play.state.units.values()
        if unit.side == attacker and unit.place is Whereabouts.DUE_LATER and unit.turn <= play.state.turn
    )
    if due:
        play.emit(ev.ReinforcementsArrived(due))
    play.emit(ev.Opened(Rallying(attacker, _STEPS[0])))


@rule("3.2.5", "3.5")
def _attacker_fires(context: Context, play: Play, attacker: Seat) -> None:
    """The PFPh or AFPh: the ATTACKER fires (3.2.5, 3.5)."""
    begin_fire_phase(context, play)
    play.emit(ev.Opened(FirePhase(attacker)))


@rule("3.3", "3.3.1")
def _movement_phase(context: Context, play: Play, attacker: Seat) -> None:  # noqa: ARG001
    """CX counters of the ATTACKER go, then his units move (3.3, 3.3.1)."""
    tired = tuple(unit.id for unit in play.state.units.values() if unit.side == attacker and unit.cx)
    if tired:
        play.emit(ev.CounterExhausted(tired, cx=False))
    play.emit(ev.Opened(MovementPhase(attacker)))


@rule("3.4")
def _defensive_fire_phase(context: Context, play: Play, attacker: Seat) -> None:
    """The DFPh: the DEFENDER fires (3.4)."""
    begin_fire_phase(context, play)
    play.emit(ev.Opened(FirePhase(context.other(attacker))))


def _rout_phase(context: Context, play: Play, attacker: Seat) -> None:
    begin_rout_phase(context, play)
    play.emit(ev.Opened(RoutPhase(attacker)))


def _advance_phase(context: Context, play: Play, attacker: Seat) -> None:  # noqa: ARG001
    play.emit(ev.Opened(Advances(attacker)))


def _close_combat_phase(context: Context, play: Play, attacker: Seat) -> None:  # noqa: ARG001
    play.emit(ev.Opened(CloseCombats(attacker)))


_OPENERS: dict[Phase, Callable[[Context, Play, Seat], None]] = {
    Phase.RALLY: _rally_phase,
    Phase.PREP_FIRE: _attacker_fires,
    Phase.MOVEMENT: _movement_phase,
    Phase.DEFENSIVE_FIRE: _defensive_fire_phase,
    Phase.ADVANCING_FIRE: _attacker_fires,
    Phase.ROUT: _rout_phase,
    Phase.ADVANCE: _advance_phase,
    Phase.CLOSE_COMBAT: _close_combat_phase,
}


# --- frames -----------------------------------------------------------------------------------------------------


def _advance_frame(context: Context, play: Play, frame: Frame) -> bool:  # noqa: C901 - a question a case
    """Go on from the top frame by itself; False if somebody has to decide."""
    state = play.state
    match frame:
        case Moving():
            return advance_moving(context, play, frame)
        case FirstFire():
            if may_be_asked(context, state, frame):
                return False
            hold_fire(context, play, frame, None)
            return True
        case FirePhase():
            asked = has_fire(context, state, frame)
        case MovementPhase():
            asked = can_move(context, state, frame.player)
        case Rallying():
            return _advance_rally(context, play, frame)
        case SettingUp():
            return False
        case Routing():
            return advance_routing(context, play, frame)
        case CloseCombat():
            return advance_close_combat(context, play, frame)
        case CloseCombats():
            return _advance_combats(context, play, frame)
        case RoutPhase():
            asked = has_rout(context, state, frame)
        case Advances():
            asked = has_advance(context, state, frame)
        case _:
            raise RulesBug(f"no rule advances {frame!r}")
    if not asked:
        end_part(context, play, frame)
    return not asked


def _advance_rally(context: Context, play: Play, frame: Rallying) -> bool:
    if frame.step is RallyStep.DM_REMOVAL and frame.answered:
        end_part(context, play, frame)
        return True
    if has_rally_step(context, play.state, frame):
        return False
    end_part(context, play, frame)
    return True


def _advance_combats(context: Context, play: Play, frame: CloseCombats) -> bool:
    hexes = combat_hexes(context, play.state, frame)
    if len(hexes) > 1:
        return False
    if hexes:
        open_combat(context, play, frame, hexes[0])
    else:
        play.emit(ev.Closed())
    return True


def end_part(context: Context, play: Play, frame: Frame) -> None:
    """A side has no more to do in its part of a phase: the other side's part, the next step, or the end (3.0)."""
    match frame:
        case Rallying():
            _end_rally_step(context, play, frame)
        case RoutPhase():
            fail_to_rout(context, play, frame.player)
            if frame.player == play.state.attacker:
                play.emit(ev.Changed(RoutPhase(context.other(frame.player))))
            else:
                play.emit(ev.Closed())
        case SettingUp():
            finish_set_up(context, play, frame.seat)
        case _:
            play.emit(ev.Closed())


@rule("3.1")
def _end_rally_step(context: Context, play: Play, frame: Rallying) -> None:
    """ATTACKER first in every step, then the DEFENDER, then the next step (3.1)."""
    if frame.step is RallyStep.DM_REMOVAL:
        lift_desperation(context, play, frame)
    if not frame.defending:
        play.emit(ev.Changed(Rallying(context.other(frame.seat), frame.step, defending=True)))
        return
    following = _STEPS.index(frame.step) + 1
    if following == len(_STEPS):
        play.emit(ev.Closed())
    else:
        play.emit(ev.Changed(Rallying(play.state.attacker, _STEPS[following])))
