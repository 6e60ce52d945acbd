"""Honest games under pressure: ``python -m tests.load.pressure [--games 50]`` (about ten minutes on two quiet cores).

A real server with the limits that it ships with. People, each from an address of his own (127.1.x.y), play whole games
against bots, first alone, then while others press on the server from a few addresses: uploads that take long to refuse,
a guest with thirty games between captains, and sockets that never say a word. Prints JSON: whether every honest game
ended, p50 and p95 of the time from an honest action until its update, without and with the pressure, and their ratio.
Ends with 1 if a game did not end, or if p95 grew more than five times.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Self

import httpx
import websockets

from tests.load.run import Game, at, memory_kib
from tests.server.processes import ROOT, Client, free_port

UPLOADS, CAPTAINS, SOCKETS = 20, 30, 300
ATTACKERS = 3
"""Addresses that the sockets come from; the shares of one are less than they want."""
MOST_RATIO = 5.0
STEPS = 90
PATIENCE = 1800.0
HALF = b"GET /api/lobby HTTP/1.1\r\nHost: localhost\r\n"
CELLS = "\n".join(["      " + ". " * 30] * 30)
SITUATION = f"""system: panzer-na
title: Pressure
map:
  drawing:
    cells: |
{CELLS}
sides:
  - {{id: german, title: Germans, units: [{{id: hunter, card: panzerjager-i, at: A1, facing: S, command: FIRE}}]}}
  - {{id: british, title: British, units: [{{id: far, card: crusader-i, at: A16, facing: N}}]}}
open: direct fire
first: german
steps:
"""
STEP = """  - {ask: {los: [A1, A16]}, expect: {blocked: false}}
  - seat: german
    action: {type: Fire, target: far, shots: [{firer: hunter}]}
    expect: {refused: "3.5.2"}
