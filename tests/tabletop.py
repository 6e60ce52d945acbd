"""Tabletop: a small game on a table without hexes, to try open questions with.

Two sides set tanks down near their edges (1.1), and take turns to put a template of shells somewhere (1.2) and to
drive (2.1): any way that a hand can draw, paid by the inch (2.2), over no hill's edge but by a slope and no stream
but by a bridge (2.3), through no house and onto nobody (2.4). Whoever has driven fires at what he sees ahead (3.1).
Frames, actions and events are here, the ground and what may be driven in `tests/tabletop_ground.py`, its pack and its
System in `tests/tabletop_system.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NewType

import msgspec
from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Node, Seat, Stroke
from sandtable.core.dice import DiceSpec
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed, FrameHandler, FrameRules, Opened
from sandtable.core.modifier import Breakdown
from sandtable.core.ruleset import Outcome, Resolution, Space, SystemCard
from sandtable.core.tree.drawing import Outline
from sandtable.core.view import Counter, Face, Patch, Prompt, Score, Track, View, Zone
from sandtable.geo.plane.bases import Base
from sandtable.geo.plane.points import Point, label
from sandtable.geo.plane.sight import PlaneSight
from sandtable.geo.plane.table import TableMap
from tests.tabletop_ground import (
    SIZE,
    TEMPLATE,
    DrivePath,
    Field,
    ShellPut,
    TankPut,
    ahead_of,
    sight_of,
    struck,
    target_of,
)

RED, BLUE = Seat("red"), Seat("blue")
SEATS = (RED, BLUE)
ONE_DIE = DiceSpec(1, 6)
TankId = NewType("TankId", str)

CARD = SystemCard(
    id="tabletop",
    title="Tabletop",
    rulebook="The Book of the Table",
    version=1,
    package="tests.tabletop",
    pack="tabletop",
    players=2,
    hidden=False,
    chance=True,
    simultaneous=False,
    space=Space.PLANE,
)


class Tank(msgspec.Struct, frozen=True):
    id: TankId
    side: Seat
    at: Point | None = None
    heading: int = 0
    up: bool = True


class Frame(msgspec.Struct, frozen=True, tag=True):
    """An open question."""


class Deploying(Frame, frozen=True):
    tank: TankId


class Shelling(Frame, frozen=True):
    side: Seat


class Driving(Frame, frozen=True):
    tank: TankId


class State(msgspec.Struct, frozen=True):
    turn: int
    tanks: dict[TankId, Tank]
    stack: tuple[Frame, ...] = ()
    left: tuple[str, ...] = ()
    """What is still to be done this turn: sides that shell, tanks that drive."""
    holes: tuple[tuple[Point, int], ...] = ()
    """Where shells fell last."""
    ended: str = ""


class Action(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """What a player says."""


class Deploy(Action, frozen=True):
    tank: TankId
    strokes: tuple[Stroke, ...]


class Shell(Action, frozen=True):
    strokes: tuple[Stroke, ...]


class Drive(Action, frozen=True):
    tank: TankId
    strokes: tuple[Stroke, ...]


class Fact(msgspec.Struct, frozen=True, tag=True):
    """What happened."""


class TurnBegan(Fact, frozen=True):
    turn: int
    left: tuple[str, ...]


class StepBegan(Fact, frozen=True):
    pass


class Placed(Fact, frozen=True):
    tank: TankId
    at: Point
    heading: int


class Fell(Fact, frozen=True):
    at: Point
    heading: int
    tanks: tuple[TankId, ...]


class Rolled(Fact, frozen=True):
    tank: TankId
    roll: int
    needed: Breakdown
    hit: bool


class GameEnded(Fact, frozen=True):
    why: str


Event = Opened[Frame] | Changed[Frame] | Closed | Fact
Play = Resolution[State, Event]


class Book(msgspec.Struct, frozen=True):
    """What never changes in a game."""

    table: TableMap
    turns: int
    tanks: int

    def field(self, state: State) -> Field:
        """The table with what stands on it."""
        standing: dict[str, tuple[Point, int]] = {
            tank.id: (tank.at, tank.heading) for tank in state.tanks.values() if tank.up and tank.at is not None
        }
        return Field(self.table, standing)


class Handler(FrameHandler[Book, State, Action, Event, Any]):
    """A question that is answered with a drawing."""

    def node(self, state: State, frame: Any, seat: Seat) -> Any:
        raise NotImplementedError

    def options(self, state: State, frame: Any, seat: Seat) -> Node[Action]:
        node: Node[Action] = self.node(state, frame, seat)
        return node

    def refusal(self, state: State, frame: Any, seat: Seat, action: Action) -> Refusal | None:
        node = self.node(state, frame, seat)
        strokes = node.strokes_of(action)
        if strokes is None:
            return Refusal("1.0", "another tank is asked for", str(getattr(frame, "tank", "")))
        refusal: Refusal | None = node.judge(strokes).refusal
        return refusal

    def hit(self, play: Play, target: TankId, number: str, why: str, needs: int) -> None:
        needed = Breakdown("To Hit", number, base=needs, base_label=why)
        roll = play.dice.roll(ONE_DIE, f"{why}: {target}", cuts=(needs - 1,)).total
        play.emit(Rolled(target, roll, needed, hit=roll >= needs))


class DeployingHandler(Handler):
    """1.1: tanks are set down near the edge of their side."""

    frame = Deploying
    answers = (Deploy,)

    def question(self, state: State, frame: Deploying) -> Asking:
        return Asking("1.1", f"Set {frame.tank} down", (state.tanks[frame.tank].side,))

    @rule("1.1")
    def node(self, state: State, frame: Deploying, seat: Seat) -> TankPut[Action]:
        def word(strokes: tuple[Stroke, ...]) -> Action:
            return Deploy(frame.tank, strokes)

        north = state.tanks[frame.tank].side == RED
        return TankPut(self.context.field(state), word, _of(Deploy, frame.tank), north=north)

    def apply(self, play: Play, frame: Deploying, seat: Seat, action: Any) -> None:
        (stroke,) = action.strokes
        play.emit(Placed(frame.tank, Point(*stroke.at), stroke.heading))
        play.emit(Closed())


class ShellingHandler(Handler):
    """1.2: shells fall somewhere, not near one's own."""

    frame = Shelling
    answers = (Shell,)

    def question(self, state: State, frame: Shelling) -> Asking:
        return Asking("1.2", "Put the shells somewhere", (frame.side,))

    @rule("1.2")
    def node(self, state: State, frame: Shelling, seat: Seat) -> ShellPut[Action]:
        own = [tank.at for tank in state.tanks.values() if tank.side == frame.side and tank.up and tank.at is not None]
        return ShellPut(self.context.field(state), Shell, _of(Shell, ""), own)

    def apply(self, play: Play, frame: Shelling, seat: Seat, action: Any) -> None:
        (stroke,) = action.strokes
        under = struck(self.context.field(play.state), Point(*stroke.at), stroke.heading)
        play.emit(Fell(Point(*stroke.at), stroke.heading, tuple(TankId(one) for one in under)))
        for tank in under:
            self.hit(play, TankId(tank), "1.2", "shells", 5)
        play.emit(Closed())


