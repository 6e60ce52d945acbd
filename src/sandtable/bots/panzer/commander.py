"""The doctrine of the Panzer family: which part of it answers which question."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from random import Random
from statistics import fmean
from typing import Any, NamedTuple

from msgspec.structs import replace

from sandtable.bots.doctrine import Doctrine, Idea
from sandtable.bots.explain import Reason
from sandtable.bots.kept import Known
from sandtable.bots.panzer.book import Book
from sandtable.bots.panzer.evaluation import worth
from sandtable.bots.panzer.firing import fire_ideas, overwatch_ideas, quick_fire, quick_overwatch
from sandtable.bots.panzer.moves import Weighed, move_ideas, next_to_move, quick_move, quick_way_on, weigh
from sandtable.bots.panzer.orders import Choice, Orders
from sandtable.bots.panzer.picture import Picture
from sandtable.bots.panzer.plan import Plan
from sandtable.bots.panzer.positions import MoveResult, Positions, result_of, still_open
from sandtable.bots.panzer.weights import weights_for
from sandtable.bots.policy import Question
from sandtable.bots.style import Level, Style
from sandtable.core.codec import digest
from sandtable.core.decision import Assign, Path, Seat
from sandtable.core.dice import Dice
from sandtable.core.ruleset import Ruleset
from sandtable.systems.panzer.frames import (
    AspectChoice,
    ChooseFirst,
    CommandReveal,
    DirectFire,
    Frame,
    Movement,
    Overwatch,
    PlacingCommands,
)
from sandtable.systems.panzer.hex.actions import (
    Action,
    ChooseAspect,
    ChooseFirstPlayer,
    Fire,
    Pass,
    PlaceCommands,
    RevealCommand,
)
from sandtable.systems.panzer.hex.combat.direct_fire import direct_firers
from sandtable.systems.panzer.hex.combat.overwatch import overwatch_firers
from sandtable.systems.panzer.hex.command.commands import command_options
from sandtable.systems.panzer.hex.movement.movement_step import waiting_to_move
from sandtable.systems.panzer.hex.state import Moving, State, Unit
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.unit import Aspect, Command, UnitId

__all__ = ["PanzerDoctrine"]

MOVING = (Command.MOVE, Command.SHORT_HALT)
DOUBT = 0.03
"""How far the first sight of an idea is off, as a share of all that is at stake."""
MASTER = 3
"""The level from which a look ahead goes to the end of the next turn."""
WHIM = 6.0
"""Points by which a commander in an imagined world may misjudge a command ..."""
WHIM_SHARE = 0.2
"""... and the share of the vehicle's worth on top."""

KEPT = 500
"""Positions after which all that is known of commands in them is forgotten."""
KEPT_MOVES = 5000
"""The same for quick moves."""


class Quick(NamedTuple):
    """What is known of a quick move."""

    weighed: Weighed
    led_to: dict[Hashable, MoveResult | State]
    """What came of it, by the place that was chosen and by whose commands are still open."""


class Moment(NamedTuple):
    """A position in which a quick answer is wanted."""

    state: State
    seat: Seat
    style: Style
    rng: Random


