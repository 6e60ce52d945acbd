"""What is found out about a position and kept for others that have the same in common."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar

__all__ = ["Kept"]

K = TypeVar("K")
V = TypeVar("V")


class Kept(dict[Hashable, dict[K, V]]):
    """A dict for each key, empty when it is first asked for; all are forgotten where there would be too many."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __missing__(self, key: Hashable) -> dict[K, V]:
        if len(self) >= self._most:
            self.clear()
        found = self[key] = {}
        return found
