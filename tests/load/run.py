"""Load: many games with two clients each, all playing at once against one real server.

``python -m tests.load.run [--games 200] [--acts 12] [--scenario ID --sides A,B]`` prints JSON: errors, p50 and p95
of the time from sending an action until BOTH clients of the table have its update, memory per idle game, the time
until 16 watchers of one game have an action, and as the anchor the time of a bare Litestar echo of a text of that
size to as many clients. The toy is played by default. The server runs in a process of its own on a temporary SQLite
file that is flushed at every commit.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

import httpx
import websockets

from tests.server.processes import Client, Nursery, free_port, nursery


def memory_kib(pid: int | str = "self") -> int:
    """Resident memory of a process, this one if none is named."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1])
    return 0


def at(times: list[float], share: float) -> float:
    """A quantile in milliseconds."""
    ordered = sorted(times)
    return round(ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000, 2)


class Game:
    """Two people at a table, each with a connection."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.table = ""
        self.clients: list[Client] = []
        self.times: list[float] = []
        self.errors: list[str] = []

    async def open(self, server: Nursery, scenario: str, sides: list[str]) -> None:
        """Make the table; both come."""
        async with httpx.AsyncClient(base_url=server.address, timeout=120) as one:
            made = await one.post(
                "/api/tables", json={"scenario": scenario, "seats": {sides[0]: "me"}, "options": {"auto": "off"}}
            )
            self.table = made.json()["id"]
            cookies = [one.cookies["sandtable"]]
        async with httpx.AsyncClient(base_url=server.address, timeout=120) as other:
            await other.post(f"/api/join/{made.json()['invites'][sides[1]]}")
            cookies.append(other.cookies["sandtable"])
        for seat, cookie in zip(sides, cookies, strict=True):
            self.clients.append(await Client.connect(server.address, self.table, seat, cookie))

    async def play(self, acts: int) -> None:
        """So many actions, with a short think before each as people have."""
        for _ in range(acts):
            await asyncio.sleep(self.rng.uniform(0.5, 1.5))
            mover = next((one for one in self.clients if one.ask is not None), None)
            if mover is None or any(one.over for one in self.clients):
                return
            await self.act(mover)

    async def act(self, mover: Client) -> None:
        choice = await mover.choose(self.rng)
        target = mover.v + 1
        started = time.perf_counter()
        number = await mover.send("Act", **choice)
        await asyncio.gather(*(self.reach(one, target) for one in self.clients))
        self.times.append(time.perf_counter() - started)
        while (answer := await mover.receive()).get("re") != number:
            pass
        if answer["type"] != "Done":
            self.errors.append(str(answer))
        latest = max(one.v for one in self.clients)
        await asyncio.gather(*(self.reach(one, latest) for one in self.clients))

    @staticmethod
    async def reach(client: Client, v: int) -> None:
        while client.v < v:
            await client.receive()


async def echo(port: int, clients: int, text: str, times: int = 300) -> list[float]:
    """The anchor: ``text`` to so many clients of a bare Litestar application, each of which reads it as JSON."""
    place = f"ws://127.0.0.1:{port}/echo"
    for _ in range(100):
        try:
            first = await websockets.connect(place, max_size=None, compression=None)
            break
        except OSError:
            await asyncio.sleep(0.1)
    else:
        raise RuntimeError("the echo does not start")
    everybody = [first]
    everybody += [await websockets.connect(place, max_size=None, compression=None) for _ in range(clients - 1)]
    found = []

    async def read(one: websockets.ClientConnection) -> None:
        json.loads(await one.recv())

    for _ in range(times):
        started = time.perf_counter()
        await first.send(text)
        await asyncio.gather(*map(read, everybody))
        found.append(time.perf_counter() - started)
    for one in everybody:
        await one.close()
    return found


async def watched(server: Nursery, scenario: str, sides: list[str], watchers: int, acts: int) -> list[float]:
    """From an action until all of so many watching clients have it, in one game alone."""
    game = Game(Random(1))
    await game.open(server, scenario, sides)
    cookie = "nobody"
    others = [await Client.connect(server.address, game.table, "", cookie) for _ in range(watchers)]
    players, game.clients = game.clients, [*game.clients, *others]
    for _ in range(acts):
        mover = next((one for one in players if one.ask is not None), None)
        if mover is None or any(one.over for one in players):
            break
        await game.act(mover)
    for client in game.clients:
        await client.close()
    return game.times


async def measure(server: Nursery, pid: int, options: argparse.Namespace) -> dict[str, Any]:
    sides = options.sides.split(",")
    games = [Game(Random(number)) for number in range(options.games)]
    await games[0].open(server, options.scenario, sides)
    text = games[0].clients[0].newest
    alone: list[float] = []
    together: list[float] = []
    seen: list[float] = []
    for _ in range(5):
        # In turns, so that whatever else the machine does falls on both.
        alone += await echo(options.echo_port, 1, text, 50)
        together += await echo(options.echo_port, 18, text, 50)
        seen += await watched(server, options.scenario, sides, 16, 50)
    before = memory_kib(pid)
    for start in range(1, len(games), 20):
        await asyncio.gather(*(game.open(server, options.scenario, sides) for game in games[start : start + 20]))
    after = memory_kib(pid)
    started = time.perf_counter()
    results = await asyncio.gather(*(game.play(options.acts) for game in games), return_exceptions=True)
    took = time.perf_counter() - started
    times = [one for game in games for one in game.times]
    errors = [error for game in games for error in game.errors] + [repr(one) for one in results if one is not None]
    for game in games:
        for client in game.clients:
            await client.close()
    return {
        "games": len(games),
        "clients": 2 * len(games),
        "actions": len(times),
        "actions_per_second": round(len(times) / took, 1),
        "errors": len(errors),
        "first_errors": errors[:3],
        "p50_ms": at(times, 0.5),
        "p95_ms": at(times, 0.95),
        "to_16_watchers_p50_ms": at(seen, 0.5),
        "to_16_watchers_p95_ms": at(seen, 0.95),
        "message_bytes": len(text),
        "echo_to_one_p95_ms": at(alone, 0.95),
        "echo_to_18_p50_ms": at(together, 0.5),
        "echo_to_18_p95_ms": at(together, 0.95),
        "ratio_to_echo_of_18": round(at(seen, 0.95) / at(together, 0.95), 2),
        "kib_per_idle_game_with_two_connections": round((after - before) / max(1, len(games) - 1), 1),
        "kib_after_play": memory_kib(pid),
    }


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--acts", type=int, default=12)
    parser.add_argument("--scenario", default="crossroads")
    parser.add_argument("--sides", default="red,blue")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = str(Path(folder) / "load.db")
        options.echo_port = free_port()
        start_echo = f"from tests.load.echo import run_echo; run_echo({options.echo_port})"
        echoing = subprocess.Popen([sys.executable, "-c", start_echo])
        try:
            with nursery(database, shipped=options.scenario != "crossroads") as server:
                found = asyncio.run(measure(server, server.start(), options))
        finally:
            echoing.kill()
            echoing.wait()
    print(json.dumps(found, indent=2))  # noqa: T201 - what it is for
    return 1 if found["errors"] else 0


if __name__ == "__main__":
    sys.exit(main())