class PanzerDoctrine:
    """How to think about one scenario."""

    def __init__(self, ruleset: Ruleset[Any, Any, Any]) -> None:
        self._ruleset = ruleset
        self.imagined = ruleset
        self.book = Book(ruleset.context)  # type: ignore[attr-defined]
        self.doubt = DOUBT * self.book.stake
        self._commands: Known[tuple[str, tuple[UnitId, ...], Seat, Style], dict[UnitId, list[Choice]]] = Known(KEPT)
        """What :meth:`_choices` has found: looks from one question come by the same positions."""
        self._positions = Positions(self.book.seats)
        self._moves: Known[Hashable, Quick] = Known(KEPT_MOVES)
        """What is known of quick moves, likewise."""
        self._fires: Known[Hashable, Fire] = Known(KEPT_MOVES)
        """Direct fire that looks best, likewise."""
        self._worths: Known[Hashable, float] = Known(KEPT_MOVES)
        """What positions are worth, likewise."""

    def _picture(self, state: State, seat: Seat, style: Style) -> Picture:
        return Picture(self.book, state, seat, weights_for(style))

    def at(self, question: Question[Any], number: int, level: Level) -> tuple[Doctrine, Level]:  # noqa: ARG002
        """A master looks twice as far: what a place is good for shows in the turn after the move."""
        return self, level._replace(horizons=2) if number >= MASTER else level

    # --- real questions ---------------------------------------------------------------------------------

    def slots(self, question: Question[Any], style: Style, rng: Random) -> list[list[Idea]] | None:  # noqa: ARG002
        """A command for every vehicle (4.2)."""
        root = question.options.root
        if not isinstance(root, Assign):
            return None
        picture = self._picture(question.known, question.seat, style)
        plan = self._plan(picture, style)
        orders = Orders(plan, quick=False)
        found: dict[str, list[Idea]] = {}
        usual = max(1.0, fmean(picture.value(picture.unit(UnitId(slot.key))) for slot in root.slots))
        # Those with the best guns choose their targets first.
        for slot in sorted(root.slots, key=lambda slot: -self._points(picture, slot.key)):
            unit = picture.unit(UnitId(slot.key))
            scale = picture.value(unit) / usual
            found[slot.key] = [
                Idea(one.command.value, one.worth, one.reasons, scale=scale)
                for one in orders.choices(unit, slot.values)
            ]
        return [found[slot.key] for slot in root.slots]

    def _points(self, picture: Picture, unit_id: str) -> float:
        return self.book.gunnery.points[picture.unit(UnitId(unit_id)).card]

    def _plan(self, picture: Picture, style: Style) -> Plan:
        plan = Plan(picture, style)
        if style.plans:
            coming = [unit for unit in picture.reserves if unit.side == picture.seat]
            plan.together([*picture.mine, *coming])
        return plan

    def ideas(self, question: Question[Any], style: Style, rng: Random) -> list[Idea]:  # noqa: ARG002
        """Promising answers to anything else."""
        picture = self._picture(question.known, question.seat, style)
        frame = picture.state.stack[-1]
        return _QUESTIONS[type(frame)].ideas(self, picture, frame, question.options.root, style)

    def first_player_ideas(self, picture: Picture) -> list[Idea]:
        """Who fires first and moves last (4.3)."""
        reason = (Reason("fires first and moves last", 1.0),)
        other = self.book.other(picture.seat)
        return [Idea(ChooseFirstPlayer(picture.seat), 1.0, lambda: reason), Idea(ChooseFirstPlayer(other), 0.0)]

    def next_move(self, picture: Picture, frame: Movement, root: Any, style: Style) -> list[Idea]:
        """Who moves next, and where to (4.5)."""
        plan = self._plan(picture, style)
        unit = next_to_move(self.book, waiting_to_move(picture.state, frame.player))
        branch = root.branch(unit.id)
        assert branch is not None  # noqa: S101 - who waits to move can be chosen
        node = branch.then
        assert isinstance(node, Path)  # noqa: S101 - moves are paths
        return move_ideas(plan, unit, node)

    def way_on(self, picture: Picture, frame: Moving, root: Any, style: Style) -> list[Idea]:
        """Where the vehicle on its way goes on to (4.5)."""
        assert isinstance(root, Path)  # noqa: S101 - moves are paths
        return move_ideas(self._plan(picture, style), picture.unit(frame.unit), root)

    def plan(self, question: Question[Any], style: Style) -> list[str]:
        """The aims of the force."""
        picture = self._picture(question.known, question.seat, style)
        plan = self._plan(picture, style)
        sent: dict[str, list[str]] = {}
        for unit in picture.mine:
            sent.setdefault(plan.alone(unit).title, []).append(unit.id)
        return [f"{title}: {', '.join(units)}" for title, units in sent.items()]

    # --- looking ahead ----------------------------------------------------------------------------------

    def imagine(self, question: Question[Any], style: Style, rng: Random) -> State | None:
        """The enemy's face-down commands drawn anew: what he would give, with whims, as far as play allows."""
        state: State = question.known
        enemy = self.book.other(question.seat)
        hidden = [unit for unit in state.units.values() if unit.command is Command.HIDDEN]
        if not hidden:
            return state
        given = self._whims(state, self._likely(question, enemy, style), rng)
        units = dict(state.units)
        may_fire, may_move = _still_open(state, enemy)
        for unit in hidden:
            command = given.get(unit.id, Command.NONE)
            if (command in MOVING and not may_move) or (command in (Command.FIRE, Command.SHORT_HALT) and not may_fire):
                command = Command.OVERWATCH if self.book.armed[unit.card] and rng.random() < 0.6 else Command.NONE
            units[unit.id] = replace(unit, command=command)
        return replace(state, units=units)

    def _likely(self, question: Question[Any], enemy: Seat, style: Style) -> dict[UnitId, list[Choice]]:
        """What the enemy may have ordered, worked out once for all the worlds of a question."""
        key = f"likely commands {style}"
        if key not in question.scratch:
            question.scratch[key] = self._choices(question.known, enemy, style)
        found: dict[UnitId, list[Choice]] = question.scratch[key]
        return found

    def _choices(self, state: State, seat: Seat, style: Style) -> dict[UnitId, list[Choice]]:
        """The commands that a force may give, by what they are worth to it."""
        # A digest says nothing of the order of units, which decides between equals.
        key = (digest(state), tuple(state.units), seat, style)
        known = self._commands.get(key)
        if known is not None:
            return known
        picture = self._picture(state, seat, style)
        orders = Orders(Plan(picture, style), quick=True)
        root = command_options(self.book.context, state, seat)
        assert isinstance(root, Assign)  # noqa: S101 - commands are an assignment
        # Reasons are left out: nobody asks for them here, and they would hold on to the whole picture.
        found = {
            UnitId(slot.key): [
                one._replace(reasons=tuple) for one in orders.choices(picture.unit(UnitId(slot.key)), slot.values)
            ]
            for slot in root.slots
        }
        self._commands[key] = found
        return found

    def _whims(self, state: State, likely: dict[UnitId, list[Choice]], rng: Random) -> dict[UnitId, Command]:
        """A command for every vehicle, the likeliest as a rule."""
        points = self.book.gunnery.points
        given: dict[UnitId, Command] = {}
        for unit_id, choices in likely.items():
            whim = WHIM + WHIM_SHARE * points[state.units[unit_id].card]
            given[unit_id] = max((one.worth + rng.gauss(0, whim), one.command) for one in choices)[1]
        return given

    def rollout(self, state: State, seat: Seat, style: Style, rng: Random) -> Action:
        """A quick, sound answer."""
        frame = state.stack[-1]
        return _QUESTIONS[type(frame)].quick(self, Moment(state, seat, style, rng), frame)

    def command_quickly(self, now: Moment) -> Action:
        """Commands with whims (4.2)."""
        return PlaceCommands(self._whims(now.state, self._choices(now.state, now.seat, now.style), now.rng))

    def go_on(self, state: State, seat: Seat, style: Style, rng: Random, dice: Dice) -> State:
        """The state after that answer."""
        frame = state.stack[-1]
        if isinstance(frame, Movement):
            return self._moved(Moment(state, seat, style, rng), frame, dice)
        after: State = self._ruleset.resolve(state, seat, self.rollout(state, seat, style, rng), dice).state
        return after

    def move_quickly(self, now: Moment, frame: Movement) -> Action:
        """Who moves next, and a sound move (4.5)."""
        unit = next_to_move(self.book, waiting_to_move(now.state, frame.player))
        weighed = self._quick(now, unit).weighed
        return quick_move(weighed, unit, weighed.best(now.rng))

    def _moved(self, now: Moment, frame: Movement, dice: Dice) -> State:
        """The state after a quick move; kept, for no dice fall before somebody is asked (4.5)."""
        unit = next_to_move(self.book, waiting_to_move(now.state, frame.player))
        weighed, led_to = self._quick(now, unit)
        chosen = weighed.best(now.rng)
        key = chosen, unit, still_open(now.state)
        known = led_to.get(key)
        if known is not None:
            return known.after(now.state) if isinstance(known, MoveResult) else known
        after: State = self._ruleset.resolve(now.state, now.seat, quick_move(weighed, unit, chosen), dice).state
        result = result_of(now.state, unit.id, after)
        if result is not None:
            led_to[key] = result
        return after

    def _quick(self, now: Moment, unit: Unit) -> Quick:
        """What a quick move may come to; kept, for it follows from what stands where and not from most commands."""
        key = unit.id, unit.command, now.style, self._positions.standing(now.state, now.seat)
        known = self._moves.get(key)
        if known is None:
            plan = Plan(self._picture(now.state, now.seat, now.style), now.style)
            known = Quick(weigh(plan, unit), {})
            self._moves[key] = known
        return known

    def go_on_quickly(self, now: Moment, frame: Moving) -> Action:
        """A sound way on (4.5)."""
        plan = Plan(self._picture(now.state, now.seat, now.style), now.style)
        return quick_way_on(plan, now.state, frame, now.rng)

    def fire_quickly(self, now: Moment, frame: DirectFire) -> Action:
        """The fire that looks best (4.4.1)."""
        key = now.style, self._positions.firing(now.state, now.seat)
        known = self._fires.get(key)
        if known is None:
            firers = direct_firers(self.book.context, now.state, frame)
            known = quick_fire(self._picture(now.state, now.seat, now.style), firers)
            self._fires[key] = known
        return known

    def watch_quickly(self, now: Moment, frame: Overwatch) -> Action:
        """The same of overwatch, or none (4.4.2)."""
        firers = overwatch_firers(self.book.context, now.state, frame)
        if not firers:
            return Pass()
        return quick_overwatch(self._picture(now.state, now.seat, now.style), firers, now.style)

    def is_over(self, begun: State, state: State) -> bool:
        """To the end of the turn: the fire of the next is in the judgement of the position."""
        return state.turn > begun.turn

    def worth(self, state: State, seat: Seat, style: Style) -> float:
        """The points of a position."""
        key = style, self._positions.standing(state, seat)
        known = self._worths.get(key)
        if known is None:
            known = worth(self._picture(state, seat, style), style)
            self._worths[key] = known
        return known


