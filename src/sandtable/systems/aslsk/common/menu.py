"""Choices that are listed quickly and put into words only when somebody reads them.

A branch carries labels for people. Whoever picks at random needs the number of branches and one of them, so a
:class:`Menu` lists functions that make their branch when they are called, a :class:`Spread` the things themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Generic, TypeVar

from sandtable.core.decision import Branch, Node
from sandtable.systems.aslsk.common.actions import Action

if TYPE_CHECKING:
    from random import Random

__all__ = ["LazyBranch", "Menu", "Spread"]

LazyBranch = Callable[[], Branch[Action]]
T = TypeVar("T")


class Menu(Node[Action]):
    """One of several branches, each made when it is looked at."""

    __slots__ = ("_list",)

    def __init__(self, list_ways: Callable[[], Iterable[LazyBranch]]) -> None:
        self._list = list_ways

    def branches(self) -> Iterator[Branch[Action]]:
        """All branches."""
        return (way() for way in self._list())

    def sample(self, rng: Random) -> Action:
        """A fair choice, with only that branch made."""
        ways = list(self._list())
        return ways[int(rng.random() * len(ways))]().then.sample(rng)


class Spread(Node[Action], Generic[T]):
    """One of several things of a kind, such as hexes; ``branch`` makes the branch of one."""

    __slots__ = ("_branch", "_list")

    def __init__(self, list_things: Callable[[], Iterable[T]], branch: Callable[[T], Branch[Action]]) -> None:
        self._list = list_things
        self._branch = branch

    def branches(self) -> Iterator[Branch[Action]]:
        """All branches."""
        return map(self._branch, self._list())

    def sample(self, rng: Random) -> Action:
        """A fair choice, with only that branch made."""
        things = list(self._list())
        return self._branch(things[int(rng.random() * len(things))]).then.sample(rng)
