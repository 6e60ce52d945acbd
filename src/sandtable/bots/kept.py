"""What is found out about a position and kept for others that have the same in common."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar

__all__ = ["Kept", "Known"]

K = TypeVar("K")
V = TypeVar("V")


class Known(dict[K, V]):
    """What is known, by its key; all is forgotten where it would be too much."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: K, value: V) -> None:
        if len(self) >= self._most:
            self.clear()
        super().__setitem__(key, value)


class Kept(Known[Hashable, dict[K, V]]):
    """A dict for each key, empty when it is first asked for."""

    def __missing__(self, key: Hashable) -> dict[K, V]:
        found: dict[K, V] = {}
        self[key] = found
        return found
