"""The WebSocket of a table: playing, versions, tools, chat, hot seat, reconnecting."""

from __future__ import annotations

from random import Random

import pytest

from tests.server.players import Server, Socket, Visitor, seated, serving


def play_to_the_end(first: Socket, second: Socket, rng: Random) -> None:
    """Both play random answers, each from his own messages alone."""
    while first.outcome is None:
        for mine, other in ((first, second), (second, first)):
            if mine.ask is None:
                continue
            answer = mine.call("Act", **mine.choose(rng))
            assert answer["type"] in ("Done", "Stale"), answer
            catch_up(mine, other)
            if mine.outcome is not None:
                return


def catch_up(*sockets: Socket) -> None:
    """Wait until all have the same version and nobody has an only answer left to be played."""
    for _ in range(50):
        for one in sockets:
            one.send("Resync")
            one.until("Snapshot")
        if len({one.v for one in sockets}) == 1:
            return
    pytest.fail("the sockets do not agree")


def test_a_whole_game_over_two_sockets(server: Server) -> None:
    with seated(server) as pair:
        play_to_the_end(pair.first, pair.second, Random(4))
        assert pair.second.outcome == pair.first.outcome
        row = pair.other.get("/api/lobby").json()["tables"][0]
        assert row["over"]


def test_versions_rise_by_one_and_done_follows_the_update(server: Server) -> None:
    with seated(server) as pair:
        answer = pair.first.act("march", "aim", "done")
        assert answer == {"type": "Done", "re": 1, "v": 2}
        assert pair.first.v == 2
        update = pair.second.until("Update")
        assert (update["v"], update["entry"]["text"]) == (2, "r1 ?, r2 ?")
        assert pair.second.ask is not None
        assert pair.second.ask["question"] == 1, "the question is still the one of before"


def test_stale_answers_are_not_applied(server: Server) -> None:
    with seated(server) as pair:
        pair.first.act("aim", "aim", "done")
        pair.second.act("aim", "aim", "done", v=1)
        stale = pair.first.act("aim", "aim", "done", v=1)
        assert stale["type"] in ("Stale", "Refused")
        assert pair.first.act("aim", "aim", "done", v=99)["type"] == "Stale"


def test_why_not_and_price(server: Server) -> None:
    with seated(server, options={"auto": "off"}) as pair:
        first, second = pair.first, pair.second
        first.act("march", "none", "done")
        second.act("march", "none", "done")
        catch_up(first, second)
        mover = first if first.ask else second
        good, bad = ("r1", "r2") if mover is first else ("b1", "b2")
        why = mover.call("WhyNot", v=mover.v, keys=[], ref=bad)["why"]
        assert not why["allowed"]
        assert why["refusal"]["rule"] == "2.1"
        assert bad in why["refusal"]["reason"]
        assert mover.call("WhyNot", v=mover.v, keys=[], ref=good)["why"]["allowed"]
        whole = mover.call("WhyNot", v=mover.v, action={"type": "March", "piece": good, "steps": 9})
        assert whole["why"]["refusal"]["remedy"] == "1 to 3"
        price = mover.call("Price", v=mover.v, keys=[good], to="2" if good == "r1" else "4")["preview"]
        assert price["exact"]
        assert [step["unit"] for step in price["steps"]] == [good]
        assert sum(chance["probability"] for chance in price["chances"]) == pytest.approx(1)
        nonsense = mover.call("WhyNot", v=mover.v, keys=[], ref="nobody")["why"]
        assert "nobody cannot be chosen now" in nonsense["refusal"]["reason"]


def test_undo_over_the_wire(server: Server) -> None:
    with seated(server, options={"auto": "off"}) as pair:
        pair.first.act("aim", "aim", "done")
        assert pair.first.call("Undo", v=2)["type"] == "Done"
        assert pair.first.v == 3
        pair.first.act("none", "none", "done")
        pair.second.until("Update")
        catch_up(pair.second)
        pair.second.act("none", "none", "done")
        catch_up(pair.first, pair.second)
        assert pair.second.call("Undo", v=pair.second.v)["type"] == "Done"
        asked = pair.first.until("UndoChanged")["undo"]
        assert (asked["asked_by"], asked["waits_for"]) == ("blue", ["red"])
        assert pair.first.call("ConsentUndo", v=pair.first.v, agree=True)["type"] == "Done"
        catch_up(pair.first, pair.second)
        assert pair.second.ask is not None
        assert pair.second.ask["rule"] == "1.1"


