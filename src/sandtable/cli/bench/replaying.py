"""Replay: events folded a second, with the digest of every entry compared as replay does.

There is no anchor: the ratio is our rate itself, and floor and goal are rates.
"""

from __future__ import annotations

from random import Random

from sandtable.cli.bench.measure import Budget, best_of, rates
from sandtable.cli.bench.scenes import crowded
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game
from sandtable.core.log import Entry, LoadedLog
from sandtable.core.replay import replay

__all__ = ["measure"]

RUNS = 5


def measure() -> list[Budget]:
    """One whole random game of 30 vehicles, replayed."""
    ruleset, header = crowded(30)
    rng = Random("replay")
    game = Game.start(ruleset, header, SeededDice("replay"))
    while (decision := game.decision) is not None:
        seat = decision.asked[0]
        game.play(seat, decision.options(seat).sample(rng))
    log: LoadedLog[object, object] = LoadedLog(header, list(game.lines))
    events = sum(len(line.events) for line in game.lines if isinstance(line, Entry))
    seconds = best_of(RUNS, lambda: replay(ruleset, log))
    note = f"events folded a second, of {events}; no anchor"
    return [rates("replay", events / seconds, 1.0, floor=20_000, goal=100_000, note=note)]
