"""The random player: a fair choice at every branch. The yardstick for all others."""

from __future__ import annotations

from random import Random
from typing import TypeVar

from sandtable.bots.policy import Question

__all__ = ["RandomBot"]

A = TypeVar("A")


class RandomBot:
    """Plays anything legal."""

    name = "random"

    def choose(self, question: Question[A], rng: Random) -> A:
        """Any of the options."""
        return question.options.sample(rng)
