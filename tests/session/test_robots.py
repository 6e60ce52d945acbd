"""Bots at work: in processes of their own, in time, and with an answer whatever happens to them."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from sandtable import catalog
from sandtable.bots import Explanation, Judgement, Question, make_bot
from sandtable.bots.doctrine import doctrine_of
from sandtable.bots.greedy import GreedyBot
from sandtable.bots.random import RandomBot
from sandtable.core.codec import to_plain
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.core.errors import Refused
from sandtable.session.files.exhibit import Exhibit
from sandtable.session.people.opponents import bot_title
from sandtable.session.presenting.shelf import OpenFile
from sandtable.session.thinking import brain
from sandtable.session.thinking.brain import Mind
from sandtable.session.thinking.robots import Robots, Standing
from sandtable.session.thinking.workers import OutOfTime
from sandtable.systems.panzer.hex.actions import ChooseFirstPlayer
from tests.session.processes import is_running
from tests.session.toy_registry import guests, open_registry

SCENARIO = "na-a-patrol-at-tamrad"
ROOT = Path(__file__).parents[2]


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 120))


def first_question() -> tuple[Standing, str]:
    """The first question of a short scenario, as one of those who are asked knows it."""
    opened = catalog.open_scenario(SCENARIO, ())
    state = opened.ruleset.begin(opened.ruleset.setup(), SeededDice(1)).state
    decision = opened.ruleset.decision(state)
    assert decision is not None
    seat = decision.asked[0]
    return Standing(opened.ruleset, opened.header, opened.ruleset.conceal(state, seat)), seat


def test_a_worker_answers_as_a_thread_does_and_its_death_is_got_over() -> None:
    standing, seat = first_question()
    decision = standing.ruleset.decision(standing.known)
    assert decision is not None

    async def go() -> None:
        apart, here = Robots(1), Robots(0)
        try:
            mind = Mind("greedy", seat, 11)
            # Once in vain: a worker binds the scenario with its first question, which on a busy machine may take all
            # the time that a bot has.
            await apart.advise(standing, mind)
            advice = await apart.advise(standing, mind)
            assert advice == await here.advise(standing, mind)
            assert advice.units
            assert apart.workers is not None
            for pid in apart.workers.processes:
                os.kill(pid, signal.SIGKILL)
            answer = await apart.choose("greedy", standing, seat)
            assert answer.bot == "greedy"
            assert answer.action in decision.options(Seat(seat))
        finally:
            await apart.close()
            await here.close()

    run(go())


_LEFT_ALONE = """
import asyncio, time
from tests.session.test_robots import first_question
from sandtable.session.thinking.robots import Robots

async def go():
    robots = Robots(1)
    standing, seat = first_question()
    await robots.choose("random", standing, seat)
    print(*robots.workers.processes, flush=True)
    time.sleep(60)

asyncio.run(go())
"""


def test_the_workers_of_a_server_that_is_killed_end_too() -> None:
    with subprocess.Popen([sys.executable, "-c", _LEFT_ALONE], stdout=subprocess.PIPE, text=True, cwd=ROOT) as server:
        assert server.stdout is not None
        worker = int(server.stdout.readline())
        assert is_running(worker)
        server.kill()
    until = time.monotonic() + 30
    while is_running(worker):
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_question_travels_in_its_order() -> None:
    """Which unit of a stack is the first decides who may be put on top, and how a party is named."""
    opened = catalog.open_scenario("goss-0-the-lorn-crossing", ())
    state = opened.ruleset.begin(opened.ruleset.setup(), SeededDice(1)).state
    decision = opened.ruleset.decision(state)
    assert decision is not None
    known: Any = state
    assert list(known.units) != sorted(known.units)
    task = Robots(0)._task(Standing(opened.ruleset, opened.header, known), Mind("greedy", decision.asked[0], 1))
    assert list(brain._question(task.position).known.units) == list(known.units)


def test_an_answer_to_another_question_is_not_given() -> None:
    """As of a worker who was told the wrong position: the game would stand still."""
    standing, seat = first_question()

    class Astray(Robots):
        async def _chosen(self, *_: object) -> Any:
            return ChooseFirstPlayer(Seat(seat))

    async def go() -> None:
        robots = Astray(0)
        try:
            answer = await robots.choose("greedy", standing, seat)
        finally:
            await robots.close()
        assert answer.bot == ""
        decision = standing.ruleset.decision(standing.known)
        assert decision is not None
        assert answer.action in decision.options(Seat(seat))

    run(go())


def test_a_bot_that_never_ends_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> object:
        while True:
            pass

    monkeypatch.setattr(RandomBot, "consider", never)
    standing, seat = first_question()
    robots = Robots(1, patience=0.2)
    task = robots._task(standing, Mind("random", seat, 1))
    with pytest.raises(brain.TookTooLong):
        brain.choose_task(task)


@pytest.mark.parametrize("bot", ["greedy", "captain:1"])
def test_a_hint_is_thought_out_once(bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Choosing and explaining are one thinking, whose answer is the one that is told."""
    standing, seat = first_question()
    question: Question[Any] = Question(standing.ruleset, standing.known, Seat(seat))
    doctrine: Any = doctrine_of(standing.ruleset)
    thoughts: list[Any] = []
    plain = doctrine.slots

    def counted(*given: Any) -> Any:
        thoughts.append(given)
        return plain(*given)

    monkeypatch.setattr(doctrine, "slots", counted)
    # Without a clock: on a busy machine the first thoughts about a scenario may take longer than a second.
    monkeypatch.setattr(brain, "make_bot", lambda name, **_: make_bot(name, None))
    mind = Mind(bot, seat, 11)
    advice = brain.advise(question, mind)
    assert len(thoughts) == 1
    action = brain.choose(question, mind)
    assert advice.action == to_plain(action)
    assert advice.chosen == standing.ruleset.describe(action)


