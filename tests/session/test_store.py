"""The store: the same tests for SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandtable.core.errors import BadInput
from sandtable.session.store import (
    ChatRecord,
    Conflict,
    GameProgress,
    Invite,
    Keeper,
    Person,
    SeatRecord,
    Store,
    TableRecord,
    open_store,
)
from sandtable.session.store.interface import TableKind

ANN = Person("ann", "Ann", "", 1.0)
BOB = Person("bob", "Bob", "hash", 2.0)


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    opened = open_store(database)
    yield opened
    opened.close()


def table(key: str, kind: TableKind = "game", updated: float = 0.0, asked: str = "red") -> TableRecord:
    return TableRecord(
        key,
        kind,
        "toy",
        "crossroads",
        "The Crossroads",
        "ann",
        "{}",
        "{}",
        "",
        1.0,
        GameProgress(asked, "", "", updated),
    )


def seats(key: str, blue: SeatRecord | None = None) -> list[SeatRecord]:
    return [SeatRecord(key, "red", "person", "ann"), blue or SeatRecord(key, "blue", "open")]


def test_people_and_sessions(store: Store) -> None:
    store.add_person(ANN)
    store.add_person(BOB)
    assert store.person("ann") == ANN
    assert ANN.is_guest
    assert not BOB.is_guest
    assert store.person("nobody") is None
    assert store.account("bob") == BOB
    assert store.account("ann") is None, "a guest is no account"
    store.add_session("d1", "ann", 1.0)
    assert store.session("d1", 0.0) == ANN
    store.drop_session("d1")
    assert store.session("d1", 0.0) is None
    assert store.names(["ann", "bob", "eve"]) == {"ann": "Ann", "bob": "Bob"}
    assert store.names([]) == {}


def test_a_guest_becomes_an_account_and_names_are_taken_once(store: Store) -> None:
    store.add_person(ANN)
    store.add_person(BOB)
    store.open_account("ann", "Annabel", "annabel", "h")
    assert store.account("annabel") == Person("ann", "Annabel", "h", 1.0)
    with pytest.raises(Conflict):
        store.open_account("ann", "bOb", "bob", "h")


def test_a_table_with_its_lines(store: Store) -> None:
    store.add_person(ANN)
    store.create_table(table("t1"), seats("t1"), [Invite("tok", "t1", "blue")], ["l0"])
    found = store.table("t1")
    assert found is not None
    assert (found.v, found.title, found.progress.asked) == (1, "The Crossroads", "red")
    assert [one.seat for one in store.seats("t1")] == ["red", "blue"]
    store.append("t1", 1, "l1", GameProgress("blue", "", "c", 5.0))
    assert store.lines("t1") == ["l0", "l1"]
    found = store.table("t1")
    assert found is not None
    assert (found.v, found.progress) == (2, GameProgress("blue", "", "c", 5.0))
    store.update("t1", GameProgress("", "over", "", 6.0))
    found = store.table("t1")
    assert found is not None
    assert found.progress.result == "over"
    assert store.table("t2") is None


@pytest.mark.parametrize("seq", [0, 2])
def test_only_the_next_line_can_be_added(store: Store, seq: int) -> None:
    store.add_person(ANN)
    store.create_table(table("t1"), [], [], ["l0"])
    with pytest.raises(Conflict):
        store.append("t1", seq, "again", GameProgress())


def test_tables_of_a_person_newest_first(store: Store) -> None:
    store.add_person(ANN)
    store.add_person(BOB)
    store.create_table(table("t1", updated=1.0), seats("t1"), [], [])
    store.create_table(table("t2", updated=3.0), seats("t2", SeatRecord("t2", "blue", "person", "bob")), [], [])
    store.create_table(table("t3", "replay", updated=2.0), [], [], [])
    assert [record.id for record, _ in store.tables_of("ann")] == ["t2", "t3", "t1"]
    ((only, places),) = store.tables_of("bob")
    assert only.id == "t2"
    assert [place.person for place in places] == ["ann", "bob"]
    store.move_seats("ann", "bob")
    assert len(store.tables_of("bob")) == 3
    assert store.tables_of("ann") == []


def test_an_invitation_is_good_once(store: Store) -> None:
    store.add_person(ANN)
    store.add_person(BOB)
    store.create_table(table("t1"), seats("t1"), [Invite("tok", "t1", "blue")], [])
    assert store.invites_of("ann") == [Invite("tok", "t1", "blue")]
    assert store.invite("tok") == Invite("tok", "t1", "blue")
    assert store.take_invite("tok", "bob") == Invite("tok", "t1", "blue")
    assert store.take_invite("tok", "eve") is None
    assert store.seats("t1")[1] == SeatRecord("t1", "blue", "person", "bob")
    assert store.invites_of("ann") == []


def test_chat_is_numbered(store: Store) -> None:
    store.add_person(ANN)
    store.create_table(table("t1"), [], [], [])
    for text in ("one", "two", "three"):
        store.say("t1", ChatRecord(0, "Ann", "red", text, 1.0))
    assert [(line.n, line.text) for line in store.chat("t1", 2)] == [(2, "two"), (3, "three")]


def test_games_that_wait_for_a_bot(store: Store) -> None:
    store.add_person(ANN)
    bot = SeatRecord("t2", "blue", "bot", bot="random")
    store.create_table(table("t1"), seats("t1"), [], [])
    store.create_table(table("t2"), seats("t2", bot), [], [])
    store.create_table(table("t3", asked=""), seats("t3", bot), [], [])
    assert store.unfinished_with_bots() == ["t2"]


def test_old_exhibits_make_room(store: Store) -> None:
    store.add_person(ANN)
    store.create_table(table("g"), seats("g"), [], ["l"])
    for number in range(5):
        one = TableRecord(f"e{number}", "replay", "toy", "", "", "ann", "{}", "{}", "", float(number))
        store.create_table(one, [], [], ["l"])
    store.forget_exhibits("ann", 2)
    assert {record.id for record, _ in store.tables_of("ann")} == {"g", "e3", "e4"}
    assert store.lines("e0") == []


def test_opening_again_keeps_everything(database: str) -> None:
    first = open_store(database)
    first.add_person(ANN)
    first.close()
    second = open_store(database)
    assert second.person("ann") == ANN
    second.close()


def test_a_database_that_cannot_be_opened_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for address in (str(tmp_path / "file" / "x.db"), "mysql://host/x", "postgresql://nobody@127.0.0.1:1/none"):
        with pytest.raises(BadInput, match="database"):
            open_store(address)


def test_sqlite_flushes_every_commit(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    open_store(str(path)).close()
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


# --- the keeper ---


def test_the_keeper_answers_after_the_commit_and_rolls_back_one_job_alone(database: str) -> None:
    async def run() -> None:
        keeper = Keeper(open_store(database))
        await keeper.run(lambda store: store.add_person(ANN))
        await keeper.run(lambda store: store.create_table(table("t1"), [], [], ["l0"]))

        def bad(store: Store) -> None:
            store.add_person(BOB)
            store.append("t1", 9, "far", GameProgress())

        def good(store: Store) -> None:
            store.append("t1", 1, "l1", GameProgress())

        results = await asyncio.gather(
            keeper.run(bad), keeper.run(good), keeper.run(lambda store: store.person("bob")), return_exceptions=True
        )
        assert isinstance(results[0], Conflict)
        assert list(results[1:]) == [None, None]
        other = open_store(database)
        assert other.lines("t1") == ["l0", "l1"], "committed before the answer"
        other.close()
        await asyncio.to_thread(keeper.close)

    asyncio.run(run())


def test_jobs_that_wait_share_a_commit() -> None:
    commits = []

    class Counted:
        def __init__(self, inner: Store) -> None:
            self._inner = inner

        def commit(self) -> None:
            commits.append(1)
            self._inner.commit()

        def __getattr__(self, name: str) -> object:
            return getattr(self._inner, name)

    async def run() -> None:
        keeper = Keeper(Counted(open_store(":memory:")))  # type: ignore[arg-type]
        gate = threading.Event()
        first = asyncio.create_task(keeper.run(lambda _: gate.wait(5)))
        await asyncio.sleep(0.05)
        rest = [asyncio.create_task(keeper.run(lambda store: store.names(["x"]))) for _ in range(50)]
        await asyncio.sleep(0.05)
        gate.set()
        await asyncio.gather(first, *rest)
        await asyncio.to_thread(keeper.close)

    asyncio.run(run())
    assert len(commits) == 2