def test_chat_reaches_everybody_and_is_kept(server: Server) -> None:
    with seated(server) as pair:
        pair.first.call("Say", text="  good\nluck  ")
        line = pair.second.until("Said")["line"]
        assert (line["text"], line["seat"]) == ("good luck", "red")
        assert pair.first.call("Say", text=" \n ")["type"] == "Refused"
        pair.second.send("Resync")
        assert [said["text"] for said in pair.second.until("Snapshot")["chat"]] == ["good luck"]


def test_a_watcher_sees_what_both_see_and_cannot_act(server: Server) -> None:
    with seated(server) as pair, server.visitor().at(pair.table) as watcher:
        snapshot = watcher.until("Snapshot")
        assert snapshot["scene"]["seat"] == ""
        assert snapshot["watchers"] == 1
        assert snapshot["ask"] is None
        pair.first.act("march", "aim", "done")
        assert watcher.until("Update")["entry"]["text"] == "r1 ?, r2 ?"
        assert watcher.act("aim", "aim", "done")["type"] == "Refused"
        assert watcher.call("Resign")["type"] == "Refused"


def test_hot_seat_hands_over_by_sitting(server: Server) -> None:
    ann = server.visitor()
    table = ann.new_table(seats={"red": "me", "blue": "hotseat"}, options={"auto": "off"})["id"]
    with ann.at(table) as socket:
        assert socket.until("Snapshot")["scene"]["seat"] == "red"
        socket.act("march", "aim", "done")
        assert socket.ask is None
        socket.send("Sit", seat="blue")
        snapshot = socket.until("Snapshot")
        assert snapshot["scene"]["seat"] == "blue"
        assert "march" not in str(snapshot["log"]), "the other side stays hidden"
        socket.act("aim", "aim", "done")
        assert socket.v == 3


def test_reconnecting_goes_on_where_it_was(server: Server) -> None:
    ann = server.visitor()
    table = ann.new_table(seats={"red": "me", "blue": "hotseat"}, options={"auto": "off"})["id"]
    with ann.at(table, "red") as socket:
        socket.until("Snapshot")
        socket.act("march", "aim", "done")
    with ann.at(table, "blue") as socket:
        snapshot = socket.until("Snapshot")
        assert (snapshot["v"], snapshot["ask"]["question"]) == (2, 1)
        socket.act("aim", "aim", "done")


def test_presence(server: Server) -> None:
    with seated(server) as pair:
        with server.visitor().at(pair.table) as watcher:
            watcher.until("Snapshot")
            while pair.first.until("Presence")["watchers"] != 1:
                pass
        while pair.first.until("Presence")["watchers"] != 0:
            pass


def test_against_a_bot_of_the_real_game() -> None:
    with serving() as server:
        ann = server.visitor()
        table, seat = real_table(ann)
        with ann.at(table, seat) as socket:
            socket.until("Snapshot")
            rng = Random(1)
            for _ in range(25):
                while socket.ask is None and socket.outcome is None:
                    socket.receive()
                if socket.outcome is not None:
                    break
                choice = socket.choose(rng)
                socket.call("Price", **choice)
                answer = socket.call("Act", **choice)
                # What follows from an answer may be told after it, the end of the game too.
                assert answer["type"] in ("Done", "Stale") or answer["reason"] == "the game is over", answer
            drawing = ann.get(f"/api/tables/{table}/map").json()
            a, b = labels(drawing)
            report = socket.call("Sight", a=a, b=b)["report"]
            assert {"a", "b", "range", "blocked", "at", "by", "hindrance", "rules", "profile"} <= set(report)
            seen = socket.call("Field", hex=a)["seen"]
            assert a in seen
            assert (b in seen) is not report["blocked"]
            assert socket.call("Sight", a="nowhere", b=b)["type"] == "Rejected"


def labels(drawing: dict[str, list[dict[str, str]]]) -> tuple[str, str]:
    playable = [hex["label"] for hex in drawing["hexes"] if hex["playable"]]
    return playable[3], playable[-3]


def real_table(ann: Visitor) -> tuple[str, str]:
    scenario = ann.get("/api/lobby").json()["scenarios"][0]
    mine, other = (side["id"] for side in scenario["sides"])
    made = ann.new_table(scenario["id"], seats={mine: "me", other: "bot:greedy"})
    return made["id"], mine
