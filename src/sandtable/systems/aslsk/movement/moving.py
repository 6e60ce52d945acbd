"""3.3 Movement Phase: units and stacks move step by step, and the opponent may fire after every MF spent.

A move is announced as a list of steps and executed one at a time; after each, Residual FP attacks, then the DEFENDER
has his chance (3.3.3, 3.3.5). The opponent sees what was executed only. Those who draw fire and survive it are asked
anew, and so is a stack that was told to halt, which may then break up (3.3.1).
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Continue, Move
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.hidden import hidden_at, reveal, veiled
from sandtable.systems.aslsk.common.possession import drop, weapons_of
from sandtable.systems.aslsk.common.refusals import refuse_stranger
from sandtable.systems.aslsk.fire.residual import residual_attack
from sandtable.systems.aslsk.movement.move_groups import doublers, group_of, mover_of, present, progress_of
from sandtable.systems.aslsk.movement.move_steps import execute, finish_placing
from sandtable.systems.aslsk.movement.movement_costs import allowance
from sandtable.systems.aslsk.movement.mover import Mover
from sandtable.systems.aslsk.movement.stepping import MoveProgress, refuse_mover
from sandtable.systems.aslsk.pieces.state import (
    FirstFire,
    MoveGroup,
    MovementPhase,
    MoveStep,
    Moving,
    State,
    StepKind,
    Unit,
    Whereabouts,
)

__all__ = ["advance_moving", "continue_move", "refuse_continue", "refuse_start", "start_move"]

_ON_MAP, _OFF_BOARD, _ELIMINATED = Whereabouts.MAP, Whereabouts.OFF_BOARD, Whereabouts.ELIMINATED
"""Names are looked up quicker than members of enums."""
_INTO_HEXES = (StepKind.ENTER, StepKind.WOODS, StepKind.MANHANDLE)


# --- what is refused --------------------------------------------------------------------------------------------


@rule("3.3", "3.3.1")
def refuse_start(context: Context, state: State, frame: MovementPhase, action: Move) -> Refusal | None:
    """Why a unit or stack may not begin this move (3.3, 3.3.1)."""
    if not action.units or len(set(action.units)) != len(action.units):
        return Refusal("3.3.1", "no unit moves, or one is named twice", "name each once")
    units = []
    for unit_id in action.units:
        unit = state.units.get(unit_id)
        if unit is None or unit.side != frame.player:
            return refuse_stranger("3.3", unit_id, frame.player, where="")
        refusal = refuse_mover(unit)
        if refusal is not None:
            return refusal
        units.append(unit)
    if any((unit.hex, unit.place) != (units[0].hex, units[0].place) for unit in units):
        return Refusal("3.3.1", "a stack moves from one hex", "move them one after another")
    if not action.steps:
        return Refusal("3.3.1", "no MF are spent", "name at least one step")
    refusal = _refuse_double_time(units, action) or _refuse_drops(context, state, units, action)
    if refusal is not None:
        return refusal
    mover = Mover(
        context,
        state,
        tuple(units),
        assault=action.assault,
        double_time=doublers(action),
        dropped=action.drop,
    )
    return _refuse_steps(mover, MoveProgress(units[0].hex), action.steps, halt=action.halt)


@rule("3.3.1")
def _refuse_double_time(units: list[Unit], action: Move) -> Refusal | None:
    """Double Time: not with Assault Movement, not for the wounded, nor for those that were CX (3.3.1)."""
    names = {unit.id for unit in units}
    if not action.double_time:
        return (
            Refusal("3.3.1", "nobody rests, for nobody uses Double Time", "name nobody who rests")
            if action.resting
            else None
        )
    if action.assault:
        return Refusal("3.3.1", "Assault Movement and Double Time exclude each other", "choose one of the two")
    if len(set(action.resting)) != len(action.resting) or not names > set(action.resting):
        return Refusal(
            "3.3.1", "those that do not Double Time are some of the stack, not all", "name some of the stack"
        )
    for unit in units:
        if unit.id in action.resting:
            continue
        if unit.wounded:
            return Refusal(
                "3.2.3",
                f"{unit.id} is wounded and may not Double Time",
                "let the unit rest, or move without Double Time",
            )
        if unit.tired or unit.cx:
            return Refusal(
                "3.3.1",
                f"{unit.id} was CX and may not Double Time in this MPh",
                "let the unit rest, or move without Double Time",
            )
    return None


@rule("4.0")
def _refuse_drops(context: Context, state: State, units: list[Unit], action: Move) -> Refusal | None:
    """Weapons to drop before any MF is spent must be theirs, and on the map (4.0)."""
    owned = {weapon.id for unit in units for weapon in weapons_of(context, state, unit.id)}
    if len(set(action.drop)) != len(action.drop) or not owned.issuperset(action.drop):
        return Refusal("4.0", "a weapon to drop is not theirs, or is named twice", "name weapons of theirs, each once")
    if action.drop and units[0].place is Whereabouts.OFF_BOARD:
        return Refusal("4.0", "weapons are not dropped off board", "carry them onto the map")
    return None


def _refuse_steps(mover: Mover, now: MoveProgress, steps: Iterable[MoveStep], *, halt: bool) -> Refusal | None:
    for step in steps:
        after = mover.take(now, step)
        if isinstance(after, Refusal):
            return after
        if now.exited:
            return Refusal("3.3", "the units have left the map", "end the move with that")
        now = after
    if halt and now.exited:
        return Refusal("3.3", "the units have left the map", "there is nothing to decide anew")
    return None


@rule("3.3.1")
def refuse_continue(context: Context, state: State, frame: Moving, action: Continue) -> Refusal | None:
    """Why some of a stack may not go on like this (3.3.1)."""
    if action.path:
        return Refusal("3.6", "that is the path of a rout", "name steps")
    if not action.steps and action.halt:
        return Refusal("3.3.1", "units that end their MPh do not halt", "let them end it, or name steps")
    if not action.units:
        return Refusal("3.3.1", "name the units that go on", "name at least one") if action.steps else None
    if len(set(action.units)) != len(action.units):
        return Refusal("3.3.1", "a unit is named twice", "name each once")
    group = group_of(frame, action.units)
    if group is None:
        return Refusal("3.3.1", "these units are not all on the move together", "name units of one group")
    units = tuple(state.units[unit_id] for unit_id in action.units)
    others = tuple(state.units[unit_id] for unit_id in group.units if unit_id not in action.units)
    if not action.steps:
        if set(action.units) == set(frame.stack):
            return Refusal("3.3.1", "all would end their MPh", "name nobody to end it for all")
        return _refuse_leaving(context, state, frame, others, units)
    refusal = _refuse_leaving(context, state, frame, units, others)
    if refusal is not None:
        return refusal
    mover = mover_of(context, state, frame, units)
    return _refuse_steps(mover, progress_of(state, frame, group), action.steps, halt=action.halt)


@rule("3.3.1")
def _refuse_leaving(
    context: Context, state: State, frame: Moving, units: tuple[Unit, ...], left: tuple[Unit, ...]
) -> Refusal | None:
    """A leader does not leave a MMC behind that has used the bonus MF of moving with him (3.3.1)."""
    if not left or not any(context.card(unit).is_leader for unit in units):
        return None
    tired = [unit.id for unit in left if unit.cx]
    own = allowance(context, state, left, double_time=tired)
    for unit in left:
        if context.card(unit).is_mmc and frame.spent.get(unit.id, 0) > own[unit.id]:
            return Refusal("3.3.1", f"{unit.id} has used MF that it has only with its leader", "go on together")
    return None


# --- what happens -----------------------------------------------------------------------------------------------


@rule("3.3.1")
def start_move(context: Context, play: Play, frame: MovementPhase, action: Move) -> None:  # noqa: ARG001
    """Declare the move, Double Time and Assault Movement included, and set off (3.3.1)."""
    for weapon_id in action.drop:
        drop(play, weapon_id)
    doubling = doublers(action)
    if doubling:
        play.emit(ev.CounterExhausted(doubling))
    units = tuple([play.state.units[unit_id] for unit_id in action.units])
    play.emit(
        ev.Opened(
            Moving(
                stack=action.units,
                movers=action.units,
                plan=action.steps,
                allowance=allowance(context, play.state, units, double_time=doubling),
                assault=action.assault,
                double_time=action.double_time,
                start=units[0].hex,
                halt=action.halt,
            )
        )
    )


@rule("3.3.1")
def continue_move(context: Context, play: Play, frame: Moving, action: Continue) -> None:
    """Go on with a part of the stack, or end the MPh of some or all of it (3.3.1)."""
    if not action.units:
        _end(play, frame)
        return
    group = group_of(frame, action.units)
    assert group is not None  # noqa: S101 - the action was checked
    groups = [other for other in (present(frame), *frame.waiting) if other.units and other.units != group.units]
    rest = tuple(unit_id for unit_id in group.units if unit_id not in action.units)
    if not action.steps:
        play.emit(ev.MoveEnded(action.units))
        if rest:
            groups.insert(0, replace(group, units=rest))
        stack = tuple(unit_id for unit_id in frame.stack if unit_id not in action.units)
        play.emit(ev.Changed(_with_group(replace(frame, stack=stack), groups[0], tuple(groups[1:]))))
        return
    if rest:
        groups.append(replace(group, units=rest))
    units = tuple(play.state.units[unit_id] for unit_id in action.units)
    now = allowance(context, play.state, units, double_time=[unit.id for unit in units if unit.cx])
    factors = {unit_id: min(halves, frame.allowance[unit_id]) for unit_id, halves in now.items()}
    following = _with_group(frame, replace(group, units=action.units), tuple(groups))
    play.emit(
        ev.Changed(
            replace(
                following,
                plan=action.steps,
                allowance={**frame.allowance, **factors},
                interrupted=False,
                halt=action.halt,
            )
        )
    )


def _with_group(frame: Moving, group: MoveGroup, waiting: tuple[MoveGroup, ...]) -> Moving:
    return replace(
        frame,
        movers=group.units,
        here=group.here,
        via=group.via,
        open_road=group.open_road,
        road=group.road,
        shots=group.shots,
        residual_drm=group.residual_drm,
        hexes=group.hexes,
        trail=group.trail,
        waiting=waiting,
        plan=(),
        interrupted=True,
        halt=False,
    )


def _end(play: Play, frame: Moving) -> None:
    """The MPh of all that are left of the stack is over."""
    units = play.state.units
    left = tuple([unit_id for unit_id in frame.stack if units[unit_id].place is not _ELIMINATED])
    if left:
        play.emit(ev.MoveEnded(left))
    play.emit(ev.Closed())


@rule("3.3.1", "3.3.3", "3.3.5")
def advance_moving(context: Context, play: Play, frame: Moving) -> bool:
    """The next step, Residual FP, or the opponent's chance to fire; False if the owner decides (3.3.1, 3.3.3)."""
    if not frame.watched:
        _watch(context, play, frame)
        return True
    if frame.placing:
        finish_placing(context, play, frame)
        return True
    if _drop_out(play, frame):
        return True
    if not frame.movers:
        if not frame.waiting:
            _end(play, frame)
        else:
            play.emit(ev.Changed(_with_group(frame, frame.waiting[0], frame.waiting[1:])))
        return True
    if frame.plan and not frame.interrupted:
        return _step(context, play, frame)
    if not (frame.interrupted or frame.halt or frame.waiting):
        _end(play, frame)
        return True
    if not frame.interrupted:
        frame = replace(frame, interrupted=True, plan=())
        play.emit(ev.Changed(frame))
    if _can_go_on(context, play.state, frame):
        return False
    _end(play, frame)
    return True


