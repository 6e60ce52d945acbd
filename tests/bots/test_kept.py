"""What is kept from one question to the next: a captain thinks the same with it as with everything forgotten."""

import gc
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable import catalog
from sandtable.bots import Question, make_bot
from sandtable.bots.captain import Captain
from sandtable.bots.looking import Errand, Found, Look
from sandtable.core.codec import decode, encode, pack
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.core.ruleset import Ruleset
from sandtable.sim.playout import start
from sandtable.systems.aslsk.rules import AslskRules
from sandtable.systems.panzer.hex.rules import PanzerRules

AnyRuleset = Ruleset[Any, Any, Any]


def anew(ruleset: AnyRuleset) -> AnyRuleset:
    """The same rules, of which nothing is worked out yet."""
    if isinstance(ruleset, AslskRules):
        return AslskRules(ruleset.card, ruleset.context.on_ground(ruleset.context.ground))
    assert isinstance(ruleset, PanzerRules)
    return PanzerRules(ruleset.card, replace(ruleset.context))


def looks(ruleset: AnyRuleset, every: int) -> Iterator[tuple[bytes, Seat, Errand]]:
    """Looks at what is answered in a game: what the seat knows, and what is sent to those who take them."""
    dice, bot = SeededDice("kept"), make_bot("greedy")
    state, number = start(ruleset, dice), 0
    while (decision := ruleset.decision(state)) is not None:
        seat, number = decision.asked[0], number + 1
        question: Question[Any] = Question(ruleset, ruleset.conceal(state, seat), seat)
        answer = bot.choose(question, Random(number))
        if number % every == 0:
            look = Look(encode(answer), world=1, seed=number)
            yield pack(question.known), seat, Errand("captain:2", (look,), number, None)
        state = ruleset.resolve(state, seat, answer, dice).state


@pytest.mark.parametrize(
    ("scenario", "every"),
    [
        ("sk-1-the-road-into-bretteville", 16),
        ("sk-4-tools-of-the-trade", 24),
        ("na-a-patrol-at-tamrad", 2),
        ("mbt-a-crossroads-at-reinbach", 3),
    ],
)
def test_what_comes_of_a_look_is_the_same_whatever_was_thought_about_before(scenario: str, every: int) -> None:
    ruleset = catalog.open_scenario(scenario).ruleset
    captain, warm = Captain(seconds=None), anew(ruleset)

    def found(rules: AnyRuleset, known: bytes, seat: Seat, errand: Errand) -> Found:
        return captain.look(Question(rules, decode(known, rules.state_type), seat), errand)

    taken = list(looks(ruleset, every))
    by_itself = [found(anew(ruleset), *look) for look in taken]
    assert len(by_itself) > 6
    assert len({outlooks[0] for outlooks in by_itself}) > 6, "there is something to tell apart"
    assert [found(warm, *look) for look in taken] == by_itself
    assert [found(warm, *look) for look in reversed(taken)] == by_itself[::-1]


@pytest.mark.parametrize(
    "scenario", ["sk-1-the-road-into-bretteville", "sk-6-steel-in-the-corn", "na-a-patrol-at-tamrad"]
)
def test_what_a_captain_thinks_refers_back_to_nothing_so_that_it_is_freed_at_once(scenario: str) -> None:
    ruleset, dice, captain = catalog.open_scenario(scenario).ruleset, SeededDice("freed"), Captain(seconds=None)
    quick, thoughtful = make_bot("greedy"), (20, 21, 28, 29)

    def answered(state: Any, number: int) -> Any:
        decision = ruleset.decision(state)
        assert decision is not None
        seat = decision.asked[0]
        question: Question[Any] = Question(ruleset, ruleset.conceal(state, seat), seat)
        answer = (captain if number in thoughtful else quick).choose(question, Random(number))
        return ruleset.resolve(state, seat, answer, dice).state

    state = start(ruleset, dice)
    try:
        for number in range(max(thoughtful) + 1):
            state = answered(state, number)
            if number == thoughtful[0]:
                # What is worked out once for the game may be as it likes.
                gc.collect()
                gc.disable()
        assert gc.collect() == 0
        assert captain.looks
    finally:
        gc.enable()
