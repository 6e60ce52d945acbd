"""Clients of a table for measuring: a connection that follows the game and answers as a page does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.request import Request, urlopen

from sandtable.session.presenting.changes import follow_ask

if TYPE_CHECKING:
    from websockets import ClientConnection

__all__ = ["Client", "join", "open_table", "p95"]

_PATIENCE = 60.0


def p95(found: list[float]) -> float:
    """The 95th percentile."""
    return sorted(found)[min(len(found) - 1, int(len(found) * 0.95))]


async def open_table(address: str, scenario: str, seats: Sequence[str]) -> tuple[str, str]:
    """A new table of which one person holds all seats; its id and his cookie."""
    people = ("me", *["hotseat"] * (len(seats) - 1))
    wish = {"scenario": scenario, "seats": dict(zip(seats, people, strict=True)), "options": {"auto": "off"}}
    request = Request(  # noqa: S310 - an address of ours
        f"{address}api/tables", json.dumps(wish).encode(), {"Content-Type": "application/json"}, method="POST"
    )
    with await asyncio.to_thread(urlopen, request, timeout=_PATIENCE) as response:
        table = json.loads(response.read())["id"]
        cookie = response.headers["Set-Cookie"].partition(";")[0]
    return table, cookie


class Client:
    """A connection to a table."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._id = 0
        self.v = 0
        self.ask: Any = None
        self.newest = ""

    async def receive(self) -> Any:
        text = await self._connection.recv(decode=True)
        message = json.loads(text)
        if message["type"] in ("Snapshot", "Update"):
            self.v, self.newest = message["v"], text
            self.ask = follow_ask(self.ask, message) if message["type"] == "Update" else message["ask"]
        return message

    async def reach(self, v: int) -> None:
        while self.v < v:
            await self.receive()

    async def send(self, kind: str, **fields: Any) -> int:
        self._id += 1
        await self._connection.send(json.dumps({"type": kind, "id": self._id, **fields}))
        return self._id

    async def answer(self, number: int) -> Any:
        while (message := await self.receive()).get("re") != number:
            pass
        return message

    async def choice(self, value: int = 0) -> dict[str, Any]:
        """The first answer that the tree of choices leads to, with that value of every slot, counted round."""
        node = self.ask["root"]
        while True:
            keys = list(node["keys"])
            if node["shape"] in ("assign", "gather"):
                return {"keys": [*keys, *(_pick(slot["values"], value) for slot in node["slots"]), "done"]}
            if node["shape"] == "path" and node["destinations"]:
                return {"keys": keys, "to": node["destinations"][0]["key"]}
            branch = node["branches"][0]
            if branch["leaf"]:
                return {"keys": [*keys, branch["key"]]}
            node = (await self.answer(await self.send("Walk", v=self.v, keys=[*keys, branch["key"]])))["node"]

    async def close(self) -> None:
        await self._connection.close()


def _pick(values: Sequence[str], number: int) -> str:
    return values[number % len(values)]


async def join(address: str, table: str, seat: str, cookie: str) -> Client:
    """A connection of somebody to a seat, or with ``""`` of a watcher."""
    import websockets

    place = f"{address.replace('http', 'ws', 1)}api/tables/{table}/socket?seat={seat}"
    found = Client(
        await websockets.connect(place, additional_headers={"Cookie": cookie}, max_size=None, compression=None)
    )
    await found.receive()
    return found
