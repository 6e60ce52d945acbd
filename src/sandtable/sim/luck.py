"""Luck against decision: what each roll gained or lost against what was to be expected of it.

The value of a state is the system's own evaluation, in points for the first seat. Before a roll falls its expectation
is worked out exactly, by following every group of results that the rules tell apart; the roll's luck is what the
value is then with the roll as it fell, less that. What is left of an action's effect is the decision's, that of the
actor and of those who replied before it was settled. Where the dice can fall in too many ways a sample stands in, and
the entry says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from sandtable.bots.preview import BoundedDice, TooManyRolls
from sandtable.core.decision import Decision, Seat
from sandtable.core.dice import Cuts, Dice, DiceSpec, Roll, SeededDice, enumerate_rolls
from sandtable.core.errors import RulesBug, SandtableError
from sandtable.core.log import Entry
from sandtable.core.odds import first_answer, settle
from sandtable.core.ruleset import Ruleset

__all__ = ["EntryLuck", "Exchange", "RollLuck", "exchanges", "luck_of"]

MOST_WAYS = 400
"""Ways for the dice to fall that are followed one by one."""
SAMPLES = 60

AnyRuleset = Ruleset[Any, Any, Any]


class RollLuck(msgspec.Struct, frozen=True):
    """A roll and what it was worth."""

    why: str
    faces: tuple[int, ...]
    expected: float
    """Value before it fell, points for the first seat."""
    got: float
    """Value once it had fallen, the later rolls of the action still open."""

    @property
    def luck(self) -> float:
        """Points gained or lost by it."""
        return self.got - self.expected


class EntryLuck(msgspec.Struct, frozen=True):
    """An action with the replies that interrupted it: its luck and its decisions, in points for the first seat."""

    seq: int
    """Its entry in the log ..."""
    to: int
    """... and that of the last reply to it."""
    turn: int
    seat: str
    action: str
    before: float
    decision: float
    """What the action and the replies to it changed on average."""
    luck: float
    after: float
    rolls: tuple[RollLuck, ...] = ()
    exact: bool = True
    """Whether the expectations are exact; else they are from a sample."""
    note: str = ""
    """Why luck and decision could not be told apart, where they could not: all is put down to the decision then."""


class _Prefixed:
    """Dice whose first rolls are known."""

    def __init__(self, known: Sequence[Roll], dice: Dice) -> None:
        self._known = iter(known)
        self._dice = dice

    def roll(self, dice: DiceSpec, why: str, cuts: Cuts = None) -> Roll:
        """The next known roll, and then those of the dice behind it."""
        roll = next(self._known, None)
        if roll is None:
            return self._dice.roll(dice, why, cuts)
        if roll.dice != dice:
            raise RulesBug(f"the log has a roll of {roll.dice} for {roll.why}, the rules of today ask for {dice}")
        return roll


def exchanges(
    ruleset: AnyRuleset, first: Any, entries: Sequence[Entry[Any, Any]], states: Sequence[Any]
) -> Iterator[Exchange]:
    """The entries after the state ``first``, each action together with the replies that interrupt it."""
    group: list[Entry[Any, Any]] = []
    start = first
    depth = 0
    for entry in entries:
        if not group:
            before = ruleset.decision(start)
            depth = before.depth if before is not None else 0
        group.append(entry)
        after = ruleset.decision(states[entry.seq])
        if after is None or after.depth <= depth or entry.action is None:
            yield Exchange(tuple(group), start, states[entry.seq])
            group, start = [], states[entry.seq]
    if group:
        yield Exchange(tuple(group), start, states[group[-1].seq])


class Exchange(NamedTuple):
    """An action with the replies to it, and the states before and after."""

    entries: tuple[Entry[Any, Any], ...]
    before: Any
    after: Any

    @property
    def rolls(self) -> list[Roll]:
        """All rolls in it, in order."""
        return [roll for entry in self.entries for roll in entry.rolls]


def luck_of(ruleset: AnyRuleset, exchange: Exchange, value: Callable[[Any], float], turn: int) -> EntryLuck:
    """What the rolls and the decisions of an exchange were worth."""
    start, end = value(exchange.before), value(exchange.after)
    first = exchange.entries[0]
    rolls, note = exchange.rolls, ""
    try:
        steps = [_expectation(ruleset, exchange, rolls[:number], value) for number in range(len(rolls))]
    except SandtableError as error:
        # An old log: the rules of today would not have come to the same questions or rolls.
        rolls, steps, note = [], [], f"the rules of today resolve it otherwise: {error}"
    means = [mean for mean, _ in steps] + [end]
    return EntryLuck(
        seq=first.seq,
        to=exchange.entries[-1].seq,
        turn=turn,
        seat=first.seat,
        action=ruleset.describe(first.action) if first.action is not None else "begins",
        before=round(start, 2),
        decision=round(means[0] - start, 2),
        luck=round(end - means[0], 2),
        after=round(end, 2),
        rolls=tuple(
            RollLuck(roll.why, roll.faces, round(means[place], 2), round(means[place + 1], 2))
            for place, roll in enumerate(rolls)
        ),
        exact=all(exact for _, exact in steps),
        note=note,
    )


def _expectation(
    ruleset: AnyRuleset, exchange: Exchange, known: Sequence[Roll], value: Callable[[Any], float]
) -> tuple[float, bool]:
    """The value to be expected when the first rolls are known, and whether that is exact."""

    def run(dice: Dice) -> Any:
        return _settled(ruleset, exchange, _Prefixed(known, dice))

    total, weight = 0.0, Fraction(0)
    try:
        for state, chance in islice(enumerate_rolls(lambda dice: run(BoundedDice(dice))), MOST_WAYS):
            total += float(chance) * value(state)
            weight += chance
    except TooManyRolls:
        weight = Fraction(0)
    if weight == 1:
        return total, True
    seq = exchange.entries[0].seq
    states = [run(SeededDice(f"{seq}/{len(known)}/{number}")) for number in range(SAMPLES)]
    return sum(map(value, states)) / SAMPLES, False


def _settled(ruleset: AnyRuleset, exchange: Exchange, dice: Dice) -> Any:
    """The state after the exchange with other dice: questions are answered as they were, or else plainly."""
    first, *replies = exchange.entries
    if first.action is None:
        return ruleset.begin(exchange.before, dice).state
    left = list(replies)

    def reply(decision: Decision[Any], seat: Seat) -> Any:
        for entry in left:
            if entry.seat == seat and decision.options(seat).refusal(entry.action) is None:
                left.remove(entry)
                return entry.action
        return first_answer(decision, seat)

    # Of several who are asked at once each has an exchange of his own.
    return settle(ruleset, exchange.before, [(Seat(first.seat), first.action)], dice, reply, for_all=False)
