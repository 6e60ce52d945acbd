"""Shares: how many places there are of something dear, how many of them one may hold, and one thing at a time."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from sandtable.core.errors import Refusal, Refused

__all__ = ["Shares", "Turns"]


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


class Turns:
    """Whatever each wants is done one thing after another; nobody waits for what somebody else wants."""

    def __init__(self) -> None:
        self._locks: dict[str, asyncio.Lock] = {}
        self._wanted: Counter[str] = Counter()

    @asynccontextmanager
    async def of(self, owner: str) -> AsyncIterator[None]:
        """Wait until nothing else of ``owner`` is being done."""
        self._wanted[owner] += 1
        try:
            async with self._locks.setdefault(owner, asyncio.Lock()):
                yield
        finally:
            self._wanted[owner] -= 1
            if not self._wanted[owner]:
                del self._wanted[owner], self._locks[owner]
