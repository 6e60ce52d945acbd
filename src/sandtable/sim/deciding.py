"""What decided the games of a batch: the parts of the points, how the games ended, and what goes with winning.

Where the higher points win, a part of them can be weighed: how often it was the greatest part of the winner's lead, and
how often the game would not have been won without it. Other victory conditions have no such sums; there, and
everywhere, a sign is looked for: does a won game have more of something than a lost one?
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import fmean

import msgspec

from sandtable.sim.match import Record

__all__ = ["Deciding", "Ending", "Sign", "deciding", "endings", "points_decide", "settled", "signs"]


class Deciding(msgspec.Struct, frozen=True):
    """One part of the points, and how often it turned the game."""

    part: str
    swing: float
    """Points for the first side over the second from it, on average."""
    spread: float
    """How much that differs from game to game: its standard deviation."""
    largest: float
    """Share of the won games in which it was the greatest part of the winner's lead."""
    needed: float
    """Share of the won games that would not have been won without it."""


class Ending(msgspec.Struct, frozen=True):
    """A way for the game to end."""

    what: str
    games: int
    won: dict[str, int]
    """How many of these games each side won."""


class Sign(msgspec.Struct, frozen=True):
    """Something that won games have more of than lost ones, or less."""

    what: str
    won: float
    """How much of it there is on average where the first side wins ..."""
    lost: float
    """... and where it loses."""
    telling: float
    """0 if it says nothing, 1 if the winner can be told from it alone."""


def points_decide(records: Sequence[Record]) -> bool:
    """Whether it is the higher points that win, as far as these games show."""
    return all(_sign(record) * record.margin > 0 for record in records if record.winner)


def _sign(record: Record) -> int:
    return 1 if record.winner == record.seats[0] else -1


def deciding(seats: Sequence[str], records: Sequence[Record]) -> tuple[Deciding, ...]:
    """For every part of the points: what it swings, how often it was the greatest, how often the winner needed it."""
    names = sorted({name for record in records for parts in record.parts.values() for name in parts})
    won = [(record, _sign(record)) for record in records if record.winner]
    largest = Counter(max(names, key=lambda name: sign * _swing(record, seats, name)) for record, sign in won if names)
    games = max(1, len(won))
    found = []
    for name in names:
        swings = [_swing(record, seats, name) for record in records]
        mean = fmean(swings)
        spread = fmean((swing - mean) ** 2 for swing in swings) ** 0.5
        needed = sum(sign * (record.margin - _swing(record, seats, name)) <= 0 for record, sign in won)
        share = round(largest[name] / games, 4)
        found.append(Deciding(name, round(mean, 2), round(spread, 2), share, round(needed / games, 4)))
    return tuple(sorted(found, key=lambda part: (-part.largest, -part.needed)))


def _swing(record: Record, seats: Sequence[str], part: str) -> int:
    first, second = (record.parts.get(seat, {}).get(part, 0) for seat in seats[:2])
    return first - second


def settled(records: Sequence[Record], turn: int) -> float:
    """Share of the won games in which the winner led at the end of this turn and ever after."""
    won = [record for record in records if record.winner]
    held = sum(all(_sign(record) * lead > 0 for lead in record.leads[turn:] or record.leads[-1:]) for record in won)
    return round(held / len(won), 4) if won else 0.0


def endings(seats: Sequence[str], records: Sequence[Record]) -> tuple[Ending, ...]:
    """How the games ended, the most frequent first."""
    found: dict[str, Counter[str]] = {}
    for record in records:
        found.setdefault(record.ending, Counter())[record.winner] += 1
    told = [
        Ending(what, winners.total(), {seat: winners[seat] for seat in seats if winners[seat]})
        for what, winners in found.items()
    ]
    return tuple(sorted(told, key=lambda ending: (-ending.games, ending.what)))


def signs(seats: Sequence[str], records: Sequence[Record]) -> tuple[Sign, ...]:
    """What goes with winning, the most telling first."""
    won = [record for record in records if record.winner == seats[0]]
    lost = [record for record in records if record.winner and record.winner != seats[0]]
    if not won or not lost:
        return ()
    found = []
    for what, measure in _measures(seats, records):
        there, here = [measure(record) for record in won], [measure(record) for record in lost]
        telling = abs(2 * _order(there, here) - 1)
        if telling:
            found.append(Sign(what, round(fmean(there), 3), round(fmean(here), 3), round(telling, 3)))
    return tuple(sorted(found, key=lambda sign: (-sign.telling, sign.what)))


def _measures(seats: Sequence[str], records: Sequence[Record]) -> Iterator[tuple[str, Callable[[Record], float]]]:
    """Everything that a record counts: parts of the points by side, and losses by side and kind."""
    for seat in seats:
        for name in sorted({name for record in records for name in record.parts.get(seat, {})}):
            yield f"{seat}: {name}", partial(_part, seat, name)
        for kind in sorted({loss.kind for record in records for loss in record.losses if loss.side == seat}):
            yield f"{seat} lost: {kind}", partial(_lost, seat, kind)
    yield "length in turns", lambda record: record.turns


def _part(seat: str, name: str, record: Record) -> float:
    return record.parts.get(seat, {}).get(name, 0)


def _lost(seat: str, kind: str, record: Record) -> float:
    return sum(loss.share for loss in record.losses if loss.side == seat and loss.kind == kind)


def _order(one: Sequence[float], other: Sequence[float]) -> float:
    """The chance that a value of the one is greater than a value of the other, equal ones as half."""
    ranked = sorted(other)
    above = sum(bisect_left(ranked, value) + bisect_right(ranked, value) for value in one)
    return above / (2 * len(one) * len(other))
