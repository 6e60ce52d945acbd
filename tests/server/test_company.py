"""Company over HTTP: invitations that say what they are to, open tables, rematches, deleting; and who may do what."""

from typing import Any

from tests.server.players import Server, Visitor


def row(visitor: Visitor, table: str) -> Any:
    return next((one for one in visitor.get("/api/lobby").json()["tables"] if one["id"] == table), None)


def resigned(server: Server) -> tuple[Visitor, Visitor, str]:
    """A game of two people that is over: Ann played red, Bob blue."""
    ann, bob = server.visitor(), server.visitor()
    made = ann.new_table(seats={"red": "me"}, clock={"per": "move", "seconds": 3600})
    bob.post(f"/api/join/{made['invites']['blue']}")
    with ann.at(made["id"], "red") as socket:
        socket.call("Resign")
    return ann, bob, made["id"]


def test_an_invitation_says_what_it_is_to(server: Server) -> None:
    ann, bob = server.visitor(), server.visitor()
    made = ann.new_table(seats={"red": "me"}, clock={"per": "move", "seconds": 600})
    name = ann.get("/api/lobby").json()["me"]["name"]
    told = bob.get(f"/api/join/{made['invites']['blue']}").json()
    assert (told["title"], told["seat"], told["inviter"]) == ("The Crossroads", "blue", name)
    assert told["clock"]["seconds"] == 600
    assert bob.get("/api/join/nonsense").status_code == 404


def test_the_link_stays_with_whoever_made_the_table_and_nobody_else(server: Server) -> None:
    ann, bob = server.visitor(), server.visitor()
    made = ann.new_table(seats={"red": "me"})
    assert ann.get(f"/api/tables/{made['id']}").json()["invites"] == made["invites"]
    assert bob.get(f"/api/tables/{made['id']}").json()["invites"] == {}


def test_an_invitation_can_be_withdrawn_and_made_anew_by_its_maker_alone(server: Server) -> None:
    ann, bob = server.visitor(), server.visitor()
    made = ann.new_table(seats={"red": "me"})
    token, seat = made["invites"]["blue"], f"/api/tables/{made['id']}/seats/blue"
    bob.get("/api/lobby")
    assert bob.post(seat, {"who": ""}).status_code == 409
    assert ann.post(seat, {"who": ""}).status_code == 200
    assert bob.post(f"/api/join/{token}").status_code == 404
    fresh = ann.post(seat, {"who": "invite"}).json()["invites"]["blue"]
    assert fresh != token
    assert ann.post(seat, {"who": "nonsense"}).status_code == 400
    assert ann.post(f"/api/tables/{made['id']}/seats/green", {"who": ""}).status_code == 400
    assert bob.post(f"/api/join/{fresh}").status_code == 200
    assert ann.post(seat, {"who": "bot:random"}).status_code == 409, "Bob sits there now"


def test_a_seat_that_waits_may_go_to_a_bot_or_to_its_maker(server: Server) -> None:
    ann = server.visitor()
    for who, kind in (("bot:random", "bot"), ("hotseat", "person")):
        made = ann.new_table(seats={"red": "me"})
        assert ann.post(f"/api/tables/{made['id']}/seats/blue", {"who": who}).status_code == 200
        seats = ann.get(f"/api/tables/{made['id']}").json()["seats"]
        assert {one["seat"]: one["kind"] for one in seats}["blue"] == kind


def test_an_open_table_is_shown_to_others_until_somebody_sits_down(server: Server) -> None:
    ann, bob, eve = (server.visitor() for _ in range(3))
    made = ann.new_table(seats={"red": "me", "blue": "open"})
    private = ann.new_table(seats={"red": "me", "blue": "invite"})
    assert ann.get("/api/lobby").json()["open"] == []
    (offer,) = bob.get("/api/lobby").json()["open"]
    assert (offer["table"], offer["seat"]) == (made["id"], "blue")
    assert private["id"] not in {one["table"] for one in eve.get("/api/lobby").json()["open"]}
    assert bob.post(f"/api/join/{offer['token']}").status_code == 200
    assert eve.get("/api/lobby").json()["open"] == []


def test_a_rematch_is_one_table_for_both(server: Server) -> None:
    ann, bob, table = resigned(server)
    eve = server.visitor()
    eve.get("/api/lobby")
    assert eve.post(f"/api/tables/{table}/rematch", {}).status_code == 409
    made = ann.post(f"/api/tables/{table}/rematch", {"swap": True}).json()
    assert list(made["invites"]) == ["red"], "Ann has blue now, Bob's seat waits for him"
    again = bob.post(f"/api/tables/{table}/rematch", {}).json()
    assert again["id"] == made["id"]
    info = bob.get(f"/api/tables/{made['id']}").json()
    assert {one["seat"]: one["yours"] for one in info["seats"]} == {"red": True, "blue": False}
    assert info["clock"]["seconds"] == 3600
    assert ann.post(f"/api/tables/{table}/rematch", {}).json()["id"] == made["id"]


def test_a_running_game_has_no_rematch(server: Server) -> None:
    ann = server.visitor()
    made = ann.new_table(seats={"red": "me", "blue": "bot:random"})
    assert ann.post(f"/api/tables/{made['id']}/rematch", {}).status_code == 409


def test_a_game_is_deleted_when_all_have_done_so(server: Server) -> None:
    ann, bob, table = resigned(server)
    eve = server.visitor()
    eve.get("/api/lobby")
    assert eve.request("DELETE", f"/api/tables/{table}").status_code == 409
    assert ann.request("DELETE", f"/api/tables/{table}").status_code == 204
    assert row(ann, table) is None
    assert row(bob, table) is not None
    assert bob.get(f"/api/tables/{table}").status_code == 200
    assert bob.request("DELETE", f"/api/tables/{table}").status_code == 204
    assert bob.get(f"/api/tables/{table}").status_code == 404
    assert bob.request("DELETE", f"/api/tables/{table}").status_code == 404


def test_a_game_with_others_must_be_over_and_ones_own_need_not(server: Server) -> None:
    ann, bob = server.visitor(), server.visitor()
    made = ann.new_table(seats={"red": "me"})
    bob.post(f"/api/join/{made['invites']['blue']}")
    assert ann.request("DELETE", f"/api/tables/{made['id']}").status_code == 409
    own = ann.new_table(seats={"red": "me", "blue": "bot:random"})["id"]
    assert ann.request("DELETE", f"/api/tables/{own}").status_code == 204
    assert ann.get(f"/api/tables/{own}").status_code == 404


def test_a_snapshot_says_whether_bots_may_help(server: Server) -> None:
    ann, bob = server.visitor(), server.visitor()
    alone = ann.new_table(seats={"red": "me", "blue": "bot:random"})["id"]
    with ann.at(alone, "red") as socket:
        assert socket.until("Snapshot")["help"] is True
    made = ann.new_table(seats={"red": "me"})
    bob.post(f"/api/join/{made['invites']['blue']}")
    with ann.at(made["id"], "red") as socket:
        assert socket.until("Snapshot")["help"] is False
    friendly = ann.new_table(seats={"red": "me"}, options={"help": "on"})
    with ann.at(friendly["id"], "red") as socket:
        assert socket.until("Snapshot")["help"] is True
