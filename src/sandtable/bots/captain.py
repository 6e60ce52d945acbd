"""The captain: makes a plan, then tries its most promising answers in imagined worlds.

The plan and the ideas are the doctrine's of the system, the trying is :mod:`sandtable.bots.search`. Levels set how many
looks ahead there are, the clock is only a guard: without it, the same seed gives the same game on any machine.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from sandtable.bots.clock import DEFAULT_SECONDS, Clock, OutOfTime
from sandtable.bots.doctrine import Doctrine, Graded, Idea, doctrine_of
from sandtable.bots.looking import Errand, Found, Helpers, Look, Looking, Outlook
from sandtable.bots.policy import Question
from sandtable.bots.search import Search
from sandtable.bots.style import CHARACTERS, LEVELS, Character, Level
from sandtable.bots.thinking import Thinker, Thought, filled, legal
from sandtable.core.codec import decode

__all__ = ["Captain"]


class Captain(Thinker):
    """Plans, then looks ahead."""

    def __init__(
        self,
        level: int = 2,
        character: Character = Character.STEADY,
        seconds: float | None = DEFAULT_SECONDS,
        helpers: Helpers | None = None,
    ) -> None:
        """With ``helpers`` looks are taken in several processes; what is chosen is the same."""
        super().__init__(f"captain:{level}:{character}", CHARACTERS[character]._replace(level=level), seconds)
        self._level = LEVELS[level]
        self._helpers = helpers
        self.looks = 0
        """Looks ahead so far."""

    def _think(
        self, question: Question[Any], doctrine: Doctrine, rng: Random, clock: Clock, noted: list[Any]
    ) -> Thought:
        doctrine, level = self._graded(question, doctrine)
        slots = doctrine.slots(question, self._style, rng)
        astray = level.slips * doctrine.doubt
        search = Search(
            question,
            doctrine,
            rng,
            style=self._style,
            level=level,
            clock=clock,
            helpers=self._helpers,
            bot=self.name,
        )
        if slots is not None:
            slots = [_misjudged(ideas, astray, rng) for ideas in slots]
            noted.append(filled(question.options.root, [ideas[0].answer for ideas in slots]))
            tried = search.assignment(slots)
        else:
            ideas = _misjudged(doctrine.ideas(question, self._style, rng), astray, rng)
            noted.extend(idea.answer for idea in ideas[:1])
            tried = search.answers(ideas)
        self.looks += search.looks
        return Thought(legal(question, tried[0].action if tried else None, rng), tried)

    def _graded(self, question: Question[Any], doctrine: Doctrine) -> tuple[Doctrine, Level]:
        """How this captain thinks about a question, and how much."""
        if isinstance(doctrine, Graded):
            return doctrine.at(question, self._style.level, self._level)
        return doctrine, self._level

    def look(self, question: Question[Any], errand: Errand, is_wanted: Callable[[], bool] = lambda: True) -> Found:
        """Take looks for another captain of the same name, for as long as they are wanted."""
        doctrine, level = self._graded(question, doctrine_of(question.ruleset))
        looking = Looking(question, doctrine, self._style, horizons=level.horizons, dice_seed=errand.dice_seed)
        clock = Clock(errand.seconds)

        def attend() -> None:
            clock.check()
            if not is_wanted():
                raise OutOfTime

        return tuple(self._taken(looking, look, question.ruleset.action_type, attend) for look in errand.looks)

    def _taken(self, looking: Looking, look: Look, kind: Any, attend: Callable[[], None]) -> Outlook | None:
        try:
            return looking.take(decode(look.action, kind), look.world, look.seed, attend)
        except OutOfTime:
            return None


def _misjudged(ideas: list[Idea], astray: float, rng: Random) -> list[Idea]:
    """The ideas as somebody sees them whose eye errs by so many points; the best first."""
    if not astray:
        return ideas
    seen = [idea._replace(worth=idea.worth + rng.gauss(0, astray)) for idea in ideas]
    return sorted(seen, key=lambda idea: -idea.worth)
