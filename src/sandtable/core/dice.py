"""Dice are injected: seeded for live play, scripted for examples, recorded for verification, enumerating for odds.

A rule asks for a roll and says which results it tells apart (``cuts``: the highest total of every group but the
last, or the kind of every total where the groups are no ranges). Play ignores that; the enumerating dice follow one
branch a group instead of one a face, which is what makes exact odds quick.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import NamedTuple, Protocol, TypeVar

import msgspec

from sandtable.core.errors import BadInput, Fault, RulesBug

__all__ = [
    "MOST_WAYS",
    "Cuts",
    "Dice",
    "DiceSpec",
    "EnumeratingDice",
    "Kinds",
    "RecordedDice",
    "RecordingDice",
    "Roll",
    "ScriptedDice",
    "SeededDice",
    "enumerate_rolls",
    "too_many_ways",
]

T = TypeVar("T")
MOST_WAYS = 100_000
MOST_ROLLS = 500
CERTAIN = Fraction(1)


class Kinds(NamedTuple):
    """What sort of result each total is: totals of one kind come to the same, wherever they lie."""

    of: Callable[[int], Hashable]


Cuts = Kinds | Sequence[int] | Callable[[], Kinds | Sequence[int] | None] | None
"""Kinds, or the totals that end a range, or how to work them out where that takes time: play never asks."""


class DiceSpec(NamedTuple):
    """So many dice with so many sides."""

    number: int
    sides: int

    def __str__(self) -> str:
        return f"{self.number}d{self.sides}"

    @property
    def lowest(self) -> int:
        """The least total."""
        return self.number

    @property
    def highest(self) -> int:
        """The greatest total."""
        return self.number * self.sides


class Roll(msgspec.Struct, frozen=True):
    """Dice as they fell, and what for."""

    dice: DiceSpec
    faces: tuple[int, ...]
    why: str

    @property
    def total(self) -> int:
        """Sum of the faces."""
        return sum(self.faces)


class Dice(Protocol):
    """Whatever answers a request for a roll."""

    def roll(self, dice: DiceSpec, why: str, cuts: Cuts = None) -> Roll:
        """Roll ``dice`` for the purpose ``why``; ``cuts`` says which totals the rule tells apart."""
        ...


class SeededDice:
    """Live dice: a stream of their own from a seed, which never enters a state, a log or a view."""

    def __init__(self, seed: int | str) -> None:
        self._random = random.Random(seed)

    def roll(self, dice: DiceSpec, why: str, cuts: Cuts = None) -> Roll:  # noqa: ARG002
        """Roll."""
        rand = self._random.random
        if dice.number == 1:
            return Roll(dice, (1 + int(rand() * dice.sides),), why)
        return Roll(dice, tuple([1 + int(rand() * dice.sides) for _ in range(dice.number)]), why)


class ScriptedDice:
    """Dice that fall as an example says: one total (of a single die) or one tuple of faces a roll."""

    def __init__(self, script: Iterable[int | Sequence[int]]) -> None:
        self._script = list(script)
        self._next = 0

    @property
    def left(self) -> int:
        """How many scripted rolls were not asked for."""
        return len(self._script) - self._next

    def roll(self, dice: DiceSpec, why: str, cuts: Cuts = None) -> Roll:  # noqa: ARG002
        """Give the next scripted roll."""
        if not self.left:
            raise BadInput([Fault("dice", f"no roll left for {why}", f"one more roll of {dice}")])
        entry = self._script[self._next]
        place = f"dice[{self._next}]"
        self._next += 1
        faces = (entry,) if isinstance(entry, int) else tuple(entry)
        if len(faces) != dice.number or not all(1 <= face <= dice.sides for face in faces):
            raise BadInput([Fault(place, f"{entry} is no roll of {dice} (for {why})", f"{dice} faces")])
        return Roll(dice, faces, why)


class RecordedDice:
    """The rolls of a log entry, for verification: asks must match what was recorded."""

    def __init__(self, rolls: Iterable[Roll]) -> None:
        self.left = list(rolls)
        """Rolls not asked for yet."""

    def roll(self, dice: DiceSpec, why: str, cuts: Cuts = None) -> Roll:  # noqa: ARG002
        """Give the next recorded roll."""
        roll = self.left.pop(0) if self.left else None
        if roll is None or roll.dice != dice or roll.why != why:
            raise RulesBug(f"asked for {dice} ({why}), recorded is {roll}")
        return roll


class RecordingDice:
    """Passes rolls on and keeps them."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self.rolls: list[Roll] = []

    def roll(self, dice: DiceSpec, why: str, cuts: Cuts = None) -> Roll:
        """Roll and remember."""
        roll = self._dice.roll(dice, why, cuts)
        self.rolls.append(roll)
        return roll


