"""kill -9 at random moments: no acknowledged action is lost, and every game stays readable."""

from __future__ import annotations

import asyncio
import contextlib
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from websockets.exceptions import WebSocketException

from sandtable import catalog
from sandtable.core.replay import replay, verify
from sandtable.session.store import open_store
from tests.server.processes import Client, Nursery, nursery
from tests.whole import share

KILLS = share(25, whole=50)
TABLES = 4


class Table:
    """A game that one person plays for both sides, with all that he was ever told of it."""

    def __init__(self, key: str) -> None:
        self.id = key
        self.heard: dict[str, dict[int, str]] = {"red": {}, "blue": {}}
        self.acknowledged = 1
        self.over = False


class Player:
    """Plays several games at once until the server dies."""

    def __init__(self, server: Nursery, rng: Random) -> None:
        self.server = server
        self.rng = rng
        self.cookie = ""
        self.tables: list[Table] = []
        self.acts = 0
        self.target = 0
        self.enough = asyncio.Event()
        """Set when enough was done for the next kill."""

    async def new_table(self, http: httpx.AsyncClient) -> Table:
        headers = {"Cookie": f"sandtable={self.cookie}"} if self.cookie else {}
        body = {"scenario": "crossroads", "seats": {"red": "me", "blue": "hotseat"}}
        response = await http.post(f"{self.server.address}/api/tables", json=body, headers=headers)
        self.cookie = response.cookies.get("sandtable") or self.cookie
        table = Table(response.json()["id"])
        self.tables.append(table)
        return table

    async def play(self, table: Table) -> None:
        """Random answers of both sides, noting what is acknowledged and what is heard."""
        async with AsyncExitStack() as stack:
            seats = {}
            for seat in table.heard:
                seats[seat] = await Client.connect(self.server.address, table.id, seat, self.cookie)
                stack.push_async_callback(seats[seat].close)
                seats[seat].heard = table.heard[seat] = table.heard[seat] | seats[seat].heard
            while not table.over:
                for client in seats.values():
                    await self.turn(table, client)

    async def turn(self, table: Table, client: Client) -> None:
        """Answer if one is asked, then see how things stand."""
        if client.ask is not None:
            done = await client.call("Act", v=client.v, **self.choice(client.ask["root"]))
            if done["type"] == "Done":
                table.acknowledged = max(table.acknowledged, done["v"])
                self.acts += 1
                if self.acts >= self.target:
                    self.enough.set()
        await client.send("Resync")
        while (await client.receive())["type"] != "Snapshot":
            pass
        table.over = table.over or client.over
        if all(each.over for each in self.tables):
            # The games have ended before the target: nothing more will come.
            self.enough.set()

    def choice(self, root: dict[str, Any]) -> dict[str, Any]:
        if root["shape"] == "assign":
            return {"keys": [*(self.rng.choice(slot["values"]) for slot in root["slots"]), "done"]}
        branch = self.rng.choice(root["branches"])
        if branch["leaf"]:
            return {"keys": [branch["key"]]}
        return {"keys": [branch["key"], "on", "stop"]} if branch["kind"] == "unit" else {"keys": ["hold"]}

    async def until_killed(self, pid: int) -> None:
        """Play at all tables, and kill the server in the middle of it."""
        async with httpx.AsyncClient() as http:
            while sum(not table.over for table in self.tables) < TABLES:
                await self.new_table(http)
            enough = self.enough = asyncio.Event()
            self.target = self.acts + self.rng.randint(1, 8)
            games = [asyncio.create_task(self.play(table)) for table in self.tables if not table.over]
            # Counted in actions and not in time, so that a busy machine is killed in the middle of play too.
            waiting = asyncio.create_task(enough.wait())
            while not enough.is_set():
                # A game has ended, or its connection was lost before anybody was killed: that is for this test to tell.
                lost = [game for game in games if game.done() and game.exception()]
                assert not lost, f"lost before the kill: {lost[0].exception()!r}"
                running = {game for game in games if not game.done()}
                assert running, f"{self.acts} of {self.target} acts, and no game goes on"
                done, _ = await asyncio.wait({waiting, *running}, timeout=120, return_when=asyncio.FIRST_COMPLETED)
                assert done, f"nothing happened for two minutes after {self.acts} of {self.target} acts"
            await asyncio.sleep(self.rng.uniform(0, 0.02))
            self.server.kill(pid)
            for game in games:
                with contextlib.suppress(WebSocketException, OSError, EOFError):
                    await game

    async def check(self) -> None:
        """All that was acknowledged or told is there, as it was told."""
        async with httpx.AsyncClient(headers={"Cookie": f"sandtable={self.cookie}"}) as http:
            for table in self.tables:
                for seat, heard in table.heard.items():
                    place = f"{self.server.address}/api/tables/{table.id}/entries?seat={seat}"
                    kept = (await http.get(place)).json()
                    assert len(kept) >= table.acknowledged
                    for seq, text in heard.items():
                        assert f"{kept[seq]['seat']}: {kept[seq]['text']}" == text


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
def test_many_kills_lose_nothing(tmp_path: Path) -> None:
    database = str(tmp_path / "killed.db")
    with nursery(database) as server:
        player = Player(server, Random(50))
        for _ in range(KILLS):
            asyncio.run(player.until_killed(server.start()))
        server.start()
        asyncio.run(player.check())
    assert player.acts > KILLS
    store = open_store(database)
    for table in player.tables:
        record = store.table(table.id)
        assert record is not None
        lines = store.lines(table.id)
        assert record.v == len(lines) >= table.acknowledged
        opened = catalog.open_log("\n".join((record.header, *lines, "")), table.id)
        assert not opened.warnings
        replay(opened.ruleset, opened.log)
        assert verify(opened.ruleset, opened.log) == []
    store.close()
