"""Random play, beside python-chess: decisions a second against plies a second, and whole games a second.

The scenario has 30 vehicles. The ratio is our rate over that of python-chess, which plays random legal
moves until its own end of the game.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import perf_counter

from sandtable.cli.bench.measure import Budget, Missing, rates
from sandtable.cli.bench.scenes import AnyRuleset, crowded
from sandtable.core.dice import SeededDice
from sandtable.sim.playout import play_out, start

__all__ = ["measure"]

UNITS = 30
SECONDS = 6.0
"""For each of the two, in slices that take turns."""


def measure() -> list[Budget]:
    """Decisions and games a second."""
    try:
        from sandtable.cli.bench.anchors.chess_games import random_game
    except ImportError:
        raise Missing("python-chess is not installed (the extra `bench`)") from None
    ruleset, _ = crowded(UNITS)
    _our_game(ruleset, 0)
    ours, anchor = _Tally(), _Tally()
    number = 0
    while ours.seconds + anchor.seconds < 2 * SECONDS:
        number += 1
        # Whichever has had less time is next, so that both see the same machine.
        if ours.seconds <= anchor.seconds:
            ours.add(lambda: _our_game(ruleset, number))  # noqa: B023
        else:
            anchor.add(lambda: random_game(number))  # noqa: B023
    return [
        rates(
            "random-play decisions",
            ours.decisions / ours.seconds,
            anchor.decisions / anchor.seconds,
            floor=0.3,
            goal=1,
            note=f"decisions a second with {UNITS} vehicles; plies a second",
        ),
        rates(
            "random games",
            ours.games / ours.seconds,
            anchor.games / anchor.seconds,
            floor=0.3,
            goal=1,
            note="whole games a second; the same of chess",
        ),
    ]


class _Tally:
    def __init__(self) -> None:
        self.decisions = self.games = 0
        self.seconds = 0.0

    def add(self, game: Callable[[], int]) -> None:
        begun = perf_counter()
        self.decisions += game()
        self.seconds += perf_counter() - begun
        self.games += 1


def _our_game(ruleset: AnyRuleset, seed: int) -> int:
    dice = SeededDice(f"bench {seed}")
    rng = Random(f"bench {seed}")
    return play_out(ruleset, start(ruleset, dice), dice, rng).decisions
