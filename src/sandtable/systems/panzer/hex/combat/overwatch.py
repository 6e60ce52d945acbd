"""4.4.2 Overwatch Fire: at those that fired, or at the one that moves, in cascades until both forces pass.

Whether a force is asked depends on what its opponent can see: it is asked whenever one of its face-down vehicles
could fire if its command were OVERWATCH. Were it asked only when it holds one, the question itself would give the
command away. A force that holds none can only pass, and a client may do that for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.combat.announcing import FireOptions, refuse_second_fire
from sandtable.systems.panzer.combat.cascade import go_on, targets, turned
from sandtable.systems.panzer.frames import Overwatch
from sandtable.systems.panzer.hex.actions import Action, Engage, Fire, Pass
from sandtable.systems.panzer.hex.combat.engagement import announce_engagement, sees
from sandtable.systems.panzer.hex.combat.fire import announce, gunnery_of, has_shot, refuse_engaged, refuse_shot
from sandtable.systems.panzer.hex.combat.volleys import EngageOptions, refuse_volleys
from sandtable.systems.panzer.hex.combat.weapons import can_engage, command_over, grouped, shooter_of
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.handler import Handler, Play
from sandtable.systems.panzer.hex.spotting.spotting import spots_live, spotters_live
from sandtable.systems.panzer.hex.state import Moving, State, Unit
from sandtable.systems.panzer.unit import Command, Status, UnitId, refuse_stranger

__all__ = ["OverwatchHandler", "face_down", "may_be_fired_on", "overwatch_at", "overwatch_firers"]


_IN_PLAY, _OVERWATCH = Status.IN_PLAY, Command.OVERWATCH


def _able(context: Context, state: State, units: Iterable[Unit], target: Unit) -> Iterator[Unit]:
    """Those of the vehicles that could fire overwatch on the target, whatever their commands are."""
    if context.is_advanced:
        return _able_advanced(context, state, units, target)
    return (unit for unit in spotters_live(context, state, units, target) if has_shot(context, unit, target))


@rule("6.5.3", editions=("panzer-na",))
def _able_advanced(context: Context, state: State, units: Iterable[Unit], target: Unit) -> Iterator[Unit]:
    """The same with all weapons of the Advanced Game; a passenger sees what its vehicle sees (6.5.3, 6.6.7.2).

    Sight is asked first, of all at once: few see a mover, and whether a weapon bears takes longer to say.
    """
    watching = list(units)
    looking = watching
    if any(unit.markers.carrier for unit in watching):
        looking = list({one.id: one for unit in watching for one in (unit, shooter_of(state, unit))}.values())
    seeing = {unit.id for unit in spotters_live(context, state, looking, target)}
    for unit in watching if seeing else ():
        if (unit.id in seeing or unit.markers.carrier in seeing) and can_engage(context, state, unit, target):
            yield unit


def face_down(context: Context, state: State, seat: str) -> list[Unit]:
    """Vehicles of a force whose command the opponent does not know, and that have not fired."""
    # Asked after every step of every move: by status, for a property costs as much as all the rest.
    watching = [
        unit
        for unit in state.units.values()
        if not unit.known and unit.side == seat and not unit.fired and unit.status is _IN_PLAY
    ]
    if not context.is_advanced:
        return watching
    riding = [state.units[one] for unit in watching for one in unit.markers.passengers]
    if not riding:
        return watching
    return [*(unit for unit in watching if not unit.markers.carrier), *(unit for unit in riding if not unit.fired)]


def _may_be_asked(context: Context, state: State, frame: Overwatch) -> bool:
    """Whether, for all that the opponent knows, the force could fire overwatch now."""
    found = targets(state.units, frame)
    units = face_down(context, state, frame.asked) if found else ()
    if not units:
        return False
    return any(may_be_fired_on(context, state, units, target) for target in found)


def may_be_fired_on(context: Context, state: State, watchers: Iterable[Unit], target: Unit) -> bool:
    """Whether one of the vehicles could fire overwatch on the target, whatever their commands are."""
    return next(_able(context, state, watchers, target), None) is not None


def overwatch_at(context: Context, state: State, asked: Seat, triggers: tuple[UnitId, ...]) -> Overwatch | None:
    """The question of overwatch at those that acted, put to whom it has to be put; None if to neither force (4.4.2)."""
    return _next_asked(context, state, Overwatch(asked, triggers)) if triggers else None


def _next_asked(context: Context, state: State, frame: Overwatch) -> Overwatch | None:
    """The frame, or that of the other force where this one could not fire and the other has not passed."""
    if _may_be_asked(context, state, frame):
        return frame
    return _other_asked(context, state, frame)


def _other_asked(context: Context, state: State, frame: Overwatch) -> Overwatch | None:
    """The question to the other force, if that has not passed and could fire."""
    other = turned(frame, context.other(frame.asked))
    return other if other is not None and _may_be_asked(context, state, other) else None


def overwatch_firers(context: Context, state: State, frame: Overwatch) -> dict[UnitId, list[UnitId]]:
    """Targets to the vehicles with an OVERWATCH command that can fire on them now (4.4.2)."""
    found: dict[UnitId, list[UnitId]] = {}
    ready = [
        unit
        for unit in face_down(context, state, frame.asked)
        if (command_over(state, unit) if unit.markers.carrier else unit.command) is _OVERWATCH
    ]
    for target in targets(state.units, frame) if ready else ():
        able = [unit.id for unit in _able(context, state, ready, target)]
        if able:
            found[target.id] = able
    return found


@rule("4.4.2")
def _target(state: State, frame: Overwatch, action: Fire | Engage) -> Unit | Refusal:
    """The target of overwatch fire, or why nobody may fire on it (4.4.2)."""
    target = state.units.get(action.target)
    if action.target in frame.engaged:
        return refuse_engaged(action.target)
    if target is None or target not in targets(state.units, frame):
        reason = f"{action.target!r} has not fired or moved just now, or is no enemy in play"
        return Refusal("4.4.2", reason, "name one that has, or pass")
    if not action.shots:
        return Refusal("4.4.2", "nobody fires", "name at least one shot, or pass")
    return target


@rule("4.4.2")
def _refuse(context: Context, state: State, frame: Overwatch, action: Fire) -> Refusal | None:
    """Why this overwatch fire may not be announced (4.4.2)."""
    target = _target(state, frame, action)
    if isinstance(target, Refusal):
        return target
    seen: set[UnitId] = set()
    for shot in action.shots:
        unit = state.units.get(shot.firer)
        if unit is None or unit.side != frame.asked or not unit.in_play:
            return refuse_stranger(shot.firer, frame.asked, "vehicle")
        if unit.fired or unit.id in seen:
            return refuse_second_fire(unit.id)
        if unit.command is not Command.OVERWATCH:
            return Refusal("4.2", f"{unit.id} has no OVERWATCH command", "name a vehicle with OW, or pass")
        refusal = refuse_shot(context, state, shot, target)
        if refusal is not None:
            return refusal
        if not spots_live(context, state, unit, target):
            return Refusal("4.4.2", f"{unit.id} does not spot {target.id} now", "name a vehicle that spots it, or pass")
        seen.add(unit.id)
    return None


@rule("6.5.3", editions=("panzer-na",))
def _refuse_engage(context: Context, state: State, frame: Overwatch, action: Engage) -> Refusal | None:
    """Why this overwatch fire of the Advanced Game may not be announced (6.5.3)."""
    target = _target(state, frame, action)
    if isinstance(target, Refusal):
        return target
    watching = {unit.id: unit for unit in face_down(context, state, frame.asked)}
    for firer in grouped(action.shots):
        unit = watching.get(firer)
        if unit is None or command_over(state, unit) is not Command.OVERWATCH:
            reason = f"{firer!r} has no OVERWATCH command, or has fired"
            return Refusal("4.2", reason, "name a unit with OW that has not fired, or pass")
        if not sees(context, state, unit, target, overwatch=True):
            return Refusal("4.4.2", f"{unit.id} does not spot {target.id} now", "name a unit that spots it, or pass")
    return refuse_volleys(context, state, action.shots, target)


class OverwatchHandler(Handler[Overwatch]):
    """4.4.2: overwatch at those who acted, force by force until both have passed."""

    frame = Overwatch
    answers = (Fire, Engage, Pass)

    def question(self, state: State, frame: Overwatch) -> Asking:
        """A force that could fire, whatever its commands are."""
        return Asking("4.4.2", "Overwatch fire?", (frame.asked,), guards=True)

    def options(self, state: State, frame: Overwatch, seat: Seat) -> Node[Action]:
        """Hold fire, or fire."""
        firers = overwatch_firers(self.context, state, frame)
        if self.context.is_advanced:
            return EngageOptions(self.context, state, firers, hold=Pass())
        hold = Branch("pass", "pass", "No overwatch fire", Leaf[Action](Pass()))
        return FireOptions(gunnery_of(self.context, state), firers, (hold,))

    def refusal(self, state: State, frame: Overwatch, seat: Seat, action: Action) -> Refusal | None:
        """Fire that may not be announced; one may always pass."""
        if isinstance(action, Pass):
            return None
        if isinstance(action, Engage) and self.context.is_advanced:
            return _refuse_engage(self.context, state, frame, action)
        if isinstance(action, Fire) and not self.context.is_advanced:
            return _refuse(self.context, state, frame, action)
        reason = f"{type(action).__name__} is not of the game that is played"
        return Refusal("4.4.2", reason, "Engage or Pass" if self.context.is_advanced else "Fire or Pass")

    def apply(self, play: Play, frame: Overwatch, seat: Seat, action: Action) -> None:
        """Fire is announced, and those that fire may draw overwatch in turn; or the force passes (4.4.2)."""
        if isinstance(action, Fire | Engage):
            fired = tuple(shot.firer for shot in action.shots)
            if self.context.is_advanced:
                fired = tuple(dict.fromkeys(play.state.units[one].markers.carrier or one for one in fired))
            triggers = (*frame.triggers, *(unit for unit in fired if unit not in frame.triggers))
            engaged = (*frame.engaged, action.target)
            play.emit(Changed(Overwatch(self.context.other(frame.asked), triggers, engaged=engaged)))
            if isinstance(action, Engage):
                announce_engagement(self.context, play, action, overwatch=True)
            else:
                announce(play, action, overwatch=True)
        else:
            play.emit(ev.OverwatchDeclined(frame.asked))
            go_on(play, frame, _other_asked(self.context, play.state, frame), Moving)

    def advance(self, play: Play, frame: Overwatch) -> bool:
        """A force that, for all that its opponent knows, could not fire is passed over."""
        return go_on(play, frame, _next_asked(self.context, play.state, frame), Moving)
