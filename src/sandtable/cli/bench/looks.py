"""Looks ahead of a captain: beside whole random games of python-chess, and on two cores beside one.

A look plays an answer on to the end of the turn with a sound answer at every step. The questions are those of a game.
One core is measured by the time of the processor, so that others who use the machine do not count. Two are measured by
the clock, in turn with one, after another game has been played in which the processes start. The collector comes by as
seldom as it does wherever captains think.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from math import inf
from random import Random
from time import perf_counter, process_time

from sandtable import catalog
from sandtable.bots.captain import Captain
from sandtable.bots.greedy import GreedyBot
from sandtable.bots.policy import Question
from sandtable.cli.bench.brought import Looks, brought_by
from sandtable.cli.bench.measure import Budget, Missing, rates
from sandtable.cli.bench.scenes import AnyRuleset
from sandtable.core.dice import SeededDice
from sandtable.session.thinking.brain import think_undisturbed
from sandtable.session.thinking.crew import Crew, cores
from sandtable.sim.playout import start

__all__ = ["measure"]

ROUNDS = 3
CHESS_GAMES = 60
WHOLE = 10_000
"""More plies than a game has."""


def measure() -> list[Budget]:
    """Looks a second, in the scenarios that systems name."""
    try:
        from sandtable.cli.bench.anchors.chess_games import random_game
    except ImportError:
        raise Missing("python-chess is not installed (pip install chess)") from None
    think_undisturbed()
    wanted = [looks for one in catalog.system_ids() if (looks := brought_by(one).looks) is not None]
    found = [_ahead(looks, random_game) for looks in wanted]
    return found + [_on_two_cores(looks) for looks in wanted if cores() > 1]


def _ahead(wanted: Looks, chess_game: Callable[[int, int], Iterator[int]]) -> Budget:
    """The quickest of some times, for both."""
    ours = anchor = inf
    for _ in range(ROUNDS):
        ruleset = catalog.open_scenario(wanted.scenario).ruleset
        looks, seconds = _looks(wanted, ruleset, Captain(seconds=None), "looks", process_time)
        ours = min(ours, seconds / looks)
        begun = process_time()
        for seed in range(CHESS_GAMES):
            deque(chess_game(seed, WHOLE), maxlen=0)
        anchor = min(anchor, (process_time() - begun) / CHESS_GAMES)
    note = "looks a second; whole random games of chess a second"
    floor, goal = wanted.bounds
    return rates(f"looks ahead, {wanted.scenario}", 1 / ours, 1 / anchor, floor=floor, goal=goal, note=note)


def _on_two_cores(wanted: Looks) -> Budget:
    """The same questions, with a helper and without."""
    seen: dict[int, list[float]] = {0: [], 1: []}
    for _ in range(ROUNDS):
        for helpers, found in seen.items():
            opened = catalog.open_scenario(wanted.scenario)
            crew = Crew(opened.header, helpers=helpers)
            captain = Captain(seconds=None, helpers=crew)
            _looks(wanted, opened.ruleset, captain, "before", perf_counter)
            looks, seconds = _looks(wanted, opened.ruleset, captain, "looks", perf_counter)
            crew.close()
            found.append(looks / seconds)
    note = "looks a second; the same on one core"
    name = f"looks on two cores, {wanted.scenario}"
    return rates(name, max(seen[1]), max(seen[0]), floor=1, goal=1.6, note=note)


def _looks(
    wanted: Looks, ruleset: AnyRuleset, captain: Captain, seed: str, now: Callable[[], float]
) -> tuple[int, float]:
    """How many looks a captain takes for some questions of a game, and in how many seconds."""
    quick, dice = GreedyBot(seconds=None), SeededDice(seed)
    state = start(ruleset, dice)
    seconds, before = 0.0, captain.looks
    for number in range(wanted.passed + wanted.asked):
        decision = ruleset.decision(state)
        if decision is None:
            break
        seat = decision.asked[0]
        question = Question(ruleset, ruleset.conceal(state, seat), seat)
        begun = now()
        action = (captain if number >= wanted.passed else quick).choose(question, Random(number))
        if number >= wanted.passed:
            seconds += now() - begun
        state = ruleset.resolve(state, seat, action, dice).state
    return captain.looks - before, seconds