Group = tuple[tuple[int, ...], int]
"""Results that come to the same: the faces of one of them, and the number of ways."""
Groups = tuple[Group, ...]


class EnumeratingDice:
    """Follows one branch of the tree of all rolls and notes the branches beside it."""

    def __init__(self, path: Sequence[Group]) -> None:
        self._path = path
        self.taken: list[Group] = []
        self.beside: list[Groups] = []
        """What else each roll after the path could give."""
        self._of = 1

    def roll(self, dice: DiceSpec, why: str, cuts: Cuts = None) -> Roll:
        """Give the group of results that this branch stands for, by its lowest member."""
        depth = len(self.taken)
        if depth >= MOST_ROLLS:
            raise BadInput([Fault("odds", f"more than {MOST_ROLLS} rolls in a row", "an action that settles")])
        if depth < len(self._path):
            group = self._path[depth]
        else:
            group, *others = _told_apart(dice, cuts)
            self.beside.append(tuple(others))
        self.taken.append(group)
        self._of *= dice.sides**dice.number
        return Roll(dice, group[0], why)

    @property
    def weight(self) -> Fraction:
        """The chance of this branch."""
        return Fraction(prod([ways for _, ways in self.taken]), self._of) if self.taken else CERTAIN


def too_many_ways(most: int) -> BadInput:
    """What is wrong with odds that nobody waits for."""
    return BadInput([Fault("odds", f"more than {most} ways for the dice to fall", "an action with fewer rolls")])


def enumerate_rolls(run: Callable[[Dice], T], most: int = MOST_WAYS) -> Iterator[tuple[T, Fraction]]:
    """Every distinguishable way that ``run`` can go, with its exact chance.

    More than ``most`` ways, or a run that never stops rolling, raise :class:`BadInput`: a roll that is made again on
    a tie has no end of ways.
    """
    open_paths: list[tuple[Group, ...]] = [()]
    ways = 0
    while open_paths:
        ways += 1
        if ways > most:
            raise too_many_ways(most)
        path = open_paths.pop()
        dice = EnumeratingDice(path)
        result = run(dice)
        taken = dice.taken
        for depth, others in enumerate(dice.beside, start=len(path)):
            open_paths.extend([(*taken[:depth], other) for other in others])
        yield result, dice.weight


_grouped: dict[tuple[DiceSpec, tuple[int, ...] | None], Groups] = {}


def _told_apart(dice: DiceSpec, cuts: Cuts) -> Groups:
    """The groups of results that a rule tells apart."""
    if callable(cuts):
        cuts = cuts()
    if isinstance(cuts, Kinds):
        return _by_kind(dice, cuts.of)
    return _groups(dice, tuple(cuts) if cuts is not None else None)


def _by_kind(dice: DiceSpec, kind_of: Callable[[int], Hashable]) -> Groups:
    """One group a kind, in the order of the lowest total of each."""
    ways: dict[Hashable, Group] = {}
    for faces, count in _groups(dice, tuple(range(dice.lowest, dice.highest))):
        kind = kind_of(sum(faces))
        member, known = ways.get(kind, (faces, 0))
        ways[kind] = (member, known + count)
    return tuple(ways.values())


def _groups(dice: DiceSpec, cuts: tuple[int, ...] | None) -> Groups:
    key = (dice, cuts)
    found = _grouped.get(key)
    if found is None:
        found = _grouped[key] = tuple(_group(dice, cuts))
    return found


def _group(dice: DiceSpec, cuts: tuple[int, ...] | None) -> Iterator[Group]:
    if dice.number == 1 and cuts is not None:
        low = 0
        for high in [*sorted({cut for cut in cuts if 1 <= cut < dice.sides}), dice.sides]:
            yield (low + 1,), high - low
            low = high
        return
    ways: dict[object, Group] = {}
    bounds = sorted(cuts) if cuts is not None else None
    for faces in product(range(1, dice.sides + 1), repeat=dice.number):
        kind: object = faces if bounds is None else bisect_left(bounds, sum(faces))
        member, count = ways.get(kind, (faces, 0))
        ways[kind] = (member, count + 1)
    yield from ways.values()
