"""Frames move by events, a loop runs to the next question, and a phase is added in one place."""

from pathlib import Path
from random import Random
from typing import get_args

import msgspec
import pytest
from msgspec.structs import replace

from sandtable.core.codec import decode, encode
from sandtable.core.decision import Seat, Wording
from sandtable.core.dice import SeededDice
from sandtable.core.errors import RulesBug
from sandtable.core.frames import FRAME_FOLDS, Asking, Changed, Closed, FrameHandler, Opened
from sandtable.core.game import Game
from sandtable.testing import check_scenario
from tests.toy import (
    BLUE,
    RED,
    SEATS,
    Ambush,
    AmbushHandler,
    Event,
    Halt,
    Marching,
    Order,
    Ordering,
    OrderingHandler,
    Patrols,
    PieceId,
    State,
)
from tests.toy_rest import Rest, Rested, Resting, RestPatrols
from tests.toy_system import toy_game, toy_header, toy_library, toy_ruleset

ROOT = Path(__file__).parents[2]
MARCHING, AMBUSH = Marching(RED, ()), Ambush(BLUE, PieceId("r1"))


def test_events_of_frames_move_the_stack() -> None:
    state = State(1, {}, ())
    rules = toy_ruleset()
    for event, stack in (
        (Opened(MARCHING), (MARCHING,)),
        (Opened(AMBUSH), (MARCHING, AMBUSH)),
        (Changed(Ambush(RED, PieceId("b1"))), (MARCHING, Ambush(RED, PieceId("b1")))),
        (Closed(), (MARCHING,)),
    ):
        state = rules.fold(state, event)
        assert state.stack == stack


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (Opened(MARCHING), '{"type":"Opened","frame":{"type":"Marching","player":"red","then":[]}}'),
        (Changed(AMBUSH), '{"type":"Changed","frame":{"type":"Ambush","asked":"blue","target":"r1"}}'),
        (Closed(), '{"type":"Closed"}'),
    ],
)
def test_an_event_of_a_frame_is_written_and_read(event: Event, text: str) -> None:
    assert msgspec.json.encode(event).decode() == text
    assert decode(text, Patrols.event_type) == event


class Worded(OrderingHandler):
    def question(self, state: State, frame: Ordering) -> Asking:
        asking = super().question(state, frame)
        return replace(asking, wordings={seat: Wording("1.2", f"Orders of {seat}") for seat in asking.asked})


class WordedPatrols(Patrols):
    handlers = (*Patrols.handlers, Worded)


def test_a_frame_may_ask_each_seat_in_words_of_its_own() -> None:
    rules = WordedPatrols(toy_ruleset().scenario, toy_library())
    game = Game.start(rules, toy_header(), SeededDice(1))
    words = [Wording("1.2", "Orders of red"), Wording("1.2", "Orders of blue"), Wording("1.1", "Give orders")]
    decision, asking = game.decision, rules.asking(game.state)
    assert decision is not None
    assert asking is not None
    assert [decision.wording(seat) for seat in (RED, BLUE, None)] == words
    shown = [asking.prompt(seat) for seat in (RED, BLUE, None)]
    assert [(one.rule, one.title) for one in shown] == words
    assert [one.yours for one in shown] == [True, True, False]


def test_what_does_not_answer_is_refused_under_the_rule_that_asks() -> None:
    game = toy_game()
    refusal = game.refusal(RED, Halt())
    assert refusal is not None
    assert (refusal.rule, refusal.reason) == ("1.1", "Halt does not answer what is asked: Give orders")
    over = State(1, {}, (), ended="time is up")
    assert str(toy_ruleset().beside_the_point(over, Halt()).reason) == "the game is over"


