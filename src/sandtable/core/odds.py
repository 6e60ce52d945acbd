"""Exact odds: the same code that plays an action, run once for every group of rolls that it tells apart.

An action may open questions for the other side before it is settled (whether to reveal a command, which aspect is
hit), and others may have been asked together with whoever acts (secret orders of both sides). It is settled when all of
them have answered: everybody to whom the same question was put, and everybody to whom a question on the way is put, one
after the other where there are several. ``reply`` answers for them; the odds are exact for that way of answering. What
they leave out by it is named by a :class:`Supposition`, under which the same odds can be worked out again.
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
    *,
    for_all: bool = True,
) -> S:
    """The state after ``moves``, every question that interrupts them, and the answers of all who were asked with them.

    Each of ``moves`` is played when what interrupts the one before it is settled. Without ``for_all`` those who were
    asked the same question and have no move are left to be asked.
    """
    before = ruleset.decision(state)
    moved = {seat for seat, _ in moves}
    waiting = [seat for seat in before.asked if seat not in moved] if before is not None and for_all else []
    left = list(moves)
    for _ in range(MAX_REPLIES + len(left)):
        decision = ruleset.decision(state)
        seat = _interrupted(before, decision)
        if decision is not None and seat is not None:
            action = reply(decision, seat)
        elif left:
            seat, action = left.pop(0)
        else:
            seat = _still_asked(before, decision, waiting)
            if decision is None or seat is None:
                return state
            waiting.remove(seat)
            action = reply(decision, seat)
        state = ruleset.resolve(state, seat, action, dice).state
    raise RulesBug(f"an action is not settled after {MAX_REPLIES} replies")


def _interrupted(before: Decision[A] | None, decision: Decision[A] | None) -> Seat | None:
    """Who is to answer a question that lies over the first one."""
    depth = before.depth if before is not None else 0
    return decision.asked[0] if decision is not None and decision.depth > depth else None


def _still_asked(before: Decision[A] | None, decision: Decision[A] | None, waiting: Sequence[Seat]) -> Seat | None:
    """Who is next of those whom the first question was put to as well, while that question is still open."""
    if before is None or decision is None or decision.depth != before.depth or not set(decision.asked) <= set(waiting):
        return None
    seat = decision.asked[0]
    return seat if decision.wording(seat) == before.wording(seat) else None


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
