"""GOSS: what a front of 600 units costs: the bytes of an update, the memory of 5,000 lines, events folded a second."""

from __future__ import annotations

import asyncio
from random import Random
from time import process_time
from typing import Any

from sandtable.cli.bench.goss.stress import ID, SEATS, open_stress
from sandtable.cli.bench.measure import Budget, rates, times
from sandtable.cli.bench.memory import resident, told_apart
from sandtable.cli.bench.size import update_bytes
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game
from sandtable.core.log import Entry
from sandtable.session.game.play import Play

__all__ = ["measure", "watch"]

ACTIONS, LINES, WARM, PLAYED = 120, 5000, 1000, 2000
"""Actions whose updates are counted; lines that are promised; lines after which what is kept once has been made, and
the most that are played: from the one to the other memory grows by the line, and by that the rest is reckoned."""
MOST_BYTES, MOST_MEGABYTES, LEAST_FOLDS = 20_000, 60.0, 20_000.0


def measure() -> list[Budget]:
    """All of them."""
    open_stress()
    size = asyncio.run(update_bytes(ACTIONS, ID, SEATS))
    begun, warm, played, lines, folds = told_apart(f"from {__name__} import watch; watch()")
    held = played - begun + (played - warm) / (lines - WARM) * (LINES - lines)
    return [
        times(
            "update, GOSS at 600 units", size, MOST_BYTES, floor=1, goal=4, note="bytes, 95 of 100 are smaller; at most"
        ),
        times(
            f"{LINES:,} lines, GOSS at 600 units",
            held,
            MOST_MEGABYTES,
            floor=1,
            goal=2,
            note="MB; at most",
        ),
        rates("events folded, GOSS at 600 units", folds, LEAST_FOLDS, floor=1, goal=2, note="a second; at least"),
    ]


def watch() -> None:
    """Play, with all told to both seats and a watcher; print memory before, warm and after, lines, events a second."""
    opened = open_stress()
    print(resident())
    game = Game.start(opened.ruleset, opened.header, SeededDice(1))
    play, rng = Play(game), Random(3)
    while len(game.lines) < PLAYED and (decision := game.decision) is not None:
        game.play(decision.asked[0], decision.options(decision.asked[0]).sample(rng))
        play.advance()
        for viewpoint in (*SEATS, ""):
            play.entry(play.v - 1, viewpoint)
        if len(game.lines) == WARM:
            print(resident())
    print(resident(), len(game.lines), _folded(game))


def _folded(game: Game[Any, Any, Any]) -> float:
    """Events folded a second, of the whole game."""
    ruleset = game.ruleset
    events = [event for line in game.lines if isinstance(line, Entry) for event in line.events]
    begun, state = process_time(), ruleset.setup()
    for event in events:
        state = ruleset.fold(state, event)
    return len(events) / (process_time() - begun)
