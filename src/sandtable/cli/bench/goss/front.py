"""GOSS: what a front of 600 units costs: the bytes of an update, the memory of 5,000 lines, events folded a second."""

from __future__ import annotations

import asyncio
import tracemalloc
from random import Random
from time import process_time
from typing import Any

from sandtable.cli.bench.goss.stress import ID, SEATS, open_stress
from sandtable.cli.bench.measure import Budget, rates, times
from sandtable.cli.bench.size import update_bytes
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game
from sandtable.core.log import Entry
from sandtable.session.game.play import Play

__all__ = ["measure"]

ACTIONS, LINES, PLAYED = 120, 5000, 1000
"""Actions whose updates are counted; lines that are promised, and those that are played: memory grows by the line."""
MOST_BYTES, MOST_MEGABYTES, LEAST_FOLDS = 20_000, 60.0, 20_000.0
_MEGABYTE = 1 << 20
_WARM = 400
"""Lines after which what is kept once has been made."""


def measure() -> list[Budget]:
    """All of them."""
    open_stress()
    size = asyncio.run(update_bytes(ACTIONS, ID, SEATS))
    game, a_line = _played()
    return [
        times(
            "update, GOSS at 600 units", size, MOST_BYTES, floor=1, goal=4, note="bytes, 95 of 100 are smaller; at most"
        ),
        times(
            f"{LINES:,} lines, GOSS at 600 units",
            a_line * LINES / _MEGABYTE,
            MOST_MEGABYTES,
            floor=1,
            goal=2,
            note="MB; at most",
        ),
        rates(
            "events folded, GOSS at 600 units", _folded(game), LEAST_FOLDS, floor=1, goal=2, note="a second; at least"
        ),
    ]


def _played() -> tuple[Game[Any, Any, Any], float]:
    """A game of some lines, and the bytes that each of them holds, with what both seats and a watcher were told."""
    opened = open_stress()
    game = Game.start(opened.ruleset, opened.header, SeededDice(1))
    play, rng = Play(game), Random(3)
    warm = 0
    while len(game.lines) < PLAYED and (decision := game.decision) is not None:
        game.play(decision.asked[0], decision.options(decision.asked[0]).sample(rng))
        play.advance()
        for viewpoint in (*SEATS, ""):
            play.entry(play.v - 1, viewpoint)
        if len(game.lines) == _WARM:
            tracemalloc.start()
            warm = tracemalloc.get_traced_memory()[0]
    held = tracemalloc.get_traced_memory()[0] - warm
    tracemalloc.stop()
    return game, held / (PLAYED - _WARM)


def _folded(game: Game[Any, Any, Any]) -> float:
    """Events folded a second, of the whole game."""
    ruleset = game.ruleset
    events = [event for line in game.lines if isinstance(line, Entry) for event in line.events]
    begun, state = process_time(), ruleset.setup()
    for event in events:
        state = ruleset.fold(state, event)
    return len(events) / (process_time() - begun)