"""


def browser(address: str, source: str) -> httpx.AsyncClient:
    """Somebody who comes from ``source``."""
    transport = httpx.AsyncHTTPTransport(local_address=source)
    return httpx.AsyncClient(base_url=address, transport=transport, timeout=PATIENCE)


class HonestGame(Game):
    """One person against a bot, to the end."""

    async def begin(self, address: str, source: str, options: argparse.Namespace) -> None:
        """Set the game up and come to the table."""
        mine, other = options.sides.split(",")
        wish = {"scenario": options.scenario, "seats": {mine: "me", other: f"bot:{options.bot}"}}
        async with browser(address, source) as one:
            made = await one.post("/api/tables", json=wish)
            made.raise_for_status()
            self.table, cookie = made.json()["id"], one.cookies["sandtable"]
        self.clients = [await Client.connect(address, self.table, mine, cookie, source)]

    async def finish(self) -> None:
        """Play until the game is over."""
        (client,) = self.clients
        while not client.over:
            if client.ask is None:
                await client.receive()
                continue
            try:
                choice = await client.choose(self.rng)
            except KeyError:  # the question went away while it was looked at
                continue
            started, before = time.perf_counter(), client.v
            number = await client.send("Act", **choice)
            while (answer := await client.receive()).get("re") != number:
                if client.v > before and len(self.times) < number:
                    before = sys.maxsize
                    self.times.append(time.perf_counter() - started)
            if answer["type"] not in ("Done", "Stale"):
                self.errors.append(str(answer)[:200])
                if len(self.errors) > 20:
                    return


class Pressure:
    """Everybody else."""

    def __init__(self, address: str) -> None:
        self._address = address
        self.counts = {"uploads": 0, "uploads_refused": 0, "captains_games": 0, "sockets": 0}
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        tables = await self._captains()
        self._tasks = [asyncio.create_task(self._upload(n)) for n in range(UPLOADS)]
        self._tasks += [asyncio.create_task(self._idle(n, tables[n % len(tables)])) for n in range(SOCKETS)]
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _captains(self) -> list[str]:
        """One guest, thirty games between captains."""
        scenario = "na-a-patrol-at-tamrad"
        seats = dict.fromkeys(("german", "british"), "bot:captain:3:steady")
        tables = []
        async with browser(self._address, "127.2.0.1") as guest:
            for _ in range(CAPTAINS):
                made = await guest.post("/api/tables", json={"scenario": scenario, "seats": seats})
                made.raise_for_status()
                tables.append(made.json()["id"])
        self.counts["captains_games"] = len(tables)
        return tables

    async def _idle(self, number: int, table: str) -> None:
        """A connection that says nothing, or begins a request, or watches a game; once it is cut off, the next one."""
        source = f"127.3.0.{1 + number % ATTACKERS}"
        while True:
            with suppress(OSError, websockets.WebSocketException):
                if number % 3 == 0:
                    watcher = await Client.connect(self._address, table, "", "nobody", source)
                    try:
                        self.counts["sockets"] += 1
                        while True:
                            await watcher.receive()
                    finally:
                        await watcher.close()
                await self._say_nothing(source, HALF if number % 3 == 1 else b"")
            await asyncio.sleep(1)

    async def _say_nothing(self, source: str, first: bytes) -> None:
        host, port = self._address.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port), local_addr=(source, 0))
        try:
            self.counts["sockets"] += 1
            writer.write(first)
            await reader.read()
        finally:
            writer.close()

    async def _upload(self, number: int) -> None:
        """A situation with many steps that cannot be done, again and again."""
        text = SITUATION + STEP * STEPS
        async with browser(self._address, f"127.4.0.{1 + number}") as guest:
            while True:
                with suppress(httpx.HTTPError):
                    answer = await guest.post("/api/open", json={"name": "pressure.yaml", "text": text})
                    self.counts["uploads"] += 1
                    self.counts["uploads_refused"] += answer.status_code in (429, 503)
                await asyncio.sleep(0.5)


async def play(address: str, options: argparse.Namespace, network: int) -> dict[str, Any]:
    """All honest games at once."""
    games = [HonestGame(Random(number)) for number in range(options.games)]
    for number, game in enumerate(games):
        await game.begin(address, f"127.1.{network}.{1 + number}", options)
    started = time.perf_counter()
    done = await asyncio.gather(*(asyncio.wait_for(game.finish(), PATIENCE) for game in games), return_exceptions=True)
    took = time.perf_counter() - started
    times = [one for game in games for one in game.times]
    errors = [repr(one) for one in done if one is not None] + [error for game in games for error in game.errors]
    for game in games:
        for client in game.clients:
            await client.close()
    return {
        "games": len(games),
        "ended": sum(game.clients[0].over for game in games),
        "actions": len(times),
        "seconds": round(took, 1),
        "errors": len(errors),
        "first_errors": errors[:3],
        "p50_ms": at(times, 0.5),
        "p95_ms": at(times, 0.95),
    }


async def measure(address: str, server: int, options: argparse.Namespace) -> dict[str, Any]:
    """First alone, then under pressure."""
    found: dict[str, Any] = {"scenario": options.scenario, "bot": options.bot}
    found["alone"] = await play(address, options, 0)
    async with Pressure(address) as pressure:
        found["pressed"] = await play(address, options, 1)
        found["pressure"] = pressure.counts
    found["p95_ratio"] = round(found["pressed"]["p95_ms"] / found["alone"]["p95_ms"], 2)
    found["server_kib"] = memory_kib(server)
    return found


async def ready(address: str) -> None:
    """Wait until the server answers."""
    async with httpx.AsyncClient(base_url=address, timeout=60) as client:
        while True:
            with suppress(httpx.HTTPError):
                await client.get("/api/schema/openapi.json")
                return
            await asyncio.sleep(0.2)


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--scenario", default="na-a-patrol-at-tamrad")
    parser.add_argument("--sides", default="british,german", help="The person's and the bot's.")
    parser.add_argument("--bot", default="greedy")
    options = parser.parse_args()
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        command = [str(Path(sys.executable).with_name("sandtable")), "serve", "--port", str(port)]
        log = Path(folder) / "server.log"
        with log.open("wb") as file:
            server = subprocess.Popen(
                [*command, "--database", str(Path(folder) / "pressure.db")],
                cwd=ROOT,
                stdout=file,
                stderr=file,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
            try:
                asyncio.run(asyncio.wait_for(ready(address), 120))
                found = asyncio.run(measure(address, server.pid, options))
            finally:
                server.terminate()
                server.wait(30)
        found["server_log_bytes"] = log.stat().st_size
        found["server_log_end"] = log.read_text(encoding="utf-8", errors="replace").splitlines()[-3:]
    print(json.dumps(found, indent=2))  # noqa: T201 - what it is for
    has_ended = all(found[run]["ended"] == found[run]["games"] for run in ("alone", "pressed"))
    return 0 if has_ended and found["p95_ratio"] <= MOST_RATIO else 1


if __name__ == "__main__":
    sys.exit(main())
