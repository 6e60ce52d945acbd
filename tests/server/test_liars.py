"""Clients that lie: each gets a clear answer, the game is unharmed and other games do not notice."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from litestar.exceptions import WebSocketDisconnect

from sandtable.server.connection import Closing, Connection
from sandtable.server.messages import MAX_MESSAGE
from sandtable.session.store import Person
from tests.server.players import Pair, Server, Socket, seated, serving

ORDERS = ["aim", "aim", "done"]


def assert_unharmed(pair: Pair, v: int = 1) -> None:
    """The table answers as if nothing had been."""
    pair.second.send("Resync")
    assert pair.second.until("Snapshot")["v"] == v
    assert pair.second.act(*ORDERS)["type"] == "Done"


def code_of(socket: Socket) -> int:
    """The code with which the server ends the connection."""
    try:
        while True:
            socket.receive()
    except WebSocketDisconnect as closed:
        return closed.code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "null",
        "[]",
        "{}",
        '"Act"',
        '{"type": "Act"}',
        '{"type": "Teleport", "id": 1}',
        '{"type": "Act", "id": "one", "v": 1}',
        '{"type": "Act", "id": 1, "v": 1, "keys": "aim"}',
        '{"type": "Act", "id": 1, "v": 1, "keys": [], "seat": "blue"}',
        '{"type": "Act", "id": 1, "v": 1.5, "keys": []}',
        '{"type": "Snapshot", "v": 1}',
        '{"type": "Act", "id": 1, "v": ' + "9" * 400 + "}",
        '{"type": "Resync", "id": ' + "9" * 30 + "}",
        "[" * 20_000,
        '{"type": "Say", "id": 1, "text": "\\ud800"}',
        "\x00\x01",
    ],
)
def test_malformed_messages(server: Server, text: str) -> None:
    with seated(server) as pair:
        pair.first.session.send_text(text)
        answer = pair.first.until("Rejected")
        assert answer["faults"]
        assert "Traceback" not in json.dumps(answer)
        assert_unharmed(pair)


def test_the_number_of_a_bad_message_comes_back(server: Server) -> None:
    with seated(server) as pair:
        pair.first.session.send_text('{"type": "Teleport", "id": 77}')
        assert pair.first.until("Rejected")["re"] == 77


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"v": 1, "action": {"type": "Nuke"}}, "Rejected"),
        ({"v": 1, "action": {"type": "GiveOrders", "orders": {"r1": "win"}}}, "Rejected"),
        ({"v": 1, "action": {"type": "GiveOrders", "orders": {"b1": "aim", "b2": "aim"}}}, "Refused"),
        ({"v": 1, "action": {"type": "March", "piece": "b1", "steps": 1}}, "Refused"),
        ({"v": 1, "action": {"type": "Duck", "duck": True}}, "Refused"),
        ({"v": 1, "keys": ["aim", "?", "done"]}, "Rejected"),
        ({"v": 1, "keys": ["aim"]}, "Rejected"),
        ({"v": 1, "keys": ["aim"] * 3000}, "Rejected"),
        ({"v": 1, "keys": [], "to": "moon"}, "Rejected"),
        ({"v": 0, "keys": ORDERS}, "Stale"),
        ({"v": -1, "keys": ORDERS}, "Stale"),
        ({"v": 2, "keys": ORDERS}, "Stale"),
    ],
)
def test_actions_that_are_none(server: Server, fields: dict[str, Any], kind: str) -> None:
    with seated(server) as pair:
        assert pair.first.call("Act", **fields)["type"] == kind
        assert_unharmed(pair)


def test_another_ones_seat(server: Server) -> None:
    with seated(server) as pair:
        for thief in (pair.other, server.visitor()):
            with thief.at(pair.table, "red") as socket:
                assert code_of(socket) == 4403
        with server.visitor().at(pair.table, "nobody") as socket:
            assert code_of(socket) == 4403
        assert pair.second.call("Sit", seat="red")["type"] == "Rejected"
        assert pair.second.act("march", "march", "done", v=1)["type"] == "Done", "his own orders, in his own seat"
        assert pair.first.until("Update")["entry"]["seat"] == "blue"


def test_a_guest_who_logs_in_takes_his_seats_along_and_the_old_connection_loses_them(server: Server) -> None:
    with seated(server) as pair:
        words = {"name": "Ann", "password": "correct horse"}
        server.visitor().post("/api/account/register", words)
        assert pair.one.post("/api/account/login", words).status_code == 200
        assert pair.first.act(*ORDERS)["type"] == "Refused"
        with pair.one.at(pair.table, "red") as socket:
            socket.until("Snapshot")
            assert socket.act(*ORDERS)["type"] == "Done"


def test_a_forged_cookie_is_nobody(server: Server) -> None:
    with seated(server) as pair:
        eve = server.visitor()
        eve.cookie = "x" * 43
        with eve.at(pair.table, "red") as socket:
            assert code_of(socket) == 4403
        assert eve.get(f"/api/tables/{pair.table}/log?seat=red").status_code == 403


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://testserver.local.evil.example"])
def test_foreign_pages(server: Server, origin: str) -> None:
    with seated(server) as pair:
        with pair.one.at(pair.table, "red", origin=origin) as socket:
            assert code_of(socket) == 4403
        assert_unharmed(pair)


def test_huge_messages(server: Server) -> None:
    with seated(server) as pair:
        pair.first.session.send_text(json.dumps({"type": "Say", "id": 1, "text": "x" * MAX_MESSAGE}))
        assert "too large" in pair.first.until("Rejected")["faults"][0]["wrong"]
        assert code_of(pair.first) == 1009
        assert_unharmed(pair)


def test_large_but_allowed_messages(server: Server) -> None:
    with seated(server) as pair:
        assert pair.first.call("Say", text="x" * (MAX_MESSAGE - 1000))["type"] == "Done"
        assert len(pair.second.until("Said")["line"]["text"]) == 500


def test_a_flood_is_refused_and_then_cut_off(toy: None) -> None:
    with serving(limits=1.0) as server, seated(server) as pair, seated(server) as elsewhere:
        for number in range(400):
            pair.first.session.send_text(json.dumps({"type": "Resync", "id": number}))
        assert "too many" in pair.first.until("Rejected")["faults"][0]["wrong"]
        assert elsewhere.first.act(*ORDERS)["type"] == "Done", "other games do not notice"
        assert code_of(pair.first) == 4429
        assert_unharmed(pair)


def test_an_unknown_table(server: Server) -> None:
    for name, code in (("nothing", 4404), ("x" * 500, 4404), ("%00", 4400)):
        with server.visitor().at(name) as socket:
            assert code_of(socket) == code


def test_a_client_that_does_not_read_is_cut_off(server: Server) -> None:
    table_id = server.visitor().new_table()["id"]
    table = server.registry.live(table_id)
    assert table is not None

    async def go() -> tuple[int, int]:
        connection = Connection(table, Person("x", "X", "", 0.0), "")
        for number in range(2000):
            connection.put(str(number))
        read = 0
        try:
            while True:
                await connection.next()
                read += 1
        except Closing as closing:
            return read, closing.code

    read, code = asyncio.run(go())
    assert read < 2000
    assert code == 4408
