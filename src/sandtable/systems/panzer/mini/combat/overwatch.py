"""8.1.2, 8.3.2 Overwatch fire: at those that fired, or at the one that moves, in cascades until both forces pass.

Whether a force is asked depends on what its opponent can see, and on its own standing orders: it is asked whenever one
of its face-down vehicles could fire if its order were OW. Were it asked only when it holds one, the question itself
would give the order away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Opened
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.combat.announcing import FireOptions
from sandtable.systems.panzer.combat.cascade import go_on, targets, turned
from sandtable.systems.panzer.frames import Overwatch
from sandtable.systems.panzer.mini import events as ev
from sandtable.systems.panzer.mini.actions import Action, Fire, HoldFire, Pass
from sandtable.systems.panzer.mini.combat.firing import announce, gunnery_of, refuse_engaged, refuse_fire
from sandtable.systems.panzer.mini.combat.measures import has_overwatch_shot
from sandtable.systems.panzer.mini.combat.standing_orders import hold_branch, hold_of, holds_fire, refuse_hold
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.handler import Handler, Play
from sandtable.systems.panzer.mini.moves import Moving
from sandtable.systems.panzer.mini.spotting.spotting import live_spotters, spots_live
from sandtable.systems.panzer.mini.state import Patch, State, Unit
from sandtable.systems.panzer.unit import Command, Shot, UnitId, refuse_stranger

__all__ = ["OverwatchHandler", "face_down", "overwatch_at", "watch_mover"]

BOOK = ("panzer-mini",)


def face_down(state: State, seat: str) -> list[Unit]:
    """Vehicles of a force whose order the opponent does not know, and that have not fired."""
    return [
        unit
        for unit in state.units.values()
        if not unit.known and unit.side == seat and not unit.fired and unit.in_play
    ]


@rule("8.1.2", "8.1.2.2", "8.2", editions=BOOK)
def _able(context: Context, state: State, units: Iterable[Unit], target: Unit) -> Iterator[Unit]:
    """Those of the vehicles that could fire overwatch on the target now, whatever their orders are (8.1.2.2)."""
    return live_spotters(context, state, units, target, wanted=lambda unit: has_overwatch_shot(context, unit, target))


def _may_be_asked(context: Context, state: State, frame: Overwatch) -> bool:
    """Whether, for all that the opponent knows, the force could fire overwatch now."""
    found = targets(state.units, frame)
    units = face_down(state, frame.asked) if found else []
    return any(next(_able(context, state, units, target), None) is not None for target in found)


class _Asked(NamedTuple):
    """A question of overwatch, and what it rests on."""

    units: Mapping[UnitId, Unit]
    patches: tuple[Patch, ...]
    frame: Overwatch


@rule("8.1.2.1", "8.1.2.1.1", "3.4.2", editions=BOOK)
def _next_asked(context: Context, state: State, frame: Overwatch) -> Overwatch | None:
    """The frame, or that of the other force where this one could not fire and the other has not passed (8.1.2.1).

    A question is looked at when it is opened and again when it is put: the last one that had to be put is kept.
    """
    kept: _Asked | None = context.memory.asked
    if kept is not None and kept.units is state.units and kept.patches is state.patches and kept.frame == frame:
        return frame
    if _may_be_asked(context, state, frame):
        context.memory.asked = _Asked(state.units, state.patches, frame)
        return frame
    return _other_asked(context, state, frame)


def _other_asked(context: Context, state: State, frame: Overwatch) -> Overwatch | None:
    """The question to the other force, if that has not passed and could fire."""
    other = turned(frame, context.other(frame.asked))
    return other if other is not None and _may_be_asked(context, state, other) else None


def overwatch_at(context: Context, state: State, asked: Seat, triggers: tuple[UnitId, ...]) -> Overwatch | None:
    """The question of overwatch at those that acted, put to whom it has to be put; None if to neither (8.1.2)."""
    return _next_asked(context, state, Overwatch(asked, triggers)) if triggers else None


@rule("8.3.2", "3.5", editions=BOOK)
def watch_mover(context: Context, play: Play, mover: Unit, *, last: bool) -> None:
    """The opponent of a vehicle that has moved an inch, or the rest of its move, may fire on it (8.3.2)."""
    state, asked = play.state, context.other(mover.side)
    watchers = face_down(state, asked)
    if not watchers or holds_fire(context, state, state.holds.get(asked), watchers, mover, last=last):
        return
    overwatch = overwatch_at(context, state, asked, (mover.id,))
    if overwatch is not None:
        play.emit(Opened(overwatch))


def _mover(state: State, frame: Overwatch) -> Unit | None:
    """The vehicle on its way, where the force is asked about that one."""
    below = state.stack[-2] if len(state.stack) > 1 else None
    if not isinstance(below, Moving) or below.unit in frame.engaged:
        return None
    unit = state.units[below.unit]
    return unit if unit.side != frame.asked and unit.in_play else None


def _firers(context: Context, state: State, frame: Overwatch) -> dict[UnitId, list[UnitId]]:
    ready = [unit for unit in face_down(state, frame.asked) if unit.command is Command.OVERWATCH]
    found = {
        target.id: [unit.id for unit in _able(context, state, ready, target)] for target in targets(state.units, frame)
    }
    return {target: able for target, able in found.items() if able}


@rule("8.1.2", "8.1.2.2.2", "8.3.2", "6.5", editions=BOOK)
def _refuse(context: Context, state: State, frame: Overwatch, action: Fire) -> Refusal | None:
    """Why this overwatch fire may not be announced (8.1.2, 8.3.2)."""
    target = state.units.get(action.target)
    if action.target in frame.engaged:
        return refuse_engaged(action.target, "8.3.2")
    if target is None or target not in targets(state.units, frame):
        reason = f"{action.target!r} has not fired or moved just now, or is no enemy in play"
        return Refusal("8.1.2", reason, "name one that has, or pass")
    if not action.shots:
        return Refusal("8.1.2", "nobody fires", "name at least one shot, or pass")
    seen: set[UnitId] = set()
    for shot in action.shots:
        if shot.firer in seen:
            return Refusal("8.1.2.2.2", f"{shot.firer} fires only once a turn", "one shot a vehicle")
        refusal = _refuse_firer(context, state, frame, shot, target)
        if refusal is not None:
            return refusal
        seen.add(shot.firer)
    return None


def _refuse_firer(context: Context, state: State, frame: Overwatch, shot: Shot, target: Unit) -> Refusal | None:
    unit = state.units.get(shot.firer)
    if unit is None or unit.side != frame.asked or not unit.in_play:
        return refuse_stranger(shot.firer, frame.asked, "vehicle", "4.1")
    if unit.fired:
        return Refusal("8.1.2.2.2", f"{unit.id} fires only once a turn", "another vehicle")
    if unit.known or unit.command is not Command.OVERWATCH:
        return Refusal("6.5", f"{unit.id} has no OW order that lies face down", "a vehicle in overwatch")
    refusal = refuse_fire(context, state, shot, target, overwatch=True)
    if refusal is None and not spots_live(context, state, unit, target):
        refusal = Refusal("8.1.2.2", f"{unit.id} does not spot {target.id} now", "a target that it spots")
    return refusal


class OverwatchHandler(Handler[Overwatch]):
    """8.1.2: overwatch at those who acted, force by force until both have passed."""

    frame = Overwatch
    answers = (Fire, Pass, HoldFire)

    def question(self, state: State, frame: Overwatch) -> Asking:
        """A force that could fire, whatever its orders are."""
        return Asking("8.1.2", "Overwatch fire?", (frame.asked,), guards=True)

    def options(self, state: State, frame: Overwatch, seat: Seat) -> Node[Action]:
        """Hold fire, now or for a while, or fire."""
        firers = _firers(self.context, state, frame)
        aside = [Branch("pass", "pass", "No overwatch fire", Leaf[Action](Pass()))]
        mover = _mover(state, frame)
        if mover is not None:
            aside.append(hold_branch(face_down(state, frame.asked), mover))
        return FireOptions(gunnery_of(self.context, state, overwatch=True), firers, aside)

    def refusal(self, state: State, frame: Overwatch, seat: Seat, action: Action) -> Refusal | None:
        """Fire that may not be announced, or a standing order without a mover; one may always pass."""
        if isinstance(action, Fire):
            return _refuse(self.context, state, frame, action)
        if isinstance(action, HoldFire):
            mover = _mover(state, frame)
            if mover is None:
                return Refusal("8.3.2", "nobody is on his way whom one could wait for", "pass, or fire")
            return refuse_hold(action, face_down(state, frame.asked), mover)
        return None

    @rule("8.1.2.1", "8.1.2.1.1", "8.1.2.1.2", "3.4.2", editions=BOOK)
    def apply(self, play: Play, frame: Overwatch, seat: Seat, action: Action) -> None:
        """A force fires all that it wants, then it passes; those that fire may draw overwatch in turn (8.1.2.1.1)."""
        if isinstance(action, Fire):
            fired = (shot.firer for shot in action.shots)
            triggers = (*frame.triggers, *(unit for unit in fired if unit not in frame.triggers))
            play.emit(Changed(Overwatch(frame.asked, triggers, engaged=(*frame.engaged, action.target))))
            announce(play, action, overwatch=True)
            return
        play.emit(shared.OverwatchDeclined(frame.asked))
        mover = _mover(play.state, frame)
        if isinstance(action, HoldFire) and mover is not None:
            play.emit(ev.OverwatchHeld(frame.asked, hold_of(action, mover)))
        go_on(play, frame, _other_asked(self.context, play.state, frame), Moving)

    def advance(self, play: Play, frame: Overwatch) -> bool:
        """A force that, for all that its opponent knows, could not fire is passed over."""
        return go_on(play, frame, _next_asked(self.context, play.state, frame), Moving)
