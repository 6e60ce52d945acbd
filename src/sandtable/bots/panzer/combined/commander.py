"""The doctrine of the Advanced Game: orders, marches and loads by judgement, all else by trial."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from sandtable.bots.doctrine import Idea
from sandtable.bots.explain import Reason
from sandtable.bots.panzer.combined.firepower import Firepower
from sandtable.bots.panzer.combined.group_orders import share_out, wishes_of
from sandtable.bots.panzer.commander import PanzerDoctrine
from sandtable.bots.panzer.evaluation import worth
from sandtable.bots.panzer.moves import move_ideas, next_to_move
from sandtable.bots.panzer.orders import Choice, Orders
from sandtable.bots.panzer.picture import Picture
from sandtable.bots.panzer.plan import Plan
from sandtable.bots.policy import Question
from sandtable.bots.style import Style
from sandtable.core.decision import Assign, Branch, Gather, Leaf, Node, Path, Seat
from sandtable.core.dice import Dice, SeededDice
from sandtable.core.errors import SandtableError
from sandtable.core.ruleset import Ruleset
from sandtable.geo.hex import Hex, distance
from sandtable.systems.panzer.frames import ChooseFirst, Frame, Movement, PlacingOrders
from sandtable.systems.panzer.hex.actions import Action, Load
from sandtable.systems.panzer.hex.movement.move_path import ASIDE, MoveOr
from sandtable.systems.panzer.hex.movement.movement_step import waiting_to_move
from sandtable.systems.panzer.hex.state import Moving, State, Unit
from sandtable.systems.panzer.movement.speed import Gait
from sandtable.systems.panzer.unit import Command, Status, UnitId

__all__ = ["CombinedArms"]

TRIED = 14
"""Answers that are drawn and tried, beside those that are made up."""
THROWS = 3
"""Times that each of them is tried."""
REPLIES = 6
"""Questions that are answered after it, until what was begun is over."""
NEAR = 8
"""Hexes from the enemy, or from where they are bound for, within which men are better off on foot."""
HURRY = 0.1
"""Share of a unit that a quickmarch may cost."""

HARM = (
    ("bailed", 0.7),
    ("turret_damaged", 0.3),
    ("hull_damaged", 0.25),
    ("track", 0.3),
    ("is_suppressed", 0.15),
    ("reduced", 0.5),
)
"""What counters cost a unit of its worth."""


class Trial(NamedTuple):
    """A question whose answers are tried."""

    question: Question[Any]
    state: State
    """What is known, with nothing under the enemy's counters."""
    rng: Random