def test_an_answer_that_is_none_is_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    standing, seat = first_question()
    decision = standing.ruleset.decision(standing.known)
    assert decision is not None
    monkeypatch.setattr(RandomBot, "consider", lambda *_: Judgement("nonsense", lambda: Explanation("", "", "", "")))

    async def go() -> None:
        robots = Robots(0)
        answer = await robots.choose("random", standing, seat)
        assert answer.bot == "greedy", "a plain one stands in"
        assert answer.action in decision.options(Seat(seat))
        monkeypatch.setattr(GreedyBot, "consider", RandomBot.consider)
        answer = await robots.choose("random", standing, seat)
        assert not answer.bot, "at the last nobody's"
        assert answer.action in decision.options(Seat(seat))
        with pytest.raises(Refused, match="mind"):
            await robots.advise(standing, Mind("random", seat, 1))
        await robots.close()

    run(go())


class Late:
    """Workers that end whatever one bot begins."""

    def __init__(self, slow: str) -> None:
        self.slow = slow
        self.asked: list[str] = []

    def submit(self, work: Any, task: brain.Task, **_: object) -> asyncio.Future[Any]:
        self.asked.append(task.mind.bot)
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        if task.mind.bot == self.slow:
            future.set_exception(OutOfTime())
        else:
            future.set_result(work(task))
        return future


def test_a_bot_whose_process_had_to_be_ended_for_time_gives_way_to_a_plain_one() -> None:
    standing, seat = first_question()

    async def go() -> None:
        robots = Robots(0)
        late: Any = Late("captain:2")
        robots.workers = late
        answer = await robots.choose("captain:2", standing, seat)
        assert late.asked == ["captain:2", "greedy"], "what took too long once is not tried again"
        assert answer.bot == "greedy"
        mind = Mind("captain:2", seat, 1)
        assert (await robots.advise(standing, mind, or_plain=True)).bot == bot_title("greedy"), "a hint too"
        with pytest.raises(Refused, match="mind"):
            await robots.advise(standing, mind)  # his own reasons nobody else can tell

    run(go())


def test_a_bot_thinks_about_a_situation_in_a_process() -> None:
    """A situation has no scenario of its own: what it says is what a worker binds the rules from."""
    path = ROOT / "tests" / "perft" / "na-direct-fire.yaml"

    async def go() -> None:
        async with open_registry(robots=Robots(1)) as registry:
            (person,) = await guests(registry, 1)
            made = await registry.open_file(person, OpenFile(path.name, path.read_text(encoding="utf-8")))
            exhibit, _ = await registry.look(made.id)
            assert isinstance(exhibit, Exhibit)
            state = exhibit.shown.states[0]
            ruleset = exhibit.shown.ruleset
            decision = ruleset.decision(state)
            assert decision is not None
            seat = decision.asked[0]
            standing = Standing(ruleset, exhibit.header, ruleset.conceal(state, seat))
            mind = Mind("greedy", seat, 11)
            assert await registry.robots.advise(standing, mind) == await Robots(0).advise(standing, mind)
            assert registry.robots.workers is not None
            assert registry.robots.workers.processes, "it was thought about there"

    run(go())
