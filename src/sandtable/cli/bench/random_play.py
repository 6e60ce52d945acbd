"""Random play of every system, beside python-chess: decisions a second against plies, and whole games a second.

The scenario has 30 vehicles, or is the one that comes nearest to that many counters where forces cannot simply be
doubled; a system may name it, and others besides. The ratio is our rate over that of python-chess, which plays random
legal moves until its own end of the game. Time of the processor is counted, so that others who use the machine do not
count. A host that lends its processors out stops them for a third of a second at a time, though, and that is counted
as theirs: so every game is played three times, in turn with the others, and the quickest time of each of its bits is
what it takes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from time import process_time
from typing import NamedTuple

from sandtable import catalog
from sandtable.cli.bench.brought import Played, brought_by
from sandtable.cli.bench.measure import Budget, Missing, rates
from sandtable.cli.bench.scenes import AnyRuleset, crowded, unit_count
from sandtable.core.dice import SeededDice
from sandtable.sim.playout import play_out, start

__all__ = ["measure"]

_Game = Callable[[int], Iterator[int]]
"""A game by its seed: the decisions of one bit after the other."""

UNITS = 30
WARM_UP = 10
SECONDS = 3.0
"""For the games of each of the two, the first time that they are played."""
TIMES = 3
"""How often each game is played."""
BIT = 10
"""Decisions, or plies, that are timed together."""


def measure() -> list[Budget]:
    """Decisions and games a second, system by system."""
    try:
        from sandtable.cli.bench.anchors.chess_games import random_game
    except ImportError:
        raise Missing("python-chess is not installed (pip install chess)") from None

    def anchor_game(seed: int) -> Iterator[int]:
        return random_game(seed, BIT)

    return [budget for system in catalog.system_ids() for budget in _of_system(system, anchor_game)]


def _of_system(system: str, anchor_game: _Game) -> list[Budget]:
    brought = brought_by(system)
    plain = Played("", brought.decisions, brought.games)
    found = _of_scenario(system, lambda: crowded(UNITS, system)[0], plain, anchor_game)
    for other in brought.besides:
        opened = partial(catalog.open_scenario, other.scenario)
        found += _of_scenario(f"{system} {other.scenario}", lambda: opened().ruleset, other, anchor_game)  # noqa: B023
    return found


def _of_scenario(name: str, opened: Callable[[], AnyRuleset], bounds: Played, anchor_game: _Game) -> list[Budget]:
    # Rules remember what they have looked up, so the games are played with new ones each time.
    rulesets = [opened() for _ in range(TIMES)]
    units = unit_count(rulesets[0])
    ours = _Tally([partial(_our_game, ruleset) for ruleset in rulesets])
    anchor = _Tally([anchor_game] * TIMES)
    # Sight is looked up the first time it is asked for and then known, as it is in any batch of games.
    for ruleset in rulesets:
        for warm_up in range(WARM_UP):
            deque(_our_game(ruleset, -1 - warm_up), maxlen=0)
    while min(ours.seconds, anchor.seconds) < SECONDS:
        # Whichever has had less time is next, so that both see the same machine.
        min(ours, anchor, key=lambda tally: tally.seconds).play_another()
    for time in range(1, TIMES):
        ours.play_again(time)
        anchor.play_again(time)
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


class _Bit(NamedTuple):
    seconds: float
    decisions: int


class _Tally:
    """Games that were played, each with the seconds and decisions of its bits."""

    def __init__(self, game: Sequence[_Game]) -> None:
        """With what the games are played the first time, the second, and so on."""
        self._game = game
        self._played: list[list[_Bit]] = []

    @property
    def games(self) -> int:
        return len(self._played)

    @property
    def decisions(self) -> int:
        return sum(bit.decisions for bits in self._played for bit in bits)

    @property
    def seconds(self) -> float:
        return sum(bit.seconds for bits in self._played for bit in bits)

    def play_another(self) -> None:
        """Play one game more."""
        self._played.append(_bits(self._game[0](len(self._played))))

    def play_again(self, time: int) -> None:
        """Play all games once more; of every bit the quicker time stands."""
        for seed, bits in enumerate(self._played):
            again = _bits(self._game[time](seed))
            bits[:] = [min(pair) for pair in zip(bits, again, strict=True)]


def _bits(game: Iterator[int]) -> list[_Bit]:
    found: list[_Bit] = []
    begun = process_time()
    for decisions in game:
        found.append(_Bit(process_time() - begun, decisions))
        begun = process_time()
    return found


def _our_game(ruleset: AnyRuleset, seed: int) -> Iterator[int]:
    dice = SeededDice(f"bench {seed}")
    rng = Random(f"bench {seed}")
    state = start(ruleset, dice)
    while True:
        played = play_out(ruleset, state, dice, rng, limit=BIT)
        yield played.decisions
        if played.decisions < BIT:
            return
        state = played.state
