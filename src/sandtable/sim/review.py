"""A game looked at again: the chance to win as it went, where it turned, and whether luck or decisions turned it.

The curve comes from playing on from states of the log many times, with bots in both seats and the same streams of
chance at every state; luck comes from :mod:`sandtable.sim.luck`. Both look at the whole state: a review is for when
the game is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from multiprocessing import get_context
from random import Random
from typing import Any, NamedTuple

import msgspec

from sandtable.bots import ask, make_bot
from sandtable.bots.doctrine import doctrine_of
from sandtable.bots.manner import CHARACTERS, Character
from sandtable.core.codec import decode, encode
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.core.errors import BadInput, Fault
from sandtable.core.log import Entry, LoadedLog, TakeBack
from sandtable.core.replay import replay
from sandtable.core.ruleset import Ruleset
from sandtable.sim.balance import Bounds
from sandtable.sim.luck import EntryLuck, exchanges, luck_of
from sandtable.sim.match import turn_of
from sandtable.sim.playout import play_out
from sandtable.sim.setting import Setting, bound
from sandtable.sim.statistics import Interval, wilson

__all__ = ["CurvePoint", "Review", "TurningPoint", "review_log"]

AnyRuleset = Ruleset[Any, Any, Any]
CLEAR = 0.12
"""A change of the win chance that counts as a turning point, if it is also more than noise."""


class CurvePoint(msgspec.Struct, frozen=True):
    """The chance to win at one moment."""

    seq: int
    """The entry after which it is."""
    turn: int
    share: Bounds
    """Of the first seat, draws as half."""
    lead: float
    """Points that it ends up ahead by, on average."""


class TurningPoint(msgspec.Struct, frozen=True):
    """A stretch in which the game turned."""

    from_seq: int
    to_seq: int
    turn: int
    change: float
    """Of the first seat's chance to win."""
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
    """The whole of it."""

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

    def lines(self) -> list[str]:
        """The review for a person to read."""
        first = self.seats[0]
        told = [f"{self.title}: {self.outcome or 'not over'}"]
        told += [
            f"turn {point.turn}, entry {point.seq}: {first} wins {point.share.estimate:.0%} "
            f"({point.share.low:.0%} to {point.share.high:.0%}), ends {point.lead:+.0f} ahead"
            for point in self.curve
        ]
        for turn in self.turning_points:
            told.append(
                f"turning point in turn {turn.turn}, entries {turn.from_seq} to {turn.to_seq}: {turn.change:+.0%} for "
                f"{first}; luck {turn.luck:+.0f} points, decisions {turn.decision:+.0f}"
            )
            told += [f"  {line}" for line in turn.told]
        for side in self.luck:
            told.append(f"luck of {side.seat}: {side.luck:+.0f} points in {side.rolls} rolls")
            told += [f"  best: {side.best}", f"  worst: {side.worst}"] if side.best else []
        return told


def review_log(
    setting: Setting,
    log: LoadedLog[Any, Any],
    *,
    games: int = 40,
    seed: int = 0,
    bot: str = "greedy",
    jobs: int = 1,
    tell: Callable[[int, int], None] | None = None,
) -> Review:
    """Review a log; ``setting`` is that of its header."""
    ruleset = bound(setting)
    if not log.lines:
        raise BadInput([Fault("log", "it has no entries", "a game with at least one")])
    make_bot(bot, None, "--bots")
    states = replay(ruleset, log)
    entries = list(_luck(ruleset, log, states))
    samples = list(_samples(ruleset, log, states))
    work = [_Work(setting, encode(states[seq]), bot, seed, games) for seq, _ in samples]
    curve = []
    for place, (share, lead) in enumerate(_played(work, jobs)):
        seq, turn = samples[place]
        curve.append(CurvePoint(seq, turn, Bounds.of(share), round(lead, 1)))
        if tell is not None:
            tell(place + 1, len(work))
    outcome = ruleset.outcome(states[-1])
    turning = _turning_points(ruleset.seats, curve, entries, games)
    return Review(
        scenario=setting.scenario,
        title=setting.title,
        seats=setting.seats,
        outcome=outcome.summary if outcome is not None else "",
        bots=bot,
        games=games,
        curve=tuple(curve),
        turning_points=tuple(turning),
        luck=tuple(_side_luck(place, seat, entries) for place, seat in enumerate(setting.seats[:2])),
        entries=tuple(entries),
    )


# --- luck -----------------------------------------------------------------------------------------------


