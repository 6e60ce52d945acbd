"""The greedy player: one decision deep. The answer that looks best by exact odds and the system's evaluation."""

from __future__ import annotations

from random import Random
from typing import Any, TypeVar

from sandtable.bots.clock import DEFAULT_SECONDS, Clock
from sandtable.bots.doctrine import doctrine_of
from sandtable.bots.explain import Explanation
from sandtable.bots.manner import CHARACTERS, Character
from sandtable.bots.policy import Question
from sandtable.bots.search import Tried
from sandtable.bots.thinking import Thought, answer_in_time, filled, legal, written

__all__ = ["GreedyBot"]

A = TypeVar("A")


class GreedyBot:
    """Takes what looks best now."""

    name = "greedy"

    def __init__(self, seconds: float | None = DEFAULT_SECONDS) -> None:
        self._manner = CHARACTERS[Character.STEADY]._replace(plans=False)
        self._seconds = seconds
        self.cut_short = 0
        """Answers that the clock cut short so far."""

    def choose(self, question: Question[A], rng: Random) -> A:
        """The best idea."""
        action: A = self._answer(question, rng, Clock(self._seconds)).action
        return action

    def explain(self, question: Question[Any], rng: Random) -> Explanation:
        """The ideas, the best first."""
        clock = Clock(self._seconds)
        thought = self._answer(question, rng, clock)
        plan = doctrine_of(question.ruleset).plan(question, self._manner)
        return written(self.name, question, thought, plan, clock)

    def _answer(self, question: Question[Any], rng: Random, clock: Clock) -> Thought:
        thought = answer_in_time(question, rng, clock, lambda chance, _: self._think(question, chance))
        self.cut_short += clock.ran_out
        return thought

    def _think(self, question: Question[Any], rng: Random) -> Thought:
        doctrine = doctrine_of(question.ruleset)
        slots = doctrine.slots(question, self._manner, rng)
        if slots is not None:
            root = question.options.root
            labels = [slot.label for slot in getattr(root, "slots", ())]
            best = [
                Tried(ideas[0], None, f"{label}: {ideas[0].answer}") for label, ideas in zip(labels, slots, strict=True)
            ]
            return Thought(legal(question, filled(root, [ideas[0].answer for ideas in slots]), rng), best)
        ideas = doctrine.ideas(question, self._manner, rng)
        return Thought(
            legal(question, ideas[0].answer if ideas else None, rng), [Tried(idea, idea.answer) for idea in ideas]
        )
