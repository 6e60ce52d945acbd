"""The greedy player: one decision deep. The answer that looks best by exact odds and the system's evaluation."""

from __future__ import annotations

from random import Random
from typing import Any

from sandtable.bots.clock import DEFAULT_SECONDS, Clock
from sandtable.bots.doctrine import Doctrine
from sandtable.bots.policy import Question
from sandtable.bots.search import Tried
from sandtable.bots.style import CHARACTERS, Character
from sandtable.bots.thinking import Thinker, Thought, filled, legal
from sandtable.core.decision import Assign, Gather

__all__ = ["GreedyBot"]


class GreedyBot(Thinker):
    """Takes what looks best now."""

    def __init__(self, seconds: float | None = DEFAULT_SECONDS) -> None:
        super().__init__("greedy", CHARACTERS[Character.STEADY]._replace(plans=False), seconds)

    def _think(
        self, question: Question[Any], doctrine: Doctrine, rng: Random, clock: Clock, noted: list[Any]
    ) -> Thought:
        del clock, noted
        slots = doctrine.slots(question, self._style, rng)
        if slots is not None:
            root = question.options.root
            labels = [slot.label for slot in root.slots] if isinstance(root, Assign | Gather) else []
            best = [
                Tried(ideas[0], None, f"{label}: {ideas[0].answer}") for label, ideas in zip(labels, slots, strict=True)
            ]
            return Thought(legal(question, filled(root, [ideas[0].answer for ideas in slots]), rng), best)
        ideas = doctrine.ideas(question, self._style, rng)
        return Thought(
            legal(question, ideas[0].answer if ideas else None, rng), [Tried(idea, idea.answer) for idea in ideas]
        )
