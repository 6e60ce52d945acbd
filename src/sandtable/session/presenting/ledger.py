"""The lines of a running game that one viewpoint is told of, numbered as it counts them.

How often somebody acts in secret can be a secret too: a unit of a secret set-up placed by hand, moved about and taken
back again is not for the other side to count. So a line of which a viewpoint learns nothing, neither the action nor any
event, is none of its lines: it is not sent, has no number and stands in no log that it may read. A take-back is told
where something is taken back that was told.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from sandtable.core.decision import Seat
from sandtable.core.log import Entry, TakeBack
from sandtable.core.ruleset import Ruleset

__all__ = ["Ledger"]

Line = Entry[Any, Any] | TakeBack


class Ledger:
    """The lines that one viewpoint is told of."""

    def __init__(self, ruleset: Ruleset[Any, Any, Any], lines: Sequence[Line], viewpoint: Seat | None) -> None:
        self._ruleset = ruleset
        self._lines = lines
        self._viewpoint = viewpoint
        self._told: list[int] = []
        self._read = 0

    def version(self, v: int) -> int:
        """How many of the first ``v`` lines are told."""
        for seq in range(self._read, v):
            if self._is_told(seq):
                self._told.append(seq)
        self._read = max(self._read, v)
        return bisect_right(self._told, v - 1)

    def line(self, number: int) -> int:
        """The line that the viewpoint counts as ``number``; call :meth:`version` first."""
        return self._told[number]

    def number(self, seq: int) -> int:
        """How the viewpoint counts line ``seq``, or the last one before it that it is told of."""
        return self.version(seq + 1) - 1

    def is_told(self, seq: int) -> bool:
        """Whether the viewpoint learns anything of line ``seq``."""
        return self.version(seq + 1) > self.version(seq)

    def _is_told(self, seq: int) -> bool:
        line = self._lines[seq]
        if isinstance(line, TakeBack):
            return bool(self._told) and self._told[-1] > line.to
        if line.action is None or line.seat == self._viewpoint:
            return True
        if self._ruleset.redact_action(line.action, Seat(line.seat), self._viewpoint) is not None:
            return True
        return any(self._ruleset.redact(event, self._viewpoint) is not None for event in line.events)