class CombinedArms(PanzerDoctrine):
    """How to think about one scenario of the Advanced Game."""

    def __init__(self, ruleset: Ruleset[Any, Any, Any]) -> None:
        super().__init__(ruleset)
        self.book.gunnery = Firepower(self.book.context)
        self.book.armed = {name: card.armed for name, card in self.book.context.cards.items()}

    # --- real questions ---------------------------------------------------------------------------------

    def slots(self, question: Question[Any], style: Style, rng: Random) -> list[list[Idea]] | None:
        """Orders that share commands are thought of whole."""
        del question, style, rng
        return None

    def ideas(self, question: Question[Any], style: Style, rng: Random) -> list[Idea]:
        """Promising answers, the best first."""
        picture = self._picture(question.known, question.seat, style)
        frame = picture.state.stack[-1]
        judged = _JUDGED.get(type(frame))
        found = [] if judged is None else judged(self, picture, frame, question.options.root, style)
        return found or self._tries(Trial(question, _uncovered(question.known), rng))

    def imagine(self, question: Question[Any], style: Style, rng: Random) -> State | None:
        """Plots, loads and shared commands of the enemy are not imagined: nobody looks ahead here."""
        del question, style, rng
        return None

    # --- orders -----------------------------------------------------------------------------------------

    def orders(self, picture: Picture, frame: PlacingOrders, root: Any, style: Style) -> list[Idea]:
        """Commands within the budgets of the formations (6.2)."""
        del frame
        assert isinstance(root, Assign)  # noqa: S101 - orders are an assignment
        plan = self._plan(picture, style)
        orders = Orders(plan, quick=True)

        def choose(unit_id: UnitId, values: Sequence[str]) -> list[Choice]:
            return orders.choices(picture.unit(unit_id), values)

        wishes = wishes_of(root, choose)
        values = share_out(root, wishes)
        told = [Reason(f"{wish.slot.key} {wish.choices[0].command.value}", round(wish.gain, 1)) for wish in wishes]
        return [Idea(root.filled(values), sum(wish.gain for wish in wishes), lambda: told, "give orders")]

    # --- moves ------------------------------------------------------------------------------------------

    def moves(self, picture: Picture, frame: Movement, root: Node[Any], style: Style) -> list[Idea]:
        """Who moves next, where to and how fast; then who gets on and off what stands still (6.6)."""
        plan = self._plan(picture, style)
        waiting = waiting_to_move(picture.state, frame.player)
        if not waiting:
            return sorted(self._loads(plan, root), key=lambda idea: -idea.worth)
        unit = next_to_move(self.book, waiting)
        branch = root.branch(unit.id)
        return [] if branch is None else self._ends(plan, unit, branch.then)

    def _ends(self, plan: Plan, unit: Unit, node: Node[Any]) -> list[Idea]:
        if isinstance(node, Path):
            return move_ideas(plan, unit, node)
        found: list[Idea] = []
        for branch in node.branches():
            if isinstance(branch.then, Path):
                cost = HURRY * plan.picture.value(unit) * (branch.key == Gait.QUICKMARCH)
                found += [idea._replace(worth=idea.worth - cost) for idea in move_ideas(plan, unit, branch.then)]
        return sorted(found, key=lambda idea: -idea.worth)

    def ways_on(self, picture: Picture, frame: Moving, root: Node[Any], style: Style) -> list[Idea]:
        """Where to go on to, or who gets off here (6.6.7.1.1)."""
        plan = self._plan(picture, style)
        assert isinstance(root, Path)  # noqa: S101 - whoever is on its way goes on
        found = move_ideas(plan, picture.unit(frame.unit), root)
        if isinstance(root, MoveOr) and (aside := root.branch(ASIDE)) is not None:
            found += self._loads(plan, aside.then)
        return sorted(found, key=lambda idea: -idea.worth)

    def _loads(self, plan: Plan, root: Node[Any]) -> Iterator[Idea]:
        """Men get off where they are needed, and on where the way is long."""
        for action in _answers(root, 3, partial(self._worth_on_foot, plan)):
            worth = self._worth_on_foot(plan, action)
            told = (Reason("on foot", round(worth, 1)),) if isinstance(action, Load) else ()
            yield Idea(action, worth, partial(tuple, told))

    def _worth_on_foot(self, plan: Plan, action: Any) -> float:
        """What it is worth that some get off their vehicle and others get on; nothing else is."""
        if not isinstance(action, Load):
            return 0.0
        worth = sum(self._on_foot(plan, landing.unit, landing.hex) for landing in action.dismount)
        carrier = plan.picture.unit(action.carrier)
        if carrier.hex is not None:
            worth -= sum(self._on_foot(plan, unit, carrier.hex) for unit in action.mount)
        return worth

    def _on_foot(self, plan: Plan, unit_id: UnitId, hex: Hex) -> float:
        """What it is worth to a unit to be off its vehicle in a hex."""
        picture, unit = plan.picture, plan.picture.unit(unit_id)
        aim = plan.alone(unit)
        marks = [*aim.goal, *(enemy.hex for enemy in picture.theirs if enemy.hex is not None)]
        near = min((distance(hex, mark) for mark in marks), default=NEAR)
        return 0.1 * picture.value(unit) * (NEAR - near) / NEAR

    # --- all else ---------------------------------------------------------------------------------------

    def _tries(self, trial: Trial) -> list[Idea]:
        """Some answers, best first by what they leave of either side."""
        drawn: list[Any] = list(_made_up(trial.question.options.root))
        drawn += [trial.question.options.sample(trial.rng) for _ in range(TRIED)]
        answers = [answer for index, answer in enumerate(drawn) if answer not in drawn[:index]]
        ideas = [Idea(answer, self._tried(trial, answer)) for answer in answers]
        return sorted(ideas, key=lambda idea: -idea.worth)

    def _tried(self, trial: Trial, answer: Any) -> float:
        seat, before = trial.question.seat, self.material(trial.state, trial.question.seat)
        total = 0.0
        for _ in range(THROWS):
            dice = SeededDice(trial.rng.getrandbits(32))
            try:
                state = self._ruleset.resolve(trial.state, seat, answer, dice).state
                total += self.material(self._finished(trial, state, dice), seat) - before
            except (SandtableError, KeyError, ValueError, AssertionError):
                # What is hidden from the seat may leave the rules without an answer; then nothing is known of it.
                return total / THROWS
        return total / THROWS

    def _finished(self, trial: Trial, state: State, dice: SeededDice) -> State:
        """The state when all that the answer has begun is over."""
        depth = len(trial.state.stack)
        for _ in range(REPLIES):
            decision = self._ruleset.decision(state)
            if decision is None or len(state.stack) <= depth:
                return state
            seat = decision.asked[0]
            state = self._ruleset.resolve(state, seat, decision.options(seat).sample(trial.rng), dice).state
        return state

    def material(self, state: State, seat: Seat) -> float:
        """Points of what is left of a side, less what is left of the other."""
        total = 0.0
        for unit in state.units.values():
            left = self.book.price(unit.card, Seat(unit.side)) * (1 - _harm(unit))
            total += left if unit.side == seat else -left
        return total

    # --- nobody looks ahead -----------------------------------------------------------------------------

    def rollout(self, state: State, seat: Seat, style: Style, rng: Random) -> Action:
        """Any answer."""
        del style
        decision = self._ruleset.decision(state)
        assert decision is not None  # noqa: S101 - somebody is asked
        answer: Action = decision.options(seat).sample(rng)
        return answer

    def go_on(self, state: State, seat: Seat, style: Style, rng: Random, dice: Dice) -> State:
        """The state after that: nothing of it is kept."""
        after: State = self._ruleset.resolve(state, seat, self.rollout(state, seat, style, rng), dice).state
        return after

    def worth(self, state: State, seat: Seat, style: Style) -> float:
        """The points of a position; far more tells two of them apart than in the Basic Game, so none are kept."""
        return worth(self._picture(state, seat, style), style)


