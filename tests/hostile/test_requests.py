"""Every address of the server, asked for what nobody honest would ask: never a crash, a 500 or a traceback."""

from __future__ import annotations

import json
import logging
import re
from functools import partial
from typing import Any
from urllib.parse import quote

import pytest
from argon2 import PasswordHasher
from litestar.routes import HTTPRoute

from sandtable.session.people import person
from sandtable.session.presenting.shelf import Credentials, NewTable, OpenFile
from tests.hostile.values import NUMBERS, RAW, THINGS, WORDS, bodies
from tests.server.players import Server, Visitor, serving

QUERIES = ("seat", "start", "end", "bot")
BODIES: dict[str, list[bytes]] = {
    "/api/tables": bodies(NewTable, {"scenario": "crossroads", "seats": {"red": "me", "blue": "hotseat"}}),
    "/api/open": bodies(OpenFile, {"name": "a", "text": "b"}),
    "/api/account/register": bodies(Credentials, {"name": "Anna", "password": "correct horse"}),
    "/api/account/login": bodies(Credentials, {"name": "Anna", "password": "correct horse"}),
}
CLOCKS = [{"per": per, "seconds": n, "increment": n} for per in ("move", "game") for n in NUMBERS]
FILES = [
    "{a: " * 5000,
    "situation: 1\ndate: 2024-02-30\n",
    "{date: 0000-00-00, title: 9999-99-99T99:99:99}",
    "!!python/object/apply:os.system [ls]",
    "&a [*a, *a]",
    '{"format":1,"system":"toy","scenario":{"title":"\\u0000"}}\n',
    '{"format":1e400}\n{"seq":' + "9" * 5000 + "}\n",
    "\0",
    "\ud800".encode("utf-16", "surrogatepass").decode("latin-1"),
]


def routes(server: Server) -> list[tuple[str, str]]:
    """Method and path of every address of the interface."""
    found = [
        (str(method), route.path_format)
        for route in server.client.app.routes
        if isinstance(route, HTTPRoute) and route.path.startswith("/api/")
        for method in route.methods
    ]
    assert len(found) > len(BODIES)
    return found


class Attacker:
    """Sends raw requests and looks at what comes back."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.sent = 0

    def send(self, method: str, path: str, body: bytes | None = None, **headers: str) -> None:
        cookie = {"cookie": f"sandtable={self.visitor.cookie}"} if self.visitor.cookie else {}
        given = {"content-type": "application/json", **cookie, **headers}
        encoded = {name: value.encode("latin-1") for name, value in given.items()}
        client = self.visitor.server.client
        client.cookies.clear()
        response = client.request(method, path, content=body, headers=encoded)  # type: ignore[arg-type]
        client.cookies.clear()
        self.sent += 1
        what = f"{method} {path[:200]} {(body or b'')[:200]!r} {headers}"
        assert response.status_code < 500 or response.status_code == 503, f"{what}: {response.text[:300]}"
        assert "Traceback" not in response.text, what
        if response.status_code >= 400 and response.headers.get("content-type") == "application/json" and response.text:
            told = json.loads(response.text)
            assert told.get("faults") or told.get("refusal"), what


def fill(path: str, value: str) -> str:
    return re.sub(r"\{[^}]*\}", quote(value, safe=""), path)


@pytest.fixture
def _quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords are hashed hundreds of times here, and how dear that is on purpose is not what is tested."""
    quick = partial(PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(person, "PasswordHasher", quick)


@pytest.mark.usefixtures("toy", "_quick_hashes")
def test_no_request_breaks_the_server(database: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    with serving(database, limits=1e9) as server:
        anna = server.visitor()
        table = anna.new_table(seats={"red": "me", "blue": "hotseat"})["id"]
        attacker = Attacker(anna)
        for method, path in routes(server):
            honest = path.replace("{table_id}", table).replace("{seq}", "1").replace("{invite}", "x")
            # Of a path without a place for words and numbers all would be the same.
            filled = [fill(path, word[:1500]) for word in WORDS]
            numbered = [path.replace("{table_id}", table).replace("{seq}", str(number)) for number in NUMBERS]
            for address in dict.fromkeys((*filled, *numbered)):
                attacker.send(method, address)
            for word in WORDS:
                for name in QUERIES:
                    attacker.send(method, f"{honest}?{name}={quote(word[:1500], safe='')}")
            for body in [*RAW, *BODIES.get(path, ())]:
                if method not in ("GET", "HEAD", "OPTIONS"):
                    attacker.send(method, honest, body)
        _attack_fields(attacker)
        assert anna.get("/api/lobby").status_code == 200
        assert attacker.sent > 500
    faults = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert not faults


def _attack_fields(attacker: Attacker) -> None:
    """What is inside the fields, and the headers."""
    honest: dict[str, Any] = {"scenario": "crossroads", "seats": {"red": "me", "blue": "hotseat"}}
    for clock in CLOCKS:
        attacker.send("POST", "/api/tables", json.dumps({**honest, "clock": clock}).encode())
    for thing in THINGS:
        attacker.send("POST", "/api/tables", json.dumps({**honest, "seats": {"red": thing}}).encode())
        attacker.send("POST", "/api/tables", json.dumps({**honest, "options": {str(thing): thing}}).encode())
    for text in FILES:
        attacker.send("POST", "/api/open", json.dumps({"name": "a\0b", "text": text}).encode())
    for name in ("origin", "host", "cookie", "if-none-match", "if-modified-since", "content-type", "x-forwarded-for"):
        for word in ("", "[", "http://[", "\xff\xfe", "a" * 4000, "Thu, 99 Foo 9999 99:99:99", "sandtable=;;;=", "*/*"):
            for method, path in (("GET", "/api/lobby"), ("POST", "/api/account/logout"), ("GET", "/")):
                if not (method == "GET" and path == "/api/lobby" and name == "cookie"):
                    attacker.send(method, path, None, **{name: word})
