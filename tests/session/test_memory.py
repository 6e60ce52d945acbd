"""Memory is given back: games that are over leave it, and a server does not grow with the games that were played."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sandtable.session import registry as registry_module
from tests.session.toy_registry import Ear, open_registry, toy_table, until

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_three_cycles_of_games_hold_no_more_than_one() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.load.cycles", "100", "3"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    first, *_, last = json.loads(done.stdout)
    assert last <= 1.1 * first


@pytest.mark.usefixtures("toy")
def test_idle_games_leave_memory_and_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry_module, "_MOST_IDLE", 3)

    async def go() -> None:
        async with open_registry() as registry:
            tables = [(await toy_table(registry))[0] for _ in range(6)]
            watched, over = tables[0], tables[5]
            ear = Ear()
            async with watched.lock:
                watched.join(ear)
            await over.resign(over.seating.seats["red"].person, "red")
            await until(lambda: all(table.is_idle for table in tables[1:]))
            registry.tidy(time.monotonic() - 900)
            left = [registry.live(table.record.id) is not None for table in tables]
            # The one that is over goes, the oldest idle ones beyond three go, and the one that is watched stays.
            assert left == [True, False, False, True, True, False]
            assert (await registry.table(over.record.id))[0].is_over

    asyncio.run(go())
