"""What the rules keep from one state to the next never shows: a game is the same with everything forgotten."""

from __future__ import annotations

from itertools import zip_longest
from random import Random
from typing import Any

import pytest

from sandtable import catalog
from sandtable.core.dice import SeededDice
from sandtable.systems.aslsk.common import possession, stacking
from tests.remembering import SEEDS, always, forgetful, played, played_on_threads

SCENARIOS = ["s20-joseph-351", "sk-2-the-second-wave", "sk-4-tools-of-the-trade"]


def _rules(scenario: str) -> Any:
    return catalog.open_scenario(scenario).ruleset


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_game_is_the_same_with_everything_forgotten_before_every_answer(scenario: str) -> None:
    remembered = list(played("kept", always(_rules(scenario))))
    assert len(remembered) > 100
    assert list(played("kept", forgetful(_rules(scenario)))) == remembered


def test_games_that_take_turns_do_not_disturb_one_another() -> None:
    alone = [list(played(seed, always(_rules(SCENARIOS[2])))) for seed in SEEDS]
    shared = always(_rules(SCENARIOS[2]))
    turns = zip_longest(*(played(seed, shared) for seed in SEEDS))
    assert [[told for told in game if told is not None] for game in zip(*turns, strict=True)] == alone


@pytest.mark.parametrize("scenario", SCENARIOS[1:])
def test_games_on_several_threads_do_not_disturb_one_another(scenario: str) -> None:
    """A server works out odds beside its games, and all tables of a scenario share its rules."""
    alone = [list(played(seed, always(_rules(scenario)))) for seed in SEEDS]
    assert played_on_threads(_rules(scenario)) == alone


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
