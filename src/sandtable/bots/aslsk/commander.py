"""The doctrine of the Starter Kit: which part of it answers which question."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from sandtable.bots.aslsk.advancing import advance_ideas
from sandtable.bots.aslsk.ahead import SKILLED, Ahead, effort
from sandtable.bots.aslsk.armour.ambush import ambush_ideas
from sandtable.bots.aslsk.armour.brawl import alternate_ideas
from sandtable.bots.aslsk.armour.driving import continue_vehicle_ideas, drive_ideas, gain_of_driving
from sandtable.bots.aslsk.book import Book
from sandtable.bots.aslsk.evaluation import worth
from sandtable.bots.aslsk.firing import fire_ideas, first_fire_ideas
from sandtable.bots.aslsk.lurking import with_lurkers
from sandtable.bots.aslsk.marching import END, continue_ideas, gain_of_moving, move_ideas
from sandtable.bots.aslsk.melee import arrange_ideas, declare_ideas
from sandtable.bots.aslsk.recovering import continue_rout_ideas, rally_ideas, rout_ideas
from sandtable.bots.aslsk.settling import set_up_ideas
from sandtable.bots.aslsk.sketch import Sketch
from sandtable.bots.doctrine import Doctrine, Idea
from sandtable.bots.kept import Known
from sandtable.bots.policy import Question
from sandtable.bots.style import Level, Style
from sandtable.core.codec import digest
from sandtable.core.decision import Node, Options, Seat
from sandtable.core.dice import Cuts, Dice, DiceSpec, Roll
from sandtable.core.ruleset import Ruleset
from sandtable.systems.aslsk.common.actions import Action
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.hidden import veiled
from sandtable.systems.aslsk.common.stacking import fits
from sandtable.systems.aslsk.common.vehicle_actions import FlipVehicle
from sandtable.systems.aslsk.common.vehicles_here import own_vehicles_at
from sandtable.systems.aslsk.pieces.state import (
    Advances,
    CcStage,
    CloseCombat,
    Crowded,
    FirePhase,
    FirstFire,
    Frame,
    MovementPhase,
    Moving,
    Phase,
    Rallying,
    Routing,
    RoutPhase,
    SettingUp,
    State,
    Unit,
    Vehicle,
    VehicleMoving,
    Whereabouts,
)
from sandtable.systems.aslsk.rules import AslskRules

__all__ = ["AslskDoctrine", "doctrine", "is_grave"]

DOUBT = 0.001
"""Points by which answers must differ to be told apart at first sight; nearer ones are tried in imagined worlds."""

KEPT = 20_000
"""Answers of rollouts, or judgements, after which all are forgotten."""
KEPT_STATES = 4000
"""The same for what answers lead to: states are larger."""
ASTRAY = 0.3
"""Points by which the first sight of a beginner errs as a rule."""


class AslskDoctrine:
    """How to think about one scenario."""

    def __init__(self, ruleset: Ruleset[Any, Any, Any]) -> None:
        assert isinstance(ruleset, AslskRules)  # noqa: S101 - the doctrine of this system
        self.book = Book(ruleset.context)
        dark = self.book.context is not ruleset.context
        self.imagined = AslskRules(ruleset.card, self.book.context) if dark else ruleset
        """The rules of imagined worlds: where sight may not be checked, it is there what it seems to be (3.2.1)."""
        self.doubt = DOUBT
        self._ahead = Ahead(self)
        self._answers: Known[Hashable, Action] = Known(KEPT)
        """What :meth:`rollout` has answered: looks from one question, and from the next, come by the same positions."""
        self._led_to: Known[Hashable, State] = Known(KEPT_STATES)
        """What those answers lead to where no dice fall."""
        self._worths: Known[Hashable, float] = Known(KEPT)
        """What positions are worth: looks come out in the same ones, too."""

    def _sketch(self, state: State, seat: Seat, style: Style, rules: Context | None = None) -> Sketch:
        return Sketch(self.book, state, seat, style, rules=rules)

    def at(self, question: Question[Any], number: int, level: Level) -> tuple[Doctrine, Level]:
        """Captains look ahead to the end of the player turn where much hangs on an answer; beginners misjudge it."""
        if number < SKILLED:
            return self, level._replace(slips=ASTRAY / DOUBT)
        return (self._ahead, effort(number, level, question.known)) if is_grave(question.known) else (self, level)

    def ideas(self, question: Question[Any], style: Style, rng: Random) -> list[Idea]:
        """Promising answers, the best first; none that is not allowed."""
        rules: Context = question.ruleset.context  # type: ignore[attr-defined]
        sketch = self._sketch(question.known, question.seat, style, rules)
        found = self._think(sketch, question.options, rng)
        legal = [idea for idea in found if question.options.refusal(idea.answer) is None]
        return legal or [Idea(question.options.sample(rng), 0.0)]

    def slots(self, question: Question[Any], style: Style, rng: Random) -> list[list[Idea]] | None:
        """No question of this system is an assignment."""
        del question, style, rng
        return None

    def _think(self, sketch: Sketch, options: Options[Action], rng: Random | None = None) -> list[Idea]:
        frame = sketch.state.stack[-1]
        asked = _asked(sketch.state)
        return asked.ideas(sketch, frame, options.root, rng) if asked is not None else []

    def plan(self, question: Question[Any], style: Style) -> list[str]:
        """What the side is about."""
        sketch = self._sketch(question.known, question.seat, style._replace(plans=True))
        plan = sketch.plan()
        return plan.lines(sketch) if plan is not None else []

    # --- looking ahead ----------------------------------------------------------------------------------

    def imagine(self, question: Question[Any], style: Style, rng: Random) -> State:
        """A whole position: who is unseen somewhere in his zone, and movers who decide as they go."""
        del style
        state: State = question.known
        if state.phase is Phase.SETUP:
            return _placed(self.book, state, question.seat, rng)
        state = with_lurkers(self.book.context, state, self.book.grounds(question.seat), rng)
        stack = tuple(
            replace(frame, interrupted=True) if isinstance(frame, Moving | VehicleMoving) and not frame.plan else frame
            for frame in state.stack
        )
        return state if stack == state.stack else replace(state, stack=stack)

    def rollout(self, state: State, seat: Seat, style: Style, rng: Random) -> Action:
        """A quick, sound answer: the same wherever a position is the same."""
        return self._answer(_position(state, seat, style), state, seat, style, rng)

    def _answer(self, position: Hashable, state: State, seat: Seat, style: Style, rng: Random) -> Action:
        known = self._answers.get(position)
        if known is not None:
            return known
        decision = self.imagined.decision(state)
        assert decision is not None  # noqa: S101 - somebody is asked
        options: Options[Action] = decision.options(seat)
        # Who is hidden in an imagined world is hidden there too.
        found = self._think(self._sketch(veiled(self.imagined.context, state, seat), seat, style), options)
        for idea in found:
            if options.refusal(idea.answer) is None:
                answer: Action = idea.answer
                self._answers[position] = answer
                return answer
        return options.sample(rng)

    def go_on(self, state: State, seat: Seat, style: Style, rng: Random, dice: Dice) -> State:
        """The state after that answer, kept where no dice fall."""
        position = _position(state, seat, style)
        known = self._led_to.get(position)
        if known is not None:
            return known
        answer = self._answer(position, state, seat, style, rng)
        noted = _NotedDice(dice)
        after: State = self.imagined.resolve(state, seat, answer, noted).state
        # An answer that is not kept was drawn by chance.
        if not noted.rolled and position in self._answers:
            self._led_to[position] = after
        return after

    def is_over(self, begun: State, state: State) -> bool:
        """To the end of the move that is under way or begins, else to the end of the phase."""
        if (state.phase, state.attacker) != (begun.phase, begun.attacker):
            return True
        asked = _asked(state)
        return state is not begun and asked is not None and asked.begins

    def worth(self, state: State, seat: Seat, style: Style) -> float:
        """The points of a position."""
        position = _position(state, seat, style)
        known = self._worths.get(position)
        if known is None:
            known = worth(self._sketch(state, seat, style))
            self._worths[position] = known
        return known


class _NotedDice:
    """Dice of which it is noted whether they fell."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self.rolled = False

    def roll(self, dice: DiceSpec, why: str, cuts: Cuts = None) -> Roll:
        """Roll them."""
        self.rolled = True
        return self._dice.roll(dice, why, cuts)


