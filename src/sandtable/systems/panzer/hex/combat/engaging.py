"""6.5.2, 6.5.4 The Direct Fire Step of the Advanced Game: targets, weapons and smoke, announced target by target."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Node, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed
from sandtable.systems.panzer.combat.announcing import bound_to, refuse_second_fire
from sandtable.systems.panzer.combat.wreck_smoke import brew_up_smoke_takes_effect
from sandtable.systems.panzer.frames import DirectFire, Engaging, Frame
from sandtable.systems.panzer.hex.actions import Action, Decline, Engage, FireSmoke
from sandtable.systems.panzer.hex.combat.direct_smoke import fire_smoke, refuse_smoke, smokers
from sandtable.systems.panzer.hex.combat.engagement import announce_engagement, sees
from sandtable.systems.panzer.hex.combat.fire import refuse_engaged
from sandtable.systems.panzer.hex.combat.overwatch import overwatch_at
from sandtable.systems.panzer.hex.combat.shared_commands import refuse_shared_target
from sandtable.systems.panzer.hex.combat.volleys import EngageOptions, refuse_volleys
from sandtable.systems.panzer.hex.combat.weapons import can_engage, grouped, has_more
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.handler import Handler, Play
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.movement.transport import refuse_transported_fire
from sandtable.systems.panzer.unit import FIRING_COMMANDS, Command, UnitId, refuse_no_target, refuse_stranger

__all__ = ["EngagingHandler", "direct_fire_step"]

_BOOK = ("panzer-na",)


def direct_fire_step(context: Context, player: Seat, *, first: bool) -> Frame:
    """A player's Direct Fire step of the game that is played."""
    return Engaging(player, first=first) if context.is_advanced else DirectFire(player, first=first)


@rule("6.6.7.2", editions=_BOOK)
def ready_to_fire(context: Context, state: State, unit: Unit, player: Seat) -> bool:
    """Whether a unit may fire in the step: by its command, or by that of the vehicle that it rides on (6.6.7.2).

    Passengers of a vehicle with OVERWATCH fire with that.
    """
    if unit.side != player or not unit.in_play or unit.hex is None or unit.markers.bailed:
        return False
    if not unit.markers.carrier:
        return unit.command in FIRING_COMMANDS
    carrier = state.units[unit.markers.carrier]
    facts, above = context.move_facts(unit), context.move_facts(carrier)
    assert facts is not None  # noqa: S101 - of the Advanced Game only
    assert above is not None  # noqa: S101
    return carrier.command is not Command.OVERWATCH and refuse_transported_fire(facts, above) is None


def _supposed(state: State, player: Seat) -> State:
    """The position with every command of the player that lies face down as one to fire, for all the opponent knows."""
    units = {
        unit_id: replace(unit, command=Command.FIRE) if unit.side == player and not unit.known else unit
        for unit_id, unit in state.units.items()
    }
    return replace(state, units=units)


def must_fire(unit: Unit) -> bool:
    """FIRE and SHORT HALT have to be carried out; passengers, and a second weapon, fire as they like (4.4.1)."""
    return not unit.fired and not unit.markers.carrier


def _pairs(context: Context, state: State, frame: Engaging) -> Iterator[tuple[Unit, Unit]]:
    """Firers with targets that they spot and reach."""
    targets = [
        unit
        for unit in state.units.values()
        if unit.side != frame.player and unit.in_play and unit.id not in frame.engaged and not unit.markers.carrier
    ]
    for unit in state.units.values():
        if not ready_to_fire(context, state, unit, frame.player):
            continue
        if unit.fired and not (unit.markers.arms and has_more(context, unit)):
            continue
        seen = {*state.spotted.get(unit.id, ()), *state.spotted.get(unit.markers.carrier, ())}
        for target in targets:
            if target.id not in seen:
                continue
            if state.fired_on and refuse_shared_target(context, state, unit, target) is not None:
                continue
            if can_engage(context, state, unit, target):
                yield unit, target


def _firers(context: Context, state: State, frame: Engaging) -> dict[UnitId, list[UnitId]]:
    """Targets to those who can fire on them."""
    found: dict[UnitId, list[UnitId]] = {}
    for unit, target in _pairs(context, state, frame):
        found.setdefault(target.id, []).append(unit.id)
    return found


def _bound(state: State, firers: Mapping[UnitId, list[UnitId]]) -> dict[UnitId, list[UnitId]]:
    """The same with those alone who have to fire."""
    found = {target: [unit for unit in units if must_fire(state.units[unit])] for target, units in firers.items()}
    return {target: units for target, units in found.items() if units}


def _refuse_firer(context: Context, state: State, player: Seat, firer: UnitId, target: Unit) -> Refusal | None:
    """Why a unit may not fire on the target in this step, whatever its weapons (4.4.1)."""
    unit = state.units.get(firer)
    if unit is None or unit.side != player or not unit.in_play:
        return refuse_stranger(firer, player)
    if unit.fired and not unit.markers.arms:
        return refuse_second_fire(firer)
    if not ready_to_fire(context, state, unit, player):
        return Refusal("4.2.1", f"{firer} has no command to fire now", "FIRE or SHORT HALT")
    if not sees(context, state, unit, target, overwatch=False):
        return Refusal("4.1.1", f"{firer} did not spot {target.id} in the Spotting Phase", "choose a target it spotted")
    return refuse_shared_target(context, state, unit, target)


