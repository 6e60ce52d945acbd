"""Bots: they play what is legal, to the end of the game, and the greedy one plays better than chance."""

from random import Random
from typing import Any

import pytest

from sandtable import catalog
from sandtable.bots import Judgement, Policy, Question, RandomBot, ask, make_bot
from sandtable.bots.doctrine import Idea, doctrine_of
from sandtable.bots.greedy import GreedyBot
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.core.errors import RulesBug
from sandtable.core.ruleset import Ruleset
from sandtable.sim.playout import Playout, play_out, start
from tests.toy import BLUE, ONE_DIE, RED, GiveOrders, Halt, Patrols, Play
from tests.toy_system import toy_library, toy_ruleset

SCENARIOS = [*(catalog.scenarios(system)[0].id for system in ("panzer-na", "mbt")), "pm-a-first-drive"]


def match(ruleset: Ruleset[Any, Any, Any], bots: dict[Seat, Policy], seed: int) -> Playout[Any]:
    dice, rng = SeededDice(f"match {seed}"), Random(seed)

    def choose(state: Any, decision: Any, seat: Seat, rng: Random) -> Any:
        action = ask(bots[seat], ruleset, state, seat, rng)
        assert ruleset.refusal(state, seat, action) is None
        return action

    return play_out(ruleset, start(ruleset, dice), dice, rng, choose=choose)


@pytest.mark.parametrize("name", ["random", "greedy", "captain:1:bold", "captain:3:cautious"])
def test_bots_finish_a_game_of_a_system_that_they_do_not_know(name: str) -> None:
    ruleset = toy_ruleset()
    bots: dict[Seat, Policy] = {seat: make_bot(name, None) for seat in ruleset.seats}
    assert all(match(ruleset, bots, seed).outcome is not None for seed in range(5))


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("name", ["greedy", "captain:1"])
def test_a_bot_that_thinks_beats_one_that_does_not(name: str, scenario: str) -> None:
    ruleset = catalog.open_scenario(scenario).ruleset
    won = 0
    for game in range(4):
        side = ruleset.seats[game % 2]
        bots: dict[Seat, Policy] = {s: make_bot(name, None) if s == side else RandomBot() for s in ruleset.seats}
        outcome = match(ruleset, bots, game).outcome
        assert outcome is not None
        won += outcome.winner == side
    assert won >= 3


def test_the_same_chance_gives_the_same_game() -> None:
    ruleset = catalog.open_scenario(SCENARIOS[0]).ruleset
    games = [match(ruleset, {seat: GreedyBot(None) for seat in ruleset.seats}, 5) for _ in range(2)]
    assert games[0].state == games[1].state


def test_a_question_holds_only_what_the_seat_may_know() -> None:
    ruleset = toy_ruleset()
    state = start(ruleset, SeededDice(0))
    state = ruleset.resolve(state, BLUE, next(iter(Question(ruleset, state, BLUE).options)), SeededDice(0)).state
    seen: list[Question[Any]] = []

    class Spy(RandomBot):
        def consider(self, question: Question[Any], rng: Random) -> Judgement[Any]:
            seen.append(question)
            return super().consider(question, rng)

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
        def settle(self, play: Play) -> None:
            while play.dice.roll(ONE_DIE, "again").total < 7:
                pass

    ruleset = Endless(toy_ruleset().scenario, toy_library())
    question = Question(ruleset, start(toy_ruleset(), SeededDice(0)), RED)
    assert question.preview(next(iter(question.options))).chances == ()


@pytest.mark.parametrize("name", ["greedy", "captain:1"])
def test_a_doctrine_that_errs_is_not_followed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ruleset = toy_ruleset()
    monkeypatch.setattr(doctrine_of(ruleset), "ideas", lambda *asked: [Idea(Halt(), 1.0)])
    state = start(ruleset, SeededDice(0))
    assert isinstance(ask(make_bot(name, None), ruleset, state, RED, Random(0)), GiveOrders)
