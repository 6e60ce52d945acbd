"""The random player: a fair choice at every branch. The yardstick for all others."""

from __future__ import annotations

from random import Random
from typing import TypeVar

from sandtable.bots.explain import Explanation
from sandtable.bots.policy import Judgement, Policy, Question

__all__ = ["RandomBot"]

A = TypeVar("A")


class RandomBot(Policy):
    """Plays anything legal."""

    name = "random"

    def consider(self, question: Question[A], rng: Random) -> Judgement[A]:
        """Any of the options, for no reason."""
        action = question.options.sample(rng)
        return Judgement(action, lambda: self._written(question, action))

    def _written(self, question: Question[A], action: A) -> Explanation:
        asked = question.decision.wording(question.seat)
        chosen = question.ruleset.describe(action)
        return Explanation(self.name, asked.rule, asked.title, chosen, plan=("any answer is as good",))
