"""6.5.1 The Indirect Fire step: first the First Player's fire, then the Second Player's.

Both are asked whatever they have, so that nobody learns of batteries that have not fired yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Protocol

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed, Opened
from sandtable.geo.hex import Hex, distance
from sandtable.systems.panzer.combat.wreck_smoke import smoke_takes_effect
from sandtable.systems.panzer.command.sharing import reveal
from sandtable.systems.panzer.fires.missions import Battery, BatteryId, Mission, MissionKind, Pattern, refuse_pattern
from sandtable.systems.panzer.fires.planned import may_arrive, must_arrive, step_at
from sandtable.systems.panzer.frames import IndirectFire
from sandtable.systems.panzer.hex import mission_events as me
from sandtable.systems.panzer.hex.actions import (
    Action,
    AdjustFire,
    CallFire,
    CheckFire,
    ContinueFire,
    Decline,
    StartPlan,
)
from sandtable.systems.panzer.hex.fires.calls import (
    ADJUSTMENT,
    able_sources,
    mission_named,
    observers,
    refuse_adjustment,
    refuse_call,
    refuse_continuing,
    source_sets,
    spotted_hexes,
    unsighted,
    why_unobserved,
)
from sandtable.systems.panzer.hex.fires.impact import end_mission, fire_mission
from sandtable.systems.panzer.hex.fires.sheaves import fire_words
from sandtable.systems.panzer.hex.fires.sources import source_of
from sandtable.systems.panzer.hex.handler import Handler, Play
from sandtable.systems.panzer.hex.state import Responding, State
from sandtable.systems.panzer.unit import Command, UnitId

__all__ = ["IndirectFireHandler", "planned_fire"]

BOOK = ("panzer-na",)


def plan_name(battery: BatteryId) -> str:
    """The name of a battery's Planned fire."""
    return f"{battery}-plan"


@rule("6.5.1.11", "6.5.1.11.1", "6.5.1.11.2", "6.5.1.11.3", editions=BOOK)
def _planned(state: State, battery: Battery[Hex]) -> Mission[Hex] | None:
    """The Planned fire of a battery as its plot has it for this turn; None if it has none (6.5.1.11)."""
    if battery.plot is None or not (
        battery.begun or may_arrive(battery, state.turn) or must_arrive(battery, state.turn)
    ):
        return None
    begun = battery.begun or state.turn
    step = step_at(battery.plot, begun, state.turn)
    fired = mission_named(state, plan_name(battery.id))
    if step is None or battery.used >= state.turn or (fired is not None and fired.turn >= state.turn):
        return None
    return Mission(
        id=plan_name(battery.id),
        side=battery.side,
        sources=(battery.id,),
        target=step.target,
        pattern=step.pattern,
        way=step.way,
        kind=step.kind,
        begun=begun,
    )


def planned_fire(state: State, battery: BatteryId) -> Mission[Hex] | None:
    """The Planned fire of a battery for this turn, if its plot is known and has any."""
    return _planned(state, state.batteries[battery]) if battery in state.batteries else None


def _refuse_plan(state: State, frame: IndirectFire, action: StartPlan) -> Refusal | None:
    battery = state.batteries.get(action.battery)
    if battery is None or battery.side != frame.player:
        return Refusal(
            "6.5.1.11", f"{action.battery!r} is no battery of {frame.player}", "name an off-map battery of yours"
        )
    if _planned(state, battery) is None:
        return Refusal("6.5.1.11.2", f"{battery.id} has no Planned fire for turn {state.turn}", "its turn, or one off")
    return None


@rule("6.5.1.9", editions=BOOK)
def _refuse_check(state: State, frame: IndirectFire, action: CheckFire) -> Refusal | None:
    """Why fire may not be checked: Planned fire never is (6.5.1.9)."""
    mission = mission_named(state, action.mission)
    if mission is None or mission.side != frame.player:
        return Refusal("6.5.1.9", f"{frame.player} has no fire {action.mission!r}", "name one of your fires")
    if mission.is_planned:
        return Refusal("6.5.1.9", f"{action.mission} is Planned fire", "it follows its plot")
    if mission.turn >= state.turn:
        return Refusal("6.5.1.9", f"{action.mission} has fired this turn", "check it next turn")
    return None


class _Caller(Protocol):
    """Words a call or an adjustment."""

    def __call__(
        self, sources: tuple[str, ...], hex: Hex, kind: MissionKind, pattern: Pattern, way: int
    ) -> CallFire | AdjustFire: ...


_Judge = Callable[[Any], Refusal | None]


