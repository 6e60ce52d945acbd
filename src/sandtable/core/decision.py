"""Who is asked what, and the lazy tree of possible answers.

A :class:`Decision` names the rule, the seats that are asked and, for each of them, :class:`Options`: a tree of
choices whose leaves are complete actions. Only complete actions enter a log. The tree is walked branch by branch,
never listed unless somebody iterates; the same object serves browser, terminal, bots, fuzzer and learners.

Six shapes of branch cover every question (:class:`Node` subclasses):

``Pick``    one of several branches (unit, then order, then target)
``Assign``  a value for every slot at once (a command for every vehicle), within budgets and as a judge allows
``Gather``  some of the slots, at least one (the vehicles that fire on a target)
``Path``    leg after leg, stopping where one may stop (a move)
``Sweep``   a way that is drawn, over a table without hexes: nobody can list the answers
``Put``     something that is set down somewhere, likewise
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Generic, NamedTuple, NewType, TypeVar

import msgspec

from sandtable.core.errors import BadInput, Fault, Refusal
from sandtable.core.tree.drawing import Judged, Mark, Stroke, Strokes
from sandtable.core.tree.limits import Budget, Judge, Slot
from sandtable.core.tree.nodes import Branch, Leaf, Node, Path, Pick
from sandtable.core.tree.open import Drawing, Put, Suggestion, Sweep
from sandtable.core.tree.slots import LEFT_OUT, Assign, Gather

if TYPE_CHECKING:
    from random import Random

__all__ = [
    "LEFT_OUT",
    "Assign",
    "Branch",
    "Budget",
    "Countless",
    "Decision",
    "Drawing",
    "Gather",
    "Judge",
    "Judged",
    "Leaf",
    "Mark",
    "Node",
    "Options",
    "Path",
    "Pick",
    "Put",
    "Seat",
    "Slot",
    "Stroke",
    "Strokes",
    "Suggestion",
    "Sweep",
    "Wording",
]

A = TypeVar("A")
Seat = NewType("Seat", str)


class Countless(TypeError):
    """Nobody can say how many answers there are without listing them.

    A ``TypeError``, so that ``list`` takes it as it takes whatever has no length.
    """


class Options(Generic[A]):
    """All answers open to one seat: a lazy view, iterable, countable, ``in``-testable."""

    __slots__ = ("_root", "refusal")

    def __init__(self, root: Node[A], refusal: Callable[[A], Refusal | None]) -> None:
        self._root = root
        self.refusal = refusal
        """Why an action is not among the answers, or ``None`` if it is."""

    @property
    def root(self) -> Node[A]:
        """The tree of choices."""
        return self._root

    def __iter__(self) -> Iterator[A]:
        return iter(self._root)

    def __len__(self) -> int:
        number = self._root.count()
        if number is None:
            raise Countless("the answers cannot be counted")
        return number

    def count(self) -> int | None:
        """How many answers there are, or None where that could be known only by listing them."""
        return self._root.count()

    def __bool__(self) -> bool:
        return next(iter(self._root), None) is not None

    def __contains__(self, action: A) -> bool:
        return self.refusal(action) is None

    def sample(self, rng: Random) -> A:
        """One answer, without listing them all."""
        return self._root.sample(rng)

    def only(self) -> A | None:
        """The answer, if there is just one: where something may be drawn there never is."""
        first = list(islice(self._root, 2))
        return first[0] if len(first) == 1 and not self._root.holds_open() else None

    def at(self, *keys: str) -> Node[A]:
        """The node below the branches ``keys``."""
        node = self._root
        for depth, key in enumerate(keys):
            node = _below(node, key, depth)
        return node

    def settled(self, keys: Sequence[str]) -> tuple[str, ...]:
        """The way to the answer nearest to the one that ``keys`` lead to: a gathering on the way is settled."""
        node = self._root
        for depth, key in enumerate(keys):
            if isinstance(node, Gather):
                end = depth + len(node.slots)
                values = node.settle(["" if value == LEFT_OUT else value for value in keys[depth:end]])
                if not values:
                    raise BadInput([Fault("choice", "nothing that can be is chosen", "at least one of the slots")])
                return (*keys[:depth], *(value or LEFT_OUT for value in values), *keys[end:])
            node = _below(node, key, depth)
        return tuple(keys)


def _below(node: Node[A], key: str, depth: int) -> Node[A]:
    """The node below the branch ``key``."""
    branch = node.branch(key)
    if branch is not None:
        return branch.then
    ways = ", ".join(branch.key for branch in islice(node.branches(), 3 if node.is_open else 40))
    right = f"a drawing such as {ways}" if node.is_open else f"one of {ways}"
    raise BadInput([Fault(f"choice[{depth}]", f"no branch {key!r}", right)])


class Wording(NamedTuple):
    """A question as it is put to somebody."""

    rule: str
    title: str


class Decision(msgspec.Struct, Generic[A], frozen=True):
    """An open question."""

    rule: str
    title: str
    """What is asked, in the rulebook's words: for everybody for whom it is not worded otherwise."""
    asked: tuple[Seat, ...]
    """Who may answer now; several where orders are given in secret at once."""
    options: Callable[[Seat], Options[A]]
    """The answers open to one of the asked seats."""
    depth: int = 1
    """Height of the stack of frames: a deeper question interrupts a shallower one."""
    guards: bool = False
    """Asked whatever the seat holds, so that the question gives nothing away: nor should the haste of an answer."""
    secret: bool = False
    """Whether the rules have it answered unseen by the others."""
    wordings: Mapping[Seat, Wording] | None = None
    """Of seats that are asked at once, but not for the same thing: what each is asked under which rule."""

    def wording(self, seat: Seat | None) -> Wording:
        """The question as it is put to a seat; to a watcher, and to whoever is not asked, as it is put to all."""
        common = Wording(self.rule, self.title)
        return common if self.wordings is None or seat is None else self.wordings.get(seat, common)
