"""How far it is, on standard error: a bar for those who watch, a line now and then in a file."""

from __future__ import annotations

from time import monotonic
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bars

__all__ = ["Progress"]

SELDOM = 30.0
"""Seconds between two lines in a file."""


class Progress:
    """How far it is. ``tell(done, total)`` may be called as often as one likes."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._stage = ""
        self._console = Console(stderr=True)
        self._bars = Bars(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=self._console,
            disable=not self._console.is_terminal,
        )
        self._bar: TaskID | None = None
        self._told = monotonic()

    def stage(self, name: str, done: int, total: int) -> None:
        """So many of so many are done of what is called ``name``; every stage has a bar of its own."""
        if name != self._stage:
            self._stage, self._bar = name, None
        self.tell(done, total)

    def tell(self, done: int, total: int) -> None:
        """So many of so many are done."""
        what = f"{self._what} ({self._stage})" if self._stage else self._what
        if not self._console.is_terminal:
            self._write(f"{done}/{total} {what}", last=done >= total)
            return
        if self._bar is None:
            self._bar = self._bars.add_task(what)
        self._bars.update(self._bar, completed=done, total=total)

    def _write(self, line: str, *, last: bool) -> None:
        now = monotonic()
        if last or now - self._told >= SELDOM:
            self._told = now
            self._console.print(line, highlight=False, markup=False, soft_wrap=True)

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()
