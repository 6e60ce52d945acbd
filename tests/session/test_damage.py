"""A database that is damaged, or that another server has: what is wrong is said, and the rest is served."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from sandtable.core.errors import BadInput
from sandtable.session.files.soundness import inspect
from sandtable.session.presenting.wire import Clock
from sandtable.session.store import open_store
from tests.server.players import serving
from tests.session.toy_registry import open_registry, orders, toy, toy_table

__all__ = ["toy"]


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), 120))


def two_games(path: Path) -> tuple[str, str]:
    """Two games in a file, each with a line or two."""
    made: list[str] = []

    async def go() -> None:
        async with open_registry(str(path)) as registry:
            for _ in range(2):
                table, me = await toy_table(registry)
                await table.act(me.id, "red", 1, orders("aim", "aim"))
                made.append(table.record.id)

    run(go)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return made[0], made[1]


def change(path: Path, statement: str, *values: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(statement, values)


def test_a_second_server_on_a_database_is_refused(database: str) -> None:
    first = open_store(database, alone=True)
    with pytest.raises(BadInput, match="another server is using"):
        open_store(database, alone=True)
    open_store(database).close()  # to look at it is allowed
    first.close()
    open_store(database, alone=True).close()


def test_a_server_that_was_killed_leaves_nothing_that_blocks_the_next(database: str) -> None:
    program = (
        "import sys, time; from sandtable.session.store import open_store; "
        "store = open_store(sys.argv[1], alone=True); print('open', flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", program, database], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == "open\n"
        with pytest.raises(BadInput, match="another server is using"):
            open_store(database, alone=True)
        os.kill(server.pid, signal.SIGKILL)
    open_store(database, alone=True).close()


def test_serve_says_that_another_server_has_the_database(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    first = open_store(str(path), alone=True)
    program = "from sandtable.cli.main import app; app()"
    words = [sys.executable, "-c", program, "serve", "--port", "0", "--database", str(path)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    first.close()
    assert done.returncode == 2
    assert "another server is using" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_damaged_game_is_named_and_the_others_are_played(tmp_path: Path, toy: None) -> None:
    path = tmp_path / "games.db"
    bad, good = two_games(path)
    change(path, "UPDATE lines SET line = replace(line, 'aim', 'aix') WHERE table_id = ? AND seq = 1", bad)

    async def go() -> None:
        async with open_registry(str(path)) as registry:
            assert await inspect(registry.keeper) == [bad]
            with pytest.raises(BadInput, match=f"{bad}: line 3: cannot be read: its checksum does not fit"):
                await registry.table(bad)
            table, _ = await registry.table(good)
            assert table.play.v == 2

    run(go)


def test_text_that_is_no_text_harms_only_its_table(tmp_path: Path, toy: None) -> None:
    path = tmp_path / "games.db"
    bad, good = two_games(path)
    change(path, "UPDATE lines SET line = CAST(x'ff00fe' AS TEXT) WHERE table_id = ? AND seq = 0", bad)
    change(path, "UPDATE tables SET result = CAST(x'fffe' AS TEXT), title = CAST(x'ff' AS TEXT) WHERE id = ?", bad)
    with serving(str(path)) as server:
        ann = server.visitor()
        assert ann.get("/api/lobby").status_code == 200
        assert ann.get(f"/api/tables/{bad}").status_code == 400
        assert ann.get(f"/api/tables/{good}").status_code == 200


def test_a_file_with_broken_pages_names_its_parts_and_serves_the_rest(tmp_path: Path, toy: None) -> None:
    path = tmp_path / "games.db"
    two_games(path)
    with sqlite3.connect(path) as connection:
        ((page,),) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'lines'").fetchall()
        ((size,),) = connection.execute("PRAGMA page_size").fetchall()
    data = bytearray(path.read_bytes())
    data[(page - 1) * size : page * size] = b"\xa5" * size
    path.write_bytes(data)
    store = open_store(str(path))
    assert [part.partition(":")[0] for part in store.damage()] == ["lines"]
    (bad, _) = store.every_table()
    store.close()
    with serving(str(path)) as server:
        ann = server.visitor()
        assert ann.get("/api/lobby").status_code == 200
        told = ann.get(f"/api/tables/{bad}")
        assert told.status_code == 503
        assert "damaged" in told.text


@pytest.mark.parametrize("noted", ["never", 1e300, -5, None])
def test_a_noted_time_that_cannot_be_harms_nobody(tmp_path: Path, toy: None, noted: object) -> None:
    """The registry opens, and nobody has lost by it: a clock that runs goes on from now."""
    path = tmp_path / "games.db"

    async def play() -> str:
        async with open_registry(str(path)) as registry:
            table, _ = await toy_table(registry, clock=Clock("move", 86_400))
            return table.record.id

    table_id = asyncio.run(play())
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE other (name TEXT PRIMARY KEY, seconds)")
        connection.execute("DROP TABLE running")
        connection.execute("ALTER TABLE other RENAME TO running")
        connection.execute("INSERT INTO running VALUES ('uptime', ?)", (noted,))

    async def go() -> None:
        async with open_registry(str(path)) as registry:
            table, _ = await registry.table(table_id)
            assert table.clocks is not None
            assert not table.is_over
            assert table.clocks.next_flag(registry.now()) == pytest.approx(86_400, abs=80_000)

    run(go)


def test_a_broken_page_of_any_part_leaves_a_server_that_answers(tmp_path: Path, toy: None) -> None:
    """Whichever part of the file is damaged, the registry opens, tidies up and closes."""
    path = tmp_path / "games.db"
    two_games(path)
    whole = path.read_bytes()
    with sqlite3.connect(path) as connection:
        parts = connection.execute("SELECT name, rootpage FROM sqlite_master WHERE rootpage > 0").fetchall()
        ((size,),) = connection.execute("PRAGMA page_size").fetchall()
    for name, page in parts:
        if name == "migrations":
            continue  # without it nothing is known of the others: the start is refused, and says so
        for end in ("", "-wal", "-shm"):
            path.with_name(path.name + end).unlink(missing_ok=True)
        path.write_bytes(whole[: (page - 1) * size] + b"\xa5" * size + whole[page * size :])

        async def go() -> None:
            async with open_registry(str(path)) as registry:
                await registry._tidy_people()
                await registry._note_uptime()

        run(go)


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    path.write_bytes(b"this is no database, " * 500)
    with pytest.raises(BadInput, match="cannot be opened: file is not a database"):
        open_store(str(path), alone=True)
