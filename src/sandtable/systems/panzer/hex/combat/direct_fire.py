"""4.4.1 Direct Fire Step: the First Player, then the Second, announce fire target by target."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Node, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed
from sandtable.systems.panzer.combat.announcing import FireOptions, bound_to, refuse_second_fire
from sandtable.systems.panzer.combat.wreck_smoke import smoke_takes_effect
from sandtable.systems.panzer.frames import DirectFire
from sandtable.systems.panzer.hex.actions import Action, Fire
from sandtable.systems.panzer.hex.combat.fire import announce, gunnery_of, has_shot, refuse_engaged, refuse_shot
from sandtable.systems.panzer.hex.combat.overwatch import overwatch_at
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.handler import Handler, Play
from sandtable.systems.panzer.hex.state import State
from sandtable.systems.panzer.unit import FIRING_COMMANDS, UnitId, refuse_stranger

__all__ = ["DirectFireHandler", "direct_firers"]


def direct_firers(context: Context, state: State, frame: DirectFire) -> dict[UnitId, list[UnitId]]:
    """Targets to the vehicles that must still fire and can fire on them (4.4.1)."""
    found: dict[UnitId, list[UnitId]] = {}
    for unit_id, target_id in _shots(context, state, frame):
        found.setdefault(target_id, []).append(unit_id)
    return found


def _shots(context: Context, state: State, frame: DirectFire) -> Iterator[tuple[UnitId, UnitId]]:
    """Firers with targets that they spot and reach."""
    player, engaged, units, spotted = frame.player, frame.engaged, state.units, state.spotted
    for unit in units.values():
        if unit.side == player and unit.command in FIRING_COMMANDS and not unit.fired and unit.in_play:
            for target_id in spotted.get(unit.id, ()):
                target = units[target_id]
                if target.in_play and target_id not in engaged and has_shot(context, unit, target):
                    yield unit.id, target_id


@rule("4.4.1", "4.4.3.2")
def _refuse(context: Context, state: State, frame: DirectFire, action: Fire) -> Refusal | None:
    """Why this fire may not be announced (4.4.1)."""
    player = frame.player
    target = state.units.get(action.target)
    if target is None or target.side == player or not target.in_play:
        return Refusal("4.4.3", f"{action.target!r} is no enemy vehicle in play", "name a spotted enemy")
    if action.target in frame.engaged:
        return refuse_engaged(action.target)
    if not action.shots:
        return Refusal("4.4.1", "no vehicle fires", "name at least one shot")
    seen: set[UnitId] = set()
    for shot in action.shots:
        unit = state.units.get(shot.firer)
        if unit is None or unit.side != player or not unit.in_play:
            return refuse_stranger(shot.firer, player, "vehicle")
        if unit.fired or unit.id in seen:
            return refuse_second_fire(unit.id)
        if unit.command not in FIRING_COMMANDS:
            return Refusal("4.2.1", f"{unit.id} has no FIRE or SHORT HALT command", "name a vehicle that has one")
        if action.target not in state.spotted.get(unit.id, ()):
            reason = f"{unit.id} did not spot {action.target} in the Spotting Phase"
            return Refusal("4.1.1", reason, "choose a target it spotted")
        refusal = refuse_shot(context, state, shot, target)
        if refusal is not None:
            return refusal
        seen.add(unit.id)
    left_out = bound_to(direct_firers(context, state, frame), target.id) - seen
    if left_out:
        names = ", ".join(sorted(left_out))
        return Refusal("4.4.1", f"{names} must fire and has no other target", "announce all fire on it together")
    return None


class DirectFireHandler(Handler[DirectFire]):
    """4.4.1: a player's Direct Fire step."""

    frame = DirectFire
    answers = (Fire,)

    def question(self, state: State, frame: DirectFire) -> Asking:
        """The player of the step."""
        return Asking("4.4.1", "Announce fire on a target", (frame.player,))

    def options(self, state: State, frame: DirectFire, seat: Seat) -> Node[Action]:
        """All fire on one target."""
        firers = direct_firers(self.context, state, frame)
        return FireOptions(gunnery_of(self.context, state), firers)

    def refusal(self, state: State, frame: DirectFire, seat: Seat, action: Action) -> Refusal | None:
        """Fire that may not be announced, or not like this."""
        assert isinstance(action, Fire)  # noqa: S101 - the only answer
        return _refuse(self.context, state, frame, action)

    def apply(self, play: Play, frame: DirectFire, seat: Seat, action: Action) -> None:
        """All direct fire on one target is announced together (4.4.1)."""
        assert isinstance(action, Fire)  # noqa: S101 - the only answer
        play.emit(Changed(replace(frame, engaged=(*frame.engaged, action.target))))
        announce(play, action, overwatch=False)

    def advance(self, play: Play, frame: DirectFire) -> bool:
        """First Player, Second Player, then overwatch at all that fired (4.4.1, 4.4.2)."""
        if next(_shots(self.context, play.state, frame), None) is not None:
            return False
        smoke_takes_effect(play)
        if frame.first:
            play.emit(Changed(DirectFire(self.context.other(frame.player), first=False)))
            return True
        fired = tuple(unit.id for unit in play.state.units.values() if unit.fired and unit.in_play)
        overwatch = overwatch_at(self.context, play.state, self.context.other(frame.player), fired)
        play.emit(Closed() if overwatch is None else Changed(overwatch))
        return overwatch is None
