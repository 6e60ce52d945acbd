"""Bots: they play what is legal, from what they may know, and the simple one plays better than chance."""

from random import Random
from typing import Any

import pytest

from sandtable import catalog
from sandtable.bots import BOTS, Policy, Question, RandomBot, SimpleBot, ask
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.core.errors import RulesBug
from sandtable.core.ruleset import Resolution, Ruleset
from sandtable.sim.playout import Playout, play_out, start
from tests.toy import BLUE, ONE_DIE, RED, Event, GiveOrders, Halt, Patrols, State
from tests.toy_system import toy_library, toy_ruleset

SCENARIOS = [head.id for system in ("panzer-na", "mbt") for head in catalog.scenarios(system)[:1]]


def match(ruleset: Ruleset[Any, Any, Any], bots: dict[Seat, Policy], seed: int) -> Playout[Any]:
    dice, rng = SeededDice(f"match {seed}"), Random(seed)

    def choose(state: Any, decision: Any, seat: Seat, rng: Random) -> Any:
        action = ask(bots[seat], ruleset, state, seat, rng)
        assert ruleset.refusal(state, seat, action) is None
        return action

    return play_out(ruleset, start(ruleset, dice), dice, rng, choose=choose)


@pytest.mark.parametrize("name", sorted(BOTS))
def test_bots_finish_a_game_of_a_system_that_they_do_not_know(name: str) -> None:
    ruleset = toy_ruleset()
    bots: dict[Seat, Policy] = {seat: BOTS[name]() for seat in ruleset.seats}
    assert all(match(ruleset, bots, seed).outcome is not None for seed in range(5))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_simple_bot_beats_the_random_one(scenario: str) -> None:
    ruleset = catalog.open_scenario(scenario).ruleset
    won = 0
    for game in range(4):
        side = ruleset.seats[game % 2]
        bots: dict[Seat, Policy] = {s: SimpleBot() if s == side else RandomBot() for s in ruleset.seats}
        outcome = match(ruleset, bots, game).outcome
        assert outcome is not None
        won += outcome.winner == side
    assert won >= 3


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("name", sorted(BOTS))
def test_a_choice_does_not_depend_on_what_is_hidden(scenario: str, name: str) -> None:
    """Deal the hidden facts out in other ways: the bot, with the same chance, must choose the same."""
    ruleset: Any = catalog.open_scenario(scenario).ruleset
    rng, dice, bot = Random(3), SeededDice(3), BOTS[name]()
    state = start(ruleset, dice)
    compared = 0
    for number in range(60):
        decision = ruleset.decision(state)
        if decision is None:
            break
        seat = decision.asked[-1]
        choice = ask(bot, ruleset, state, seat, Random(number))
        for variant in ruleset.hidden_variants(state, seat):
            assert ask(bot, ruleset, variant, seat, Random(number)) == choice
            compared += 1
        state = ruleset.resolve(state, seat, decision.options(seat).sample(rng), dice).state
    assert compared > 20


def test_the_same_chance_gives_the_same_game() -> None:
    ruleset = catalog.open_scenario(SCENARIOS[0]).ruleset
    games = [match(ruleset, {seat: SimpleBot() for seat in ruleset.seats}, 5) for _ in range(2)]
    assert games[0].state == games[1].state


def test_a_question_holds_only_what_the_seat_may_know() -> None:
    ruleset = toy_ruleset()
    state = start(ruleset, SeededDice(0))
    state = ruleset.resolve(state, BLUE, next(iter(Question(ruleset, state, BLUE).options)), SeededDice(0)).state
    seen: list[Question[Any]] = []

    class Spy:
        name = "spy"

        def choose(self, question: Question[Any], rng: Random) -> Any:
            seen.append(question)
            return question.options.sample(rng)

    assert isinstance(ask(Spy(), ruleset, state, RED, Random(0)), GiveOrders)
    (question,) = seen
    assert question.known == ruleset.conceal(state, RED)
    assert question.view.state == question.known


def test_who_is_not_asked_is_given_no_question() -> None:
    ruleset = toy_ruleset()
    with pytest.raises(RulesBug, match="green is not asked anything"):
        Question(ruleset, start(ruleset, SeededDice(0)), Seat("green"))


def test_a_preview_without_end_is_none_at_all() -> None:
    """Dice that are rolled again and again cannot be enumerated."""

    class Endless(Patrols):
        def _end(self, going: Resolution[State, Event]) -> None:
            while going.dice.roll(ONE_DIE, "again").total < 7:
                pass

    ruleset = Endless(toy_ruleset().scenario, toy_library())
    question = Question(ruleset, start(toy_ruleset(), SeededDice(0)), RED)
    assert question.preview(next(iter(question.options))).chances == ()


def test_an_adviser_that_errs_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    bot = SimpleBot()
    monkeypatch.setattr(bot, "_adviser", lambda system_id: lambda question, rng: Halt())
    ruleset = toy_ruleset()
    state = start(ruleset, SeededDice(0))
    assert isinstance(ask(bot, ruleset, state, RED, Random(0)), GiveOrders)
