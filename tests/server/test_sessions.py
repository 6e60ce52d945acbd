"""Sessions end, everywhere; guests are forgotten; nobody passes for the table."""

from __future__ import annotations

import time

import pytest
from litestar.exceptions import WebSocketDisconnect

from sandtable.session.people import person as people
from tests.server.players import ORIGIN, Server, serving


def test_logging_out_ends_sessions_and_sockets_everywhere(server: Server) -> None:
    here, there = server.visitor(), server.visitor()
    credentials = {"name": "Annabel", "password": "correct horse"}
    assert here.post("/api/account/register", credentials).status_code == 200
    table = here.new_table(seats={"red": "me", "blue": "hotseat"})["id"]
    assert there.post("/api/account/login", credentials).status_code == 200
    old = here.cookie
    with there.at(table, "red") as socket:
        socket.until("Snapshot")
        assert here.post("/api/account/logout").status_code == 200
        with pytest.raises(WebSocketDisconnect) as cut:
            socket.until("nothing more")
        assert cut.value.code == 4403
    for cookie in (old, there.cookie):
        stale = server.visitor()
        stale.cookie = cookie
        assert stale.get("/api/lobby").json()["me"]["guest"]


def test_a_session_that_nobody_uses_ends(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = server.visitor()
    anna.post("/api/account/register", {"name": "Annabel", "password": "correct horse"})
    assert anna.get("/api/lobby").json()["me"]["name"] == "Annabel"
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + people.SESSION + 10)
    assert anna.get("/api/lobby").json()["me"]["guest"]


def test_a_session_that_is_used_goes_on(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = server.visitor()
    anna.post("/api/account/register", {"name": "Annabel", "password": "correct horse"})
    now = time.time()
    for days in range(0, 200, 40):
        monkeypatch.setattr(time, "time", lambda days=days: now + days * 24 * 3600)
        assert anna.get("/api/lobby").json()["me"]["name"] == "Annabel"


def test_guests_without_games_are_forgotten(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    idle, busy, new = server.visitor(), server.visitor(), server.visitor()
    idle.get("/api/lobby")
    idle.post("/api/open", {"name": "a", "text": "no file"})
    busy.new_table(seats={"red": "me", "blue": "hotseat"})
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 4 * 24 * 3600)
    new.get("/api/lobby")
    portal = server.client.blocking_portal
    gone = portal.call(server.registry.people.tidy)
    assert len(gone) == 1
    people_left = portal.call(server.registry.keeper.run, lambda store: store._run("SELECT count(*) FROM people"))
    assert people_left == [(2,)]


def test_chat_needs_a_session(server: Server) -> None:
    table = server.visitor().new_table(seats={"red": "me", "blue": "hotseat"})["id"]
    with server.visitor().at(table) as nobody:
        nobody.until("Snapshot")
        answer = nobody.call("Say", text="I am the table")
        assert answer["type"] == "Refused"
        assert "who you are" in answer["reason"]
    known = server.visitor()
    known.get("/api/lobby")
    with known.at(table) as watcher:
        watcher.until("Snapshot")
        assert watcher.call("Say", text="hello")["type"] == "Done"


@pytest.mark.parametrize("name", ["Table", "\u0422able", "Ta\u200bble", "Guest 4711", "Patrols", "Captain 3, bold"])
def test_nobody_passes_for_the_table_a_system_or_a_bot(server: Server, name: str) -> None:
    answer = server.visitor().post("/api/account/register", {"name": name, "password": "correct horse"})
    assert answer.status_code in (400, 409)
    if answer.status_code == 400:
        assert "not for people" in answer.json()["faults"][0]["wrong"]


def test_nobody_passes_for_somebody_else(server: Server) -> None:
    assert server.visitor().post("/api/account/register", {"name": "Anna", "password": "correct horse"}).is_success
    twin = server.visitor().post("/api/account/register", {"name": "\u0410nn\u0430", "password": "correct horse"})
    assert twin.status_code == 409
    assert "taken" in twin.json()["refusal"]["reason"]


@pytest.mark.usefixtures("toy")
def test_so_many_guests_come_from_one_address() -> None:
    with serving(limits=1.0) as server:
        answers = [server.visitor().get("/api/lobby", origin=ORIGIN) for _ in range(40)]
        codes = [answer.status_code for answer in answers]
        assert codes[:25] == [200] * 25
        assert codes[-1] == 429
        assert "new guests from your address" in answers[-1].json()["refusal"]["reason"]


@pytest.mark.usefixtures("toy")
def test_so_many_tables_in_a_short_time() -> None:
    with serving(limits=1.0) as server:
        anna = server.visitor()
        wish = {"scenario": "crossroads", "seats": {"red": "me", "blue": "hotseat"}}
        answers = [anna.post("/api/tables", wish) for _ in range(60)]
        assert answers[0].status_code == 201
        assert answers[-1].status_code == 429


def test_the_short_name_of_a_system_is_not_for_people(server: Server) -> None:
    titles = [row["title"] for row in server.visitor().get("/api/lobby").json()["systems"]]
    assert any("," in title for title in titles)
    assert "Panzer" in {title.partition(" ")[0] for title in titles}
    for name in {short for title in titles for short in (title.partition(",")[0], title.partition(" ")[0])}:
        answer = server.visitor().post("/api/account/register", {"name": name, "password": "correct horse"})
        assert answer.status_code == 400, name
