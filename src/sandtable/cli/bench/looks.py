"""Looks ahead of a captain, beside whole random games of the same scenario.

A look plays an answer on to the end of the player turn with a sound answer at every step. The questions are those of a
game, from its first fire on. Time of the processor is counted, so that others who use the machine do not count.
"""

from __future__ import annotations

from random import Random
from time import process_time

from sandtable import catalog
from sandtable.bots.captain import Captain
from sandtable.bots.greedy import GreedyBot
from sandtable.bots.policy import Question
from sandtable.cli.bench.brought import Looks, brought_by
from sandtable.cli.bench.measure import Budget, rates
from sandtable.cli.bench.scenes import AnyRuleset
from sandtable.core.dice import SeededDice
from sandtable.sim.playout import play_out, start

__all__ = ["measure"]

PASSED, ASKED = 60, 20
"""Questions that are answered quickly, then those that are looked ahead from."""


def measure() -> list[Budget]:
    """Looks a second, in the scenarios that systems name."""
    return [_ahead(looks) for one in catalog.system_ids() if (looks := brought_by(one).looks) is not None]


def _ahead(wanted: Looks) -> Budget:
    ruleset = catalog.open_scenario(wanted.scenario).ruleset
    looks, seconds = _looks(ruleset)
    games, begun = 0, process_time()
    while process_time() - begun < seconds:
        dice = SeededDice(f"looks {games}")
        play_out(ruleset, start(ruleset, dice), dice, Random(games))
        games += 1
    spent = process_time() - begun
    note = "looks a second; whole random games a second"
    floor, goal = wanted.bounds
    return rates(f"looks ahead, {wanted.scenario}", looks / seconds, games / spent, floor=floor, goal=goal, note=note)


def _looks(ruleset: AnyRuleset) -> tuple[int, float]:
    """How many looks a captain takes for some questions, and in how many seconds."""
    captain, quick, dice = Captain(seconds=None), GreedyBot(seconds=None), SeededDice("looks")
    state = start(ruleset, dice)
    seconds = 0.0
    for number in range(PASSED + ASKED):
        decision = ruleset.decision(state)
        if decision is None:
            break
        seat = decision.asked[0]
        question = Question(ruleset, ruleset.conceal(state, seat), seat)
        begun = process_time()
        action = (captain if number >= PASSED else quick).choose(question, Random(number))
        if number >= PASSED:
            seconds += process_time() - begun
        state = ruleset.resolve(state, seat, action, dice).state
    return captain.looks, seconds