def _step(context: Context, play: Play, frame: Moving) -> bool:
    """Execute the next step of the plan; a step that has become impossible brings the owner back."""
    units = tuple([play.state.units[unit_id] for unit_id in frame.movers])
    if _is_sent_back(context, play, frame, units[0].side):
        return True
    mover = mover_of(context, play.state, frame, units)
    now = progress_of(play.state, frame)
    after = mover.take(now, frame.plan[0])
    if isinstance(after, Refusal):
        play.emit(ev.Changed(replace(frame, plan=(), interrupted=True)))
    else:
        execute(context, play, frame, now, after)
    return True


@rule("6.4")
def _is_sent_back(context: Context, play: Play, frame: Moving, seat: str) -> bool:
    """Whoever would enter the hex of hidden enemies finds them, stays where he is and ends his MPh (6.4).

    The MF that he would have entered for are spent where he is: First Fire at them strikes him there.
    """
    if not context.scenario.hiders:
        return False
    to = frame.plan[0].to
    if to is None or frame.plan[0].kind not in _INTO_HEXES:
        return False
    found = hidden_at(context, play.state, to, seat)
    if not found:
        return False
    halves, here = _halves_in_vain(context, play.state, frame, seat), play.state.units[frame.movers[0]].hex
    reveal(context, play, [unit.id for unit in found], "an enemy tries to enter its hex")
    play.emit(ev.MoveEnded(frame.movers))
    trail = (*frame.trail, (here, halves)) if play.state.vehicles and here is not None else ()
    frame = replace(frame, plan=(), interrupted=True, here=frame.here + halves, trail=trail, watched=here is None)
    play.emit(ev.Changed(frame))
    return True


