"""Every message type, with every field replaced by what nobody honest would send: always an answer, never a fault."""

from __future__ import annotations

import json
import logging
from typing import Any, get_args
from urllib.parse import quote

import msgspec
import pytest
from litestar.exceptions import WebSocketDisconnect

from sandtable.server import messages as wire
from tests.hostile.values import DEEP, THINGS
from tests.server.players import ORIGIN, Socket, serving

TYPES: tuple[type[msgspec.Struct], ...] = get_args(wire.ClientMessage)
HONEST: dict[str, Any] = {
    "v": 1,
    "keys": [],
    "to": "",
    "a": "A1",
    "b": "A2",
    "hex": "A1",
    "unit": "r1",
    "text": "hello",
    "agree": False,
    "bot": "random",
    "seat": "red",
    "ref": "r1",
    "slots": ["r1"],
    "values": ["aim", "aim"],
    "strokes": "go 1,1",
    "what": "ahead",
}
LISTS = ("keys", "slots", "values")
INSIDE: tuple[Any, ...] = ({"type": "March"}, {"type": 1}, {"type": "GiveOrders", "orders": {"r1": 7}}, {"type": None})
CALM = {"Resign", "HandOver"}
"""What ends the game, or the person's part in it, is asked for last."""


def honest(kind: type[msgspec.Struct]) -> dict[str, Any]:
    names = {field.encode_name for field in msgspec.structs.fields(kind)}
    return {name: value for name, value in HONEST.items() if name in names}


def messages(kind: type[msgspec.Struct]) -> list[dict[str, Any]]:
    fields = [field.encode_name for field in msgspec.structs.fields(kind) if field.encode_name != "id"]
    plain = honest(kind)
    found = [{**plain, "more": 1}]
    found += [{**plain, name: thing} for name in fields for thing in THINGS]
    found += [{**plain, name: [thing]} for name in LISTS for thing in THINGS if name in fields]
    found += [{**plain, name: ["r1", "aim"] * 700} for name in LISTS if name in fields]
    found += [{**plain, "action": thing} for thing in INSIDE if "action" in fields]
    found += [{name: value for name, value in plain.items() if name != left_out} for left_out in fields]
    return found


def answered(socket: Socket, kind: str, fields: dict[str, Any]) -> None:
    """Send it, then something honest: both are answered."""
    socket.session.send_text(json.dumps({"type": kind, "id": 1_000_000, **fields}))
    socket.send("Resync")
    while (message := socket.receive())["type"] != "Snapshot":
        assert "fault in Sandtable" not in json.dumps(message), (kind, fields)
        assert "Traceback" not in json.dumps(message), (kind, fields)


@pytest.mark.usefixtures("toy")
def test_every_message_is_answered(database: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    sent = 0
    with serving(database, limits=1e9) as server:
        anna = server.visitor()
        table = anna.new_table(seats={"red": "me", "blue": "hotseat"}, options={"auto": "off"})["id"]
        with anna.at(table, "red") as socket:
            socket.until("Snapshot")
            for kind in sorted(TYPES, key=lambda one: one.__name__ in CALM):
                for fields in messages(kind):
                    answered(socket, kind.__name__, fields)
                    sent += 1
            for text in ("", "null", "[]", DEEP, '{"type":' * 5000, '{"type": "Act", "id": ' + "9" * 5000 + "}", "\0"):
                socket.session.send_text(text)
                socket.until("Rejected")
        assert anna.get(f"/api/tables/{table}").status_code == 200
    assert sent > 20 * len(TYPES)
    faults = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert not faults


@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("word", ["x" * 300, "ü" * 100, "a" + "\U0001f4a9" * 50, "-1"], ids=len)
def test_who_asks_for_what_there_is_not_is_told_why_in_as_many_bytes_as_there_are(word: str) -> None:
    """A longer reason would be a fault of the server, and the code lost."""
    with serving(limits=1e9) as server:
        anna = server.visitor()
        table = anna.new_table(seats={"red": "me", "blue": "hotseat"})["id"]
        headers = {"origin": ORIGIN, "cookie": f"sandtable={anna.cookie}"}
        for address, code in ((f"{table}/socket?seat={quote(word)}", 4403), (f"{quote(word)}/socket", 4404)):
            asked = server.client.websocket_connect(f"/api/tables/{address}", headers=headers)
            with pytest.raises(WebSocketDisconnect) as closed, asked as session:
                session.receive_text(timeout=5)
            assert closed.value.code == code
            assert 0 < len(closed.value.detail.encode()) <= 123


@pytest.mark.usefixtures("corps")
def test_every_filling_of_many_slots_is_answered(database: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    plain: list[Any] = ["hold"] * 120
    fillings = [[thing, *plain[1:]] for thing in (*THINGS, "attack", "move up", "?", "done")]
    fillings += [plain[:-1], [*plain, "hold"], ["attack"] * 120, [""] * 120, plain * 9, ["-", *plain[1:]]]
    slots = [[], ["B1.1"] * 3000, ["B1.1", "S1"], ["Division 1"], ["b1.1"], ["B1.1", None]]
    with serving(database, limits=1e9) as server:
        anna = server.visitor()
        seats = {"attacker": "me", "defender": "hotseat"}
        table = anna.new_table("breakthrough", seats=seats, options={"auto": "off"})["id"]
        with anna.at(table, "attacker") as socket:
            socket.until("Snapshot")
            for values in fillings:
                answered(socket, "Judge", {"v": 1, "keys": [], "values": values})
                answered(socket, "Judge", {"v": 1, "keys": values[:5], "values": plain})
                answered(socket, "Price", {"v": 1, "keys": [*values, "do"]})
                answered(socket, "Walk", {"v": 1, "keys": values})
            for some in slots:
                answered(socket, "ListValues", {"v": 1, "keys": [], "slots": some})
                answered(socket, "ListValues", {"v": 1, "keys": ["attack"] * 3, "slots": some})
            assert socket.act(*plain, "done", v=1)["type"] == "Done"
    faults = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert not faults
