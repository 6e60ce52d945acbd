"""Counting positions: the number of ways in which a game can go on for so many decisions.

Like chess's perft, a fingerprint of the rules: a change to legality changes the count. Dice are followed
group by group as exact odds do (:func:`enumerate_rolls`), and every group is a way of its own. Where
several seats are asked at once, the first of them answers first; the last decision is counted by the
options without playing it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from sandtable.core.dice import enumerate_rolls
from sandtable.core.ruleset import Ruleset

__all__ = ["divide", "perft"]

S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")


def perft(ruleset: Ruleset[S, A, E], state: S, depth: int) -> int:
    """Number of ways to answer ``depth`` questions, and for the dice to fall between them."""
    if depth == 0:
        return 1
    decision = ruleset.decision(state)
    if decision is None:
        return 0
    if depth == 1:
        return len(decision.options(decision.asked[0]))
    return sum(count for _, count in divide(ruleset, state, depth))


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
        ways = enumerate_rolls(lambda dice: ruleset.resolve(state, seat, action, dice).state)  # noqa: B023
        yield action, sum(perft(ruleset, after, depth - 1) for after, _ in ways)
