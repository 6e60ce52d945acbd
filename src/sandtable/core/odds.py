"""Exact odds: the same code that plays an action, run once for every group of rolls that it tells apart.

An action may open questions for the other side before it is settled (whether to reveal a command, which aspect is
hit), and others may have been asked together with whoever acts (secret orders of both sides). It is settled when all of
them have answered: everybody to whom the same question was put, and everybody to whom a question on the way is put, one
after the other where there are several. ``reply`` answers for them; the odds are exact for that way of answering. What
they leave out by it is named by a :class:`Supposition`, under which the same odds can be worked out again.

A long chain of rolls comes to the same position in many ways. Where a ruleset can be stopped between two steps of what
follows from an action (:class:`Stepwise`), equal positions are taken together after each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

import msgspec

from sandtable.core.codec import encode
from sandtable.core.decision import Decision, Seat
from sandtable.core.dice import MOST_WAYS, Dice, enumerate_rolls, too_many_ways
from sandtable.core.errors import RulesBug
from sandtable.core.ruleset import Resolution, Ruleset

__all__ = ["Chance", "Stepwise", "Supposition", "first_answer", "odds", "settle"]

S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")
MAX_REPLIES = 200


class Chance(msgspec.Struct, frozen=True):
    """One thing that can come of an action."""

    what: str
    probability: float
    exact: str
    """The probability as a fraction."""


def first_answer(decision: Decision[A], seat: Seat) -> A:
    """The first answer on the list: what a question's author put as the plain reply."""
    return next(iter(decision.options(seat)))


class Supposition(NamedTuple):
    """Something that the odds of an action leave out, because it is for another side to decide or is not known.

    The odds with it are those of the same action in ``state``, with questions on the way answered by ``reply``.
    """

    what: str
    """What may come about, as a clause after "if": ``the owner of G1 reveals a moving command``."""
    rule: str
    state: Any = None
    """The position, as the seat knows it, in which it comes about; None where no number can be given for it."""
    reply: Callable[[Decision[Any], Seat], Any] = first_answer


def settle(
    ruleset: Ruleset[S, A, E],
    state: S,
    moves: Sequence[tuple[Seat, A]],
    dice: Dice,
    reply: Callable[[Decision[A], Seat], A] = first_answer,
    *,
    for_all: bool = True,
) -> S:
    """The state after ``moves``, every question that interrupts them, and the answers of all who were asked with them.

    Each of ``moves`` is played when what interrupts the one before it is settled. Without ``for_all`` those who were
    asked the same question and have no move are left to be asked.
    """
    before = ruleset.decision(state)
    to_do = _to_do(before, moves, for_all=for_all)
    for _ in range(MAX_REPLIES + len(moves)):
        found = _next_move(before, ruleset.decision(state), to_do, reply)
        if found is None:
            return state
        seat, action, to_do = found
        state = ruleset.resolve(state, seat, action, dice).state
    raise RulesBug(f"an action is not settled after {MAX_REPLIES} replies")


class _ToDo(NamedTuple):
    """What is still to be played until an action is settled, interruptions apart."""

    moves: tuple[tuple[Seat, Any], ...]
    waiting: tuple[Seat, ...]
    """Those who were asked the same question and have no move."""


def _to_do(before: Decision[A] | None, moves: Sequence[tuple[Seat, A]], *, for_all: bool) -> _ToDo:
    moved = {seat for seat, _ in moves}
    waiting = [seat for seat in before.asked if seat not in moved] if before is not None and for_all else []
    return _ToDo(tuple(moves), tuple(waiting))


def _next_move(
    before: Decision[A] | None,
    decision: Decision[A] | None,
    to_do: _ToDo,
    reply: Callable[[Decision[A], Seat], A],
) -> tuple[Seat, A, _ToDo] | None:
    """Who does what next, and what is left then; None when all is settled."""
    seat = _interrupted(before, decision)
    if decision is not None and seat is not None:
        return seat, reply(decision, seat), to_do
    if to_do.moves:
        (seat, action), *left = to_do.moves
        return seat, action, to_do._replace(moves=tuple(left))
    seat = _still_asked(before, decision, to_do.waiting)
    if decision is None or seat is None:
        return None
    return seat, reply(decision, seat), to_do._replace(waiting=tuple(one for one in to_do.waiting if one != seat))


