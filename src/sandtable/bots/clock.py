"""The time for one answer: a bot never stalls a game.

Thinking looks at its :class:`Clock` between the steps of every look ahead and stops a little before the time is up,
with the best that it has found. What does not look at the clock, a doctrine that is slow at first sight, is left to
itself: :func:`in_time` thinks on a thread of its own and does not wait for it longer than it may.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from time import monotonic
from typing import Generic, TypeVar

__all__ = ["DEFAULT_SECONDS", "HARD_CAP", "Clock", "OutOfTime", "in_time"]

T = TypeVar("T")
DEFAULT_SECONDS = 1.0
"""What an answer may take if nobody says otherwise."""
HARD_CAP = 5.0
"""Seconds that no bot may exceed for one answer, whatever it was told."""
MARGIN = 0.1
"""Share of the time that is kept back to come to an end in."""


class OutOfTime(Exception):
    """The clock ran out in the middle of a look ahead."""


class Clock:
    """The time for one answer. No clock at all where games must be the same whatever machine they run on."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = None if seconds is None else max(0.0, min(seconds, HARD_CAP))
        self._begun = monotonic()
        self.ran_out = False

    def is_up(self) -> bool:
        """Whether it is time to come to an end."""
        if self.seconds is not None and monotonic() - self._begun > (1 - MARGIN) * self.seconds:
            self.ran_out = True
        return self.ran_out

    def check(self) -> None:
        """Raise :class:`OutOfTime` when the time is up."""
        if self.is_up():
            raise OutOfTime

    @property
    def left(self) -> float | None:
        """Seconds to the very end, or None if there is none."""
        return None if self.seconds is None else max(0.0, self.seconds - (monotonic() - self._begun))


class _Thinking(Generic[T]):
    """A thought, and what came of it."""

    def __init__(self, think: Callable[[], T]) -> None:
        self._think = think
        self.results: list[T] = []
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.results.append(self._think())
        except BaseException as error:  # noqa: BLE001 - raised again where the answer is waited for
            self.error = error


def in_time(clock: Clock, think: Callable[[], T], otherwise: Callable[[], T]) -> T:
    """What ``think`` gives, or what ``otherwise`` does when that takes longer than the clock allows.

    A thought that is given up goes on until it looks at the clock; it shares nothing with the game but tables that
    only ever grow.
    """
    if clock.seconds is None:
        return think()
    thinking = _Thinking(think)
    thread = Thread(target=thinking.run, name="bot thinking", daemon=True)
    thread.start()
    thread.join(clock.left)
    if thinking.error is not None:
        raise thinking.error
    if thinking.results:
        return thinking.results[0]
    clock.ran_out = True
    return otherwise()
