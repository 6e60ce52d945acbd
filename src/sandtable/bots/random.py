"""The random player: a fair choice at every branch. The yardstick for all others."""

from __future__ import annotations

from random import Random
from typing import Any, TypeVar

from sandtable.bots.explain import Explanation
from sandtable.bots.policy import Question

__all__ = ["RandomBot"]

A = TypeVar("A")


class RandomBot:
    """Plays anything legal."""

    name = "random"

    def choose(self, question: Question[A], rng: Random) -> A:
        """Any of the options."""
        return question.options.sample(rng)

    def explain(self, question: Question[Any], rng: Random) -> Explanation:
        """There is nothing to explain."""
        chosen = question.ruleset.describe(self.choose(question, rng))
        decision = question.decision
        return Explanation(self.name, decision.rule, decision.title, chosen, plan=("any answer is as good",))
