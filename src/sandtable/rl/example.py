"""A small learner: weights for the numbers that describe a choice, found by the cross-entropy method. Only numpy.

Run it with ``python -m sandtable.rl.example``. The policy looks at nothing but the rows of ``choices`` and takes the
open one with the highest sum of weighted numbers, a little noise deciding ties. Each generation, a few dozen sets of
weights play games against the random bot; the best of them say where the next ones are drawn from. Within a minute it
wins most of its games, from either side.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sandtable import catalog
from sandtable.rl.arrays import CHOICE
from sandtable.rl.gym import SandtableGym

__all__ = ["play", "train", "win_share"]

Weights = NDArray[np.float64]
LIMIT = 1000
"""Choices after which a game is cut off; no game of a small scenario needs as many."""


def play(game: SandtableGym, weights: Weights, seed: int) -> tuple[float, float]:
    """Reward and final lead of one game with these weights."""
    seen, info = game.reset(seed=seed)
    noise = np.random.default_rng(seed)
    reward, done, cut = 0.0, False, False
    while not (done or cut):
        worth = seen["choices"] @ weights + 1e-3 * noise.standard_normal(len(seen["action_mask"]))
        worth[seen["action_mask"] == 0] = -np.inf
        seen, reward, done, cut, info = game.step(int(np.argmax(worth)))
    return reward, float(info["lead"])


def train(
    *,
    generations: int = 10,
    population: int = 24,
    games: int = 4,
    seed: int = 0,
    scenario: str = "",
    tell: Callable[[str], None] | None = None,
) -> Weights:
    """Weights that do well against the random bot."""
    sides = _sides(scenario)
    chance = np.random.default_rng(seed)
    middle, spread = np.zeros(CHOICE), np.ones(CHOICE)
    for generation in range(generations):
        drawn = middle + spread * chance.standard_normal((population, CHOICE))
        scores = np.zeros(population)
        for place, weights in enumerate(drawn):
            for number in range(games):
                reward, lead = play(sides[number % len(sides)], weights, 1000 * generation + number)
                scores[place] += reward + lead / 100
        # Most games of beginners are drawn. Only what did better than most says where to go on from.
        gains = np.maximum(0.0, scores - np.median(scores))
        if gains.any():
            shares = gains / gains.sum()
            middle = shares @ drawn
            spread = 0.5 * spread + 0.5 * np.sqrt(shares @ (drawn - middle) ** 2)
        if tell is not None:
            tell(
                f"generation {generation}: score a game {scores.mean() / games:+.2f}, best {scores.max() / games:+.2f}"
            )
    return middle


def win_share(weights: Weights, games: int = 100, seed: int = 10**6, scenario: str = "") -> float:
    """Share of games won against the random bot, on both sides, on seeds not used in training; draws as half."""
    sides = _sides(scenario)
    rewards = [play(sides[number % len(sides)], weights, seed + number)[0] for number in range(games)]
    return float(np.mean([(reward + 1) / 2 for reward in rewards]))


def _sides(scenario: str) -> list[SandtableGym]:
    """A game from every side; of the first scenario there is if none is named."""
    name = scenario or catalog.scenarios()[0].id
    return [SandtableGym(name, seat=str(seat), limit=LIMIT) for seat in SandtableGym(name).seats]


def main() -> None:
    """Train, then try it."""
    before = win_share(np.zeros(CHOICE))
    weights = train(tell=print)
    print(f"share of games against random: {before:.0%} untrained, {win_share(weights):.0%} trained")  # noqa: T201


if __name__ == "__main__":
    main()
