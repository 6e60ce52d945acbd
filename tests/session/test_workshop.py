"""Files that people bring: read apart from the tables, within a time, and not after the one who brought it has left."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from sandtable import catalog
from sandtable.core.errors import BadInput
from sandtable.session import registry as registry_module
from sandtable.session.files.exhibit import load_exhibit, situation_record
from sandtable.session.files.workshop import MOST_EACH, MOST_WAITING, Busy, Workshop
from sandtable.session.people.shares import Turns
from sandtable.session.presenting.shelf import OpenFile
from tests.session.processes import is_running
from tests.session.toy_registry import guests, open_registry, toy, until
from tests.toy import Patrols

__all__ = ["toy"]

SITUATION = Path(__file__).parents[1] / "perft" / "na-direct-fire.yaml"
HOSTILE = "{a: " * 40_000


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), 240))


@asynccontextmanager
async def workshop(workers: int = 1, **settings: Any) -> AsyncIterator[Workshop]:
    shop = Workshop(workers, **settings)
    try:
        yield shop
    finally:
        await shop.close()


def processes(shop: Workshop) -> tuple[int, ...]:
    assert shop._workers is not None
    return shop._workers.processes


def test_a_file_is_read_in_a_process_of_its_own() -> None:
    async def go() -> None:
        async with workshop() as shop:
            opened = await shop.open(SITUATION.read_text(encoding="utf-8"), "shot.yaml")
            assert opened.system == "panzer-na"
            (process,) = processes(shop)
            with pytest.raises(BadInput, match=r"bad.yaml: line 1: nested deeper than 32"):
                await shop.open(HOSTILE, "bad.yaml")
            assert processes(shop) == (process,), "a hostile file harms nothing"

    run(go)


def test_a_file_that_takes_too_long_is_a_fault_and_its_process_ends() -> None:
    async def go() -> None:
        async with workshop(seconds=0.0) as shop:
            with pytest.raises(BadInput, match=r"shot.yaml: takes more than 0 seconds to read and play"):
                await shop.open(SITUATION.read_text(encoding="utf-8"), "shot.yaml")
            await until(lambda: not any(map(is_running, processes(shop))))

    run(go)


def test_the_work_ends_when_the_one_who_brought_the_file_has_left() -> None:
    async def go() -> None:
        async with workshop() as shop:
            text = SITUATION.read_text(encoding="utf-8")
            await shop.open(text, "first.yaml")
            (process,) = processes(shop)
            waiting = [asyncio.create_task(shop.open(text, f"{n}.yaml", str(n))) for n in range(MOST_WAITING)]
            await asyncio.sleep(0)
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
            await until(lambda: not is_running(process))
            assert shop._workers is not None
            await until(lambda: shop._workers is not None and shop._workers.load == 0)

    run(go)


def test_too_many_files_at_once_are_told_to_wait() -> None:
    async def go() -> None:
        async with workshop() as shop:
            text = SITUATION.read_text(encoding="utf-8")
            mine = [asyncio.create_task(shop.open(text, "x", "ann")) for _ in range(MOST_EACH)]
            await asyncio.sleep(0)
            with pytest.raises(Busy, match="files of yours"):
                await shop.open(text, "x", "ann")
            others = [asyncio.create_task(shop.open(text, "x", str(n))) for n in range(MOST_WAITING - MOST_EACH)]
            await asyncio.sleep(0)
            with pytest.raises(Busy, match="too many files"):
                await shop.open(text, "x", "bob")
            assert len(await asyncio.gather(*mine, *others)) == MOST_WAITING
            await shop.open(text, "x", "ann")

    run(go)


def test_a_situation_is_played_in_one_pass(monkeypatch: pytest.MonkeyPatch, toy: None) -> None:
    """Refused steps too: what came before is not played again for each of them."""
    asked = []
    refusal = Patrols.refusal

    def counted(rules: Patrols, *given: Any) -> Any:
        asked.append(given)
        return refusal(rules, *given)

    monkeypatch.setattr(Patrols, "refusal", counted)
    step = "- {seat: red, action: {type: March, piece: r1, steps: 5}}\n"
    piece = "{id: r1, side: red, at: 2, order: march, shown: false}"
    text = f"system: toy\npieces: {{r1: {piece}}}\nmarch: red\nsteps:\n{step * 100}"
    record = situation_record(catalog.open_situation(text, "s.yaml"), "s.yaml")
    assert record.v == 1
    assert len(asked) == 100


def test_opened_files_are_kept_in_memory_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is looked at again and again is played once; those that nobody looks at make room."""
    monkeypatch.setattr(registry_module, "_MOST_SHOWN", 2)
    loaded: list[str] = []

    def load(record: Any, *given: Any) -> Any:
        loaded.append(record.id)
        return load_exhibit(record, *given)

    monkeypatch.setattr(registry_module, "load_exhibit", load)
    text = SITUATION.read_text(encoding="utf-8")

    async def go() -> None:
        async with open_registry() as registry:
            (person,) = await guests(registry, 1)
            one, two, three = [(await registry.open_file(person, OpenFile("a", text))).id for _ in range(3)]
            for table_id in (one, two, one, three, one, two):
                await registry.look(table_id)
                assert registry.in_memory <= 2
            assert loaded == [one, two, three, two], "the one that was looked at last stays"
            registry.tidy(0.0)
            assert registry.in_memory == 2, "somebody is looking"
            monkeypatch.setattr(registry_module, "_SHOWN", -1.0)
            registry.tidy(0.0)
            assert not registry.in_memory

    run(go)


def test_what_one_wants_is_done_one_after_another_and_nobody_else_waits() -> None:
    async def go() -> None:
        turns, done = Turns(), []
        gate = asyncio.Event()

        async def want(owner: str, *, waits: bool) -> None:
            async with turns.of(owner):
                if waits:
                    await gate.wait()
                done.append(owner)

        crowd = [asyncio.ensure_future(want("crowd", waits=number == 0)) for number in range(3)]
        await asyncio.sleep(0)
        await want("bystander", waits=False)
        assert done == ["bystander"]
        gate.set()
        await asyncio.gather(*crowd)
        assert done == ["bystander", "crowd", "crowd", "crowd"]
        assert not turns._locks, "nothing is left of it"

    run(go)
