"""Intervals, sequential tests, paired comparisons and ratings, in plain Python.

A game counts 1 for a win, 1/2 for a draw and 0 for a loss. :func:`anytime` holds at every moment of a batch at once, so
that looking at it after each game and stopping when it is clear does not spoil it; the others are for a
number of games settled beforehand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import erf, exp, log, sqrt
from statistics import NormalDist, fmean
from typing import NamedTuple

__all__ = ["Interval", "Rating", "anytime", "mean_interval", "quantiles", "ratings", "sign_test", "wilson"]

LEVEL = 0.95


class Interval(NamedTuple):
    """An estimate between two bounds."""

    low: float
    estimate: float
    high: float


def wilson(points: float, games: int, level: float = LEVEL) -> Interval:
    """Wilson's interval for a share, with draws as half points (a little wide then, never too narrow)."""
    if not games:
        return Interval(0.0, 0.5, 1.0)
    z = NormalDist().inv_cdf(0.5 + level / 2)
    share = points / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return Interval(max(0.0, middle - half), share, min(1.0, middle + half))


def anytime(points: float, games: int, level: float = LEVEL, planned: int = 400) -> Interval:
    """An interval for a share that holds at all times at once: a mixture bound for results between 0 and 1.

    It is narrowest, for its kind, at about ``planned`` games.
    """
    if not games:
        return Interval(0.0, 0.5, 1.0)
    share = points / games
    alpha = 1 - level
    # Results between 0 and 1 spread no more than coins do: a variance of 1/4.
    rho = planned / 4 / (2 * log(1 / alpha) + log(1 + 2 * log(1 / alpha)))
    spent = games / 4
    half = sqrt((spent + rho) * 2 * log(sqrt((spent + rho) / rho) / alpha)) / games
    return Interval(max(0.0, share - half), share, min(1.0, share + half))


def mean_interval(values: Sequence[float], level: float = LEVEL) -> Interval:
    """The mean of independent values with a normal interval."""
    if not values:
        return Interval(float("-inf"), 0.0, float("inf"))
    mean = fmean(values)
    if len(values) < 2:
        return Interval(float("-inf"), mean, float("inf"))
    spread = sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))
    half = NormalDist().inv_cdf(0.5 + level / 2) * spread / sqrt(len(values))
    return Interval(mean - half, mean, mean + half)


def sign_test(better: int, worse: int) -> float:
    """The chance of a difference as clear as this, either way, if better and worse were equally likely."""
    total = better + worse
    if not total:
        return 1.0
    excess = max(0.0, abs(better - worse) - 1) / sqrt(total)
    return 1 - erf(excess / sqrt(2))


def quantiles(values: Sequence[float], *shares: float) -> list[float]:
    """The values below which so many shares of all lie."""
    ranked = sorted(values)
    if not ranked:
        return [0.0 for _ in shares]
    found = []
    for share in shares:
        place = share * (len(ranked) - 1)
        low = int(place)
        high = min(low + 1, len(ranked) - 1)
        found.append(ranked[low] + (ranked[high] - ranked[low]) * (place - low))
    return found


class Rating(NamedTuple):
    """A bot's strength: 0 for the weakest of the group, 400 more wins ten games of eleven."""

    bot: str
    rating: float
    low: float
    high: float
    games: int


def ratings(results: Mapping[tuple[str, str], tuple[float, int]], level: float = LEVEL) -> list[Rating]:
    """Ratings by the model of Bradley and Terry from points and games by pair of bots, the best first.

    One drawn game against an average opponent is added to each bot, so that one who has won all has a rating.
    """
    bots = sorted({name for pair in results for name in pair})
    strength = dict.fromkeys(bots, 0.0)
    for _ in range(200):
        for name in bots:
            slope, curve = _slopes(name, strength, results)
            strength[name] += max(-1.0, min(1.0, slope / curve))
    z = NormalDist().inv_cdf(0.5 + level / 2)
    scale = 400 / log(10)
    base = min(strength.values(), default=0.0)
    found = []
    for name in bots:
        _, curve = _slopes(name, strength, results)
        games = sum(number for pair, (_, number) in results.items() if name in pair)
        middle, half = scale * (strength[name] - base), scale * z / sqrt(curve)
        found.append(Rating(name, middle, middle - half, middle + half, games))
    return sorted(found, key=lambda rating: -rating.rating)


def _slopes(
    name: str, strength: Mapping[str, float], results: Mapping[tuple[str, str], tuple[float, int]]
) -> tuple[float, float]:
    """First and second derivative of the likelihood for one bot."""
    chance = 1 / (1 + exp(-strength[name]))
    slope, curve = 0.5 - chance, chance * (1 - chance)
    for (one, other), (points, games) in results.items():
        if name not in (one, other) or one == other:
            continue
        rival = other if name == one else one
        won = points if name == one else games - points
        chance = 1 / (1 + exp(strength[rival] - strength[name]))
        slope += won - games * chance
        curve += games * chance * (1 - chance)
    return slope, max(curve, 1e-9)
