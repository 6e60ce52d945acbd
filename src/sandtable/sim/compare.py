"""Does a change matter, and which of several is the smallest that balances? Paired games with common dice.

The changed scenario plays the same numbered games as the plain one, with the same streams of chance. Each pair gives a
difference, and the luck that both share drops out of it; how much it shares is told, for games part ways soon.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from sandtable.sim.balance import BAND, Bounds, points_of
from sandtable.sim.match import Record
from sandtable.sim.statistics import mean_interval, sign_test, wilson

__all__ = ["Comparison", "Suggestion", "Trial", "compare", "suggest"]


class Comparison(msgspec.Struct, frozen=True):
    """What a change does."""

    changes: tuple[str, ...]
    pairs: int
    share: Bounds
    """Of the first side, with the change."""
    shift: Bounds
    """Difference that the change makes to that share."""
    margin_shift: Bounds
    """Difference that it makes to the first side's lead in points."""
    better: int
    """Pairs in which the first side did better with the change ..."""
    worse: int
    chance: float
    """Chance of so clear a difference if the change did nothing (sign test)."""
    shared: float
    """Correlation of the leads of paired games: how much luck the common dice take out."""


class Trial(msgspec.Struct, frozen=True):
    """A change that was tried, with its size."""

    comparison: Comparison
    size: float


class Suggestion(msgspec.Struct, frozen=True):
    """The smallest change that balances, among those tried."""

    changes: tuple[str, ...]
    """Empty if none of them does, or none is needed."""
    reason: str
    trials: tuple[Trial, ...]


def compare(seat: str, changes: Sequence[str], plain: Sequence[Record], new: Sequence[Record]) -> Comparison:
    """What the changed games say beside the plain ones of the same numbers."""
    with_plain = {record.game: record for record in plain}
    pairs = [(with_plain[record.game], record) for record in new if record.game in with_plain]
    shifts = [points_of(b, seat) - points_of(a, seat) for a, b in pairs]
    leads = [float(b.margin - a.margin) for a, b in pairs]
    better, worse = sum(shift > 0 for shift in shifts), sum(shift < 0 for shift in shifts)
    points = sum(points_of(record, seat) for _, record in pairs)
    return Comparison(
        changes=tuple(changes),
        pairs=len(pairs),
        share=Bounds.of(wilson(points, len(pairs))),
        shift=Bounds.of(mean_interval(shifts)),
        margin_shift=Bounds.of(mean_interval(leads)),
        better=better,
        worse=worse,
        chance=round(sign_test(better, worse), 4),
        shared=round(_correlation([a.margin for a, _ in pairs], [b.margin for _, b in pairs]), 3),
    )


def _correlation(one: Sequence[float], other: Sequence[float]) -> float:
    number = len(one)
    if number < 2:
        return 0.0
    mean_one, mean_other = sum(one) / number, sum(other) / number
    both = sum((a - mean_one) * (b - mean_other) for a, b in zip(one, other, strict=True))
    spread = (sum((a - mean_one) ** 2 for a in one) * sum((b - mean_other) ** 2 for b in other)) ** 0.5
    return both / spread if spread else 0.0


def suggest(share: float, trials: Sequence[Trial], band: float = BAND) -> Suggestion:
    """The smallest of the changes that brings the first side's share into the band, or why there is none."""
    if abs(share - 0.5) <= band:
        return Suggestion((), f"the share of {share:.0%} is within {band:.0%} of one half as it is", tuple(trials))
    good = [trial for trial in trials if abs(trial.comparison.share.estimate - 0.5) <= band]
    if not good:
        nearest = min(trials, key=lambda trial: abs(trial.comparison.share.estimate - 0.5))
        told = ", ".join(nearest.comparison.changes)
        reason = f"none does; the nearest is {told}, with a share of {nearest.comparison.share.estimate:.0%}"
        return Suggestion((), reason, tuple(trials))
    best = min(good, key=lambda trial: (trial.size, abs(trial.comparison.share.estimate - 0.5)))
    found = best.comparison
    reason = (
        f"brings the share from {share:.0%} to {found.share.estimate:.0%} "
        f"({found.share.low:.0%} to {found.share.high:.0%} in {found.pairs} games)"
    )
    return Suggestion(found.changes, reason, tuple(trials))
