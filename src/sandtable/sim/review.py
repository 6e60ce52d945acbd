"""A game looked at again: the chance to win as it went, where it turned, and whether luck or decisions turned it.

:func:`review_text` is all that a caller needs. It takes the text of a log (JSON lines, as the store and ``play --log``
keep it) and gives a :class:`Review`, which is plain data and goes through msgspec as it is::

    review_text(text, games=20, bot="greedy", tell=lambda done, total: ...) -> Review

It is a plain function of its arguments, so it can be handed to another process; ``jobs`` lets it use several itself.
``tell`` is called after every piece of work. Bad input (no log, an unknown bot) raises :class:`BadInput` before any
work is done. The same text, seed, bot and number of games give the same review, whatever ``jobs`` is.

The curve comes from playing on from states of the log many times, with bots in both seats and the same streams of
chance at every state; luck comes from :mod:`sandtable.sim.luck`. Both look at the whole state: a review is for when
the game is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import msgspec

from sandtable.bots import make_bot
from sandtable.core.content.pack import Pack
from sandtable.core.decision import Seat
from sandtable.core.ruleset import Outcome
from sandtable.sim.balance import Bounds
from sandtable.sim.case import Case, LuckTask, Played, PlayTask, open_case, worked
from sandtable.sim.luck import EntryLuck, RollLuck
from sandtable.sim.statistics import Interval, wilson

__all__ = ["CurvePoint", "Review", "SideLuck", "TurningPoint", "review_text"]

CLEAR = 0.12
"""A change of the win chance that counts as a turning point, if it is also more than noise."""
AT_ONCE = 5
"""Games in one piece of work."""


class CurvePoint(msgspec.Struct, frozen=True):
    """The chance to win at one moment."""

    seq: int
    """The entry after which it is."""
    turn: int
    share: Bounds
    """Of the first seat, draws as half."""
    lead: float
    """Points that it ends up ahead by, on average."""
    known: bool = False
    """Whether the game is over there, and the share no estimate."""


class TurningPoint(msgspec.Struct, frozen=True):
    """A stretch in which the game turned."""

    from_seq: int
    to_seq: int
    turn: int
    change: float
    """Of the first seat's share."""
    before: float
    """Its share before, draws as half ..."""
    after: float
    """... and after."""
    towards: str
    luck: float
    """Points for the first seat by luck ..."""
    decision: float
    """... and by decisions, of both sides."""
    told: tuple[str, ...]
    """The entries that weighed most."""


class SideLuck(msgspec.Struct, frozen=True):
    """What luck did to one side over the game."""

    seat: str
    luck: float
    """Points, by all rolls of both sides."""
    rolls: int
    best: str
    """The roll that helped it most, and by how much."""
    worst: str


class Review(msgspec.Struct, frozen=True):
    """The review of a finished game: its curve, its turning points and the luck of each side."""

    scenario: str
    title: str
    seats: tuple[str, ...]
    outcome: str
    bots: str
    games: int
    """Playouts at each point of the curve."""
    curve: tuple[CurvePoint, ...]
    turning_points: tuple[TurningPoint, ...]
    luck: tuple[SideLuck, ...]
    entries: tuple[EntryLuck, ...]
    warnings: tuple[str, ...] = ()
    """What may make the review differ from the game, such as packs that have changed since."""

    def lines(self) -> list[str]:
        """The review for a person to read."""
        first = self.seats[0]
        told = [f"{self.title}: {self.outcome or 'not over'}"]
        told += [f"turn {point.turn}, entry {point.seq}: {_told(point, first)}" for point in self.curve]
        for turn in self.turning_points:
            told.append(
                f"turning point in turn {turn.turn}, entries {turn.from_seq} to {turn.to_seq}: {first} from "
                f"{turn.before:.0%} to {turn.after:.0%}; luck {turn.luck:+.0f} points, decisions {turn.decision:+.0f}"
            )
            told += [f"  {line}" for line in turn.told]
        for side in self.luck:
            told.append(f"luck of {side.seat}: {side.luck:+.0f} points in {side.rolls} rolls")
            told += [f"  best: {side.best}", f"  worst: {side.worst}"] if side.best else []
        return told


def _told(point: CurvePoint, first: str) -> str:
    if point.known:
        ended = {0.0: f"{first} has lost", 0.5: "a draw"}.get(point.share.estimate, f"{first} has won")
        return f"{ended}, {point.lead:+.0f} points"
    share = point.share
    return f"{first} takes {share.estimate:.0%} ({share.low:.0%} to {share.high:.0%}), ends {point.lead:+.0f} points"


