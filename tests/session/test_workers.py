"""Workers: whatever becomes of a job, it takes nothing with it, and everybody has his turn."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from sandtable.core.errors import BadInput
from sandtable.session.thinking.workers import OutOfTime, WorkerDied, Workers
from tests.session import jobs
from tests.session.processes import is_running

LONG = 60.0


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), 120))


@asynccontextmanager
async def workers(count: int) -> AsyncIterator[Workers]:
    some = Workers(count)
    try:
        yield some
    finally:
        await some.close()


def test_work_is_done_and_its_errors_come_back() -> None:
    async def go() -> None:
        async with workers(1) as some:
            assert await some.submit(jobs.add, 2, 3, limit=LONG) == 5
            with pytest.raises(BadInput, match="no good") as bad:
                await some.submit(jobs.bad, limit=LONG)
            assert [fault.where for fault in bad.value.faults] == ["file"]
            with pytest.raises(RuntimeError, match="Odd: 1 and 2"):
                await some.submit(jobs.odd, limit=LONG)
            with pytest.raises(RecursionError):
                await some.submit(jobs.too_deep, limit=LONG)
            assert await some.submit(jobs.pid, limit=LONG) == some.processes[0]

    run(go)


@pytest.mark.parametrize("harm", [jobs.never, jobs.stop])
def test_what_does_not_end_is_ended_and_harms_no_other_job(harm: Callable[[], None]) -> None:
    async def go() -> None:
        async with workers(2) as some:
            ill = some.submit(harm, owner="a", limit=0.2)
            well = [some.submit(jobs.add, n, n, owner="b", limit=LONG) for n in range(20)]
            assert await asyncio.gather(*well) == [2 * n for n in range(20)]
            with pytest.raises(OutOfTime):
                await ill
            assert await some.submit(jobs.add, 1, 1, owner="a", limit=LONG) == 2

    run(go)


def test_a_worker_that_dies_takes_only_its_own_job_with_it() -> None:
    async def go() -> None:
        async with workers(1) as some:
            first = await some.submit(jobs.pid, limit=LONG)
            ill = some.submit(jobs.die, limit=LONG)
            well = some.submit(jobs.pid, limit=LONG)
            with pytest.raises(WorkerDied):
                await ill
            second = await well
            assert second != first
            os.kill(second, signal.SIGKILL)
            while is_running(second):  # noqa: ASYNC110 - no event tells us
                await asyncio.sleep(0.01)
            assert await some.submit(jobs.add, 1, 1, limit=LONG) == 2  # one that died at rest is nobody's loss

    run(go)


def test_time_runs_from_the_start_of_a_job(tmp_path: Path) -> None:
    async def go() -> None:
        async with workers(1) as some:
            gate = tmp_path / "gate"
            first = some.submit(jobs.wait_for, str(gate), limit=LONG)
            behind = some.submit(jobs.add, 1, 1, limit=3.0)
            await asyncio.sleep(3.5)  # longer than the second may take
            gate.touch()
            await first
            assert await behind == 2

    run(go)


def test_owners_are_served_in_turn(tmp_path: Path) -> None:
    async def go() -> None:
        async with workers(1) as some:
            gate, order = tmp_path / "gate", tmp_path / "order"
            first = some.submit(jobs.wait_for, str(gate), owner="greedy", limit=LONG)
            many = [some.submit(jobs.note, str(order), "greedy", owner="greedy", limit=LONG) for _ in range(30)]
            few = [some.submit(jobs.note, str(order), "bystander", owner="bystander", limit=LONG) for _ in range(3)]
            assert (some.asked("greedy"), some.asked("bystander"), some.load) == (31, 3, 34)
            gate.touch()
            await asyncio.gather(first, *many, *few)
            assert order.read_text(encoding="utf-8").split()[:6].count("bystander") == 3
            assert some.load == 0

    run(go)


def test_what_can_wait_leaves_a_worker_to_what_cannot(tmp_path: Path) -> None:
    async def go() -> None:
        async with workers(2) as some:
            gate = tmp_path / "gate"
            slow = [some.submit(jobs.wait_for, str(gate), owner=str(n), limit=LONG, can_wait=True) for n in range(5)]
            assert await some.submit(jobs.add, 1, 1, owner="0", limit=LONG) == 2
            assert not any(one.done() for one in slow)
            gate.touch()
            await asyncio.gather(*slow)

    run(go)


def test_whoever_leaves_takes_his_job_along(tmp_path: Path) -> None:
    async def go() -> None:
        async with workers(1) as some:
            at_work = await some.submit(jobs.pid, limit=LONG)
            thinking = asyncio.ensure_future(some.submit(jobs.never, limit=LONG))
            queued = some.submit(jobs.note, str(tmp_path / "order"), "queued", limit=LONG)
            await asyncio.sleep(0.05)
            queued.cancel()
            thinking.cancel()
            assert await some.submit(jobs.pid, limit=LONG) != at_work
            assert not (tmp_path / "order").exists()
            assert not is_running(at_work)

    run(go)


def test_closing_ends_everything() -> None:
    async def go() -> None:
        async with workers(2) as some:
            pid = await some.submit(jobs.pid, limit=LONG)
            never = [some.submit(jobs.never, owner=str(n), limit=LONG) for n in range(4)]
        assert not is_running(pid)
        assert not some.processes
        for one in never:
            with pytest.raises((WorkerDied, asyncio.CancelledError)):
                await one

    run(go)


def test_parts_of_a_job_are_done_by_others_who_are_free() -> None:
    async def go() -> None:
        async with workers(2) as some:
            mine, *theirs = await some.submit(jobs.shared, jobs.pid, 5, limit=LONG, is_shared=True)
            assert len(theirs) == 5
            assert set(theirs) - {None} == set(some.processes) - {mine}

    run(go)


def test_where_nobody_is_free_a_part_is_refused() -> None:
    """Alone there is nobody to ask; and whoever waits for a worker comes before any part."""

    async def go() -> None:
        async with workers(1) as some:
            assert not await some.submit(jobs.careless, "", limit=LONG, is_shared=True)
        async with workers(2) as some:
            busy = some.submit(jobs.never, owner="a", limit=LONG)
            _, *theirs = await some.submit(jobs.shared, jobs.pid, 3, owner="b", limit=LONG, is_shared=True)
            assert theirs == [None, None, None]
            busy.cancel()

    run(go)


def test_one_who_dies_over_a_part_is_told_of_and_replaced() -> None:
    async def go() -> None:
        async with workers(2) as some:
            mine, *theirs = await some.submit(jobs.shared, jobs.die, 2, limit=LONG, is_shared=True)
            assert theirs == [None, None]
            again, *theirs = await some.submit(jobs.shared, jobs.pid, 3, limit=LONG, is_shared=True)
            assert again == mine
            assert any(theirs)

    run(go)


def test_what_comes_of_a_part_too_late_disturbs_nobody(tmp_path: Path) -> None:
    async def go() -> None:
        async with workers(2) as some:
            path = tmp_path / "go on"
            assert await some.submit(jobs.careless, str(path), limit=LONG, is_shared=True)
            sums = [some.submit(jobs.add, n, n, limit=LONG) for n in range(5)]
            path.touch()
            assert await asyncio.gather(*sums) == [0, 2, 4, 6, 8]
            mine, *theirs = await some.submit(jobs.shared, jobs.pid, 3, limit=LONG, is_shared=True)
            assert mine not in theirs

    run(go)
