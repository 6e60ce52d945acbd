"""Bots against one another, on both sides of scenarios.

Scenarios are not symmetric, so games come in mirrored pairs: the same number, the same streams of chance, the seats
changed. A bot's share of a pairing is counted over both halves, and so no side's advantage enters into it. Two figures
are given: the share of single games (a win 1, a draw 1/2), and the share of pairs in which a bot took more points
over the two games than the other, which says more where a scenario nearly always goes to one side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, zip_longest

import msgspec

from sandtable.core.content.pack import Pack
from sandtable.sim.balance import Bounds, points_of
from sandtable.sim.batch import Task, Team, one_by_one
from sandtable.sim.match import Record
from sandtable.sim.setting import Setting, read_setting
from sandtable.sim.statistics import mean_interval, ratings, wilson

__all__ = ["ArenaResult", "Pairing", "WireRating", "play_arena"]


class ScenarioShare(msgspec.Struct, frozen=True):
    """How two bots did in one scenario."""

    scenario: str
    games: int
    wins: int
    draws: int
    losses: int
    share: Bounds
    pairs_won: int
    pairs_lost: int
    by_seat: dict[str, float]
    """Share of all games that each seat took, whoever played it: how even the scenario is between these two."""


class Pairing(msgspec.Struct, frozen=True):
    """One bot against another."""

    bot: str
    rival: str
    games: int
    wins: int
    draws: int
    losses: int
    share: Bounds
    """Of the games, draws as half."""
    pairs: int
    pair_share: Bounds
    """Of the mirrored pairs, by points over both games."""
    lead: Bounds
    """Points a game on average."""
    scenarios: tuple[ScenarioShare, ...]


class WireRating(msgspec.Struct, frozen=True):
    """A bot's rating, with bounds."""

    bot: str
    rating: int
    low: int
    high: int
    games: int


class ArenaResult(msgspec.Struct, frozen=True):
    """The result of an arena: every pairing of the bots, and their ratings."""

    seed: int
    games: int
    pairings: tuple[Pairing, ...]
    ratings: tuple[WireRating, ...]


class _Played(msgspec.Struct, frozen=True):
    """A game in the arena."""

    scenario: str
    bot: str
    rival: str
    seat: str
    """Where ``bot`` sat."""
    record: Record

    @property
    def points(self) -> float:
        return points_of(self.record, self.seat)

    @property
    def lead(self) -> int:
        return self.record.margin if self.seat == self.record.seats[0] else -self.record.margin


def play_arena(
    scenarios: Sequence[str],
    bots: Sequence[str],
    games: int,
    seed: int,
    *,
    team: Team = one_by_one,
    extra: Sequence[Pack] = (),
    tell: Callable[[int, int], None] | None = None,
) -> ArenaResult:
    """Every pair of bots over every scenario, ``games`` games each, half of them on each side."""
    plan = dict(_tasks(scenarios, bots, games, seed, extra))
    played: dict[Task, Record] = {}
    for task, record in team(iter(plan)):
        played[task] = record
        if tell is not None:
            tell(len(played), len(plan))
    results = [_Played(*meaning, played[task]) for task, meaning in plan.items()]
    pairings = tuple(
        _pairing(bot, rival, [one for one in results if (one.bot, one.rival) == (bot, rival)])
        for bot, rival in combinations(bots, 2)
    )
    found = ratings({(p.bot, p.rival): (p.wins + p.draws / 2, p.games) for p in pairings})
    told = tuple(WireRating(r.bot, round(r.rating), round(r.low), round(r.high), r.games) for r in found)
    return ArenaResult(seed, len(results), pairings, told)


def _tasks(
    scenarios: Sequence[str], bots: Sequence[str], games: int, seed: int, extra: Sequence[Pack]
) -> Iterator[tuple[Task, tuple[str, str, str, str]]]:
    """The games with scenario, bot, rival and the bot's seat; the scenarios take turns, so that none waits long."""
    rows = []
    for scenario in scenarios:
        row: list[tuple[Task, tuple[str, str, str, str]]] = []
        for bot, rival in combinations(bots, 2):
            halves: list[Setting] = [read_setting(scenario, pair, extra) for pair in ((bot, rival), (rival, bot))]
            for game in range(games):
                setting = halves[game % 2]
                seat = setting.seats[game % 2]
                row.append((Task(setting, seed, game // 2), (setting.scenario, bot, rival, seat)))
        rows.append(row)
    for column in zip_longest(*rows):
        yield from (entry for entry in column if entry is not None)


def _pairing(bot: str, rival: str, played: Sequence[_Played]) -> Pairing:
    scenarios = dict.fromkeys(one.scenario for one in played)
    won, lost = _pairs(played)
    pairs = len(played) // 2
    points = sum(one.points for one in played)
    return Pairing(
        bot=bot,
        rival=rival,
        games=len(played),
        wins=sum(one.points == 1 for one in played),
        draws=sum(one.points == 0.5 for one in played),
        losses=sum(one.points == 0 for one in played),
        share=Bounds.of(wilson(points, len(played))),
        pairs=pairs,
        pair_share=Bounds.of(wilson(won + (pairs - won - lost) / 2, pairs)),
        lead=Bounds.of(mean_interval([float(one.lead) for one in played])),
        scenarios=tuple(_scenario(name, [one for one in played if one.scenario == name]) for name in scenarios),
    )


def _pairs(played: Sequence[_Played]) -> tuple[int, int]:
    """Mirrored pairs that the bot won and lost, by points over both games."""
    sums: dict[tuple[str, int], list[int]] = {}
    for one in played:
        sums.setdefault((one.scenario, one.record.game), []).append(one.lead)
    whole = [sum(leads) for leads in sums.values() if len(leads) == 2]
    return sum(lead > 0 for lead in whole), sum(lead < 0 for lead in whole)


def _scenario(name: str, played: Sequence[_Played]) -> ScenarioShare:
    won, lost = _pairs(played)
    seats = played[0].record.seats
    return ScenarioShare(
        scenario=name,
        games=len(played),
        wins=sum(one.points == 1 for one in played),
        draws=sum(one.points == 0.5 for one in played),
        losses=sum(one.points == 0 for one in played),
        share=Bounds.of(wilson(sum(one.points for one in played), len(played))),
        pairs_won=won,
        pairs_lost=lost,
        by_seat={seat: round(sum(points_of(one.record, seat) for one in played) / len(played), 4) for seat in seats},
    )