def _aspect(book: Book, state: State, frame: AspectChoice) -> ChooseAspect:
    armor = book.context.cards[state.units[frame.target].card].armor
    return ChooseAspect(Aspect.FRONT if armor.front >= armor.rear else Aspect.REAR)


def _still_open(state: State, seat: Seat) -> tuple[bool, bool]:
    """Whether a force may still have a FIRE command, and a MOVE command, under a face-down counter."""
    bottom = state.stack[0] if state.stack else None
    if state.phase in (Phase.SPOTTING, Phase.COMMAND, Phase.INITIATIVE):
        return True, True
    if state.phase is Phase.COMBAT:
        fired = not isinstance(bottom, DirectFire) or (bottom.player != seat and not bottom.first)
        return not fired, True
    moved = isinstance(bottom, Movement) and bottom.player != seat and bottom.first
    return False, not moved


class _Asked(NamedTuple):
    """How a question is thought about, and how it is answered without much thought."""

    ideas: Callable[[PanzerDoctrine, Picture, Any, Any, Style], list[Idea]]
    quick: Callable[[PanzerDoctrine, Moment, Any], Action]


_QUESTIONS: dict[type[Frame], _Asked] = {
    PlacingCommands: _Asked(lambda *_: [], lambda self, now, _: self.command_quickly(now)),
    ChooseFirst: _Asked(
        lambda self, picture, *_: self.first_player_ideas(picture), lambda _, now, __: ChooseFirstPlayer(now.seat)
    ),
    DirectFire: _Asked(lambda _, picture, __, root, ___: fire_ideas(picture, root), PanzerDoctrine.fire_quickly),
    Overwatch: _Asked(
        lambda _, picture, __, root, style: overwatch_ideas(picture, root, style), PanzerDoctrine.watch_quickly
    ),
    CommandReveal: _Asked(
        lambda _, __, ___, root, ____: [Idea(answer, -place) for place, answer in enumerate(root)],
        lambda _, now, frame: RevealCommand(now.state.units[frame.target].command in MOVING),
    ),
    AspectChoice: _Asked(
        lambda self, picture, frame, *_: [Idea(_aspect(self.book, picture.state, frame), 1.0)],
        lambda self, now, frame: _aspect(self.book, now.state, frame),
    ),
    Movement: _Asked(PanzerDoctrine.next_move, PanzerDoctrine.move_quickly),
    Moving: _Asked(PanzerDoctrine.way_on, PanzerDoctrine.go_on_quickly),
}
"""All that is known here of single questions."""