class DrivingHandler(Handler):
    """2.1-2.4, 3.1: a tank drives, then it fires."""

    frame = Driving
    answers = (Drive,)

    def question(self, state: State, frame: Driving) -> Asking:
        return Asking("2.1", f"Drive {frame.tank}", (state.tanks[frame.tank].side,))

    @rule("2.1")
    def node(self, state: State, frame: Driving, seat: Seat) -> DrivePath[Action]:
        def word(strokes: tuple[Stroke, ...]) -> Action:
            return Drive(frame.tank, strokes)

        return DrivePath(self.context.field(state), frame.tank, word, _of(Drive, frame.tank))

    @rule("3.1")
    def apply(self, play: Play, frame: Driving, seat: Seat, action: Any) -> None:
        way = self.node(play.state, frame, seat).way(action.strokes)
        at, heading = way.end
        play.emit(Placed(frame.tank, at, heading))
        enemies = [tank.id for tank in play.state.tanks.values() if tank.side != seat and tank.up]
        target = target_of(self.context.field(play.state), frame.tank, enemies)
        if target is not None:
            self.hit(play, TankId(target), "3.1", f"{frame.tank} fires", 4)
        play.emit(Closed())


def _of(kind: type, tank: str) -> Callable[[Any], tuple[Stroke, ...] | None]:
    """What reads the drawing of an action that is of a kind and about a tank."""

    def read(action: Any) -> tuple[Stroke, ...] | None:
        fits = isinstance(action, kind) and getattr(action, "tank", "") == tank
        return action.strokes if fits else None

    return read


def _placed(state: State, event: Placed) -> State:
    moved = replace(state.tanks[event.tank], at=event.at, heading=event.heading)
    return replace(state, tanks=state.tanks | {event.tank: moved})


def _rolled(state: State, event: Rolled) -> State:
    tank = state.tanks[event.tank]
    return replace(state, tanks=state.tanks | {tank.id: replace(tank, up=tank.up and not event.hit)})


