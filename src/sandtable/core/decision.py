"""Who is asked what, and the lazy tree of possible answers.

A :class:`Decision` names the rule, the seats that are asked and, for each of them, :class:`Options`: a tree of
choices whose leaves are complete actions. Only complete actions enter a log. The tree is walked branch by branch,
never listed unless somebody iterates; the same object serves browser, terminal, bots, fuzzer and learners.

Four shapes of branch cover every question (:class:`Node` subclasses):

``Pick``    one of several branches (unit, then order, then target)
``Assign``  a value for every slot at once (a command for every vehicle)
``Gather``  some of the slots, at least one (the vehicles that fire on a target)
``Path``    leg after leg, stopping where one may stop (a move)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, product
from math import prod
from typing import TYPE_CHECKING, Generic, NamedTuple, NewType, TypeVar

import msgspec

from sandtable.core.errors import BadInput, Fault, Refusal

if TYPE_CHECKING:
    from random import Random

__all__ = [
    "LEFT_OUT",
    "Assign",
    "Branch",
    "Decision",
    "Gather",
    "Leaf",
    "Node",
    "Options",
    "Path",
    "Pick",
    "Seat",
    "Slot",
]

A = TypeVar("A")
Seat = NewType("Seat", str)
LEFT_OUT = "-"
"""Key of the branch that leaves a slot out of a gathering."""


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

    def branches(self) -> Iterator[Branch[A]]:
        """The ways to go on, in a fixed order."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[A]:
        for branch in self.branches():
            yield from branch.then

    def count(self) -> int:
        """Number of complete actions below; walks the tree unless the shape knows better."""
        return sum(branch.then.count() for branch in self.branches())

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
    """One of several branches, made when asked for."""

    shape = "pick"
    __slots__ = ("_make",)

    def __init__(self, make: Callable[[], Iterable[Branch[A]]]) -> None:
        self._make = make

    def branches(self) -> Iterator[Branch[A]]:
        """The branches."""
        return iter(self._make())


class Slot(NamedTuple):
    """Something that takes one of several values."""

    key: str
    kind: str
    label: str
    values: tuple[str, ...]
    required: bool = False
    """Whether a gathering may not leave it out."""
    words: tuple[str, ...] = ()
    """The values for people, in the same order; left out, the values speak for themselves."""

    def word(self, value: str) -> str:
        """A value for people."""
        return self.words[self.values.index(value)] if self.words and value in self.values else value


class Assign(Node[A]):
    """A value for every slot; ``build`` makes the action of a full assignment."""

    shape = "assign"
    __slots__ = ("_build", "_chosen", "slots")

    def __init__(
        self, slots: Sequence[Slot], build: Callable[[tuple[str, ...]], A], chosen: tuple[str, ...] = ()
    ) -> None:
        self.slots = slots
        self._build = build
        self._chosen = chosen

    def filled(self, values: tuple[str, ...]) -> A:
        """The action of values for all slots."""
        return self._build(values)

    def branches(self) -> Iterator[Branch[A]]:
        """The values of the first open slot."""
        if len(self._chosen) == len(self.slots):
            yield Branch("done", "done", "Done", Leaf(self._build(self._chosen)))
            return
        slot = self.slots[len(self._chosen)]
        for value in slot.values:
            then: Node[A] = Assign(self.slots, self._build, (*self._chosen, value))
            yield Branch(value, slot.kind, f"{slot.label}: {slot.word(value)}", then, slot.key)

    def __iter__(self) -> Iterator[A]:
        rest = (slot.values for slot in self.slots[len(self._chosen) :])
        for values in product(*rest):
            yield self._build((*self._chosen, *values))

    def count(self) -> int:
        """Product of the numbers of values."""
        return prod(len(slot.values) for slot in self.slots[len(self._chosen) :])

    def sample(self, rng: Random) -> A:
        """A fair choice in every slot."""
        rest = self.slots[len(self._chosen) :]
        values = tuple(slot.values[int(rng.random() * len(slot.values))] for slot in rest)
        return self._build((*self._chosen, *values))


