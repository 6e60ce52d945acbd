"""Is a scenario balanced, and what decides it? The figures of a batch, ready for JSON and for a report."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import msgspec

from sandtable.sim.deciding import Deciding, Ending, Sign, deciding, endings, points_decide, settled, signs
from sandtable.sim.match import Record
from sandtable.sim.setting import Setting
from sandtable.sim.statistics import Interval, anytime, mean_interval, quantiles, wilson

__all__ = ["BAND", "Balance", "Bounds", "Judge", "LossPlace", "SideResult", "points_of", "summarise", "verdict_of"]

BAND = 0.1
"""A scenario counts as balanced when the win chance is within so much of one half."""


class Bounds(msgspec.Struct, frozen=True):
    """An estimate with its 95 % bounds."""

    low: float
    estimate: float
    high: float

    @classmethod
    def of(cls, interval: Interval) -> Bounds:
        """The same as plain data, rounded to what it is good for."""
        return cls(round(interval.low, 4), round(interval.estimate, 4), round(interval.high, 4))


class SideResult(msgspec.Struct, frozen=True):
    """How one side did."""

    side: str
    bot: str
    wins: int
    share: Bounds
    """Of the games, draws as half."""
    points: float
    """On average."""
    lost: dict[str, float]
    """Pieces lost a game on average, by kind."""


class LossPlace(msgspec.Struct, frozen=True):
    """A hex and what was lost there."""

    hex: str
    lost: dict[str, float]
    """Pieces by side."""


class Balance(msgspec.Struct, frozen=True):
    """What a batch of games says of a scenario's balance, side by side."""

    scenario: str
    title: str
    system: str
    changes: tuple[str, ...]
    seed: int
    games: int
    draws: int
    sides: tuple[SideResult, ...]
    band: float
    """Balanced is one half, give or take this."""
    verdict: str
    """``balanced``, ``favours SIDE``, ``slightly favours SIDE`` or ``not clear``."""
    planned: int
    """Games for which the interval of early stopping is made."""
    anytime: Bounds
    """Share of the first side, by the interval that early stopping goes by."""
    margin: Bounds
    """Points of the first side over the second, on average."""
    results: tuple[float, ...]
    """Of every game, in order: 1 for a win of the first side, 1/2 for a draw."""
    margins: tuple[int, ...]
    """Of every game, in order."""
    turns: tuple[int, ...]
    """Length of every game."""
    decisions: float
    """Answers a game, on average."""
    lost_by_turn: dict[str, dict[str, list[float]]]
    """By side and kind: pieces lost up to the end of each turn, a game on average."""
    lead_by_turn: tuple[tuple[float, float, float], ...]
    """Lower quartile, median and upper quartile of the lead at the end of each turn."""
    places: tuple[LossPlace, ...]
    points_decide: bool
    """Whether it is the higher points that win; if not, ``deciding`` and ``settled`` are empty."""
    deciding: tuple[Deciding, ...]
    settled: tuple[float, ...]
    """For each turn: share of the games whose winner led from its end on."""
    endings: tuple[Ending, ...]
    signs: tuple[Sign, ...]
    cut_short: int
    """Answers cut short by a clock; more than none, and the batch cannot be repeated exactly."""


def points_of(record: Record, seat: str) -> float:
    """1 for a win of the seat, 1/2 for a draw."""
    return 0.5 if not record.winner else float(record.winner == seat)


def verdict_of(interval: Interval, seats: Sequence[str], band: float = BAND) -> str:
    """What an interval for the first side's share says."""
    favoured = seats[0] if interval.estimate > 0.5 else seats[1]
    if interval.low > 0.5 - band and interval.high < 0.5 + band:
        return "balanced"
    if interval.low > 0.5 or interval.high < 0.5:
        return f"favours {favoured}" if abs(interval.estimate - 0.5) > band else f"slightly favours {favoured}"
    return "not clear"


