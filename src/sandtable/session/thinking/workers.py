"""Workers: processes of their own for work that may fail, never end, or bring its process down.

Each worker does one job at a time, over a pipe of its own. A worker that dies, is stopped or takes too long is killed
and takes nothing with it but its job; the next job gets a new one. Time runs from when a job starts, not from when it
was asked for. Whoever asks does so for an owner: the owners are served in turn, however much one of them has asked
for. Cancelling what :meth:`Workers.submit` gives ends the job, wherever it is.

A job may have :class:`Colleagues`: workers who have nothing to do and for whom nothing waits do parts of it. Whoever
asks them is told at once if nobody is free, and may never be told at all if somebody dies: he must be able to do
without.
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
from itertools import count
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any, NamedTuple, TypeVar

__all__ = ["Colleagues", "OutOfTime", "Outcome", "Worker", "WorkerDied", "Workers"]

T = TypeVar("T")
_START = 60.0
"""Seconds that a new process has to load the program: a machine under load takes long for it."""
_REST = 600.0
_PAUSE = 0.03
"""Seconds after which one who was told that nobody is free asks again."""
_JOB, _REPLY = b"j", b"r"
"""What a message to a worker begins with."""


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
    is_shared: bool
    future: asyncio.Future[Any]


class _Part(NamedTuple):
    """What one who is at a job asks his colleagues to do."""

    number: int
    work: Callable[..., Any]
    given: tuple[Any, ...]


class _Reply(NamedTuple):
    """What came of a part; None if nothing did."""

    number: int
    value: Any


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
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()
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
        is_shared: bool = False,
    ) -> asyncio.Future[T]:
        """Have `work(*given)` done in a process, within `limit` seconds from its start.

        The future gives what the work returns or raises, or raises :class:`OutOfTime` or :class:`WorkerDied`. Work
        that can wait leaves one worker to what cannot. Where there is a `tell`, the work is given one more argument,
        a function that says how far it is: what it says is told here. Shared work is given its :class:`Colleagues`.
        """
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        lane = _Lane(owner, can_wait)
        self._waiting.setdefault(lane, deque()).append(_Job(work, given, lane, limit, tell, is_shared, future))
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
            outcome = Outcome(None, error)
        self._running[job.lane] -= 1
        if not self._running[job.lane]:
            del self._running[job.lane]
        if not job.future.done():
            if outcome.error is not None:
                job.future.set_exception(outcome.error)
            else:
                job.future.set_result(outcome.value)
        self._deal()

    async def _outcome(self, job: _Job) -> Outcome:
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

            def share(part: _Part) -> None:
                loop.call_soon_threadsafe(self._share, worker, job, part)

            return await loop.run_in_executor(
                self._threads, worker.do, job, loop, share, self._count - 1 if job.is_shared else 0
            )
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

    def _share(self, worker: Worker, job: _Job, part: _Part) -> None:
        """Have a part of a job done by one who is free, if nobody else waits for him."""
        if self._is_closed or self._waiting or self._running.total() >= self._count:
            worker.reply(job, _Reply(part.number, None))
            return

        def reply(done: asyncio.Future[Any]) -> None:
            failed = done.cancelled() or done.exception() is not None
            worker.reply(job, _Reply(part.number, None if failed else done.result()))

        owner = job.lane.owner
        self.submit(part.work, *part.given, owner=owner, limit=job.limit).add_done_callback(reply)

    def _let_go(self, worker: Worker) -> None:
        """End a worker who has had nothing to do for long."""
        worker.kill()
        self._bury_dead()

    def _rested(self) -> Worker | None:
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

    def _hire(self) -> Worker:
        worker = Worker(*self._hiring)
        self._all.add(worker)
        try:
            worker.wait_until_ready()
        except (EOFError, OSError):
            self._all.discard(worker)
            worker.bury()
            raise WorkerDied from None
        return worker


class Outcome(NamedTuple):
    """What came of a job."""

    value: Any
    error: Exception | None


class Worker:
    """A process and our end of its pipe."""

    def __init__(self, prepare: Callable[..., None] | None, given: tuple[Any, ...]) -> None:
        # Spawned, not forked: the server has threads.
        context = get_context("spawn")
        self._pipe, there = context.Pipe()
        self._process = context.Process(target=_serve, args=(there, prepare, given), daemon=True)
        self._process.start()
        there.close()
        self._is_lost = False
        self._sending = threading.Lock()
        self._job: _Job | None = None
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

    def do(
        self, job: _Job, loop: asyncio.AbstractEventLoop, share: Callable[[_Part], None], colleagues: int
    ) -> Outcome:
        """Have it done; raise :class:`EOFError` or :class:`OSError` if the process ends."""
        packed = _JOB + pickle.dumps((job.work, job.given, job.tell is not None, job.is_shared, colleagues))
        self.has_begun = False
        try:
            with self._sending:
                self._pipe.send_bytes(packed)
            self._pipe.recv()
            self.has_begun = True
            self._job = job
            # Our own process wrote what it answers.
            while not isinstance(answer := pickle.loads(self._pipe.recv_bytes()), Outcome):  # noqa: S301
                if isinstance(answer, _Part):
                    share(answer)
                elif job.tell is not None:
                    loop.call_soon_threadsafe(job.tell, answer)
        except (EOFError, OSError):
            self._is_lost = True
            raise
        finally:
            self._job = None
        return answer

    def begin(self, work: Callable[..., Any], given: tuple[Any, ...]) -> None:
        """Give it something to do without waiting for it, not even for it to be ready."""
        self._pipe.send_bytes(_JOB + pickle.dumps((work, given, False, False, 0)))

    def heard(self) -> Outcome | None:
        """What came of what it was given, if that is there; raise :class:`EOFError` or :class:`OSError` if it ended."""
        while self._pipe.poll():
            answer = pickle.loads(self._pipe.recv_bytes())  # noqa: S301 - our own process wrote it
            if isinstance(answer, Outcome):
                return answer
        return None

    def reply(self, job: _Job, reply: _Reply) -> None:
        """Say what came of a part of a job, if the worker is still at it; this never waits."""
        if self._job is job and self._sending.acquire(blocking=False):
            try:
                with suppress(OSError, ValueError):  # it died, and whoever waits for its answer knows
                    self._pipe.send_bytes(_REPLY + pickle.dumps(reply))
            finally:
                self._sending.release()

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
            if packed.startswith(_JOB):  # else it is about a part of a job that is done
                pipe.send(None)  # it has reached us
                pipe.send_bytes(_done(packed[1:], pipe))


def _done(packed: bytes, pipe: Connection) -> bytes:
    """What comes of a job, packed."""
    colleagues = None
    try:
        work, given, is_told, is_shared, number = pickle.loads(packed)  # noqa: S301 - the server wrote it
        if is_told:
            given = (*given, pipe.send)
        if is_shared:
            colleagues = Colleagues(pipe, number)
            given = (*given, colleagues)
        return pickle.dumps(Outcome(work(*given), None))
    except Exception as error:  # noqa: BLE001 - whoever asked is told
        return _packed_error(error)
    finally:
        if colleagues is not None:
            colleagues.leave()


class Colleagues:
    """In a process: the other workers, for one who is at a job. Any thread may ask."""

    _numbers = count()

    def __init__(self, pipe: Connection, most: int) -> None:
        self._pipe = pipe
        self._most = most
        self._asked = 0
        self._patience_until = 0.0
        self._lock = threading.Lock()
        self._is_over = False

    def ask(self, work: Callable[..., Any], *given: Any) -> int | None:
        """Have something done by one who is free: the number that it is told under, None if nobody seems to be."""
        with self._lock:
            if self._is_over or self._asked >= self._most or monotonic() < self._patience_until:
                return None
            part = _Part(next(self._numbers), work, given)
            self._asked += 1
            self._pipe.send(part)
            return part.number

    def told(self) -> list[tuple[int, Any]]:
        """What has come since the last time; None where nothing comes of what was asked for."""
        found: list[tuple[int, Any]] = []
        with self._lock:
            while not self._is_over and self._asked and self._pipe.poll():
                # Nothing but replies comes while we are at a job.
                reply: _Reply = pickle.loads(self._pipe.recv_bytes()[1:])  # noqa: S301 - the server wrote it
                self._asked -= 1
                if reply.value is None:
                    self._patience_until = monotonic() + _PAUSE
                found.append((reply.number, reply.value))
        return found

    def leave(self) -> None:
        """The job is done: a thought that goes on must neither ask nor read what comes next."""
        with self._lock:
            self._is_over = True


def _packed_error(error: Exception) -> bytes:
    """The error itself, where it survives the way; else what it says."""
    try:
        packed = pickle.dumps(Outcome(None, error))
        pickle.loads(packed)  # noqa: S301 - our own
    except Exception:  # noqa: BLE001 - errors of others take arguments of any kind
        packed = pickle.dumps(Outcome(None, RuntimeError(f"{type(error).__name__}: {error}")))
    return packed


def _end_with_server() -> None:
    """A server that is killed closes nothing: its workers would go on."""
    server = parent_process()
    if server is not None:
        server.join()
        os._exit(0)
