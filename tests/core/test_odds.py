"""Exact odds are the rules run once for every group of rolls that they tell apart."""

from collections import Counter
from random import Random

import pytest

from sandtable.core.decision import Decision, Seat
from sandtable.core.dice import Dice, SeededDice, enumerate_rolls
from sandtable.core.errors import RulesBug
from sandtable.core.odds import odds, settle
from tests.toy import (
    BLUE,
    RED,
    Action,
    Ambush,
    Duck,
    GiveOrders,
    March,
    Marching,
    Order,
    Patrols,
    Piece,
    PieceId,
    Shoot,
    State,
)
from tests.toy_system import toy_library, toy_ruleset

R1, B1, B2 = map(PieceId, ("r1", "b1", "b2"))


def under_the_guns() -> State:
    """r1 has come within 2 of b1 and 3 of b2, which both aim."""
    pieces = {
        R1: Piece(R1, RED, 3),
        B1: Piece(B1, BLUE, 5, Order.AIM, shown=False),
        B2: Piece(B2, BLUE, 6, Order.AIM, shown=False),
    }
    return State(1, pieces, (Marching(RED, ()), Ambush(BLUE, R1)), phase="march")


def ducking(decision: Decision[Action], seat: Seat) -> Action:
    return Duck(duck=True)


def test_odds_of_one_shot() -> None:
    chances = odds(toy_ruleset(), under_the_guns(), [(BLUE, Shoot((B1,)))])
    assert {chance.what: chance.exact for chance in chances} == {"no effect": "7/12", "r1 lost": "5/12"}


def test_odds_depend_on_the_way_of_answering() -> None:
    (first, second) = odds(toy_ruleset(), under_the_guns(), [(BLUE, Shoot((B1,)))], ducking)
    assert (first.what, first.exact) == ("no effect", "5/6")
    assert second.probability == pytest.approx(1 / 6)


def test_odds_of_a_whole_chain_agree_with_samples() -> None:
    ruleset, state = toy_ruleset(), under_the_guns()
    moves: list[tuple[Seat, Action]] = [(BLUE, Shoot((B1, B2)))]
    exact = {chance.what: chance.probability for chance in odds(ruleset, state, moves)}
    assert exact["no effect"] == pytest.approx(21 / 36 * 26 / 36)
    assert sum(exact.values()) == pytest.approx(1)
    dice = SeededDice("samples")
    sampled = Counter(ruleset.consequence(state, settle(ruleset, state, moves, dice)) for _ in range(20_000))
    assert set(sampled) == set(exact) == {"no effect", "r1 lost"}
    for what, chance in exact.items():
        error = 4 * (chance * (1 - chance) / 20_000) ** 0.5
        assert sampled[what] / 20_000 == pytest.approx(chance, abs=error)


def test_enumeration_follows_groups_not_faces() -> None:
    ruleset, state = toy_ruleset(), under_the_guns()

    def run(dice: Dice) -> State:
        return settle(ruleset, state, [(BLUE, Shoot((B1, B2)))], dice)

    # The first hits, or misses and the second hits, or both miss.
    assert len(list(enumerate_rolls(run))) == 3


def test_settling_leaves_the_question_that_was_open_before() -> None:
    ruleset = toy_ruleset()
    rng = Random(0)
    state = ruleset.begin(ruleset.setup(), SeededDice(0)).state
    orders: dict[Seat, dict[PieceId, Order]] = {RED: {}, BLUE: {}}
    for piece in state.pieces.values():
        orders[piece.side][piece.id] = Order.MARCH
    for seat in (RED, BLUE):
        state = ruleset.resolve(state, seat, GiveOrders(orders[seat]), SeededDice(rng.random().hex())).state
    frame = state.stack[-1]
    assert isinstance(frame, Marching)
    mover = PieceId(f"{frame.player[0]}1")
    after = settle(ruleset, state, [(frame.player, March(mover, 3))], SeededDice(0))
    assert after.stack == state.stack


def test_an_action_that_never_settles_is_our_mistake() -> None:
    class Endless(Patrols):
        def resolve(self, state, seat, action, dice):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
            going = super().resolve(state, seat, action, dice)
            going.state = State(1, state.pieces, (*state.stack, state.stack[-1]))
            return going

    ruleset = Endless(toy_ruleset().scenario, toy_library())
    with pytest.raises(RulesBug, match="not settled"):
        settle(ruleset, under_the_guns(), [(BLUE, Shoot((B1,)))], SeededDice(0))
