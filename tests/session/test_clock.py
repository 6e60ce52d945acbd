"""Clocks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from sandtable.core.decision import Seat
from sandtable.session.game.clock import Clocks, Uptime, check_clock
from sandtable.session.game.play import Choice
from sandtable.session.presenting.shelf import NewTable
from sandtable.session.presenting.wire import Clock, WireClock
from sandtable.session.registry import Registry
from tests.session.toy_registry import guests, open_registry, orders, toy_table, until


def test_a_move_clock_is_full_for_every_move() -> None:
    clocks = Clocks.start(Clock("move", 60), ["red", "blue"]).after(("red", "blue"), "", 100.0)
    clocks = clocks.after(("blue",), "red", 130.0)
    assert clocks.left == {"red": 60.0, "blue": 30.0}, "blue was asked before and still is"
    clocks = clocks.after(("red",), "blue", 150.0)
    assert clocks.left == {"red": 60.0, "blue": 60.0}
    assert clocks.flagged(209.0) == ""
    assert clocks.flagged(211.0) == "red"


def test_a_game_clock_runs_down_and_gets_increments() -> None:
    clocks = Clocks.start(Clock("game", 100, 5), ["red", "blue"]).after(("red",), "", 0.0)
    clocks = clocks.after(("blue",), "red", 30.0)
    assert clocks.left == {"red": 75.0, "blue": 100.0}
    assert clocks.next_flag(40.0) == 90.0
    told = {one.seat: one for one in clocks.told(40.0)}
    assert (told["blue"].left_ms, told["blue"].running, told["red"].running) == (90_000, True, False)
    assert clocks.stop(50.0).next_flag(1000.0) is None


@pytest.mark.parametrize("clock", [Clock("move", 0), Clock("game", 10, -1), Clock("move", 10**9)])
def test_silly_clocks(clock: Clock) -> None:
    assert check_clock(clock)


def test_a_correspondence_clock_is_fine() -> None:
    assert check_clock(Clock("move", 3 * 24 * 3600)) == ""


@pytest.mark.usefixtures("toy")
def test_a_jump_of_the_machines_clock_forfeits_nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither while the server runs, nor while it is down, nor while the table is put away."""
    database = str(tmp_path / "clocks.db")
    now = time.time()

    async def go() -> None:
        async with open_registry(database) as registry:
            table, person = await toy_table(registry, clock=Clock("game", 1000), options={"auto": "off"})
            for jump in (10**6, -(10**6), 10**9):
                monkeypatch.setattr(time, "time", lambda jump=jump: now + jump)
                seat = next(iter(table.play.questions))
                await table.act(person.id, seat, table.play.v, orders("aim", "aim"))
                assert not table.is_over
                assert all(one.left_ms > 900_000 for one in table.clocks_told())
                if table.play.v > 2:
                    break
        async with open_registry(database) as registry:
            monkeypatch.setattr(time, "time", lambda: now + 10**7)
            again, _ = await registry.table(table.record.id)
            assert not again.is_over
            await until(lambda: again.is_idle)
            registry.tidy(time.monotonic() + 1)
            assert registry.live(table.record.id) is None
            again, _ = await registry.table(table.record.id)
            assert all(one.left_ms > 900_000 for one in again.clocks_told())

    asyncio.run(go())


def test_a_clock_does_not_count_what_is_done_in_secret_whoever_reads_the_table_anew(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A fresh allowance for every unit of a secret set-up is the owner's to see, before and after a restart."""
    database, now = str(tmp_path / "secret.db"), [100.0]
    monkeypatch.setattr(Registry, "now", lambda _: now[0])

    async def go() -> None:
        async with open_registry(database) as registry:
            (person,) = await guests(registry, 1)
            wish = NewTable("sk-3-room-by-room", {"german": "me", "russian": "hotseat"}, Clock("move", 1000))
            made = await registry.create(person, wish)
            table, _ = await registry.table(made.id)
            seat = next(iter(table.play.questions))
            decision = table.play.decision
            assert decision is not None
            ways = decision.options(Seat(seat)).root.branches()
            unit = next(branch for branch in ways if branch.key != "suggested")
            hex = next(iter(unit.then.branches())).key
            before = await registry.keeper.run(lambda store: store.table(made.id))
            now[0] += 300
            await table.act(person.id, seat, table.play.version(seat), Choice((unit.key, hex)))
            after = await registry.keeper.run(lambda store: store.table(made.id))
            assert before is not None
            assert after is not None
            assert after.progress.updated == before.progress.updated, "the lobby would tell when"
            now[0] += 50
            own, others = left(table.clocks_told(seat)), left(table.clocks_told())
            assert (own[seat], others[seat]) == (950_000, 650_000)
            await until(lambda: table.is_idle)
            registry.tidy(time.monotonic() + 10**6)
            assert registry.live(made.id) is None
            again, _ = await registry.table(made.id)
            assert (left(again.clocks_told(seat)), left(again.clocks_told())) == (own, others)
        async with open_registry(database) as registry:
            again, _ = await registry.table(made.id)
            assert (left(again.clocks_told(seat)), left(again.clocks_told())) == (own, others)

    def left(told: Sequence[WireClock]) -> dict[str, int]:
        return {one.seat: one.left_ms for one in told}

    asyncio.run(go())


def test_clocks_run_while_a_table_is_put_away_and_stand_while_the_server_is_down() -> None:
    clocks = Clocks.start(Clock("game", 100), ["red", "blue"]).after(("red",), "", 50.0)
    assert clocks.taken_up(80.0).told(80.0)[0].left_ms == 70_000, "thirty seconds of the same server"
    old = Clocks(clocks.clock, clocks.left, clocks.running, since=1.7e9)  # noted by the clock of the machine, once
    assert old.taken_up(20.0).told(25.0)[0].left_ms == 95_000


def test_the_time_of_the_server_goes_on_where_it_was_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 1000.0)
    uptime = Uptime(500.0)
    monkeypatch.setattr(time, "monotonic", lambda: 1060.0)
    assert uptime.now() == 560.0
