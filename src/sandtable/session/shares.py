"""Shares: how many places there are of something dear, and how many of them one person may hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from sandtable.core.errors import Refusal, Refused

__all__ = ["Shares"]


class Shares:
    """Places that many want: so many in all, so many for each."""

    def __init__(self, what: str, most: int, most_each: int) -> None:
        self._what = what
        self._most = most
        self._most_each = most_each
        self._held: Counter[str] = Counter()

    def take(self, owner: str) -> None:
        """Take a place; raise :class:`Refused` if there is none left for ``owner``."""
        if self._held[owner] >= self._most_each:
            wrong = f"{self._held[owner]} {self._what} of yours are waiting already"
            raise Refused(Refusal("", wrong, "wait for them first"))
        if self._held.total() >= self._most:
            raise Refused(Refusal("", f"too many {self._what} are waiting", "try again in a while"))
        self._held[owner] += 1

    def give_back(self, owner: str) -> None:
        """The place is free again."""
        self._held[owner] -= 1
        if not self._held[owner]:
            del self._held[owner]

    @contextmanager
    def taken(self, owner: str) -> Iterator[None]:
        """Hold a place for a while."""
        self.take(owner)
        try:
            yield
        finally:
            self.give_back(owner)