def _harm(unit: Unit) -> float:
    """The share of a unit that is lost."""
    if unit.status in (Status.KNOCKED_OUT, Status.BREWED_UP):
        return 1.0
    return min(0.95, sum(cost for name, cost in HARM if getattr(unit.markers, name)))


def _uncovered(state: State) -> State:
    """The state with N/C under the enemy's counters, so that the rules can go on from it."""
    units = {
        name: replace(unit, command=Command.NONE) if unit.command is Command.HIDDEN else unit
        for name, unit in state.units.items()
    }
    return replace(state, units=units)


def _answers(node: Node[Any], depth: int, worth: Callable[[Any], float]) -> Iterator[Any]:
    """The answers within a few choices; of assignments those of one slot each, and the best of all slots together."""
    for branch in node.branches():
        if isinstance(branch.then, Leaf):
            yield branch.then.action
        elif isinstance(branch.then, Assign):
            yield from _changes(branch.then, worth)
        elif depth > 1 and not isinstance(branch.then, Path):
            yield from _answers(branch.then, depth - 1, worth)


def _changes(node: Assign[Any], worth: Callable[[Any], float]) -> Iterator[Any]:
    plain = tuple(slot.start for slot in node.slots)
    best, changed = plain, 0
    for index, slot in enumerate(node.slots):
        ways = [(*plain[:index], value, *plain[index + 1 :]) for value in slot.values if value != plain[index]]
        found = [(worth(node.filled(values)), values) for values in ways if node.may_become(values)]
        yield from (node.filled(values) for _, values in found)
        gain, values = max(found, default=(0.0, plain))
        if gain > 0:
            best, changed = (*best[:index], values[index], *best[index + 1 :]), changed + 1
    if changed > 1 and node.may_become(best):
        yield node.filled(best)


def _made_up(root: Node[Any]) -> Iterator[Any]:
    """For every target all who may fire on it, each with what is listed first, and each of them alone; and to pass."""
    for branch in root.branches():
        if isinstance(branch.then, Leaf):
            yield branch.then.action
        elif isinstance(branch.then, Gather):
            yield from _volleys(branch)


def _volleys(branch: Branch[Any]) -> Iterator[Any]:
    node = branch.then
    assert isinstance(node, Gather)  # noqa: S101 - the caller saw to it
    firsts = tuple(slot.values[0] for slot in node.slots)
    yield node.filled(firsts)
    if len(firsts) > 1:
        for index, slot in enumerate(node.slots):
            if not any(other.required for other in node.slots if other is not slot):
                yield node.filled(tuple(first if place == index else "" for place, first in enumerate(firsts)))


_JUDGED: dict[type[Frame], Callable[[CombinedArms, Picture, Any, Any, Style], list[Idea]]] = {
    PlacingOrders: CombinedArms.orders,
    Movement: CombinedArms.moves,
    Moving: CombinedArms.ways_on,
    ChooseFirst: lambda self, picture, *_: self.first_player_ideas(picture),
}
"""The questions that are not answered by trial."""
