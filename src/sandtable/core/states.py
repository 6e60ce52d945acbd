"""The states of a game, one after each line of its log, of which only some are kept.

The newest are kept, every 64th, and those to which somebody took back; any other is folded again from the nearest kept
one before it. Reading them one after another folds each line once more and no more than that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar, overload

from sandtable.core.log import Entry, TakeBack
from sandtable.core.ruleset import Ruleset

__all__ = ["KEPT", "States"]

S = TypeVar("S")
KEPT = 64
"""How many of the newest are kept, and how far apart those are that are kept for good."""


class States(Sequence[S], Generic[S]):
    """The state after each line; states are immutable and share their parts."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, ruleset: Ruleset[S, Any, Any], lines: Sequence[Entry[Any, Any] | TakeBack]) -> None:
        self._ruleset = ruleset
        self._lines = lines
        self._kept: dict[int, S] = {}
        self._length = 0
        self._folded: tuple[int, tuple[S, ...]] = (0, ())
        """Number of the first, and the states that were folded again last."""

    def append(self, state: S) -> None:
        """Keep the state after one more line, which is in the log already."""
        self._kept[self._length] = state
        self._length += 1
        old = self._length - 1 - KEPT
        if old % KEPT and old > 0 and isinstance(self._lines[old], Entry):
            del self._kept[old]

    @property
    def kept(self) -> int:
        """How many are kept."""
        return len(self._kept)

    def __len__(self) -> int:
        return self._length

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Sequence)
            and len(self) == len(other)
            and all(a == b for a, b in zip(self, other, strict=True))
        )

    @overload
    def __getitem__(self, at: int) -> S: ...

    @overload
    def __getitem__(self, at: slice) -> list[S]: ...

    def __getitem__(self, at: int | slice) -> S | list[S]:
        if isinstance(at, slice):
            return [self[index] for index in range(*at.indices(self._length))]
        if at < 0:
            at += self._length
        if not 0 <= at < self._length:
            raise IndexError(at)
        found = self._kept.get(at)
        return self._fold_again(at) if found is None else found

    def _fold_again(self, at: int) -> S:
        """A state that was not kept; those up to the next kept one are worked out with it, for they are read next."""
        first, states = self._folded
        if not first <= at < first + len(states):
            # Looked up once: while somebody reads, another line may be added and an old state dropped.
            first = at
            while (nearest := self._kept.get(first)) is None:
                first -= 1
            folded = [nearest]
            for seq in range(first + 1, first + KEPT):
                # A line that takes back is kept, so all that are not hold events.
                line = self._lines[seq] if seq < self._length and seq not in self._kept else None
                if not isinstance(line, Entry):
                    break
                state = folded[-1]
                for event in line.events:
                    state = self._ruleset.fold(state, event)
                folded.append(state)
            states = tuple(folded)
            self._folded = first, states
        return states[at - first]