@rule("6.5.2", "6.5.4", editions=_BOOK)
def _refuse(context: Context, state: State, frame: Engaging, action: Engage) -> Refusal | None:
    """Why this fire may not be announced (4.4.1, 6.5.2, 6.5.4)."""
    player, target = frame.player, state.units.get(action.target)
    if target is None or target.side == player or not target.in_play:
        return refuse_no_target(action.target, "6.5.4")
    if target.markers.carrier:
        return Refusal("6.5.4.2.3", f"{target.id} rides on {target.markers.carrier}", "fire on its vehicle")
    if action.target in frame.engaged:
        return refuse_engaged(action.target)
    if not action.shots:
        return Refusal("4.4.1", "nobody fires", "name at least one shot")
    for firer in grouped(action.shots):
        refusal = _refuse_firer(context, state, player, firer, target)
        if refusal is not None:
            return refusal
    refusal = refuse_volleys(context, state, action.shots, target)
    if refusal is not None:
        return refusal
    left_out = bound_to(_bound(state, _firers(context, state, frame)), target.id) - set(grouped(action.shots))
    if left_out:
        names = ", ".join(sorted(left_out))
        return Refusal("4.4.1", f"{names} must fire and has no other target", "announce all fire on it together")
    return None


class EngagingHandler(Handler[Engaging]):
    """6.5.2, 6.5.4: a player's Direct Fire step."""

    frame = Engaging
    answers = (Engage, FireSmoke, Decline)

    def question(self, state: State, frame: Engaging) -> Asking:
        """The player of the step, whatever passengers and smoke he has under which commands."""
        return Asking("6.5.4", "Announce fire on a target", (frame.player,), guards=True)

    def options(self, state: State, frame: Engaging, seat: Seat) -> Node[Action]:
        """All fire on one target, smoke, or no more once all have fired who must."""
        context = self.context
        firers = _firers(context, state, frame)
        bound = _bound(state, firers)
        smoke = [pair for unit in self._ready(state, frame) for pair in smokers(context, state, unit)]
        return EngageOptions(context, state, firers, bound=bound, hold=None if bound else Decline(), smoke=smoke)

    def refusal(self, state: State, frame: Engaging, seat: Seat, action: Action) -> Refusal | None:
        """Fire that may not be announced, or not like this."""
        if isinstance(action, Engage):
            return _refuse(self.context, state, frame, action)
        if isinstance(action, FireSmoke):
            unit = state.units.get(action.firer)
            if unit is None or unit not in self._ready(state, frame):
                return Refusal("6.1.4.3.10", f"{action.firer!r} may not fire smoke now", "FIRE or SHORT HALT")
            return refuse_smoke(self.context, state, unit, action.weapon, action.hex)
        bound = _bound(state, _firers(self.context, state, frame))
        if bound:
            names = ", ".join(sorted({unit for units in bound.values() for unit in units}))
            return Refusal("4.4.1", f"{names} must fire", "announce its fire")
        return None

    def _ready(self, state: State, frame: Engaging) -> list[Unit]:
        """Those who may fire smoke: by a command of their own, in place of other fire."""
        context, units = self.context, state.units.values()
        return [unit for unit in units if must_fire(unit) and ready_to_fire(context, state, unit, frame.player)]

    def apply(self, play: Play, frame: Engaging, seat: Seat, action: Action) -> None:
        """All direct fire on one target is announced together (4.4.1)."""
        if isinstance(action, Engage):
            play.emit(Changed(replace(frame, engaged=(*frame.engaged, action.target))))
            announce_engagement(self.context, play, action, overwatch=False)
        elif isinstance(action, FireSmoke):
            fire_smoke(self.context, play, action)
        else:
            play.emit(Changed(replace(frame, done=True)))

    def advance(self, play: Play, frame: Engaging) -> bool:
        """First Player, Second Player, then overwatch at all that fired (4.4.1, 4.4.2)."""
        if not frame.done and self._is_open(play.state, frame):
            return False
        brew_up_smoke_takes_effect(play)
        if frame.first:
            play.emit(Changed(Engaging(self.context.other(frame.player), first=False)))
            return True
        fired = tuple(unit.id for unit in play.state.units.values() if unit.fired and unit.in_play)
        fired = tuple(dict.fromkeys(play.state.units[one].markers.carrier or one for one in fired))
        watch = overwatch_at(self.context, play.state, self.context.other(frame.player), fired)
        play.emit(Closed() if watch is None else Changed(watch))
        return watch is None

    def _is_open(self, state: State, frame: Engaging) -> bool:
        """Whether somebody has to fire, or might fire for all that the opponent knows."""
        context = self.context
        if any(must_fire(unit) for unit, _ in _pairs(context, state, frame)):
            return True
        supposed = _supposed(state, frame.player)
        if any(not must_fire(unit) for unit, _ in _pairs(context, supposed, frame)):
            return True
        return any(next(smokers(context, supposed, unit), None) is not None for unit in self._ready(supposed, frame))
