"""The tree of options as a row of numbered choices: what a learner's integer means.

A learner answers a question step by step, as a person does: which unit, which order, which target, which leg. At every
step there are so many choices, numbered from 0 in the order of the tree; where there are more than the row is
long, the last number turns the page. Steps with only one choice are taken without asking. A finished answer is a
complete action.
"""

from __future__ import annotations

from typing import Any

from sandtable.core.decision import Branch, Leaf, Node, Options

__all__ = ["Stage"]


class Stage:
    """Where a learner stands in a question."""

    def __init__(self, options: Options[Any], width: int) -> None:
        self._width = width
        self._node: Node[Any] = options.root
        self._branches: list[Branch[Any]] = []
        self._page = 0
        self.taken: list[int] = []
        """The numbers chosen so far."""
        self._enter(self._node)

    @property
    def action(self) -> Any | None:
        """The answer, once there is nothing left to choose."""
        return self._node.action if isinstance(self._node, Leaf) else None

    @property
    def choices(self) -> list[Branch[Any]]:
        """The branches on this page."""
        room = self._room
        return self._branches[self._page * room : (self._page + 1) * room]

    @property
    def has_more(self) -> bool:
        """Whether the last number turns the page."""
        return len(self._branches) > self._width

    @property
    def _room(self) -> int:
        return self._width - 1 if self.has_more else self._width

    def is_open(self, number: int) -> bool:
        """Whether a number means anything now."""
        return 0 <= number < len(self.choices) or (self.has_more and number == self._width - 1)

    def choose(self, number: int) -> None:
        """Take a choice, or turn the page; after the last page comes the first."""
        self.taken.append(number)
        if self.has_more and number == self._width - 1:
            pages = -(-len(self._branches) // self._room)
            self._page = (self._page + 1) % pages
            return
        self._enter(self.choices[number].then)

    def _enter(self, node: Node[Any]) -> None:
        """Go on to where there is something to choose."""
        while True:
            self._node, self._page = node, 0
            self._branches = [] if isinstance(node, Leaf) else list(node.branches())
            if isinstance(node, Leaf) or len(self._branches) != 1:
                return
            node = self._branches[0].then