def test_a_frame_that_nobody_answers_says_so() -> None:
    class Silent(FrameHandler[None, State, Halt, Event, Marching]):
        frame = Marching

    handler = Silent(None)
    state = State(1, {}, (MARCHING,))
    with pytest.raises(RulesBug, match="nobody is asked"):
        handler.question(state, MARCHING)
    with pytest.raises(RulesBug, match="nothing answers"):
        handler.options(state, MARCHING, RED)
    assert not handler.is_answer(MARCHING, Halt())


def test_a_frame_is_concealed_by_its_handler() -> None:
    class Secret(AmbushHandler):
        def conceal(self, frame: Ambush, seat: Seat | None) -> Ambush:
            return frame if frame.asked == seat else Ambush(frame.asked, PieceId("?"))

        def may_hide(self, frame: Ambush, holder: Seat) -> bool:
            return frame.asked == holder

    class Secretive(Patrols):
        handlers = (*Patrols.handlers, Secret)

    rules = Secretive(toy_ruleset().scenario, toy_library())
    state = State(1, {}, (MARCHING, AMBUSH))
    hidden = Ambush(BLUE, PieceId("?"))
    assert rules.conceal_stack(state, BLUE) is state.stack
    assert rules.conceal_stack(state, RED) == (MARCHING, hidden)
    assert list(rules.stack_variants(state, RED)) == [(MARCHING, hidden)]
    assert list(rules.stack_variants(state, BLUE)) == []
    assert rules.redact_frame(Opened(AMBUSH), None) == Opened(hidden)
    event = Changed(AMBUSH)
    assert rules.redact_frame(event, BLUE) is event
    assert rules.stack_may_hide(state, BLUE)
    assert not rules.stack_may_hide(state, RED)


def test_what_a_log_may_hold_follows_from_the_handlers() -> None:
    rules = RestPatrols(toy_ruleset().scenario, toy_library())
    plain = toy_ruleset()
    assert set(FRAME_FOLDS) < set(plain.folds) == set(rules.folds) - {Rested}
    assert set(get_args(rules.action_type)) == {*get_args(plain.action_type), Rest}
    begun = rules.setup()
    state = replace(begun, stack=(MARCHING, Resting(SEATS)))
    assert decode(encode(state), rules.state_type) == state
    with pytest.raises(msgspec.ValidationError, match="Resting"):
        decode(encode(state), plain.state_type)
    opened = Opened(Resting(SEATS))
    assert decode(encode(opened), rules.event_type) == opened
    assert encode(begun) == encode(State(0, begun.pieces, ()))


# --- one phase more, by the numbered steps ---


def shown() -> str:
    """The steps as the page shows them."""
    text = (ROOT / "docs/write-a-system.md").read_text()
    return text.split("```python\n", 1)[1].split("```", 1)[0]


def test_the_page_shows_the_steps_that_are_played_here() -> None:
    text = (ROOT / "tests/toy_rest.py").read_text()
    assert shown() == text[text.index("from types") :]
    lines = [line for line in shown().splitlines() if line.strip()]
    assert len(lines) < 60


def test_the_phase_is_asked_every_turn_and_the_game_comes_to_its_end() -> None:
    rules: Patrols = RestPatrols(toy_ruleset().scenario, toy_library())
    game = Game.start(rules, toy_header(), SeededDice(3))
    rng = Random(3)
    asked = dict.fromkeys(SEATS, 0)
    while (decision := game.decision) is not None:
        seat = decision.asked[0]
        action = decision.options(seat).sample(rng)
        entry = game.play(seat, action)
        if isinstance(action, Rest):
            asked[seat] += 1
            assert encode(entry.events[0]) == encode(Rested(action.piece))
            assert game.state.pieces[action.piece].order is Order.NONE
    assert game.outcome is not None
    assert asked[RED] == asked[BLUE] > 1


def test_the_new_phase_holds_every_promise_of_a_system() -> None:
    rules = RestPatrols(toy_ruleset().scenario, toy_library())
    report = check_scenario(rules, toy_header(), 12, seed=1)
    assert report.failures == []
    assert report.decisions > 100
