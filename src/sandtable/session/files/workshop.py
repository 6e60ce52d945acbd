"""The workshop: files that people bring are read and played in processes of their own.

What a file costs is not known before it is read. So the reading is done where it can be ended: within
:data:`SECONDS`, within :data:`MEMORY`, apart from the threads that tables use, and no longer than the one who brought
the file waits for it: whoever awaits :meth:`Workshop.open` and is cancelled ends the work. What comes back was read,
checked and played once, so loading it at a table costs no more than it did here.

Tests and small programs have no processes; there a file is read in a thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TypeVar

from sandtable import catalog
from sandtable.core.content.pack import Pack
from sandtable.core.errors import BadInput, Fault, Refusal, Refused
from sandtable.session.files.exhibit import LoadedExhibit, looks_like_log, open_log_file, open_situation_file
from sandtable.session.thinking.workers import OutOfTime, WorkerDied, Workers

__all__ = ["Busy", "Workshop"]

T = TypeVar("T")
SECONDS = 10.0
"""From when the work on a file begins."""
MEMORY = 1024 * 1024 * 1024
"""Bytes that a process may use, the program itself included."""
MOST_WAITING = 12
"""Files of all people that wait or are worked at."""
MOST_EACH = 3
"""Files of one person."""
_packs: list[Pack] = []


class Busy(Refused):
    """Too many files are being read just now."""


class Workshop:
    """Where files become exhibits."""

    def __init__(self, workers: int, packs: Sequence[Pack] = (), *, seconds: float = SECONDS) -> None:
        self._packs = tuple(packs)
        self._seconds = seconds
        plain = [(pack.where, dict(pack.files)) for pack in packs]
        self._workers = Workers(workers, _prepare, (plain,)) if workers else None

    async def open(self, text: str, name: str, owner: str = "") -> LoadedExhibit:
        """A log or a situation as it will be shown; raise :class:`BadInput`, or :class:`Busy` if it must wait."""
        work = _open_log if looks_like_log(text) else _open_situation
        return await self._done(work, text, name, owner)

    async def open_log(self, text: str, name: str, owner: str = "") -> LoadedExhibit:
        """A log, and nothing else."""
        return await self._done(_open_log, text, name, owner)

    async def _done(self, work: Callable[..., T], text: str, name: str, owner: str) -> T:
        workers = self._workers
        if workers is None:
            return await asyncio.to_thread(work, text, name, self._packs)
        if owner and workers.asked(owner) >= MOST_EACH:
            raise Busy(Refusal("", f"{MOST_EACH} files of yours are being read", "wait until they are"))
        if workers.load >= MOST_WAITING:
            raise Busy(Refusal("", "too many files are being read just now", "try again in a moment"))
        try:
            return await workers.submit(work, text, name, owner=owner, limit=self._seconds)
        except OutOfTime:
            wrong = f"takes more than {self._seconds:g} seconds to read and play"
        except (WorkerDied, MemoryError):
            wrong = "takes more memory than a file may"
        raise BadInput([Fault(name, wrong, "a smaller file")])

    async def close(self) -> None:
        """End what is being read."""
        if self._workers is not None:
            await self._workers.close()


def _prepare(packs: Sequence[tuple[str, dict[str, bytes]]]) -> None:
    """In a new process: it has the packs, and no more memory than it needs."""
    try:
        import resource
    except ImportError:  # Windows, where the time limit must do
        pass
    else:
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    _packs[:] = [Pack(files, where) for where, files in packs]
    for system_id in catalog.system_ids():
        catalog.system(system_id)  # loaded now, not in the time of the first file


def _open_log(text: str, name: str, packs: Sequence[Pack] = _packs) -> LoadedExhibit:
    return open_log_file(text, name, packs)


def _open_situation(text: str, name: str, packs: Sequence[Pack] = _packs) -> LoadedExhibit:
    return open_situation_file(text, name, packs)
