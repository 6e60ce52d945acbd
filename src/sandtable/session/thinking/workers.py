"""Workers: processes of their own for work that may fail, never end, or bring its process down.

Each worker does one job at a time, over a pipe of its own. A worker that dies, is stopped or takes too long is killed
and takes nothing with it but its job; the next job gets a new one. Time runs from when a job starts, not from when it
was asked for. Whoever asks does so for an owner: the owners are served in turn, however much one of them has asked
for. Cancelling what :meth:`Workers.submit` gives ends the job, wherever it is. Workers who have nothing to do, and for
whom nothing waits, do parts of the jobs of others.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from sandtable.session.thinking.worker import Job, Lane, Outcome, Reply, Request, Worker

__all__ = ["OutOfTime", "WorkerDied", "Workers"]

T = TypeVar("T")
_REST = 600.0


class OutOfTime(Exception):
    """A job did not come to its end in its time."""


class WorkerDied(Exception):
    """The process that did a job was killed, or died of it."""


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
        self._waiting: dict[Lane, deque[Job]] = {}
        self._running: Counter[Lane] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closed = False

    @property
    def processes(self) -> tuple[int, ...]:
        """The processes that there are now."""
        return tuple(worker.pid for worker in self._all)

    def asked(self, owner: str) -> int:
        """How many jobs of an owner wait or are worked at."""
        lanes = (Lane(owner, can_wait=False), Lane(owner, can_wait=True))
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
        lane = Lane(owner, can_wait)
        self._waiting.setdefault(lane, deque()).append(Job(work, given, lane, limit, tell, is_shared, future))
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

    def _next(self) -> Job | None:
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

    async def _see_to(self, job: Job) -> None:
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

    async def _outcome(self, job: Job) -> Outcome:
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

            def share(request: Request) -> None:
                loop.call_soon_threadsafe(self._share, worker, job, request)

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

    def _share(self, worker: Worker, job: Job, request: Request) -> None:
        """Have a part of a job done by one who is free, if nobody else waits for him."""
        if self._is_closed or self._waiting or self._running.total() >= self._count:
            worker.reply(job, Reply(request.number, None))
            return

        def reply(done: asyncio.Future[Any]) -> None:
            failed = done.cancelled() or done.exception() is not None
            worker.reply(job, Reply(request.number, None if failed else done.result()))

        owner = job.lane.owner
        self.submit(request.work, *request.given, owner=owner, limit=job.limit).add_done_callback(reply)

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
