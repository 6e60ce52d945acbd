"""What holds in every position and on the way from it; hypothesis looks for one where it does not."""

from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable import testing
from sandtable.core.codec import decode, digest, encode
from sandtable.core.dice import RecordedDice, RecordingDice, SeededDice
from tests.property.positions import positions
from tests.rulebook.engine import Play

SEEDS = st.integers(0, 2**32 - 1)
DECISIONS = 12


def walk(game: Play, seed: int) -> Any:
    """Random decisions from the position: before each, what is asked; after it, what came of it."""
    rng = Random(seed)
    dice = RecordingDice(SeededDice(seed))
    for _ in range(DECISIONS):
        decision = game.rules.decision(game.state)
        if decision is None:
            return
        seat = rng.choice(decision.asked)
        before, rolled = game.state, len(dice.rolls)
        action = decision.options(seat).sample(rng)
        done = game.rules.resolve(before, seat, action, dice)
        game.state = done.state
        yield before, seat, action, done.events, dice.rolls[rolled:]


@given(positions(), SEEDS)
@settings(max_examples=40)
def test_states_actions_and_events_survive_encoding(game: Play, seed: int) -> None:
    rules = game.rules
    actions: Any = rules.action_type
    happenings: Any = rules.event_type
    for before, _, action, events, _ in walk(game, seed):
        assert decode(encode(before), rules.state_type) == before
        assert encode(decode(encode(before), rules.state_type)) == encode(before)
        assert decode(encode(action), actions) == action
        for event in events:
            assert decode(encode(event), happenings) == event
            assert isinstance(rules.narrate(event), str)


@given(positions(), SEEDS)
@settings(max_examples=40)
def test_events_fold_and_the_recorded_rolls_give_them_again(game: Play, seed: int) -> None:
    rules = game.rules
    for before, seat, action, events, rolls in walk(game, seed):
        state = before
        for event in events:
            state = rules.fold(state, event)
        assert digest(state) == digest(game.state)
        again = rules.resolve(before, seat, action, RecordedDice(rolls))
        assert encode(again.events) == encode(events)


@given(positions(), SEEDS)
@settings(max_examples=40)
def test_every_question_has_answers_and_every_answer_offered_is_accepted(game: Play, seed: int) -> None:
    rng = Random(seed)
    for before, *_ in walk(game, seed):
        decision = game.rules.decision(before)
        assert decision is not None
        testing.check_question(game.rules, before, decision)
        for seat in decision.asked:
            testing.check_options(game.rules, before, seat, rng)


@given(positions(), SEEDS)
@settings(max_examples=40)
def test_no_view_or_option_tells_a_secret_command(game: Play, seed: int) -> None:
    rng = Random(seed)
    for before, *_ in walk(game, seed):
        testing.check_secrets(game.rules, before, rng)
        decision = game.rules.decision(before)
        assert decision is not None
        testing.check_secret_answers(game.rules, before, decision, rng)


@given(positions(), SEEDS)
@settings(max_examples=40)
def test_what_a_seat_is_told_is_what_it_may_know_and_enough_to_follow_the_game(game: Play, seed: int) -> None:
    """Folding the redacted events into what a seat knew gives what it may know afterwards: no more, no less."""
    rules = game.rules
    for before, _, _, events, _ in walk(game, seed):
        state = before
        for event in events:
            after = rules.fold(state, event)
            for seat in (*rules.seats, None):
                known = rules.conceal(state, seat)
                told = rules.redact(event, seat)
                followed = known if told is None else rules.conceal(rules.fold(known, told), seat)
                assert followed == rules.conceal(after, seat), type(event).__name__
            state = after
