"""What may come of an action, before it is played: exact odds, and the numbers that they rest on.

The same enumeration as :func:`sandtable.core.odds.odds`, within bounds: an action whose dice can fall in
too many ways, or be rolled again without end, has no preview.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from sandtable.core.capabilities import Foresees, Supposes
from sandtable.core.decision import Decision, Seat
from sandtable.core.dice import Cuts, Dice, DiceSpec, Roll, enumerate_rolls
from sandtable.core.modifier import Breakdown
from sandtable.core.odds import Chance, Supposition, first_answer, settle
from sandtable.core.ruleset import Resolution, Ruleset

__all__ = ["MAX_WAYS", "BoundedDice", "Preview", "TooManyRolls", "foreseeing", "preview", "suppositions"]

A = TypeVar("A")
MAX_ROLLS = 40
MAX_WAYS = 2000


class Preview(NamedTuple):
    """Odds and numbers of an action."""

    chances: tuple[Chance, ...]
    """Likeliest first; empty if there are too many ways to follow."""
    breakdowns: tuple[Breakdown, ...]


class TooManyRolls(Exception):
    """Dice that may be rolled again without end cannot be enumerated."""


class BoundedDice:
    """Dice that give up after so many rolls."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self._rolls = 0

    def roll(self, dice: DiceSpec, why: str, cuts: Cuts = None) -> Roll:
        """Roll, or raise :class:`TooManyRolls`."""
        self._rolls += 1
        if self._rolls > MAX_ROLLS:
            raise TooManyRolls
        return self._dice.roll(dice, why, cuts)


class _Listening:
    """A ruleset's questions and resolutions, with the numbers of their events noted."""

    def __init__(self, ruleset: Ruleset[Any, Any, Any]) -> None:
        self._ruleset = ruleset
        self.numbers: dict[str, Breakdown] = {}

    def decision(self, state: Any) -> Decision[Any] | None:
        return self._ruleset.decision(state)

    def resolve(self, state: Any, seat: Seat, action: Any, dice: Dice) -> Resolution[Any, Any]:
        resolution = self._ruleset.resolve(state, seat, action, dice)
        for event in resolution.events:
            for breakdown in self._ruleset.breakdowns(event):
                self.numbers.setdefault(breakdown.explain(), breakdown)
        return resolution


def foreseeing(ruleset: Ruleset[Any, A, Any], action: A) -> Ruleset[Any, A, Any]:
    """The rules by which a person may foresee an action: a system may keep something dark until it is declared."""
    return ruleset.foresight(action) if isinstance(ruleset, Foresees) else ruleset


def suppositions(ruleset: Ruleset[Any, A, Any], known: Any, seat: Seat, action: A) -> Sequence[Supposition]:
    """What the odds of ``action`` leave out, by the system's own account."""
    return ruleset.suppositions(known, seat, action) if isinstance(ruleset, Supposes) else ()


def preview(
    ruleset: Ruleset[Any, A, Any],
    known: Any,
    seat: Seat,
    action: A,
    reply: Callable[[Decision[Any], Seat], Any] = first_answer,
    *,
    most: int = MAX_WAYS,
) -> Preview:
    """What may come of ``action`` in the state ``known``, as far as it may be foreseen.

    ``reply`` answers the questions that interrupt it; more than ``most`` ways are not followed.
    """
    given, ruleset = ruleset, foreseeing(ruleset, action)
    if ruleset is not given and ruleset.refusal(known, seat, action) is not None:
        # What is taken for granted may stand in the way of an action that the ground allows.
        return Preview((), ())
    listening = _Listening(ruleset)
    totals: dict[str, Fraction] = {}

    def run(dice: Dice) -> str:
        after = settle(listening, known, [(seat, action)], BoundedDice(dice), reply)  # type: ignore[arg-type]
        return ruleset.consequence(known, after)

    try:
        for what, weight in islice(enumerate_rolls(run), most):
            totals[what] = totals.get(what, Fraction(0)) + weight
    except TooManyRolls:
        totals = {}
    if sum(totals.values()) != 1:
        return Preview((), tuple(listening.numbers.values()))
    ranked = sorted(totals.items(), key=lambda item: (-item[1], item[0]))
    chances = tuple(Chance(what, float(chance), str(chance)) for what, chance in ranked)
    return Preview(chances, tuple(listening.numbers.values()))
