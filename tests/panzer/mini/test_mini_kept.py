"""What is kept from one state to the next never shows: a game on a table is the same with everything forgotten."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

from sandtable import catalog
from sandtable.core.codec import encode
from sandtable.core.dice import SeededDice

SCENARIO = "pm-1-the-bridge"


def _game(seed: str, ruleset: Any) -> Iterator[bytes]:
    """A random game, decision by decision: what was answered and what came of it."""
    dice, rng = SeededDice(seed), Random(seed)
    state = ruleset.begin(ruleset.setup(), dice).state
    while (decision := ruleset.decision(state)) is not None:
        action = decision.options(decision.asked[0]).sample(rng)
        resolution = ruleset.resolve(state, decision.asked[0], action, dice)
        state = resolution.state
        yield encode((action, resolution.events))


def test_a_game_is_the_same_with_everything_forgotten_before_every_answer() -> None:
    remembered = list(_game("kept", catalog.open_scenario(SCENARIO).ruleset))
    forgotten = []
    ruleset: Any = catalog.open_scenario(SCENARIO).ruleset
    for told in _game("kept", ruleset):
        forgotten.append(told)
        ruleset.context.memory.forget()
    assert len(remembered) > 100
    assert forgotten == remembered


def test_games_on_several_threads_do_not_disturb_one_another() -> None:
    """All tables of a scenario share its rules."""
    seeds = ["one", "two", "three"]
    alone = [list(_game(seed, catalog.open_scenario(SCENARIO).ruleset)) for seed in seeds]
    shared = catalog.open_scenario(SCENARIO).ruleset
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(len(seeds)) as pool:
            together = list(pool.map(lambda seed: list(_game(seed, shared)), seeds))
    finally:
        sys.setswitchinterval(interval)
    assert together == alone
