"""A progress bar on standard error, for those who watch; nothing for programs that only read."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType
from typing import Self

__all__ = ["Progress"]

WIDTH = 30
OFTEN = 0.2
"""Seconds between two drawings on a terminal ..."""
SELDOM = 30.0
"""... and between two lines in a file."""


class Progress:
    """How far it is. ``tell(done, total)`` may be called as often as one likes."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._begun = monotonic()
        self._told = 0.0
        self._stage = ""
        self._on_terminal = sys.stderr.isatty()

    def stage(self, name: str, done: int, total: int) -> None:
        """So many of so many are done of what is called ``name``; every stage has a clock of its own."""
        if name != self._stage:
            self._stage, self._begun = name, monotonic()
        self.tell(done, total)

    def tell(self, done: int, total: int) -> None:
        """So many of so many are done."""
        now = monotonic()
        if now - self._told < (OFTEN if self._on_terminal else SELDOM) and done < total:
            return
        self._told = now
        spent = now - self._begun
        left = spent / done * (total - done) if done else 0.0
        stage = f" ({self._stage})" if self._stage else ""
        line = f"{done}/{total} {self._what}{stage}, {spent:.0f} s, about {left:.0f} s left"
        if self._on_terminal:
            full = WIDTH * done // max(1, total)
            print(f"\r[{'#' * full}{'.' * (WIDTH - full)}] {line}   ", end="", file=sys.stderr, flush=True)
        else:
            print(line, file=sys.stderr, flush=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._on_terminal and self._told:
            print(file=sys.stderr)
