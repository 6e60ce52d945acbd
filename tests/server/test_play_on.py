"""Playing on from a moment: of a finished game, one's own, an opened log or situation; and from nobody else's."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from sandtable import catalog
from sandtable.core.log import dump, read_header
from sandtable.core.replay import verify
from tests.server.players import Server, Visitor
from tests.toy_system import play_out, toy_game

SITUATIONS = Path(__file__).parents[1] / "rulebook"
EXAMPLES = [
    next(path for path in sorted((SITUATIONS / system).glob("*.yaml")) if "action:" in path.read_text())
    for system in ("panzer-na", "mbt", "aslsk3", "panzer-mini", "goss")
]


def opened(visitor: Visitor, name: str, text: str) -> str:
    response = visitor.post("/api/open", {"name": name, "text": text})
    assert response.status_code == 201, response.text
    return str(response.json()["id"])


def finished() -> str:
    game = toy_game()
    play_out(game, Random(3))
    return "".join(dump(game.header, game.lines))


def play_on(visitor: Visitor, table: str, at: int, **seats: str) -> Any:
    return visitor.post(f"/api/tables/{table}/play-on", {"at": at, "seats": seats})


def test_a_moment_of_a_log_becomes_a_game_that_verifies(server: Server) -> None:
    ann = server.visitor()
    text = finished()
    table = opened(ann, "old.jsonl", text)
    made = play_on(ann, table, 2, red="me", blue="hotseat")
    assert made.status_code == 201, made.text
    game = server.registry.live(made.json()["id"])
    assert game is not None
    log = "".join(dump(game.play.game.header, game.play.game.lines))
    found = catalog.open_log(log, "new")
    assert read_header(log, "new").taken_up == 2
    assert log.splitlines()[1:4] == text.splitlines()[1:4], "what came before is the old game's"
    assert verify(found.ruleset, found.log) == []
    assert play_on(ann, table, 999, red="me").status_code == 400


def test_the_end_of_a_game_cannot_be_played_on(server: Server) -> None:
    ann = server.visitor()
    text = finished()
    table = opened(ann, "old.jsonl", text)
    refused = play_on(ann, table, len(text.splitlines()) - 2, red="me")
    assert refused.status_code == 400
    assert "over" in refused.text


def test_a_running_game_may_be_played_on_by_whoever_holds_every_side_alone(server: Server) -> None:
    ann, bob = server.visitor(), server.visitor()
    own = ann.new_table(seats={"red": "me", "blue": "hotseat"})["id"]
    assert play_on(ann, own, 0, red="me", blue="bot:random").status_code == 201
    assert play_on(bob, own, 0, red="me", blue="bot:random").status_code == 409
    shared = ann.new_table(seats={"red": "me"})
    assert play_on(ann, shared["id"], 0, red="me").status_code == 409
    bob.post(f"/api/join/{shared['invites']['blue']}")
    assert play_on(bob, shared["id"], 0, blue="me").status_code == 409
    computer = ann.new_table(seats={"red": "me", "blue": "bot:random"})["id"]
    assert play_on(ann, computer, 0, red="hotseat", blue="hotseat").status_code == 409, "a bot's orders stay secret"


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.name)
def test_a_situation_becomes_a_game_that_verifies(server: Server, path: Path) -> None:
    ann = server.visitor()
    table = opened(ann, path.name, path.read_text())
    ruleset = catalog.open_situation(path.read_text(), path.name).position.ruleset
    made = play_on(ann, table, 0, **dict.fromkeys(ruleset.seats, "hotseat"))
    assert made.status_code == 201, made.text
    table_id = made.json()["id"]
    game = server.registry.live(table_id)
    assert game is not None
    log = "".join(dump(game.play.game.header, game.play.game.lines))
    found = catalog.open_log(log, "new")
    assert verify(found.ruleset, found.log) == []
    assert found.ruleset.decision(game.play.state) is not None
    # Put away and read from the store, it stands as it did.
    server.registry.drop(game)
    assert ann.get(f"/api/tables/{table_id}/replay/0").status_code == 200
