"""Measuring ours beside an anchor: turn by turn, the best of several runs, by the time of the processor.

So a busy machine hurts both alike, and others who use it do not count.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import NamedTuple

__all__ = ["Budget", "Missing", "best_of", "best_of_each", "rates", "times"]


class Missing(Exception):
    """What a budget needs is not here."""


class Budget(NamedTuple):
    """One line of the bench. ``ratio`` is ours relative to the anchor so that more is better."""

    name: str
    ours: float
    anchor: float
    ratio: float
    floor: float
    goal: float
    note: str
    """What the two figures are."""

    @property
    def figures(self) -> tuple[float, ...]:
        """The numbers in the order of the columns."""
        return self.ours, self.anchor, self.ratio, self.floor, self.goal


def rates(name: str, ours: float, anchor: float, *, floor: float, goal: float, note: str) -> Budget:
    """A budget of two rates: so many a second, more is better."""
    return Budget(name, ours, anchor, ours / anchor, floor, goal, note)


def times(name: str, ours: float, anchor: float, *, floor: float, goal: float, note: str) -> Budget:
    """A budget of two times: the anchor's over ours, so that more is better."""
    return Budget(name, ours, anchor, anchor / ours, floor, goal, note)


def best_of(runs: int, work: Callable[[], object]) -> float:
    """Seconds of the quickest of several runs."""
    return min(_timed(work) for _ in range(runs))


def best_of_each(runs: int, ours: Callable[[], object], anchor: Callable[[], object]) -> tuple[float, float]:
    """Seconds of the quickest runs of both, taken in turn."""
    pairs = [(_timed(ours), _timed(anchor)) for _ in range(runs)]
    return min(one for one, _ in pairs), min(other for _, other in pairs)


def _timed(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start
