"""Reviews of finished games: worked out in a process of their own, one at a time, and kept by log.

A review looks at the whole state, so it is made only of games that are over and of logs that somebody brought. It is
worked out at a low priority: it can wait, players cannot.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Sequence
from hashlib import blake2b
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Literal

import msgspec

from sandtable.core.errors import BadInput, Refusal, Refused
from sandtable.core.pack import Pack
from sandtable.session.brain import prepare_worker
from sandtable.sim.review import Review, review_text

__all__ = ["ReviewTold", "Reviews"]

_log = logging.getLogger(__name__)
_KEPT = 64
"""Reviews in memory; the oldest make room."""
_MOST_WAITING = 8
GAMES = 20
"""Games played on from each point of the curve."""


class ReviewTold(msgspec.Struct, frozen=True):
    """GET and POST /api/tables/ID/review."""

    state: Literal["none", "working", "done", "failed"]
    done: int = 0
    of: int = 0
    """Pieces of work done, and of how many; 0 while it waits its turn."""
    trouble: str = ""
    review: Review | None = None


class Reviews:
    """All reviews of a server."""

    def __init__(self, packs: Sequence[Pack] = (), games: int = GAMES) -> None:
        self._packs = [(pack.where, dict(pack.files)) for pack in packs]
        self._games = games
        self._told: dict[str, ReviewTold] = {}
        self._turn = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._process: BaseProcess | None = None

    def look(self, log: str) -> ReviewTold:
        """How the review of a log stands."""
        return self._told.get(_key(log), ReviewTold("none"))

    def start(self, log: str) -> ReviewTold:
        """Begin the review of a log, unless there is one; raise :class:`Refused` if too many wait."""
        key = _key(log)
        told = self._told.get(key)
        if told is not None and told.state != "failed":
            return told
        if len(self._tasks) >= _MOST_WAITING:
            raise Refused(Refusal("", "too many reviews are waiting", "try again in a while"))
        while len(self._told) >= _KEPT:
            del self._told[next(iter(self._told))]
        self._told[key] = ReviewTold("working")
        task = asyncio.create_task(self._work(key, log))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return self._told[key]

    async def _work(self, key: str, log: str) -> None:
        async with self._turn:
            try:
                self._told[key] = await self._reviewed(key, log)
            except Exception:  # noqa: BLE001 - a review that fails is told to be so and harms nobody
                _log.exception("a review failed")
                self._told[key] = ReviewTold("failed", trouble="the review could not be worked out")

    async def _reviewed(self, key: str, log: str) -> ReviewTold:
        context = get_context("spawn")
        here, there = context.Pipe(duplex=False)
        process = context.Process(target=_review, args=(there, log, self._packs, self._games), daemon=True)
        self._process = process
        process.start()
        there.close()
        try:
            while True:
                told: Any = await asyncio.to_thread(here.recv)
                if isinstance(told, ReviewTold) and told.state != "working":
                    return told
                self._told[key] = told
        except EOFError:
            return ReviewTold("failed", trouble="the review was cut off; ask for it again")
        finally:
            process.terminate()
            await asyncio.to_thread(process.join, 5)
            self._process = None

    async def close(self) -> None:
        """Stop what is being worked out."""
        if self._process is not None:
            self._process.terminate()
        for task in list(self._tasks):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


def _key(log: str) -> str:
    return blake2b(log.encode(), digest_size=16).hexdigest()


def _review(pipe: Connection, log: str, packs: Sequence[tuple[str, dict[str, bytes]]], games: int) -> None:
    """In the process: review, and tell how far it is."""
    prepare_worker(packs)
    if hasattr(os, "nice"):
        os.nice(10)
    extra = [Pack(files, where) for where, files in packs]
    try:
        review = review_text(
            log, extra=extra, games=games, tell=lambda done, of: pipe.send(ReviewTold("working", done, of))
        )
    except BadInput as bad:
        pipe.send(ReviewTold("failed", trouble="; ".join(map(str, bad.faults))))
    else:
        pipe.send(ReviewTold("done", review=review))
