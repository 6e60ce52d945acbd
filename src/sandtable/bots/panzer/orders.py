"""A command for every vehicle: what firing, moving, watching and waiting are each worth to it (4.2).

Targets are shared out as commands are given, so that ten guns do not all plan to shoot the same vehicle. What a move is
worth follows from the best place that it can lead to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from sandtable.bots.explain import Reason
from sandtable.bots.panzer.plan import Plan
from sandtable.geo.hex import Hex, disk
from sandtable.systems.panzer.hex.state import Unit
from sandtable.systems.panzer.unit import Command, Spot, UnitId

__all__ = ["Choice", "Orders"]

AROUND = 3
"""Hexes around a vehicle in which a place to move to is looked for."""


class Choice(NamedTuple):
    """A command and what it is worth."""

    command: Command
    worth: float
    reasons: Callable[[], Sequence[Reason]]


class Orders:
    """Gives commands, one vehicle after another."""

    def __init__(self, plan: Plan, *, quick: bool) -> None:
        self.plan = plan
        self.picture = plan.picture
        self.quick = quick
        self._left: dict[UnitId, float] = {}
        """What is left of each target when those that have a FIRE command have fired."""

    def choices(self, unit: Unit, legal: Sequence[str]) -> list[Choice]:
        """The commands open to a vehicle, the best first."""
        found = sorted(self._choices(unit, {Command(value) for value in legal}), key=lambda one: -one.worth)
        if found and found[0].command in (Command.FIRE, Command.SHORT_HALT):
            self._reserve(unit, found[0].command)
        return found

    def _choices(self, unit: Unit, legal: set[Command]) -> Iterator[Choice]:
        if unit.hex is None:
            gain = self._best_move(unit)
            yield Choice(Command.MOVE, gain, lambda: [Reason("comes in", gain)])
            yield Choice(Command.NONE, 0.0, list)
            return
        here = unit.hex
        now = self._danger_now(unit)
        stays = self.plan.place(unit, here, unit.facing)
        hidden = stays + self._hiding(unit)
        if Command.FIRE in legal:
            shot = self.picture.weights.shot * self._shot(unit, 0)
            yield _choice(Command.FIRE, ("shot", shot), ("place", stays))
        if Command.OVERWATCH in legal:
            yield _choice(Command.OVERWATCH, ("shots at what shows itself", self._watch(unit)), ("place", hidden))
        yield _choice(Command.NONE, ("place", hidden - 0.5))
        if Command.MOVE in legal:
            yield _choice(
                Command.MOVE,
                ("best place", self._best_move(unit)),
                ("harder to hit", self.picture.weights.moving_helps * now),
            )
        if Command.SHORT_HALT in legal:
            shot = self.picture.weights.shot * self._shot(unit, self.picture.book.gunnery.short_halt[unit.card])
            there = 0.5 * (self._best_move(unit) + stays)
            yield _choice(
                Command.SHORT_HALT,
                ("shot", shot),
                ("place", there),
                ("harder to hit", self.picture.weights.moving_helps * now),
            )

    # --- fire -------------------------------------------------------------------------------------------

    def _targets(self, unit: Unit) -> Iterator[tuple[Unit, float]]:
        for target_id in self.picture.state.spotted.get(unit.id, ()):
            target = self.picture.unit(target_id)
            if target.in_play:
                yield target, self._left.get(target_id, 1.0) * self.picture.value(target)

    def _shot(self, unit: Unit, net: int) -> float:
        """Points that the best shot takes, on average."""
        gunnery, here = self.picture.book.gunnery, unit.hex
        best = 0.0
        for target, value in self._targets(unit):
            if here is not None and target.hex is not None:
                best = max(best, value * gunnery.strike(unit, here, target, target.hex, target.facing, net).share)
        return best

    def _reserve(self, unit: Unit, command: Command) -> None:
        """Note what will be left of the target that the vehicle means to fire on."""
        gunnery, here = self.picture.book.gunnery, unit.hex
        net = gunnery.short_halt[unit.card] if command is Command.SHORT_HALT else 0
        best, chosen = 0.0, None
        for target, value in self._targets(unit):
            if here is None or target.hex is None:
                continue
            share = gunnery.strike(unit, here, target, target.hex, target.facing, net).share
            if share * value > best:
                best, chosen = share * value, (target.id, share)
        if chosen is not None:
            self._left[chosen[0]] = self._left.get(chosen[0], 1.0) * (1 - chosen[1])

    def _watch(self, unit: Unit) -> float:
        """Points that overwatch takes: from enemies in view who fire, and from those who move into or through it."""
        picture, here = self.picture, unit.hex
        if here is None or not picture.book.armed[unit.card]:
            return 0.0
        nothing = 1.0
        best = 0.0
        for target in picture.theirs:
            worth, chance = self._ambush(unit, here, target)
            best = max(best, worth)
            nothing *= 1 - chance
        return self.picture.weights.watch * self.plan.style.patience * best * (1 - nothing)

    def _ambush(self, unit: Unit, here: Hex, target: Unit) -> tuple[float, float]:
        """What a shot at an enemy who shows himself is worth, and the chance that he does."""
        gunnery, ranges = self.picture.book.gunnery, self.picture.book.gunnery.ranges
        intent = self.picture.intent(target)
        best = chance = 0.0
        b = target.hex
        if b is not None and ranges[here, b] <= gunnery.spotted_from(b, Spot.FIRE):
            net = gunnery.watching(unit.card, here, unit.facing, b)
            best = gunnery.strike(unit, here, target, b, target.facing, net).share
            chance = intent.fires
        for b in intent.way if intent.moves else ():
            if ranges[here, b] <= gunnery.spotted_from(b, Spot.MOVE):
                net = gunnery.watching(unit.card, here, unit.facing, b) + gunnery.moving
                share = gunnery.strike(unit, here, target, b, target.facing, net).share
                if share > 0:
                    best = max(best, share)
                    chance = intent.fires + intent.moves
        return best * self.picture.value(target), chance if best else 0.0

    # --- danger -----------------------------------------------------------------------------------------

    def _danger_now(self, unit: Unit) -> float:
        """Points that the enemies who have the vehicle spotted may take this turn."""
        picture = self.picture
        gunnery = picture.book.gunnery
        safe = 1.0
        for gun in picture.their_guns:
            if gun.hex is not None and unit.hex is not None and unit.id in picture.state.spotted.get(gun.id, ()):
                safe *= 1 - gunnery.strike(gun, gun.hex, unit, unit.hex, unit.facing).share
        return (1 - safe) * picture.value(unit) * self.plan.care

    def _hiding(self, unit: Unit) -> float:
        """Points that a vehicle saves when it neither fires nor moves and so is harder to spot."""
        picture, here = self.picture, unit.hex
        if here is None:
            return 0.0
        shown = picture.danger(unit, here, unit.facing)
        quiet = picture.danger(unit, here, unit.facing, unit.spot)
        return self.picture.weights.danger * (shown - quiet) * picture.value(unit) * self.plan.care

    # --- moves ------------------------------------------------------------------------------------------

    def _best_move(self, unit: Unit) -> float:
        """What the best place is worth that a move is likely to reach."""
        return max((self.plan.place(unit, hex, None) for hex in self._places(unit)), default=0.0)

    def _places(self, unit: Unit) -> set[Hex]:
        picture = self.picture
        context = picture.book.context
        aim = self.plan.alone(unit)
        field = picture.book.travel.field(aim.goal, context.cards[unit.card].movement)
        if unit.hex is None:
            way = picture.enter(unit, field)
            return {stop.hex for stop in way[2]} if way is not None else set()
        places = {stop.hex for stop in picture.march(unit, field)}
        if not self.quick:
            known = context.ground.places
            reach = min(AROUND, context.cards[unit.card].movement.cross_country // 2)
            places.update(hex for hex in disk(unit.hex, reach) if hex in known)
        places.discard(unit.hex)
        return places


def _choice(command: Command, *parts: tuple[str, float]) -> Choice:
    worth = sum(points for _, points in parts)
    return Choice(command, worth, lambda: [Reason(what, round(points, 2)) for what, points in parts])
