"""What reaches the server in odd ways: forged headers, other names, malformed addresses."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
from litestar.exceptions import WebSocketDisconnect
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from sandtable.core.errors import BadInput
from sandtable.server.addresses import Hosts, Proxies, is_origin, is_own_origin, share_of
from sandtable.server.quiet import Quiet
from tests.server.players import Server, serving


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://[", 400),
        ("http://[::1", 400),
        ("http://a]b", 400),
        ("//", 400),
        ("\xff", 400),
        ("http://testserver.local:x", 400),
        ("http://testserver.local/page", 400),
        ("null", 403),
        ("http://evil.example.com", 403),
    ],
)
def test_a_malformed_origin_is_told_from_somebody_elses(server: Server, origin: str, status: int) -> None:
    answer = server.visitor().request("POST", "/api/account/logout", headers={"origin": origin.encode("latin-1")})  # type: ignore[dict-item]
    assert answer.status_code == status
    assert is_origin(origin) is (status == 403)
    assert not is_own_origin(origin, "testserver.local", ())


@pytest.mark.parametrize(
    ("host", "is_ours"),
    [
        ("localhost:8000", True),
        ("127.0.0.1:8000", True),
        ("192.168.1.20:8000", True),
        ("[::1]:8000", True),
        ("games.example.org", True),
        ("GAMES.example.org:443", True),
        ("page.example.org", True),
        ("evil.example.com", False),
        ("games.example.org.evil.example.com", False),
        ("games.example.org@evil.example.com", False),
        ("localhost:80:80", False),
        ("[::1", False),
        ("", False),
        ("a/b", False),
    ],
)
def test_the_server_answers_to_its_own_names_only(host: str, is_ours: bool) -> None:
    hosts = Hosts("0.0.0.0", ["games.example.org"], ["https://page.example.org"])  # noqa: S104
    assert (host in hosts) == is_ours


@pytest.mark.usefixtures("toy")
def test_a_request_and_a_socket_under_another_name_are_refused() -> None:
    with serving(hosts=Hosts("testserver.local")) as server:
        anna = server.visitor()
        assert anna.get("/api/lobby").status_code == 200
        table = anna.new_table(seats={"red": "me", "blue": "hotseat"})["id"]
        for path in ("/api/lobby", "/", f"/api/tables/{table}/log"):
            answer = anna.get(path, host="evil.example.com")
            assert answer.status_code == 400
            assert "evil.example.com" in answer.json()["faults"][0]["wrong"]
        place = f"/api/tables/{table}/socket"
        with (
            server.client.websocket_connect(place, headers={"host": "evil.example.com"}) as socket,
            pytest.raises(WebSocketDisconnect) as cut,
        ):
            socket.receive()
        assert cut.value.code == 4400


def test_only_named_proxies_say_where_a_request_comes_from() -> None:
    assert "127.0.0.1" not in Proxies()
    assert "10.1.2.3" in Proxies(["10.0.0.0/8"])
    assert "nonsense" not in Proxies(["10.0.0.0/8"])
    with pytest.raises(BadInput, match="--proxy"):
        Proxies(["caddy"])
    seen: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["client"][0])

    async def ask(trusted: list[str]) -> None:
        headers = [(b"x-forwarded-for", b"203.0.113.7"), (b"x-forwarded-proto", b"https")]
        scope = {"type": "http", "client": ("10.1.2.3", 1), "headers": headers, "scheme": "http"}
        await ProxyHeadersMiddleware(app, trusted)(scope, None, None)  # type: ignore[arg-type]

    asyncio.run(ask(["10.0.0.0/8"]))
    asyncio.run(ask(["10.9.9.9"]))
    assert seen == ["203.0.113.7", "10.1.2.3"]


def test_a_household_is_one_address() -> None:
    assert share_of("2001:db8:1:2::1") == share_of("2001:db8:1:2:ffff::9") != share_of("2001:db8:1:3::1")
    assert share_of("::ffff:192.0.2.1") == "192.0.2.1"
    assert share_of("testclient") == "testclient"


def test_what_is_said_again_and_again_is_said_a_few_times() -> None:
    quiet = Quiet(most=5, every=1000.0)

    def record(text: str, line: int) -> logging.LogRecord:
        return logging.LogRecord("uvicorn.error", logging.WARNING, "x.py", line, text, (), None)

    through = sum(quiet.filter(record(f"Invalid request {n}", 7)) for n in range(10_000))
    assert through == 5
    assert quiet.filter(record("something else", 8))
