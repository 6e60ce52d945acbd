"""6.5.1.4, 6.5.1.11.1 What the artillery plots in secret before the first turn: registered points, Planned fire."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed
from sandtable.geo.hex import Hex, distance
from sandtable.systems.panzer.fires.missions import (
    Battery,
    BatteryId,
    MissionKind,
    Pattern,
    Plot,
    PlotStep,
    refuse_pattern,
)
from sandtable.systems.panzer.fires.planned import LONGEST, refuse_step
from sandtable.systems.panzer.frames import Plotting
from sandtable.systems.panzer.hex import mission_events as me
from sandtable.systems.panzer.hex.actions import Action, Decline, PlanFire, RegisterPoint
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.fires.sheaves import fire_words
from sandtable.systems.panzer.hex.handler import Handler, Play
from sandtable.systems.panzer.hex.state import State

__all__ = ["PlottingHandler", "plotting"]

BOOK = ("panzer-na",)


@rule("6.5.1.4", "6.5.1.11.1", editions=BOOK)
def plotting(context: Context) -> Plotting | None:
    """The question before the first turn, None where nothing may be plotted; it is put to both forces alike."""
    facts = context.scenario.artillery.values()
    if not any(battery.registers or battery.plans for battery in facts):
        return None
    first, *others = context.scenario.seats
    return Plotting(first, tuple(others))


@rule("6.5.1.4", editions=BOOK)
def _refuse_point(context: Context, state: State, seat: Seat, action: RegisterPoint) -> Refusal | None:
    """Why a point may not be registered (6.5.1.4)."""
    battery = state.batteries.get(action.battery)
    if battery is None or battery.side != seat:
        return Refusal("6.5.1.4", f"{action.battery!r} is no battery of {seat}", "name an off-map battery of yours")
    most = context.scenario.artillery[battery.id].registers
    if len(battery.registered) >= most:
        return Refusal("6.5.1.4", f"{battery.id} may have {most} Pre-Registered Points", "no more")
    if action.hex not in context.game_map:
        return Refusal("6.5.1.4", "not on the mapboard", "a hex of the mapboard")
    if action.hex in battery.registered:
        return Refusal("6.5.1.4", "registered already", "another hex")
    return None


@rule("6.5.1.11", "6.5.1.11.1", editions=BOOK)
def _refuse_line(context: Context, state: State, seat: Seat, action: PlanFire) -> Refusal | None:
    """Why a line may not be added to a plot (6.5.1.11.1)."""
    battery = state.batteries.get(action.battery)
    if battery is None or battery.side != seat:
        return Refusal("6.5.1.11.1", f"{action.battery!r} is no battery of {seat}", "an off-map battery")
    if not context.scenario.artillery[battery.id].plans:
        return Refusal(
            "6.5.1.11", f"{battery.id} has no Planned fire in this scenario", "have an observer call its fire"
        )
    if action.hex not in context.game_map:
        return Refusal("6.5.1.11.1", "not on the mapboard", "a hex of the mapboard")
    card = context.shelf.batteries[context.scenario.artillery[battery.id].card]
    barred = (action.kind is MissionKind.SMOKE and not card.smoke) or (
        action.kind is MissionKind.ILLUMINATION and not card.illumination
    )
    if barred:
        return Refusal("6.5.1.6", f"{card.name} fires no {action.kind.value}", "GP")
    return refuse_step(battery.plot, action.turn, _step(action), context.scenario.draft.turns, distance)


def _step(action: PlanFire) -> PlotStep[Hex]:
    return PlotStep(kind=action.kind, pattern=action.pattern, target=action.hex, way=action.way, turns=action.turns)


class PlottingHandler(Handler[Plotting]):
    """6.5.1.4, 6.5.1.11.1: line by line, until a force has no more to plot."""

    frame = Plotting
    answers = (RegisterPoint, PlanFire, Decline)

    def question(self, state: State, frame: Plotting) -> Asking:
        """One force after the other, whatever batteries it has."""
        return Asking(
            "6.5.1.4", "Plot Pre-Registered Points and Planned fire", (frame.player,), guards=True, secret=True
        )

    def options(self, state: State, frame: Plotting, seat: Seat) -> Node[Action]:
        """No more, a point, or a line of a plot."""
        return Pick(lambda: self._ways(state, seat))

    def _ways(self, state: State, seat: Seat) -> Iterator[Branch[Action]]:
        yield Branch("done", "pass", "nothing more to plot", Leaf(Decline()))
        for battery_id, battery in sorted(state.batteries.items()):
            if battery.side != seat:
                continue
            facts = self.context.scenario.artillery[battery_id]
            if len(battery.registered) < facts.registers:
                then = Pick(partial(self._points, state, seat, battery_id))
                yield Branch(f"register {battery_id}", "battery", f"Pre-Registered Point of {battery_id}", then)
            if facts.plans and (battery.plot is None or battery.plot.turns < LONGEST):
                then = Pick(partial(self._turns, state, seat, battery))
                yield Branch(f"plan {battery_id}", "battery", f"Planned fire of {battery_id}", then)

    def _points(self, state: State, seat: Seat, battery: BatteryId) -> Iterator[Branch[Action]]:
        for hex in sorted(self.context.game_map.hexes):
            action = RegisterPoint(battery, hex)
            if _refuse_point(self.context, state, seat, action) is None:
                label = self.context.game_map.label(hex)
                yield Branch(label, "hex", label, Leaf(action), label, is_hex=True)

    def _turns(self, state: State, seat: Seat, battery: Battery[Hex]) -> Iterator[Branch[Action]]:
        if battery.plot is not None:
            yield Branch("then", "turn", "and then", Pick(partial(self._fires, state, seat, battery, 0)))
            return
        for turn in range(1, self.context.scenario.draft.turns + 1):
            yield Branch(f"{turn}", "turn", f"turn {turn}", Pick(partial(self._fires, state, seat, battery, turn)))

    def _fires(self, state: State, seat: Seat, battery: Battery[Hex], turn: int) -> Iterator[Branch[Action]]:
        card = self.context.shelf.batteries[self.context.scenario.artillery[battery.id].card]
        kinds = [MissionKind.GP, *([MissionKind.SMOKE] if card.smoke else [])]
        kinds += [MissionKind.ILLUMINATION] if card.illumination else []
        patterns = [(pattern, -1) for pattern in Pattern] + [(Pattern.LINEAR, way) for way in range(6)]
        for kind in kinds:
            for pattern, way in patterns:
                if refuse_pattern(kind, pattern, way, off_map=True) is None:
                    plain = PlanFire(battery.id, Hex(0, 0), kind, pattern, way, 1, turn)
                    then = Pick(partial(self._lengths, state, seat, battery, plain))
                    yield Branch(*fire_words(kind, pattern, way), then)

    def _lengths(self, state: State, seat: Seat, battery: Battery[Hex], plain: PlanFire) -> Iterator[Branch[Action]]:
        left = LONGEST - (battery.plot.turns if battery.plot is not None else 0)
        for turns in range(1, left + 1):
            then = Pick(partial(self._targets, state, seat, replace(plain, turns=turns)))
            yield Branch(f"{turns} turns", "turns", f"{turns} turn{'s' if turns > 1 else ''}", then)

    def _targets(self, state: State, seat: Seat, plain: PlanFire) -> Iterator[Branch[Action]]:
        for hex in sorted(self.context.game_map.hexes):
            action = replace(plain, hex=hex)
            if _refuse_line(self.context, state, seat, action) is None:
                label = self.context.game_map.label(hex)
                yield Branch(label, "hex", label, Leaf(action), label, is_hex=True)

    def refusal(self, state: State, frame: Plotting, seat: Seat, action: Action) -> Refusal | None:
        """More than the scenario gives, and plots that do not hold together."""
        match action:
            case RegisterPoint():
                return _refuse_point(self.context, state, seat, action)
            case PlanFire():
                return _refuse_line(self.context, state, seat, action)
            case _:
                return None

    def apply(self, play: Play, frame: Plotting, seat: Seat, action: Action) -> None:
        """It is written down; or the next force plots."""
        match action:
            case RegisterPoint():
                battery = play.state.batteries[action.battery]
                points = (*battery.registered, action.hex)
                play.emit(me.FirePlotted(battery.id, points, battery.plot))
            case PlanFire():
                battery = play.state.batteries[action.battery]
                turn = action.turn if battery.plot is None else battery.plot.turn
                before = () if battery.plot is None else battery.plot.steps
                plot = Plot(turn, (*before, _step(action)))
                play.emit(me.FirePlotted(battery.id, battery.registered, plot))
            case _:
                play.emit(Changed(Plotting(frame.after[0], frame.after[1:])) if frame.after else Closed())
