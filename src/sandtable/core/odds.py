"""Exact odds: the same code that plays an action, run once for every group of rolls that it tells apart.

An action may open questions for the other side before it is settled (whether to reveal a command, which aspect is
hit). ``reply`` answers those; the odds are exact for that way of answering. What they leave out by it is named by a
:class:`Supposition`, under which the same odds can be worked out again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

import msgspec

from sandtable.core.decision import Decision, Seat
from sandtable.core.dice import MOST_WAYS, Dice, enumerate_rolls
from sandtable.core.errors import RulesBug
from sandtable.core.ruleset import Ruleset

__all__ = ["Chance", "Supposition", "first_answer", "odds", "settle"]

S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")
MAX_REPLIES = 200


class Chance(msgspec.Struct, frozen=True):
    """One thing that can come of an action."""

    what: str
    probability: float
    exact: str
    """The probability as a fraction."""


def first_answer(decision: Decision[A], seat: Seat) -> A:
    """The first answer on the list: what a question's author put as the plain reply."""
    return next(iter(decision.options(seat)))


class Supposition(NamedTuple):
    """Something that the odds of an action leave out, because it is for another side to decide or is not known.

    The odds with it are those of the same action in ``state``, with questions on the way answered by ``reply``.
    """

    what: str
    """What may come about, as a clause after "if": ``the owner of G1 reveals a moving command``."""
    rule: str
    state: Any = None
    """The position, as the seat knows it, in which it comes about; None where no number can be given for it."""
    reply: Callable[[Decision[Any], Seat], Any] = first_answer


def settle(
    ruleset: Ruleset[S, A, E],
    state: S,
    moves: Sequence[tuple[Seat, A]],
    dice: Dice,
    reply: Callable[[Decision[A], Seat], A] = first_answer,
) -> S:
    """The state after ``moves`` and after every question that interrupts them."""
    before = ruleset.decision(state)
    depth = before.depth if before is not None else 0
    for seat, action in moves:
        state = ruleset.resolve(state, seat, action, dice).state
    for _ in range(MAX_REPLIES):
        decision = ruleset.decision(state)
        if decision is None or decision.depth <= depth:
            return state
        seat = decision.asked[0]
        state = ruleset.resolve(state, seat, reply(decision, seat), dice).state
    raise RulesBug(f"an action is not settled after {MAX_REPLIES} replies")


def odds(
    ruleset: Ruleset[S, A, E],
    state: S,
    moves: Sequence[tuple[Seat, A]],
    reply: Callable[[Decision[A], Seat], A] = first_answer,
    most: int = MOST_WAYS,
) -> list[Chance]:
    """The exact distribution of what comes of ``moves``, likeliest first; more than ``most`` ways are refused."""
    totals: dict[str, Fraction] = {}
    for after, weight in enumerate_rolls(lambda dice: settle(ruleset, state, moves, dice, reply), most):
        what = ruleset.consequence(state, after)
        totals[what] = totals.get(what, Fraction(0)) + weight
    ranked = sorted(totals.items(), key=lambda item: (-item[1], item[0]))
    return [Chance(what, float(chance), str(chance)) for what, chance in ranked]