def _halves_in_vain(context: Context, state: State, frame: Moving, seat: str) -> int:
    """Halves of MF that the next step takes, as far as the mover knows who is there."""
    state = veiled(context, state, seat)
    mover = mover_of(context, state, frame, tuple(state.units[unit_id] for unit_id in frame.movers))
    now = progress_of(state, frame)
    after = mover.take(now, frame.plan[0])
    return after.spent - now.spent if isinstance(after, MoveProgress) else 0


@rule("3.3.3", "3.3.5")
def _watch(context: Context, play: Play, frame: Moving) -> None:
    """Residual FP is the first attack on those who have spent MF, then the DEFENDER may fire (3.3.3, 3.3.5)."""
    frame = replace(frame, watched=True)
    play.emit(ev.Changed(frame))
    if residual_attack(context, play, frame):
        moving = play.state.stack[-1]
        assert isinstance(moving, Moving)  # noqa: S101 - an attack opens no question
        frame = replace(moving, interrupted=True)
        play.emit(ev.Changed(frame))
    units = play.state.units
    movers = tuple([unit_id for unit_id in frame.movers if units[unit_id].place is _ON_MAP])
    hex = units[movers[0]].hex if movers else None
    if hex is not None:
        asked = context.other(play.state.attacker)
        play.emit(ev.Opened(FirstFire(asked, movers, hex)))


