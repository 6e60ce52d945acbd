"""Random play of every system, beside python-chess: decisions a second against plies, and whole games a second.

The scenario has 30 vehicles, or is the one that comes nearest to that many counters where forces cannot simply be
doubled; a system may name it, and others besides. The ratio is our rate over that of python-chess, which plays random
legal moves until its own end of the game. Time of the processor is counted, so that others who use the machine do not
count.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import process_time

from sandtable import catalog
from sandtable.cli.bench.brought import Played, brought_by
from sandtable.cli.bench.measure import Budget, Missing, rates
from sandtable.cli.bench.scenes import AnyRuleset, crowded, unit_count
from sandtable.core.dice import SeededDice
from sandtable.sim.playout import play_out, start

__all__ = ["measure"]

UNITS = 30
WARM_UP = 10
SECONDS = 4.0
"""For each of the two, in slices that take turns."""


def measure() -> list[Budget]:
    """Decisions and games a second, system by system."""
    try:
        from sandtable.cli.bench.anchors.chess_games import random_game
    except ImportError:
        raise Missing("python-chess is not installed (pip install chess)") from None
    return [budget for system in catalog.system_ids() for budget in _of_system(system, random_game)]


def _of_system(system: str, anchor_game: Callable[[int], int]) -> list[Budget]:
    brought = brought_by(system)
    plain = Played("", brought.decisions, brought.games)
    found = _of_scenario(system, crowded(UNITS, system)[0], plain, anchor_game)
    for other in brought.besides:
        found += _of_scenario(
            f"{system} {other.scenario}", catalog.open_scenario(other.scenario).ruleset, other, anchor_game
        )
    return found


def _of_scenario(name: str, ruleset: AnyRuleset, bounds: Played, anchor_game: Callable[[int], int]) -> list[Budget]:
    units = unit_count(ruleset)
    # Sight is looked up the first time it is asked for and then known, as it is in any batch of games.
    for warm_up in range(WARM_UP):
        _our_game(ruleset, -1 - warm_up)
    ours, anchor = _Tally(), _Tally()
    number = 0
    while ours.seconds + anchor.seconds < 2 * SECONDS:
        number += 1
        # Whichever has had less time is next, so that both see the same machine.
        if ours.seconds <= anchor.seconds:
            ours.add(lambda: _our_game(ruleset, number))  # noqa: B023
        else:
            anchor.add(lambda: anchor_game(number))  # noqa: B023
    return [
        rates(
            f"random-play decisions, {name}",
            ours.decisions / ours.seconds,
            anchor.decisions / anchor.seconds,
            floor=bounds.decisions.floor,
            goal=bounds.decisions.goal,
            note=f"decisions a second with {units} units; plies a second",
        ),
        rates(
            f"random games, {name}",
            ours.games / ours.seconds,
            anchor.games / anchor.seconds,
            floor=bounds.games.floor,
            goal=bounds.games.goal,
            note="whole games a second; the same of chess",
        ),
    ]


class _Tally:
    def __init__(self) -> None:
        self.decisions = self.games = 0
        self.seconds = 0.0

    def add(self, game: Callable[[], int]) -> None:
        begun = process_time()
        self.decisions += game()
        self.seconds += process_time() - begun
        self.games += 1


def _our_game(ruleset: AnyRuleset, seed: int) -> int:
    dice = SeededDice(f"bench {seed}")
    rng = Random(f"bench {seed}")
    return play_out(ruleset, start(ruleset, dice), dice, rng).decisions
