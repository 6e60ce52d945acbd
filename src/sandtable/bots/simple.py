"""The simple player: one decision at a time, by an adviser who knows the game, at random where there is none.

An adviser looks at the question and either names an answer or leaves it to chance. It lives in one file per
system and is imported when that system is played.
"""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any, Protocol, TypeVar

from sandtable.bots.policy import Question

__all__ = ["ADVISERS", "Adviser", "SimpleBot"]

A = TypeVar("A")


class Adviser(Protocol):
    """Knows how one system is played."""

    def __call__(self, question: Question[Any], rng: Random) -> Any | None:
        """An answer, or None where any will do."""
        ...


ADVISERS = {"panzer-na": "sandtable.bots.panzer", "mbt": "sandtable.bots.panzer"}
"""Modules with a function ``advise``, by system."""


class SimpleBot:
    """Good enough to play against."""

    name = "simple"

    def __init__(self) -> None:
        self._advisers: dict[str, Adviser | None] = {}

    def choose(self, question: Question[A], rng: Random) -> A:
        """What the adviser says, or any of the options."""
        adviser = self._adviser(question.ruleset.card.id)
        advice: A | None = adviser(question, rng) if adviser is not None else None
        if advice is not None and advice in question.options:
            return advice
        return question.options.sample(rng)

    def _adviser(self, system_id: str) -> Adviser | None:
        if system_id not in self._advisers:
            module = ADVISERS.get(system_id)
            self._advisers[system_id] = import_module(module).advise if module else None
        return self._advisers[system_id]
