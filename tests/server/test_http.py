"""The HTTP interface."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from sandtable import catalog
from sandtable.core.content.pack import Pack
from sandtable.core.log import dump, read_header
from sandtable.core.ruleset import System
from tests.server.players import Server, seated, serving
from tests.toy_system import PACK, play_out, toy_game

LOG_LINES = 2


def test_the_lobby_makes_a_guest_at_once(server: Server) -> None:
    visitor = server.visitor()
    response = visitor.get("/api/lobby")
    assert response.status_code == 200
    lobby = response.json()
    assert lobby["me"]["guest"] is True
    assert {row["id"] for row in lobby["systems"]} >= {"panzer-na", "mbt", "aslsk3", "panzer-mini", "goss", "toy"}
    scenario = next(row for row in lobby["scenarios"] if row["id"] == "crossroads")
    assert [side["id"] for side in scenario["sides"]] == ["red", "blue"]
    assert {"random", "greedy", "captain:2:steady"} <= {one["name"] for one in lobby["bots"]}
    flags = response.headers["set-cookie"].casefold()
    assert "httponly" in flags
    assert "samesite=lax" in flags
    assert "secure" not in flags, "plain http here"
    again = visitor.get("/api/lobby")
    assert "set-cookie" not in again.headers
    assert again.json()["me"] == lobby["me"]


def test_cookies_are_secure_over_https(toy: None) -> None:
    with serving() as server:
        server.client.base_url = "https://testserver.local"
        assert "secure" in server.visitor().get("/api/lobby").headers["set-cookie"].casefold()


def test_a_table_with_an_invitation(server: Server) -> None:
    ann, bob, eve = (server.visitor() for _ in range(3))
    made = ann.new_table(seats={"red": "me"})
    assert list(made["invites"]) == ["blue"]
    lobby = ann.get("/api/lobby").json()
    (row,) = lobby["tables"]
    assert (row["id"], row["your_move"], row["over"]) == (made["id"], True, False)
    (invite,) = lobby["invites"]
    assert invite["token"] == made["invites"]["blue"]
    own = ann.post(f"/api/join/{invite['token']}")
    assert own.status_code == 409
    assert "already" in own.json()["refusal"]["reason"]
    assert bob.post(f"/api/join/{invite['token']}").json()["id"] == made["id"]
    assert eve.post(f"/api/join/{invite['token']}").status_code == 404
    assert bob.get("/api/lobby").json()["tables"][0]["your_move"] is True
    assert ann.get("/api/lobby").json()["invites"] == []


def test_what_a_table_shows(server: Server) -> None:
    ann = server.visitor()
    info = ann.get(f"/api/tables/{ann.new_table()['id']}").json()
    assert info["scenario"] == "crossroads"
    assert info["rules"]["2.1"] == "The March"
    (table,) = info["tables"]
    assert (table["status"], table["verbatim"]) == ("reconstructed", [[1]])
    assert info["has_map"] is False
    assert ann.get(f"/api/tables/{info['id']}/map").status_code == 404


def test_a_map_is_drawn_from_its_features() -> None:
    with serving() as server:
        ann = server.visitor()
        scenario = ann.get("/api/lobby").json()["scenarios"][0]
        table = ann.new_table(scenario["id"], seats={scenario["sides"][0]["id"]: "me"})["id"]
        info = ann.get(f"/api/tables/{table}").json()
        assert info["has_map"]
        assert "sight" in info["tools"]
        assert set(info["card_of"].values()) == set(info["cards"])
        response = ann.get(f"/api/tables/{table}/map")
        drawing = response.json()
        assert all(hex["x"] == 3 * hex["q"] and hex["y"] == 2 * hex["r"] + hex["q"] for hex in drawing["hexes"])
        kinds = {feature["kind"] for feature in drawing["features"]}
        assert kinds <= set(drawing["legend"])
        assert {"", *kinds} == set(drawing["legend"])
        tag = response.headers["etag"]
        assert ann.get(f"/api/tables/{table}/map", **{"if-none-match": tag}).status_code == 304


def test_accounts(server: Server) -> None:
    ann, elsewhere, eve = (server.visitor() for _ in range(3))
    table = ann.new_table(seats={"red": "me"})["id"]
    before = ann.cookie
    words = {"name": "Ann", "password": "correct horse"}
    assert ann.post("/api/account/register", words).json() == {"name": "Ann", "guest": False}
    assert ann.cookie != before, "a new session for the new rights"
    assert ann.post("/api/account/register", words).status_code == 409
    assert eve.post("/api/account/register", {"name": "ANN", "password": "correct horse"}).status_code == 409
    short = eve.post("/api/account/register", {"name": "x", "password": "short"})
    assert short.status_code == 400
    assert len(short.json()["faults"]) == 2
    assert eve.post("/api/account/login", {"name": "Ann", "password": "wrong horse"}).status_code == 409
    assert eve.post("/api/account/login", {"name": "Nobody", "password": "wrong horse"}).status_code == 409

    guest_table = elsewhere.new_table(seats={"red": "me"})["id"]
    assert elsewhere.post("/api/account/login", {"name": "ann", "password": "correct horse"}).status_code == 200
    mine = {row["id"] for row in elsewhere.get("/api/lobby").json()["tables"]}
    assert mine == {table, guest_table}, "what he began as a guest goes with him"
    cookie = elsewhere.cookie
    assert elsewhere.post("/api/account/logout").json()["guest"] is True
    elsewhere.cookie = cookie
    assert elsewhere.get("/api/lobby").json()["me"]["guest"] is True, "the old session is gone"


def test_replay_and_log_of_a_running_game_are_ones_own(server: Server) -> None:
    with seated(server) as pair:
        pair.first.act("march", "aim", "done")
        own = pair.one.get(f"/api/tables/{pair.table}/replay/1?seat=red").json()
        assert own["entry"]["text"] == "r1 march, r2 aim"
        for path in ("replay/1?seat=red", "log?seat=red", "entries?seat=red"):
            assert pair.other.get(f"/api/tables/{pair.table}/{path}").status_code == 403
            assert server.visitor().get(f"/api/tables/{pair.table}/{path}").status_code == 403
        others = pair.other.get(f"/api/tables/{pair.table}/entries").json()
        assert len(others) == LOG_LINES
        assert others[1]["text"] == "r1 ?, r2 ?"
        watcher = server.visitor().get(f"/api/tables/{pair.table}/replay/1").json()
        assert watcher["scene"]["seat"] == ""
        text = pair.other.get(f"/api/tables/{pair.table}/log").text
        assert "march" not in text.split("\n", 1)[1]
        assert "digest" not in text
        assert json.loads(text.split("\n")[0])["redacted"] == "blue"
        assert pair.one.post("/api/open", {"name": "x", "text": text}).status_code == 400
        assert pair.one.get(f"/api/tables/{pair.table}/replay/99").status_code == 400
        assert pair.one.get(f"/api/tables/{pair.table}/replay/0?seat=green").status_code == 400

        pair.first.call("Resign")
        full = pair.other.get(f"/api/tables/{pair.table}/replay/1?seat=red").json()
        assert full["entry"]["text"] == "r1 march, r2 aim", "once it is over, everything may be seen"
        log = pair.other.get(f"/api/tables/{pair.table}/log")
        assert "attachment" in log.headers["content-disposition"]
        assert read_header(log.text, "log").seats == {"red": "human", "blue": "human"}
        assert '"march"' in log.text


def test_opening_a_log(server: Server) -> None:
    game = play_out(toy_game(), Random(2))
    text = "".join(dump(game.header, game.lines))
    ann = server.visitor()
    made = ann.post("/api/open", {"name": "old.jsonl", "text": text})
    assert made.status_code == 201, made.text
    table = made.json()["id"]
    info = server.visitor().get(f"/api/tables/{table}").json()
    assert (info["kind"], info["last"], info["over"]) == ("replay", len(game.lines) - 1, True)
    moment = ann.get(f"/api/tables/{table}/replay/{info['last']}?seat=blue").json()
    assert moment["outcome"] is not None
    assert ann.get(f"/api/tables/{table}/log").text == text
    (row,) = ann.get("/api/lobby").json()["tables"]
    assert (row["kind"], row["your_move"]) == ("replay", False)
    cut = ann.post("/api/open", {"name": "cut.jsonl", "text": text[:-5]})
    assert "cut off" in cut.json()["warnings"][0]
    lines = text.splitlines(keepends=True)
    forged = lines[0] + lines[1] + lines[2].replace('"march"', '"aim"').replace('"none"', '"aim"') + "".join(lines[3:])
    assert ann.post("/api/open", {"name": "forged", "text": forged}).status_code == 400


def test_opening_a_situation(server: Server) -> None:
    ann = server.visitor()
    text = """