class Gather(Node[A]):
    """Some of the slots, at least one, each with one of its values; ``""`` leaves a slot out."""

    shape = "gather"
    __slots__ = ("_build", "_chosen", "slots")

    def __init__(
        self, slots: Sequence[Slot], build: Callable[[tuple[str, ...]], A], chosen: tuple[str, ...] = ()
    ) -> None:
        self.slots = slots
        self._build = build
        self._chosen = chosen

    def filled(self, values: tuple[str, ...]) -> A:
        """The action of values for all slots, empty ones left out."""
        return self._build(values)

    def _values(self, index: int) -> tuple[str, ...]:
        """Values open at a slot; the empty one leaves it out."""
        slot = self.slots[index]
        return slot.values if slot.required else ("", *slot.values)

    def branches(self) -> Iterator[Branch[A]]:
        """The values of the first open slot, or to leave it out."""
        index = len(self._chosen)
        if index == len(self.slots):
            if any(self._chosen):
                yield Branch("done", "done", "Done", Leaf(self._build(self._chosen)))
            return
        slot = self.slots[index]
        last_chance = index == len(self.slots) - 1 and not any(self._chosen)
        for value in slot.values if last_chance else self._values(index):
            then: Node[A] = Gather(self.slots, self._build, (*self._chosen, value))
            yield Branch(value or LEFT_OUT, slot.kind, f"{slot.label}: {slot.word(value) or 'no'}", then, slot.key)

    def __iter__(self) -> Iterator[A]:
        rest = (self._values(index) for index in range(len(self._chosen), len(self.slots)))
        for values in product(*rest):
            full = (*self._chosen, *values)
            if any(full):
                yield self._build(full)

    def count(self) -> int:
        """Product of the numbers of values, less the empty choice where that is one."""
        rest = range(len(self._chosen), len(self.slots))
        ways = prod(len(self._values(index)) for index in rest)
        may_be_empty = not any(self._chosen) and not any(self.slots[index].required for index in rest)
        return ways - 1 if may_be_empty else ways

    def settle(self, wanted: Sequence[str]) -> tuple[str, ...]:
        """The answer nearest to what somebody wants: a value for every slot, ``""`` where it is left out.

        Players tick whom they like; what they are shown and what they send is this. Nothing at all where nothing that
        is wanted can be had. The tree itself has only answers that need no settling.
        """
        if len(wanted) != len(self.slots):
            raise BadInput([Fault("choice", f"{len(wanted)} values", f"one for each of {len(self.slots)} slots")])
        for slot, value in zip(self.slots, wanted, strict=True):
            if value and value not in slot.values:
                raise BadInput([Fault(f"choice.{slot.key}", f"no value {value!r}", f"one of {', '.join(slot.values)}")])
        return self._nearest(tuple(wanted))

    def _nearest(self, wanted: tuple[str, ...]) -> tuple[str, ...]:
        """What is wanted, with everything that may not be left out."""
        if not any(wanted):
            return ()
        return tuple(
            value or (slot.values[0] if slot.required else "") for slot, value in zip(self.slots, wanted, strict=True)
        )

    def sample(self, rng: Random) -> A:
        """A fair choice in every slot, with one slot filled at the least."""
        values = list(self._chosen)
        for index in range(len(self._chosen), len(self.slots)):
            ways = self._values(index)
            values.append(ways[int(rng.random() * len(ways))])
        if not any(values):
            index = int(rng.random() * (len(self.slots) - len(self._chosen))) + len(self._chosen)
            ways = self.slots[index].values
            values[index] = ways[int(rng.random() * len(ways))]
        return self._build(tuple(values))


class Path(Node[A]):
    """Leg after leg. Systems subclass it; :meth:`destinations` is the short cut that people and bots use."""

    shape = "path"

    def destinations(self) -> Iterator[Branch[A]]:
        """Places that can be reached, each with a cheapest complete path to it as a leaf."""
        raise NotImplementedError


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
        return self._root.count()

    def __bool__(self) -> bool:
        return next(iter(self._root), None) is not None

    def __contains__(self, action: A) -> bool:
        return self.refusal(action) is None

    def sample(self, rng: Random) -> A:
        """One answer, without listing them all."""
        return self._root.sample(rng)

    def only(self) -> A | None:
        """The answer, if there is just one."""
        first = list(islice(self._root, 2))
        return first[0] if len(first) == 1 else None

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
    for branch in node.branches():
        if branch.key == key:
            return branch.then
    ways = ", ".join(branch.key for branch in islice(node.branches(), 40))
    raise BadInput([Fault(f"choice[{depth}]", f"no branch {key!r}", f"one of {ways}")])


class Decision(msgspec.Struct, Generic[A], frozen=True):
    """An open question."""

    rule: str
    title: str
    """What is asked, in the rulebook's words."""
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
