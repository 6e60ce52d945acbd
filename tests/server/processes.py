"""Servers in processes of their own, that can be killed; and clients for them.

Starting Python with all its imports takes longer than everything that is tested, so a nursery is started once and
forks a server each time one is wanted. ``python -m tests.server.processes`` is the nursery.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import websockets
from websockets.asyncio.client import ClientConnection

from sandtable.session.presenting.changes import follow_ask

ROOT = Path(__file__).resolve().parents[2]
Message = dict[str, Any]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Nursery:
    """Starts servers quickly."""

    def __init__(self, process: subprocess.Popen[str], database: str) -> None:
        self._process = process
        self._database = database
        self.port = free_port()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> int:
        """A server that listens; its process id."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{self.port} {self._database}\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    @staticmethod
    def kill(pid: int) -> None:
        """As hard as can be, and wait until it is gone."""
        os.kill(pid, signal.SIGKILL)


@contextmanager
def nursery(database: str, *, shipped: bool = False) -> Iterator[Nursery]:
    """A nursery; its servers have the shipped systems beside the toy only if they are wanted."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.server.processes", *(["shipped"] if shipped else [])],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield Nursery(process, database)
    finally:
        assert process.stdin is not None
        process.stdin.close()
        process.wait(20)
        assert process.stdout is not None
        process.stdout.close()


class Client:
    """A connection to a table of a real server."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self.v = 0
        self.ask: Message | None = None
        self.over = False
        self.newest = ""
        """The newest position as it was sent."""
        self.heard: dict[int, str] = {}
        """The text of every entry that was sent, by its number."""
        self._id = 0

    @classmethod
    async def connect(cls, address: str, table: str, seat: str, cookie: str, source: str = "127.0.0.1") -> Client:
        place = f"{address.replace('http', 'ws')}/api/tables/{table}/socket?seat={seat}"
        headers = {"Cookie": f"sandtable={cookie}"}
        client = cls(
            await websockets.connect(
                place, additional_headers=headers, max_size=None, compression=None, local_addr=(source, 0)
            )
        )
        try:
            await client.receive()
        except BaseException:
            await client.close()
            raise
        return client

    async def close(self) -> None:
        await self._connection.close()

    async def receive(self) -> Message:
        text = await self._connection.recv(decode=True)
        message: Message = json.loads(text)
        if message["type"] in ("Snapshot", "Update"):
            self.v, self.over = message["v"], message["outcome"] is not None
            self.ask = follow_ask(self.ask, message) if message["type"] == "Update" else message["ask"]
            self.newest = text
            for entry in message.get("log") or [message["entry"]]:
                self.heard[entry["seq"]] = f"{entry['seat']}: {entry['text']}"
        return message

    async def send(self, kind: str, **fields: Any) -> int:
        self._id += 1
        await self._connection.send(json.dumps({"type": kind, "id": self._id, **fields}))
        return self._id

    async def call(self, kind: str, **fields: Any) -> Message:
        number = await self.send(kind, **fields)
        while (message := await self.receive()).get("re") != number:
            pass
        return message

    async def choose(self, rng: Random) -> Message:
        """Some complete answer, as the fields of an Act, found by walking as a page does."""
        assert self.ask is not None
        node, v = self.ask["root"], self.v
        while True:
            if node["shape"] in ("assign", "gather"):
                return {"v": v, "keys": [*node["keys"], *(slot["values"][0] for slot in node["slots"]), "done"]}
            if node["shape"] == "path" and node["destinations"]:
                return {"v": v, "keys": node["keys"], "to": rng.choice(node["destinations"])["key"]}
            branch = rng.choice(node["branches"])
            keys = [*node["keys"], branch["key"]]
            if branch["leaf"]:
                return {"v": v, "keys": keys}
            node = (await self.call("Walk", v=v, keys=keys))["node"]


def _serve(port: int, database: str, ready: int) -> None:
    from sandtable import catalog
    from sandtable.server.run import run
    from tests.session.toy_registry import register_toy

    if sys.argv[1:] != ["shipped"]:
        # The toy alone: reading the shipped scenarios takes longer than a game of it.
        catalog._registered.clear()
    register_toy()
    run("127.0.0.1", port, database, pace=0.0, limits=1e6, ready=lambda _: os.close(ready))


def _main() -> None:
    for heavy in ("sandtable.server.run", "uvicorn.protocols.websockets.websockets_sansio_impl"):
        import_module(heavy)
    from sandtable.server.app import create_app

    create_app(":memory:")  # the first takes a second, the others find what it has worked out
    children = []
    for line in sys.stdin:
        port, database = line.split()
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(reading)
            _serve(int(port), database, writing)
            os._exit(0)
        os.close(writing)
        os.read(reading, 1)  # ends when the server has its port
        os.close(reading)
        children.append(pid)
        print(pid, flush=True)  # noqa: T201 - the answer to whoever asked
        for gone in list(children):
            if os.waitpid(gone, os.WNOHANG)[0]:
                children.remove(gone)
    for pid in children:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


if __name__ == "__main__":
    _main()
