"""Processes that take looks for the captains of one game, where there is no server: in the terminal, in the bench.

They are made when a captain first looks ahead, and end with the program. No thread sees to them, which would have to
wait for the captain's: he listens himself, between two steps.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Sequence
from ctypes import c_uint64
from itertools import count
from multiprocessing.sharedctypes import RawValue
from threading import Lock
from time import monotonic
from typing import Any

from sandtable.bots.looking import Errand, Found
from sandtable.bots.policy import Question
from sandtable.core.codec import encode, pack
from sandtable.core.content.pack import Pack
from sandtable.core.log import Header
from sandtable.session.thinking.brain import PackedStanding, look_task, prepare_worker
from sandtable.session.thinking.worker import Worker

__all__ = ["Crew", "cores"]

_MOST = 4
_DEATHS = 5
"""Helpers that may die before no new one is made."""
_AHEAD = 2
"""Errands that a helper is given before he has told of the first, so that he need not wait for the captain."""
_PAUSE = 0.001
"""Seconds between two looks at what has come: a step takes a tenth of that."""
_PATIENCE = 60.0
"""Seconds for one look where a captain has no clock."""


def cores() -> int:
    """Processes that think at once at the most: one for each core, but not all of a large machine."""
    found = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(_MOST, found)


class Crew:
    """The helpers of the captains of one game."""

    def __init__(self, header: Header, packs: Sequence[Pack] = (), helpers: int | None = None) -> None:
        """So many of them; if nothing is said, one for each core but the captain's own."""
        self._system, self._scenario = header.system, encode(header.scenario)
        self._packs = [(pack.where, dict(pack.files)) for pack in packs]
        self._most = cores() - 1 if helpers is None else helpers
        self._numbers = count()
        self._helpers: dict[Worker, deque[int]] = {}
        """What each of them is at: the numbers of errands, the next after the one that he is at."""
        self._deaths = 0
        self._deaf_until = 0.0
        self._last: tuple[Question[Any], PackedStanding] | None = None
        self._turn = RawValue(c_uint64, 0)
        """Which question looks are wanted for now, as helpers see it: errands of those before are left off."""
        # A thought that was given up may still be listening when the next one begins.
        self._lock = Lock()

    @property
    def processes(self) -> tuple[int, ...]:
        """The processes that there are now."""
        return tuple(helper.pid for helper in self._helpers)

    def ask(self, question: Question[Any], errand: Errand, *, ahead: bool) -> int | None:
        """Have looks taken, if somebody is free."""
        with self._lock:
            position = self._position(question)
            helper = min(self._helpers, key=lambda one: len(self._helpers[one]), default=None)
            if helper is None or self._helpers[helper]:
                helper = self._new() or helper
            if helper is None or len(self._helpers[helper]) >= (_AHEAD if ahead else 1):
                return None
            number = next(self._numbers)
            try:
                helper.begin(look_task, (position, errand, _PATIENCE, self._turn.value))
            except OSError:
                self._lose(helper)
                return None
            self._helpers[helper].append(number)
            return number

    def told(self) -> list[tuple[int, Found | None]]:
        """What has come since the last time; a captain who asks at every step of a look is not heard out each time."""
        now = monotonic()
        if now < self._deaf_until:
            return []
        self._deaf_until = now + _PAUSE
        found: list[tuple[int, Found | None]] = []
        with self._lock:
            for helper, asked in list(self._helpers.items()):
                try:
                    while asked and (outcome := helper.heard()) is not None:
                        found.append((asked.popleft(), outcome.value))
                except (EOFError, OSError):
                    found += [(number, None) for number in asked]
                    self._lose(helper)
        return found

    def close(self) -> None:
        """End the processes."""
        with self._lock:
            for helper in self._helpers:
                helper.bury()
            self._helpers.clear()
            self._most = 0

    def _new(self) -> Worker | None:
        """A helper more, if there may be one: he reads what he is asked as soon as he has come."""
        if len(self._helpers) >= self._most or self._deaths >= _DEATHS:
            return None
        helper = Worker(prepare_worker, (self._packs, self._turn))
        self._helpers[helper] = deque()
        return helper

    def _lose(self, helper: Worker) -> None:
        del self._helpers[helper]
        self._deaths += 1
        helper.bury()

    def _position(self, question: Question[Any]) -> PackedStanding:
        if self._last is None or self._last[0] is not question:
            self._turn.value += 1
            self._last = question, PackedStanding(self._system, self._scenario, pack(question.known), question.seat)
        return self._last[1]
