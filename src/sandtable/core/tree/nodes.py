"""Branches and nodes: the tree of choices, and the shapes that need no slots."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec

if TYPE_CHECKING:
    from random import Random

__all__ = ["Branch", "Leaf", "Node", "Path", "Pick"]

A = TypeVar("A")


class Branch(msgspec.Struct, Generic[A], frozen=True):
    """One way to go on from a node."""

    key: str
    """Name of the branch among its siblings, stable for one state."""
    kind: str
    """What is chosen: ``unit``, ``order``, ``target``, ``hex``, ``leg``, ``pass`` ..."""
    label: str
    """What a person reads."""
    then: Node[A]
    ref: str = ""
    """Id of the unit or label of the hex that the branch is about, if any."""
    facing: int | None = None
    """Direction in which a destination is reached, where that matters."""
    cost: float | None = None
    """What a destination costs to reach, as players count it."""
    is_hex: bool = False
    """Whether ``ref`` is the label of a hex: a unit may have the name of one."""


class Node(Generic[A]):
    """A place in the tree of choices."""

    shape = "pick"
    is_open = False
    """Whether there are more ways to go on than its branches: then they are suggestions, and others have keys too."""

    def branches(self) -> Iterator[Branch[A]]:
        """The ways to go on, in a fixed order."""
        raise NotImplementedError

    def branch(self, key: str) -> Branch[A] | None:
        """The branch ``key``, if there is one; goes through its siblings unless the shape knows better."""
        return next((branch for branch in self.branches() if branch.key == key), None)

    def __iter__(self) -> Iterator[A]:
        for branch in self.branches():
            yield from branch.then

    def count(self) -> int | None:
        """Number of complete actions below, or None where that could be known only by listing them.

        Walks the tree unless the shape knows better.
        """
        total = 0
        for branch in self.branches():
            below = branch.then.count()
            if below is None:
                return None
            total += below
        return total

    def holds_open(self) -> bool:
        """Whether this node or one below it is open; walks the tree."""
        return self.is_open or any(branch.then.holds_open() for branch in self.branches())

    def sample(self, rng: Random) -> A:
        """One complete action without listing them: a fair choice at every branch."""
        ways = list(self.branches())
        return ways[int(rng.random() * len(ways))].then.sample(rng)


class Leaf(Node[A]):
    """A complete action."""

    shape = "leaf"
    __slots__ = ("action",)

    if not TYPE_CHECKING:

        def __class_getitem__(cls, _: object) -> type:
            # Leaves are made by the thousand; typing's own record of what each is of would take longer than all else.
            return cls

    def __init__(self, action: A) -> None:
        self.action = action

    def branches(self) -> Iterator[Branch[A]]:
        """No further choice."""
        return iter(())

    def __iter__(self) -> Iterator[A]:
        yield self.action

    def count(self) -> int:
        """One."""
        return 1

    def sample(self, rng: Random) -> A:  # noqa: ARG002
        """The action."""
        return self.action


class Pick(Node[A]):
    """One of several branches, made when asked for.

    ``find`` makes the branch of a key by itself, for whoever comes with an answer and need not see the others.
    """

    shape = "pick"
    __slots__ = ("_find", "_make")

    def __init__(
        self, make: Callable[[], Iterable[Branch[A]]], find: Callable[[str], Branch[A] | None] | None = None
    ) -> None:
        self._make = make
        self._find = find

    def branches(self) -> Iterator[Branch[A]]:
        """The branches."""
        return iter(self._make())

    def branch(self, key: str) -> Branch[A] | None:
        """The branch ``key``, by the finder where there is one."""
        return super().branch(key) if self._find is None else self._find(key)


class Path(Node[A]):
    """Leg after leg. Systems subclass it; :meth:`destinations` is the short cut that people and bots use."""

    shape = "path"

    def destinations(self) -> Iterator[Branch[A]]:
        """Places that can be reached, each with a cheapest complete path to it as a leaf."""
        raise NotImplementedError
