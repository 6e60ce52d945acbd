"""A game in progress: playing, refusing, undoing."""

from random import Random

import pytest

from sandtable.core.codec import digest
from sandtable.core.decision import Seat
from sandtable.core.dice import ScriptedDice, SeededDice
from sandtable.core.errors import Refused
from sandtable.core.game import Game
from sandtable.core.log import Entry, TakeBack
from tests.toy import (
    BLUE,
    RED,
    Action,
    Event,
    GiveOrders,
    Halt,
    March,
    Marching,
    Order,
    PieceId,
    Shoot,
    State,
)
from tests.toy_system import play_out, toy_game

R1, R2, B1, B2 = map(PieceId, ("r1", "r2", "b1", "b2"))
BOTH_MARCH = {RED: {R1: Order.MARCH, R2: Order.AIM}, BLUE: {B1: Order.MARCH, B2: Order.AIM}}
RED_FIRST = [1]


def ordered(dice: list[int]) -> Game[State, Action, Event]:
    game = toy_game(ScriptedDice(dice))
    for seat, orders in BOTH_MARCH.items():
        game.play(seat, GiveOrders(orders))
    return game


def test_a_game_starts_at_its_first_question() -> None:
    game = toy_game()
    assert game.decision is not None
    assert game.decision.asked == (RED, BLUE)
    assert [type(line) for line in game.lines] == [Entry]
    assert game.outcome is None


def test_secret_orders_are_asked_of_both_until_both_have_given_them() -> None:
    game = toy_game()
    game.play(BLUE, GiveOrders(BOTH_MARCH[BLUE]))
    assert game.decision is not None
    assert game.decision.asked == (RED,)


def test_an_entry_holds_action_rolls_events_and_digest() -> None:
    game = ordered(RED_FIRST)
    entry = game.lines[-1]
    assert isinstance(entry, Entry)
    assert entry.action == GiveOrders(BOTH_MARCH[BLUE])
    assert [roll.total for roll in entry.rolls] == RED_FIRST
    assert entry.digest == digest(game.state)


@pytest.mark.parametrize(
    ("seat", "action", "reason"),
    [
        (BLUE, Halt(), "blue is not asked now"),
        (RED, March(R2, 1), "no order to march"),
        (RED, March(R1, 4), "4 steps"),
        (RED, March(B1, 1), "not yours"),
        (RED, Shoot((R2,)), "does not answer"),
    ],
)
def test_a_refused_action_changes_nothing(seat: Seat, action: Action, reason: str) -> None:
    game = ordered(RED_FIRST)
    before, lines = game.state, len(game.lines)
    with pytest.raises(Refused, match=reason):
        game.play(seat, action)
    assert game.state is before
    assert len(game.lines) == lines


def test_nobody_acts_when_the_game_is_over() -> None:
    game = play_out(toy_game(), Random(1))
    assert game.outcome is not None
    with pytest.raises(Refused, match="the game is over"):
        game.play(RED, Halt())


def test_undo_is_free_while_nothing_was_rolled_or_shown() -> None:
    game = toy_game()
    before = game.state
    game.play(RED, GiveOrders(BOTH_MARCH[RED]))
    line = game.undo(RED)
    assert line == TakeBack(2, RED, 0)
    assert game.state == before
    assert len(game.lines) == 3


def test_undo_stops_at_a_roll() -> None:
    game = ordered(RED_FIRST)
    with pytest.raises(Refused, match="dice were rolled"):
        game.undo(BLUE)


def test_undo_stops_at_a_change_of_seat() -> None:
    game = ordered(RED_FIRST)
    with pytest.raises(Refused, match="blue has acted since"):
        game.undo(RED)


def test_undo_stops_at_a_reveal() -> None:
    game = ordered(RED_FIRST)
    game.play(RED, March(R1, 1))
    with pytest.raises(Refused, match="something hidden was revealed"):
        game.undo(RED)


def test_undo_of_nothing_is_refused() -> None:
    with pytest.raises(Refused, match="nothing to take back"):
        toy_game().undo(RED)


def test_undo_by_consent_goes_all_the_way_back() -> None:
    game = play_out(toy_game(SeededDice(5)), Random(5))
    first = game.states[0]
    played = len(game.lines) - 1
    for _ in range(played):
        game.undo(RED, consent=(BLUE,))
    assert game.state == first
    assert len(game.lines) == 1 + 2 * played
    with pytest.raises(Refused, match="nothing to take back"):
        game.undo(RED, consent=(BLUE,))


def test_after_an_undo_the_game_goes_another_way() -> None:
    game = ordered(RED_FIRST)
    game.play(RED, Halt())
    game.undo(RED)
    game.play(RED, March(R1, 1))
    frame = game.state.stack[0]
    assert isinstance(frame, Marching)
    assert game.state.pieces[R1].at == 1
    assert game.undo(RED, consent=(BLUE,)).to == 4


def test_twins_agree_step_by_step() -> None:
    one, other = (play_out(toy_game(SeededDice(9)), Random(9)) for _ in range(2))
    assert list(map(digest, one.states)) == list(map(digest, other.states))
