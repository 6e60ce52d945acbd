"""A worker: a process of its own and our end of its pipe, what goes over it, and what goes on in the process.

A job may have :class:`Colleagues`: other workers do parts of it. Whoever asks them is told at once if nobody is free,
and may never be told at all if somebody dies: he must be able to do without.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any, NamedTuple

__all__ = ["Colleagues", "Job", "Lane", "Outcome", "Reply", "Request", "Worker"]

_START = 60.0
"""Seconds that a new process has to load the program: a machine under load takes long for it."""
_PAUSE = 0.03
"""Seconds after which one who was told that nobody is free asks again."""
_JOB, _REPLY = b"j", b"r"
"""What a message to a worker begins with."""


class Lane(NamedTuple):
    """Where jobs wait in order."""

    owner: str
    can_wait: bool


class Job(NamedTuple):
    """Work that somebody has asked for."""

    work: Callable[..., Any]
    given: tuple[Any, ...]
    lane: Lane
    limit: float
    tell: Callable[[Any], None] | None
    is_shared: bool
    future: asyncio.Future[Any]


class Request(NamedTuple):
    """What one who is at a job asks his colleagues to do."""

    number: int
    work: Callable[..., Any]
    given: tuple[Any, ...]


class Reply(NamedTuple):
    """What came of a request; None if nothing did."""

    number: int
    value: Any


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
        self._job: Job | None = None
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
        self, job: Job, loop: asyncio.AbstractEventLoop, share: Callable[[Request], None], colleagues: int
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
                if isinstance(answer, Request):
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

    def reply(self, job: Job, reply: Reply) -> None:
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
            request = Request(next(self._numbers), work, given)
            self._asked += 1
            self._pipe.send(request)
            return request.number

    def told(self) -> list[tuple[int, Any]]:
        """What has come since the last time; None where nothing comes of what was asked for."""
        found: list[tuple[int, Any]] = []
        with self._lock:
            while not self._is_over and self._asked and self._pipe.poll():
                # Nothing but replies comes while we are at a job.
                reply: Reply = pickle.loads(self._pipe.recv_bytes()[1:])  # noqa: S301 - the server wrote it
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
