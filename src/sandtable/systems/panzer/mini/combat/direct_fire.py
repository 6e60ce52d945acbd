"""8.1.1 Direct Fire Step: the First Player, then the Second, announce fire target by target; then overwatch."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Node, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed
from sandtable.systems.panzer.combat.announcing import FireOptions, bound_to
from sandtable.systems.panzer.frames import DirectFire
from sandtable.systems.panzer.mini.actions import Action, Fire
from sandtable.systems.panzer.mini.combat.firing import announce, gunnery_of, refuse_engaged, refuse_fire
from sandtable.systems.panzer.mini.combat.overwatch import overwatch_at
from sandtable.systems.panzer.mini.command.wasted import must_fire, waste_fire
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.fields_of_fire import has_shot
from sandtable.systems.panzer.mini.handler import Handler, Play
from sandtable.systems.panzer.mini.state import State, Unit
from sandtable.systems.panzer.unit import FIRING_COMMANDS, Shot, UnitId, refuse_stranger

__all__ = ["DirectFireHandler", "direct_firers"]

BOOK = ("panzer-mini",)


@rule("8.1.1", "8.1.1.1", "6.2", "6.4", editions=BOOK)
def direct_firers(context: Context, state: State, frame: DirectFire) -> dict[UnitId, list[UnitId]]:
    """Targets to the vehicles that must still fire and can fire on them, spotted as they are (8.1.1)."""
    found: dict[UnitId, list[UnitId]] = {}
    for unit in state.units.values():
        if not must_fire(unit, frame.player):
            continue
        card = context.card_of(unit)
        for target_id in state.spotted.get(unit.id, ()):
            target = state.units[target_id]
            if target_id not in frame.engaged and has_shot(unit, card, target):
                found.setdefault(target_id, []).append(unit.id)
    return found


@rule("8.1.1", "8.1.1.2", "8.1.1.2.2", "8.3.1", editions=BOOK)
def _refuse(context: Context, state: State, frame: DirectFire, action: Fire) -> Refusal | None:
    """Why this fire may not be announced (8.1.1, 8.3.1)."""
    target = state.units.get(action.target)
    if target is None or target.side == frame.player or not target.in_play:
        return Refusal("8.2", f"{action.target!r} is no enemy vehicle in play", "a spotted enemy")
    if action.target in frame.engaged:
        return refuse_engaged(action.target, "8.3.1")
    if not action.shots:
        return Refusal("8.3.1", "no vehicle fires", "name at least one shot")
    seen: set[UnitId] = set()
    for shot in action.shots:
        if shot.firer in seen:
            return Refusal("8.1.1.2.2", f"{shot.firer} fires only once a turn", "one shot a vehicle")
        refusal = _refuse_firer(context, state, frame, shot, target)
        if refusal is not None:
            return refusal
        seen.add(shot.firer)
    left_out = bound_to(direct_firers(context, state, frame), target.id) - seen
    if left_out:
        names = ", ".join(sorted(left_out))
        return Refusal("8.1.1.2.4", f"{names} must fire and has no other target", "announce all fire on it together")
    return None


def _refuse_firer(context: Context, state: State, frame: DirectFire, shot: Shot, target: Unit) -> Refusal | None:
    unit = state.units.get(shot.firer)
    if unit is None or unit.side != frame.player or not unit.in_play:
        return refuse_stranger(shot.firer, frame.player, "vehicle", "4.1")
    if unit.fired:
        return Refusal("8.1.1.2.2", f"{unit.id} fires only once a turn", "another vehicle")
    if unit.command not in FIRING_COMMANDS:
        return Refusal("6.2", f"{unit.id} has no FIRE or SHORT HALT order", "a vehicle that has one")
    if target.id not in state.spotted.get(unit.id, ()):
        return Refusal("8.1.1.2", f"{unit.id} did not spot {target.id} in the Spotting Phase", "a target it spotted")
    return refuse_fire(context, state, shot, target, overwatch=False)


class DirectFireHandler(Handler[DirectFire]):
    """8.1.1: a player's Direct Fire Step."""

    frame = DirectFire
    answers = (Fire,)

    def question(self, state: State, frame: DirectFire) -> Asking:
        """The player of the step."""
        return Asking("8.1.1", "Announce fire on a target", (frame.player,))

    def options(self, state: State, frame: DirectFire, seat: Seat) -> Node[Action]:
        """All fire on one target."""
        firers = direct_firers(self.context, state, frame)
        return FireOptions(gunnery_of(self.context, state, overwatch=False), firers)

    def refusal(self, state: State, frame: DirectFire, seat: Seat, action: Action) -> Refusal | None:
        """Fire that may not be announced, or not like this."""
        assert isinstance(action, Fire)  # noqa: S101 - the only answer
        return _refuse(self.context, state, frame, action)

    def apply(self, play: Play, frame: DirectFire, seat: Seat, action: Action) -> None:
        """All direct fire on one target is announced together (8.3.1)."""
        assert isinstance(action, Fire)  # noqa: S101 - the only answer
        play.emit(Changed(replace(frame, engaged=(*frame.engaged, action.target))))
        announce(play, action, overwatch=False)

    @rule("3.4", "3.4.1", "3.4.2", "8.1.1.1", "8.1.1.2.4", "8.1.2.1", editions=BOOK)
    def advance(self, play: Play, frame: DirectFire) -> bool:
        """First Player, Second Player, then overwatch at all that fired (3.4.1, 3.4.2).

        Who must fire and can fire on nobody has fired (8.1.1.2.4).
        """
        if direct_firers(self.context, play.state, frame):
            return False
        for unit in play.state.units.values():
            if must_fire(unit, frame.player):
                waste_fire(play, unit)
        if frame.first:
            play.emit(Changed(DirectFire(self.context.other(frame.player), first=False)))
            return True
        fired = tuple(unit.id for unit in play.state.units.values() if unit.fired and unit.in_play)
        overwatch = overwatch_at(self.context, play.state, self.context.other(frame.player), fired)
        play.emit(Closed() if overwatch is None else Changed(overwatch))
        return overwatch is None
