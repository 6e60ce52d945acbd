"""What bots say in the terminal: a hint for the person who is asked, and why a bot did what it did.

A hint knows what the person's seat may know. A bot's own reasons would give its orders away, so they are told when the
game is over: what it thought is kept till then.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from sandtable.bots import Judgement, Policy, Question, make_bot
from sandtable.bots.looking import Helpers
from sandtable.core.decision import Seat
from sandtable.core.errors import BadInput, Fault
from sandtable.core.game import Game

__all__ = ["Advice"]

ADVISER = "captain"
SHOWN = 12
"""Lines of an explanation that fit under a prompt."""


class _Thought(NamedTuple):
    """A bot's answer, and what it made of the question."""

    seat: Seat
    text: str
    judgement: Judgement[Any]


class Advice:
    """The bots' side of a talk."""

    def __init__(self, game: Game[Any, Any, Any], helpers: Helpers | None = None) -> None:
        self._game = game
        self._helpers = helpers
        self._thoughts: list[_Thought] = []

    def answer(self, bot: Policy, seat: Seat, rng: Random) -> Any:
        """A bot's answer, remembered with its thoughts."""
        ruleset, state = self._game.ruleset, self._game.state
        judgement = bot.consider(Question(ruleset, ruleset.conceal(state, seat), seat), rng)
        self._thoughts.append(_Thought(seat, ruleset.describe(judgement.action), judgement))
        return judgement.action

    def hint(self, words: Sequence[str]) -> list[str]:
        """What a bot would do in the place of the one who is asked; raise :class:`BadInput` for one unknown."""
        decision = self._game.decision
        asked = decision.asked[0] if decision is not None else None
        if asked is None:
            raise BadInput([Fault("hint", "the game is over", "")])
        ruleset = self._game.ruleset
        question: Question[Any] = Question(ruleset, ruleset.conceal(self._game.state, asked), asked)
        adviser = make_bot(words[0] if words else ADVISER, where="hint", helpers=self._helpers)
        return adviser.explain(question, Random(len(self._game.lines))).lines()[:SHOWN]

    def why(self, words: Sequence[str]) -> list[str]:
        """Why a bot gave an answer, the last one if no number is named; a list of them for ``why all``."""
        if self._game.decision is not None:
            raise BadInput([Fault("why", "the game is not over, and a bot's reasons would tell its orders", "hint")])
        if words == ["all"]:
            return [f"{number}: {one.seat}: {one.text}" for number, one in enumerate(self._thoughts, start=1)]
        number = words[0] if words else str(len(self._thoughts))
        if not number.isdigit() or not 0 < int(number) <= len(self._thoughts):
            raise BadInput([Fault("why", f"no answer {number!r}", f"why N, N up to {len(self._thoughts)}; why all")])
        return self._thoughts[int(number) - 1].judgement.explanation.lines()
