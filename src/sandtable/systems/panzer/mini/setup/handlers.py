"""23.1.3 Set-up as questions: which zone, then vehicle after vehicle or platoon after platoon."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed, Opened
from sandtable.systems.panzer.frames import Frame
from sandtable.systems.panzer.mini import events as ev
from sandtable.systems.panzer.mini.actions import Action, ChooseZone, Deploy, Pattern
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.handler import Handler, Play
from sandtable.systems.panzer.mini.setup.placing import DeployPut
from sandtable.systems.panzer.mini.state import State
from sandtable.systems.panzer.percentile import D100
from sandtable.systems.panzer.unit import UnitId

__all__ = ["ChoosingZone", "ChoosingZoneHandler", "Deploying", "DeployingHandler", "open_set_up", "waiting_to_deploy"]

BOOK = ("panzer-mini",)
_TOGETHER = (Pattern.COLUMN, Pattern.LINE, Pattern.WEDGE)


class ChoosingZone(Frame, frozen=True):
    """23.1.3: the first force to set up says where."""

    player: Seat


class Deploying(Frame, frozen=True):
    """23.1.3: a force sets its vehicles up, then the others."""

    player: Seat
    after: tuple[Seat, ...] = ()


def waiting_to_deploy(state: State, player: str) -> list[UnitId]:
    """Vehicles of a force that have no place yet."""
    return [unit.id for unit in state.units.values() if unit.side == player and unit.in_play and unit.at is None]


@rule("2.0", editions=BOOK)
def open_set_up(context: Context, play: Play) -> None:
    """Who sets up first: as the scenario says, or the lower of two rolls (2.0, 23.1.3)."""
    seats = context.scenario.seats
    if not any(waiting_to_deploy(play.state, seat) for seat in seats):
        return
    plan = context.scenario.draft.set_up
    order = tuple(Seat(side) for side in plan.order) or _rolled(play, seats)
    for side, zone in plan.zones.items():
        play.emit(ev.ZoneChosen(Seat(side), zone))
    play.emit(Opened(Deploying(order[0], order[1:])))
    if plan.choice:
        play.emit(Opened(ChoosingZone(order[0])))


def _rolled(play: Play, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    while True:
        rolls = {seat: play.dice.roll(D100, f"set-up of {seat}").total for seat in seats}
        order = sorted(seats, key=lambda seat: rolls[seat])
        tied = rolls[order[0]] == rolls[order[1]]
        play.emit(ev.SetUpRolled(rolls, "" if tied else order[0]))
        if not tied:
            return tuple(order)


class ChoosingZoneHandler(Handler[ChoosingZone]):
    """23.1.3: either edge."""

    frame = ChoosingZone
    answers = (ChooseZone,)

    def question(self, state: State, frame: ChoosingZone) -> Asking:
        """The force that sets up first."""
        return Asking("23.1.3", "Choose where to set up", (frame.player,))

    def options(self, state: State, frame: ChoosingZone, seat: Seat) -> Node[Action]:
        """The two zones."""
        zones = self.context.scenario.draft.set_up.choice
        return Pick(lambda: [Branch(zone, "zone", zone, Leaf[Action](ChooseZone(zone))) for zone in zones])

    def refusal(self, state: State, frame: ChoosingZone, seat: Seat, action: Action) -> Refusal | None:
        """Another zone."""
        assert isinstance(action, ChooseZone)  # noqa: S101 - the only answer
        zones = self.context.scenario.draft.set_up.choice
        if action.zone not in zones:
            return Refusal("23.1.3", f"{action.zone!r} is no place to set up", f"one of {', '.join(zones)}")
        return None

    def apply(self, play: Play, frame: ChoosingZone, seat: Seat, action: Action) -> None:
        """The other force has the other one."""
        assert isinstance(action, ChooseZone)  # noqa: S101 - the only answer
        play.emit(ev.ZoneChosen(seat, action.zone))
        left = next(zone for zone in self.context.scenario.draft.set_up.choice if zone != action.zone)
        play.emit(ev.ZoneChosen(self.context.other(seat), left))
        play.emit(Closed())


class DeployingHandler(Handler[Deploying]):
    """23.1.3: vehicles are set down one after another, or platoon by platoon."""

    frame = Deploying
    answers = (Deploy,)

    def question(self, state: State, frame: Deploying) -> Asking:
        """The force that sets up."""
        return Asking("23.1.3", "Set up a vehicle or a platoon", (frame.player,))

    def options(self, state: State, frame: Deploying, seat: Seat) -> Node[Action]:
        """Whom to set down, how they stand, and where."""
        return Pick(partial(self._ways, state, frame.player))

    def _ways(self, state: State, player: Seat) -> Iterator[Branch[Action]]:
        waiting = waiting_to_deploy(state, player)
        for name, units in self._platoons(waiting).items():
            if next(self._patterns(state, units), None) is not None:
                yield Branch(name, "platoon", name, Pick(partial(self._patterns, state, units)))
        for unit in waiting:
            put = DeployPut(self.context, state, (unit,), Pattern.SINGLE)
            yield Branch(unit, "unit", self.context.name(state.units[unit]), put, unit)

    def _platoons(self, waiting: list[UnitId]) -> dict[str, tuple[UnitId, ...]]:
        """Platoons of which nobody is set up yet."""
        return {
            name: units
            for name, units in self.context.scenario.platoons.items()
            if len(units) > 1 and all(unit in waiting for unit in units)
        }

    def _patterns(self, state: State, units: tuple[UnitId, ...]) -> Iterator[Branch[Action]]:
        """The patterns for which there is room."""
        for pattern in _TOGETHER:
            put = DeployPut(self.context, state, units, pattern)
            if put.has_room():
                label = f"in {pattern.value}" if pattern is not Pattern.WEDGE else "as a wedge"
                yield Branch(pattern.value, "pattern", label, put)

    def refusal(self, state: State, frame: Deploying, seat: Seat, action: Action) -> Refusal | None:
        """Vehicles that are not to be set up, or not together, or not there."""
        assert isinstance(action, Deploy)  # noqa: S101 - the only answer
        waiting = waiting_to_deploy(state, frame.player)
        alone = len(action.units) == 1
        together = action.units in self._platoons(waiting).values()
        if not (alone and action.units[0] in waiting) and not together:
            return Refusal(
                "23.1.3", f"{', '.join(action.units) or 'nobody'} is not to be set up now", "a vehicle or platoon"
            )
        if alone != (action.pattern is Pattern.SINGLE):
            return Refusal(
                "23.1.3", f"{action.pattern.value!r} is no pattern for them", "single, or for a platoon another"
            )
        return DeployPut(self.context, state, action.units, action.pattern).judge(action.strokes).refusal

    def apply(self, play: Play, frame: Deploying, seat: Seat, action: Action) -> None:
        """They stand there."""
        assert isinstance(action, Deploy)  # noqa: S101 - the only answer
        put = DeployPut(self.context, play.state, action.units, action.pattern)
        play.emit(ev.UnitsPlaced(put.stands(action.strokes)))

    def advance(self, play: Play, frame: Deploying) -> bool:
        """The next force, when this one is done."""
        if waiting_to_deploy(play.state, frame.player):
            return False
        play.emit(Changed(Deploying(frame.after[0], frame.after[1:])) if frame.after else Closed())
        return True