def _step_of(play: Play) -> IndirectFire:
    """The step that is played."""
    frame = play.state.stack[-1]
    assert isinstance(frame, IndirectFire)  # noqa: S101 - nothing lies on top of it
    return frame


@rule("6.5.1", "6.6.7.2", editions=BOOK)
def _show_observer(play: Play, observer: UnitId) -> None:
    """His OW command lies face up; of a passenger's vehicle another command is nobody's business (6.6.7.2)."""
    holder = play.state.units[play.state.units[observer].markers.carrier or observer]
    if holder.command is Command.OVERWATCH:
        reveal(play, holder.id)


class IndirectFireHandler(Handler[IndirectFire]):
    """6.5.1: a player's part of the step."""

    frame = IndirectFire
    answers = (CallFire, AdjustFire, ContinueFire, CheckFire, StartPlan, Decline)

    def question(self, state: State, frame: IndirectFire) -> Asking:
        """The player of the step, whatever he has."""
        return Asking("6.5.1", "Call, adjust or check Indirect Fire", (frame.player,), guards=True)

    # --- answers ---

    def options(self, state: State, frame: IndirectFire, seat: Seat) -> Node[Action]:
        """No more; fire that goes on; fire that is called; plots."""
        return Pick(lambda: self._ways(state, frame))

    def _ways(self, state: State, frame: IndirectFire) -> Iterator[Branch[Action]]:
        yield Branch("pass", "pass", "no more Indirect Fire; what fires goes on", Leaf(Decline()))
        for mission in state.missions:
            if mission.side == frame.player and not mission.is_planned and mission.turn < state.turn:
                label = self.context.game_map.label(mission.target)
                then = Pick(partial(self._mission_ways, state, frame, mission))
                yield Branch(mission.id, "mission", f"Fire of {mission.observer} on {label}", then, label, is_hex=True)
        for battery_id, battery in sorted(state.batteries.items()):
            if battery.side == frame.player and _planned(state, battery) is not None:
                yield Branch(f"plan {battery_id}", "plan", f"Planned fire of {battery_id}", Leaf(StartPlan(battery_id)))
        for unit in observers(self.context, state, frame):
            then = Pick(partial(self._target_ways, state, frame, unit.id))
            if next(iter(then.branches()), None) is not None:
                label = f"{self.context.cards[unit.card].name} {unit.id} calls fire"
                yield Branch(unit.id, "unit", label, then, unit.id)

    def _mission_ways(self, state: State, frame: IndirectFire, mission: Mission[Hex]) -> Iterator[Branch[Action]]:
        yield Branch("check", "order", "Check the fire", Leaf(CheckFire(mission.id)))
        for kind in MissionKind:
            if refuse_continuing(self.context, state, frame, mission.id, kind) is None:
                yield Branch(
                    f"continue {kind.value}", "order", f"Go on: {kind.value}", Leaf(ContinueFire(mission.id, kind))
                )
        then = Pick(partial(self._adjusted_ways, state, frame, mission))
        if next(iter(then.branches()), None) is not None:
            yield Branch("adjust", "order", "Adjust the fire", then)

    def _adjusted_ways(self, state: State, frame: IndirectFire, mission: Mission[Hex]) -> Iterator[Branch[Action]]:
        spotted = spotted_hexes(state, mission.observer)
        hexes = {hex for hex in spotted if distance(hex, mission.target) <= ADJUSTMENT}
        if any(distance(hex, mission.target) <= 1 for hex in spotted):
            hexes.add(mission.target)

        def call(sources: tuple[str, ...], hex: Hex, kind: MissionKind, pattern: Pattern, way: int) -> AdjustFire:
            return AdjustFire(mission.id, sources, hex, kind, pattern, way)

        for hex in sorted(hexes):
            plain = call((), hex, MissionKind.GP, Pattern.CLOSED, -1)
            sets = partial(source_sets, self.context, state, frame, plain, kept=unsighted(state, mission, hex))
            allowed = partial(refuse_adjustment, self.context, state, frame)
            yield from self._below(state, hex, sets, call, allowed)

    def _target_ways(self, state: State, frame: IndirectFire, observer: UnitId) -> Iterator[Branch[Action]]:
        def call(sources: tuple[str, ...], hex: Hex, kind: MissionKind, pattern: Pattern, way: int) -> CallFire:
            return CallFire(observer, sources, hex, kind, pattern, way)

        for hex in sorted(spotted_hexes(state, observer)):
            plain = call((), hex, MissionKind.GP, Pattern.CLOSED, -1)
            sets = partial(source_sets, self.context, state, frame, plain)
            yield from self._below(state, hex, sets, call, partial(refuse_call, self.context, state, frame))

    @rule("6.5.1", "6.5.1.1", editions=BOOK)
    def _below(
        self, state: State, hex: Hex, sets: Callable[[], Iterator[tuple[str, ...]]], call: _Caller, refuse: _Judge
    ) -> Iterator[Branch[Action]]:
        """A Target Point, then the sources and their order, then what they fire in which pattern."""

        def of_sources(sources: tuple[str, ...]) -> Iterator[Branch[Action]]:
            for kind, pattern, way in self._fires(state, sources):
                action = call(sources, hex, kind, pattern, way)
                if refuse(action) is None:
                    yield Branch(*fire_words(kind, pattern, way), Leaf(action))

        def in_order(named: tuple[str, ...], left: tuple[str, ...]) -> Node[Action]:
            if len(left) <= 1:
                return Pick(partial(of_sources, (*named, *left)))
            return Pick(partial(of_next, named, left))

        def of_next(named: tuple[str, ...], left: tuple[str, ...]) -> Iterator[Branch[Action]]:
            """Which of the sources rolls and falls next: any order will do (6.5.1.1)."""
            place = "next" if named else "first"
            for source in left:
                then = in_order((*named, source), tuple(one for one in left if one != source))
                yield Branch(source, "order", f"{self._names(state, (source,))} {place}", then)

        def of_hex() -> Iterator[Branch[Action]]:
            for sources in sets():
                if next(of_sources(sources), None) is not None:
                    yield Branch("+".join(sources), "sources", self._names(state, sources), in_order((), sources))

        label = self.context.game_map.label(hex)
        then = Pick(of_hex)
        if next(iter(then.branches()), None) is not None:
            yield Branch(label, "hex", f"Target Point {label}", then, label, is_hex=True)

    def _names(self, state: State, sources: tuple[str, ...]) -> str:
        found = [source_of(self.context, state, source) for source in sources]
        return " and ".join(source.name for source in found if source is not None)

    def _fires(self, state: State, sources: tuple[str, ...]) -> Iterator[tuple[MissionKind, Pattern, int]]:
        """What these sources can fire together, in which patterns."""
        found = [source_of(self.context, state, source) for source in sources]
        off_map = any(source is not None and source.off_map for source in found)
        for kind in MissionKind:
            if not all(source is not None and kind in source.kinds for source in found):
                continue
            patterns = [(pattern, -1) for pattern in Pattern] + [(Pattern.LINEAR, way) for way in range(6)]
            for pattern, way in patterns:
                if refuse_pattern(kind, pattern, way, off_map=off_map) is None:
                    yield kind, pattern, way

    def refusal(self, state: State, frame: IndirectFire, seat: Seat, action: Action) -> Refusal | None:
        """Calls without an observer, out of range, sheaves that do not fit, and the like."""
        match action:
            case CallFire():
                return refuse_call(self.context, state, frame, action)
            case AdjustFire():
                return refuse_adjustment(self.context, state, frame, action)
            case ContinueFire():
                return refuse_continuing(self.context, state, frame, action.mission, action.kind)
            case CheckFire():
                return _refuse_check(state, frame, action)
            case StartPlan():
                return _refuse_plan(state, frame, action)
            case _:
                return None

    # --- what comes of them ---

    def apply(self, play: Play, frame: IndirectFire, seat: Seat, action: Action) -> None:
        """Fire is called, goes on or is checked; or the step ends."""
        match action:
            case CallFire():
                mission = Mission(
                    id=f"{action.observer}-{play.state.turn}",
                    side=seat,
                    observer=action.observer,
                    sources=action.sources,
                    target=action.hex,
                    pattern=action.pattern,
                    way=action.way,
                    kind=action.kind,
                )
                self._call(play, frame, mission, ())
            case AdjustFire():
                before = mission_named(play.state, action.mission)
                assert before is not None  # noqa: S101 - it is not refused
                mission = replace(
                    before,
                    sources=action.sources,
                    target=action.hex,
                    pattern=action.pattern,
                    way=action.way,
                    kind=action.kind,
                )
                self._call(play, frame, mission, before.sources)
            case ContinueFire():
                self._go_on(play, frame, action.mission, action.kind)
            case CheckFire():
                self._check(play, frame, action.mission, "6.5.1.9", f"{seat.title()} checks it")
            case StartPlan():
                planned = _planned(play.state, play.state.batteries[action.battery])
                assert planned is not None  # noqa: S101 - it is not refused
                fire_mission(self.context, play, planned)
            case _:
                play.emit(Changed(replace(frame, ending=True)))

    @rule("6.5.1.1", "6.5.1.8.2", editions=BOOK)
    def _call(self, play: Play, frame: IndirectFire, mission: Mission[Hex], firing: tuple[str, ...]) -> None:
        """The call is announced: the commands of observer and units lie face up, and every source rolls (6.5.1.1)."""
        spent = (*frame.spent, mission.observer, *mission.sources)
        play.emit(Changed(replace(frame, spent=spent)))
        play.emit(me.FireCalled(mission, adjusted=bool(firing)))
        _show_observer(play, mission.observer)
        for unit in (UnitId(one) for one in mission.sources if one in play.state.units):
            reveal(play, unit)
        play.emit(Opened(Responding(mission, mission.sources, firing=firing)))

    @rule("6.5.1.8", "6.5.1.8.1", editions=BOOK)
    def _go_on(self, play: Play, frame: IndirectFire, name: str, kind: MissionKind) -> None:
        """Fire goes on without a roll for response, but for those who spot the target themselves (6.5.1.8.1, 6.5.1)."""
        before = mission_named(play.state, name)
        assert before is not None  # noqa: S101 - it is not refused
        mission = replace(before, sources=unsighted(play.state, before, before.target))
        play.emit(Changed(replace(frame, spent=(*frame.spent, mission.observer, *mission.sources))))
        _show_observer(play, mission.observer)
        fire_mission(self.context, play, replace(mission, kind=kind))

    @rule("6.5.1.9", editions=BOOK)
    def _check(self, play: Play, frame: IndirectFire, name: str, cited: str, reason: str) -> None:
        """Neither observer nor guns take part in other Indirect Fire this turn (6.5.1.9).

        The observer of fire that went astray keeps what he called and fell where he wanted it.
        """
        mission = mission_named(play.state, name)
        assert mission is not None  # noqa: S101 - it is not refused
        keeps = mission.danger_close and any(
            one.observer == mission.observer and not one.danger_close for one in play.state.missions
        )
        spent = mission.sources if keeps else (mission.observer, *mission.sources)
        play.emit(Changed(replace(frame, spent=(*frame.spent, *spent))))
        end_mission(play, mission, cited, reason)

    # --- what needs no answer ---

    def advance(self, play: Play, frame: IndirectFire) -> bool:
        """Fire that nobody observes is checked first; at the end what is left goes on, and the next player fires."""
        if not frame.begun:
            self._begin(play, frame)
            return True
        if not frame.ending:
            return False
        if not self._leftover(play, frame):
            smoke_takes_effect(play)
            other = IndirectFire(self.context.other(frame.player), first=False)
            play.emit(Changed(other) if frame.first else Closed())
        return True

    @rule("6.5.1.8", "6.5.1.9", "6.5.1.10", "6.5.1.11.1", editions=BOOK)
    def _begin(self, play: Play, frame: IndirectFire) -> None:
        """Fire checks by itself that is not observed any more, and plots that are over end (6.5.1.9)."""
        for mission in play.state.missions:
            if mission.side != frame.player:
                continue
            if mission.is_planned:
                # Whoever looks ahead without knowing the enemy's batteries takes the plot for over.
                battery = play.state.batteries.get(BatteryId(mission.sources[0]))
                if (
                    battery is None
                    or battery.plot is None
                    or step_at(battery.plot, battery.begun, play.state.turn) is None
                ):
                    end_mission(play, mission, "6.5.1.11.1", "its plot is over")
                continue
            why = why_unobserved(self.context, play.state, mission)
            if why is not None:
                self._check(play, _step_of(play), mission.id, *why)
                continue
            left = able_sources(self.context, play.state, mission)
            if left != mission.sources:
                play.emit(me.MissionSet(replace(mission, sources=left)))
        play.emit(Changed(replace(_step_of(play), begun=True)))

    @rule("6.5.1.8.1", "6.5.1.9", "6.5.1.11.2", editions=BOOK)
    def _leftover(self, play: Play, frame: IndirectFire) -> bool:
        """What was not spoken of: Planned fire that is due, called fire that goes on or else is checked."""
        state = play.state
        for _, battery in sorted(state.batteries.items()):
            due = battery.begun or must_arrive(battery, state.turn)
            planned = _planned(state, battery) if battery.side == frame.player and due else None
            if planned is not None:
                fire_mission(self.context, play, planned)
                return True
        for mission in state.missions:
            if mission.side != frame.player or mission.is_planned or mission.turn >= state.turn:
                continue
            if refuse_continuing(self.context, state, frame, mission.id, mission.kind) is None:
                self._go_on(play, frame, mission.id, mission.kind)
            else:
                self._check(play, frame, mission.id, "6.5.1.8.1", "it cannot go on there")
            return True
        return False
