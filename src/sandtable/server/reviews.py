"""Reviews of finished games: worked out in a process of their own, one at a time, and kept by log.

A review looks at the whole state, so it is made only of games that are over and of logs that somebody brought. It is
worked out at a low priority: it can wait, players cannot. The people who want one are served in turn.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Literal

import msgspec

from sandtable.core.content.pack import Pack
from sandtable.core.errors import BadInput
from sandtable.session.people.shares import Shares
from sandtable.session.thinking.workers import OutOfTime, WorkerDied, Workers
from sandtable.sim.review import Review, review_text

__all__ = ["Reviews", "WireReview"]

_log = logging.getLogger(__name__)
_KEPT = 64
"""Reviews in memory; the oldest make room."""
_MOST_WAITING, _MOST_EACH, _MOST_ADDRESS = 24, 2, 6
"""Reviews that wait, or are worked at, in all, for one person and for one address."""
_LIMIT = 3600.0
_REST = 30.0
"""Seconds that a review may take, and that its process is kept for the next one."""
GAMES = 20
"""Games played on from each point of the curve."""
_packs: list[Pack] = []


class WireReview(msgspec.Struct, frozen=True):
    """GET and POST /api/tables/ID/review: the review of a finished game, or how far the work on it is."""

    state: Literal["none", "working", "done", "failed"]
    done: int = 0
    of: int = 0
    """Pieces of work done, and of how many; 0 while it waits its turn."""
    trouble: str = ""
    review: Review | None = None


class Reviews:
    """All reviews of a server."""

    def __init__(self, packs: Sequence[Pack] = (), games: int = GAMES, limit: float = _LIMIT) -> None:
        given = [(pack.where, dict(pack.files)) for pack in packs]
        self._workers = Workers(1, _prepare, (given,), rest=_REST)
        self._games = games
        self._limit = limit
        self._told: dict[str, WireReview] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._of_person = Shares("reviews", _MOST_WAITING, _MOST_EACH)
        self._of_address = Shares("reviews from your address", _MOST_WAITING, _MOST_ADDRESS)

    def look(self, log: str) -> WireReview:
        """How the review of a log stands."""
        return self._told.get(_key(log), WireReview("none"))

    def start(self, log: str, person: str, address: str) -> WireReview:
        """Begin the review of a log, unless there is one; raise :class:`Refused` if too many wait."""
        key = _key(log)
        told = self._told.get(key)
        if told is not None and told.state != "failed":
            return told
        with contextlib.ExitStack() as places:
            places.enter_context(self._of_person.taken(person))
            places.enter_context(self._of_address.taken(address))
            held = places.pop_all()
        self._make_room()
        self._told[key] = WireReview("working")
        task = asyncio.create_task(self._work(key, log, person))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(lambda _: held.close())
        return self._told[key]

    def _make_room(self) -> None:
        """Forget the oldest that are not being worked at."""
        too_many = max(0, len(self._told) - _KEPT + 1)
        for key in [key for key, told in self._told.items() if told.state != "working"][:too_many]:
            del self._told[key]

    async def _work(self, key: str, log: str, person: str) -> None:
        def tell(told: WireReview) -> None:
            self._told[key] = told

        try:
            told = await self._workers.submit(_review, log, self._games, owner=person, limit=self._limit, tell=tell)
        except (WorkerDied, OutOfTime):
            told = WireReview("failed", trouble="the review was cut off; ask for it again")
        except Exception:  # noqa: BLE001 - a review that fails is told to be so and harms nobody
            _log.exception("a review failed")
            told = WireReview("failed", trouble="the review could not be worked out")
        self._told[key] = told

    async def close(self) -> None:
        """Stop what is being worked out."""
        for task in list(self._tasks):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        await self._workers.close()


def _key(log: str) -> str:
    return blake2b(log.encode(), digest_size=16).hexdigest()


def _prepare(packs: Sequence[tuple[str, dict[str, bytes]]]) -> None:
    _packs[:] = [Pack(files, where) for where, files in packs]
    if hasattr(os, "nice"):
        os.nice(10)


def _review(log: str, games: int, tell: Callable[[WireReview], None]) -> WireReview:
    """In the process: review, and tell how far it is."""
    try:
        review = review_text(
            log, extra=_packs, games=games, tell=lambda done, of: tell(WireReview("working", done, of))
        )
    except BadInput as bad:
        return WireReview("failed", trouble="; ".join(map(str, bad.faults)))
    return WireReview("done", review=review)
