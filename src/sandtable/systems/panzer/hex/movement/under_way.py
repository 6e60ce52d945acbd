"""4.5.1.1 A unit under way: thing by thing, with a chance of overwatch fire after each, to the end of its move."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.frames import Changed, Closed, Opened
from sandtable.geo.hex import Hex
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.combat.hazards import quickmarch_number
from sandtable.systems.panzer.command.sharing import holder_of, reveal
from sandtable.systems.panzer.edition import Module
from sandtable.systems.panzer.features import FeatureKind
from sandtable.systems.panzer.frames import Overwatch, PositionChoice
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.actions import (
    March,
    Move,
    Overrun,
)
from sandtable.systems.panzer.hex.combat.overwatch import face_down, may_be_fired_on
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.features import features_in
from sandtable.systems.panzer.hex.fires.impact import under_barrages
from sandtable.systems.panzer.hex.handler import Play
from sandtable.systems.panzer.hex.movement.boarding import may_board
from sandtable.systems.panzer.hex.movement.columns import column_of
from sandtable.systems.panzer.hex.movement.indoors import breaks_wall, through_wall
from sandtable.systems.panzer.hex.movement.movement_told import explain_step, explain_turn
from sandtable.systems.panzer.hex.movement.mover import Mover
from sandtable.systems.panzer.hex.movement.overrunning import (
    overrun_on,
    overrun_onward,
    throw_back,
)
from sandtable.systems.panzer.hex.movement.positions import (
    leave_full_cover,
    leave_position,
    take_position,
)
from sandtable.systems.panzer.hex.movement.transporting import bail_outs
from sandtable.systems.panzer.hex.progress import MoveProgress, Rate, damaged_on_the_way, rates, spent_at
from sandtable.systems.panzer.hex.spotting.dust import dust_of
from sandtable.systems.panzer.hex.state import LegKind, Moving, State, Unit
from sandtable.systems.panzer.movement.speed import Gait
from sandtable.systems.panzer.percentile import D100
from sandtable.systems.panzer.unit import Spot, UnitId

__all__ = ["advance_moving", "start_move"]

_FORWARD, _REVERSE, _STAY = LegKind.FORWARD, LegKind.REVERSE, LegKind.STAY
_MARCH, _CRAWL, _QUICKMARCH, _CROSS_COUNTRY = Gait.MARCH, Gait.CRAWL, Gait.QUICKMARCH, Rate.CROSS_COUNTRY
"""Names are looked up quicker than members of enums."""


@rule("4.5.1", "4.5.1.1.8")
def start_move(context: Context, play: Play, action: Move | March | Overrun) -> None:
    """Turn the command over, mark SPOT/MOVE and set off; no legs is a no move move (4.5.1, 4.5.1.1.8)."""
    unit = play.state.units[action.unit]
    if context.scenario.roster:
        reveal(play, unit.id)
        order = column_of(context, play.state, unit)
        if order and holder_of(unit) not in play.state.columns:
            play.emit(ev.ColumnFormed(holder_of(unit), order))
        _break_cover(play, unit, action)
    elif not unit.known:
        play.emit(shared.CommandRevealed(unit.id, unit.command))
    entering = action if isinstance(action, Move) and action.enter is not None else None
    gait = action.gait if isinstance(action, March) else _MARCH
    mover = Mover(context, play.state, play.state.units[unit.id], gait)
    if unit.hex is None and entering is None:
        play.emit(shared.MoveEnded(unit.id))
        return
    progress = mover.start() if entering is None else _enter(play, mover, entering)
    if gait is _CRAWL:
        play.emit(shared.UnitCrawls(unit.id))
    else:
        play.emit(shared.SpotMarked(unit.id, Spot.MOVE))
    watched = bool(action.legs) and entering is None
    moving = Moving(unit.id, action.legs, progress, unit.damaged, watched, harm=mover.harm)
    if entering is not None and play.state.missions:
        struck = under_barrages(context, play, unit.id, progress.hex, ())
        moving = replace(moving, struck=struck)
    if isinstance(action, Overrun):
        moving = replace(moving, overrun=action.target)
    play.emit(Opened(moving))


@rule("6.1.4.2", "6.6.4.3", "6.6.9", editions=("panzer-na",))
def _break_cover(play: Play, unit: Unit, action: Move | March | Overrun) -> None:
    """Who moves leaves a position that he has found, and Full Cover unless he crawls (6.1.4.2, 6.6.4.3)."""
    leave_position(play, unit, moves=False)
    if action.legs and not (isinstance(action, March) and action.gait is Gait.CRAWL):
        leave_full_cover(play, unit)


def _enter(play: Play, mover: Mover, action: Move) -> MoveProgress:
    assert action.enter is not None  # noqa: S101 - the caller saw to it
    facing = action.facing if action.facing is not None else mover.unit.facing
    progress = mover.enter(action.enter, facing)
    assert progress is not None  # noqa: S101 - the move was checked
    cost = explain_step(mover, None, progress, _open_rate(progress))
    play.emit(ev.UnitEntered(action.unit, action.enter, facing, cost))
    _flatten_wire(play, action.enter)
    return progress


def _open_rate(progress: MoveProgress) -> Rate:
    """The best rate that the move so far may still have: what is left of the plan does not show in it (4.5.1.1.5)."""
    return progress.route_rate if progress.on_route and progress.entered else _CROSS_COUNTRY


def _end_move(context: Context, play: Play, frame: Moving) -> None:
    progress = frame.progress
    if frame.came_from is not None:
        throw_back(play, frame)
    rate = next(iter(rates(progress)), _CROSS_COUNTRY)
    play.emit(shared.MoveEnded(frame.unit, rate.value, spent_at(progress, rate), progress.allowance(rate)))
    if progress.gait is _QUICKMARCH and play.state.units[frame.unit].in_play:
        _after_quickmarch(context, play, frame.unit)
    improved = bool(play.state.features) and take_position(context, play, frame.unit, backing=progress.backing)
    if frame.trail:
        _raise_dust(context, play, frame)
    play.emit(Closed())
    if improved:
        play.emit(Opened(PositionChoice(frame.unit)))


@rule("6.1.4.3.12", editions=("panzer-na",))
def _raise_dust(context: Context, play: Play, frame: Moving) -> None:
    """A vehicle that has spent half of its allowance leaves Dust behind it (6.1.4.3.12)."""
    progress = frame.progress
    rate = next(iter(rates(progress)), _CROSS_COUNTRY)
    spent, allowance = spent_at(progress, rate), progress.allowance(rate)
    minimum = progress.entered == 1 and spent > allowance
    for dust in dust_of(context.ground_at(play.state), frame.trail, spent, allowance, minimum=minimum):
        play.emit(ev.FeaturePlaced(dust))


def _raises_dust(context: Context, mover: Mover) -> bool:
    vehicle = mover.facts is not None and mover.facts.unit_class is UnitClass.VEHICLE
    return vehicle and context.plays(Module.DUST) and context.scenario.draft.conditions.dust


@rule("6.6.4.2", editions=("panzer-na",))
def _after_quickmarch(context: Context, play: Play, unit: UnitId) -> None:
    """A roll (100) up to the number of its grade suppresses a unit that has quickmarched (6.6.4.2)."""
    number = quickmarch_number(context.tables["unit_grade"], context.grade(unit))
    roll = play.dice.roll(D100, f"quickmarch of {unit}").total
    play.emit(shared.QuickmarchRolled(unit, number, roll))
    if roll <= number:
        play.emit(shared.UnitSuppressed(unit, "6.6.4.2"))


@rule("4.5.1.1", "4.5.1.1.10")
def advance_moving(context: Context, play: Play, frame: Moving) -> bool:
    """What the vehicle does, thing by thing, until somebody may fire on it or its owner decides anew (4.5.1.1)."""
    unit = play.state.units[frame.unit]
    opponent = context.other(unit.side)
    mover = Mover(context, play.state, unit, frame.progress.gait)
    if unit.in_play and (mover.facts is not None or unit.damaged is not frame.damaged):
        frame = _harmed(play, mover, frame)
    # While it moves nobody else changes, so those who may fire on it are listed once.
    watchers = face_down(context, play.state, opponent)
    places = {one.hex for one in watchers}
    while play.state.units[unit.id].in_play:
        if frame.overrun and not frame.plan and _overruns_now(context, play, frame):
            return True
        if (
            not frame.watched
            and not _is_out_of_sight(context, places, frame.progress.hex)
            and may_be_fired_on(context, play.state, watchers, play.state.units[unit.id])
        ):
            play.emit(Changed(replace(frame, watched=True)))
            play.emit(Opened(Overwatch(opponent, (unit.id,))))
            return False
        if frame.interrupted:
            if not _may_go_on(context, play.state, mover, frame):
                break
            if play.state.stack[-1] != frame:
                play.emit(Changed(frame))
            return False
        if not frame.plan:
            if _may_load(context, play.state, mover, frame):
                play.emit(Changed(replace(frame, interrupted=True)))
                return False
            break
        before = frame.progress.hex
        frame = _execute(context, play, mover, frame)
        if play.state.missions and frame.progress.hex != before and _caught(context, play, frame):
            return True
    _end_move(context, play, frame)
    return True


def _is_out_of_sight(context: Context, places: set[Hex | None], hex: Hex) -> bool:
    """Whether nobody in these places sees a hex: most steps of most moves are seen by none, and this is soon known."""
    return not context.is_advanced and places.isdisjoint(context.ground.fields[hex])


def _may_go_on(context: Context, state: State, mover: Mover, frame: Moving) -> bool:
    """Whether the owner of a vehicle that was stopped has anything to decide."""
    if next(mover.legs(frame.progress), None) is not None or _may_load(context, state, mover, frame):
        return True
    return next(overrun_onward(context, state, mover, frame), None) is not None


@rule("6.6.2", "6.5.2.2.1", editions=("panzer-na",))
def _harmed(play: Play, mover: Mover, frame: Moving) -> Moving:
    """The move of a unit that was harmed since: what is left of it is halved, a Track hit ends it (6.6.2)."""
    after = frame
    if mover.unit.damaged and not frame.damaged:
        after = replace(after, progress=damaged_on_the_way(after.progress), damaged=True, interrupted=True)
    for _ in range(mover.harm - frame.harm):
        after = replace(after, progress=damaged_on_the_way(after.progress), interrupted=True)
    if mover.harm > frame.harm:
        after = replace(after, harm=mover.harm)
    if mover.is_stuck and frame.plan:
        after = replace(after, plan=(), interrupted=True)
    if after is not frame:
        play.emit(Changed(after))
    return after


@rule("6.6.6", editions=("panzer-na",))
def _caught(context: Context, play: Play, frame: Moving) -> bool:
    """Barrages attack whoever moves in them; the move goes on with what they have left of it (6.6.6)."""
    if frame.progress.exited:
        return False
    struck = under_barrages(context, play, frame.unit, frame.progress.hex, frame.struck)
    if struck:
        play.emit(Changed(replace(frame, struck=(*frame.struck, *struck))))
    return bool(struck)


@rule("6.6.10", editions=("panzer-na",))
def _overruns_now(context: Context, play: Play, frame: Moving) -> bool:
    """The attack of a vehicle that has entered the hex of its target; it is asked anew after it (6.6.10)."""
    unit, target = play.state.units[frame.unit], play.state.units[frame.overrun]
    if not unit.in_play or unit.hex is None or unit.hex != target.hex:
        return False
    after = replace(frame, overrun=UnitId(""), watched=True, interrupted=True)
    play.emit(Changed(after))
    overrun_on(context, play, unit.id, target.id)
    return True


@rule("6.6.7.1.1", "6.6.7.1.2", editions=("panzer-na",))
def _may_load(context: Context, state: State, mover: Mover, frame: Moving) -> bool:
    """Whether a vehicle at the end of its way is asked if passengers get on or off, or bail out (6.6.7.1.1)."""
    if mover.facts is None or frame.settled or frame.progress.exited:
        return False
    carrier = state.units[frame.unit]
    may_bail = next(bail_outs(context, state, carrier), None) is not None
    return may_bail or may_board(context, state, carrier, frame.progress)


def _execute(context: Context, play: Play, mover: Mover, frame: Moving) -> Moving:
    """Turn, or leave the hex: the first thing of the next leg; the frame after it, which is told when it is asked."""
    unit = mover.unit
    leg, rest = frame.plan[0], frame.plan[1:]
    before = frame.progress
    if leg.turn:
        after = mover.turn(before, leg.turn)
        assert after is not None  # noqa: S101 - the plan was checked
        cost = explain_turn(mover, before, leg.turn, _open_rate(after))
        play.emit(ev.UnitTurned(unit.id, after.facing, cost))
        plan = rest if leg.step is _STAY else (replace(leg, turn=0), *rest)
        return replace(frame, plan=plan, progress=after, watched=False)
    plain = leg.step is _FORWARD or leg.step is _REVERSE
    after = mover.step(before, reverse=leg.step is _REVERSE) if plain else mover.leg(before, leg)
    assert after is not None  # noqa: S101
    if mover.facts is not None and breaks_wall(before, after):
        passed = through_wall(context, play, mover, frame, leg)
        if not passed.plan:
            _leave_hex(play, mover, before.hex, passed.progress.hex)
            return replace(passed, watched=False)
        frame, before, rest = passed, passed.progress, passed.plan[1:]
        after = mover.leg(before, leg)
        assert after is not None  # noqa: S101 - it still has the allowance
    if mover.facts is not None and _raises_dust(context, mover):
        frame = replace(frame, trail=(*(frame.trail or (before.hex,)), *(() if after.exited else (after.hex,))))
    if frame.overrun:
        frame = replace(frame, came_from=before.hex)
    cost = explain_step(mover, before, after, _open_rate(after))
    if not plain:
        play.emit(ev.UnitShifted(unit.id, after.hex, after.floor, cost))
    elif after.exited:
        play.emit(ev.UnitExited(unit.id, after.hex, after.way, cost, _exit_taken(context, unit, after)))
    else:
        play.emit(ev.UnitMoved(unit.id, after.hex, cost))
    _leave_hex(play, mover, before.hex, None if after.exited else after.hex)
    return replace(frame, plan=rest, progress=after, watched=False)


@rule("6.1.4.3.6", "6.1.4.3.7", "6.1.4.3.11", editions=("panzer-na",))
def _leave_hex(play: Play, mover: Mover, left: Hex, entered: Hex | None) -> None:
    """A position stays behind as soon as its unit is in another hex or off the map; who only turns is still in it."""
    if play.state.features and left != entered:
        leave_position(play, play.state.units[mover.unit.id], moves=True)
        if entered is not None:
            _flatten_wire(play, entered)


@rule("6.1.4.3.11", editions=("panzer-na",))
def _flatten_wire(play: Play, hex: Hex) -> None:
    """Wire is destroyed when a fully tracked vehicle, the only one that may, enters its hex (6.1.4.3.11)."""
    wire = tuple(features_in(play.state.features, hex, FeatureKind.WIRE))
    if wire:
        play.emit(ev.FeaturesRemoved(wire))


@rule("4.5.1.1.9")
def _exit_taken(context: Context, unit: Unit, after: MoveProgress) -> str:
    """Number of the scenario's exit that the vehicle has taken, "" if none (4.5.1.1.9)."""
    ways = zip(context.scenario.draft.victory.exits, context.scenario.exits, strict=True)
    for index, (way, hexes) in enumerate(ways):
        if way.side == unit.side and after.hex in hexes:
            return str(index)
    return ""
