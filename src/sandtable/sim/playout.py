"""Playing a game to its end without a log: what searches, statistics and benchmarks run.

A policy answers from the open options; random answers are the default. Nothing is checked and nothing is
kept but the last state, so this is as fast as the rules themselves.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from random import Random
from typing import Generic, NamedTuple, TypeVar

from sandtable.core.decision import Decision, Seat
from sandtable.core.dice import Dice
from sandtable.core.errors import RulesBug
from sandtable.core.ruleset import Outcome, Ruleset

__all__ = ["MAX_DECISIONS", "Playout", "any_answer", "play_out", "start"]

S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")
MAX_DECISIONS = 100_000


class Playout(NamedTuple, Generic[S]):
    """How a playout ended."""

    state: S
    decisions: int
    outcome: Outcome | None
    """None if it was stopped before the end."""


def any_answer(state: S, decision: Decision[A], seat: Seat, rng: Random) -> A:  # noqa: ARG001
    """A random answer."""
    return decision.options(seat).sample(rng)


def start(ruleset: Ruleset[S, A, E], dice: Dice) -> S:
    """The state at the first question."""
    return ruleset.begin(ruleset.setup(), dice).state


def play_out(
    ruleset: Ruleset[S, A, E],
    state: S,
    dice: Dice,
    rng: Random,
    *,
    choose: Callable[[S, Decision[A], Seat, Random], A] = any_answer,
    limit: int | None = None,
) -> Playout[S]:
    """Play from ``state`` to the end, or through ``limit`` decisions.

    A game that does not end in ``MAX_DECISIONS`` is a fault of the rules and raises :class:`RulesBug`.
    """
    # States and options never refer back to themselves, so among random answers the collector finds nothing.
    collects = choose is any_answer and gc.isenabled()
    if not collects:
        return _play_out(ruleset, state, dice, rng, choose=choose, limit=limit)
    gc.disable()
    try:
        return _play_out(ruleset, state, dice, rng, choose=choose, limit=limit)
    finally:
        gc.enable()


def _play_out(
    ruleset: Ruleset[S, A, E],
    state: S,
    dice: Dice,
    rng: Random,
    *,
    choose: Callable[[S, Decision[A], Seat, Random], A],
    limit: int | None,
) -> Playout[S]:
    decision_of, resolve = ruleset.decision, ruleset.resolve
    last = MAX_DECISIONS if limit is None else limit
    for done in range(last):
        decision = decision_of(state)
        if decision is None:
            return Playout(state, done, ruleset.outcome(state))
        asked = decision.asked
        seat = asked[0] if len(asked) == 1 else asked[int(rng.random() * len(asked))]
        action = choose(state, decision, seat, rng)
        state = resolve(state, seat, action, dice).state
    if limit is None:
        raise RulesBug(f"the game does not end in {MAX_DECISIONS} decisions")
    return Playout(state, last, ruleset.outcome(state))
