"""Logs forged by somebody who knows how digests and checksums are made: what they break is named as their fault."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable import catalog
from sandtable.core import log
from sandtable.core.codec import digest
from sandtable.core.errors import BadInput
from sandtable.core.replay import look_through, replay
from sandtable.session.files import exhibit
from sandtable.session.files.exhibit import open_log_file
from tests.cli.running import run, written
from tests.forging import forged
from tests.hostile.mutation import broken_plain
from tests.server.players import Server, Visitor, serving

LOGS = sorted((Path(__file__).parents[1] / "golden").glob("*-random.jsonl"))


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


def head(path: Path, lines: int = 16) -> str:
    return "".join(path.read_text(encoding="utf-8").splitlines(keepends=True)[: lines + 1])


def visit(visitor: Visitor, text: str, seats: tuple[str, ...], at: int) -> None:
    """Everything that can be asked of an opened log."""

    def ask(method: str, path: str, body: object = None) -> Any:
        answer = visitor.request(method, path, body)
        assert answer.status_code < 500, (path, answer.text)
        return answer

    sitting = dict.fromkeys(seats, "hotseat")
    made = ask("POST", "/api/open", {"name": "forged", "text": text})
    ask("POST", "/api/open", {"name": "forged", "text": text, "seats": sitting})
    if made.status_code != 201:
        assert made.status_code == 400
        return
    table = f"/api/tables/{made.json()['id']}"
    ask("GET", f"{table}/log")
    ask("GET", f"{table}/thoughts/{at + 1}?bot=random")
    for seat in ("", *seats):
        for path in (f"?seat={seat}", f"/entries?seat={seat}", f"/replay/{at}?seat={seat}"):
            ask("GET", table + path)
    ask("POST", f"{table}/play-on", {"at": at, "seats": sitting})


@pytest.mark.parametrize("seed", range(24))
def test_a_forged_log_is_shown_or_its_fault_is_named(
    server: Server, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    rng, path = Random(f"forged {seed}"), LOGS[seed % len(LOGS)]
    text = head(path)
    at = rng.randrange(len(text.splitlines()) - 1)
    seats = tuple(catalog.open_log(text, path.name).ruleset.seats)
    visit(server.visitor(), forged(text, at, lambda plain: broken_plain(plain, rng)), seats, at)
    assert not [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.mark.parametrize("seats", [{}, {"german": "hotseat", "british": "hotseat"}], ids=["shown", "played on"])
def test_a_log_that_was_cut_off_before_its_first_entry_is_no_game(server: Server, seats: dict[str, str]) -> None:
    text = head(next(path for path in LOGS if path.name.startswith("panzer-na")), lines=0)
    answer = server.visitor().request("POST", "/api/open", {"name": "cut", "text": text, "seats": seats})
    assert answer.status_code == 400
    assert answer.json()["faults"] == [
        {"where": "cut", "wrong": "it has no entries", "right": "a game with at least one"}
    ]


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_position_that_cannot_be_looked_at_is_a_fault_of_the_log(
    server: Server, tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rules fail on one state: whoever opens, replays or reviews the log is told so, and where."""
    text = head(path)
    opened = catalog.open_log(text, path.name)
    states = replay(opened.ruleset, opened.log)
    bad = digest(states[5])
    plain, concealed = type(opened.ruleset).view, type(opened.ruleset).conceal

    def conceal(ruleset: Any, state: Any, seat: Any) -> Any:
        if digest(state) == bad:
            raise KeyError("nobody")
        return concealed(ruleset, state, seat)

    def view(ruleset: Any, state: Any, seat: Any) -> Any:
        if digest(state) == bad:
            raise KeyError("nobody")
        return plain(ruleset, state, seat)

    honest = open_log_file(text, "honest", ())
    visitor = server.visitor()
    table = f"/api/tables/{visitor.post('/api/open', {'name': 'a', 'text': text}).json()['id']}"
    monkeypatch.setattr(type(opened.ruleset), "view", view)
    monkeypatch.setattr(type(opened.ruleset), "conceal", conceal)
    with pytest.raises(BadInput, match=r"entry \d+: events: give no position of this game \(KeyError: 'nobody'\)"):
        look_through(opened.ruleset, opened.log, states)
    with pytest.raises(BadInput, match="give no position"):
        open_log_file(text, "forged", ())
    assert honest.lines
    file = written(tmp_path, "game.log", text.encode())
    for command in ("replay", "review"):
        told = run(command, file, code=2).stderr
        assert "give no position" in told
    # One that was opened before somebody thought of looking is no fault of ours either.
    for part in ("/entries", "/replay/5"):
        answer = visitor.get(table + part)
        assert answer.status_code == 400
        assert "gives no position of its game" in answer.text
    answer = visitor.post(f"{table}/play-on", {"at": 5, "seats": dict.fromkeys(opened.ruleset.seats, "hotseat")})
    assert answer.status_code < 500


def test_a_log_of_too_many_lines_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exhibit, "MOST_LINES", 10)
    with pytest.raises(BadInput, match=r"1[67] lines"):
        open_log_file(head(LOGS[0]), "long", ())


def test_what_takes_long_to_show_is_refused_when_it_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever was accepted is played again whenever somebody looks: so it must not be much."""
    monkeypatch.setattr(exhibit, "MOST_SHOWING", 0.0)
    with pytest.raises(BadInput, match="takes more than 0 seconds to show"):
        open_log_file(head(LOGS[0]), "slow", ())
    path = Path(__file__).parents[1] / "perft" / "na-direct-fire.yaml"
    with pytest.raises(BadInput, match="takes more than 0 seconds to show"):
        exhibit.open_situation_file(path.read_text(encoding="utf-8"), path.name, ())


def test_forged_digests_fit() -> None:
    """The forger of these tests forges well: an entry that is left as it was gives the log as it was."""
    text = head(LOGS[0])
    opened = catalog.open_log(text, "honest")
    same = forged(text, 3, lambda plain: plain)
    assert same == "".join(log.dump(replace(opened.log.header, format=log.FORMAT), opened.log.lines))
