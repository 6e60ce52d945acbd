"""The door of a real server: half-sent requests and crowds of connections lock nobody out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
import uvicorn
from litestar import Litestar

from sandtable.server.addresses import Proxies
from sandtable.server.app import create_app
from sandtable.server.door import door
from sandtable.server.run import listen
from tests.server.processes import Client

HELLO = b"GET /api/lobby HTTP/1.1\r\nHost: localhost\r\n"
LONG = 3600.0


@asynccontextmanager
async def serving(
    proxies: tuple[str, ...] = (), limits: float = 1e9, app: Litestar | None = None, **settings: float
) -> AsyncIterator[int]:
    """A server on a port, with a door of our own."""
    listening = listen("127.0.0.1", 0)
    config = uvicorn.Config(
        app or create_app(":memory:", limits=limits),
        http=door(Proxies(proxies), **settings),
        ws="websockets-sansio",
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        lifespan="on",
        log_config=None,
    )
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve([listening]))
    while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.01)
    try:
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        await running


async def connect(port: int, address: str = "127.0.0.1") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))


async def status(port: int, address: str = "127.0.0.1", more: bytes = b"") -> int:
    reader, writer = await connect(port, address)
    writer.write(HELLO + more + b"Connection: close\r\n\r\n")
    answer = await reader.read()
    writer.close()
    return int(answer.split()[1])


def run(work: Any) -> None:
    asyncio.run(asyncio.wait_for(work, 120))


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        (b"", b"408"),
        (HELLO, b"408"),
        (HELLO + b"\r\n" + HELLO, b"200"),  # the first of two is answered
        (b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc", b""),
    ],
)
def test_a_request_that_does_not_arrive_is_not_waited_for(sent: bytes, answer: bytes) -> None:
    async def go() -> None:
        async with serving(header=0.2, body=0.2) as port:
            reader, writer = await connect(port)
            writer.write(sent)
            try:
                last = (await reader.read()).rpartition(b"HTTP/1.1 ")[2]
            except ConnectionResetError:
                last = b""
            writer.close()
            assert last[:3] == answer
            assert await status(port) == 200

    run(go())


@pytest.mark.usefixtures("toy")
def test_one_address_has_its_share_of_connections_and_locks_nobody_out() -> None:
    async def go() -> None:
        async with serving(most=20, header=LONG) as port:
            crowd = [await connect(port, "127.0.0.2") for _ in range(20)]
            assert await status(port, "127.0.0.2") == 429
            assert await status(port, "127.0.0.3") == 200
            for _, writer in crowd[:5]:
                writer.close()
                await writer.wait_closed()
            while (found := await status(port, "127.0.0.2")) == 429:
                pass
            assert found == 200
            for _, writer in crowd[5:]:
                writer.close()

    run(go())


@pytest.mark.usefixtures("toy")
def test_one_address_has_its_share_of_sockets() -> None:
    upgrade = (
        b"GET /api/tables/nothing/socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )

    async def reason(port: int, address: str) -> bytes:
        reader, writer = await connect(port, address)
        writer.write(upgrade)
        await reader.readuntil(b"\r\n\r\n")
        head = await reader.readexactly(2)
        text = await reader.readexactly(head[1])
        writer.close()
        return text[2:]

    async def go() -> None:
        async with serving(limits=0.0) as port:  # a share of none
            assert b"too many connections from your address" in await reason(port, "127.0.0.2")
        async with serving() as port:
            assert b"no table" in await reason(port, "127.0.0.2")
        async with serving(limits=0.02) as port:  # a share of two, which come back
            for _ in range(5):
                assert b"no table" in await reason(port, "127.0.0.2")

    run(go())


@pytest.mark.usefixtures("toy")
def test_a_socket_stays_for_longer_than_a_request_may_take() -> None:
    async def go() -> None:
        async with serving(header=0.2, body=0.2) as port:
            address = f"http://127.0.0.1:{port}"
            async with httpx.AsyncClient(base_url=address) as anna:
                wish = {"scenario": "crossroads", "seats": {"red": "me", "blue": "hotseat"}}
                table = (await anna.post("/api/tables", json=wish)).json()["id"]
            watcher = await Client.connect(address, table, "", "nobody")
            await asyncio.sleep(0.5)
            await watcher.send("Resync")
            assert (await watcher.receive())["type"] == "Snapshot"
            await watcher.close()

    run(go())


@pytest.mark.usefixtures("toy")
def test_forwarded_addresses_are_believed_of_named_proxies_only() -> None:
    """Thirty guests may come from an address: whoever names another one each time does not get round that."""

    async def codes(port: int) -> list[int]:
        return [await status(port, more=f"X-Forwarded-For: 203.0.113.{n}\r\n".encode()) for n in range(40)]

    async def go() -> None:
        async with serving(limits=1.0) as port:
            assert 429 in await codes(port)
        async with serving(("127.0.0.1",), limits=1.0) as port:
            assert set(await codes(port)) == {200}

    run(go())
