"""Clocks: how much time each seat has left, as values that a table keeps and a store remembers.

Time is an argument everywhere, in seconds for which the server has run (:class:`Uptime`). Nobody loses time while the
server is down, and whatever is done to the clock of the machine, nobody loses a game by it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from sandtable.session.presenting.wire import Clock, WireClock

__all__ = ["Clocks", "Uptime", "check_clock"]

_LONGEST = 365 * 24 * 3600


class Uptime:
    """Seconds for which servers of a database have run: it goes on by the monotonic clock, from where it was noted."""

    def __init__(self, noted: float = 0.0) -> None:
        self._start = noted - time.monotonic()

    def now(self) -> float:
        """The seconds until now."""
        return self._start + time.monotonic()


class Clocks(msgspec.Struct, frozen=True):
    """The clocks of a table."""

    clock: Clock
    left: dict[str, float]
    """Seconds by seat, as of ``since``."""
    running: tuple[str, ...] = ()
    since: float = 0.0
    open: Clocks | None = None
    """As they stood after the last line that everybody was told of, if something was done in secret since."""

    @classmethod
    def start(cls, clock: Clock, seats: Sequence[str]) -> Clocks:
        """Full clocks that do not run yet."""
        return cls(clock, dict.fromkeys(seats, float(clock.seconds)))

    def taken_up(self, now: float) -> Clocks:
        """The clocks as they were kept; what was noted of a time that has not come yet counts from now."""
        shown = self.open.taken_up(now) if self.open is not None else None
        return Clocks(self.clock, self.left, self.running, min(self.since, now), shown)

    def unseen(self, before: Clocks) -> Clocks:
        """The clocks after what was done in secret, which were ``before`` before it."""
        return replace(self, open=before.shown)

    @property
    def shown(self) -> Clocks:
        """The clocks as those are shown them who are not told what is done in secret."""
        return self if self.open is None else self.open

    def at(self, now: float) -> Clocks:
        """The same clocks with the time up to ``now`` taken off."""
        gone = max(0.0, now - self.since) if self.running else 0.0
        left = {seat: rest - gone if seat in self.running else rest for seat, rest in self.left.items()}
        return Clocks(self.clock, left, self.running, now)

    def after(self, asked: Sequence[str], mover: str, now: float) -> Clocks:
        """The clocks after ``mover`` (or nobody, ``""``) acted and ``asked`` are to act."""
        taken = self.at(now)
        left = dict(taken.left)
        for seat in left:
            if self.clock.per == "move":
                # A fresh allowance for whoever acted, and for whoever is asked now and was not before.
                if seat == mover or seat not in self.running:
                    left[seat] = float(self.clock.seconds)
            elif seat == mover:
                left[seat] += self.clock.increment
        return Clocks(self.clock, left, tuple(asked), now)

    def stop(self, now: float) -> Clocks:
        """The clocks at the end of the game."""
        taken = self.at(now)
        return Clocks(self.clock, taken.left, (), now)

    def flagged(self, now: float) -> str:
        """A seat whose time is up, or ``""``; the one that is longest over it, if several are."""
        taken = self.at(now)
        out = [(taken.left[seat], seat) for seat in self.running if taken.left[seat] <= 0]
        return min(out)[1] if out else ""

    def next_flag(self, now: float) -> float | None:
        """Seconds until the next clock runs out, or None if none runs."""
        taken = self.at(now)
        return min((taken.left[seat] for seat in self.running), default=None)

    def told(self, now: float) -> tuple[WireClock, ...]:
        """The clocks as clients show them."""
        taken = self.at(now)
        return tuple(
            WireClock(seat, max(0, round(rest * 1000)), seat in self.running) for seat, rest in taken.left.items()
        )


def check_clock(clock: Clock) -> str:
    """What is wrong with a clock that somebody asks for, or ``""``."""
    if not 1 <= clock.seconds <= _LONGEST:
        return f"{clock.seconds} seconds: 1 second to 365 days"
    if not 0 <= clock.increment <= _LONGEST:
        return f"an increment of {clock.increment} seconds: 0 to 365 days"
    return ""
