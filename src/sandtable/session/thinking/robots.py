"""Bots at work: they think in processes of their own, a few at a time, and always come to an answer.

A server gives them workers, so that the event loop stays free and a bot that never ends can be ended; tests and small
programs let them think in threads. A bot that fails is asked once more; if it fails again, or takes too long, a plain
one is asked; if that fails too, a random answer stands in, so that no game hangs on a bot: whoever asked is told, and
the log of the server says why. Work is done for an owner, and owners are served in turn.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any, NamedTuple, TypeVar

from sandtable.bots import Question
from sandtable.core.codec import decode, encode, pack
from sandtable.core.content.pack import Pack
from sandtable.core.decision import Seat
from sandtable.core.errors import Refusal, Refused, RulesBug
from sandtable.core.log import Header
from sandtable.core.ruleset import Ruleset
from sandtable.session.people.shares import Shares
from sandtable.session.presenting.advice import Advice
from sandtable.session.thinking.brain import (
    Mind,
    PackedStanding,
    Task,
    TookTooLong,
    advise,
    advise_task,
    choose,
    choose_task,
    prepare_worker,
)
from sandtable.session.thinking.workers import OutOfTime, WorkerDied, Workers

__all__ = ["Answer", "Robots", "Standing", "new_seed"]

T = TypeVar("T")
_log = logging.getLogger(__name__)
_GRACE = 10.0
"""Seconds beyond its patience that a worker has to say so itself: the first task of a worker binds a scenario."""
_MOST_ASKING, _MOST_ASKING_EACH = 24, 3
"""Questions for advice that wait at once, of all and of one person."""
_THREADS = 2
_PLAIN = "greedy"
"""Who answers for a bot that took too long: quick, and not stupid."""


class Standing(NamedTuple):
    """Where a question is asked: the rules and what the seat knows."""

    ruleset: Ruleset[Any, Any, Any]
    header: Header
    """Of the game, from which a worker binds the rules."""
    known: Any


class Answer(NamedTuple):
    """The action that a bot chose, and with which stream of chance."""

    action: Any
    bot: str = ""
    """Who answered; ``""`` where a random answer stands in."""
    seed: int = 0
    """Of the stream that it thought with."""


def new_seed() -> int:
    """A seed that nobody can guess."""
    return secrets.randbits(63)


class Robots:
    """The bots of all tables."""

    def __init__(
        self,
        workers: int = 0,
        packs: Sequence[Pack] = (),
        *,
        patience: float = 12.0,
        grace: float = _GRACE,
        prepare: Callable[..., None] = prepare_worker,
    ) -> None:
        """With no ``workers`` they think in threads; ``prepare`` makes a worker ready, given the packs."""
        given = [(pack.where, dict(pack.files)) for pack in packs]
        self.workers = Workers(workers, prepare, (given,)) if workers else None
        self._patience = patience
        self._grace = grace
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="bot")
        self._turns = asyncio.Semaphore(_THREADS)
        self._asking = Shares("questions to the computer", _MOST_ASKING, _MOST_ASKING_EACH)

    async def choose(self, bot: str, standing: Standing, seat: str, owner: str = "") -> Answer:
        """The answer of a bot; of a plain one or a random one where the bot comes to none."""
        question: Question[Any] = Question(standing.ruleset, standing.known, Seat(seat))
        left = [_PLAIN, bot, bot]
        while left:
            asked = left.pop()
            mind = Mind(asked, seat, new_seed())
            try:
                action = await self._chosen(question, standing, mind, owner)
                await self._check(question, action, asked)
                return Answer(action, asked, mind.seed)
            except (Exception, asyncio.CancelledError) as error:
                if _is_cancelled():
                    raise  # it is the game that does not want to know any more
                # Whatever a bot does wrong, and whatever becomes of its worker, the game goes on.
                _log.warning("bot %s failed for %s: %r", asked, seat, error, exc_info=_fault(error))
                if isinstance(error, TookTooLong | TimeoutError | OutOfTime):
                    del left[1:]  # it would take too long again
        loop = asyncio.get_running_loop()
        return Answer(await loop.run_in_executor(self._threads, question.options.sample, Random(new_seed())))

    async def _chosen(self, question: Question[Any], standing: Standing, mind: Mind, owner: str) -> Any:
        if self.workers is None:
            return await self._in_thread(choose, question, mind)
        limit = self._patience + self._grace
        found = await self.workers.submit(
            choose_task, self._task(standing, mind), owner=owner, limit=limit, is_shared=True
        )
        return decode(found, standing.ruleset.action_type)

    async def _check(self, question: Question[Any], action: Any, bot: str) -> None:
        """A worker may have thought about something else than was asked: the game would stand still over its answer."""
        loop = asyncio.get_running_loop()
        if not await loop.run_in_executor(self._threads, question.options.__contains__, action):
            raise RulesBug(f"{bot} answered {action!r}, which is not possible here")

    async def advise(self, standing: Standing, mind: Mind, owner: str = "", *, or_plain: bool = False) -> Advice:
        """What a bot would do and why; raise :class:`Refused` if it cannot say, or too many ask.

        ``or_plain`` lets a plain one advise where this one takes too long, as on a busy machine.
        """
        with self._asking.taken(owner):
            return await self._advised(standing, mind, owner, or_plain=or_plain)

    async def _advised(self, standing: Standing, mind: Mind, owner: str, *, or_plain: bool) -> Advice:
        try:
            if self.workers is not None:
                task = self._task(standing, mind)
                limit = self._patience + self._grace
                # The bots at the tables, who use the same workers, must not wait for advice.
                return await self.workers.submit(
                    advise_task, task, owner=owner, limit=limit, can_wait=True, is_shared=True
                )
            question: Question[Any] = Question(standing.ruleset, standing.known, Seat(mind.seat))
            return await self._in_thread(advise, question, mind)
        except (Exception, asyncio.CancelledError) as error:
            if _is_cancelled():
                raise
            _log.warning("bot %s cannot say what it would do: %r", mind.bot, error, exc_info=_fault(error))
            if or_plain and isinstance(error, TookTooLong | TimeoutError | OutOfTime):
                return await self._advised(standing, Mind(_PLAIN, mind.seat, new_seed()), owner, or_plain=False)
            raise Refused(Refusal("", "the computer could not make up its mind", "ask again, or another one")) from None

    # --- where they think ---

    def _task(self, standing: Standing, mind: Mind) -> Task:
        """The question as it travels to a worker."""
        header = standing.header
        position = PackedStanding(header.system, encode(header.scenario), pack(standing.known), mind.seat)
        return Task(position, mind, self._patience)

    async def _in_thread(self, work: Callable[..., T], *given: Any) -> T:
        async with self._turns:
            loop = asyncio.get_running_loop()
            thinking = loop.run_in_executor(self._threads, work, *given)
            return await asyncio.wait_for(asyncio.shield(thinking), self._patience + self._grace)

    async def close(self) -> None:
        """Let them go; workers in the middle of a thought are ended."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        if self.workers is not None:
            await self.workers.close()


def _fault(error: BaseException) -> BaseException | None:
    """The error where it is a fault of ours, to be looked into; that work was cut off says all there is to say."""
    return None if isinstance(error, TookTooLong | OutOfTime | WorkerDied | asyncio.CancelledError) else error


def _is_cancelled() -> bool:
    """Whether the one who waits was told to leave off; a job may be cancelled without that."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
