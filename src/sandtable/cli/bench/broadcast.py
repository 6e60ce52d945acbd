"""An action until 16 watching clients have it, beside a bare Litestar echo of as many bytes to as many clients.

Both run on loopback in processes of their own, in turns. Ours works out the rules, flushes the line to the disk and
tells two seats and a watcher's view apart; the echo sends what it was sent to everybody connected. The ratio is the
echo's 95th percentile over ours: five times as long is the floor of a fifth.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandtable import catalog
from sandtable.cli.bench.clients import join, open_table, p95
from sandtable.cli.bench.measure import Budget, Missing, times
from sandtable.cli.bench.scenes import first_scenario

if TYPE_CHECKING:
    from websockets import ClientConnection

__all__ = ["measure", "run_echo", "run_server", "running"]

WATCHERS, ROUNDS, ACTIONS = 16, 4, 40


def measure() -> list[Budget]:
    """The 95th percentiles of a few rounds taken in turn."""
    if find_spec("litestar") is None:
        raise Missing("the server is not installed (pip install 'sandtable[server]')")
    scenario = first_scenario()
    seats = catalog.open_scenario(scenario).ruleset.seats
    with tempfile.TemporaryDirectory() as folder:
        database = str(Path(folder) / "bench.db")
        with running(f"run_server({database!r})") as ours, running("run_echo()") as echo:
            seen, echoed, size = asyncio.run(_rounds(ours, echo, scenario, seats))
    note = f"p95 seconds to {WATCHERS} watchers, {size:,} bytes each; for an echo to {WATCHERS + len(seats)} clients"
    return [times("broadcast", p95(seen), p95(echoed), floor=1 / 5, goal=1 / 2, note=note)]


# --- the two servers -------------------------------------------------------------------------------------


@contextmanager
def running(call: str) -> Iterator[str]:
    """A server in a process of its own; its address."""
    code = f"from sandtable.cli.bench.broadcast import run_echo, run_server; {call}"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        try:
            assert process.stdout is not None  # noqa: S101 - it was asked for
            address = process.stdout.readline().strip()
            if not address:
                raise Missing("the server does not start")
            yield address
        finally:
            process.kill()


def run_server(database: str, more: str = "") -> None:
    """Ours, without the limits of a flood of messages; ``more``: ``module:name`` that lets it have other games too."""
    from sandtable.server.run import run

    if more:
        module, _, name = more.partition(":")
        getattr(import_module(module), name)()
    run("127.0.0.1", 0, database, pace=0.0, limits=1e6, ready=lambda address: print(address, flush=True))


def run_echo() -> None:
    """The anchor: sends each message to everybody connected, and does nothing else."""
    import uvicorn
    from litestar import Litestar, websocket
    from litestar.connection import WebSocket
    from litestar.exceptions import WebSocketDisconnect

    connected: set[Any] = set()

    @websocket("/echo")
    async def echo(socket: WebSocket[Any, Any, Any]) -> None:
        await socket.accept()
        connected.add(socket)
        try:
            while True:
                text = await socket.receive_text()
                for one in list(connected):
                    await one.send_text(text)
        except WebSocketDisconnect:
            pass
        finally:
            connected.discard(socket)

    from sandtable.server.run import listen

    listening = listen("127.0.0.1", 0)
    print(f"http://127.0.0.1:{listening.getsockname()[1]}/", flush=True)
    app = Litestar([echo], signature_namespace={"WebSocket": WebSocket, "Any": Any})
    uvicorn.Server(uvicorn.Config(app, ws="websockets-sansio", log_level="warning", access_log=False)).run([listening])


# --- the clients -----------------------------------------------------------------------------------------


async def _rounds(ours: str, echo: str, scenario: str, seats: Sequence[str]) -> tuple[list[float], list[float], int]:
    seen: list[float] = []
    echoed: list[float] = []
    size = 0
    for _ in range(ROUNDS):
        # In turns, so that whatever else the machine does falls on both.
        took, newest = await _watched(ours, scenario, seats)
        seen += took
        size = len(newest)
        echoed += await _echoed(echo, newest, WATCHERS + len(seats))
    return seen, echoed, size


async def _watched(address: str, scenario: str, seats: Sequence[str]) -> tuple[list[float], str]:
    """Seconds from an action until all watchers have it, and the newest message."""
    table, cookie = await open_table(address, scenario, seats)
    players = [await join(address, table, seat, cookie) for seat in seats]
    everybody = [*players, *[await join(address, table, "", "nobody=1") for _ in range(WATCHERS)]]
    found = []
    for _ in range(ACTIONS):
        mover = next((one for one in players if one.ask is not None), None)
        if mover is None:
            break
        choice, goal = await mover.choice(), mover.v + 1
        started = time.perf_counter()
        number = await mover.send("Act", v=mover.v, **choice)
        await asyncio.gather(*(one.reach(goal) for one in everybody))
        found.append(time.perf_counter() - started)
        await mover.answer(number)
    newest = everybody[-1].newest
    for one in everybody:
        await one.close()
    return found, newest


async def _echoed(address: str, text: str, number: int) -> list[float]:
    import websockets

    place = f"{address.replace('http', 'ws', 1)}echo"
    everybody = [await websockets.connect(place, max_size=None, compression=None) for _ in range(number)]

    async def read(one: ClientConnection) -> None:
        json.loads(await one.recv())

    found = []
    for _ in range(ACTIONS):
        started = time.perf_counter()
        await everybody[0].send(text)
        await asyncio.gather(*map(read, everybody))
        found.append(time.perf_counter() - started)
    for one in everybody:
        await one.close()
    return found
