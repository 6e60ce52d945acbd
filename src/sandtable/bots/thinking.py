"""What the thinking bots share: how an idea becomes an answer, and how thinking is noted down.

Whatever a doctrine says, the answer is checked against the options: an idea that is no answer is never played.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from sandtable.bots.clock import Clock, in_time
from sandtable.bots.doctrine import Doctrine, doctrine_of
from sandtable.bots.explain import Considered, Explanation
from sandtable.bots.policy import Judgement, Policy, Question
from sandtable.bots.style import Style
from sandtable.core.decision import Assign, Node

if TYPE_CHECKING:
    from sandtable.bots.search import Tried

__all__ = ["Thinker", "Thought", "filled", "legal", "written"]

A = TypeVar("A")

SHOWN = 8
"""Ideas that an explanation lists."""


class Thought(NamedTuple):
    """An answer, and what was weighed on the way to it."""

    action: Any
    tried: Sequence[Tried] = ()


class Thinker(Policy):
    """A bot that thinks by the doctrine of the system, in time, with a notebook open."""

    def __init__(self, name: str, style: Style, seconds: float | None) -> None:
        self.name = name
        self._style = style
        self._seconds = seconds
        self.cut_short = 0
        """Answers that the clock cut short so far."""

    def consider(self, question: Question[A], rng: Random) -> Judgement[A]:
        """The answer of the thinking, or the best noted down before the time was up, or any answer at all."""
        doctrine, clock = doctrine_of(question.ruleset), Clock(self._seconds)
        thought = self._answer(question, doctrine, rng, clock)
        self.cut_short += clock.ran_out

        def explain() -> Explanation:
            return written(self.name, question, thought, doctrine.plan(question, self._style), clock)

        return Judgement(thought.action, explain)

    def _answer(self, question: Question[Any], doctrine: Doctrine, rng: Random, clock: Clock) -> Thought:
        only = question.options.only()
        if only is not None:
            return Thought(only)
        # Thinking that is given up must not go on drawing from the stream of the answers to come.
        chance, spare = Random(rng.getrandbits(64)), Random(rng.getrandbits(64))
        noted: list[Any] = []
        return in_time(
            clock,
            lambda: self._think(question, doctrine, chance, clock, noted),
            lambda: Thought(legal(question, noted[-1] if noted else None, spare)),
        )

    @abstractmethod
    def _think(
        self, question: Question[Any], doctrine: Doctrine, rng: Random, clock: Clock, noted: list[Any]
    ) -> Thought:
        """An answer; a better one than before goes on the list ``noted`` as soon as there is one."""


def filled(node: Node[Any], values: Sequence[str]) -> Any | None:
    """The action of an assignment with these values, or None if one of them is not open."""
    if not isinstance(node, Assign) or len(values) != len(node.slots) or node.refusals(tuple(values)):
        return None
    action: Any = node.filled(tuple(values))
    return action


def legal(question: Question[Any], action: Any | None, rng: Random) -> Any:
    """The action if it answers the question, else any answer: no idea of a doctrine can stall or cheat."""
    if action is not None and action in question.options:
        return action
    return question.options.sample(rng)


def written(name: str, question: Question[Any], thought: Thought, plan: Sequence[str], clock: Clock) -> Explanation:
    """A thought as an explanation."""
    asked = question.decision.wording(question.seat)
    foreseen = question.preview(thought.action)
    return Explanation(
        bot=name,
        rule=asked.rule,
        question=asked.title,
        chosen=question.ruleset.describe(thought.action),
        plan=tuple(plan),
        considered=tuple(
            Considered(
                what=tried.what or tried.idea.what or question.ruleset.describe(tried.action),
                worth=round(tried.idea.worth, 2),
                reasons=tuple(tried.idea.reasons()),
                looked=round(tried.mean, 2) if tried.values else None,
                worlds=len(tried.values),
            )
            for tried in thought.tried[:SHOWN]
        ),
        odds=foreseen.chances,
        left_out=question.left_out(thought.action),
        numbers=tuple(number.explain() for number in foreseen.breakdowns[:6]),
        cut_short=clock.ran_out,
    )