def _interrupted(before: Decision[A] | None, decision: Decision[A] | None) -> Seat | None:
    """Who is to answer a question that lies over the first one."""
    depth = before.depth if before is not None else 0
    return decision.asked[0] if decision is not None and decision.depth > depth else None


def _still_asked(before: Decision[A] | None, decision: Decision[A] | None, waiting: Sequence[Seat]) -> Seat | None:
    """Who is next of those whom the first question was put to as well, while that question is still open."""
    if before is None or decision is None or decision.depth != before.depth or not set(decision.asked) <= set(waiting):
        return None
    seat = decision.asked[0]
    return seat if decision.wording(seat) == before.wording(seat) else None


@runtime_checkable
class Stepwise(Protocol):
    """A ruleset that can be stopped between any two things that follow from an action."""

    @property
    def merges_odds(self) -> bool:
        """Whether it is worth while: its chains are long, and many ways lead to one position."""
        ...

    def start(self, state: Any, seat: Seat, action: Any, dice: Dice) -> Resolution[Any, Any]:
        """A legal action itself, before anything follows from it."""
        ...

    def step(self, play: Resolution[Any, Any]) -> bool:
        """Do the next thing that needs no decision; whether something may follow before the next question."""
        ...

    def fold(self, state: Any, event: Any) -> Any:
        """The state after an event."""
        ...


class _Halt(NamedTuple):
    """Where an action stands between two steps."""

    state: Any
    to_do: _ToDo
    running: bool
    """Whether something may follow before the next question."""

    @property
    def key(self) -> tuple[bytes, int, tuple[Seat, ...], bool]:
        """Equal for halts of one action from which all goes on alike."""
        return encode(self.state), len(self.to_do.moves), self.to_do.waiting, self.running


def _merged(
    ruleset: Any,
    state: Any,
    moves: Sequence[tuple[Seat, Any]],
    reply: Callable[[Decision[Any], Seat], Any],
    most: int,
) -> Iterator[tuple[Any, Fraction]]:
    """The states after ``moves`` with their chances, as :func:`settle` plays them, equal ones together."""
    before = ruleset.decision(state)
    halts = [(_Halt(state, _to_do(before, moves, for_all=True), running=False), Fraction(1))]
    ways = 0
    while halts:
        found: dict[Any, tuple[_Halt, Fraction]] = {}
        for halt, weight in halts:
            if halt.running:
                run, to_do = _step_from(ruleset, halt.state), halt.to_do
            else:
                move = _next_move(before, ruleset.decision(halt.state), halt.to_do, reply)
                if move is None:
                    yield halt.state, weight
                    continue
                seat, action, to_do = move
                run = _start_from(ruleset, halt.state, seat, action)
            for (after, running), chance in enumerate_rolls(run, most):
                ways += 1
                if ways > most:
                    raise too_many_ways(most)
                reached = _Halt(after, to_do, running)
                key, share = reached.key, weight if chance == 1 else weight * chance
                known = found.get(key)
                found[key] = reached, share if known is None else known[1] + share
        halts = list(found.values())


def _step_from(ruleset: Any, state: Any) -> Callable[[Dice], tuple[Any, bool]]:
    def run(dice: Dice) -> tuple[Any, bool]:
        play = Resolution(state, ruleset.fold, dice)
        running = ruleset.step(play)
        return play.state, running

    return run


def _start_from(ruleset: Any, state: Any, seat: Seat, action: Any) -> Callable[[Dice], tuple[Any, bool]]:
    return lambda dice: (ruleset.start(state, seat, action, dice).state, True)


def odds(
    ruleset: Ruleset[S, A, E],
    state: S,
    moves: Sequence[tuple[Seat, A]],
    reply: Callable[[Decision[A], Seat], A] = first_answer,
    most: int = MOST_WAYS,
) -> list[Chance]:
    """The exact distribution of what comes of ``moves``, likeliest first; more than ``most`` ways are refused."""
    totals: dict[str, Fraction] = {}
    stepwise = isinstance(ruleset, Stepwise) and ruleset.merges_odds
    for after, weight in (
        _merged(ruleset, state, moves, reply, most)
        if stepwise
        else enumerate_rolls(lambda dice: settle(ruleset, state, moves, dice, reply), most)
    ):
        what = ruleset.consequence(state, after)
        totals[what] = totals.get(what, Fraction(0)) + weight
    ranked = sorted(totals.items(), key=lambda item: (-item[1], item[0]))
    return [Chance(what, float(chance), str(chance)) for what, chance in ranked]
