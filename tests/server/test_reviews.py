"""Reviews: shares of the places, turns, and what becomes of one whose process dies."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import Any

import pytest

from sandtable.core.errors import Refused
from sandtable.server.reviews import Reviews, WireReview
from sandtable.session.thinking.workers import Workers
from tests.session import jobs


def run(work: Any) -> None:
    asyncio.run(asyncio.wait_for(work, 120))


def never_ending(reviews: Reviews, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = reviews._workers.submit
    monkeypatch.setattr(
        reviews._workers, "submit", lambda *_, owner, **__: plain(jobs.never, owner=owner, limit=3600.0)
    )


def test_nobody_has_all_the_places(monkeypatch: pytest.MonkeyPatch) -> None:
    async def go() -> None:
        reviews = Reviews()
        never_ending(reviews, monkeypatch)
        for n in range(2):
            assert reviews.start(f"crowd {n}", "crowd", "address").state == "working"
        assert reviews.start("crowd 0", "crowd", "address").state == "working", "the same again takes no place"
        with pytest.raises(Refused, match="2 reviews of yours"):
            reviews.start("crowd 2", "crowd", "address")
        for n in range(4):
            reviews.start(f"other {n}", f"other {n}", "address")
        with pytest.raises(Refused, match="from your address"):
            reviews.start("more", "another guest", "address")
        assert reviews.start("bystander", "bystander", "elsewhere").state == "working"
        await reviews.close()

    run(go())


def test_the_oldest_make_room_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    async def go() -> None:
        reviews = Reviews()

        async def done(*_: object, **__: object) -> WireReview:
            return WireReview("done")

        monkeypatch.setattr("sandtable.server.reviews._KEPT", 6)
        monkeypatch.setattr(reviews._workers, "submit", done)
        for n in range(8):
            reviews.start(f"log {n}", f"anna {n}", f"address {n}")
            while reviews.look(f"log {n}").state == "working":  # noqa: ASYNC110 - no event tells us
                await asyncio.sleep(0)
        assert [reviews.look(f"log {n}").state for n in range(8)] == ["none"] * 2 + ["done"] * 6
        await reviews.close()

    run(go())


def test_a_review_whose_process_dies_is_told_to_have_failed_and_can_be_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def go() -> None:
        reviews = Reviews()
        never_ending(reviews, monkeypatch)
        reviews.start("log", "anna", "address")
        while not (pids := reviews._workers.processes):  # noqa: ASYNC110 - no event tells us
            await asyncio.sleep(0.01)
        os.kill(pids[0], signal.SIGKILL)
        while reviews.look("log").state == "working":  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.01)
        assert "ask for it again" in reviews.look("log").trouble
        assert reviews.start("log", "anna", "address").state == "working"
        await reviews.close()

    run(go())


def test_work_tells_how_far_it_is_and_rested_workers_are_let_go() -> None:
    async def go() -> None:
        workers = Workers(1, rest=0.05)
        told: list[int] = []
        assert await workers.submit(jobs.count, 3, limit=60.0, tell=told.append) == "counted"
        assert told == [0, 1, 2]
        while workers.processes:  # noqa: ASYNC110 - no event tells us
            await asyncio.sleep(0.01)
        await workers.close()

    run(go())
