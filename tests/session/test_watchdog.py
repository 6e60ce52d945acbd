"""Games with bots go on: whatever becomes of workers, whoever else has queued how much."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sandtable.bots.random import RandomBot
from sandtable.core.errors import Refused
from sandtable.session import registry as registry_module
from sandtable.session.game.live_game import LiveGame
from sandtable.session.presenting.shelf import NewTable
from sandtable.session.registry import Registry
from sandtable.session.store import Person
from sandtable.session.thinking import brain, worker
from sandtable.session.thinking.brain import Mind
from sandtable.session.thinking.robots import Robots
from tests.session import jobs
from tests.session.test_robots import first_question
from tests.session.toy_registry import guests, open_registry, prepare_toy_worker, toy_table, until

GAMES = 50
EVERY = 60
"""Lines played between two blows at the workers."""


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), 1200))


def toy_robots(workers: int = 2, patience: float = 30.0, grace: float = 10.0) -> Robots:
    return Robots(workers, patience=patience, grace=grace, prepare=prepare_toy_worker)


async def bots_play(registry: Registry, person: Person, games: int, bot: str = "bot:random") -> list[LiveGame]:
    made = [await registry.create(person, NewTable("crossroads", {"red": bot, "blue": bot})) for _ in range(games)]
    return [(await registry.table(one.id))[0] for one in made]


def strike(pids: tuple[int, ...], rng: Random) -> None:
    """Stop a worker or kill it."""
    if pids:
        with suppress(ProcessLookupError):
            os.kill(rng.choice(pids), rng.choice([signal.SIGSTOP, signal.SIGKILL]))


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
def test_games_end_although_workers_are_stopped_and_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_START", 15.0)  # one that is stopped while it starts

    async def go() -> None:
        rng = Random(1)
        robots = toy_robots(patience=0.5, grace=0.5)
        async with open_registry(robots=robots) as registry:
            (person,) = await guests(registry, 1)
            tables = await bots_play(registry, person, GAMES)
            assert robots.workers is not None
            struck, blows = 0, 0
            while not all(table.is_over for table in tables):
                played = sum(table.play.v for table in tables)
                if played >= struck + EVERY:
                    struck, blows = played, blows + 1
                    strike(robots.workers.processes, rng)
                await asyncio.sleep(0.01)
            assert blows >= 5

    run(go)


@pytest.mark.usefixtures("toy")
def test_a_bystander_is_served_in_turn() -> None:
    """Thirty games of one guest, then one of another: his does not wait until each of theirs was served.

    Whose turn it is next is tested of the workers themselves. Here a busy machine may serve the crowd twice while the
    bystander's game has not yet asked again; without turns it would be thirty times.
    """

    async def go() -> None:
        async with open_registry(robots=toy_robots(1)) as registry:
            crowd, bystander = await guests(registry)
            many = await bots_play(registry, crowd, 30)
            before = sum(table.play.v for table in many)
            (mine,) = await bots_play(registry, bystander, 1)
            first = mine.play.v
            await until(lambda: mine.is_over)
            theirs = sum(table.play.v for table in many) - before
            assert theirs <= 10 * (mine.play.v - first)
            await until(lambda: all(table.is_over for table in many))

    run(go)


def test_waiting_is_not_thinking(tmp_path: Path) -> None:
    """A question waits for longer than it may be thought about, and is answered by the one who was asked."""
    standing, seat = first_question()
    gate = tmp_path / "gate"

    async def go() -> None:
        robots = Robots(1, patience=4.0, grace=0.0)
        assert robots.workers is not None
        await robots.choose("random", standing, seat, "bystander")  # the scenario is bound
        busy = robots.workers.submit(jobs.wait_for, str(gate), owner="crowd", limit=60.0)
        answer = asyncio.ensure_future(robots.choose("random", standing, seat, "bystander"))
        await asyncio.sleep(4.5)
        gate.touch()
        assert (await answer).bot == "random"
        await busy
        await robots.close()

    run(go)


@pytest.mark.usefixtures("toy")
def test_a_cancelled_job_is_an_ordinary_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    async def go() -> None:
        robots = toy_robots(1)
        async with open_registry(robots=robots) as registry:
            assert robots.workers is not None
            plain = robots.workers.submit
            asked: list[asyncio.Future[Any]] = []

            def submit(*given: Any, **named: Any) -> asyncio.Future[Any]:
                asked.append(plain(*given, **named))
                if len(asked) <= 3:
                    asked[-1].cancel()
                return asked[-1]

            monkeypatch.setattr(robots.workers, "submit", submit)
            table, _ = await toy_table(registry, "bot:random", "bot:random")
            await until(lambda: table.is_over)
            # Asked twice in vain, and a plain one once, a random answer stood in; after that all answer.
            assert [line.text for line in table.chat] == [
                "Random came to no answer for red; a random legal one stands in."
            ]

    run(go)


@pytest.mark.usefixtures("toy")
def test_a_plain_bot_answers_for_one_that_takes_too_long_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*_: object) -> object:
        raise brain.TookTooLong

    monkeypatch.setattr(RandomBot, "consider", slow)

    async def go() -> None:
        async with open_registry() as registry:
            table, _ = await toy_table(registry, "bot:random", "me")
            await until(lambda: table.chat)
            assert table.chat[0].text == "Random came to no answer for red; Greedy answers."

    run(go)


@pytest.mark.usefixtures("toy")
def test_one_person_has_so_many_games_of_bots_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry_module, "_MOST_OF_BOTS", 3)

    async def go() -> None:
        async with open_registry(pace=0.0) as registry:
            crowd, bystander = await guests(registry)
            monkeypatch.setattr(registry.robots, "choose", never)
            await bots_play(registry, crowd, 3)
            with pytest.raises(Refused, match="3 games that only bots play"):
                await bots_play(registry, crowd, 1)
            await registry.create(crowd, NewTable("crossroads", {"red": "me", "blue": "bot:random"}))
            await bots_play(registry, bystander, 1)

    async def never(*_: object) -> Any:
        await asyncio.sleep(3600)

    run(go)


def test_nobody_has_all_the_places_for_advice() -> None:
    """One person may wait for three pieces of advice; another is advised all the same."""
    standing, seat = first_question()

    async def go() -> None:
        robots = Robots(0)
        mind = Mind("random", seat, 1)
        waiting = [asyncio.ensure_future(robots.advise(standing, mind, "crowd")) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(Refused, match="3 questions to the computer of yours are waiting"):
            await robots.advise(standing, mind, "crowd")
        assert (await robots.advise(standing, mind, "bystander")).chosen
        await asyncio.gather(*waiting)
        await robots.close()

    run(go)
