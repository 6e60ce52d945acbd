"""A doctrine for any system: tries some of the answers with dice of its own and counts the points that follow.

It knows no rule. What a system's view tells of the scores is all that it goes by, so it plays for objectives and
losses where those are scored, and at random where nothing changes.
"""

from __future__ import annotations

from random import Random
from typing import Any

from sandtable.bots.doctrine import Idea
from sandtable.bots.policy import Question
from sandtable.bots.style import Style
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.core.errors import SandtableError
from sandtable.core.ruleset import Ruleset

__all__ = ["GeneralDoctrine", "doctrine"]

TRIED = 10
"""Answers that are tried."""
THROWS = 2
"""Times that each of them is tried."""
WORST = -1e9


class GeneralDoctrine:
    """How to think about a system of which nothing is known."""

    doubt = 1.0

    def __init__(self, ruleset: Ruleset[Any, Any, Any]) -> None:
        self._ruleset = self.imagined = ruleset

    def ideas(self, question: Question[Any], style: Style, rng: Random) -> list[Idea]:
        """Some answers drawn at random, best first by the points that came of them."""
        drawn = [question.options.sample(rng) for _ in range(TRIED)]
        ideas = [Idea(answer, self._tried(question, answer, style, rng)) for answer in drawn]
        return sorted(ideas, key=lambda idea: -idea.worth)

    def slots(self, question: Question[Any], style: Style, rng: Random) -> list[list[Idea]] | None:
        """Assignments are drawn whole."""
        del question, style, rng
        return None

    def imagine(self, question: Question[Any], style: Style, rng: Random) -> Any | None:
        """Nothing is known of what is hidden."""
        del question, style, rng
        return None

    def rollout(self, state: Any, seat: Seat, style: Style, rng: Random) -> Any:
        """Any answer."""
        del style
        decision = self._ruleset.decision(state)
        return None if decision is None else decision.options(seat).sample(rng)

    def is_over(self, begun: Any, state: Any) -> bool:
        """One answer is far enough."""
        return begun is not state

    def worth(self, state: Any, seat: Seat, style: Style) -> float:
        """Points of the seat less those of the best of the others."""
        del style
        points = {score.side: score.points for score in self._ruleset.view(state, seat).scores}
        others = [count for side, count in points.items() if side != seat]
        return float(points.get(seat, 0) - max(others, default=0))

    def plan(self, question: Question[Any], style: Style) -> list[str]:
        """It has none."""
        del question, style
        return []

    def _tried(self, question: Question[Any], answer: Any, style: Style, rng: Random) -> float:
        total = 0.0
        for _ in range(THROWS):
            dice = SeededDice(rng.getrandbits(32))
            try:
                after = self._ruleset.resolve(question.known, question.seat, answer, dice).state
                total += self.worth(after, question.seat, style)
            except (SandtableError, KeyError, ValueError, AssertionError):
                # What is hidden from the seat may leave the rules without an answer; then nothing is known of it.
                return WORST
        return total / THROWS


def doctrine(ruleset: Ruleset[Any, Any, Any]) -> GeneralDoctrine:
    """The doctrine of a ruleset."""
    return GeneralDoctrine(ruleset)