def _position(state: State, seat: Seat, style: Style) -> Hashable:
    """What tells positions apart. A digest says nothing of the order of units, which decides between equals."""
    return digest(state), tuple(state.units), tuple(state.weapons), tuple(state.vehicles), seat, style


def _placed(book: Book, state: State, seat: Seat, rng: Random) -> State:
    """The state with the units that the other side has set up unseen in hexes of their zones (1.3)."""
    context = book.context
    for unit in state.units.values():
        if unit.side == seat or unit.place is not Whereabouts.TO_SET_UP or unit.side not in state.set_up:
            continue
        zone = sorted(context.scenario.zones[unit.force])
        free = [hex for hex in zone if fits(context, state, hex, unit.side, (unit,))]
        hex = free[int(rng.random() * len(free))]
        state = replace(state, units={**state.units, unit.id: replace(unit, place=Whereabouts.MAP, hex=hex)})
    return state


def _gains(sketch: Sketch) -> Callable[[Unit], float]:
    """What each unit gains by moving, worked out once."""
    known: dict[str, float] = {}

    def gain(unit: Unit) -> float:
        if sketch.state.phase is not Phase.PREP_FIRE:
            return 0.0
        if unit.id not in known:
            known[unit.id] = gain_of_moving(sketch, unit)
        return known[unit.id]

    return gain


