"""The looks of one search, taken here and by helpers at the same time.

What will be wanted next is planned ahead. Captain and helpers take the next look that nobody has, each in worlds of
his own as long as there are some: looks in one world come by the same positions. A helper is given several at once,
fewer as there are fewer left, since it takes time to ask, and the last of them only when he is free. Where all are
taken they go on, one look at a time, with what will most likely be wanted after that; and where nobody knows, or a look
is likely to be a short one, the captain takes one a second time rather than wait, and leaves off when he is told. Which
of them was first makes no difference to what is found, and a helper who is slow or dies holds nobody up.
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


FEW = 2
"""So many looks are left to whoever is free first: nobody is given one of them to take later."""


class Wanted(NamedTuple):
    """A look that a search wants: equal to another only if it is the same answer in the same world."""

    answer: int
    """Number of the answer in its search."""
    world: int


class _Told(Exception):
    """Somebody else has taken the look, or the one that this was to pass the time for."""


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
        self._answers: list[Any] = []
        self._words: dict[int, bytes] = {}
        """The same for others, as far as they were told."""
        self._seeds: Sequence[int] = ()
        self._plan: Sequence[Wanted] = ()
        self._after: Callable[[], Sequence[Wanted]] | None = None
        """What will most likely be wanted then, until somebody needs to know."""
        self._spare: Sequence[Wanted] = ()
        """The same as it was told."""
        self._asked: dict[int, list[Wanted]] = {}
        self._is_refused = False
        """Whether nobody was free when somebody was asked last: until somebody has told, nobody is."""
        self._tried: set[Wanted] = set()
        """Looks that somebody was asked for, or that are taken here."""
        self._ours: dict[int, bool] = {}
        """By world: whether it was begun here, or by a helper."""
        self._found: dict[Wanted, Outlook] = {}

    def number(self, action: Any) -> int:
        """A number for an answer."""
        self._answers.append(action)
        return len(self._answers) - 1

    def plan(
        self, wanted: Sequence[Wanted], seeds: Sequence[int], after: Callable[[], Sequence[Wanted]] | None = None
    ) -> None:
        """Say what will be wanted next, in the order that it is wanted in, and the seeds of the worlds.

        ``after`` is asked once, when all of that is taken: what will most likely be wanted then.
        """
        self._plan = wanted
        self._seeds = seeds
        self._after, self._spare = after, ()
        self._is_refused = False
        for one in wanted[:1]:
            # What is wanted first is begun here, at once.
            self._ours.setdefault(one.world, True)
        self._hand_out()

    def take(self, wanted: Wanted) -> Outlook | None:
        """What comes of a look; None if nobody can imagine its world."""
        while wanted not in self._found:
            planned = self._first(self._plan)
            mine = planned or self._again(wanted) or self._first(self._further()) or wanted
            self._begin(mine, here=True)
            self._hand_out()
            # What may never be wanted is left off when that is known which is, if it will go quickly another time.
            until = {mine, wanted} if self._looking.is_kept and not planned else {mine}

            def attend(until: set[Wanted] = until) -> None:
                self._clock.check()
                self._listen()
                if not until.isdisjoint(self._found):
                    raise _Told

            try:
                attend()
                outlook = self._looking.take(self._answers[mine.answer], mine.world, self._seeds[mine.world], attend)
            except _Told:
                if mine not in self._found:
                    self._tried.discard(mine)
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
            self._is_refused = False
            self._hand_out()

    def _hand_out(self) -> None:
        while not (self._is_refused and self._asked):
            looks = self._ranked(self._plan) or self._ranked(self._further())[:1]
            if not looks:
                return
            given = looks[: -(-len(looks) // PORTION)]
            sent = tuple(Look(self._told_as(one.answer), one.world, self._seeds[one.world]) for one in given)
            errand = Errand(self._bot, sent, self._dice_seed, self._clock.left)
            number = self._helpers.ask(self._question, errand, ahead=len(looks) > FEW)
            if number is None:
                self._is_refused = True
                return
            self._asked[number] = given
            for one in given:
                self._begin(one, here=False)

    def _told_as(self, answer: int) -> bytes:
        """An answer in words for others."""
        if answer not in self._words:
            self._words[answer] = encode(self._answers[answer])
        return self._words[answer]

    def _begin(self, wanted: Wanted, *, here: bool) -> None:
        self._tried.add(wanted)
        self._ours.setdefault(wanted.world, here)

    def _further(self) -> Sequence[Wanted]:
        """What may be wanted after all that is planned."""
        if self._after is not None:
            self._spare, self._after = self._after(), None
        return self._spare

    def _again(self, wanted: Wanted) -> Wanted | None:
        """The look that is waited for, where it is likely to be a short one: in a world that was begun here."""
        return wanted if self._looking.is_kept and self._ours.get(wanted.world) else None

    def _first(self, looks: Sequence[Wanted]) -> Wanted | None:
        """The captain's next look that nobody has: in a world that was begun by him or by nobody, if there is one."""
        other = None
        for one in looks:
            if one not in self._tried:
                if self._ours.get(one.world, True):
                    return one
                other = other or one
        return other

    def _ranked(self, looks: Sequence[Wanted]) -> list[Wanted]:
        """Those that nobody has as a helper takes them; first those in worlds that were begun by one or by nobody."""
        left = [one for one in looks if one not in self._tried]
        return sorted(left, key=lambda one: self._ours.get(one.world, False))