def _drop_out(play: Play, frame: Moving) -> bool:
    """End the MPh of movers that were lost, broken or pinned; whether there were any (3.2.3, 3.3.3)."""
    units = play.state.units
    for unit_id in frame.movers:
        if not _goes_on(units[unit_id]):
            break
    else:
        return False
    out = [unit_id for unit_id in frame.movers if not _goes_on(units[unit_id])]
    ended = tuple(unit_id for unit_id in out if units[unit_id].place is Whereabouts.MAP and not units[unit_id].moved)
    if ended:
        play.emit(ev.MoveEnded(ended))
    movers = tuple(unit_id for unit_id in frame.movers if unit_id not in out)
    stack = tuple(unit_id for unit_id in frame.stack if unit_id not in out)
    if stack:
        play.emit(ev.Changed(replace(frame, movers=movers, stack=stack)))
    else:
        play.emit(ev.Closed())
    return True


def _goes_on(unit: Unit) -> bool:
    return (
        (unit.place is _ON_MAP or unit.place is _OFF_BOARD) and not unit.broken and not unit.pinned and not unit.moved
    )


def _can_go_on(context: Context, state: State, frame: Moving) -> bool:
    """Whether any of the stack may still spend MF, for all that its owner knows."""
    state = veiled(context, state, state.attacker)
    for group in (present(frame), *frame.waiting):
        for units in _ways_to_part(state, group):
            mover = mover_of(context, state, frame, units)
            now = progress_of(state, frame, group)
            if mover.first_step(now) is None:
                continue
            named = {unit.id for unit in units}
            left = tuple(state.units[unit_id] for unit_id in group.units if unit_id not in named)
            if _refuse_leaving(context, state, frame, units, left) is None:
                return True
    return False


def _ways_to_part(state: State, group: MoveGroup) -> list[tuple[Unit, ...]]:
    whole = tuple(state.units[unit_id] for unit_id in group.units)
    return [whole] if len(whole) == 1 else [whole, *((unit,) for unit in whole)]
