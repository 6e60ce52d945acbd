"""Drawings under the hand: how far they hold, shapes on the table, and a client that drags at full speed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sandtable import catalog
from tests.server.players import Message, Pair, Server, Socket, seated, serving
from tests.tabletop_system import register_tabletop


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(catalog, "_registered", dict(catalog._registered))
    register_tabletop()
    with serving() as found:
        yield found


def tried(socket: Socket, text: str, *keys: str) -> Message:
    return socket.call("Try", v=socket.v, keys=list(keys), strokes=text)


def driving(pair: Pair) -> Socket:
    """Set up, shell nobody, and drive r1, which stands at 4,4 and looks south."""
    places = {"first": iter(["put 4,4 facing 180", "put 12,2 facing 180"]), "second": iter(["put 4,28 facing 0"] * 2)}
    while True:
        for name, socket in (("first", pair.first), ("second", pair.second)):
            if socket.ask is None:
                continue
            sketch = socket.ask["root"]["sketch"]
            if sketch["start"] is not None:
                return socket
            key = next(places[name], "") if sketch["base"] == [1000, 1000] else "put 30,28 facing 0"
            answer = socket.act(key)
            if answer["type"] == "Refused":
                answer = socket.act(socket.ask["root"]["branches"][0]["key"])
            assert answer["type"] == "Done", answer
            for one in (pair.first, pair.second):
                while one.v < answer["v"]:
                    one.receive()


def test_a_drawing_is_told_how_far_it_holds(server: Server) -> None:
    with seated(server, "mill") as pair:
        red = driving(pair)
        assert red is pair.first
        good = tried(red, "go 4,7")
        assert (good["type"], good["refusal"], good["upto"]) == ("Tried", None, 1)
        assert [(mark["at"], mark["spent"], mark["left"]) for mark in good["marks"]] == [
            ([4000, 5000], 2, 22),
            ([4000, 6000], 4, 20),
            ([4000, 7000], 6, 18),
        ]
        bad = tried(red, "go 4,7; go 4,12")
        assert (bad["upto"], bad["refusal"]["rule"]) == (1, "2.3")
        assert bad["marks"][-1]["at"] == [4000, 8000]
        v = red.v
        for wild in (
            "",
            "\0",
            "go nowhere",
            "go 99999,1",
            f"go {'9' * 5000},1",
            "go 1,1; " * 90,
            "face 3600",
            ";" * 5000,
        ):
            assert tried(red, wild)["type"] == "Rejected"
        for odd in ("along no road to 1,1", "put 1,1 facing 0", "go 900,900", "back 4,4", "go 4,4; go 4,4", "jump 1,1"):
            assert tried(red, odd)["refusal"] is not None, odd
        assert tried(red, "go 4,7", "r1")["type"] == "Rejected"
        assert red.v == v
        assert red.act("go 4,7; go 4,12")["type"] == "Refused"
        assert red.act("go 4,7")["type"] == "Done"


def test_a_piece_stands_somewhere_and_looks_somewhere(server: Server) -> None:
    with seated(server, "mill") as pair:
        driving(pair)
        assert pair.second.scene is not None
        piece = next(one for one in pair.second.scene["counters"] if one["id"] == "r1")
        assert (piece["hex"], piece["heading"], piece["base"]) == ("4,4", 1800, [1000, 1000])
        assert [one["kind"] for one in pair.second.scene["patches"]] == ["craters"]


def test_shapes_of_a_counter_are_told(server: Server) -> None:
    with seated(server, "mill") as pair:
        red = driving(pair)
        assert pair.one.get(f"/api/tables/{pair.table}").json()["outlines"] == {"ahead": "Field of fire"}
        found = red.call("Outline", unit="r1", what="ahead")
        assert (found["type"], found["zones"][0]["outline"][0]) == ("Outlined", [4000, 4000])
        assert red.call("Outline", unit="r1", what="luck")["type"] == "Rejected"
        assert red.call("Outline", unit="nobody", what="ahead")["zones"] == []
        assert red.call("Field", unit="r1")["outlines"]
        assert red.call("Sight", a="15,2", b="15,12")["report"]["by"] == "woods"
        assert red.call("Sight", a="15,2", b="15,99")["type"] == "Rejected"


def test_the_drawing_of_a_table_is_in_inches(server: Server) -> None:
    anna = server.visitor()
    table = anna.new_table("mill")["id"]
    drawing = anna.get(f"/api/tables/{table}/map").json()
    assert drawing["table"] == {"title": "The meadow", "width": 36, "depth": 30}
    assert drawing["hexes"] == []
    road = next(one for one in drawing["features"] if one["kind"] == "road")
    assert road["line"][0] == [16, 0]
    assert len(road["outline"]) == 8


def test_who_drags_at_full_speed_is_served_within_his_limits(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandtable.server.socket._TRIES", 10 / 1000)
    with seated(server, "mill") as pair:
        red = driving(pair)
        numbers = [red.send("Try", v=red.v, keys=[], strokes=f"go 4,{5 + place % 3}") for place in range(200)]
        # The other one is answered meanwhile.
        assert pair.second.call("Sight", a="1,1", b="2,2")["type"] == "Sighted"
        answers = [next(iter([red.receive()])) for _ in numbers]
        assert [one["re"] for one in answers] == numbers
        judged = sum(one["type"] == "Tried" for one in answers)
        assert 10 <= judged < 100
        assert {one["type"] for one in answers} == {"Tried", "Rejected"}
        assert red.act("go 4,5")["type"] == "Done"
