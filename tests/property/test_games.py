"""Whole short games at random: undo at any moment and all the way back, replay, verification, two equal twins."""

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable import catalog, testing
from sandtable.catalog import OpenScenario
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game
from sandtable.core.log import Entry, dump, load
from sandtable.core.replay import replay, resume, verify
from tests.rulebook.engine import BOOKS

GOLDEN = Path(__file__).parent.parent / "golden"
SEEDS = st.integers(0, 2**32 - 1)
SOMETIMES = 0.15
"""How often somebody takes a decision back."""


@cache
def scenario(book: str) -> OpenScenario:
    return catalog.open_scenario(str(GOLDEN / f"{book}.yaml"))


def start(book: str, seed: int) -> Game[Any, Any, Any]:
    opened = scenario(book)
    return Game.start(opened.ruleset, opened.header, SeededDice(seed))


def play_on(game: Game[Any, Any, Any], rng: Random, *, undoing: float) -> None:
    """Random answers to the end; now and then the last one is taken back by consent."""
    first, second = game.ruleset.seats
    while (decision := game.decision) is not None:
        seat = rng.choice(decision.asked)
        game.play(seat, decision.options(seat).sample(rng))
        if rng.random() < undoing:
            line = game.undo(first, [second])
            assert game.state == game.states[line.to]


@given(st.sampled_from(BOOKS), SEEDS)
@settings(max_examples=6)
def test_a_log_with_undos_replays_verifies_and_resumes(book: str, seed: int) -> None:
    game = start(book, seed)
    play_on(game, Random(seed), undoing=SOMETIMES)
    log = load("".join(dump(game.header, game.lines)), game.ruleset, "log")
    assert replay(game.ruleset, log) == game.states
    assert verify(game.ruleset, log) == []
    middle = len(log.lines) // 2
    log.lines = log.lines[:middle]
    again = resume(game.ruleset, log, SeededDice(seed + 1))
    assert again.state == game.states[middle - 1]
    play_on(again, Random(seed), undoing=0)
    assert again.outcome is not None


@given(st.sampled_from(BOOKS), SEEDS)
@settings(max_examples=6)
def test_undo_goes_all_the_way_back(book: str, seed: int) -> None:
    game = start(book, seed)
    play_on(game, Random(seed), undoing=0)
    testing.check_undo(game)
    assert game.state == game.states[0]


@given(st.sampled_from(BOOKS), SEEDS)
@settings(max_examples=4)
def test_undo_is_free_only_while_nothing_was_rolled_or_revealed(book: str, seed: int) -> None:
    game = start(book, seed)
    rng = Random(seed)
    while (decision := game.decision) is not None:
        seat = rng.choice(decision.asked)
        entry = game.play(seat, decision.options(seat).sample(rng))
        assert isinstance(entry, Entry)
        seen = bool(entry.rolls) or any(game.ruleset.reveals(event) for event in entry.events)
        assert (game.undo_refusal(seat) is None) == (not seen)
        (other,) = set(game.ruleset.seats) - {seat}
        assert game.undo_refusal(other) is not None


@given(st.sampled_from(BOOKS), SEEDS)
@settings(max_examples=4)
def test_two_games_with_one_seed_are_the_same_game(book: str, seed: int) -> None:
    one, other = start(book, seed), start(book, seed)
    play_on(one, Random(seed), undoing=0)
    play_on(other, Random(seed), undoing=0)
    assert [line.digest for line in one.lines if isinstance(line, Entry)] == [
        line.digest for line in other.lines if isinstance(line, Entry)
    ]