class Judge:
    """Stops a batch when its answer is clear: well to one side of the band about one half, or within it."""

    def __init__(self, seats: Sequence[str], band: float = BAND, planned: int = 400) -> None:
        self._seats = seats
        self._band = band
        self._planned = planned
        self._points = 0.0
        self._seen = 0

    def __call__(self, records: Sequence[Record]) -> bool:
        """Whether these games are enough; they are given in order, one more each time."""
        for record in records[self._seen :]:
            self._points += points_of(record, self._seats[0])
        self._seen = len(records)
        interval = anytime(self._points, self._seen, planned=self._planned)
        clear_of_band = interval.low > 0.5 + self._band or interval.high < 0.5 - self._band
        within = interval.low > 0.5 - self._band and interval.high < 0.5 + self._band
        return clear_of_band or within


def summarise(
    setting: Setting, seed: int, records: Sequence[Record], band: float = BAND, planned: int = 400
) -> Balance:
    """The figures of a batch; ``planned`` as for :func:`~sandtable.sim.statistics.anytime`."""
    seats = setting.seats
    games = len(records)
    points = sum(points_of(record, seats[0]) for record in records)
    interval = anytime(points, games, planned=planned)
    sides = tuple(_side(seat, bot, records) for seat, bot in setting.bots)
    by_points = points_decide(records)
    length = max((record.turns for record in records), default=0)
    return Balance(
        scenario=setting.scenario,
        title=setting.title,
        system=setting.system,
        changes=setting.changes,
        seed=seed,
        games=games,
        draws=sum(not record.winner for record in records),
        sides=sides,
        band=band,
        verdict=verdict_of(interval, seats, band),
        planned=planned,
        anytime=Bounds.of(interval),
        margin=Bounds.of(mean_interval([record.margin for record in records])),
        results=tuple(points_of(record, seats[0]) for record in records),
        margins=tuple(record.margin for record in records),
        turns=tuple(record.turns for record in records),
        decisions=round(fmean(record.decisions for record in records), 1) if records else 0.0,
        lost_by_turn={seat: _lost_by_turn(seat, records, length) for seat in seats},
        lead_by_turn=tuple(_leads(records, turn) for turn in range(length)),
        places=_places(records),
        points_decide=by_points,
        deciding=deciding(seats, records) if by_points else (),
        settled=tuple(settled(records, turn) for turn in range(length)) if by_points else (),
        endings=endings(seats, records),
        signs=signs(seats, records),
        cut_short=sum(record.cut_short for record in records),
    )


def _side(seat: str, bot: str, records: Sequence[Record]) -> SideResult:
    games = len(records)
    lost: dict[str, float] = {}
    for record in records:
        for loss in record.losses:
            if loss.side == seat:
                lost[loss.kind] = lost.get(loss.kind, 0.0) + loss.share
    return SideResult(
        side=seat,
        bot=bot,
        wins=sum(record.winner == seat for record in records),
        share=Bounds.of(wilson(sum(points_of(record, seat) for record in records), games)),
        points=round(fmean(record.scores.get(seat, 0) for record in records), 2) if records else 0.0,
        lost={kind: round(number / games, 3) for kind, number in sorted(lost.items(), key=_most_first)},
    )


def _most_first(item: tuple[str, float]) -> tuple[float, str]:
    return -item[1], item[0]


def _lost_by_turn(seat: str, records: Sequence[Record], length: int) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for record in records:
        for loss in record.losses:
            if loss.side == seat:
                row = found.setdefault(loss.kind, [0.0] * length)
                for turn in range(max(0, loss.turn - 1), length):
                    row[turn] += loss.share
    return {kind: [round(number / len(records), 4) for number in row] for kind, row in sorted(found.items())}


def _leads(records: Sequence[Record], turn: int) -> tuple[float, float, float]:
    """Quartiles of the lead; a game that is over keeps its last."""
    leads = [record.leads[min(turn, len(record.leads) - 1)] for record in records]
    low, middle, high = quantiles(leads, 0.25, 0.5, 0.75)
    return low, middle, high


def _places(records: Sequence[Record]) -> tuple[LossPlace, ...]:
    found: dict[str, dict[str, float]] = {}
    for record in records:
        for loss in record.losses:
            if loss.hex:
                place = found.setdefault(loss.hex, {})
                place[loss.side] = place.get(loss.side, 0.0) + loss.share
    return tuple(LossPlace(hex, sides) for hex, sides in sorted(found.items()))
