"""Which values of slots go together: budgets, a judge, and the search for what both allow.

A filling is a value for every slot; of one that is half made, ``""`` stands for what is still open. What is refused
half made stays refused however it is filled, so a search turns back there and never offers what leads nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from sandtable.core.errors import Refusal, RulesBug

if TYPE_CHECKING:
    from random import Random

__all__ = ["Budget", "Judge", "Limits", "Slot", "Values", "fillings"]

Values = tuple[str, ...]
_TRIES = 4
"""How often each slot may be tried, on average, before another way to a random filling is taken."""
_MOST_TRIES = 20_000
"""So many tries in vain are the fault of a judge that turns back too late."""
Judge = Callable[[Values], Refusal | None]
"""Refuses a filling, with ``""`` for slots that are still open: only if no way to fill those would be allowed.

The sooner it refuses what leads nowhere, the less is searched. ``Refusal.slots`` says which slots it is about.
"""


class _Tired(Exception):
    """A search has tried enough."""


class Slot:
    """Something that takes one of several values.

    Values, and their words for people, may be given as functions: they are called when somebody reads the slot.
    """

    __slots__ = ("_values", "_words", "group", "key", "kind", "label", "note", "plain", "required")

    def __init__(
        self,
        key: str,
        kind: str,
        label: str,
        values: Values | Callable[[], Values],
        *,
        required: bool = False,
        words: Values | Callable[[], Values] = (),
        plain: str = "",
        group: str = "",
        note: str = "",
    ) -> None:
        self.key = key
        self.kind = kind
        self.label = label
        self._values = values
        self.required = required
        """Whether a gathering may not leave it out."""
        self._words = words
        self.plain = plain
        """The value that it stands at if it is left alone; ``""`` for the first."""
        self.group = group
        """The formation that it is listed under, if any."""
        self.note = note
        """What one should know before one fills it, in a few words."""

    @property
    def values(self) -> Values:
        """What it can take, in a fixed order."""
        if not isinstance(self._values, tuple):
            self._values = self._values()
        return self._values

    @property
    def words(self) -> Values:
        """The values for people, in the same order; empty where the values speak for themselves."""
        if not isinstance(self._words, tuple):
            self._words = self._words()
        return self._words

    @property
    def is_listed(self) -> bool:
        """Whether the values are at hand, without anything being worked out."""
        return isinstance(self._values, tuple)

    @property
    def start(self) -> str:
        """What it stands at if it is left alone; reads the values only where nothing is said."""
        return self.plain or self.values[0]

    def ways(self) -> Iterator[str]:
        """The values, the plain one first: the others are read only if somebody goes on."""
        if self.plain:
            yield self.plain
        for value in self.values:
            if value != self.plain:
                yield value

    def takes(self, value: str) -> bool:
        """Whether a value is one of its own."""
        return bool(value) and (value == self.plain or value in self.values)

    def word(self, value: str) -> str:
        """A value for people."""
        return self.words[self.values.index(value)] if self.words and value in self.values else value

    def __repr__(self) -> str:
        return f"Slot({self.key!r}, {self._values!r})"


class Budget(msgspec.Struct, frozen=True):
    """So much of something for all slots together, or for those of one group."""

    label: str
    """What it is, for people: ``attack orders of the 2nd battalion``."""
    most: int
    rule: str
    costs: Mapping[str, int]
    """What each value takes of it, never less than nothing; others take nothing."""
    group: str = ""
    """The group whose slots draw on it; ``""`` for all."""
    weights: Mapping[str, int] = {}
    """How many times the cost a slot pays, by its key; others pay it once."""
    note: str = ""
    """What it comes from, in a few words."""

    def cost(self, slot: Slot, value: str) -> int:
        """What a slot takes of it with a value."""
        if self.group and slot.group != self.group:
            return 0
        return self.costs.get(value, 0) * self.weights.get(slot.key, 1)

    def least(self, slot: Slot) -> int:
        """What a slot takes of it with the cheapest of its values; they are read only if the plain one takes some."""
        plain = self.cost(slot, slot.plain)
        return min((self.cost(slot, value) for value in slot.values), default=0) if plain or not slot.plain else 0

    def used(self, slots: Sequence[Slot], values: Sequence[str]) -> int:
        """What a filling takes of it."""
        return sum(self.cost(slot, value) for slot, value in zip(slots, values, strict=True))

    def refusal(self, slots: Sequence[Slot], values: Sequence[str]) -> Refusal | None:
        """Why a filling is too much for it, with the slots that draw on it."""
        used = self.used(slots, values)
        if used <= self.most:
            return None
        drawing = tuple(slot.key for slot, value in zip(slots, values, strict=True) if self.cost(slot, value))
        return Refusal(self.rule, f"{self.label}: {used} of {self.most}", f"at most {self.most}", drawing)


class Limits:
    """What fillings of some slots are allowed."""

    __slots__ = ("_draws", "budgets", "judge", "slots")

    def __init__(self, slots: Sequence[Slot], judge: Judge | None, budgets: Sequence[Budget]) -> None:
        self.slots = slots
        self.judge = judge
        self.budgets = tuple(budgets)
        self._draws: list[tuple[tuple[int, Budget, int], ...]] | None = None

    def refusals(self, values: Values) -> Iterator[Refusal]:
        """All that stands against a filling, or against one that is half made."""
        for budget in self.budgets:
            refusal = budget.refusal(self.slots, values)
            if refusal is not None:
                yield refusal
        refusal = None if self.judge is None else self.judge(values)
        if refusal is not None:
            yield refusal

    def allows(self, values: Values) -> bool:
        """Whether nothing stands against it."""
        if self.budgets and not self._affords(values):
            return False
        return self.judge is None or self.judge(values) is None

    def _affords(self, values: Values) -> bool:
        """Whether no budget is overdrawn, however little the open slots take; every slot looks at its own budgets."""
        if self._draws is None:
            numbered = list(enumerate(self.budgets))
            self._draws = [
                tuple((index, one, one.least(slot)) for index, one in numbered if one.group in ("", slot.group))
                for slot in self.slots
            ]
        left = [budget.most for budget in self.budgets]
        for slot, value, draws in zip(self.slots, values, self._draws, strict=True):
            for index, budget, least in draws:
                if not value:
                    left[index] -= least
                elif value in budget.costs:
                    left[index] -= budget.costs[value] * budget.weights.get(slot.key, 1)
        return min(left) >= 0

    def completed(self, chosen: Values, guess: Values) -> Values | None:
        """A way to fill what is still open, the guess if it will do; None if there is none."""
        full = (*chosen, *guess[len(chosen) :])
        if self.allows(full):
            return full
        return next(fillings(self.slots, chosen, self.allows), None)

    def sample(self, chosen: Values, rng: Random) -> Values:
        """A filling that is allowed: the slots are filled in any order, so that none is before the others.

        Where that runs into one dead end after another, a filling that is allowed is changed slot by slot instead.
        """
        order = list(range(len(chosen), len(self.slots)))
        rng.shuffle(order)
        effort = iter(range(_TRIES * len(self.slots)))

        def ways(slot: Slot) -> Iterator[str]:
            values = list(slot.values)
            rng.shuffle(values)
            return iter(values)

        def allows(values: Values) -> bool:
            if next(effort, None) is None:
                raise _Tired
            return self.allows(values)

        try:
            found = next(_search(self.slots, chosen, order, ways, allows), None)
        except _Tired:
            found = next(fillings(self.slots, chosen, self.allows), None)
            if found is not None:
                for index in (*order, *order):
                    found = self._changed(found, index, ways)
        if found is None:
            raise RulesBug("no filling of the slots is allowed")
        return found

    def _changed(self, values: Values, index: int, ways: Callable[[Slot], Iterator[str]]) -> Values:
        """A filling with another value in one slot, the first of its ways that is allowed."""
        changed = ((*values[:index], value, *values[index + 1 :]) for value in ways(self.slots[index]))
        return next((one for one in changed if self.allows(one)), values)


def fillings(slots: Sequence[Slot], chosen: Values, allows: Callable[[Values], bool] | None = None) -> Iterator[Values]:
    """All that ``chosen`` can become, the last slot changing first."""
    return _search(slots, chosen, range(len(chosen), len(slots)), Slot.ways, allows)


def _search(
    slots: Sequence[Slot],
    chosen: Values,
    order: Sequence[int],
    ways: Callable[[Slot], Iterator[str]],
    allows: Callable[[Values], bool] | None,
) -> Iterator[Values]:
    """Fillings, slot by slot in ``order``; turns back wherever what is filled so far is not allowed."""
    values = [*chosen, *("" for _ in range(len(slots) - len(chosen)))]
    if allows is not None and not allows(tuple(values)):
        return
    if not order:
        yield tuple(values)
        return
    levels = [ways(slots[order[0]])]
    in_vain = 0
    while levels:
        at = order[len(levels) - 1]
        for value in levels[-1]:
            values[at] = value
            if allows is None or allows(tuple(values)):
                break
            in_vain += 1
            if in_vain > _MOST_TRIES:
                raise RulesBug("the judge of an assignment turns back too late: nothing is found in time")
        else:
            values[at] = ""
            levels.pop()
            continue
        if len(levels) == len(order):
            in_vain = 0
            yield tuple(values)
        else:
            levels.append(ways(slots[order[len(levels)]]))
