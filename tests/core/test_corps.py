"""Questions for large forces in a whole game: 120 slots, budgets, a judge, two seats asked for different things."""

from random import Random
from typing import Any

import pytest

from sandtable import testing
from sandtable.core.decision import Decision, Seat, Wording
from sandtable.core.dice import SeededDice
from sandtable.core.errors import BadInput
from sandtable.core.forced import forced_answer
from sandtable.core.game import Game
from sandtable.core.odds import odds, settle
from sandtable.rl.stages import Stage
from sandtable.session.presenting.foresight import foresee
from sandtable.sim.perft import MOST_LISTED, perft
from tests.corps import ATTACK, ATTACKER, DEFENDER, HOLD, LEAVE, MOVE, GiveOrders, State, corps_header, corps_ruleset


def orders(state: State, **given: str) -> GiveOrders:
    """The attacker's orders: hold, but for those of division 1 that are named."""
    named = {f"B1.{key[1:]}": value for key, value in given.items()}
    return GiveOrders({key: named.get(key, HOLD) for key in state.orders if key.startswith("B")})


def started(**changes: int) -> Game[State, GiveOrders, Any]:
    return Game.start(corps_ruleset(**changes), corps_header(**changes), SeededDice(1))


def test_the_game_conforms() -> None:
    changes = {"divisions": 2, "battalions": 3}
    report = testing.check_scenario(corps_ruleset(**changes), corps_header(**changes), games=4, seed=2)
    assert not report.failures, report.failures[0].message
    assert report.decisions == 4 * 4


def test_120_slots_are_listed_sampled_and_walked() -> None:
    game = started()
    for seat in (ATTACKER, DEFENDER):
        testing.check_options(game.ruleset, game.state, seat, Random(3))


def test_two_who_are_asked_at_once_are_asked_for_different_things() -> None:
    decision = started().decision
    assert decision is not None
    assert decision.asked == (ATTACKER, DEFENDER)
    assert decision.wording(ATTACKER) == Wording("1.1", "Order the battalions")
    assert decision.wording(DEFENDER) == Wording("1.2", "Order the sectors")
    assert decision.wording(None) == Wording("1.0", "Give orders")


def test_a_question_worded_for_somebody_who_is_not_asked_breaks_the_contract() -> None:
    game = started()
    decision = game.decision
    assert decision is not None
    wrong = Decision("1.0", "Give orders", (ATTACKER,), decision.options, wordings=decision.wordings)
    with pytest.raises(testing.Broken, match="worded for defender"):
        testing.check_question(game.ruleset, game.state, wrong)


def test_nothing_is_listed_until_somebody_reads_it() -> None:
    game = started()
    ruleset, decision = game.ruleset, game.decision
    assert decision is not None
    assert isinstance(ruleset, type(corps_ruleset()))
    options = decision.options(ATTACKER)
    assert forced_answer(ruleset, options) is None
    assert ruleset.listed == ["B10.12"]
    ruleset.listed.clear()
    game.play(ATTACKER, orders(game.state, n1=ATTACK, n2=MOVE))
    assert sorted(set(ruleset.listed)) == ["B1.1", "B1.2"], "only orders that are not plain are looked up"


def test_odds_settle_for_all_who_are_asked() -> None:
    game = started()
    attack = orders(game.state, n1=ATTACK, n2=ATTACK, n3=ATTACK, n4=MOVE)
    found = {one.what: one.exact for one in odds(game.ruleset, game.state, [(ATTACKER, attack)])}
    assert found == {"1 taken": "1/2", "no effect": "1/2"}, "the defender holds, as he does if he is left alone"

    def gives_up(decision: Decision[GiveOrders], seat: Seat) -> GiveOrders:
        assert seat == DEFENDER
        return GiveOrders({slot: LEAVE if slot == "S1" else HOLD for slot in game.state.orders if slot[0] == "S"})

    found = {one.what: one.exact for one in odds(game.ruleset, game.state, [(ATTACKER, attack)], gives_up)}
    assert found == {"1 taken": "1"}
    both = [(ATTACKER, attack), (DEFENDER, gives_up(game.decision, DEFENDER))]  # type: ignore[arg-type]
    assert [one.what for one in odds(game.ruleset, game.state, both)] == ["1 taken"]
    preview = foresee(game.ruleset, game.ruleset.conceal(game.state, ATTACKER), ATTACKER, attack)
    assert {one.what: one.exact for one in preview.chances} == {"1 taken": "1/2", "no effect": "1/2"}
    assert [number.title for number in preview.breakdowns] == ["Assault"]


def test_the_others_may_be_left_to_be_asked() -> None:
    game = started()
    after = settle(game.ruleset, game.state, [(ATTACKER, orders(game.state))], SeededDice(1), for_all=False)
    assert after.waiting == (DEFENDER,)
    after = settle(game.ruleset, game.state, [(ATTACKER, orders(game.state))], SeededDice(1))
    assert after.turn == 2, "nobody answers the question of the next turn"
    assert after.waiting == (ATTACKER, DEFENDER)


def test_perft_lists_what_cannot_be_counted_up_to_a_bound() -> None:
    small = started(divisions=1, battalions=2)
    # Two hold or move up in four ways; one attacks only while the other moves up.
    assert perft(small.ruleset, small.state, 1) == 6
    whole = started()
    with pytest.raises(BadInput, match=f"more than {MOST_LISTED} answers"):
        perft(whole.ruleset, whole.state, 1)


def test_a_learner_fills_slot_after_slot_and_never_comes_to_a_dead_end() -> None:
    game = started()
    decision = game.decision
    assert decision is not None
    stage, rng = Stage(decision.options(ATTACKER), 8), Random(4)
    while stage.action is None:
        stage.choose(rng.choice([number for number in range(8) if stage.is_open(number)]))
    assert game.ruleset.refusal(game.state, ATTACKER, stage.action) is None
