"""What the rules keep from one state to the next never shows: a game is the same with everything forgotten."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest

from sandtable import catalog
from sandtable.core.codec import encode
from sandtable.core.dice import SeededDice
from sandtable.systems.aslsk.common import possession, stacking

SCENARIOS = ["s20-joseph-351", "sk-2-the-second-wave", "sk-4-tools-of-the-trade"]


def _game(scenario: str, seed: str, shared: Any = None) -> Iterator[bytes]:
    """A random game, decision by decision: what was answered and what came of it."""
    ruleset = catalog.open_scenario(scenario).ruleset if shared is None else shared
    dice, rng = SeededDice(seed), Random(seed)
    state = ruleset.begin(ruleset.setup(), dice).state
    while (decision := ruleset.decision(state)) is not None:
        action = decision.options(decision.asked[0]).sample(rng)
        resolution = ruleset.resolve(state, decision.asked[0], action, dice)
        state = resolution.state
        yield encode((action, resolution.events))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_game_is_the_same_with_everything_forgotten_before_every_answer(scenario: str) -> None:
    remembered = list(_game(scenario, "kept"))
    forgotten = []
    ruleset: Any = catalog.open_scenario(scenario).ruleset
    for told in _game(scenario, "kept", ruleset):
        forgotten.append(told)
        ruleset.context.memory.forget()
    assert len(remembered) > 100
    assert forgotten == remembered


def test_games_that_take_turns_do_not_disturb_one_another() -> None:
    seeds = ["one", "two", "three"]
    alone = [list(_game(SCENARIOS[2], seed)) for seed in seeds]
    games = [_game(SCENARIOS[2], seed) for seed in seeds]
    together: list[list[bytes]] = [[] for _ in seeds]
    going = set(range(len(seeds)))
    while going:
        for number in sorted(going):
            told = next(games[number], None)
            if told is None:
                going.remove(number)
            else:
                together[number].append(told)
    assert together == alone


@pytest.mark.parametrize("scenario", SCENARIOS[1:])
def test_games_on_several_threads_do_not_disturb_one_another(scenario: str) -> None:
    """A server works out odds beside its games, and all tables of a scenario share its rules."""
    seeds = ["one", "two", "three"]
    alone = [list(_game(scenario, seed)) for seed in seeds]
    shared = catalog.open_scenario(scenario).ruleset
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(len(seeds)) as pool:
            together = list(pool.map(lambda seed: list(_game(scenario, seed, shared)), seeds))
    finally:
        sys.setswitchinterval(interval)
    assert together == alone


def test_who_is_where_follows_every_change() -> None:
    ruleset: Any = catalog.open_scenario(SCENARIOS[0]).ruleset
    dice, rng = SeededDice("where"), Random("where")
    state = ruleset.begin(ruleset.setup(), dice).state
    while (decision := ruleset.decision(state)) is not None:
        followed = _whereabouts(ruleset, state)
        ruleset.context.memory.forget()
        assert followed == _whereabouts(ruleset, state)
        action = decision.options(decision.asked[0]).sample(rng)
        state = ruleset.resolve(state, decision.asked[0], action, dice).state


def _whereabouts(ruleset: Any, state: Any) -> tuple[object, ...]:
    return (
        list(stacking.occupants(ruleset.context, state).items()),
        [stacking.held(ruleset.context, state, seat) for seat in ruleset.seats],
        [stacking.enemy_hexes(ruleset.context, state, seat) for seat in ruleset.seats],
        list(possession.owners(ruleset.context, state).items()),
    )
