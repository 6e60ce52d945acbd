"""What a computer player is given: one seat's knowledge and the question that it is asked.

A :class:`Question` is made from the concealed state, so a policy cannot learn what its seat may not know,
not even through the options or the odds: they too are worked out from what the seat knows. The state of the game, its
log and its dice are not reachable from it, and tests look for a way.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from random import Random
from typing import Any, Generic, TypeVar

from sandtable.bots.explain import Explanation, LeftOut
from sandtable.bots.preview import Preview, foreseeing, preview, suppositions
from sandtable.core.capabilities import Remembers
from sandtable.core.decision import Decision, Options, Seat
from sandtable.core.errors import RulesBug
from sandtable.core.ruleset import Ruleset
from sandtable.core.view import View

__all__ = ["Judgement", "Policy", "Question", "ask"]

A = TypeVar("A")


class Question(Generic[A]):
    """The open question as one seat knows it."""

    def __init__(self, ruleset: Ruleset[Any, A, Any], known: Any, seat: Seat) -> None:
        if isinstance(ruleset, Remembers):
            ruleset = ruleset.for_seat(seat)
        decision = ruleset.decision(known)
        if decision is None or seat not in decision.asked:
            raise RulesBug(f"{seat} is not asked anything")
        self.ruleset = ruleset
        """The rules, with what stays the same in the game: map, cards, tables."""
        self.known = known
        """The concealed state."""
        self.seat = seat
        self.decision: Decision[A] = decision
        self.scratch: dict[str, Any] = {}
        """What a doctrine works out once for all its looks at the question; gone with it."""

    @cached_property
    def options(self) -> Options[A]:
        """The answers."""
        return self.decision.options(self.seat)

    @cached_property
    def view(self) -> View:
        """What the seat sees."""
        return self.ruleset.view(self.known, self.seat)

    def preview(self, action: A) -> Preview:
        """The exact odds of ``action`` and the numbers behind them, for all that the seat knows."""
        return preview(self.ruleset, self.known, self.seat, action)

    def left_out(self, action: A) -> tuple[LeftOut, ...]:
        """What those odds leave out, with the odds if it comes about."""
        rules = foreseeing(self.ruleset, action)
        return tuple(
            LeftOut(
                one.what,
                one.rule,
                () if one.state is None else preview(rules, one.state, self.seat, action, one.reply).chances,
            )
            for one in suppositions(rules, self.known, self.seat, action)
        )


class Judgement(Generic[A]):
    """What a bot makes of a question: its answer, and why it is that one. Thought out once."""

    def __init__(self, action: A, explain: Callable[[], Explanation]) -> None:
        self.action = action
        self._explain = explain

    @cached_property
    def explanation(self) -> Explanation:
        """The notes of the thinking that made the choice, put into words only when somebody asks."""
        return self._explain()


class Policy(ABC):
    """A computer player: whatever answers the questions that a seat is asked."""

    name: str
    cut_short: int = 0
    """Answers that a clock has cut short so far."""

    @abstractmethod
    def consider(self, question: Question[A], rng: Random) -> Judgement[A]:
        """One of the question's options, and why. All chance comes from ``rng``, the bot's own stream."""

    def choose(self, question: Question[A], rng: Random) -> A:
        """The answer alone."""
        return self.consider(question, rng).action

    def explain(self, question: Question[Any], rng: Random) -> Explanation:
        """What ``choose`` does with the same stream, and why."""
        return self.consider(question, rng).explanation


def ask(policy: Policy, ruleset: Ruleset[Any, A, Any], state: Any, seat: Seat, rng: Random) -> A:
    """The answer of ``policy`` for ``seat``; what the seat may not know is taken away before it is asked."""
    return policy.choose(Question(ruleset, ruleset.conceal(state, seat), seat), rng)
