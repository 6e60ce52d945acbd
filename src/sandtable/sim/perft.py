"""Counting positions: the number of ways in which a game can go on for so many decisions.

Like chess's perft, a fingerprint of the rules: a change to legality changes the count. Dice are followed
group by group as exact odds do (:func:`enumerate_rolls`), and every group is a way of its own. Where
several seats are asked at once, the first of them answers first; the last decision is counted by the
options without playing it. Of an open question, where something is drawn, the suggestions are counted, and
:func:`has_open_questions` says that it is so.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TypeVar

from sandtable.bots.preview import BoundedDice, TooManyRolls
from sandtable.core.decision import Leaf, Options, Seat
from sandtable.core.dice import Dice, enumerate_rolls
from sandtable.core.errors import BadInput, Fault
from sandtable.core.ruleset import Ruleset

__all__ = ["divide", "has_open_questions", "perft"]

S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")
MOST_LISTED = 20_000
"""Answers that are listed where they cannot be counted."""


def perft(ruleset: Ruleset[S, A, E], state: S, depth: int) -> int:
    """Number of ways to answer ``depth`` questions, and for the dice to fall between them."""
    if depth == 0:
        return 1
    decision = ruleset.decision(state)
    if decision is None:
        return 0
    if depth == 1:
        return _count(decision.options(decision.asked[0]))
    return sum(count for _, count in divide(ruleset, state, depth))


def _count(options: Options[A]) -> int:
    """How many answers there are; where nobody knows without listing them, they are listed, up to a bound."""
    number = options.count()
    if number is None:
        number = sum(1 for _ in islice(options, MOST_LISTED + 1))
        if number > MOST_LISTED:
            wrong = f"more than {MOST_LISTED} answers that cannot be counted without being listed"
            raise BadInput([Fault("perft", wrong, "less depth, or a smaller situation")])
    return number


def has_open_questions(ruleset: Ruleset[S, A, E], state: S, depth: int) -> bool:
    """Whether one of ``depth`` questions, all of them answered as they first can be, cannot be counted."""
    for left in reversed(range(depth)):
        decision = ruleset.decision(state)
        if decision is None:
            return False
        seat = decision.asked[0]
        options = decision.options(seat)
        node = options.root
        while not isinstance(node, Leaf):
            if node.is_open:
                return True
            node = next(node.branches()).then
        if left:
            state = _outcomes(ruleset, state, seat, node.action)[0]
    return False


def divide(ruleset: Ruleset[S, A, E], state: S, depth: int) -> Iterator[tuple[A, int]]:
    """The same count, action by action."""
    decision = ruleset.decision(state)
    if decision is None:
        return
    seat = decision.asked[0]
    for action in decision.options(seat):
        if depth == 1:
            yield action, 1
            continue
        yield action, sum(perft(ruleset, after, depth - 1) for after in _outcomes(ruleset, state, seat, action))


def _outcomes(ruleset: Ruleset[S, A, E], state: S, seat: Seat, action: A) -> list[S]:
    """The states that an action may lead to, one for each group of rolls."""

    def run(dice: Dice) -> S:
        return ruleset.resolve(state, seat, action, BoundedDice(dice)).state

    try:
        return [after for after, _ in enumerate_rolls(run)]
    except TooManyRolls:
        wrong = f"{ruleset.describe(action)}: its dice may be rolled again without end"
        raise BadInput([Fault("perft", wrong, "less depth, or a situation beyond that roll")]) from None
