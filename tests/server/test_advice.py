"""Help from the computer over the wire: hints, a seat handed over, thoughts, reviews; and no secrets in them."""

from __future__ import annotations

import time
from typing import Any

import pytest

from sandtable.session.game import live_game as table_module
from tests.server.players import Server, seated, serving
from tests.session.toy_registry import fix_dice

PATROL = "na-a-patrol-at-tamrad"


def test_a_hint_comes_while_other_questions_are_answered(server: Server) -> None:
    visitor = server.visitor()
    made = visitor.new_table(seats={"red": "me", "blue": "hotseat"})
    with visitor.at(made["id"], "red") as socket:
        socket.until("Snapshot")
        first = socket.send("Hint", v=socket.v, bot="greedy")
        second = socket.send("Walk", v=socket.v, keys=[])
        answers: dict[int, Any] = {}
        while len(answers) < 2:
            message = socket.receive()
            if "re" in message:
                answers[message["re"]] = message
        assert answers[second]["type"] == "Walked"
        hinted = answers[first]
        assert hinted["type"] == "Hinted", hinted
        advice = hinted["advice"]
        assert advice["chosen"]
        assert socket.call("Act", v=socket.v, action=advice["action"])["type"] == "Done"
        assert socket.call("Hint", v=socket.v, bot="nobody")["type"] == "Rejected"


def test_a_seat_is_handed_over_and_everybody_sees_it(server: Server) -> None:
    with seated(server, options={"help": "on", "auto": "off"}) as pair:
        assert pair.first.call("HandOver", bot="random")["type"] == "Done"
        presence = pair.second.until("Presence")
        assert {one["seat"]: one["stand_in"] for one in presence["seats"]} == {"red": "Random", "blue": ""}
        assert pair.second.call("HandOver", bot="")["type"] == "Done", "taking back what was never given is no fault"
        assert pair.first.call("HandOver", bot="")["type"] == "Done"
        # A seat may be named, if it is one's own.
        mine, theirs = (pair.first.call("HandOver", bot="random", seat=seat) for seat in ("red", "blue"))
        assert (mine["type"], theirs["type"]) == ("Done", "Refused")
        assert pair.first.call("HandOver", bot="", seat="red")["type"] == "Done"
    with seated(server) as pair:
        refused = pair.first.call("HandOver", bot="random")
        assert refused["type"] == "Refused"
        assert "another person" in refused["reason"]


@pytest.mark.parametrize("orders", [("aim", "aim"), ("none", "march")])
def test_a_hint_does_not_depend_on_what_is_hidden(
    monkeypatch: pytest.MonkeyPatch, toy: None, orders: tuple[str, str]
) -> None:
    """The other side has given its secret orders already; whatever they are, the advice is the same."""
    monkeypatch.setattr(table_module, "new_seed", lambda: 5)

    def advice(secret: tuple[str, str]) -> Any:
        fix_dice(monkeypatch)
        with serving() as server, seated(server, options={"help": "on", "auto": "off"}) as pair:
            assert pair.second.act(*secret, "done")["type"] == "Done"
            pair.first.until("Update")
            hinted = pair.first.call("Hint", v=pair.first.v, bot="greedy")
            assert hinted["type"] == "Hinted", hinted
            return hinted["advice"]

    assert advice(orders) == advice(("march", "none"))


def test_thoughts_of_the_other_side_are_not_told_while_the_game_runs(server: Server) -> None:
    visitor, watcher = server.visitor(), server.visitor()
    made = visitor.new_table(seats={"red": "me", "blue": "bot:greedy"}, options={"auto": "off"})
    with visitor.at(made["id"], "red") as socket:
        socket.until("Snapshot")
        while socket.v < 2:
            socket.receive()
        for who in (visitor, watcher):
            denied = who.get(f"/api/tables/{made['id']}/thoughts/1")
            assert denied.status_code == 403, denied.text
            assert "while the game runs" in denied.json()["refusal"]["reason"]
        assert socket.call("Resign")["type"] == "Done"
    told = visitor.get(f"/api/tables/{made['id']}/thoughts/1")
    assert told.status_code == 200, told.text
    assert told.json()["is_same"] is True
    assert visitor.get(f"/api/tables/{made['id']}/thoughts/1?bot=nobody").status_code == 400
    assert visitor.get(f"/api/tables/{made['id']}/thoughts/99").status_code == 400


def test_a_review_is_for_games_that_are_over(server: Server) -> None:
    visitor = server.visitor()
    server.client.app.state.reviews._games = 2
    made = visitor.new_table(PATROL, seats={"german": "me", "british": "hotseat"})
    address = f"/api/tables/{made['id']}/review"
    assert visitor.get(address).status_code == 403
    assert visitor.post(address).status_code == 403
    with visitor.at(made["id"], "german") as socket:
        socket.until("Snapshot")
        assert socket.call("Resign")["type"] == "Done"
    assert visitor.get(address).json()["state"] == "none"
    assert visitor.post(address).json()["state"] == "working"
    until = time.monotonic() + 90
    while (told := visitor.get(address).json())["state"] == "working":
        assert time.monotonic() < until
        time.sleep(0.1)
    assert told["state"] == "done", told
    review = told["review"]
    assert review["seats"] == ["german", "british"]
    assert review["curve"]
    # The same log is not worked on again.
    assert visitor.post(address).json()["review"] == review