class Tabletop(FrameRules[Book, State, Action, Event]):
    """The ruleset of one scenario."""

    card = CARD
    seats: tuple[Seat, ...] = SEATS
    base_state = State
    facts: Mapping[type, Callable[[State, Any], State]] = MappingProxyType(
        {
            TurnBegan: lambda state, event: replace(state, turn=event.turn, left=event.left),
            StepBegan: lambda state, event: replace(state, left=state.left[1:]),
            Placed: _placed,
            Fell: lambda state, event: replace(state, holes=((event.at, event.heading), *state.holes)[:2]),
            Rolled: _rolled,
            GameEnded: lambda state, event: replace(state, ended=event.why, stack=()),
        }
    )
    handlers = (DeployingHandler, ShellingHandler, DrivingHandler)

    @property
    def table(self) -> TableMap:
        return self.context.table

    def setup(self) -> State:
        names = [(TankId(f"{side[0]}{number + 1}"), side) for side in SEATS for number in range(self.context.tanks)]
        return self.state_type(turn=0, tanks={name: Tank(name, side) for name, side in names})

    def next_phase(self, play: Play) -> None:
        state = play.state
        waiting = [tank.id for tank in state.tanks.values() if tank.at is None]
        if waiting:
            play.emit(Opened(Deploying(waiting[0])))
        elif state.left:
            step = state.left[0]
            play.emit(StepBegan())
            if step in SEATS:
                play.emit(Opened(Shelling(Seat(step))))
            elif state.tanks[TankId(step)].up:
                play.emit(Opened(Driving(TankId(step))))
        elif state.turn < self.context.turns:
            play.emit(
                TurnBegan(state.turn + 1, tuple(step for side in SEATS for step in (side, *_of_side(state, side))))
            )
        else:
            play.emit(GameEnded("time is up"))

    @rule("4.1")
    def settle(self, play: Play) -> None:
        for side in SEATS:
            if not play.state.ended and not _of_side(play.state, side):
                play.emit(GameEnded(f"{side} has no tank left"))

    def conceal(self, state: State, seat: Seat | None) -> State:
        return state

    def redact(self, event: Event, seat: Seat | None) -> Event | None:
        return event

    def redact_action(self, action: Action, by: Seat, seat: Seat | None) -> Action | None:
        return action

    def reveals(self, event: Event) -> bool:
        return False

    def breakdowns(self, event: Event) -> tuple[Breakdown, ...]:
        return (event.needed,) if isinstance(event, Rolled) else ()

    def narrate(self, event: Event) -> str:
        match event:
            case TurnBegan(turn):
                return f"Turn {turn} begins."
            case Placed(tank, at):
                return f"{tank} stands at {label(at)}."
            case Fell(at, _, tanks):
                return f"Shells fall at {label(at)}{' on ' + ', '.join(tanks) if tanks else ''}."
            case Rolled(tank, roll):
                return f"A {roll}: {tank} {'is hit' if event.hit else 'is missed'}."
            case GameEnded(why):
                return f"The game is over: {why}."
            case _:
                return ""

    def describe(self, action: Action) -> str:
        about = getattr(action, "tank", "")
        drawn = "; ".join(map(str, getattr(action, "strokes", ())))
        return f"{type(action).__name__.lower()} {about} {drawn or 'stay'}".replace("  ", " ")

    def spends(self, action: Action) -> bool:
        return True

    def place(self, label: str) -> Point:
        return self.context.table.place(label)

    def consequence(self, before: State, after: State) -> str:
        lost = [key for key, tank in before.tanks.items() if tank.up and not after.tanks[key].up]
        return f"{', '.join(lost)} lost" if lost else "no effect"

    def view(self, state: State, seat: Seat | None) -> View:
        decision = self.decision(state)
        turns = tuple(map(str, range(1, self.context.turns + 1)))
        return View(
            seat=seat or "",
            tracks=(Track("turn", "Turn", turns, state.turn - 1),),
            counters=tuple(
                Counter(
                    tank.id,
                    tank.side,
                    Face("tank", tank.id, tank.id, tank.side),
                    hex=label(tank.at),
                    heading=tank.heading,
                    turret_heading=(tank.heading + 200) % 3600,
                    base=(SIZE, SIZE),
                )
                for tank in state.tanks.values()
                if tank.up and tank.at is not None
            ),
            hex_markers=(),
            boxes=(),
            scores=tuple(Score(side, count) for side, count in self._scores(state).items()),
            prompt=Prompt(decision.rule, decision.title, tuple(decision.asked), seat in decision.asked)
            if decision is not None
            else None,
            outcome=state.ended,
            state=state,
            patches=tuple(
                Patch("craters", Base(at, heading, TEMPLATE, TEMPLATE).outline, "Shells fell here")
                for at, heading in state.holes
            ),
        )

    outline_titles: Mapping[str, str] = MappingProxyType({"ahead": "Field of fire"})

    def outlines(self, state: State, seat: Seat | None, unit: str, what: str) -> tuple[Zone, ...]:
        tank = state.tanks.get(TankId(unit))
        if tank is None or tank.at is None:
            return ()
        return (Zone("Ahead", ahead_of(tank.at, tank.heading), "bad"),)

    def sight_line(self, state: State, a: Point, b: Point) -> PlaneSight:
        return sight_of(self.context.field(state), a, b)

    def sight_field(self, state: State, at: Point) -> tuple[Outline, ...]:
        return (ahead_of(at, 0),)

    def _scores(self, state: State) -> dict[str, int]:
        return {side: len(_of_side(state, side)) for side in SEATS}

    @rule("4.1")
    def outcome(self, state: State) -> Outcome | None:
        if not state.ended:
            return None
        scores = self._scores(state)
        best = max(scores.values())
        leaders = [side for side, count in scores.items() if count == best]
        return Outcome(leaders[0] if len(leaders) == 1 else "", state.ended, "4.1", scores)


def _of_side(state: State, side: Seat) -> list[TankId]:
    return [tank.id for tank in state.tanks.values() if tank.side == side and tank.up]
