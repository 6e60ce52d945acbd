"""The looks of one search, taken here and by helpers at the same time.

What will be wanted next is planned ahead. Captain and helpers take the next look that nobody has, each in worlds of
his own as long as there are some: looks in one world come by the same positions. A helper is given several at once,
fewer as there are fewer left, since it takes time to ask. Where all are taken they go on, one look at a time, with what
will most likely be wanted after that; and where nobody knows, the captain takes one a second time rather than wait, and
leaves off when it is told. Which of them was first makes no difference to what is found, and a helper who is slow or
dies holds nobody up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from sandtable.bots.clock import Clock
from sandtable.bots.looking import Errand, Helpers, Look, Looking, Outlook
from sandtable.bots.policy import Question
from sandtable.core.codec import encode

__all__ = ["SharedLooks", "Wanted"]


PORTION = 4
"""The part of what is left that a helper is given at once: a quarter."""


class Wanted(NamedTuple):
    """A look that a search wants: equal to another only if it is the same answer in the same world."""

    answer: int
    """Number of the answer in its search."""
    world: int


class _Told(Exception):
    """Somebody else has taken the look."""


class SharedLooks:
    """Takes looks together with helpers."""

    def __init__(
        self, bot: str, question: Question[Any], looking: Looking, helpers: Helpers, clock: Clock, *, dice_seed: int
    ) -> None:
        self._bot = bot
        self._question = question
        self._looking = looking
        self._helpers = helpers
        self._clock = clock
        self._dice_seed = dice_seed
        self._answers: list[tuple[Any, bytes]] = []
        self._seeds: Sequence[int] = ()
        self._plan: list[Wanted] = []
        self._after: Callable[[], Sequence[Wanted]] | None = None
        """What will most likely be wanted then, until somebody needs to know."""
        self._spare: list[Wanted] = []
        """The same as it was told."""
        self._asked: dict[int, list[Wanted]] = {}
        self._tried: set[Wanted] = set()
        """Looks that somebody was asked for, or that are taken here."""
        self._ours: dict[int, bool] = {}
        """By world: whether it was begun here, or by a helper."""
        self._found: dict[Wanted, Outlook] = {}

    def number(self, action: Any) -> int:
        """A number for an answer."""
        self._answers.append((action, encode(action)))
        return len(self._answers) - 1

    def plan(
        self, wanted: Sequence[Wanted], seeds: Sequence[int], after: Callable[[], Sequence[Wanted]] | None = None
    ) -> None:
        """Say what will be wanted next, in the order that it is wanted in, and the seeds of the worlds.

        ``after`` is asked once, when all of that is taken: what will most likely be wanted then.
        """
        self._plan = list(wanted)
        self._seeds = seeds
        self._after, self._spare = after, []
        for one in wanted[:1]:
            # What is wanted first is begun here, at once.
            self._ours.setdefault(one.world, True)
        self._hand_out()

    def take(self, wanted: Wanted) -> Outlook | None:
        """What comes of a look; None if nobody can imagine its world."""
        while wanted not in self._found:
            mine = next(iter(self._next(here=True) or self._further(here=True)), wanted)
            self._begin(mine, here=True)
            self._hand_out()

            def attend(mine: Wanted = mine) -> None:
                self._clock.check()
                self._listen()
                if mine in self._found:
                    raise _Told

            try:
                attend()
                outlook = self._looking.take(self._answers[mine.answer][0], mine.world, self._seeds[mine.world], attend)
            except _Told:
                continue
            if outlook is not None:
                self._found[mine] = outlook
            elif mine == wanted:
                return None
        return self._found[wanted]

    def _listen(self) -> None:
        told = self._helpers.told()
        for number, found in told:
            for wanted, outlook in zip(self._asked.pop(number, ()), found or (), strict=False):
                if outlook is not None:
                    self._found[wanted] = outlook
        if told:
            # Who was busy when it was planned may be free now.
            self._hand_out()

    def _hand_out(self) -> None:
        while looks := self._next(here=False) or self._further(here=False)[:1]:
            given = looks[: -(-len(looks) // PORTION)]
            sent = tuple(Look(self._answers[one.answer][1], one.world, self._seeds[one.world]) for one in given)
            number = self._helpers.ask(self._question, Errand(self._bot, sent, self._dice_seed, self._clock.left))
            if number is None:
                return
            self._asked[number] = given
            for one in given:
                self._begin(one, here=False)

    def _begin(self, wanted: Wanted, *, here: bool) -> None:
        self._tried.add(wanted)
        self._ours.setdefault(wanted.world, here)

    def _next(self, *, here: bool) -> list[Wanted]:
        """The looks of the plan that nobody has; first those in worlds that were begun here (or there) or by nobody."""
        self._plan = self._left(self._plan)
        return self._ranked(self._plan, here=here)

    def _further(self, *, here: bool) -> list[Wanted]:
        """The same of those that may be wanted after them."""
        if self._after is not None:
            self._spare, self._after = list(self._after()), None
        self._spare = self._left(self._spare)
        return self._ranked(self._spare, here=here)

    def _left(self, looks: Sequence[Wanted]) -> list[Wanted]:
        return [one for one in looks if one not in self._tried]

    def _ranked(self, looks: Sequence[Wanted], *, here: bool) -> list[Wanted]:
        return sorted(looks, key=lambda one: self._ours.get(one.world, here) is not here)
