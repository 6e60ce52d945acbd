"""A bot never stalls a game: the clock holds inside a long look ahead, and when first sight takes for ever."""

from random import Random
from time import monotonic, sleep
from typing import Any

import pytest

from sandtable.bots import Policy, Question, make_bot
from sandtable.bots import clock as clocks
from sandtable.bots.clock import DEFAULT_SECONDS, HARD_CAP, Clock, OutOfTime, in_time
from sandtable.bots.doctrine import Idea, doctrine_of
from sandtable.bots.style import Style
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.sim.playout import start
from tests.toy import RED, GiveOrders
from tests.toy_system import toy_ruleset

GRACE = 0.35
"""Seconds that a busy machine may take on top."""


class Ticking:
    """A time that goes on only when somebody looks."""

    def __init__(self, step: float) -> None:
        self.now, self.step = 0.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


class Slow:
    """A doctrine whose ideas or looks ahead take for ever; where it may, it is right about everything."""

    doubt = 1.0

    def __init__(self, question: Question[Any], ideas_take: float = 0.0, step_takes: float = 0.0) -> None:
        self.answers = list(question.options)[:4]
        self.imagined = question.ruleset
        self._known = question.known
        self._ideas_take, self._step_takes = ideas_take, step_takes
        self.steps = 0

    def ideas(self, question: Question[Any], style: Style, rng: Random) -> list[Idea]:
        sleep(self._ideas_take)
        return [Idea(answer, -float(place)) for place, answer in enumerate(self.answers)]

    def slots(self, question: Question[Any], style: Style, rng: Random) -> list[list[Idea]] | None:
        return None

    def imagine(self, question: Question[Any], style: Style, rng: Random) -> Any:
        return self._known

    def rollout(self, state: Any, seat: Seat, style: Style, rng: Random) -> Any:
        sleep(self._step_takes)
        self.steps += 1
        decision = toy_ruleset().decision(state)
        assert decision is not None
        return decision.options(seat).sample(rng)

    def is_over(self, begun: Any, state: Any) -> bool:
        return False

    def worth(self, state: Any, seat: Seat, style: Style) -> float:
        return 0.0

    def plan(self, question: Question[Any], style: Style) -> list[str]:
        return ["take for ever"]


def asked() -> Question[Any]:
    ruleset = toy_ruleset()
    return Question(ruleset, ruleset.conceal(start(ruleset, SeededDice(0)), RED), RED)


def follow(monkeypatch: pytest.MonkeyPatch, doctrine: Slow) -> None:
    monkeypatch.setattr("sandtable.bots.thinking.doctrine_of", lambda ruleset: doctrine)


def timed(bot: Policy, question: Question[Any]) -> tuple[Any, float]:
    begun = monotonic()
    answer = bot.choose(question, Random(1))
    return answer, monotonic() - begun


def test_an_answer_takes_a_second_unless_told_and_never_more_than_five() -> None:
    assert DEFAULT_SECONDS == 1.0
    assert HARD_CAP == 5.0
    assert Clock(60).seconds == 5.0
    assert Clock(-1).seconds == 0.0
    assert Clock(None).seconds is None


def test_a_clock_leaves_a_little_time_to_come_to_an_end_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clocks, "monotonic", Ticking(0.3))
    clock = Clock(1.0)
    assert [clock.is_up() for _ in range(4)] == [False, False, False, True]
    with pytest.raises(OutOfTime):
        clock.check()
    assert clock.left == 0.0


def test_without_a_clock_time_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clocks, "monotonic", Ticking(1000.0))
    clock = Clock(None)
    assert not clock.is_up()
    assert clock.left is None
    assert in_time(clock, lambda: "thought", lambda: "guess") == "thought"


@pytest.mark.parametrize("name", ["greedy", "captain:1", "captain:3"])
def test_ideas_that_take_too_long_are_not_waited_for(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    question = asked()
    follow(monkeypatch, Slow(question, ideas_take=1.5))
    answer, seconds = timed(make_bot(name, 0.2), question)
    assert isinstance(answer, GiveOrders)
    assert answer in question.options
    assert seconds < 0.2 + GRACE


def test_a_look_ahead_stops_in_the_middle_with_the_best_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    question = asked()
    doctrine = Slow(question, step_takes=0.02)
    follow(monkeypatch, doctrine)
    bot: Any = make_bot("captain:3", 0.3)
    answer, seconds = timed(bot, question)
    assert answer == doctrine.answers[0]
    assert doctrine.steps > 1
    assert seconds < 0.3 + GRACE
    assert bot.cut_short == 1


def test_one_step_of_a_look_ahead_may_take_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    question = asked()
    doctrine = Slow(question, step_takes=1.5)
    follow(monkeypatch, doctrine)
    answer, seconds = timed(make_bot("captain:3", 0.2), question)
    assert answer == doctrine.answers[0]
    assert seconds < 0.2 + GRACE


def test_an_explanation_says_that_the_clock_cut_it_short(monkeypatch: pytest.MonkeyPatch) -> None:
    question = asked()
    follow(monkeypatch, Slow(question, ideas_take=0.6))
    told = make_bot("captain:2", 0.1).explain(question, Random(1))
    assert told.cut_short
    assert "the clock cut the thinking short" in told.lines()


def test_what_goes_wrong_in_thinking_is_not_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    question = asked()

    def err(*_: object) -> list[Idea]:
        raise KeyError("a bug")

    monkeypatch.setattr(doctrine_of(question.ruleset), "ideas", err)
    with pytest.raises(KeyError, match="a bug"):
        make_bot("captain:1", 1.0).choose(question, Random(1))


def test_thinking_that_was_given_up_does_not_draw_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stream of the answers to come stands where it stands, whatever the thread that was left alone does."""
    question = asked()
    streams = []
    for ideas_take in (0.0, 0.3):
        follow(monkeypatch, Slow(question, ideas_take))
        rng = Random(1)
        make_bot("greedy", 0.1).choose(question, rng)
        streams.append(rng.getstate())
    sleep(0.4)
    assert streams[0] == streams[1]
