"""The shapes with slots: a value for each of them, or some of them together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, TypeVar

from sandtable.core.errors import BadInput, Fault, Refusal
from sandtable.core.tree.limits import Budget, Judge, Limits, Slot, Values, fillings
from sandtable.core.tree.nodes import Branch, Leaf, Node

if TYPE_CHECKING:
    from random import Random

__all__ = ["LEFT_OUT", "Assign", "Gather"]

A = TypeVar("A")
LEFT_OUT = "-"
"""Key of the branch that leaves a slot out of a gathering."""


class Assign(Node[A]):
    """A value for every slot; ``build`` makes the action of a full assignment.

    With a judge or with budgets not every filling is an answer. Then the branches are those that lead to one, and how
    many answers there are is not known.
    """

    shape = "assign"
    __slots__ = ("_build", "_chosen", "_guess", "_limits", "is_foretold", "slots")

    def __init__(
        self,
        slots: Sequence[Slot],
        build: Callable[[Values], A],
        chosen: Values = (),
        *,
        judge: Judge | None = None,
        budgets: Sequence[Budget] = (),
        is_foretold: bool = False,
    ) -> None:
        self.slots = slots
        self._build = build
        self._chosen = chosen
        self.is_foretold = is_foretold
        """Whether it can be told what would come of a filling before it is confirmed."""
        self._limits = Limits(slots, judge, budgets) if judge is not None or budgets else None
        self._guess: Values | None = None

    @property
    def budgets(self) -> tuple[Budget, ...]:
        """What all slots together may take, at most."""
        return () if self._limits is None else self._limits.budgets

    @property
    def is_limited(self) -> bool:
        """Whether some fillings are no answers."""
        return self._limits is not None

    def filled(self, values: Values) -> A:
        """The action of values for all slots."""
        return self._build(values)

    def refusals(self, values: Values) -> list[Refusal]:
        """All that stands against values for all slots; nothing if they are an answer.

        Budgets and judge are asked only about values that the slots can take.
        """
        if len(values) != len(self.slots):
            raise BadInput([Fault("choice", f"{len(values)} values", f"one for each of {len(self.slots)} slots")])
        found = []
        for slot, value in zip(self.slots, values, strict=True):
            if not slot.takes(value):
                ways = f"one of {', '.join(map(slot.word, slot.values))}"
                found.append(Refusal("", f"{slot.label} cannot have {value or 'nothing'}", ways, (slot.key,)))
        if self._limits is not None and not found:
            found += self._limits.refusals(values)
        return found

    def may_become(self, values: Values) -> bool:
        """Whether values, with ``""`` for what is open, may still become an answer, for all that the limits can see."""
        return self._limits is None or self._limits.allows(values)

    def branches(self) -> Iterator[Branch[A]]:
        """The values of the first open slot."""
        if len(self._chosen) == len(self.slots):
            done = self._done()
            if done is not None:
                yield done
            return
        slot = self.slots[len(self._chosen)]
        for value in slot.ways():
            branch = self._with(slot, value)
            if branch is not None:
                yield branch

    def branch(self, key: str) -> Branch[A] | None:
        """The branch of a value, without a look at the others."""
        if len(self._chosen) == len(self.slots):
            return self._done() if key == "done" else None
        slot = self.slots[len(self._chosen)]
        return self._with(slot, key) if slot.takes(key) else None

    def _done(self) -> Branch[A] | None:
        if self._limits is not None and not self._limits.allows(self._chosen):
            return None
        return Branch("done", "done", "Done", Leaf(self._build(self._chosen)))

    def _with(self, slot: Slot, value: str) -> Branch[A] | None:
        """The branch of a value, if it leads to an answer."""
        then: Assign[A] = Assign(self.slots, self._build, (*self._chosen, value))
        if self._limits is not None:
            # What has led to an answer so far is the first thing to try for the next slot too.
            if self._guess is None:
                self._guess = tuple(one.start for one in self.slots)
            then._limits = self._limits
            then._guess = self._limits.completed(then._chosen, self._guess)
            if then._guess is None:
                return None
        return Branch(value, slot.kind, f"{slot.label}: {slot.word(value)}", then, slot.key)

    def __iter__(self) -> Iterator[A]:
        allows = None if self._limits is None else self._limits.allows
        for values in fillings(self.slots, self._chosen, allows):
            yield self._build(values)

    def count(self) -> int | None:
        """Product of the numbers of values; None where not every filling is an answer."""
        if self._limits is not None:
            return None
        return prod(len(slot.values) for slot in self.slots[len(self._chosen) :])

    def holds_open(self) -> bool:
        """Values are picked, not drawn."""
        return False

    def sample(self, rng: Random) -> A:
        """A fair choice in every slot, of what is allowed."""
        if self._limits is not None:
            return self._build(self._limits.sample(self._chosen, rng))
        rest = self.slots[len(self._chosen) :]
        values = tuple(slot.values[int(rng.random() * len(slot.values))] for slot in rest)
        return self._build((*self._chosen, *values))


class Gather(Node[A]):
    """Some of the slots, at least one, each with one of its values; ``""`` leaves a slot out."""

    shape = "gather"
    __slots__ = ("_build", "_chosen", "slots")

    def __init__(self, slots: Sequence[Slot], build: Callable[[Values], A], chosen: Values = ()) -> None:
        self.slots = slots
        self._build = build
        self._chosen = chosen

    def filled(self, values: Values) -> A:
        """The action of values for all slots, empty ones left out."""
        return self._build(values)

    def _values(self, index: int) -> Values:
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
        for value in self._open_values(index):
            yield self._with(self.slots[index], value)

    def branch(self, key: str) -> Branch[A] | None:
        """The branch of a value, or the one that leaves the slot out, without a look at the others."""
        index = len(self._chosen)
        if index == len(self.slots):
            return super().branch(key)
        value = "" if key == LEFT_OUT else key
        return self._with(self.slots[index], value) if self._takes(index, value) else None

    def _takes(self, index: int, value: str) -> bool:
        """Whether the first open slot takes a value."""
        return value in self._open_values(index)

    def _open_values(self, index: int) -> Values:
        """Values open at the first open slot: the last one may not be left out if all others are."""
        last_chance = index == len(self.slots) - 1 and not any(self._chosen)
        return self.slots[index].values if last_chance else self._values(index)

    def _with(self, slot: Slot, value: str) -> Branch[A]:
        then: Node[A] = Gather(self.slots, self._build, (*self._chosen, value))
        return Branch(value or LEFT_OUT, slot.kind, f"{slot.label}: {slot.word(value) or 'no'}", then, slot.key)

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

    def holds_open(self) -> bool:
        """Values are picked, not drawn."""
        return False

    def settle(self, wanted: Sequence[str]) -> Values:
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

    def _nearest(self, wanted: Values) -> Values:
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
