"""The keeper: one thread that alone talks to the store, so that the event loop never waits for a disk.

Jobs that arrive while a transaction is being flushed go together into the next one: a hundred games that
act at once cost a few flushes, not a hundred. A job that fails is rolled back alone. A caller is answered
after the commit.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from sandtable.session.store.interface import Damaged, Store

__all__ = ["Keeper"]

T = TypeVar("T")
_MOST = 256
"""Jobs in one transaction."""


class _Job(NamedTuple):
    work: Callable[[Store], Any]
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Any]


class Keeper:
    """Runs jobs on a store, in order, in a thread of its own."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name="keeper", daemon=True)
        self._thread.start()

    async def run(self, work: Callable[[Store], T]) -> T:
        """The result of ``work``, once it is committed."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._jobs.put(_Job(work, loop, done))
        # A caller who goes away must not undo what is already on its way to the disk.
        return await asyncio.shield(done)

    def close(self) -> None:
        """Finish what was asked for, then let go of the store."""
        self._jobs.put(None)
        self._thread.join()
        self._store.close()

    def _serve(self) -> None:
        closing = False
        while not closing:
            batch: list[_Job] = []
            job = self._jobs.get()
            while job is not None and len(batch) < _MOST:
                batch.append(job)
                try:
                    job = self._jobs.get_nowait()
                except queue.Empty:
                    break
            else:
                closing = job is None
                if job is not None:
                    batch.append(job)
            if batch:
                self._transact(batch)

    def _transact(self, batch: list[_Job]) -> None:
        results: list[tuple[_Job, Any, BaseException | None]] = []
        try:
            self._store.begin()
            for job in batch:
                self._store.savepoint()
                try:
                    results.append((job, job.work(self._store), None))
                except Damaged:
                    raise
                except Exception as error:  # noqa: BLE001 - whatever it is, it belongs to the one who asked
                    self._store.rollback_to_savepoint()
                    results.append((job, None, error))
                self._store.release_savepoint()
            self._store.commit()
        except Damaged as error:
            # The database ended the transaction at the job that met the damage: the others are done without it.
            with contextlib.suppress(Exception):
                self._store.rollback()
            if len(batch) > 1:
                for job in batch:
                    self._transact([job])
                return
            results = [(job, None, error) for job in batch]
        except Exception as error:  # noqa: BLE001 - nothing of the batch was kept: all are told
            results = [(job, None, error) for job in batch]
            with contextlib.suppress(Exception):  # the transaction may be gone with the connection
                self._store.rollback()
        for job, value, failure in results:
            with contextlib.suppress(RuntimeError):  # the loop that asked is closed
                job.loop.call_soon_threadsafe(_settle, job.done, value, failure)


def _settle(done: asyncio.Future[Any], value: Any, failure: BaseException | None) -> None:
    if done.cancelled():
        return
    if failure is None:
        done.set_result(value)
    else:
        done.set_exception(failure)