system: toy
title: A shot
pieces:
  r1: {id: r1, side: red, at: 2, order: march, shown: false}
  b1: {id: b1, side: blue, at: 5, order: aim, shown: false}
march: red
steps:
- {seat: red, action: {type: March, piece: r1, steps: 2}}
- {ask: {range: [r1, b1]}}
- {seat: blue, action: {type: HoldFire}}
"""
    made = ann.post("/api/open", {"name": "shot.yaml", "text": text})
    assert made.status_code == 201, made.text
    table = made.json()["id"]
    info = ann.get(f"/api/tables/{table}").json()
    assert (info["title"], info["last"]) == ("A shot", 2)
    moment = ann.get(f"/api/tables/{table}/replay/1?seat=red").json()
    assert "r1 marches to 4" in moment["entry"]["sentences"][0]["text"]
    assert ann.get(f"/api/tables/{table}/log").text == text
    for bad in ("system: nothing", "a: &x [1]\nb: *x", "{", ""):
        assert ann.post("/api/open", {"name": "bad", "text": bad}).status_code == 400


def test_errors_are_told_plainly(server: Server) -> None:
    ann = server.visitor()
    assert ann.get("/api/tables/nothing").status_code == 404
    assert ann.get("/api/nothing").status_code == 404
    wrong = ann.post("/api/tables", {"scenario": "crossroads", "colour": "blue"})
    assert wrong.status_code == 400
    assert wrong.json()["faults"]
    near = ann.post("/api/tables", {"scenario": "crossroad"})
    assert near.status_code == 400
    assert "crossroads" in near.json()["faults"][0]["right"]


def test_headers_for_strict_browsers(server: Server) -> None:
    for path in ("/", "/api/lobby", "/api/nothing"):
        headers = server.visitor().get(path).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_foreign_pages_cannot_post(server: Server) -> None:
    ann = server.visitor()
    refused = ann.post("/api/tables", {"scenario": "crossroads"}, origin="https://evil.example")
    assert refused.status_code == 403
    assert ann.post("/api/tables", {"scenario": "crossroads"}, origin="http://testserver.local").status_code == 201


def test_large_and_many_requests_are_refused(toy: None) -> None:
    with serving(limits=0.1) as server:
        ann = server.visitor()
        large = ann.post("/api/tables", {"scenario": "x" * 100_000})
        assert large.status_code == 413
        codes = {ann.post("/api/account/login", {"name": "Ann", "password": "p" * 8}).status_code for _ in range(3)}
        assert 429 in codes


def test_the_openapi_document(server: Server) -> None:
    document = server.client.get("/api/schema/openapi.json").json()
    assert {"/api/lobby", "/api/tables", "/api/tables/{table_id}", "/api/open"} <= set(document["paths"])
    assert "NewTable" in str(document["components"]["schemas"].keys())


def test_the_built_client_is_served(toy: None, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<title>client</title>")
    (tmp_path / "app.js").write_text("1")
    with serving(static=tmp_path) as server:
        assert "client" in server.client.get("/").text
        assert server.client.get("/app.js").status_code == 200
        assert server.client.get("/../app.py").status_code == 404
    with serving(static=tmp_path / "none") as server:
        assert "make play" in server.client.get("/").text


def test_a_system_that_cannot_be_loaded_does_not_close_the_lobby(toy: None) -> None:
    def broken() -> System:
        raise ImportError("half written")

    catalog.register(catalog.Registration("broken", broken, lambda: Pack(PACK, "packs/broken")))
    with serving() as server:
        systems = {row["id"] for row in server.visitor().get("/api/lobby").json()["systems"]}
    assert "toy" in systems
    assert "broken" not in systems


def test_a_fault_of_ours_says_nothing_of_the_inside(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> None:
        raise RuntimeError("secret of the registry")

    monkeypatch.setattr(server.registry, "look", fail)
    response = server.visitor().get("/api/tables/x")
    assert response.status_code == 500
    assert "secret" not in response.text


def test_a_game_is_exported_and_played_on_elsewhere(server: Server) -> None:
    game = toy_game()
    text = "".join(dump(game.header, game.lines))
    ann = server.visitor()
    assert ann.post("/api/open", {"name": "x", "text": text, "seats": {"green": "me"}}).status_code == 400
    made = ann.post("/api/open", {"name": "x", "text": text, "seats": {"red": "me", "blue": "hotseat"}})
    assert made.status_code == 201, made.text
    with ann.at(made.json()["id"], "red") as socket:
        assert socket.until("Snapshot")["ask"] is not None
        assert socket.act("aim", "aim", "done")["type"] == "Done"
    over = play_out(toy_game(), Random(2))
    done = "".join(dump(over.header, over.lines))
    assert ann.post("/api/open", {"name": "x", "text": done, "seats": {"red": "me"}}).status_code == 409


def test_fonts_come_from_here_and_may_be_kept(toy: None, tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<p>the client</p>")
    (tmp_path / "assets" / "letters-1234.woff2").write_bytes(b"wOF2")
    (tmp_path / "licenses.md").write_text("# Licenses")
    with serving(static=tmp_path) as server:
        font = server.client.get("/assets/letters-1234.woff2")
        assert font.status_code == 200
        assert font.headers["content-type"] == "font/woff2"
        assert "immutable" in font.headers["cache-control"]
        # Fonts fall under what the policy allows by default, and nothing else is allowed to bring any.
        assert "default-src 'self'" in font.headers["content-security-policy"]
        page = server.client.get("/")
        assert page.text == "<p>the client</p>"
        assert page.headers["cache-control"] == "no-cache"
        assert server.client.get("/assets/none.woff2").status_code == 404
        # A browser shows it and does not put it away as a file.
        licences = server.client.get("/licenses.md")
        assert licences.headers["content-type"].startswith("text/plain")


def test_what_is_large_is_sent_compressed(toy: None, tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<p>page</p>")
    bundle = "export const word = 'sand';\n" * 400
    (tmp_path / "assets" / "index-1.js").write_text(bundle)
    with serving(static=tmp_path) as server:
        got = server.visitor().get("/assets/index-1.js", **{"accept-encoding": "gzip"})
        assert got.headers["content-encoding"] == "gzip"
        assert got.text == bundle
        assert "content-encoding" not in server.visitor().get("/", **{"accept-encoding": "gzip"}).headers
        lobby = server.visitor().get("/api/lobby", **{"accept-encoding": "gzip"})
        assert lobby.headers["content-encoding"] == "gzip"
