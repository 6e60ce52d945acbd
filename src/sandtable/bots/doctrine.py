"""What the file of a system supplies to its bots: an eye for the game, in the system's own terms.

A :class:`Doctrine` is made once for a ruleset and may keep what never changes there, and what follows from a position,
by all of it that counts. All of its methods see a seat's knowledge, or a world imagined from it: nothing else is within
reach. Greedy takes the best of its ideas; the captain tries several of them in imagined worlds and judges where they
lead. A system's card says where its doctrine is; one without is played by :mod:`sandtable.bots.general`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from pkgutil import resolve_name
from random import Random
from typing import Any, NamedTuple, Protocol, cast, runtime_checkable

from sandtable.bots.explain import Reason
from sandtable.bots.policy import Question
from sandtable.bots.style import Level, Style
from sandtable.core.decision import Seat
from sandtable.core.dice import Dice
from sandtable.core.ruleset import Ruleset

__all__ = ["GENERAL", "Doctrine", "GoesOn", "Graded", "Idea", "doctrine_of"]

AnyRuleset = Ruleset[Any, Any, Any]


class Idea(NamedTuple):
    """An answer that looks promising, or one value of a slot that does."""

    answer: Any
    """An action; for a slot of an assignment, the value."""
    worth: float
    """Points for the seat at first sight; only differences within one question mean something."""
    reasons: Callable[[], Sequence[Reason]] = tuple
    """Worked out only when somebody asks."""
    what: str = ""
    """The answer in a phrase, where the rules' own does not tell answers apart."""
    scale: float = 1.0
    """How much hangs on it, 1 on average: first sight errs by so much more or less."""


class Doctrine(Protocol):
    """How to think about one system."""

    doubt: float
    """Points by which the first sight of an idea is wrong as a rule."""

    @property
    def imagined(self) -> AnyRuleset:
        """The rules of imagined worlds: a game's own, or others where a seat may not know what some lead to."""
        ...

    def ideas(self, question: Question[Any], style: Style, rng: Random) -> list[Idea]:
        """Promising answers, the best first; never empty. Not asked where :meth:`slots` answers."""
        ...

    def slots(self, question: Question[Any], style: Style, rng: Random) -> list[list[Idea]] | None:
        """For a question whose answer is an assignment: for every slot its values, the best first."""
        ...

    def imagine(self, question: Question[Any], style: Style, rng: Random) -> Any | None:
        """A whole state that fits what the seat knows, with the hidden facts drawn anew; None if it cannot tell."""
        ...

    def rollout(self, state: Any, seat: Seat, style: Style, rng: Random) -> Any:
        """A quick, sound answer in an imagined state: how both sides go on when looking ahead."""
        ...

    def is_over(self, begun: Any, state: Any) -> bool:
        """Whether a look ahead that set out from ``begun`` has gone far enough to be judged."""
        ...

    def worth(self, state: Any, seat: Seat, style: Style) -> float:
        """Points by which the seat is ahead in an imagined state, with what is still to come."""
        ...

    def plan(self, question: Question[Any], style: Style) -> list[str]:
        """What the seat is about, in words."""
        ...


@runtime_checkable
class Graded(Protocol):
    """A doctrine that looks ahead in ways of its own, by level: what a look costs and tells differs between systems."""

    def at(self, question: Question[Any], number: int, level: Level) -> tuple[Doctrine, Level]:
        """How a captain of the level with this number thinks about a question, and how much."""
        ...


@runtime_checkable
class GoesOn(Protocol):
    """A doctrine that says what its quick answers come to: it may keep that, and need neither think nor resolve."""

    def go_on(self, state: Any, seat: Seat, style: Style, rng: Random, dice: Dice) -> Any:
        """The state that the answer of :meth:`Doctrine.rollout` leads to."""
        ...


GENERAL = "sandtable.bots.general:doctrine"
"""Where the doctrine for any system is: a function of a ruleset, as a card's ``doctrine`` is."""


def doctrine_of(ruleset: AnyRuleset) -> Doctrine:
    """The doctrine for a ruleset: its system's, or the general one; kept for the rulesets in use."""
    return _kept(cast("Hashable", ruleset))


@lru_cache(maxsize=32)
def _kept(key: Hashable) -> Doctrine:
    ruleset = cast("AnyRuleset", key)
    found: Doctrine = resolve_name(ruleset.card.doctrine or GENERAL)(ruleset)
    return found