def _luck(ruleset: AnyRuleset, log: LoadedLog[Any, Any], states: Sequence[Any]) -> Iterator[EntryLuck]:
    doctrine = doctrine_of(ruleset)
    manner = CHARACTERS[Character.STEADY]
    first = ruleset.seats[0]

    def value(state: Any) -> float:
        return doctrine.worth(state, first, manner)

    for exchange in exchanges(ruleset, [entry for _, entry in _standing(log)], states):
        yield luck_of(ruleset, exchange, value, turn_of(ruleset.view(exchange.before, None)))


def _standing(log: LoadedLog[Any, Any]) -> Iterator[tuple[int, Entry[Any, Any]]]:
    """The entries that were not taken back."""
    kept: list[tuple[int, Entry[Any, Any]]] = []
    for line in log.lines:
        if isinstance(line, TakeBack):
            kept = [(seq, entry) for seq, entry in kept if seq <= line.to]
        else:
            kept.append((line.seq, line))
    yield from kept


def _side_luck(place: int, seat: str, entries: Sequence[EntryLuck]) -> SideLuck:
    sign = 1 if place == 0 else -1
    rolls = [(sign * roll.luck, entry, roll) for entry in entries for roll in entry.rolls]
    if not rolls:
        return SideLuck(seat, 0.0, 0, "", "")

    def told(found: tuple[float, EntryLuck, Any]) -> str:
        luck, entry, roll = found
        return f"turn {entry.turn}, {roll.why}, rolled {'+'.join(map(str, roll.faces))}: {luck:+.1f}"

    total = sum(luck for luck, _, _ in rolls)
    best, worst = max(rolls, key=lambda one: one[0]), min(rolls, key=lambda one: one[0])
    return SideLuck(seat, round(total, 1), len(rolls), told(best), told(worst))


# --- the curve ------------------------------------------------------------------------------------------


class _Work(NamedTuple):
    setting: Setting
    state: bytes
    bot: str
    seed: int
    games: int


def _samples(ruleset: AnyRuleset, log: LoadedLog[Any, Any], states: Sequence[Any]) -> Iterator[tuple[int, int]]:
    """The first entry of every turn, and the last of the game: sequence number and turn."""
    seen = 0
    last = None
    for seq, _ in _standing(log):
        turn = turn_of(ruleset.view(states[seq], None))
        last = seq, turn
        if turn != seen:
            seen = turn
            yield last
            last = None
    if last is not None:
        yield last


def _played(work: Sequence[_Work], jobs: int) -> Iterator[tuple[Interval, float]]:
    if jobs <= 1:
        yield from map(_play_on, work)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(_play_on, work)


def _play_on(work: _Work) -> tuple[Interval, float]:
    """The first seat's share and lead when bots go on from a state."""
    ruleset = bound(work.setting)
    state = decode(work.state, ruleset.state_type)
    first = ruleset.seats[0]
    points = lead = 0.0
    for game in range(work.games):
        winner, margin = _one_game(ruleset, state, work.bot, f"{work.seed}/{game}")
        points += 0.5 if not winner else float(winner == first)
        lead += margin
    return wilson(points, work.games), lead / work.games


def _one_game(ruleset: AnyRuleset, state: Any, name: str, seed: str) -> tuple[str, int]:
    bots = {seat: make_bot(name, None) for seat in ruleset.seats}
    chance = {seat: Random(f"{seed}/{seat}") for seat in ruleset.seats}

    def choose(now: Any, decision: Any, seat: Seat, rng: Random) -> Any:  # noqa: ARG001
        return ask(bots[seat], ruleset, now, seat, chance[seat])

    end = play_out(ruleset, state, SeededDice(f"{seed}/dice"), Random(seed), choose=choose)
    assert end.outcome is not None  # noqa: S101 - played without a limit
    scores = [end.outcome.scores.get(seat, 0) for seat in ruleset.seats]
    return end.outcome.winner, scores[0] - scores[1] if len(scores) > 1 else 0


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
        weighed = sorted(between, key=lambda entry: -abs(entry.luck) - abs(entry.decision))[:3]
        told = tuple(
            f"{entry.seat}: {entry.action} (decision {entry.decision:+.0f}, luck {entry.luck:+.0f})"
            for entry in sorted(weighed, key=lambda entry: entry.seq)
        )
        towards = seats[0] if change > 0 else seats[1]
        luck, decision = sum(e.luck for e in between), sum(e.decision for e in between)
        found.append(
            TurningPoint(a.seq, b.seq, a.turn, round(change, 4), towards, round(luck, 1), round(decision, 1), told)
        )
    yield from sorted(found, key=lambda turn: -abs(turn.change))[:5]
