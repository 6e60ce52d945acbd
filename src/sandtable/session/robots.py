"""Bots at work: they think in processes of their own, a few at a time, and always come to an answer.

A server gives them worker processes, so that the event loop stays free and a bot that never ends can be ended; tests
and small programs let them think in threads. A bot that fails is asked once more, then a random answer stands in for
it, so that no game hangs on it: whoever asked is told, and the log of the server says why.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context
from random import Random
from typing import Any, NamedTuple, TypeVar

from sandtable.bots import Question
from sandtable.core.codec import decode, encode
from sandtable.core.decision import Seat
from sandtable.core.errors import Refusal, Refused
from sandtable.core.log import Header
from sandtable.core.pack import Pack
from sandtable.core.ruleset import Ruleset
from sandtable.session.brain import (
    Mind,
    Task,
    TookTooLong,
    advise,
    advise_task,
    choose,
    choose_task,
    prepare_worker,
)
from sandtable.session.counsel import Advice

__all__ = ["Answer", "Robots", "Standing", "new_seed"]

T = TypeVar("T")
_log = logging.getLogger(__name__)
_GRACE = 10.0
"""Seconds beyond its patience that a worker has to say so itself: the first task of a worker binds a scenario."""
_MOST_ASKING = 24
"""People who wait for advice at once."""


class Standing(NamedTuple):
    """Where a question is asked: the rules and what the seat knows."""

    ruleset: Ruleset[Any, Any, Any]
    header: Header | None
    """Of the game, from which a worker binds the rules; None where there is none, as for a situation."""
    known: Any


class Answer(NamedTuple):
    """What a bot does."""

    action: Any
    seed: int | None
    """Of the stream that it thought with; None where a random answer stands in."""


def new_seed() -> int:
    """A seed that nobody can guess."""
    return secrets.randbits(63)


class Robots:
    """The bots of all tables."""

    def __init__(self, workers: int = 0, packs: Sequence[Pack] = (), *, patience: float = 12.0) -> None:
        self._workers = workers
        self._packs = [(pack.where, dict(pack.files)) for pack in packs]
        self._patience = patience
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="bot")
        self._processes: ProcessPoolExecutor | None = None
        # Advice can wait; the bots at the tables, who use the same workers, must not wait for it.
        self._advising = asyncio.Semaphore(max(1, workers - 1))
        self._asking = 0

    async def choose(self, bot: str, standing: Standing, seat: str) -> Answer:
        """The answer of a bot, or a random one where the bot comes to none."""
        question: Question[Any] = Question(standing.ruleset, standing.known, Seat(seat))
        for attempt in (1, 2):
            mind = Mind(bot, seat, new_seed())
            try:
                return Answer(await self._chosen(question, standing, mind), mind.seed)
            except Exception as error:  # noqa: BLE001 - whatever a bot does wrong, the game goes on
                _log.warning("bot %s failed for %s, attempt %d", bot, seat, attempt, exc_info=error)
                if isinstance(error, TookTooLong | TimeoutError):
                    break
        loop = asyncio.get_running_loop()
        rng = Random(new_seed())
        return Answer(await loop.run_in_executor(None, question.options.sample, rng), None)

    async def _chosen(self, question: Question[Any], standing: Standing, mind: Mind) -> Any:
        task = self._task(standing, mind)
        if task is None:
            return await self._run(self._threads, choose, question, mind)
        found = await self._apart(choose_task, task)
        return decode(found, standing.ruleset.action_type)

    async def advise(self, standing: Standing, mind: Mind) -> Advice:
        """What a bot would do and why; raise :class:`Refused` if it cannot say, or too many ask."""
        if self._asking >= _MOST_ASKING:
            raise Refused(Refusal("", "too many ask the computer for advice just now", "try again in a moment"))
        self._asking += 1
        try:
            async with self._advising:
                return await self._advised(standing, mind)
        finally:
            self._asking -= 1

    async def _advised(self, standing: Standing, mind: Mind) -> Advice:
        try:
            task = self._task(standing, mind)
            if task is not None:
                return await self._apart(advise_task, task)
            question: Question[Any] = Question(standing.ruleset, standing.known, Seat(mind.seat))
            return await self._run(self._threads, advise, question, mind)
        except Exception as error:  # noqa: BLE001 - whatever a bot does wrong, the one who asked is answered
            _log.warning("bot %s cannot say what it would do", mind.bot, exc_info=error)
            raise Refused(Refusal("", "the computer could not make up its mind", "ask again, or another one")) from None

    # --- where they think ---

    def _task(self, standing: Standing, mind: Mind) -> Task | None:
        """The question as it travels to a worker; None where it is thought about here."""
        header = standing.header
        if not self._workers or header is None:
            return None
        return Task(header.system, encode(header.scenario), encode(standing.known), mind, self._patience)

    async def _apart(self, work: Callable[[Task], T], task: Task) -> T:
        pool = self._pool()
        try:
            return await self._run(pool, work, task)
        except (BrokenProcessPool, TimeoutError):
            # A worker was killed, or does not even answer its alarm: the next task gets new ones.
            if self._processes is pool:
                self._processes = None
            pool.shutdown(wait=False, cancel_futures=True)
            raise

    def _pool(self) -> ProcessPoolExecutor:
        if self._processes is None:
            # Spawned, not forked: the server has threads.
            self._processes = ProcessPoolExecutor(
                self._workers, mp_context=get_context("spawn"), initializer=prepare_worker, initargs=(self._packs,)
            )
        return self._processes

    async def _run(self, where: Executor, work: Callable[..., T], *given: Any) -> T:
        loop = asyncio.get_running_loop()
        thinking = loop.run_in_executor(where, work, *given)
        return await asyncio.wait_for(asyncio.shield(thinking), self._patience + _GRACE)

    def close(self) -> None:
        """Let them go; workers in the middle of a thought are ended."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        pool, self._processes = self._processes, None
        if pool is not None:
            # Python 3.14 has a public way; without the end of its workers the pool would wait for their thoughts.
            for worker in list(getattr(pool, "_processes", None) or {}):
                with suppress(ProcessLookupError):
                    os.kill(worker, signal.SIGTERM)
            pool.shutdown(wait=True, cancel_futures=True)
