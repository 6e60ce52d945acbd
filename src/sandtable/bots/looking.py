"""A look ahead: an answer is played in an imagined world, both sides go on, and the position is judged.

What comes of a look follows from the question, the answer and the numbers in it and from nothing else, so it may be
taken anywhere: :class:`Helpers` are others who take looks for a captain, in processes of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple, Protocol

from sandtable.bots.common_dice import CommonDice
from sandtable.bots.doctrine import Doctrine, GoesOn
from sandtable.bots.policy import Question
from sandtable.bots.style import Style
from sandtable.core.decision import Seat
from sandtable.core.dice import Dice

__all__ = ["Errand", "Found", "Helpers", "Look", "Looking", "Outlook"]


class Outlook(NamedTuple):
    """How far a seat is ahead at the end of a look, and how many steps it took."""

    points: float
    """That the seat is ahead by in the end."""
    steps: int
    """Answers that were played, the first one counted in."""


class Look(NamedTuple):
    """A look ahead that is to be taken, in words that go to another process."""

    action: bytes
    """The answer that is tried, as JSON."""
    world: int
    """Number of the imagined world ..."""
    seed: int
    """... and what it is drawn by."""


class Errand(NamedTuple):
    """Looks that somebody else is asked to take; the question goes with them."""

    bot: str
    looks: tuple[Look, ...]
    dice_seed: int
    """What the dice of all worlds of the question fall by."""
    seconds: float | None
    """How long they are of use; None for ever."""


Found = tuple[Outlook | None, ...]
"""What came of the looks of an errand, in their order; None where there was no time, or no world."""


class Helpers(Protocol):
    """Others who take looks for a captain. None of them is ever waited for."""

    def ask(self, question: Question[Any], errand: Errand, *, ahead: bool) -> int | None:
        """Have looks taken: the number that they are told under, or None if nobody is free.

        ``ahead`` says that one who is at an errand may be given this one for afterwards. Nothing that is asked about a
        question is wanted any longer when another one is asked about.
        """
        ...

    def told(self) -> Sequence[tuple[int, Found | None]]:
        """What has come since the last time; None where nothing comes of an errand."""
        ...


class Looking:
    """Takes looks from one question."""

    def __init__(
        self, question: Question[Any], doctrine: Doctrine, style: Style, *, horizons: int, dice_seed: int
    ) -> None:
        self._question = question
        self._doctrine = doctrine
        self._style = style
        self._horizons = horizons
        self._dice_seed = dice_seed
        self.is_kept = isinstance(doctrine, GoesOn)
        """Whether it is kept what positions lead to: a look that comes by the same ones as others before is short."""
        self._go_on = doctrine.go_on if isinstance(doctrine, GoesOn) else self._answered

    def world(self, seed: int) -> Any | None:
        """The imagined world that is drawn by a seed, the same for every answer; None if nobody can imagine one."""
        worlds = self._question.scratch
        key = f"world {seed} {self._style}"
        if key not in worlds:
            worlds[key] = self._doctrine.imagine(self._question, self._style, Random(seed))
        return worlds[key]

    def take(self, action: Any, number: int, seed: int, attend: Callable[[], None]) -> Outlook | None:
        """Try an answer in the world of a number; ``attend`` is called before every step and may raise."""
        world = self.world(seed)
        if world is None:
            return None
        seat = self._question.seat
        doctrine, style = self._doctrine, self._style
        ruleset = doctrine.imagined
        dice, rng = CommonDice(self._dice_seed, number), Random(seed)
        state = ruleset.resolve(world, seat, action, dice).state
        begun, further, steps = world, self._horizons - 1, 1
        while (decision := ruleset.decision(state)) is not None:
            if doctrine.is_over(begun, state):
                if not further:
                    break
                begun, further = state, further - 1
            attend()
            steps += 1
            state = self._go_on(state, decision.asked[0], style, rng, dice)
        return Outlook(doctrine.worth(state, seat, style), steps)

    def _answered(self, state: Any, seat: Seat, style: Style, rng: Random, dice: Dice) -> Any:
        """The state after a quick answer."""
        answer = self._doctrine.rollout(state, seat, style, rng)
        return self._doctrine.imagined.resolve(state, seat, answer, dice).state