def _drive_gains(sketch: Sketch) -> Callable[[Vehicle], float]:
    """What each vehicle gains by moving, worked out once."""
    known: dict[str, float] = {}

    def gain(vehicle: Vehicle) -> float:
        if vehicle.id not in known:
            known[vehicle.id] = gain_of_driving(sketch, vehicle)
        return known[vehicle.id]

    return gain


def _combat_ideas(sketch: Sketch, frame: CloseCombat, root: Node[Action]) -> list[Idea]:
    if frame.stage is CcStage.ARRANGE:
        return arrange_ideas(sketch, root)
    if frame.stage is CcStage.ALTERNATE:
        return alternate_ideas(sketch, frame, root)
    return declare_ideas(sketch, frame, root)


def _movement_ideas(sketch: Sketch, frame: MovementPhase) -> list[Idea]:
    """Vehicles move first and draw the fire; what they do is weighed with the end of all moves."""
    driven = drive_ideas(sketch) if sketch.state.vehicles else []
    return [*driven, END] if driven else move_ideas(sketch, frame)


def _crowded_ideas(sketch: Sketch, frame: Crowded) -> list[Idea]:
    """Of two vehicles in a hex the one that is worth less is turned over (3.3.2)."""
    there = own_vehicles_at(sketch.state, frame.hex, sketch.seat)
    found = [Idea(FlipVehicle(one.id), -sketch.price_of(one)) for one in there]
    return sorted(found, key=lambda idea: -idea.worth)


class _Asked(NamedTuple):
    """How a question is thought about."""

    ideas: Callable[[Sketch, Any, Node[Action], Random | None], list[Idea]]
    is_grave: bool = False
    """Whether a turn hangs on it."""
    begins: bool = False
    """Whether it is a new beginning: what was under way is over."""


_QUESTIONS: dict[type[Frame], _Asked] = {
    SettingUp: _Asked(lambda sketch, _, __, rng: set_up_ideas(sketch, rng)),
    Rallying: _Asked(lambda sketch, frame, root, _: rally_ideas(sketch, frame, root)),
    FirePhase: _Asked(
        lambda sketch, frame, _, __: fire_ideas(sketch, frame, _gains(sketch), _drive_gains(sketch)), is_grave=True
    ),
    MovementPhase: _Asked(lambda sketch, frame, _, __: _movement_ideas(sketch, frame), is_grave=True, begins=True),
    Crowded: _Asked(lambda sketch, frame, _, __: _crowded_ideas(sketch, frame)),
    VehicleMoving: _Asked(lambda sketch, frame, _, __: continue_vehicle_ideas(sketch, frame)),
    Moving: _Asked(lambda sketch, frame, _, __: continue_ideas(sketch, frame)),
    FirstFire: _Asked(
        lambda sketch, frame, _, __: (ambush_ideas if frame.vehicle else first_fire_ideas)(sketch, frame),
        is_grave=True,
    ),
    RoutPhase: _Asked(lambda sketch, _, __, ___: rout_ideas(sketch)),
    Routing: _Asked(lambda sketch, frame, _, __: continue_rout_ideas(sketch, frame)),
    Advances: _Asked(lambda sketch, frame, _, __: advance_ideas(sketch, frame), is_grave=True),
    CloseCombat: _Asked(lambda sketch, frame, root, _: _combat_ideas(sketch, frame, root)),
}
"""All that is known here of single questions; at others any answer will do."""


def _asked(state: State) -> _Asked | None:
    return _QUESTIONS.get(type(state.stack[-1])) if state.stack else None


def is_grave(state: State) -> bool:
    """Whether a question is one of those on which a turn hangs."""
    asked = _asked(state)
    return asked is not None and asked.is_grave


def doctrine(ruleset: Ruleset[Any, Any, Any]) -> AslskDoctrine:
    """The doctrine of a ruleset of this system."""
    return AslskDoctrine(ruleset)
