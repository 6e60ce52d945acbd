"""People with a browser, for tests: one application, many visitors, each with a cookie of his own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from random import Random
from typing import Any

from litestar import Litestar
from litestar.testing import TestClient
from litestar.testing.websocket_test_session import WebSocketTestSession

from sandtable.server.app import create_app
from sandtable.session.presenting.changes import follow_ask, follow_scene
from sandtable.session.registry import Registry

Message = dict[str, Any]
ORIGIN = "http://testserver.local"


class Server:
    """An application that runs in a thread."""

    def __init__(self, client: TestClient[Litestar]) -> None:
        self.client = client

    @property
    def registry(self) -> Registry:
        found: Registry = self.client.app.state.registry
        return found

    def visitor(self) -> Visitor:
        return Visitor(self)


@contextmanager
def serving(database: str = ":memory:", **settings: Any) -> Iterator[Server]:
    app = create_app(database, **{"limits": 1000.0, **settings})
    with TestClient(app, base_url=ORIGIN) as client:
        yield Server(client)


class Visitor:
    """Somebody with a browser; the first answer that sets a cookie makes him known."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.cookie = ""

    def request(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Any:
        client = self.server.client
        client.cookies.clear()
        sent = {"cookie": f"sandtable={self.cookie}"} if self.cookie else {}
        response = client.request(method, path, json=body, headers={**sent, **(headers or {})})
        if "sandtable" in response.cookies:
            self.cookie = response.cookies["sandtable"]
        client.cookies.clear()
        return response

    def get(self, path: str, **headers: str) -> Any:
        return self.request("GET", path, headers=headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.request("POST", path, body, headers)

    def new_table(self, scenario: str = "crossroads", **wish: Any) -> Message:
        response = self.post("/api/tables", {"scenario": scenario, **wish})
        assert response.status_code == 201, response.text
        made: Message = response.json()
        return made

    @contextmanager
    def at(self, table: str, seat: str | None = None, origin: str = ORIGIN) -> Iterator[Socket]:
        query = "" if seat is None else f"?seat={seat}"
        headers = {"origin": origin}
        if self.cookie:
            headers["cookie"] = f"sandtable={self.cookie}"
        self.server.client.cookies.clear()
        with self.server.client.websocket_connect(f"/api/tables/{table}/socket{query}", headers=headers) as session:
            yield Socket(session)


class Socket:
    """A connection to a table that keeps every text it is sent."""

    def __init__(self, session: WebSocketTestSession) -> None:
        self.session = session
        self.texts: list[str] = []
        self.v = 0
        self.ask: Message | None = None
        self.scene: Message | None = None
        self.outcome: Message | None = None
        self._id = 0

    def receive(self, timeout: float = 20) -> Message:
        text = self.session.receive_text(timeout=timeout)
        self.texts.append(text)
        message: Message = json.loads(text)
        if message["type"] == "Update":
            assert message["v"] == self.v + 1, "no gap"
        if message["type"] in ("Snapshot", "Update"):
            self.v, self.outcome = message["v"], message["outcome"]
            self.follow(message)
        if message["type"] == "Clocks":
            self.outcome = message["outcome"]
        return message

    def follow(self, message: Message) -> None:
        """Have what a page has after a message; the message then holds it whole."""
        if message["type"] == "Update":
            assert self.scene is not None
            message["scene"] = follow_scene(self.scene, message["scene"])
            message["ask"] = follow_ask(self.ask, message)
        self.scene, self.ask = message["scene"], message["ask"]

    def until(self, kind: str) -> Message:
        while (message := self.receive())["type"] != kind:
            pass
        return message

    def send(self, kind: str, **fields: Any) -> int:
        self._id += 1
        self.session.send_text(json.dumps({"type": kind, "id": self._id, **fields}))
        return self._id

    def call(self, kind: str, **fields: Any) -> Message:
        """Send a message and wait for its answer."""
        number = self.send(kind, **fields)
        while True:
            message = self.receive()
            if message.get("re") == number:
                return message

    def act(self, *keys: str, to: str = "", v: int | None = None) -> Message:
        return self.call("Act", v=self.v if v is None else v, keys=list(keys), to=to)

    def choose(self, rng: Random) -> Message:
        """Some complete answer, as the fields of an Act, found by walking as a client does."""
        assert self.ask is not None
        node, v = self.ask["root"], self.v
        while True:
            if node["shape"] == "assign":
                return {
                    "v": v,
                    "keys": [*node["keys"], *(rng.choice(slot["values"]) for slot in node["slots"]), "done"],
                }
            if node["shape"] == "gather":
                left_out = [[] if slot["required"] else ["-"] for slot in node["slots"]]
                values = [
                    rng.choice([*slot["values"], *out]) for slot, out in zip(node["slots"], left_out, strict=True)
                ]
                if all(value == "-" for value in values):
                    values[0] = node["slots"][0]["values"][0]
                return {"v": v, "keys": [*node["keys"], *values, "done"]}
            if node["shape"] == "path" and node["destinations"] and rng.random() < 0.8:
                return {"v": v, "keys": node["keys"], "to": rng.choice(node["destinations"])["key"]}
            branch = rng.choice(node["branches"])
            keys = [*node["keys"], branch["key"]]
            if branch["leaf"]:
                return {"v": v, "keys": keys}
            answer = self.call("Walk", v=v, keys=keys)
            if answer["type"] == "Stale":
                return {"v": v, "keys": keys}
            assert answer["type"] == "Walked", answer
            node = answer["node"]


@contextmanager
def seated(
    server: Server, scenario: str = "crossroads", seats: tuple[str, str] = ("red", "blue"), **wish: Any
) -> Iterator[Pair]:
    """Two people at a table, each connected to his seat."""
    one, other = server.visitor(), server.visitor()
    made = one.new_table(scenario, seats={seats[0]: "me", seats[1]: "invite"}, **wish)
    token = made["invites"][seats[1]]
    assert other.post(f"/api/join/{token}").status_code == 200
    with ExitStack() as stack:
        first = stack.enter_context(one.at(made["id"], seats[0]))
        first.until("Snapshot")
        second = stack.enter_context(other.at(made["id"], seats[1]))
        second.until("Snapshot")
        yield Pair(made["id"], one, other, first, second)


class Pair:
    """Two people at a table."""

    def __init__(self, table: str, one: Visitor, other: Visitor, first: Socket, second: Socket) -> None:
        self.table = table
        self.one = one
        self.other = other
        self.first = first
        self.second = second
