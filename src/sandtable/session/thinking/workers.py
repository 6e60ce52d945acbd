"""Workers: processes of their own for work that may fail, never end, or bring its process down.

Each worker does one job at a time, over a pipe of its own. A worker that dies, is stopped or takes too long is killed
and takes nothing with it but its job; the next job gets a new one. Time runs from when a job starts, not from when it
was asked for. Whoever asks does so for an owner: the owners are served in turn, however much one of them has asked
for. Cancelling what :meth:`Workers.submit` gives ends the job, wherever it is.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import threading
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, TypeVar

__all__ = ["OutOfTime", "WorkerDied", "Workers"]

T = TypeVar("T")
_START = 60.0
"""Seconds that a new process has to load the program: a machine under load takes long for it."""
_REST = 600.0


class OutOfTime(Exception):
    """A job did not come to its end in its time."""


class WorkerDied(Exception):
    """The process that did a job was killed, or died of it."""


class _Lane(NamedTuple):
    """Where jobs wait in order."""

    owner: str
    can_wait: bool


class _Job(NamedTuple):
    work: Callable[..., Any]
    given: tuple[Any, ...]
    lane: _Lane
    limit: float
    tell: Callable[[Any], None] | None
    future: asyncio.Future[Any]


class Workers:
    """Up to so many processes, made when they are needed."""

    def __init__(
        self,
        count: int,
        prepare: Callable[..., None] | None = None,
        given: tuple[Any, ...] = (),
        *,
        rest: float = _REST,
    ) -> None:
        """`prepare(*given)` is called once in every new process; one that has rested for so long is let go."""
        self._count = max(1, count)
        self._hiring = (prepare, given)
        self._rest = rest
        # One thread for each worker: it waits for the worker's answer.
        self._threads = ThreadPoolExecutor(self._count, thread_name_prefix="worker")
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._waiting: dict[_Lane, deque[_Job]] = {}
        self._running: Counter[_Lane] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closed = False

    @property
    def processes(self) -> tuple[int, ...]:
        """The processes that there are now."""
        return tuple(worker.pid for worker in self._all)

    def asked(self, owner: str) -> int:
        """How many jobs of an owner wait or are worked at."""
        lanes = (_Lane(owner, can_wait=False), _Lane(owner, can_wait=True))
        return sum(len(self._waiting.get(lane, ())) + self._running[lane] for lane in lanes)

    @property
    def load(self) -> int:
        """How many jobs wait or are worked at."""
        return sum(map(len, self._waiting.values())) + self._running.total()

    def submit(
        self,
        work: Callable[..., T],
        *given: Any,
        owner: str = "",
        limit: float,
        can_wait: bool = False,
        tell: Callable[[Any], None] | None = None,
    ) -> asyncio.Future[T]:
        """Have `work(*given)` done in a process, within `limit` seconds from its start.

        The future gives what the work returns or raises, or raises :class:`OutOfTime` or :class:`WorkerDied`. Work
        that can wait leaves one worker to what cannot. Where there is a `tell`, the work is given one more argument,
        a function that says how far it is: what it says is told here.
        """
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        lane = _Lane(owner, can_wait)
        self._waiting.setdefault(lane, deque()).append(_Job(work, given, lane, limit, tell, future))
        self._deal()
        return future

    async def close(self) -> None:
        """End every process, whatever it is doing."""
        self._is_closed = True
        for lane in self._waiting.values():
            for job in lane:
                job.future.cancel()
        self._waiting.clear()
        for worker in list(self._all):
            worker.kill()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.to_thread(self._threads.shutdown)
        for worker in list(self._all):
            await asyncio.to_thread(worker.bury)
        self._all.clear()

    def _deal(self) -> None:
        """Give jobs to whoever is free."""
        while not self._is_closed and self._running.total() < self._count:
            job = self._next()
            if job is None:
                return
            self._running[job.lane] += 1
            task = asyncio.get_running_loop().create_task(self._see_to(job))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _next(self) -> _Job | None:
        """The job whose turn it is: of the owner who has least in hand, and of those who was served longest ago."""
        patient = sum(count for lane, count in self._running.items() if lane.can_wait)
        is_full = patient >= max(1, self._count - 1)
        lanes = [lane for lane in self._waiting if not (lane.can_wait and is_full)]
        if not lanes:
            return None
        lane = min(lanes, key=self._running.__getitem__)
        queue = self._waiting.pop(lane)
        job = queue.popleft()
        if queue:
            self._waiting[lane] = queue  # at the end of the turn
        return job if not job.future.done() else self._next()

    async def _see_to(self, job: _Job) -> None:
        try:
            outcome = await self._outcome(job)
        except Exception as error:  # noqa: BLE001 - whoever asked is told
            outcome = _Outcome(None, error)
        self._running[job.lane] -= 1
        if not self._running[job.lane]:
            del self._running[job.lane]
        if not job.future.done():
            if outcome.error is not None:
                job.future.set_exception(outcome.error)
            else:
                job.future.set_result(outcome.value)
        self._deal()

    async def _outcome(self, job: _Job) -> _Outcome:
        loop = asyncio.get_running_loop()
        rested = self._rested()
        worker = await loop.run_in_executor(self._threads, self._hire) if rested is None else rested
        is_late = False

        def out_of_time() -> None:
            nonlocal is_late
            is_late = True
            worker.kill()

        def left(future: asyncio.Future[Any]) -> None:
            if future.cancelled():
                worker.kill()

        alarm = loop.call_later(job.limit, out_of_time)
        job.future.add_done_callback(left)
        try:
            if job.future.done() or self._is_closed:
                raise WorkerDied  # whoever asked left while the worker came
            return await loop.run_in_executor(self._threads, worker.do, job, loop)
        except (EOFError, OSError):
            if rested is not None and not worker.has_begun and not is_late and not job.future.done():
                return await self._outcome(job)  # it died at rest, which is not this job's loss
            raise OutOfTime if is_late else WorkerDied from None
        except asyncio.CancelledError:
            worker.kill()
            raise
        finally:
            alarm.cancel()
            job.future.remove_done_callback(left)
            if self._is_closed:
                worker.kill()
            self._idle.append(worker)
            worker.bedtime = loop.call_later(self._rest, self._let_go, worker)

    def _let_go(self, worker: _Worker) -> None:
        """End a worker who has had nothing to do for long."""
        worker.kill()
        self._bury_dead()

    def _rested(self) -> _Worker | None:
        """A worker who has nothing to do, if there is one."""
        self._bury_dead()
        worker = self._idle.pop() if self._idle else None
        if worker is not None and worker.bedtime is not None:
            worker.bedtime.cancel()
        return worker

    def _bury_dead(self) -> None:
        for worker in [one for one in self._idle if not one.is_alive]:
            self._idle.remove(worker)
            self._all.discard(worker)
            worker.bury()

    def _hire(self) -> _Worker:
        worker = _Worker(*self._hiring)
        self._all.add(worker)
        try:
            worker.wait_until_ready()
        except (EOFError, OSError):
            self._all.discard(worker)
            worker.bury()
            raise WorkerDied from None
        return worker


class _Outcome(NamedTuple):
    """What came of a job."""

    value: Any
    error: Exception | None


class _Worker:
    """A process and our end of its pipe."""

    def __init__(self, prepare: Callable[..., None] | None, given: tuple[Any, ...]) -> None:
        # Spawned, not forked: the server has threads.
        context = get_context("spawn")
        self._pipe, there = context.Pipe()
        self._process = context.Process(target=_serve, args=(there, prepare, given), daemon=True)
        self._process.start()
        there.close()
        self._is_lost = False
        self.bedtime: asyncio.TimerHandle | None = None
        self.has_begun = False
        """Whether the job that it was given last reached it."""

    @property
    def pid(self) -> int:
        return self._process.pid or 0

    @property
    def is_alive(self) -> bool:
        return not self._is_lost and self._process.is_alive()

    def wait_until_ready(self) -> None:
        if not self._pipe.poll(_START):
            raise EOFError
        self._pipe.recv()

    def do(self, job: _Job, loop: asyncio.AbstractEventLoop) -> _Outcome:
        """Have it done; raise :class:`EOFError` or :class:`OSError` if the process ends."""
        packed = pickle.dumps((job.work, job.given, job.tell is not None))
        self.has_begun = False
        try:
            self._pipe.send_bytes(packed)
            self._pipe.recv()
            self.has_begun = True
            # Our own process wrote what it answers.
            while not isinstance(answer := pickle.loads(self._pipe.recv_bytes()), _Outcome):  # noqa: S301
                if job.tell is not None:
                    loop.call_soon_threadsafe(job.tell, answer)
        except (EOFError, OSError):
            self._is_lost = True
            raise
        return answer

    def kill(self) -> None:
        """End it at once: this reaches a process that is stopped, too."""
        self._is_lost = True
        with suppress(ValueError):  # as in bury
            self._process.kill()

    def bury(self) -> None:
        """Let go of what is left of it; a process that was killed is gone in a moment."""
        self.kill()
        with suppress(ValueError):  # buried already
            self._process.join()
            self._process.close()
        self._pipe.close()


def _serve(pipe: Connection, prepare: Callable[..., None] | None, given: tuple[Any, ...]) -> None:
    """In the process: do one job after another until the server hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's
    threading.Thread(target=_end_with_server, daemon=True).start()
    if prepare is not None:
        prepare(*given)
    pipe.send(None)
    with suppress(EOFError, OSError):
        while True:
            packed = pipe.recv_bytes()
            pipe.send(None)  # it has reached us
            pipe.send_bytes(_done(packed, pipe.send))


def _done(packed: bytes, tell: Callable[[Any], None]) -> bytes:
    """What comes of a job, packed."""
    try:
        work, given, is_told = pickle.loads(packed)  # noqa: S301 - the server wrote it
        return pickle.dumps(_Outcome(work(*given, tell) if is_told else work(*given), None))
    except Exception as error:  # noqa: BLE001 - whoever asked is told
        return _packed_error(error)


def _packed_error(error: Exception) -> bytes:
    """The error itself, where it survives the way; else what it says."""
    try:
        packed = pickle.dumps(_Outcome(None, error))
        pickle.loads(packed)  # noqa: S301 - our own
    except Exception:  # noqa: BLE001 - errors of others take arguments of any kind
        packed = pickle.dumps(_Outcome(None, RuntimeError(f"{type(error).__name__}: {error}")))
    return packed


def _end_with_server() -> None:
    """A server that is killed closes nothing: its workers would go on."""
    server = parent_process()
    if server is not None:
        server.join()
        os._exit(0)