def review_text(
    text: str,
    where: str = "log",
    *,
    extra: Sequence[Pack] = (),
    games: int = 40,
    seed: int = 0,
    bot: str = "greedy",
    jobs: int = 1,
    tell: Callable[[int, int], None] | None = None,
) -> Review:
    """Review the log of this text; ``where`` names it in messages, ``extra`` are packs beyond the system's own."""
    make_bot(bot, None, "--bots")
    case = open_case(text, where, extra)
    tasks: list[LuckTask | PlayTask] = [LuckTask(place) for place in range(len(case.exchanges))]
    for seq, _ in case.samples:
        # A game that is over ends as it has ended: one playing on is as good as many.
        wanted = 1 if case.is_over(seq) else games
        tasks += [PlayTask(seq, bot, seed, first, min(AT_ONCE, wanted - first)) for first in range(0, wanted, AT_ONCE)]
    entries: list[EntryLuck] = []
    played: dict[int, list[Played]] = {}
    for place, result in enumerate(worked(case, tasks, jobs, lambda: (text, where, extra))):
        task = tasks[place]
        if isinstance(result, EntryLuck):
            entries.append(result)
        elif isinstance(task, PlayTask):
            played.setdefault(task.seq, []).append(result)
        if tell is not None:
            tell(place + 1, len(tasks))
    curve = [_point(case, seq, turn, played[seq]) for seq, turn in case.samples]
    outcome = case.ruleset.outcome(case.states[-1])
    seats = case.ruleset.seats
    return Review(
        scenario=str(case.header.scenario.get("id", "")),
        title=str(case.header.scenario.get("title", "")),
        seats=tuple(map(str, seats)),
        outcome=_ending(outcome) if outcome is not None else "",
        bots=bot,
        games=games,
        curve=tuple(curve),
        turning_points=tuple(_turning_points(seats, curve, entries, games)),
        luck=tuple(_side_luck(place, seat, entries) for place, seat in enumerate(seats[:2])),
        entries=tuple(entries),
        warnings=case.warnings,
    )


def _ending(outcome: Outcome) -> str:
    """The summary, with the winner if it does not name him."""
    if not outcome.winner or outcome.winner in outcome.summary:
        return outcome.summary
    return f"{outcome.summary}; {outcome.winner} wins"


def _point(case: Case, seq: int, turn: int, played: Sequence[Played]) -> CurvePoint:
    games = sum(one.games for one in played)
    points = sum(one.points for one in played)
    share = points / games
    known = case.is_over(seq)
    interval = Interval(share, share, share) if known else wilson(points, games)
    return CurvePoint(seq, turn, Bounds.of(interval), round(sum(one.lead for one in played) / games, 1), known)


def _side_luck(place: int, seat: str, entries: Sequence[EntryLuck]) -> SideLuck:
    sign = 1 if place == 0 else -1
    rolls = [(sign * roll.luck, entry, roll) for entry in entries for roll in entry.rolls]
    if not rolls:
        return SideLuck(seat, 0.0, 0, "", "")
    total = sum(luck for luck, _, _ in rolls)
    best, worst = max(rolls, key=lambda one: one[0]), min(rolls, key=lambda one: one[0])
    return SideLuck(seat, round(total, 1), len(rolls), _roll_told(best), _roll_told(worst))


def _roll_told(found: tuple[float, EntryLuck, RollLuck]) -> str:
    luck, entry, roll = found
    return f"turn {entry.turn}, {roll.why}, rolled {'+'.join(map(str, roll.faces))}: {luck:+.1f}"


def _turning_points(
    seats: Sequence[Seat], curve: Sequence[CurvePoint], entries: Sequence[EntryLuck], games: int
) -> Iterator[TurningPoint]:
    found = []
    for a, b in pairwise(curve):
        change = b.share.estimate - a.share.estimate
        noise = 1.64 * sum(max(p * (1 - p), 0.02) / games for p in (a.share.estimate, b.share.estimate)) ** 0.5
        if abs(change) < max(CLEAR, noise):
            continue
        between = [entry for entry in entries if a.seq < entry.seq <= b.seq]
        heavy = [entry for entry in between if abs(entry.luck) + abs(entry.decision) >= 0.5]
        weighed = sorted(heavy, key=lambda entry: -abs(entry.luck) - abs(entry.decision))[:3]
        told = tuple(
            f"{entry.seat}: {entry.action} (decision {entry.decision:+.0f}, luck {entry.luck:+.0f})"
            for entry in sorted(weighed, key=lambda entry: entry.seq)
        )
        towards = seats[0] if change > 0 else seats[1]
        luck, decision = sum(e.luck for e in between), sum(e.decision for e in between)
        found.append(
            TurningPoint(
                from_seq=a.seq,
                to_seq=b.seq,
                turn=a.turn,
                change=round(change, 4),
                before=a.share.estimate,
                after=b.share.estimate,
                towards=towards,
                luck=round(luck, 1),
                decision=round(decision, 1),
                told=told,
            )
        )
    yield from sorted(found, key=lambda turn: -abs(turn.change))[:5]
